/** The wire, as TypeBox schemas: what is accepted, what is returned, and what the OpenAPI document says. */
import { type TSchema, Type } from "@sinclair/typebox";
import { FAULT_STATUS, type FaultKind } from "../base/fault.ts";
import {
  BATCH_MAX_UNITS,
  GRANTS_MAX,
  GROUPS_MAX,
  ID_MAX_CHARS,
  METADATA_ARRAY_MAX_ITEMS,
  METADATA_MAX_KEYS,
  METADATA_STRING_MAX_CHARS,
  QUERY_MAX_CHARS,
  TOKEN_MAX_CHARS,
  TOP_K_DEFAULT,
  TOP_K_MAX,
  URI_MAX_CHARS,
} from "../base/limits.ts";
import { ANSWER_STATUSES, VERDICTS } from "../domain/answer.ts";
import { AUDIT_ACTIONS, AUDIT_VERSION } from "../domain/audit.ts";
import { MODALITIES, PLANES } from "../domain/plane.ts";
import { PERMS } from "../domain/principal.ts";
import { MODES } from "../domain/query.ts";
import { TIERS } from "../domain/tier.ts";

function oneOf<T extends string>(values: readonly T[]) {
  return Type.Union(values.map((value) => Type.Literal(value)));
}

const Plane = oneOf(PLANES);
const Modality = oneOf(MODALITIES);
const Count = Type.Integer({ minimum: 0 });
const Millis = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Line = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Ratio = Type.Number({ minimum: 0, maximum: 1 });
const Id = Type.String({ minLength: 1, maxLength: ID_MAX_CHARS });
const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const closed = { additionalProperties: false };
export const LOCATORS = {
  time_range: Type.Object({ kind: Type.Literal("time_range"), t_start_ms: Millis, t_end_ms: Millis }, closed),
  bbox: Type.Object({ kind: Type.Literal("bbox"), page: Type.Optional(Line), x: Ratio, y: Ratio, w: Ratio, h: Ratio }, closed),
  char_span: Type.Object({ kind: Type.Literal("char_span"), start: Offset, end: Offset }, closed),
  line_range: Type.Object({ kind: Type.Literal("line_range"), start: Line, end: Line }, closed),
};
const Locator = Type.Union(Object.values(LOCATORS));

const MetadataString = Type.String({ maxLength: METADATA_STRING_MAX_CHARS });
const Metadata = Type.Record(
  Type.String(),
  Type.Union([MetadataString, Type.Number(), Type.Boolean(), Type.Array(MetadataString, { maxItems: METADATA_ARRAY_MAX_ITEMS })]),
  { maxProperties: METADATA_MAX_KEYS, description: "A flat object of strings, numbers, booleans or arrays of strings." },
);

// --- requests --------------------------------------------------------------------------------

export const IngestUnit = Type.Object({
  text: Type.Optional(Type.String({ minLength: 1, description: "Embedded and full-text indexed; at most 256 KiB." })),
  modality: Modality,
  plane: Type.Optional(Plane),
  scope: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  source_uri: Type.Optional(Type.String({ minLength: 1, maxLength: URI_MAX_CHARS })),
  mime: Type.Optional(Id),
  locator: Type.Optional(Locator),
  doc_id: Type.Optional(Id),
  acl_owner: Type.Optional(Id),
  acl_groups: Type.Optional(Type.Array(Id, { maxItems: GROUPS_MAX })),
  metadata: Type.Optional(Metadata),
});

export const IngestBody = Type.Object({ units: Type.Array(IngestUnit, { minItems: 1, maxItems: BATCH_MAX_UNITS }) });

export const QueryBody = Type.Object({
  q: Type.String({ minLength: 1, maxLength: QUERY_MAX_CHARS }),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: TOP_K_MAX, default: TOP_K_DEFAULT })),
  planes: Type.Optional(Type.Array(Plane, { minItems: 1, maxItems: 16 })),
  modalities: Type.Optional(Type.Array(Modality, { minItems: 1, maxItems: 32 })),
  mode: Type.Optional(oneOf(MODES)),
  doc_id: Type.Optional(Id),
  group_by: Type.Optional(Type.Literal("doc_id")),
  min_score: Type.Optional(Type.Number()),
  rerank: Type.Optional(Type.Boolean()),
  answer: Type.Optional(Type.Boolean()),
  explain: Type.Optional(Type.Boolean()),
  filters: Type.Optional(Type.Object({}, { additionalProperties: true, description: "Mongo-style filter; see docs/search.md." })),
});

/** A Unit to compare with; or a picture or sound as the body, and these as parameters. */
export const SimilarBody = Type.Object({
  unit_id: Type.Optional(Id),
  ...Type.Pick(QueryBody, ["top_k", "planes", "modalities", "doc_id", "min_score", "filters"]).properties,
});

export const FileFields = Type.Object({
  doc_id: Type.Optional(Id),
  acl_groups: Type.Array(Id, { maxItems: GROUPS_MAX }),
  metadata: Type.Optional(Metadata),
});

/** The form of `POST /v1/files`; a raw body takes the fields as parameters. */
export const FileForm = Type.Object({ file: Type.String({ format: "binary" }), ...Type.Partial(FileFields).properties });

export const AnswerBody = Type.Composite([QueryBody, Type.Object({ answer: Type.Literal(true) })]);

export const SessionBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: TOKEN_MAX_CHARS }) });

const Scope = Type.String({ minLength: 1, maxLength: 1024 });
/** Closed: a misspelt `scopes` must not make a token for all of them. */
export const TokenBody = Type.Object(
  {
    name: Id,
    principal_id: Id,
    perms: Type.Optional(Type.Array(oneOf(PERMS), { maxItems: PERMS.length, description: "Of a new principal; read without it." })),
    scopes: Type.Optional(Type.Array(Scope, { maxItems: GRANTS_MAX, description: "Each with all below it; all without it." })),
    active_scope: Type.Optional(Scope),
    groups: Type.Optional(Type.Array(Id, { maxItems: GROUPS_MAX })),
    read_only: Type.Optional(Type.Boolean()),
  },
  closed,
);

// --- responses -------------------------------------------------------------------------------

export const ErrorBody = Type.Object({
  error: oneOf(Object.keys(FAULT_STATUS) as FaultKind[]),
  detail: Type.String(),
  status: Type.Integer(),
});

const UnitFields = {
  unit_id: Type.String(),
  text: Type.Optional(Type.String()),
  modality: Modality,
  plane: Plane,
  namespace: Type.String(),
  scope: Type.String(),
  source_uri: Type.Optional(Type.String()),
  mime: Type.Optional(Type.String()),
  locator: Type.Optional(Locator),
  doc_id: Type.Optional(Type.String()),
  acl_owner: Type.String(),
  acl_groups: Type.Array(Type.String()),
  metadata: Type.Optional(Metadata),
  content_sha256: Nullable(Type.String()),
  created_at: Millis,
  updated_at: Millis,
};
export const UnitBody = Type.Object(UnitFields);

const Context = Type.Object({
  principal: Type.Object({
    principal_id: Type.String(),
    namespace: Type.String(),
    read_only: Type.Boolean(),
    groups: Type.Array(Type.String()),
  }),
  active_scope: Type.String(),
  requested_scope: Type.String(),
  effective_scopes: Type.Array(Type.String()),
  allowed_scopes: Type.Array(Type.String()),
  perms: Type.Array(oneOf(PERMS)),
  folders_visible: Count,
  folders_total: Count,
});

const SpanBody = Type.Object({ start: Count, end: Count });
const HitBody = Type.Object({
  ...UnitFields,
  rank: Type.Integer({ minimum: 1 }),
  score: Type.Number(),
  scores: Type.Object({
    fused: Type.Number(),
    rerank: Nullable(Type.Number()),
    legs: Type.Array(Type.Object({ leg: Type.String(), rank: Type.Integer({ minimum: 1 }), raw: Nullable(Type.Number()) })),
  }),
  snippet: Nullable(Type.String()),
  highlights: Type.Array(SpanBody),
  evidence: Type.Optional(
    Type.Array(Type.Object({ start: Count, end: Count, score: Type.Number() }), {
      description: "The sentences of `text` that bear on the query most, as offsets.",
    }),
  ),
  explain: Type.Optional(
    Type.Object({
      fusion: Type.Array(Type.Object({ leg: Type.String(), rank: Type.Integer({ minimum: 1 }), contribution: Type.Number() })),
      window: Nullable(SpanBody),
      terms: Type.Array(Type.String()),
    }),
  ),
});

const Marker = Type.Integer({ minimum: 1 });
const Probability = Type.Number({ minimum: 0, maximum: 1 });
const Answer = Type.Object({
  text: Type.String({ description: "Plain text with inline markers `[1]`; empty when the status is `abstained`." }),
  status: oneOf(ANSWER_STATUSES),
  nli_faithfulness: Nullable(Probability),
  claims: Type.Array(Type.Object({ start: Count, end: Count, verdict: oneOf(VERDICTS), score: Probability, citations: Type.Array(Marker) })),
  citations: Type.Array(
    Type.Object({
      marker: Marker,
      unit_id: Type.String(),
      doc_id: Nullable(Type.String()),
      scope: Type.String(),
      modality: Modality,
      plane: Plane,
      source_uri: Nullable(Type.String()),
      locator: Nullable(Locator),
      quote: Type.String(),
      quote_start: Count,
      quote_end: Count,
    }),
  ),
  iterations: Count,
  model: Type.String(),
});

const Trace = Type.Object({
  total_ms: Type.Number(),
  stages: Type.Array(Type.Object({ name: Type.String(), ms: Type.Number(), in: Count, out: Count })),
  fusion: Type.Object({ method: Type.String(), k: Type.Integer() }),
  planes: Type.Array(Plane),
  warnings: Type.Array(Type.String()),
  rounds: Type.Optional(
    Type.Array(
      Type.Object({
        round: Type.Integer({ minimum: 1 }),
        queries: Type.Array(Type.String()),
        candidates: Count,
        scored: Count,
        best: Nullable(Type.Number()),
        ms: Type.Number(),
        outcome: Type.String(),
      }),
    ),
  ),
});

const found = { trace: Trace, context: Context, hidden_by_acl: Count };
export const SearchResponse = Type.Object({ hits: Type.Array(HitBody), answer: Nullable(Answer), ...found });
export const AnswerResponse = Type.Object({ hits: Type.Array(HitBody), answer: Answer, ...found });

/** As a search answers. */
export const SimilarResponse = Type.Object({
  hits: Type.Array(Type.Object({ ...HitBody.properties, near_duplicate: Type.Boolean({ description: "Pictures alone: cosine of at least 0.75." }) })),
  answer: Type.Null(),
  ...found,
});

const JobBody = Type.Object({
  id: Type.String(),
  file_id: Type.String(),
  state: oneOf(["queued", "running", "done", "failed"]),
  stage: Type.String(),
  progress: Ratio,
  counts: Type.Object({ units: Count, created: Count }),
  notes: Type.Array(Type.String({ description: "What was left out and why." })),
  error: Nullable(Type.Object({ error: Type.String(), detail: Type.String() })),
  created_at: Millis,
  updated_at: Millis,
});
export const JobResponse = JobBody;

export const FileAccepted = Type.Object({ file_id: Type.String(), doc_id: Type.String(), source_uri: Type.String(), job: JobBody });

export const FileResponse = Type.Object({
  file_id: Type.String(),
  doc_id: Type.String(),
  source_uri: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  mime: Type.String(),
  bytes: Count,
  sha256: Type.String(),
  scope: Type.String(),
  acl_owner: Type.String(),
  acl_groups: Type.Array(Type.String()),
  metadata: Type.Optional(Metadata),
  units: Type.Array(Type.String({ description: "Ids of its Units that the caller may read." })),
  job: Nullable(JobBody),
  created_at: Millis,
  updated_at: Millis,
});

export const RemovedResponse = Type.Object({ removed: Count });

export const ContextResponse = Context;

export const ScopesResponse = Type.Object({
  scopes: Type.Array(
    Type.Object({
      scope: Type.String(),
      namespace: Type.String(),
      parent: Nullable(Type.String()),
      planes: Type.Array(Plane),
      read_only_agents: Type.Boolean(),
      created_at: Millis,
    }),
  ),
});

export const UnitsResponse = Type.Object({
  units: Type.Array(UnitBody),
  hidden_by_acl: Count,
  context: Context,
  next_cursor: Nullable(Count),
});

export const StatsResponse = Type.Object({
  namespace: Type.String(),
  scope: Type.String(),
  planes: Type.Array(
    Type.Object({
      plane: Plane,
      model: Type.String(),
      dims: Count,
      metric: Type.String(),
      vectors: Count,
      indexed: Count,
      lag: Count,
      quarantined: Type.Optional(Type.Integer({ minimum: 1, description: "Units that an index cannot take: `strata doctor` names them." })),
      content: Type.Optional(
        Type.Object(
          { model: Type.String(), dims: Count, metric: Type.String(), vectors: Count },
          { description: "What is seen or heard in the Units of the plane, beside their text." },
        ),
      ),
      health: oneOf(["green", "yellow", "red"]),
    }),
  ),
  queries_per_day: Count,
  storage: Type.Object({ object_store_gb: Type.Number(), catalog_rows: Count, vectors: Count }),
});

export const HealthResponse = Type.Object({
  status: oneOf(["ok", "degraded", "down"]),
  service: Type.String(),
  version: Type.String(),
  time: Type.String(),
  bindings: Type.Object({
    catalog: Type.String(),
    vector_index: Type.Array(Type.String()),
    object_store: Type.String(),
    key_value: Type.String(),
    inference: Type.Boolean(),
  }),
});

export const IngestResponseBody = Type.Object({
  ingested: Count,
  created: Count,
  updated: Count,
  unchanged: Count,
  units: Type.Array(Type.Object({ index: Count, unit_id: Type.String(), status: oneOf(["created", "updated", "unchanged"]) })),
  audit_seq: Count,
});

/** What a row says of who did what to what is null for a reader who may not know; see docs/audit.md. */
const AuditRowBody = Type.Object({
  v: Type.Optional(Type.Literal(AUDIT_VERSION, { description: "Absent in rows of the first form." })),
  seq: Count,
  ts: Millis,
  namespace: Type.String(),
  principal_id: Nullable(Type.String()),
  action: oneOf(AUDIT_ACTIONS),
  outcome: oneOf(["ok", "denied", "error"]),
  scope: Nullable(Type.String()),
  target: Nullable(Type.String()),
  detail: Nullable(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]))),
  salt: Type.Optional(Type.String({ description: "Base64url; only where the content is shown." })),
  content_hash: Type.Optional(Type.String()),
  prev_hash: Type.String(),
  row_hash: Type.String(),
});
export const AuditResponse = Type.Object({
  namespace: Type.String(),
  rows: Type.Array(AuditRowBody),
  count: Count,
  next_cursor: Nullable(Count),
});

export const VerifyResponse = Type.Object({
  namespace: Type.String(),
  intact: Type.Boolean(),
  checked: Count,
  head_seq: Count,
  head_hash: Type.String(),
  break_at: Nullable(Count),
  reason: Nullable(Type.String()),
});

export const SessionResponse = Type.Object({ principal_id: Type.String(), namespace: Type.String(), expires_at: Millis });
export const SessionEndResponse = Type.Object({ ended: Type.Boolean() });

const TokenFields = {
  id: Type.String(),
  name: Type.String(),
  namespace: Type.String(),
  principal_id: Type.String(),
  perms: Type.Array(oneOf(PERMS)),
  scopes: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  read_only: Type.Boolean(),
  created_at: Millis,
};
export const TokenCreated = Type.Object({ ...TokenFields, token: Type.String({ description: "The secret, shown this once." }) });
export const TokenEntry = Type.Object({
  ...TokenFields,
  seeded: Type.Boolean({ description: "Published with the product." }),
  revoked_at: Nullable(Millis),
});
export const TokensResponse = Type.Object({ tokens: Type.Array(TokenEntry) });

const Counts = Type.Record(Type.String(), Count);
export const SeedResponse = Type.Object({
  namespaces: Type.Array(Type.Object({ namespace: Type.String(), tier: oneOf(TIERS) })),
  principals: Type.Array(
    Type.Object({
      principal_id: Type.String(),
      namespace: Type.String(),
      perms: Type.Array(oneOf(PERMS)),
      scopes: Type.Array(Type.String()),
      groups: Type.Array(Type.String()),
      read_only: Type.Boolean(),
    }),
  ),
  scopes: Type.Array(Type.Object({ namespace: Type.String(), scope: Type.String() })),
  tokens: Type.Array(Type.Object({ name: Type.String(), token: Type.String(), principal_id: Type.String(), namespace: Type.String() })),
  counts: Type.Object({ units: Count, scopes: Count, principals: Count, tokens: Count, by_plane: Counts, by_modality: Counts }),
});

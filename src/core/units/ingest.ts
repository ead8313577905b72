import { Type } from "@sinclair/typebox";
import { stopIfGone } from "../../base/abort.ts";
import { Fault } from "../../base/fault.ts";
import { canonicalJson, sha256Hex } from "../../base/hash.ts";
import { BATCH_MAX_UNITS, GROUPS_MAX, IDEMPOTENCY_KEY_MAX_CHARS, TEXT_MAX_BYTES, URI_MAX_CHARS, VECTOR_MAX_DIMS } from "../../base/limits.ts";
import { knownClasses } from "../../domain/access.ts";
import type { Encoder, TextWindow } from "../../domain/port/encoder.ts";
import { isGiven, type UnitDraft } from "../../domain/unit.ts";
import type { NamespaceReader, NamespaceTransactor } from "../../domain/port/store.ts";
import type { UnitStatus } from "../../domain/port/units.ts";
import type { Caller } from "../../domain/principal.ts";
import { checkValues, Count, describe, Id, Locator, LOCATORS, Metadata, Modality, oneOf, Path, Plane, text, validator } from "../schema.ts";
import type { View } from "../access/view.ts";
import { type Call, operation, WRITE } from "../operation.ts";
import { checkPermissions, checkPlanes } from "./admission.ts";
import { draftUnits, type IngestUnit, refuseOverQuota } from "./drafts.ts";
import { checkMetadata } from "./metadata.ts";
import { indexesOf, storeDrafts, weightOf } from "./store.ts";
import { givenWindows, windowsFor } from "./vectors.ts";
import { commit } from "../tenant.ts";

const KIB = 1024;

const UnitSent = Type.Object({
  text: Type.Optional(Type.String({ minLength: 1, description: "Embedded and full-text indexed; at most 256 KiB." })),
  modality: Modality,
  plane: Type.Optional(Plane),
  scope: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "Scope path to store it in, where the request names none; without both, the caller's active scope.",
    }),
  ),
  source_uri: Type.Optional(Type.String({ minLength: 1, maxLength: URI_MAX_CHARS, description: "Where its source is." })),
  mime: Type.Optional(describe(Id, "Content type of its source.")),
  locator: Type.Optional(Locator),
  doc_id: Type.Optional(describe(Id, "Groups the Units of one source.")),
  path: Type.Optional(Path),
  acl_owner: Type.Optional(describe(Id, "Principal that owns it; without it, the caller.")),
  acl_groups: Type.Optional(Type.Array(Id, { maxItems: GROUPS_MAX, description: "Groups that may read it, beside its owner; without it, none." })),
  metadata: Type.Optional(Metadata),
  vector: Type.Optional(
    Type.Union(
      [
        Type.Array(Type.Number(), { minItems: 1, maxItems: VECTOR_MAX_DIMS }),
        Type.String({ minLength: 1, maxLength: Math.ceil((VECTOR_MAX_DIMS * Float32Array.BYTES_PER_ELEMENT) / 3) * 4 }),
      ],
      {
        description:
          "Its vector, made by the model of the namespace (`GET /v1/models`) elsewhere: numbers, or the base64 of little-endian 32-bit floats, of norm 1. Needs the permission admin. Without it the text is encoded here.",
      },
    ),
  ),
});
const IngestBody = Type.Object({ units: Type.Array(UnitSent, { minItems: 1, maxItems: BATCH_MAX_UNITS, description: "The batch." }) });

export const UnitStatusBody = describe(oneOf(["created", "updated", "unchanged"]), "What became of it.");

const check = validator(IngestBody, (value) => {
  const kind = (value as { kind?: unknown } | null)?.kind;
  return typeof kind === "string" && Object.hasOwn(LOCATORS, kind) ? LOCATORS[kind as keyof typeof LOCATORS] : null;
});

export interface IngestInput {
  units: readonly IngestUnit[];
  idempotencyKey: string | null;
}

export interface IngestResult {
  ingested: number;
  created: number;
  updated: number;
  unchanged: number;
  units: { index: number; unit_id: string; status: UnitStatus }[];
  audit_seq: number;
}

/**
 * Stores a batch whole or not at all. Resolves when it is durable and searchable. Errors: `bad_request`
 * with a pointer, `forbidden`, `upgrade_required`, `quota_exceeded`, `conflict`, `unavailable`. A caller that hangs up
 * before the batch is committed ends it, and nothing is stored.
 */
export const ingest = operation({
  name: "ingest",
  summary: "Stores a batch of Units, whole or not at all",
  action: "ingest",
  access: WRITE,
  input: IngestBody,
  faults: ["upgrade_required", "quota_exceeded", "conflict"],
  output: Type.Object({
    ingested: describe(Count, "Units of the batch."),
    created: describe(Count, "Those that are new."),
    updated: describe(Count, "Those that were there and changed."),
    unchanged: describe(Count, "Those that were there as they are."),
    units: Type.Array(
      Type.Object({
        index: describe(Count, "Its place in the batch, from 0."),
        unit_id: text("Its id."),
        status: UnitStatusBody,
      }),
      { description: "In the order of the batch." },
    ),
    audit_seq: describe(Count, "Number of the row of the audit chain."),
  }),
  /** A batch is judged whole: the permission for every Unit, then the tier, then the form. */
  parse({ input, idempotencyKey }, view): IngestInput {
    const sent = sentUnits(input);
    checkPermissions(view.caller, view.registry, view.scope, sent);
    checkPlanes(view.caller.namespace.tier, sent);
    return { units: checkedUnits(input), idempotencyKey: checkedKey(idempotencyKey) };
  },
  async run({ view, input: { units, idempotencyKey }, services }: Call<IngestInput>): Promise<IngestResult> {
    const { caller, tenant, scope } = view;
    const encoder = tenant.encoder ?? services.encoder;
    const drafts = draftUnits(tenant.namespace.namespace, caller.principal, units, scope);
    const given = givenWindows(units, drafts, encoder.info);
    return storeOnce(view, encoder, { drafts, given, named: namedBody(idempotencyKey, scope, units) });
  },
});

/** A request that has a name, and the hash of what it brings. */
interface NamedBody {
  key: string;
  hash: string;
}

/** Null for a request without a name. Of a vector only a hash is written canonically: number by number it would take longer than all else. */
export function namedBody(key: string | null, scope: string | null, units: readonly IngestUnit[]): NamedBody | null {
  if (key === null) return null;
  const told = units.map((unit) => (unit.vector === undefined ? unit : { ...unit, vector: sha256Hex(JSON.stringify(unit.vector)) }));
  return { key, hash: sha256Hex(canonicalJson({ scope, units: told })) };
}

export interface CheckedBatch {
  drafts: readonly UnitDraft[];
  /** As givenWindows gives them. */
  given: ReadonlyMap<string, TextWindow[]>;
  named: NamedBody | null;
}

/** Stores checked Units whole or not at all, and once under one name. Resolves and rejects as `ingest`. */
export async function storeOnce({ caller, tenant }: View, encoder: Encoder, { drafts, given, named }: CheckedBatch): Promise<IngestResult> {
  const replayed = await replayOf(tenant.reader, caller, named);
  if (replayed !== null) {
    // The first request may still wait for the indexes, or have been told that they are behind.
    await tenant.indexer.caughtUp(await tenant.reader.revision(), null);
    return replayed;
  }
  const { tier } = tenant.namespace;
  const { access, units: stored } = tenant.reader;
  await refuseOverQuota(stored, tier, drafts);
  const known = { reader: tenant.reader, classes: knownClasses(caller, await access.scopes(), await access.classes()) };
  const windows = await windowsFor([known], encoder, drafts, { given, signal: caller.signal });
  const store = async (tx: NamespaceTransactor): Promise<IngestResult> => {
    stopIfGone(caller.signal);
    const raced = await replayOf(tx, caller, named);
    if (raced !== null) return raced;
    await refuseOverQuota(tx.units, tier, drafts);
    const result = await storeBatch(tx, caller, drafts, windows);
    if (named !== null) await tx.idempotency.remember(caller.principal.principal_id, named.key, named.hash, JSON.stringify(result));
    return result;
  };
  return commit(tenant, store, { bytes: weightOf(drafts, windows), indexes: indexesOf(drafts) });
}

/** The Units as they were sent, whatever their form; none where none are listed. Errors: `payload_too_large`. */
function sentUnits(input: unknown): readonly unknown[] {
  const listed = (input as { units?: unknown } | null | undefined)?.units;
  if (!Array.isArray(listed)) return [];
  if (listed.length <= BATCH_MAX_UNITS) return listed;
  throw new Fault("payload_too_large", `a batch has at most ${BATCH_MAX_UNITS} Units; this one has ${listed.length}`, { pointer: "/units" });
}

/** Errors: `bad_request` or `payload_too_large` with a pointer. */
export function checkedUnits(input: unknown): IngestUnit[] {
  checkValues(input);
  const { units } = check(input);
  units.forEach((unit, index) => {
    const pointer = `/units/${index}`;
    if (Buffer.byteLength(unit.text ?? "") > TEXT_MAX_BYTES) {
      throw new Fault("payload_too_large", `at most ${TEXT_MAX_BYTES / KIB} KiB of UTF-8`, { pointer: `${pointer}/text` });
    }
    checkMetadata(unit.metadata, `${pointer}/metadata`);
  });
  return units as IngestUnit[];
}

/** Errors: `bad_request`. */
export function checkedKey(key: string | null): string | null {
  if (key === null || new RegExp(`^[\\x20-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_CHARS}}$`).test(key)) return key;
  throw new Fault("bad_request", `Idempotency-Key takes 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} printable characters`);
}

async function replayOf({ idempotency }: NamespaceReader, caller: Caller, named: NamedBody | null): Promise<IngestResult | null> {
  const known = named === null ? null : await idempotency.find(caller.principal.principal_id, named.key);
  if (known === null) return null;
  if (known.body_sha256 !== named?.hash) throw new Fault("conflict", "this Idempotency-Key was used with another body");
  return JSON.parse(known.response) as IngestResult;
}

/** Writes the drafts and their audit row. */
async function storeBatch(
  tx: NamespaceTransactor,
  { principal, namespace }: Caller,
  drafts: readonly UnitDraft[],
  windows: ReadonlyMap<string, TextWindow[]>,
): Promise<IngestResult> {
  const written = await storeDrafts(tx, namespace.tier, drafts, windows);
  const count = (status: UnitStatus) => written.filter((unit) => unit.status === status).length;
  const given = [...windows.keys()].filter(isGiven).length;
  const totals = { ingested: written.length, created: count("created"), updated: count("updated"), unchanged: count("unchanged") };
  const row = await tx.ledger.append({
    principal_id: principal.principal_id,
    action: "ingest",
    outcome: "ok",
    scope: commonScope(drafts),
    target: null,
    detail: { ...totals, ...(given > 0 && { given_vectors: given }), units_sha256: sha256Hex(written.map(({ unit_id }) => unit_id).join("\n")) },
  });
  const units = written.map(({ unit_id, status }, index) => ({ index, unit_id, status }));
  return { ...totals, units, audit_seq: row.seq };
}

function commonScope(drafts: readonly UnitDraft[]): string | null {
  const scopes = new Set(drafts.map((draft) => draft.scope));
  return scopes.size === 1 ? ([...scopes][0] ?? null) : null;
}

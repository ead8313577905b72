/** What a caller asks for and what it is answered with: their forms, and what of a query the tier leaves out. */
import { type Static, Type } from "@sinclair/typebox";
import { FACETS_MAX_FIELDS, LEG_WEIGHT_MAX, METADATA_KEY_MAX_CHARS, QUERY_MAX_CHARS, TOP_K_DEFAULT, TOP_K_MAX } from "../../base/limits.ts";
import { badField } from "../../base/fault.ts";
import { ANSWER_STATUSES, VERDICTS } from "../../domain/answer.ts";
import { facetField } from "../../domain/facet.ts";
import { type Filter, MATCH_ALL, parseFilter } from "../../domain/filter.ts";
import { PLANES } from "../../domain/plane.ts";
import { EVEN_WEIGHTS, type LegWeights, MODES, type SearchQuery } from "../../domain/query.ts";
import { languageOf, type Namespace } from "../../domain/principal.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import { ENGLISH } from "../../text/language.ts";
import { checkValues, Context, Count, Id, Locator, Modality, Nullable, oneOf, Path, Plane, UnitFields, validator } from "../schema.ts";

const FACET_NAME_MAX_CHARS = "metadata.".length + METADATA_KEY_MAX_CHARS;

const Weight = Type.Number({ minimum: 0, maximum: LEG_WEIGHT_MAX });

export const QueryBody = Type.Object({
  q: Type.String({ minLength: 1, maxLength: QUERY_MAX_CHARS }),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: TOP_K_MAX, default: TOP_K_DEFAULT })),
  planes: Type.Optional(Type.Array(Plane, { minItems: 1, maxItems: 16 })),
  modalities: Type.Optional(Type.Array(Modality, { minItems: 1, maxItems: 32 })),
  mode: Type.Optional(oneOf(MODES)),
  doc_id: Type.Optional(Id),
  group_by: Type.Optional(Type.Literal("doc_id")),
  group_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: TOP_K_MAX, default: 1, description: "With `group_by`, at most so many hits of each document." }),
  ),
  weights: Type.Optional(
    Type.Object(
      { vector: Type.Optional(Weight), fulltext: Type.Optional(Weight), labels: Type.Optional(Weight) },
      { additionalProperties: false, description: "What a place in each leg is worth; 1 by default. A leg of 0 is left out." },
    ),
  ),
  diversity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, default: 0, description: "How much hits that are like ones before them fall behind." }),
  ),
  facets: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: FACET_NAME_MAX_CHARS }), {
      maxItems: FACETS_MAX_FIELDS,
      description: "Fields whose values are counted over the matches: those of filters that hold strings, and metadata.<key>.",
    }),
  ),
  min_score: Type.Optional(Type.Number()),
  rerank: Type.Optional(Type.Boolean()),
  answer: Type.Optional(Type.Boolean()),
  explain: Type.Optional(Type.Boolean()),
  filters: Type.Optional(Type.Object({}, { additionalProperties: true, description: "Mongo-style filter; see docs/search.md." })),
});

export const AnswerBody = Type.Composite([QueryBody, Type.Object({ answer: Type.Literal(true) })]);

const [queryBody, answerBody] = [validator(QueryBody), validator(AnswerBody)];

/** A query, and what of it the tier or the language of the namespace leaves out. */
export interface ParsedQuery {
  query: SearchQuery;
  warnings: string[];
}

/** `now`: what relative times of its filters are counted from; its form can be checked without. Errors: `bad_request`, with a pointer. */
export function parseQuery(input: unknown, namespace: Namespace, now = 0): ParsedQuery {
  checkValues(input);
  return withLabels(namespace, queryFor(namespace, queryBody(input), now));
}

/** As parseQuery, of a query that wants an answer. */
export function parseAnswerQuery(input: unknown, namespace: Namespace, now = 0): ParsedQuery {
  checkValues(input);
  return withLabels(namespace, queryFor(namespace, answerBody(input), now));
}

/** A query by words, with a warning where what is seen and heard has no labels in its language. */
function withLabels(namespace: Namespace, { query, warnings }: ParsedQuery): ParsedQuery {
  const language = languageOf(namespace);
  const labelled = query.planes.some((plane) => plane === "visual" || plane === "audio");
  if (language === ENGLISH || query.mode === "fulltext" || !labelled) return { query, warnings };
  const warning = `pictures and sounds are found by their texts alone: what is seen and heard has labels in English, and the language of this namespace is ${language}`;
  return { query, warnings: [...warnings, warning] };
}

/** Errors: `bad_request` for a filter, with a pointer. */
export function queryFor(namespace: Namespace, body: Static<typeof QueryBody>, now: number): ParsedQuery {
  const { tier } = namespace;
  const limits = TIER_LIMITS[tier];
  const asked = PLANES.filter((plane) => body.planes === undefined || body.planes.includes(plane));
  const planes = asked.filter((plane) => limits.planes.includes(plane));
  const warnings: string[] = [];
  if (body.planes !== undefined) {
    for (const plane of asked) if (!planes.includes(plane)) warnings.push(`the ${tier} tier has no ${plane} plane: left out`);
  }
  if (body.rerank && !limits.rerank) warnings.push(`the ${tier} tier has no rerank: left out`);
  if (body.answer && !limits.answers) warnings.push(`the ${tier} tier has no answers: left out`);
  const answer = body.answer === true && limits.answers;
  const language = languageOf(namespace);
  const english = language === ENGLISH;
  if (!english && body.rerank && limits.rerank)
    warnings.push(`rerank reads English alone, and the language of this namespace is ${language}: left out`);
  return {
    warnings,
    query: {
      q: body.q,
      top_k: body.top_k ?? TOP_K_DEFAULT,
      mode: body.mode ?? "hybrid",
      planes,
      filter: filterOf(body, now),
      group_by: body.group_by ?? null,
      group_size: body.group_size ?? 1,
      weights: weightsOf(body),
      diversity: body.diversity ?? 0,
      facets: [...new Set((body.facets ?? []).map((name, index) => facetField(name, `/facets/${index}`)))],
      min_score: body.min_score ?? null,
      explain: body.explain ?? false,
      // An answer is looked for in what was read, unless the caller wants the hits as the first stage ranks them.
      rerank: (body.rerank ?? answer) && limits.rerank && english,
      answer,
    },
  };
}

function weightsOf({ weights, mode = "hybrid" }: Static<typeof QueryBody>): LegWeights | null {
  if (weights === undefined) return null;
  const given = { ...EVEN_WEIGHTS, ...weights };
  const used = [mode === "vector" ? 0 : given.fulltext, mode === "fulltext" ? 0 : given.vector + given.labels];
  if (used.every((weight) => weight === 0)) throw badField("/weights", `leaves no leg of the mode ${mode}`);
  return given;
}

function filterOf(body: Static<typeof QueryBody>, now: number): Filter {
  const of: Filter[] = [];
  if (body.filters !== undefined) of.push(parseFilter(body.filters, now));
  if (body.modalities !== undefined) of.push({ op: "in", field: "modality", values: body.modalities });
  if (body.doc_id !== undefined) of.push({ op: "in", field: "doc_id", values: [body.doc_id] });
  return of.length === 0 ? MATCH_ALL : of.length === 1 && of[0] ? of[0] : { op: "and", of };
}

const SpanBody = Type.Object({ start: Count, end: Count });
export const HitBody = Type.Object({
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
export const Claim = Type.Object({
  start: Count,
  end: Count,
  verdict: Nullable(oneOf(VERDICTS)),
  score: Nullable(Probability),
  answers: Probability,
  citations: Type.Array(Marker),
});
export const Citation = Type.Object({
  marker: Marker,
  unit_id: Type.String(),
  doc_id: Nullable(Type.String()),
  path: Type.Optional(Path),
  scope: Type.String(),
  modality: Modality,
  plane: Plane,
  source_uri: Nullable(Type.String()),
  locator: Nullable(Locator),
  quote: Type.String(),
  quote_start: Count,
  quote_end: Count,
  mark_start: Count,
  mark_end: Count,
});
export const Answer = Type.Object({
  text: Type.String({ description: "Plain text with inline markers `[1]`; empty when the status is `abstained`." }),
  status: oneOf(ANSWER_STATUSES),
  nli_faithfulness: Nullable(Probability),
  claims: Type.Array(Claim),
  citations: Type.Array(Citation),
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

const FacetBody = Type.Object({
  values: Type.Array(Type.Object({ value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]), count: Count }), {
    description: "The most frequent values first.",
  }),
  exact: Type.Boolean({ description: "True: every match was counted. False: each count is a lower bound." }),
});

export const found = { trace: Trace, context: Context, hidden_by_acl: Count };
/** Of a query that asks for facets. */
export const facetsFound = {
  facets: Type.Optional(Type.Record(Type.String(), FacetBody, { description: "By field; only when the query asks for facets." })),
};

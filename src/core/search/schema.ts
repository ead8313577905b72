/** What a search answers with. */
import { Type } from "@sinclair/typebox";
import { ANSWER_STATUSES, VERDICTS } from "../../domain/answer.ts";
import { Context, Count, Locator, Modality, Nullable, oneOf, Plane, UnitFields } from "../schema.ts";

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
export const Answer = Type.Object({
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

export const found = { trace: Trace, context: Context, hidden_by_acl: Count };

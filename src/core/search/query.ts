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
import {
  checkValues,
  Context,
  Count,
  describe,
  Id,
  Locator,
  Modality,
  Nullable,
  oneOf,
  Path,
  Plane,
  text,
  UnitFields,
  validator,
} from "../schema.ts";

const FACET_NAME_MAX_CHARS = "metadata.".length + METADATA_KEY_MAX_CHARS;

const Weight = Type.Number({ minimum: 0, maximum: LEG_WEIGHT_MAX });

export const QueryBody = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: QUERY_MAX_CHARS,
    description: "Plain text in any script; words in double quotes are a phrase that full text must find.",
  }),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: TOP_K_MAX, default: TOP_K_DEFAULT, description: "At most so many hits." })),
  planes: Type.Optional(Type.Array(Plane, { minItems: 1, maxItems: 16, description: "Search these planes alone; without it, all of the tier." })),
  modalities: Type.Optional(Type.Array(Modality, { minItems: 1, maxItems: 32, description: "Keep only Units of these modalities." })),
  mode: Type.Optional(describe(oneOf(MODES), "Legs to search: vectors, full text or both. Without it: hybrid.")),
  doc_id: Type.Optional(describe(Id, "Keep only Units of this document.")),
  group_by: Type.Optional(Type.Literal("doc_id", { description: "At most `group_size` hits of each document; `top_k` still counts hits." })),
  group_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: TOP_K_MAX, default: 1, description: "With `group_by`, at most so many hits of each document." }),
  ),
  weights: Type.Optional(
    Type.Object(
      {
        vector: Type.Optional(describe(Weight, "Of the vector leg.")),
        fulltext: Type.Optional(describe(Weight, "Of full text.")),
        labels: Type.Optional(describe(Weight, "Of the label legs.")),
      },
      {
        additionalProperties: false,
        description: "What a place in each leg is worth: 1 where it is not named, and a leg of 0 is left out. Without it, by the form of `q`.",
      },
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
  min_score: Type.Optional(describe(Type.Number(), "Leaves out hits with a lower `score`, which has another scale with `rerank`.")),
  rerank: Type.Optional(
    describe(Type.Boolean(), "A cross-encoder reads the best candidates once more; Pro and Enterprise. Without it: as `answer`."),
  ),
  answer: Type.Optional(describe(Type.Boolean(), "An answer beside the hits; Pro and Enterprise. Without it: none.")),
  explain: Type.Optional(describe(Type.Boolean(), "Adds `explain` to each hit.")),
  filters: Type.Optional(Type.Object({}, { additionalProperties: true, description: "Mongo-style filter; see docs/search.md." })),
});

export const AnswerBody = Type.Composite([QueryBody, Type.Object({ answer: Type.Literal(true, { description: "An answer is wanted." }) })]);

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

const Start = describe(Count, "Where it begins in `text`, in UTF-16 code units.");
const End = describe(Count, "Where it ends in `text`, in UTF-16 code units; excluded.");
const Leg = text("`vector`, `labels:visual`, `labels:audio` or `fulltext`; of a search by example `similar`.");
const LegRank = Type.Integer({ minimum: 1, description: "Its place in the leg, from 1." });
const SpanBody = Type.Object({ start: Start, end: End });
export const HitBody = Type.Object({
  ...UnitFields,
  rank: Type.Integer({ minimum: 1, description: "Its place among the hits, from 1." }),
  score: describe(Type.Number(), "The fused score; with `rerank` a blend with the cross-encoder's, 0-1; of a search by example, the cosine."),
  scores: Type.Object({
    fused: describe(Type.Number(), "Reciprocal rank fusion of the legs; of a search by example, the cosine."),
    rerank: describe(Nullable(Type.Number()), "Relevance by the cross-encoder, 0-1; null where it did not read this Unit."),
    legs: Type.Array(
      Type.Object({
        leg: Leg,
        rank: LegRank,
        raw: describe(Nullable(Type.Number()), "Cosine (-1 to 1), label score or BM25 score; null where it is withheld."),
      }),
      { description: "The legs that found it." },
    ),
  }),
  snippet: describe(Nullable(Type.String()), "The part of `text` to show; null without a text."),
  highlights: Type.Array(SpanBody, { description: "Matched words, as offsets into `text`." }),
  evidence: Type.Optional(
    Type.Array(Type.Object({ start: Start, end: End, score: describe(Type.Number(), "Relevance to the query, 0-1.") }), {
      description: "The sentences of `text` that bear on the query most, as offsets.",
    }),
  ),
  explain: Type.Optional(
    Type.Object({
      fusion: Type.Array(Type.Object({ leg: Leg, rank: LegRank, contribution: describe(Type.Number(), "What its place adds to the fused score.") }), {
        description: "What each leg gave.",
      }),
      window: describe(Nullable(SpanBody), "The passage of `text` whose vector matched best; null where the vector leg did not find it."),
      terms: describe(Type.Array(Type.String()), "Words of `text` that matched, in lower case."),
    }),
  ),
});

const Marker = Type.Integer({ minimum: 1 });
const Probability = Type.Number({ minimum: 0, maximum: 1 });
export const Claim = Type.Object({
  start: describe(Count, "Where it begins in the answer's text, in UTF-16 code units."),
  end: describe(Count, "Where it ends there, excluded; its markers follow."),
  verdict: describe(Nullable(oneOf(VERDICTS)), "What the verifier says of it and its sources; null where none reads the language."),
  score: describe(Nullable(Probability), "Probability that what is cited supports it; null where no verifier reads the language."),
  answers: describe(Probability, "Probability that it answers the question."),
  citations: Type.Array(Marker, { description: "Markers of its citations, ascending." }),
});
export const Citation = Type.Object({
  marker: describe(Marker, "The n of the marker `[n]` in the answer's text, from 1."),
  unit_id: text("The Unit that is quoted."),
  doc_id: describe(Nullable(Type.String()), "Its document; null without one."),
  path: Type.Optional(Path),
  scope: text("Path of the scope that it lies in."),
  modality: Modality,
  plane: Plane,
  source_uri: describe(Nullable(Type.String()), "Where its source is; null where it names none."),
  locator: describe(Nullable(Locator), "The part of its source that it is; null where it is not said."),
  quote: text("The Unit's text from `quote_start` to `quote_end`."),
  quote_start: describe(Count, "Where the quote begins in the Unit's text, in UTF-16 code units."),
  quote_end: describe(Count, "Where it ends there; excluded."),
  mark_start: describe(Count, "Where the words that answer begin in the Unit's text, in UTF-16 code units."),
  mark_end: describe(Count, "Where they end there; excluded."),
});
export const Answer = Type.Object({
  text: Type.String({ description: "Plain text with inline markers `[1]`; empty when the status is `abstained`." }),
  status: oneOf(ANSWER_STATUSES),
  nli_faithfulness: describe(Nullable(Probability), "Mean of the claims' scores; null without claims, or where no verifier reads the language."),
  claims: Type.Array(Claim, { description: "The statements of `text`; none when the status is `abstained`." }),
  citations: Type.Array(Citation, { description: "Where the claims stand, by marker." }),
  iterations: describe(Count, "Rounds of retrieving, finding evidence, verifying and citing."),
  model: text("`extractive`, or the name of the chat model that wrote the text."),
});

const Trace = Type.Object({
  total_ms: describe(Type.Number(), "Time of the work on what the caller may see, in ms."),
  stages: Type.Array(
    Type.Object({
      name: text("What was done."),
      ms: describe(Type.Number(), "Its time, in ms."),
      in: describe(Count, "How many items it was given."),
      out: describe(Count, "How many items it gave."),
    }),
    { description: "Steps of the work." },
  ),
  fusion: Type.Object(
    { method: text("`rrf`: reciprocal rank fusion."), k: describe(Type.Integer(), "Its constant.") },
    { description: "How the legs were made one ranking." },
  ),
  planes: describe(Type.Array(Plane), "Planes that were searched."),
  warnings: describe(Type.Array(Type.String()), "What was left out or read otherwise, and why."),
  rounds: Type.Optional(
    Type.Array(
      Type.Object({
        round: Type.Integer({ minimum: 1, description: "From 1." }),
        queries: describe(Type.Array(Type.String()), "What was searched for."),
        candidates: describe(Count, "Units that came back, over all rounds so far."),
        scored: describe(Count, "Sentences that were scored."),
        best: describe(Nullable(Type.Number()), "Best confidence of the part of the question with the weakest evidence, 0-1; null without evidence."),
        ms: describe(Type.Number(), "Its time, in ms."),
        outcome: text("What was found, in words."),
      }),
      { description: "Rounds of an answer; only with one." },
    ),
  ),
});

const FacetBody = Type.Object({
  values: Type.Array(
    Type.Object({
      value: describe(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), "A value of the field."),
      count: describe(Count, "Matches that have it."),
    }),
    {
      description: "The most frequent values first.",
    },
  ),
  exact: Type.Boolean({ description: "True: every match was counted. False: each count is a lower bound." }),
});

export const found = {
  trace: Trace,
  context: Context,
  hidden_by_acl: describe(Count, "Units of the same query's best `top_k` that the caller may not read, as exactly as the namespace tells it."),
};
/** Of a query that asks for facets. */
export const facetsFound = {
  facets: Type.Optional(Type.Record(Type.String(), FacetBody, { description: "By field; only when the query asks for facets." })),
};

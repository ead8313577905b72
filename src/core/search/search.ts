/** Runs a query: embed, retrieve what the view sees, answer if asked, count what the ACL hides, and make the hits. */
import { Type } from "@sinclair/typebox";
import { stopIfGone } from "../../base/abort.ts";
import { roundMs, stopwatch } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { bothOf, bypassesAcl, countsHidden, hiddenByAcl } from "../../domain/access.ts";
import { isNative } from "../../domain/filter.ts";
import { type Hit, shownHit, type Trace, type TraceStage } from "../../domain/hit.ts";
import type { SearchQuery } from "../../domain/query.ts";
import type { Answered, AnswerQuestion, ToldClaim } from "../answer/question.ts";
import type { View } from "../access/view.ts";
import { record } from "../audit/record.ts";
import { type Call, operation, READ } from "../operation.ts";
import { describe, Nullable } from "../schema.ts";
import { type Facets, facetsOf } from "./facets.ts";
import { beginRanking, RRF_K } from "./rank.ts";
import { type EncodedQuery, probability, RequestModels } from "./models.ts";
import { Answer, facetsFound, found, HitBody, type ParsedQuery, parseQuery, QueryBody } from "./query.ts";
import { spelled } from "./spelling.ts";
import { bestOf, type Candidate, countFound, LOST_EVIDENCE, retrieve, stillReadable } from "./retrieve.ts";
import { snippetOf } from "../../text/snippet.ts";

export const SearchResult = Type.Object({
  hits: Type.Array(HitBody, { description: "Best first." }),
  answer: describe(Nullable(Answer), "Null where the query wants none, or the tier has none."),
  ...facetsFound,
  ...found,
});

export const search = operation({
  name: "search",
  summary: "Hybrid search",
  action: "search",
  access: READ,
  input: QueryBody,
  output: SearchResult,
  parse: ({ input }, { caller }, now) => parseQuery(input, caller.namespace, now()),
  run: (call: Call<ParsedQuery>) => execute(call, "search", call.services.answerQuestion),
});

/**
 * What a query is answered with. `action`: what the audit row says was done; `answerQuestion` is asked when the query
 * wants an answer. Whoever follows the work gets `search`, with the row written before it, and then each `claim`. Errors:
 * `unavailable` when an engine is, or the caller hangs up.
 */
export async function execute(call: Call<ParsedQuery>, action: "search" | "answer", answerQuestion: AnswerQuestion) {
  const { view, input, services, emit } = call;
  const { caller, tenant } = view;
  const models = new RequestModels(services.models, caller, tenant.encoder ?? null);
  const searching = models.stopwatch();
  // An answer is to what was asked, word for word.
  const asWritten = action === "answer" || input.query.answer;
  const asked = await understood(view, models, input.query, asWritten, view.classes.visible);
  const { query } = asked;
  const { classes } = await view.renewed();
  const { visible, hidden } = classes;
  const all = bothOf(classes);
  stopIfGone(caller.signal);
  const ranking = await beginRanking(tenant, query, visible);
  // Its words are searched behind those of the visible, in another thread; the rest comes last.
  const begun = asked.certain && isNative(query.filter) && countsHidden(caller, hidden) ? await beginRanking(tenant, query, all, ranking) : null;
  // Written while the query is encoded. Nothing is told before it is durable; whoever waits for it gets its failure.
  const recorded = recordQuery(view, action, input.query);
  recorded.catch(() => {});
  const retrieval = await retrieve(tenant, models, query, asked.encoding, ranking);
  stopIfGone(caller.signal);
  const counted = query.facets.length === 0 ? null : await facetsOf(tenant, query, retrieval.matches, visible);
  const retrieved: Retrieved = {
    candidates: bestOf(retrieval.candidates, query),
    stages: [...asked.stages, await asked.embedded, ...retrieval.stages, ...(counted === null ? [] : [counted.stage])],
    warnings: [...asked.warnings, ...retrieval.warnings],
    facets: counted?.facets ?? null,
  };
  if (emit !== undefined) {
    await recorded;
    emit("search", await present(view, input, retrieved, { searched: searching(), answered: null, untold: [] }));
  }
  const tell = emit && ((claim: ToldClaim) => emit("claim", claim));
  const answered = query.answer ? await answerQuestion({ view, models, query, ...(tell && { tell }) }, retrieval.candidates) : null;
  const searched = searching();
  // Last and outside the times of the trace, so that hidden Units change neither the time limits nor the times of visible ones.
  const { hidden_by_acl, warnings: untold } = await hiddenByAcl(caller, hidden, async () => {
    const open = begun === null ? await understood(view, models, input.query, asWritten, all) : asked;
    return countFound(tenant, models, open.query, open.encoding, begun ?? (await beginRanking(tenant, open.query, all, ranking)), hidden);
  });
  const presented = await present(view, input, retrieved, { searched, answered, untold });
  await recorded;
  return { ...presented, hidden_by_acl };
}

/** A query as it is searched for. */
interface Understood {
  query: SearchQuery;
  /** Under way. */
  encoding: Promise<EncodedQuery | null>;
  embedded: Promise<TraceStage>;
  stages: TraceStage[];
  warnings: string[];
  /** As Spelled. */
  certain: boolean;
}

/**
 * `asWritten`: no word is taken for another; else one that nothing in `classes` has is read as the nearest that something there
 * has. Few queries are misspelt: what was written is encoded while its words are looked up.
 */
async function understood(
  { tenant }: View,
  models: RequestModels,
  asked: SearchQuery,
  asWritten: boolean,
  classes: readonly number[],
): Promise<Understood> {
  const written = encodedFor(models, asked, asked.q);
  const read = asWritten ? { q: asked.q, warnings: [], stages: [], certain: true } : await spelled(tenant, models, asked, classes);
  const { q, ...rest } = read;
  return { ...rest, query: { ...asked, q }, ...(q === asked.q ? written : encodedFor(models, asked, q)) };
}

/** Begins to encode `q` as the query's mode needs it, with the stage of the trace. */
function encodedFor(models: RequestModels, { mode }: SearchQuery, q: string): Pick<Understood, "encoding" | "embedded"> {
  const embedding = models.stopwatch();
  const encoding = mode === "fulltext" ? Promise.resolve(null) : models.encode(q);
  const embedded = encoding.then((encoded): TraceStage => {
    const looked = encoded === null ? 0 : 1;
    return { name: "embed", ms: embedding(), in: looked, out: looked };
  });
  // Whoever waits for the vector gets the failure.
  embedded.catch(() => {});
  encoding.catch(() => {});
  return { encoding, embedded };
}

/** The row says what was asked and not what was found, since every caller with `read` may see it. */
async function recordQuery(view: View, action: "search" | "answer", { q, mode, top_k, rerank, answer }: SearchQuery): Promise<void> {
  await record(view, action, { detail: { q_sha256: sha256Hex(q), mode, top_k, rerank, answer } });
}

/** What was found, as far as it is shown. */
interface Retrieved {
  candidates: readonly Candidate[];
  stages: readonly TraceStage[];
  warnings: readonly string[];
  /** Null where none were asked for. */
  facets: Facets["facets"] | null;
}

interface Outcome {
  /** Milliseconds of the work so far. */
  searched: number;
  answered: Answered | null;
  /** Warnings about what is not told. */
  untold: readonly string[];
}

/**
 * What is shown of a query's work. An answer takes seconds: a Unit that was closed to the caller meanwhile is no hit, and an
 * answer that cites one is withdrawn.
 */
async function present(view: View, { query, warnings }: ParsedQuery, retrieved: Retrieved, { searched, answered, untold }: Outcome) {
  const { caller, context } = view;
  const hydrating = stopwatch();
  const { candidates } = retrieved;
  const cited = answered?.cited ?? [];
  const readable = await stillReadable(view, [...candidates.map(({ unit }) => unit), ...cited]);
  const top = candidates.filter(({ unit }) => readable.has(unit.uid));
  const hits = top.map((candidate, index) => hitOf(candidate, index, query, bypassesAcl(caller), answered?.evidence.get(candidate.unit.uid)));
  const lost = cited.some(({ uid }) => !readable.has(uid));
  const hydrateStage: TraceStage = { name: "hydrate", ms: hydrating(), in: top.length, out: hits.length };
  const trace: Trace = {
    total_ms: roundMs(searched + hydrateStage.ms),
    stages: [...retrieved.stages, ...(answered?.stages ?? []), hydrateStage],
    fusion: { method: "rrf", k: RRF_K },
    planes: query.planes,
    warnings: [...warnings, ...retrieved.warnings, ...(answered?.warnings ?? []), ...(lost ? [LOST_EVIDENCE] : []), ...untold],
    ...(answered === null ? {} : { rounds: answered.rounds }),
  };
  const answer = lost ? answered?.withdrawn : answered?.answer;
  const facets = retrieved.facets === null ? {} : { facets: retrieved.facets };
  return { hits: hits.map(shownHit), answer: answer ?? null, ...facets, trace, context };
}

function hitOf(candidate: Candidate, index: number, query: SearchQuery, showRawBm25: boolean, evidence: Hit["evidence"]): Hit {
  const { unit, fused, window, words, logit, score } = candidate;
  const shown = unit.text === null ? null : snippetOf(unit.text, window, words);
  const legs = fused.legs.map(({ leg, rank, raw }) => ({ leg, rank, raw: leg === "fulltext" && !showRawBm25 ? null : raw }));
  const hit: Hit = {
    unit,
    rank: index + 1,
    score,
    scores: { fused: fused.score, rerank: logit === null ? null : probability(logit), legs },
    snippet: shown?.snippet ?? null,
    highlights: shown?.highlights ?? [],
    ...(evidence === undefined ? {} : { evidence }),
  };
  if (!query.explain) return hit;
  const terms = [...new Set(words.map(({ start, end }) => unit.text?.slice(start, end).toLowerCase() ?? ""))];
  const fusion = fused.legs.map(({ leg, rank, contribution }) => ({ leg, rank, contribution }));
  return { ...hit, explain: { fusion, window, terms } };
}

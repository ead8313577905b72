/** Makes candidates of a ranking (core/search/rank.ts): loads their Units and, when the query asks for it, reranks them. */
import { LONG_TEXT_CHARS, RERANK_MAX_MS, TOP_K_MAX } from "../../base/limits.ts";
import type { Span } from "../../base/span.ts";
import { classesAsSet } from "../../domain/access.ts";
import type { TraceStage } from "../../domain/hit.ts";
import type { Matches } from "../../domain/port/units.ts";
import { languageOf } from "../../domain/principal.ts";
import type { SearchQuery } from "../../domain/query.ts";
import { readText, type Unit } from "../../domain/unit.ts";
import { type QueryForm, queryForm } from "../../language/language.ts";
import type { Language } from "../../text/language.ts";
import { highlights, type QueryTerms, queryTerms } from "../../text/terms.ts";
import { type BegunRanking, type Encoding, type Fused, rank } from "./rank.ts";
import { diversified } from "./diversity.ts";
import { bestSentences } from "../../text/snippet.ts";
import type { RequestModels } from "./models.ts";
import type { View } from "../access/view.ts";
import type { Tenant } from "../tenant.ts";

/** Candidates that the cross-encoder reads, or `top_k` if that is more: beyond a dozen the first stage is seldom wrong enough. */
export const RERANK_CANDIDATES = 12;

/** A Unit that may be a hit or evidence. */
export interface Candidate {
  unit: Unit;
  fused: Fused;
  /** The encoder's window that matched best; the whole text when only full text found the Unit. */
  window: Span;
  /** Matched words in the text, in order. */
  words: Span[];
  /** The cross-encoder's logit; null when it did not read this one. */
  logit: number | null;
  /** The fused score, or after reranking the blend (0-1). Candidates are ordered by it. */
  score: number;
}

export interface Retrieval {
  candidates: Candidate[];
  stages: TraceStage[];
  warnings: string[];
  /** As Ranking. */
  matches: Matches;
}

/**
 * The weight of the cross-encoder in the blend, and the characters of a candidate that it reads, by the form of the query. It
 * was trained on questions and ranks statements worse. Chosen on XQuAD's questions and SciFact's training claims
 * (docs/decision/0004).
 */
export const RERANKING: Record<QueryForm, { weight: number; maxChars: number }> = {
  question: { weight: 0.7, maxChars: 600 },
  keywords: { weight: 0.7, maxChars: 600 },
  statement: { weight: 0.1, maxChars: 450 },
};

/** The model's logits lie between -LOGIT_RANGE and LOGIT_RANGE. */
const LOGIT_RANGE = 12;

/**
 * The candidates of a ranking, best first: `query.top_k`, or more when they are to be reranked. `question`: what the
 * cross-encoder reads when `query.q` was widened. Errors: Fault `unavailable`.
 */
export async function retrieve(
  tenant: Tenant,
  models: RequestModels,
  query: SearchQuery,
  encoding: Encoding,
  ranking: BegunRanking,
  question = query.q,
): Promise<Retrieval> {
  // `min_score` is about the score of a hit, which reranking changes.
  const first = query.rerank ? { ...query, min_score: null } : query;
  const wanted = query.rerank ? Math.max(query.top_k, RERANK_CANDIDATES) : spreadOf(query);
  const { top, stages, warnings, matches } = await rank(tenant, first, encoding, ranking, wanted);
  const terms = question === query.q ? ranking.terms : queryTerms(question, languageOf(tenant.namespace));
  const candidates = await load(tenant, terms, top, classesAsSet(ranking.classes));
  if (!query.rerank) return { candidates: await spread(tenant, candidates, query), stages, warnings, matches };
  const reranking = models.stopwatch();
  await rerank(models, question, candidates);
  const scored = candidates.filter(({ logit }) => logit !== null).length;
  const readable = candidates.filter(({ unit }) => unit.text !== null).length;
  const late = scored < readable ? [`rerank ran out of its ${RERANK_MAX_MS} ms: it read ${scored} of ${readable} candidates`] : [];
  const stage: TraceStage = { name: "rerank", ms: reranking(), in: candidates.length, out: scored };
  return { candidates: await spread(tenant, candidates, query), stages: [...stages, stage], warnings: [...warnings, ...late], matches };
}

/** Candidates for each hit of a query that wants different ones. */
const DIVERSITY_FACTOR = 3;

function spreadOf({ diversity, top_k }: SearchQuery): number {
  return diversity === 0 ? top_k : Math.max(top_k, Math.min(TOP_K_MAX, DIVERSITY_FACTOR * top_k));
}

async function spread(tenant: Tenant, candidates: Candidate[], query: SearchQuery): Promise<Candidate[]> {
  return query.diversity === 0 ? candidates : diversified(tenant, candidates, query);
}

/** How many of the Units that a ranking finds lie in the classes of `counted`. Texts are read only when they decide what is found. */
export async function countFound(
  tenant: Tenant,
  models: RequestModels,
  query: SearchQuery,
  encoding: Encoding,
  ranking: BegunRanking,
  counted: readonly number[],
): Promise<number> {
  const among = new Set(counted);
  if (query.rerank || query.diversity > 0) {
    const { candidates } = await retrieve(tenant, models, query, encoding, ranking);
    return bestOf(candidates, query).filter(({ unit }) => among.has(unit.classId)).length;
  }
  const { top } = await rank(tenant, query, encoding, ranking);
  return top.filter(({ uid }) => among.has(ranking.check.classId(uid) ?? -1)).length;
}

/** The candidates that become hits. */
export function bestOf(candidates: readonly Candidate[], { top_k, min_score }: SearchQuery): Candidate[] {
  const top = candidates.slice(0, top_k);
  return min_score === null ? top : top.filter(({ score }) => score >= min_score);
}

const NO_SPANS: ReadonlyMap<string, Span[]> = new Map();

/** The Units of a ranking as candidates. A Unit whose access class has left the view since is dropped. */
async function load({ reader, namespace }: Tenant, terms: QueryTerms, top: readonly Fused[], classes: ReadonlySet<number>): Promise<Candidate[]> {
  const units = await reader.units.byUids(top.map(({ uid }) => uid));
  const several = [...units.values()].filter(({ windows }) => windows > 1);
  const spans = several.length === 0 ? NO_SPANS : await reader.embeddings.spans(several.flatMap(({ embeddedSha256 }) => embeddedSha256 ?? []));
  const found = top.flatMap((fused) => {
    const unit = units.get(fused.uid);
    return unit && classes.has(unit.classId) ? [{ fused, unit, window: windowOf(spans, unit, fused.window) }] : [];
  });
  const words = matchedWords(terms, languageOf(namespace), found);
  return found.map((one, index) => ({ ...one, words: words[index] ?? [], logit: null, score: one.fused.score }));
}

/**
 * The part of a Unit's text in one of its windows, which are spans of what was embedded: the path stands before the text there.
 * The only window of a text is all of it.
 */
function windowOf(spans: ReadonlyMap<string, Span[]>, unit: Unit, window: number | null): Span {
  const text = unit.text ?? "";
  const span = window === null ? undefined : spans.get(unit.embeddedSha256 ?? "")?.[window];
  if (span === undefined) return { start: 0, end: text.length };
  const before = readText(unit.path, text).length - text.length;
  return { start: Math.max(0, span.start - before), end: Math.max(0, span.end - before) };
}

function matchedWords(terms: QueryTerms, language: Language, found: readonly { unit: Unit; window: Span }[]): Span[][] {
  return found.map(({ unit, window }) => {
    const text = unit.text ?? "";
    if (text.length <= LONG_TEXT_CHARS) return highlights(terms, text, language);
    const { start: offset } = window;
    return highlights(terms, text.slice(offset, window.end), language).map(({ start, end }) => ({ start: start + offset, end: end + offset }));
  });
}

/** Scores the best passage of each candidate, read with its path, in order, as far as RERANK_MAX_MS allows, and sorts the candidates by the blend. */
async function rerank(models: RequestModels, q: string, candidates: Candidate[]): Promise<void> {
  const readable = candidates.filter(({ unit }) => unit.text !== null);
  const { weight, maxChars } = RERANKING[queryForm(q)];
  const passages = readable.map(({ unit, window, words }) => {
    const { start, end } = bestSentences(unit.text ?? "", window, words, maxChars);
    return { unit, text: readText(unit.path, (unit.text ?? "").slice(start, end)) };
  });
  const logits = await models.score(q, passages, RERANK_MAX_MS);
  readable.forEach((candidate, index) => {
    candidate.logit = logits[index] ?? null;
  });
  const first = candidates[0]?.fused.score ?? 1;
  for (const candidate of candidates) {
    // A Unit without text keeps its score of the first stage.
    const share = candidate.unit.text === null ? 0 : weight;
    candidate.score = ((1 - share) * candidate.fused.score) / first + share * scaled(candidate.logit);
  }
  // The sort is stable: equal scores keep the order of the first stage.
  candidates.sort((a, b) => b.score - a.score);
}

/** A logit on a scale of 0-1; 0 for a candidate that was not read. */
function scaled(logit: number | null): number {
  return logit === null ? 0 : Math.min(1, Math.max(0, (logit + LOGIT_RANGE) / (2 * LOGIT_RANGE)));
}

/** The warning of an answer whose evidence did not stay readable. */
export const LOST_EVIDENCE = "evidence was changed or closed to the caller while the answer was written: left out";

/** The uids of those Units that are still there, and that the view may see now. A Unit's text never changes: its `unit_id` covers it. */
export async function stillReadable(view: View, units: readonly Unit[]): Promise<Set<number>> {
  const visible = classesAsSet((await view.renewed()).classes.visible);
  const live = await view.tenant.reader.units.live(units.map(({ uid }) => uid));
  return new Set([...live.values()].filter(({ classId }) => visible.has(classId)).map(({ uid }) => uid));
}

/**
 * Answers a question: retrieve, find evidence, verify, cite, and again with wider means while the evidence is thin. What is
 * thin after the last round is left unanswered.
 */
import { stopwatch } from "../../base/clock.ts";
import { ANSWER_ROUNDS_MAX, ANSWER_ROUNDS_MS, EVIDENCE_MAX_MS, RECHECKS_MAX, REGION_MAX_CHARS } from "../../base/limits.ts";
import type { Answer } from "../../domain/answer.ts";
import type { ScoredSpan, TraceRound, TraceStage } from "../../domain/hit.ts";
import type { SearchQuery } from "../../domain/query.ts";
import type { Unit } from "../../domain/unit.ts";
import { questionParts } from "../../language/en/questions.ts";
import { contentWords, isStopWord, stem, words } from "../../language/en/words.ts";
import { probability } from "../search/rerank.ts";
import { type Candidate, retrieve, stillReadable } from "../search/retrieve.ts";
import type { RequestModels } from "../search/models.ts";
import type { View } from "../access/view.ts";
import { chatAnswer } from "./chat-writer.ts";
import { type AnsweredPart, compose, withContradictions } from "./compose.ts";
import { findEvidence } from "./evidence.ts";
import { type Draft, renderAnswer } from "./render.ts";
import { injectsPrompt, echoesQuestion } from "./prompt-injection.ts";

/** Evidence that answers less likely than this is thin: chosen on XQuAD's questions (docs/decision/0005). */
export const CONFIDENT = 0.5;

/** Who writes when no chat model does. */
const EXTRACTIVE = "extractive";

/** Deeper first stages for rounds that follow. */
const FEEDBACK_TOP_K = 20;
const WIDE_TOP_K = 40;
/** Words of the best passages that a query is widened by. */
const FEEDBACK_WORDS = 6;
const FEEDBACK_UNITS = 3;
/** Sentences that a hit shows as its evidence. */
const EVIDENCE_PER_HIT = 3;

export interface AnswerRequest {
  view: View;
  models: RequestModels;
  query: SearchQuery;
}

export type AnswerQuestion = typeof answerQuestion;

export interface Answered {
  answer: Answer;
  rounds: TraceRound[];
  stages: TraceStage[];
  warnings: string[];
  /** By uid: the sentences of Units that were looked into. */
  evidence: Map<number, ScoredSpan[]>;
}

/** What is known of one part of the question. */
interface Part extends AnsweredPart {
  candidates: Candidate[];
}

/** `candidates`: those of the whole question, best first. Errors: Fault `unavailable`, also when the caller hangs up. */
export async function answerQuestion(request: AnswerRequest, candidates: readonly Candidate[]): Promise<Answered> {
  const { query } = request;
  const questions = questionParts(query.q);
  const single = questions.length <= 1;
  // Where Units that are no evidence took the places of others, these are looked for.
  const given = single && !candidates.some(({ unit }) => isExcluded(unit, query.q)) ? [...candidates] : [];
  const parts: Part[] = (single ? [query.q] : questions).map((question) => ({ question, candidates: given, evidence: [] }));
  const searching = request.models.stopwatch();
  const elapsed = stopwatch();
  const rounds: TraceRound[] = [];
  const found: Found = { excluded: new Map(), warnings: new Set() };
  do {
    rounds.push(await round(request, parts, rounds.length + 1, found));
  } while (parts.some(isThin) && rounds.length < ANSWER_ROUNDS_MAX && elapsed() < ANSWER_ROUNDS_MS);
  const evidenceStage: TraceStage = { name: "evidence", ms: searching(), in: sum(parts, "candidates"), out: sum(parts, "evidence") };
  const writing = stopwatch();
  const written = await write(request, parts);
  const answer = renderAnswer(written.drafts, written.status, rounds.length, written.model);
  const synthesis: TraceStage = { name: "synthesis", ms: writing(), in: sum(parts, "evidence"), out: answer.claims.length };
  const { size } = found.excluded;
  const left = size === 0 ? [] : [`${size} Units speak to whoever answers, or only repeat the question: not used as evidence`];
  const warnings = [...found.warnings, ...endOf(rounds, parts), ...left, ...written.warnings];
  return { answer, rounds, stages: [evidenceStage, synthesis], warnings, evidence: spansByUnit(parts) };
}

function isThin({ evidence }: AnsweredPart): boolean {
  return !evidence.some(({ confidence }) => confidence >= CONFIDENT);
}

function sum(parts: readonly Part[], what: "candidates" | "evidence"): number {
  return parts.reduce((total, part) => total + part[what].length, 0);
}

/** What the rounds have to say beside their evidence. */
interface Found {
  /** Units that are no evidence, by unit_id. */
  excluded: Map<string, Unit>;
  warnings: Set<string>;
}

/** Why the rounds ended where evidence is still thin. */
function endOf({ length }: readonly TraceRound[], parts: readonly Part[]): string[] {
  if (!parts.some(isThin)) return [];
  if (length < ANSWER_ROUNDS_MAX)
    return [`the search for evidence ran out of its ${ANSWER_ROUNDS_MS} ms after ${length} of ${ANSWER_ROUNDS_MAX} rounds`];
  return [`evidence was looked for in ${ANSWER_ROUNDS_MAX} rounds, and no further`];
}

/** Looks for better evidence for every part that lacks it. */
async function round(request: AnswerRequest, parts: Part[], number: number, into: Found): Promise<TraceRound> {
  const time = request.models.stopwatch();
  const queries: string[] = [];
  let scored = 0;
  for (const part of parts.filter(isThin)) {
    const { q, top_k } = plan(part, number, request.query);
    queries.push(q);
    const excluded = number > 1 || part.candidates.length === 0 ? await search(request, part, q, top_k, into.warnings) : [];
    const found = await findEvidence(request.models, part.question, part.candidates);
    for (const unit of [...excluded, ...found.excluded]) into.excluded.set(unit.unit_id, unit);
    if (found.late > 0) into.warnings.add(`reading for evidence ran out of its ${EVIDENCE_MAX_MS} ms: sentences were left unread`);
    scored += found.scored;
    part.evidence = found.evidence;
  }
  const best = parts.map(({ evidence }) => Math.max(0, ...evidence.map(({ confidence }) => confidence)));
  const thin = parts.filter(isThin).length;
  return {
    round: number,
    queries,
    candidates: sum(parts, "candidates"),
    scored,
    best: parts.some(({ evidence }) => evidence.length > 0) ? Math.min(...best) : null,
    ms: time(),
    outcome: thin === 0 ? "evidence for every part" : `evidence is thin for ${thin} of ${parts.length}`,
  };
}

/** What a round asks: the question; the question with words of what it found (pseudo-relevance feedback); the question, much deeper. */
function plan({ question, candidates }: Part, number: number, { top_k }: SearchQuery): { q: string; top_k: number } {
  if (number === 1) return { q: question, top_k };
  if (number === 2) return { q: [question, ...feedback(question, candidates)].join(" "), top_k: Math.max(top_k, FEEDBACK_TOP_K) };
  return { q: question, top_k: Math.max(top_k, WIDE_TOP_K) };
}

/** The words that the best passages share and the question lacks, most shared first. Numbers are left out: they lead to other numbers. */
function feedback(question: string, candidates: readonly Candidate[]): string[] {
  const asked = new Set(contentWords(question));
  const counts = new Map<string, number>();
  for (const { unit, window } of candidates.slice(0, FEEDBACK_UNITS)) {
    const found = new Set(words((unit.text ?? "").slice(window.start, window.end)));
    for (const word of found) {
      if (isStopWord(word) || asked.has(stem(word)) || /\p{N}/u.test(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const ranked = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return ranked.slice(0, FEEDBACK_WORDS).map(([word]) => word);
}

/** Adds what a search for `q` finds to the part's candidates, all read by the part's question. Returns what it passed over. */
async function search({ view, models, query }: AnswerRequest, part: Part, q: string, top_k: number, warnings: Set<string>): Promise<Unit[]> {
  const encoded = query.mode === "fulltext" ? null : await models.encode(q);
  const wider = { ...query, q, top_k, rerank: true, group_by: null, min_score: null };
  const passOver = (unit: Unit) => isExcluded(unit, part.question);
  const {
    candidates,
    excluded,
    warnings: cut,
  } = await retrieve(view.tenant, models, wider, encoded, view.renewed().classes.visible, part.question, passOver);
  for (const warning of cut) warnings.add(warning);
  const known = new Set(candidates.map(({ unit }) => unit.uid));
  const all = [...candidates, ...part.candidates.filter(({ unit }) => !known.has(unit.uid))];
  const logit = (candidate: Candidate) => candidate.logit ?? Number.NEGATIVE_INFINITY;
  part.candidates = part.candidates.length === 0 ? candidates : all.sort((a, b) => logit(b) - logit(a));
  return excluded;
}

/** True for a Unit that is no evidence for the question, whatever it says. */
function isExcluded({ text }: Unit, question: string): boolean {
  return text !== null && (injectsPrompt(text) || echoesQuestion(text.slice(0, REGION_MAX_CHARS), question));
}

interface Written {
  drafts: Draft[];
  status: Answer["status"];
  model: string;
  warnings: string[];
}

/** Writes the answer, and again without what the caller may no longer read by then. */
async function write(request: AnswerRequest, parts: readonly Part[]): Promise<Written> {
  const warnings: string[] = [];
  const gone = new Set<number>();
  for (let attempt = 0; attempt < RECHECKS_MAX; attempt += 1) {
    const left = parts.map(({ question, evidence }) => ({ question, evidence: evidence.filter(({ unit }) => !gone.has(unit.uid)) }));
    const written = await writeOnce(request, left);
    const lost = unreadable(request, written.drafts);
    if (lost.length === 0) return { ...written, warnings: [...warnings, ...written.warnings] };
    for (const uid of lost) gone.add(uid);
    warnings.push("evidence was changed or closed to the caller while the answer was written: left out");
  }
  return { drafts: [], status: "abstained", model: EXTRACTIVE, warnings };
}

async function writeOnce({ models, query }: AnswerRequest, parts: readonly AnsweredPart[]): Promise<Written> {
  const { entailment, chat } = models;
  const answered = parts.filter((part) => !isThin(part));
  if (answered.length === 0) return { drafts: [], status: "abstained", model: EXTRACTIVE, warnings: [] };
  const all = answered.flatMap(({ evidence }) => evidence);
  const fromChat = chat === null ? { drafts: [], warnings: [] } : await chatAnswer(chat, entailment, query.q, all);
  const byChat = chat !== null && fromChat.drafts.length > 0;
  const drafts = await withContradictions(
    entailment,
    answered.map(({ question }) => question),
    byChat ? fromChat.drafts : await compose(entailment, answered),
    all,
  );
  const open = parts.filter(isThin).map(({ question }) => `nothing that the caller may read answers: ${question}`);
  const status = drafts.length === 0 ? "abstained" : answered.length < parts.length ? "partial" : "answered";
  return { drafts, status, model: byChat ? chat.model : EXTRACTIVE, warnings: [...fromChat.warnings, ...open] };
}

/** The cited Units that are deleted, changed or out of the caller's reach by now. */
function unreadable({ view }: AnswerRequest, drafts: readonly Draft[]): number[] {
  const cited = drafts.flatMap(({ quotes }) => quotes.map(({ unit }) => unit));
  const readable = stillReadable(view, cited);
  return cited.filter(({ uid }) => !readable.has(uid)).map(({ uid }) => uid);
}

function spansByUnit(parts: readonly Part[]): Map<number, ScoredSpan[]> {
  const spans = new Map<number, ScoredSpan[]>();
  for (const { unit, start, end, logit } of parts.flatMap(({ evidence }) => evidence)) {
    const own = spans.get(unit.uid) ?? [];
    if (own.length < EVIDENCE_PER_HIT && !own.some((span) => span.start === start)) own.push({ start, end, score: probability(logit) });
    spans.set(unit.uid, own);
  }
  return spans;
}

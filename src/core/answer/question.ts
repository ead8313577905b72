/**
 * Answers a question in rounds. A round searches for evidence for each part of the question; a part whose evidence is thin
 * is searched for again with a wider query, and stays unanswered when it is thin after the last round.
 */
import { stopwatch } from "../../base/clock.ts";
import { ANSWER_ROUNDS_MAX, ANSWER_ROUNDS_MS, EVIDENCE_MAX_MS, RECHECKS_MAX, REGION_MAX_CHARS } from "../../base/limits.ts";
import type { Answer } from "../../domain/answer.ts";
import type { ScoredSpan, TraceRound, TraceStage } from "../../domain/hit.ts";
import type { SearchQuery } from "../../domain/query.ts";
import type { Unit } from "../../domain/unit.ts";
import { questionParts } from "../../language/en/questions.ts";
import { contentWords, isStopWord, stem, words } from "../../language/en/words.ts";
import { probability, type RequestModels } from "../search/models.ts";
import { type Candidate, retrieve, stillReadable } from "../search/retrieve.ts";
import type { View } from "../access/view.ts";
import { chatAnswer } from "./chat-writer.ts";
import { compose, type Draft, type QuestionPart, renderAnswer, withContradictions } from "./compose.ts";
import { findEvidence } from "./evidence.ts";
import { injectsPrompt, echoesQuestion } from "../../language/prompt-injection.ts";

/** Evidence is thin when no sentence reaches this confidence. Chosen on XQuAD's questions (docs/decision/0005). */
export const CONFIDENT = 0.5;

/** The `model` of an answer that is made of quotes. */
const EXTRACTIVE = "extractive";

/** The least `top_k` of the second round, and of the third. */
const FEEDBACK_TOP_K = 20;
const WIDE_TOP_K = 40;
/** Pseudo-relevance feedback of the second round: words added to the query, and Units that they are taken from. */
const FEEDBACK_WORDS = 6;
const FEEDBACK_UNITS = 3;
/** Sentences shown in `evidence` of one hit. */
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
  /** The best sentences of each Unit that evidence was looked for in, by uid. */
  evidence: Map<number, ScoredSpan[]>;
}

interface SearchedPart extends QuestionPart {
  candidates: Candidate[];
}

/** `candidates`: what the search for the whole question found, best first. Errors: Fault `unavailable`, also when the caller hangs up. */
export async function answerQuestion(request: AnswerRequest, candidates: readonly Candidate[]): Promise<Answered> {
  const { query } = request;
  const questions = questionParts(query.q);
  const single = questions.length <= 1;
  // An excluded Unit may have displaced others from the candidates: then the first round searches anew.
  const given = single && !candidates.some(({ unit }) => isExcluded(unit, query.q)) ? [...candidates] : [];
  const parts: SearchedPart[] = (single ? [query.q] : questions).map((question) => ({ question, candidates: given, evidence: [] }));
  const searching = request.models.stopwatch();
  const elapsed = stopwatch();
  const rounds: TraceRound[] = [];
  const findings: Findings = { excluded: new Map(), warnings: new Set() };
  do {
    rounds.push(await round(request, parts, rounds.length + 1, findings));
  } while (parts.some(isThin) && rounds.length < ANSWER_ROUNDS_MAX && elapsed() < ANSWER_ROUNDS_MS);
  const evidenceStage: TraceStage = { name: "evidence", ms: searching(), in: sum(parts, "candidates"), out: sum(parts, "evidence") };
  const writing = stopwatch();
  const written = await write(request, parts);
  const answer = renderAnswer(written.drafts, written.status, rounds.length, written.model);
  const synthesis: TraceStage = { name: "synthesis", ms: writing(), in: sum(parts, "evidence"), out: answer.claims.length };
  const { size } = findings.excluded;
  const left = size === 0 ? [] : [`${size} Units speak to whoever answers, or only repeat the question: not used as evidence`];
  const warnings = [...findings.warnings, ...endOf(rounds, parts), ...left, ...written.warnings];
  return { answer, rounds, stages: [evidenceStage, synthesis], warnings, evidence: spansByUnit(parts) };
}

function isThin({ evidence }: QuestionPart): boolean {
  return !evidence.some(({ confidence }) => confidence >= CONFIDENT);
}

function sum(parts: readonly SearchedPart[], what: "candidates" | "evidence"): number {
  return parts.reduce((total, part) => total + part[what].length, 0);
}

/** What the rounds collect beside evidence. */
interface Findings {
  /** Excluded Units by unit_id. */
  excluded: Map<string, Unit>;
  warnings: Set<string>;
}

/** The warning that says why no further round was run for parts whose evidence is thin; none without such parts. */
function endOf({ length }: readonly TraceRound[], parts: readonly SearchedPart[]): string[] {
  if (!parts.some(isThin)) return [];
  if (length < ANSWER_ROUNDS_MAX)
    return [`the search for evidence ran out of its ${ANSWER_ROUNDS_MS} ms after ${length} of ${ANSWER_ROUNDS_MAX} rounds`];
  return [`evidence was looked for in ${ANSWER_ROUNDS_MAX} rounds, and no further`];
}

/** One round: searches for evidence for every part whose evidence is thin. */
async function round(request: AnswerRequest, parts: SearchedPart[], number: number, into: Findings): Promise<TraceRound> {
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

/** The query of a round. First: the question. Second: the question with words of what it found. Third: the question, with a larger `top_k`. */
function plan({ question, candidates }: SearchedPart, number: number, { top_k }: SearchQuery): { q: string; top_k: number } {
  if (number === 1) return { q: question, top_k };
  if (number === 2) return { q: [question, ...feedback(question, candidates)].join(" "), top_k: Math.max(top_k, FEEDBACK_TOP_K) };
  return { q: question, top_k: Math.max(top_k, WIDE_TOP_K) };
}

/**
 * The words that most of the best Units have and the question lacks, most frequent first. Words with digits are left out:
 * they find texts about other numbers.
 */
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

/**
 * Searches for `q` and adds what it finds to the part's candidates, best first by the cross-encoder's logit for the part's
 * question. Returns the Units that were excluded.
 */
async function search({ view, models, query }: AnswerRequest, part: SearchedPart, q: string, top_k: number, warnings: Set<string>): Promise<Unit[]> {
  const encoded = query.mode === "fulltext" ? null : await models.encode(q);
  const wider = { ...query, q, top_k, rerank: true, group_by: null, min_score: null };
  const {
    candidates,
    excluded,
    warnings: cut,
  } = await retrieve(view.tenant, models, wider, encoded, (await view.renewed()).classes.visible, part.question, (unit) =>
    isExcluded(unit, part.question),
  );
  for (const warning of cut) warnings.add(warning);
  const known = new Set(candidates.map(({ unit }) => unit.uid));
  const all = [...candidates, ...part.candidates.filter(({ unit }) => !known.has(unit.uid))];
  const logit = (candidate: Candidate) => candidate.logit ?? Number.NEGATIVE_INFINITY;
  part.candidates = part.candidates.length === 0 ? candidates : all.sort((a, b) => logit(b) - logit(a));
  return excluded;
}

/** True for a Unit that is no evidence: its text holds a prompt injection or only repeats the question. */
function isExcluded({ text }: Unit, question: string): boolean {
  return text !== null && (injectsPrompt(text) || echoesQuestion(text.slice(0, REGION_MAX_CHARS), question));
}

interface WrittenAnswer {
  drafts: Draft[];
  status: Answer["status"];
  model: string;
  warnings: string[];
}

/** Writes the answer. When a cited Unit has changed or been closed to the caller meanwhile, writes it again without that Unit. */
async function write(request: AnswerRequest, parts: readonly SearchedPart[]): Promise<WrittenAnswer> {
  const warnings: string[] = [];
  const gone = new Set<number>();
  for (let attempt = 0; attempt < RECHECKS_MAX; attempt += 1) {
    const left = parts.map(({ question, evidence }) => ({ question, evidence: evidence.filter(({ unit }) => !gone.has(unit.uid)) }));
    const written = await writeOnce(request, left);
    const lost = await unreadable(request, written.drafts);
    if (lost.length === 0) return { ...written, warnings: [...warnings, ...written.warnings] };
    for (const uid of lost) gone.add(uid);
    warnings.push("evidence was changed or closed to the caller while the answer was written: left out");
  }
  return { drafts: [], status: "abstained", model: EXTRACTIVE, warnings };
}

async function writeOnce({ models, query }: AnswerRequest, parts: readonly QuestionPart[]): Promise<WrittenAnswer> {
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

/** The uids of cited Units that are deleted, changed or closed to the caller by now. */
async function unreadable({ view }: AnswerRequest, drafts: readonly Draft[]): Promise<number[]> {
  const cited = drafts.flatMap(({ quotes }) => quotes.map(({ unit }) => unit));
  const readable = await stillReadable(view, cited);
  return cited.filter(({ uid }) => !readable.has(uid)).map(({ uid }) => uid);
}

function spansByUnit(parts: readonly SearchedPart[]): Map<number, ScoredSpan[]> {
  const spans = new Map<number, ScoredSpan[]>();
  for (const { unit, start, end, logit } of parts.flatMap(({ evidence }) => evidence)) {
    const own = spans.get(unit.uid) ?? [];
    if (own.length < EVIDENCE_PER_HIT && !own.some((span) => span.start === start)) own.push({ start, end, score: probability(logit) });
    spans.set(unit.uid, own);
  }
  return spans;
}

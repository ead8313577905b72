/** Answers a question: finds evidence for each part of it, and writes of what is confident enough; a part without stays unanswered. */
import { stopwatch } from "../../base/clock.ts";
import { EVIDENCE_MAX_MS, RECHECKS_MAX } from "../../base/limits.ts";
import type { Answer, Citation, Claim } from "../../domain/answer.ts";
import type { ScoredSpan, TraceRound, TraceStage } from "../../domain/hit.ts";
import type { SearchQuery } from "../../domain/query.ts";
import type { Unit } from "../../domain/unit.ts";
import { languageOf } from "../../domain/principal.ts";
import { ENGLISH, type Language } from "../../text/language.ts";
import { questionParts } from "../../language/language.ts";
import { probability, type RequestModels } from "../search/models.ts";
import { beginRanking } from "../search/rank.ts";
import { type Candidate, LOST_EVIDENCE, retrieve, stillReadable } from "../search/retrieve.ts";
import type { View } from "../access/view.ts";
import { chatAnswer } from "./chat-writer.ts";
import { AnswerText, compose, type Draft, type QuestionPart, renderAnswer, unsaidSides, withContradictions } from "./compose.ts";
import { composeUnverified, evidenceByMeaning, UNVERIFIED_MIN, unverifiedWarning } from "./by-meaning.ts";
import { findEvidence, SUPPORTED_MIN } from "./evidence.ts";

/** The `model` of an answer that is made of quotes. */
const EXTRACTIVE = "extractive";

/** Sentences shown in `evidence` of one hit. */
const EVIDENCE_PER_HIT = 3;

/** A claim as soon as it is verified. One with the index 0 begins the answer anew. */
export interface ToldClaim {
  /** Its place among the claims. */
  index: number;
  /** The text of the answer up to here; offsets of the claim count in it. */
  text: string;
  claim: Claim;
  /** Those that the claim names. */
  citations: Citation[];
}

export interface AnswerRequest {
  view: View;
  models: RequestModels;
  query: SearchQuery;
  /** Absent: nobody follows the writing. */
  tell?: (claim: ToldClaim) => void;
}

export type AnswerQuestion = typeof answerQuestion;

export interface Answered {
  answer: Answer;
  /** The Units that it cites. */
  cited: readonly Unit[];
  /** What is answered in its place when one of them has been closed to the caller since. */
  withdrawn: Answer;
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
  const language = languageOf(request.view.tenant.namespace);
  const questions = language === ENGLISH ? questionParts(query.q) : [query.q];
  const single = questions.length <= 1;
  const given = single ? [...candidates] : [];
  const parts: SearchedPart[] = (single ? [query.q] : questions).map((question) => ({ question, candidates: given, evidence: [] }));
  const searching = request.models.stopwatch();
  const found = new Set<string>();
  const round = await searchParts(request, parts, found);
  const evidenceStage: TraceStage = { name: "evidence", ms: searching(), in: sum(parts, "candidates"), out: sum(parts, "evidence") };
  const writing = stopwatch();
  const written = await write(request, parts);
  const answer = renderAnswer(written.drafts, written.status, 1, written.model);
  const synthesis: TraceStage = { name: "synthesis", ms: writing(), in: sum(parts, "evidence"), out: answer.claims.length };
  const unverified = language === ENGLISH ? [] : [unverifiedWarning(language)];
  const warnings = [...found, ...written.warnings, ...unverified];
  const withdrawn = renderAnswer([], "abstained", 1, EXTRACTIVE);
  const stages = [evidenceStage, synthesis];
  return { answer, cited: citedBy(written.drafts), withdrawn, rounds: [round], stages, warnings, evidence: spansByUnit(parts) };
}

/** True when nothing that was found is likely enough to be the answer. */
function isThin({ evidence }: QuestionPart, language: Language): boolean {
  const least = language === ENGLISH ? SUPPORTED_MIN : UNVERIFIED_MIN;
  return !evidence.some(({ support }) => support >= least);
}

function sum(parts: readonly SearchedPart[], what: "candidates" | "evidence"): number {
  return parts.reduce((total, part) => total + part[what].length, 0);
}

/** Finds evidence for every part. */
async function searchParts(request: AnswerRequest, parts: SearchedPart[], warnings: Set<string>): Promise<TraceRound> {
  const time = request.models.stopwatch();
  const language = languageOf(request.view.tenant.namespace);
  let scored = 0;
  for (const part of parts) {
    if (part.candidates.length === 0) await search(request, part, warnings);
    const found =
      language === ENGLISH
        ? await findEvidence(request.models, part.question, part.candidates)
        : await evidenceByMeaning(request.models, language, part.question, part.candidates);
    if (found.late > 0) warnings.add(`reading for evidence ran out of its ${EVIDENCE_MAX_MS} ms: items were left unread`);
    scored += found.scored;
    part.evidence = found.evidence;
  }
  const best = parts.map(({ evidence }) => Math.max(0, ...evidence.map(({ support }) => support)));
  const thin = parts.filter((part) => isThin(part, language)).length;
  return {
    round: 1,
    queries: parts.map(({ question }) => question),
    candidates: sum(parts, "candidates"),
    scored,
    best: parts.some(({ evidence }) => evidence.length > 0) ? Math.min(...best) : null,
    ms: time(),
    outcome: thin === 0 ? "evidence for every part" : `evidence is thin for ${thin} of ${parts.length}`,
  };
}

/** Searches for a part's question. */
async function search({ view, models, query }: AnswerRequest, part: SearchedPart, warnings: Set<string>): Promise<void> {
  const q = part.question;
  const wanted = { ...query, q, rerank: languageOf(view.tenant.namespace) === ENGLISH, group_by: null, min_score: null, diversity: 0 };
  const { visible } = (await view.renewed()).classes;
  const ranking = await beginRanking(view.tenant, wanted, visible);
  const encoding = query.mode === "fulltext" ? null : models.encode(q);
  const found = await retrieve(view.tenant, models, wanted, encoding, ranking, q);
  for (const warning of found.warnings) warnings.add(warning);
  part.candidates = found.candidates;
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
    warnings.push(LOST_EVIDENCE);
  }
  return { drafts: [], status: "abstained", model: EXTRACTIVE, warnings };
}

async function writeOnce(request: AnswerRequest, parts: readonly QuestionPart[]): Promise<WrittenAnswer> {
  const { view, models, query } = request;
  const { entailment, chat } = models;
  const tell = teller(request);
  const language = languageOf(view.tenant.namespace);
  const answered = parts.filter((part) => !isThin(part, language));
  if (answered.length === 0) return { drafts: [], status: "abstained", model: EXTRACTIVE, warnings: [] };
  const all = answered.flatMap(({ evidence }) => evidence);
  if (language !== ENGLISH) {
    const drafts = composeUnverified(all);
    for (const draft of drafts) await tell(draft);
    return { drafts, status: "answered", model: EXTRACTIVE, warnings: [] };
  }
  const fromChat = chat === null ? { drafts: [], warnings: [] } : await chatAnswer(chat, entailment, query.q, all);
  const byChat = chat !== null && fromChat.drafts.length > 0;
  const drafts = await withContradictions(
    entailment,
    answered.map(({ question }) => question),
    byChat ? fromChat.drafts : await compose(entailment, answered),
    all,
    tell,
  );
  const thin = parts.filter((part) => isThin(part, language)).map(({ question }) => question);
  const open = [...thin, ...answered.flatMap(({ question }) => unsaidSides(question, drafts))].map(
    (question) => `nothing that the caller may read answers: ${question}`,
  );
  const status = drafts.length === 0 ? "abstained" : open.length > 0 ? "partial" : "answered";
  return { drafts, status, model: byChat ? chat.model : EXTRACTIVE, warnings: [...fromChat.warnings, ...open] };
}

/**
 * Tells one claim after the other to whoever follows. Once a Unit that one cites is closed to the caller nothing more is told:
 * the answer is then written again.
 */
function teller({ view, tell }: AnswerRequest): (draft: Draft) => Promise<void> {
  if (tell === undefined) return async () => {};
  const written = new AnswerText();
  let lost = false;
  return async (draft) => {
    lost ||= (await unreadable({ view }, [draft])).length > 0;
    if (lost) return;
    const claim = written.add(draft);
    const citations = written.citations.filter(({ marker }) => claim.citations.includes(marker));
    tell({ index: written.claims.length - 1, text: written.text, claim, citations });
  };
}

function citedBy(drafts: readonly Draft[]): Unit[] {
  return drafts.flatMap(({ quotes }) => quotes.map(({ unit }) => unit));
}

/** The uids of cited Units that are deleted, changed or closed to the caller by now. */
async function unreadable({ view }: Pick<AnswerRequest, "view">, drafts: readonly Draft[]): Promise<number[]> {
  const cited = citedBy(drafts);
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

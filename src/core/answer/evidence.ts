/** The sentences inside Units that bear on a question, and how likely the best of them answers it. */
import { EVIDENCE_IN_CONTEXT, EVIDENCE_MAX_MS, EVIDENCE_SENTENCES_PER_UNIT, EVIDENCE_UNITS } from "../../base/limits.ts";
import type { Span } from "../../base/span.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import type { Unit } from "../../domain/unit.ts";
import { asksWhether, expectedAnswer, hasExpected, queryForm } from "../../language/en/questions.ts";
import { isHeading } from "../../text/sentences.ts";
import { contentWords, coverage } from "../../language/en/words.ts";
import { regionSentences } from "../search/snippet.ts";
import type { RequestModels } from "../search/models.ts";
import { probability } from "../search/rerank.ts";
import type { Candidate } from "../search/retrieve.ts";
import { injectsPrompt, echoesQuestion } from "./prompt-injection.ts";

/** A sentence of a Unit: its span in the stored text, the text itself, and what stands before it. */
export interface Evidence extends Span {
  unit: Unit;
  text: string;
  /** Start of the sentence before it, where there is one in the part of the Unit that matched; else `start`. */
  contextStart: number;
  /** Mean of the cross-encoder's logits for the sentence alone and with the one before it. */
  logit: number;
  /** What evidence is ordered by, in logits. */
  relevance: number;
  /** How likely it answers, 0-1. */
  confidence: number;
}

export interface FoundEvidence {
  /** Best first. */
  evidence: Evidence[];
  scored: number;
  /** Sentences that were not read in time. */
  late: number;
  /** Units that were left out since their text speaks to whoever answers instead of about something. */
  excluded: Unit[];
}

interface Sentence extends Span {
  candidate: Candidate;
  text: string;
  contextStart: number;
  /** The first of several in its Unit. */
  opening: boolean;
}

/** What is known of a question before anything is read for it. */
interface Asked {
  question: string;
  /** Its content words. */
  words: ReadonlySet<string>;
  /** A sentence that only says it again answers it: it asks for a yes or no, or states. */
  whether: boolean;
}

/** A statement is borne out or denied by its evidence: what entailment weighs beside relevance, in logits. */
const STATEMENT_WEIGHT = 6;
const STATEMENT_CANDIDATES = 8;
/** What the first of several sentences loses for a statement, in logits: a document opens with its title, which claims and does not show. */
const OPENING_LOSS = 3;
const OPENING_SENTENCES = 4;

/** What a sentence gains in logits by holding the kind of thing that the question asks for. */
const EXPECTED_BONUS = 1.5;

/**
 * Logistic regression on XQuAD's questions with their paragraph in the corpus and without it: docs/decision/0005.
 * `sentence` and `passage` are logits of the cross-encoder, the others shares of the question's content words.
 */
const CONFIDENCE = { intercept: -2.41, sentence: 0.37, passage: 0.166, inContext: 1.56, inUnit: 1.78 };

/** Reads the sentences of the first few candidates that can be trusted. */
export async function findEvidence(models: RequestModels, question: string, candidates: readonly Candidate[]): Promise<FoundEvidence> {
  const readable = candidates.filter(({ unit }) => unit.text !== null);
  const excluded = readable.filter(({ unit }) => injectsPrompt(unit.text ?? "")).map(({ unit }) => unit);
  const looked = readable.filter(({ unit }) => !excluded.includes(unit)).slice(0, EVIDENCE_UNITS);
  const statement = queryForm(question) === "statement";
  const asked: Asked = { question, words: new Set(contentWords(question)), whether: statement || asksWhether(question) };
  const sentences = looked.flatMap((candidate) => sentencesOf(candidate, asked));
  const alone = await models.score(
    question,
    sentences.map(({ candidate: { unit }, text }) => ({ unit, text })),
    EVIDENCE_MAX_MS,
  );
  const first = sentences
    .map((sentence, index) => ({ sentence, logit: alone[index] ?? null }))
    .filter((one): one is { sentence: Sentence; logit: number } => one.logit !== null)
    .sort((a, b) => b.logit - a.logit)
    .slice(0, EVIDENCE_IN_CONTEXT);
  const contexts = first.map(({ sentence: { candidate, contextStart, end } }) => {
    return { unit: candidate.unit, text: (candidate.unit.text ?? "").slice(contextStart, end) };
  });
  const inContext = await models.score(question, contexts, EVIDENCE_MAX_MS);
  const kind = expectedAnswer(question);
  const evidence = first.map(({ sentence, logit }, index) => {
    const mean = (logit + (inContext[index] ?? logit)) / 2;
    const confidence = confidenceOf(question, sentence, contexts[index]?.text ?? "", mean);
    const { candidate, opening, ...span } = sentence;
    const expected = kind !== "any" && kind !== "reason" && hasExpected(kind, sentence.text);
    const relevance = statement ? logit - (opening ? OPENING_LOSS : 0) : mean + (expected ? EXPECTED_BONUS : 0);
    return { ...span, unit: candidate.unit, logit: mean, relevance, confidence };
  });
  if (statement) await weighStatement(models.entailment, question, evidence);
  evidence.sort((a, b) => b.relevance - a.relevance);
  const late = alone.filter((logit) => logit === null).length;
  return { evidence, scored: first.length === 0 ? 0 : sentences.length, late, excluded };
}

/** The sentences of a Unit that could answer, at most EVIDENCE_SENTENCES_PER_UNIT: those with most of the question's words, in their order. */
function sentencesOf(candidate: Candidate, { question, words: wanted, whether }: Asked): Sentence[] {
  const text = candidate.unit.text ?? "";
  const spans = regionSentences(text, candidate.window, candidate.words);
  const found = spans.map((span, index) => {
    const opening = spans.length >= OPENING_SENTENCES && text.slice(0, span.start).trim() === "";
    return { ...span, candidate, text: text.slice(span.start, span.end), contextStart: spans[index - 1]?.start ?? span.start, opening };
  });
  // A heading names what follows. Of a Unit that is nothing else, a label or a reading, it is what there is.
  const prose = found.filter((sentence) => !isHeading(sentence.text));
  const possible = (prose.length > 0 ? prose : found).filter(
    ({ text: said }) => !asks(said) && !echoesQuestion(said, question) && (whether || informs(said, wanted)),
  );
  if (possible.length <= EVIDENCE_SENTENCES_PER_UNIT) return possible;
  const shared = new Map(possible.map((sentence) => [sentence, new Set(contentWords(sentence.text).filter((word) => wanted.has(word))).size]));
  const least = [...shared.values()].sort((a, b) => b - a)[EVIDENCE_SENTENCES_PER_UNIT - 1] ?? 0;
  return possible.filter((sentence) => (shared.get(sentence) ?? 0) >= least).slice(0, EVIDENCE_SENTENCES_PER_UNIT);
}

/** The number of a section or of a point. */
const NUMBERING = /^\s*\d{1,3}(?:\.\d{1,3})*[.)]?\s+/;

/** A question answers nothing. */
function asks(sentence: string): boolean {
  return /[?？]["'”’)\]\s]*$/.test(sentence.slice(-8));
}

/** What only says the question again answers nothing. */
function informs(sentence: string, wanted: ReadonlySet<string>): boolean {
  return contentWords(sentence.replace(NUMBERING, "")).some((word) => !wanted.has(word));
}

async function weighStatement(entailment: Entailment, statement: string, evidence: Evidence[]): Promise<void> {
  const best = [...evidence].sort((a, b) => b.logit - a.logit).slice(0, STATEMENT_CANDIDATES);
  const judged = await entailment.judge(best.map(({ text }) => ({ premise: text, hypothesis: statement })));
  best.forEach((one, index) => {
    const { entailment: supports = 0, contradiction: denies = 0 } = judged[index] ?? {};
    one.relevance += STATEMENT_WEIGHT * Math.max(supports, denies);
  });
}

function confidenceOf(question: string, { candidate }: Sentence, context: string, logit: number): number {
  const { intercept, sentence, passage, inContext, inUnit } = CONFIDENCE;
  const region = (candidate.unit.text ?? "").slice(candidate.window.start, candidate.window.end);
  const z =
    intercept +
    sentence * logit +
    passage * (candidate.logit ?? logit) +
    inContext * coverage(question, context) +
    inUnit * coverage(question, region);
  return probability(z);
}

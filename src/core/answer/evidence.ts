/** Evidence: the sentences of Units that may answer a question, scored by the cross-encoder, with the probability that each does. */
import { EVIDENCE_IN_CONTEXT, EVIDENCE_MAX_MS, EVIDENCE_SENTENCES_PER_UNIT, EVIDENCE_UNITS } from "../../base/limits.ts";
import type { Span } from "../../base/span.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import type { Unit } from "../../domain/unit.ts";
import { asksWhether, expectedAnswer, hasExpected, queryForm } from "../../language/en/questions.ts";
import { isHeading } from "../../text/sentences.ts";
import { contentWords, coverage } from "../../language/en/words.ts";
import { regionSentences } from "../../text/snippet.ts";
import { probability, type RequestModels } from "../search/models.ts";
import type { Candidate } from "../search/retrieve.ts";
import { injectsPrompt, echoesQuestion } from "../../language/prompt-injection.ts";

/** A sentence of a Unit. `start` and `end` are its span in the stored text, `text` what stands there. */
export interface Evidence extends Span {
  unit: Unit;
  text: string;
  /** Start of the sentence before it in the matched region; `start` when it is the first there. */
  contextStart: number;
  /** Mean of the cross-encoder's logits for the sentence alone and with the one before it. */
  logit: number;
  /** The logit with its bonuses and penalties; evidence is ordered by it. */
  relevance: number;
  /** Probability, 0-1, that it answers the question. */
  confidence: number;
}

export interface FoundEvidence {
  /** By descending relevance. */
  evidence: Evidence[];
  /** How many sentences the cross-encoder was given. */
  scored: number;
  /** How many of them it did not read in time. */
  late: number;
  /** Units left out because their text holds a prompt injection. */
  excluded: Unit[];
}

interface Sentence extends Span {
  candidate: Candidate;
  text: string;
  contextStart: number;
  /** True for the first sentence of a region that has at least OPENING_SENTENCES. */
  opening: boolean;
}

interface ReadQuestion {
  question: string;
  /** Its content words. */
  words: ReadonlySet<string>;
  /** True when a sentence that only repeats it answers it: for a yes-or-no question, and for a statement. */
  repeatable: boolean;
}

/**
 * For a statement, max(entailment, contradiction) times this weight is added to the relevance of the candidates with the
 * best logits, since evidence supports or denies it. Chosen on SciFact's training claims (docs/decision/0005).
 */
const STATEMENT_WEIGHT = 6;
const STATEMENT_CANDIDATES = 8;
/**
 * Logits taken from the opening sentence when the query is a statement: the title of a document repeats the statement
 * without giving evidence for it. Chosen on SciFact's training claims (docs/decision/0005).
 */
const OPENING_PENALTY = 3;
const OPENING_SENTENCES = 4;

/** Logits added to a sentence that holds the kind of thing that the question asks for, such as a time or a name (docs/decision/0005). */
const EXPECTED_BONUS = 1.5;

/**
 * Coefficients of the logistic regression that gives `confidence`, fitted on XQuAD's questions with their paragraph in the
 * corpus and without it (docs/decision/0005). `sentence` and `passage` weigh logits of the cross-encoder; `inContext` and
 * `inUnit` weigh the share of the question's content words in the sentence with the one before it, and in the window.
 */
const CONFIDENCE = { intercept: -2.41, sentence: 0.37, passage: 0.166, inContext: 1.56, inUnit: 1.78 };

/** Scores the sentences of the first EVIDENCE_UNITS candidates that have text and hold no prompt injection. Errors: Fault `unavailable`. */
export async function findEvidence(models: RequestModels, question: string, candidates: readonly Candidate[]): Promise<FoundEvidence> {
  const readable = candidates.filter(({ unit }) => unit.text !== null);
  const excluded = readable.filter(({ unit }) => injectsPrompt(unit.text ?? "")).map(({ unit }) => unit);
  const looked = readable.filter(({ unit }) => !excluded.includes(unit)).slice(0, EVIDENCE_UNITS);
  const statement = queryForm(question) === "statement";
  const asked: ReadQuestion = { question, words: new Set(contentWords(question)), repeatable: statement || asksWhether(question) };
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
    const relevance = statement ? logit - (opening ? OPENING_PENALTY : 0) : mean + (expected ? EXPECTED_BONUS : 0);
    return { ...span, unit: candidate.unit, logit: mean, relevance, confidence };
  });
  if (statement) await weighStatement(models.entailment, question, evidence);
  evidence.sort((a, b) => b.relevance - a.relevance);
  const late = alone.filter((logit) => logit === null).length;
  return { evidence, scored: first.length === 0 ? 0 : sentences.length, late, excluded };
}

/** The sentences of a Unit that could answer, in their order: at most EVIDENCE_SENTENCES_PER_UNIT, those that share most words with the question. */
function sentencesOf(candidate: Candidate, { question, words: wanted, repeatable }: ReadQuestion): Sentence[] {
  const text = candidate.unit.text ?? "";
  const spans = regionSentences(text, candidate.window, candidate.words);
  const found = spans.map((span, index) => {
    const opening = spans.length >= OPENING_SENTENCES && text.slice(0, span.start).trim() === "";
    return { ...span, candidate, text: text.slice(span.start, span.end), contextStart: spans[index - 1]?.start ?? span.start, opening };
  });
  // A heading says nothing of its own; it counts only in a Unit that has nothing else, such as a label.
  const prose = found.filter((sentence) => !isHeading(sentence.text));
  const possible = (prose.length > 0 ? prose : found).filter(
    ({ text: said }) => !asks(said) && !echoesQuestion(said, question) && (repeatable || informs(said, wanted)),
  );
  if (possible.length <= EVIDENCE_SENTENCES_PER_UNIT) return possible;
  const shared = new Map(possible.map((sentence) => [sentence, new Set(contentWords(sentence.text).filter((word) => wanted.has(word))).size]));
  const least = [...shared.values()].sort((a, b) => b - a)[EVIDENCE_SENTENCES_PER_UNIT - 1] ?? 0;
  return possible.filter((sentence) => (shared.get(sentence) ?? 0) >= least).slice(0, EVIDENCE_SENTENCES_PER_UNIT);
}

/** The number of a section or list item at the start of a sentence. */
const NUMBERING = /^\s*\d{1,3}(?:\.\d{1,3})*[.)]?\s+/;

/** True for a sentence that is a question, which answers none. */
function asks(sentence: string): boolean {
  return /[?？]["'”’)\]\s]*$/.test(sentence.slice(-8));
}

/** True for a sentence with a content word that the question lacks. */
function informs(sentence: string, wanted: ReadonlySet<string>): boolean {
  return contentWords(sentence.replace(NUMBERING, "")).some((word) => !wanted.has(word));
}

/** Adds to the relevance of the best sentences how strongly they support or deny the statement. */
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

/** Evidence: the items of Units that may answer a question, scored by the cross-encoder, with the probability that each does. */
import { EVIDENCE_ITEMS_MAX, EVIDENCE_MAX_MS, EVIDENCE_UNITS, REGION_MAX_CHARS } from "../../base/limits.ts";
import type { Span } from "../../base/span.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import { readText, type Unit } from "../../domain/unit.ts";
import { aboutCodes, aboutNames, codesIn, holdsName, isUnder, namesIn } from "../../language/asked.ts";
import { asksWhether, compared, contentWords, leansBack, queryForm } from "../../language/language.ts";
import { type QuotableItem, quotableItems, type Shown } from "../../text/quotable.ts";
import { probability, type RequestModels } from "../search/models.ts";
import { FIRST_IN_BOTH } from "../search/rank.ts";
import type { Candidate } from "../search/retrieve.ts";

/** An item of a Unit's text that was read. */
export interface Evidence extends Shown, Pick<Quotable, "start" | "end" | "text" | "index"> {
  unit: Unit;
  /** The cross-encoder's logit for the item, read behind the path of its Unit and the sentence that leads to it. */
  logit: number;
  /** Evidence is ordered by it: the logit, and that of its Unit with what the first stage says of it; weighed for statements. */
  relevance: number;
  signals: Signals;
  /** Probabilities, 0-1: that the item answers the question, and that its quote, read with its path, does. */
  answers: number;
  support: number;
}

export interface FoundEvidence {
  /** By descending relevance. */
  evidence: Evidence[];
  /** How many items the cross-encoder read. */
  scored: number;
  /** How many of them it did not read in time. */
  late: number;
}

/** An item of a candidate's text. */
export interface Quotable extends QuotableItem {
  candidate: Candidate;
  /** What models read: the item behind the path of its Unit and the sentence that leads to it. */
  passage: string;
}

/** An item that could answer. */
interface Choosable extends Quotable {
  /** Content words of the passage. */
  words: ReadonlySet<string>;
}

/**
 * For a statement, max(entailment, contradiction) times this weight is added to the relevance of the candidates with the
 * best logits, since evidence supports or denies it. Chosen on SciFact's training claims (docs/decision/0005).
 */
const STATEMENT_WEIGHT = 6;
const STATEMENT_CANDIDATES = 8;
/**
 * Logits taken from the opening item when the query is a statement: the title of a document repeats the statement
 * without giving evidence for it. Chosen on SciFact's training claims (docs/decision/0005).
 */
const OPENING_PENALTY = 3;

/**
 * What the score of its Unit (0-1, core/search/retrieve.ts) counts in the relevance of an item, in logits. Most that a Unit's
 * score tells apart is which Unit answers; its items are then told apart by their own logits. Chosen on the manuals' tuning
 * sets, where it is flat from half to twice of it (docs/decision/0005).
 */
const UNIT_WEIGHT = 34;

/**
 * What the score of its Unit counts beside the share of the question's words that an item has, when the items to read are
 * chosen: what explains a message or a sample in the best Unit may have no word of it.
 */
const UNIT_SHARE = 0.5;

/** A Unit is compared with so many of the other candidates, the best. One that is missing counts as what has nothing to do with the question. */
const RIVALS = 5;
const UNRELATED_LOGIT = -11;
/** The share of an item's words beyond the question's that a Unit which says the same has. */
const SAME_WORDS = 0.5;

/** Logits added to the items of a Unit whose path has a name that is asked for: what stands under `-e` is about `-e`. */
const NAMED_BONUS = 2;

/**
 * Logits by which an item may be below its neighbour and is marked with it: of two that are about as likely either may
 * answer. Chosen on the manuals' tuning sets: 7 of 160 marks more are right, and a mark has 26 words instead of 20.
 */
const MARKED_TOO = 1.5;

/** Scores the likeliest items of the first EVIDENCE_UNITS candidates that have text and are no keyword stuffing. Errors: Fault `unavailable`. */
export async function findEvidence(models: RequestModels, question: string, candidates: readonly Candidate[]): Promise<FoundEvidence> {
  const readable = candidates.filter(({ unit: { text } }) => text !== null && !echoesQuestion(text.slice(0, REGION_MAX_CHARS), question));
  const names = namesIn(question);
  const looked = readable.filter(({ unit }) => holdsName(unit, names)).slice(0, EVIDENCE_UNITS);
  const statement = queryForm(question) === "statement";
  const codes = codesIn(question);
  const wanted = new Set(contentWords(question));
  // A sentence that only repeats a yes-or-no question or a statement answers it.
  const repeatable = statement || asksWhether(question);
  const items = likeliest(
    looked.map((candidate) =>
      aboutCodes(aboutNames(quotables(candidate, leansBack), candidate.unit, names), candidate.unit, codes)
        .map(choosable)
        .filter((item) => mayAnswer(item, question, wanted, repeatable)),
    ),
    wanted,
  );
  const logits = await models.score(
    question,
    items.map(({ candidate: { unit }, passage }) => ({ unit, text: passage })),
    EVIDENCE_MAX_MS,
  );
  const rivals = rivalsAmong(readable);
  const evidence = items.flatMap((item, index): Evidence[] => {
    const logit = logits[index] ?? null;
    if (logit === null) return [];
    const { candidate, start, end, text, opening } = item;
    const { mark, said, quote } = answersAsList(item, wanted) ?? item;
    const named = isUnder(candidate.unit, names) ? NAMED_BONUS : 0;
    const relevance = logit + UNIT_WEIGHT * candidate.score - (statement && opening ? OPENING_PENALTY : 0) + named;
    const signals = signalsOf(item, logit, wanted, rivals);
    const [answers, support] = [answersProbability(signals), supportProbability(signals)];
    return [{ start, end, text, index: item.index, mark, said, quote, unit: candidate.unit, logit, relevance, signals, answers, support }];
  });
  if (statement) await weighStatement(models.entailment, question, evidence);
  // Either side of a comparison is marked alone.
  if (compared(question).length === 0) for (const one of evidence) one.mark = markOf(one, evidence);
  evidence.sort((a, b) => b.relevance - a.relevance);
  return { evidence, scored: evidence.length, late: items.length - evidence.length };
}

/** The items of a candidate's text that can be quoted. `leans`: whether a sentence is only understood with the one before it. */
export function quotables(candidate: Candidate, leans: (sentence: string) => boolean): Quotable[] {
  const { text, path } = candidate.unit;
  const above = path ?? [];
  const items = quotableItems(text ?? "", above, leans);
  return items.map((item) => ({ ...item, candidate, passage: readText(item.lead === "" ? above : [...above, item.lead], item.text) }));
}

/** How often, on average, a text must repeat the question's words to count as keyword stuffing. */
const ECHOED_MIN = 5;

/** True for keyword stuffing: more than half of the text's content words are the question's, repeated ECHOED_MIN times on average. */
export function echoesQuestion(text: string, question: string): boolean {
  const wanted = new Set(contentWords(question));
  const all = contentWords(text);
  const echoed = all.filter((word) => wanted.has(word));
  const different = new Set(echoed).size;
  return different > 1 && echoed.length >= ECHOED_MIN * different && echoed.length > all.length / 2;
}

/** The whole list, where the sentence or heading that leads to it has words of the question, and the item has no others of them. */
function answersAsList({ list, lead, text, candidate: { unit } }: Quotable, wanted: ReadonlySet<string>): Shown | null {
  const asked = (one: string) => contentWords(one).filter((word) => wanted.has(word));
  const led = asked(lead);
  const announced = led.length > 0 || asked(unit.path?.at(-1) ?? "").length > 0;
  return announced && asked(text).every((word) => led.includes(word)) ? list : null;
}

function choosable(item: Quotable): Choosable {
  return { ...item, words: new Set(contentWords(item.passage)) };
}

/** The mark of an item with those of the items beside it in its quote, as far as they are about as likely. */
function markOf({ unit, index, logit, quote, mark }: Evidence, evidence: readonly Evidence[]): Span {
  const own = evidence.filter((one) => one.unit.uid === unit.uid);
  const marked = { ...mark };
  for (const step of [1, -1]) {
    for (let next = index + step; ; next += step) {
      const beside = own.find((one) => one.index === next);
      if (beside === undefined || beside.logit < logit - MARKED_TOO || beside.start < quote.start || beside.end > quote.end) break;
      marked.start = Math.min(marked.start, beside.start);
      marked.end = Math.max(marked.end, beside.end);
    }
  }
  return marked;
}

/** The EVIDENCE_ITEMS_MAX items that share most words with the question, with what their Units' scores count, in the order of their Units. */
function likeliest(byUnit: readonly Choosable[][], wanted: ReadonlySet<string>): Choosable[] {
  const all = byUnit.flat();
  const likely = new Map(all.map((item) => [item, share(wanted, item.words) + UNIT_SHARE * item.candidate.score]));
  const kept = new Set(all.toSorted((a, b) => (likely.get(b) ?? 0) - (likely.get(a) ?? 0)).slice(0, EVIDENCE_ITEMS_MAX));
  return all.filter((item) => kept.has(item));
}

/** The share, 0-1, of `wanted` that is among `words`; 1 when nothing is wanted. */
function share(wanted: ReadonlySet<string>, words: ReadonlySet<string>): number {
  return wanted.size === 0 ? 1 : [...wanted].filter((word) => words.has(word)).length / wanted.size;
}

/** False for a question, and for what says nothing that the question does not say. */
function mayAnswer({ text }: Choosable, question: string, wanted: ReadonlySet<string>, repeatable: boolean): boolean {
  if (/[?？]["'”’)\]\s]*$/.test(text.slice(-8)) || echoesQuestion(text, question)) return false;
  return repeatable || contentWords(text).some((word) => !wanted.has(word));
}

/** Adds to the relevance of the best items how strongly they support or deny the statement. */
async function weighStatement(entailment: Entailment, statement: string, evidence: Evidence[]): Promise<void> {
  const best = evidence.toSorted((a, b) => b.logit - a.logit).slice(0, STATEMENT_CANDIDATES);
  const judged = await entailment.judge(best.map(({ text }) => ({ premise: text, hypothesis: statement })));
  best.forEach((one, index) => {
    const { entailment: supports = 0, contradiction: denies = 0 } = judged[index] ?? {};
    one.relevance += STATEMENT_WEIGHT * Math.max(supports, denies);
  });
}

/** A candidate as a rival of the others: the content words of its path and text. */
interface Rival {
  candidate: Candidate;
  words: ReadonlySet<string>;
}

function rivalsAmong(candidates: readonly Candidate[]): Rival[] {
  const read = candidates.filter(({ logit }) => logit !== null).sort((a, b) => (b.logit ?? 0) - (a.logit ?? 0));
  return read.map((candidate) => ({
    candidate,
    words: new Set(contentWords([...(candidate.unit.path ?? []), candidate.unit.text ?? ""].join("\n"))),
  }));
}

/** `rivals` by descending logit. One that says the same, by the item's words that the question does not have, is none. */
function signalsOf({ candidate, text }: Choosable, logit: number, wanted: ReadonlySet<string>, rivals: readonly Rival[]): Signals {
  const unit = candidate.logit ?? logit;
  const said = new Set(contentWords(text).filter((word) => !wanted.has(word)));
  const against = rivals.filter((one) => one.candidate !== candidate && (said.size === 0 || share(said, one.words) < SAME_WORDS));
  const logits = Array.from({ length: RIVALS }, (_, index) => against[index]?.candidate.logit ?? UNRELATED_LOGIT);
  const contrast = Math.min(CONTRAST_MAX, unit - logits.reduce((sum, one) => sum + one, 0) / RIVALS);
  const words = share(wanted, rivals.find((one) => one.candidate === candidate)?.words ?? new Set());
  return { item: logit, unit, contrast, agreement: candidate.fused.score / FIRST_IN_BOTH, words };
}

// --- calibration: what models and words say of an item, as probabilities. Logistic regressions, fitted by
// `npm run eval -- calibrate` on the manuals and XQuAD questions that are tuned on (docs/decision/0005).

/** What is known of an item for a question. */
export interface Signals {
  /** The cross-encoder's logits of the item behind its path, and of its Unit. */
  item: number;
  unit: number;
  /** Logits, CONTRAST_MAX at most, by which its Unit is above the mean of its rivals: what is asked stands in one place, what is only touched upon in many. */
  contrast: number;
  /** The fused score of its Unit as a share, 0-1, of that of a Unit that is first by vectors and in full text. */
  agreement: number;
  /** The share, 0-1, of the question's content words that path and text of its Unit have. */
  words: number;
}

/** More contrast says no more: in a small corpus it is always high. */
const CONTRAST_MAX = 8;

export const SIGNALS = ["item", "unit", "contrast", "agreement", "words"] as const satisfies readonly (keyof Signals)[];

/** Of a logistic regression on SIGNALS. */
type Weights = Record<"intercept" | keyof Signals, number>;

const ANSWERS: Weights = { intercept: -10.293, item: 0.204, unit: -0.045, contrast: 0.204, agreement: 6.593, words: 3.027 };
const SUPPORTED: Weights = { intercept: -8.265, item: 0.179, unit: 0.022, contrast: 0.3, agreement: 3.843, words: 4.175 };

/** Least support of what is given as an answer: what it costs to answer less of what is absent is in docs/decision/0005. */
export const SUPPORTED_MIN = 0.35;

/**
 * Taken from the log-odds of an item that is given beside a better one: the regressions are fitted on the best items, and say too
 * much of the others. Fitted with them.
 */
const FURTHER_LOGITS = 1.8;

/** The probabilities of an item that is given beside a better one. */
export function asFurther(one: Evidence): Evidence {
  const lowered = (p: number) => probability(Math.log(p / (1 - p)) - FURTHER_LOGITS);
  return { ...one, answers: lowered(one.answers), support: lowered(one.support) };
}

/** Probability, 0-1, that the item answers the question. */
function answersProbability(signals: Signals): number {
  return weighed(ANSWERS, signals);
}

/** Probability, 0-1, that its quote, read with its path, supports the item as the answer to the question. */
function supportProbability(signals: Signals): number {
  return weighed(SUPPORTED, signals);
}

function weighed(weights: Weights, signals: Signals): number {
  return probability(SIGNALS.reduce((sum, name) => sum + weights[name] * signals[name], weights.intercept));
}

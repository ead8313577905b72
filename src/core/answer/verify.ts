/** Verifies claims: whether one follows from the text it cites, and whether two sentences contradict each other. */
import { PREMISE_MAX_SENTENCES } from "../../base/limits.ts";
import type { Verdict } from "../../domain/answer.ts";
import type { Entailment, EntailmentScores } from "../../domain/port/entailment.ts";
import { namesIn } from "../../language/asked.ts";
import { compareQuantities, coverage, quantities, type Quantity, sameNegation, withoutNegations } from "../../language/language.ts";
import { sentences } from "../../text/sentences.ts";

export interface Verification {
  verdict: Verdict;
  /** Probability, 0-1, that the cited text entails the claim. */
  score: number;
}

/** Least probabilities for a verdict, from the model card and SciFact's training claims (docs/decision/0005). */
const ENTAILED_MIN = 0.3;
const CONTRADICTED_MIN = 0.3;
/** Two sentences that share this much of their content words and differ by a negation contradict each other. */
const SAME_WORDS = 0.9;

/**
 * Judges a claim against the one to PREMISE_MAX_SENTENCES sentences of the cited texts that cover it best. A sentence that
 * stands in a cited text word for word is entailed whatever the model says. Errors: as Entailment.judge.
 */
export async function verify(entailment: Entailment, claim: string, cited: readonly string[]): Promise<Verification> {
  const pair = { hypothesis: claim, premise: premiseFor(claim, cited) };
  const [scores = { entailment: 0, neutral: 1, contradiction: 0 }] = await entailment.judge([pair]);
  const quoted = cited.some((text) => quotes(text, claim));
  return { verdict: quoted ? "entailed" : verdictOf(pair, scores), score: scores.entailment };
}

/** True when the claim is the text or a whole sentence of it. Part of a sentence does not count: it may say the opposite of the whole. */
function quotes(text: string, claim: string): boolean {
  const wanted = singleSpaced(claim);
  return singleSpaced(text) === wanted || sentences(text).some(({ start, end }) => singleSpaced(text.slice(start, end)) === wanted);
}

function singleSpaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The sentences of the texts that cover the claim best, in their order, as one text. */
function premiseFor(claim: string, texts: readonly string[]): string {
  const all = texts.flatMap((text) => sentences(text).map(({ start, end }) => text.slice(start, end)));
  const ranked = all.map((sentence) => ({ sentence, share: coverage(claim, sentence) })).sort((a, b) => b.share - a.share);
  const best = new Set(ranked.slice(0, PREMISE_MAX_SENTENCES).map(({ sentence }) => sentence));
  return all.filter((sentence) => best.has(sentence)).join(" ");
}

/** The model's verdict, unless a rule overrides it: a quantity that the premise lacks or has otherwise, or a negation. */
function verdictOf({ hypothesis, premise }: { hypothesis: string; premise: string }, scores: EntailmentScores): Verdict {
  if (scores.entailment < ENTAILED_MIN || scores.entailment < scores.contradiction) {
    return scores.contradiction >= CONTRADICTED_MIN && scores.contradiction > scores.entailment ? "contradicted" : "neutral";
  }
  const { missing, conflicting } = compareQuantities(hypothesis, premise);
  if (conflicting.length > 0 || denies(hypothesis, premise)) return "contradicted";
  // A label (IL-6) may be written in another way.
  return missing.some(({ kind }) => kind !== "label" && kind !== "ordinal") ? "neutral" : "entailed";
}

function denies(a: string, b: string): boolean {
  return !sameNegation(a, b) && coverage(withoutNegations(a), withoutNegations(b)) >= SAME_WORDS;
}

/** How two sentences disagree: they contradict each other, or they give different figures of one kind for the same thing. */
export type Disagreement = { how: "contradiction" } | { how: "figure"; kind: Quantity["kind"] };

/** Least probability of a contradiction between sentences that share many words, and between sentences that share few. */
const OPPOSED_MIN = 0.6;
const OPPOSED_SURELY = 0.85;
/**
 * Shares of content words, figures apart, that two sentences must have in common to be compared: when a figure differs, when
 * a figure differs and only the shorter one's words are shared, when a negation differs, and when the model alone decides.
 */
const SHARED_MIN = { figure: 0.45, farFigure: 0.6, negation: 0.6, model: 0.75 };

/**
 * How each of `others` disagrees with the claim; null when it does not. The model sees contradictions between unrelated
 * sentences, so there must be a ground for it too: a figure, a negation, or nearly the same words. Errors: as Entailment.judge.
 */
export async function disagreements(entailment: Entailment, claim: string, others: readonly string[]): Promise<(Disagreement | null)[]> {
  const grounds = others.map((other) => groundsFor(claim, other));
  const near = others.filter((_, index) => grounds[index] !== null);
  // Both ways, since entailment is not symmetric.
  const pairs = near.flatMap((other) => [
    { premise: other, hypothesis: claim },
    { premise: claim, hypothesis: other },
  ]);
  const scores = await entailment.judge(pairs);
  return grounds.map((ground) => {
    if (ground === null) return null;
    const contradiction = Math.max(...scores.splice(0, 2).map((each) => each.contradiction));
    if (contradiction >= (ground.near ? OPPOSED_MIN : OPPOSED_SURELY)) return { how: "contradiction" };
    return ground.near && ground.figure !== null ? { how: "figure", kind: ground.figure } : null;
  });
}

/** Why two sentences may disagree. */
interface Ground {
  /** The kind of quantity that differs; null when none does. */
  figure: Quantity["kind"] | null;
  /** True when each has many of the other's words. */
  near: boolean;
}

/** Null for sentences about different things or different times. */
function groundsFor(claim: string, other: string): Ground | null {
  const shares = [coverage(worded(claim), worded(other)), coverage(worded(other), worded(claim))];
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  const { missing, conflicting } = compareQuantities(claim, other);
  const kinds = new Set(conflicting.map(({ claim: { kind } }) => (kind === "date" ? "time" : kind)));
  if (kinds.has("label") || kinds.size > 1) return null;
  const [figure] = kinds;
  if (figure !== undefined) {
    const kind = conflicting[0]?.claim.kind;
    const agreed = quantities(claim).some((one) => one.kind === kind && !missing.some(({ start }) => start === one.start));
    if (agreed || (figure !== "time" && hasTime(claim) !== hasTime(other)) || most < SHARED_MIN.figure) return null;
    const near = least >= SHARED_MIN.figure;
    // A long sentence has half of a short one's few words by chance: then more are asked for.
    return near || most >= SHARED_MIN.farFigure ? { figure, near } : null;
  }
  // What is said of one option or language does not contradict what is said of another.
  if (namesIn(claim).toSorted().join() !== namesIn(other).toSorted().join()) return null;
  if (!sameNegation(claim, other)) return least >= SHARED_MIN.negation ? { figure: null, near: true } : null;
  return least >= SHARED_MIN.model ? { figure: null, near: true } : null;
}

function hasTime(text: string): boolean {
  return quantities(text).some(({ kind }) => kind === "time");
}

/** A text without its figures. */
function worded(text: string): string {
  return text.replace(/\p{N}+/gu, " ");
}

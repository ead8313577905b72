/** Whether a claim follows from the text it cites, and whether two sentences contradict each other. */
import { PREMISE_MAX_SENTENCES } from "../../base/limits.ts";
import type { Verdict } from "../../domain/answer.ts";
import type { Entailment, EntailmentScores } from "../../domain/ports.ts";
import { compareQuantities } from "../../language/compare.ts";
import { facts } from "../../language/facts.ts";
import { sameNegation } from "../../language/negation.ts";
import { sentences } from "../../language/sentences.ts";
import { coverage } from "../../language/words.ts";

export interface Verification {
  verdict: Verdict;
  /** Probability, 0-1, that the cited text entails the claim: of its weakest fact. */
  score: number;
}

/** The card's table and SciFact's training claims agree: docs/decision/0005. */
const ENTAILED_MIN = 0.3;
const CONTRADICTED_MIN = 0.3;
/** Two sentences that share this much and differ by a negation say opposite things. */
const SAME_WORDS = 0.9;

const WEAKEST: readonly Verdict[] = ["contradicted", "neutral", "entailed"];

/**
 * Splits a claim into facts and judges each against the one to four sentences of the cited texts that cover it best.
 * What stands in the cited text word for word is entailed whatever the model says of it. Errors: as Entailment.judge.
 */
export async function verify(entailment: Entailment, claim: string, cited: readonly string[]): Promise<Verification> {
  const quoted = cited.some((text) => spaced(text).includes(spaced(claim)));
  const parts = (quoted ? [claim] : facts(claim)).map((fact) => ({ hypothesis: fact, premise: premiseFor(fact, cited) }));
  const scores = await entailment.judge(parts);
  const verdicts = parts.map((part, index) => verdictOf(part, scores[index] as EntailmentScores));
  return {
    verdict: quoted ? "entailed" : (WEAKEST.find((verdict) => verdicts.includes(verdict)) ?? "neutral"),
    score: Math.min(...scores.map((score) => score.entailment)),
  };
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The sentences of the texts that cover the fact best, in their order. */
function premiseFor(fact: string, texts: readonly string[]): string {
  const all = texts.flatMap((text) => sentences(text).map(({ start, end }) => text.slice(start, end)));
  const ranked = all.map((sentence) => ({ sentence, share: coverage(fact, sentence) })).sort((a, b) => b.share - a.share);
  const best = new Set(ranked.slice(0, PREMISE_MAX_SENTENCES).map(({ sentence }) => sentence));
  return all.filter((sentence) => best.has(sentence)).join(" ");
}

/** The model's verdict, unless a rule knows better: a number, unit, date or negation that the premise has otherwise. */
function verdictOf({ hypothesis, premise }: { hypothesis: string; premise: string }, scores: EntailmentScores): Verdict {
  if (scores.entailment < ENTAILED_MIN || scores.entailment < scores.contradiction) {
    return scores.contradiction >= CONTRADICTED_MIN && scores.contradiction > scores.entailment ? "contradicted" : "neutral";
  }
  const { missing, conflicting } = compareQuantities(hypothesis, premise);
  if (conflicting.length > 0 || denies(hypothesis, premise)) return "contradicted";
  // A name with a number in it (IL-6) may go by another one.
  return missing.some(({ kind }) => kind !== "label" && kind !== "ordinal") ? "neutral" : "entailed";
}

function denies(a: string, b: string): boolean {
  return !sameNegation(a, b) && coverage(a, b) >= SAME_WORDS;
}

/** From here on the model is believed that sentences about the same thing contradict each other. */
const OPPOSED_MIN = 0.6;
/** The lesser share of content words that two sentences about the same thing have in common. */
const SAME_SUBJECT = 0.4;
/** A model that finds contradictions between strangers is believed only where a number differs too, or nearly all words agree. */
const SAME_SENTENCE = 0.7;

/** Which of `others` contradict the claim. */
export async function contradictions(entailment: Entailment, claim: string, others: readonly string[]): Promise<boolean[]> {
  const near = others.map((other) => Math.max(coverage(claim, other), coverage(other, claim)) >= SAME_SUBJECT);
  const pairs = others.filter((_, index) => near[index]).map((other) => ({ premise: other, hypothesis: claim }));
  const scores = await entailment.judge(pairs);
  return others.map((other, index) => {
    const score = near[index] ? scores.shift() : undefined;
    return score !== undefined && score.contradiction >= OPPOSED_MIN && opposed(claim, other);
  });
}

/** What a rule can see of a contradiction. */
function opposed(claim: string, other: string): boolean {
  const both = Math.min(coverage(claim, other), coverage(other, claim));
  return compareQuantities(claim, other).conflicting.length > 0 || !sameNegation(claim, other) || both >= SAME_SENTENCE;
}

/**
 * Calibration: what models and words say of an item, as probabilities. Logistic regressions, fitted by
 * `npm run eval -- calibrate` on the manuals and XQuAD questions that are tuned on (docs/decision/0005).
 */
import { probability } from "../search/models.ts";

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
export const CONTRAST_MAX = 8;

export const SIGNALS = ["item", "unit", "contrast", "agreement", "words"] as const satisfies readonly (keyof Signals)[];

/** Of a logistic regression on SIGNALS. */
export type Weights = Record<"intercept" | keyof Signals, number>;

const ANSWERS: Weights = { intercept: -6.838, item: 0.288, unit: -0.037, contrast: 0.21, agreement: 3.381, words: 2.196 };
const SUPPORTED: Weights = { intercept: -6.921, item: 0.128, unit: 0.129, contrast: 0.311, agreement: 2.96, words: 3.247 };

/**
 * Least support of what is given as an answer. Chosen by `npm run eval -- calibrate`: the least at which at most 15 of 100
 * questions on what the manuals do not have are answered, and 20 of 100 of XQuAD's without their paragraph.
 */
export const SUPPORTED_MIN = 0.4;

/** Probability, 0-1, that the item answers the question. */
export function answersProbability(signals: Signals): number {
  return weighed(ANSWERS, signals);
}

/** Probability, 0-1, that its quote, read with its path, supports the item as the answer to the question. */
export function supportProbability(signals: Signals): number {
  return weighed(SUPPORTED, signals);
}

export function weighed(weights: Weights, signals: Signals): number {
  return probability(SIGNALS.reduce((sum, name) => sum + weights[name] * signals[name], weights.intercept));
}

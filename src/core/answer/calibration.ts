/**
 * Calibration: what the models and words say of an item, as probabilities. Logistic regressions, fitted by
 * `npm run eval -- calibrate` on the manuals and XQuAD questions that are tuned on (docs/decision/0010).
 */
import { probability } from "../search/models.ts";

/** What is known of an item for a question. */
export interface Signals {
  /** The cross-encoder's logits of the item behind its path, and of its Unit. */
  item: number;
  unit: number;
  /** Shares, 0-1, of the question's content words in what the cross-encoder reads of the item, and in path and text of its Unit. */
  inPassage: number;
  inUnit: number;
  /** Probability, 0-1, that the quote behind its path entails the question and the item together; null for one that was not judged. */
  entailed: number | null;
}

type Weights = Record<"intercept" | keyof Signals, number>;

const ANSWERS: Weights = { intercept: -2.41, item: 0.37, unit: 0.166, inPassage: 1.56, inUnit: 1.78, entailed: 0 };
const SUPPORTED: Weights = { intercept: -2.41, item: 0.37, unit: 0.166, inPassage: 1.56, inUnit: 1.78, entailed: 0 };

/** Probability, 0-1, that the item answers the question. */
export function answersProbability(signals: Signals): number {
  return weighed(ANSWERS, signals);
}

/** Probability, 0-1, that its quote supports the statement that question and item make together. */
export function supportProbability(signals: Signals): number {
  return weighed(SUPPORTED, signals);
}

function weighed(weights: Weights, { item, unit, inPassage, inUnit, entailed }: Signals): number {
  const { intercept } = weights;
  const judged = entailed === null ? 0 : weights.entailed * entailed;
  return probability(intercept + weights.item * item + weights.unit * unit + weights.inPassage * inPassage + weights.inUnit * inUnit + judged);
}

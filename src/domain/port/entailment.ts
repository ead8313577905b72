/** Natural-language inference: whether a text follows from another. */

/** Probabilities that sum to 1. */
export interface EntailmentScores {
  entailment: number;
  neutral: number;
  contradiction: number;
}

export interface EntailmentPair {
  /** One to four sentences. */
  premise: string;
  /** One sentence. */
  hypothesis: string;
}

/** Says whether a hypothesis follows from a premise, one pair at a time. */
export interface Entailment {
  readonly model: string;
  /** In the order of `pairs`. Errors: Fault `unavailable`, as Encoder.encode. */
  judge(pairs: readonly EntailmentPair[], signal?: AbortSignal): Promise<EntailmentScores[]>;
}

/** Relevance of texts to a query. */

/** Scores pairs of a query and a text, one pair at a time: a score depends on its pair alone. */
export interface Reranker {
  readonly model: string;
  /**
   * Logits (higher is more relevant, about -11 to 11), in the order of `texts`. After `withinMs` what has not
   * begun is left out as null. Errors: Fault `unavailable`, as Encoder.encode.
   */
  score(query: string, texts: readonly string[], withinMs?: number, signal?: AbortSignal): Promise<(number | null)[]>;
}

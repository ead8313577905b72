/** Texts to vectors. */
import type { Span } from "../../base/span.ts";

/** Part of a text that fits the encoder, with its L2-normalised vector (float32, `dims` long). */
export interface TextWindow extends Span {
  vector: Float32Array;
}

export interface EncoderInfo {
  model: string;
  dims: number;
  maxTokens: number;
  /** The cosine of a query and a text below which they have nothing to do with each other, as measured; null: the model has none. */
  floor: number | null;
}

/** Whose work goes first: a person waits for a query, which is encoded as one, and then for the texts that an answer is looked for in. */
export type EncodePriority = "query" | "answer" | "ingest";

export interface EncodeOptions {
  /** Whose text it is: tenants take turns, and each has a share of the queue to itself. Absent: one more tenant. */
  tenant?: string;
  /** Comes when nobody waits for it any more: what has not begun is then given up. */
  signal?: AbortSignal | undefined;
}

export interface Encoder {
  readonly info: EncoderInfo;
  /**
   * Overlapping windows over the whole text, at least one; of a query the first alone. Errors: Fault
   * `unavailable` when the queue is full, no worker lives, or `signal` comes.
   */
  encode(text: string, priority: EncodePriority, options?: EncodeOptions): Promise<TextWindow[]>;
  /** True for a word that the model has whole in its vocabulary, and so no misspelling. Absent: it cannot tell. */
  knows?(word: string): Promise<boolean>;
  /** True once a fixture text came back with its known vector, and while workers live or start as they are needed. */
  ready(): boolean;
  close(): Promise<void>;
}

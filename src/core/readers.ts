/** The models that a search or an answer reads with. */
import { sha256Hex } from "../base/hash.ts";
import { QUERY_VECTOR_CACHE_MAX } from "../base/limits.ts";
import { LruMap } from "../base/lru.ts";
import type { ChatModel, Encoder, Entailment } from "../domain/ports.ts";
import type { Relevance } from "./relevance.ts";

export interface Readers {
  queries: QueryEncoder;
  relevance: Relevance;
  entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  chat: ChatModel | null;
}

/** Turns query text into a vector, remembering recent ones by the hash of their text. */
export class QueryEncoder {
  private readonly vectors = new LruMap<string, Promise<Float32Array>>(QUERY_VECTOR_CACHE_MAX);

  constructor(private readonly encoder: Encoder) {}

  /** L2-normalised, `encoder.info.dims` long. A query is read up to the encoder's window. */
  async vector(text: string): Promise<Float32Array> {
    const key = sha256Hex(text);
    const known = this.vectors.get(key);
    if (known) return known;
    const fresh = this.encoder.encode(text, "query").then(([window]) => {
      if (window === undefined) throw new Error("the encoder gave no window");
      return window.vector;
    });
    this.vectors.set(key, fresh);
    // A failure is not remembered: the next caller tries again.
    fresh.catch(() => this.vectors.delete(key));
    return fresh;
  }
}

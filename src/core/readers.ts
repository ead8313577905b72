/** The models that a search or an answer reads with. */
import { sha256Hex } from "../base/hash.ts";
import { QUERY_VECTOR_CACHE_MAX } from "../base/limits.ts";
import { LruMap } from "../base/lru.ts";
import type { ChatModel, Encoder, Entailment } from "../domain/ports.ts";
import type { LabelIndex, LabelQuery } from "./content.ts";
import type { Relevance } from "./relevance.ts";

export interface Readers {
  queries: QueryEncoder;
  relevance: Relevance;
  entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  chat: ChatModel | null;
}

/** What a query means to the models. */
export interface Meaning {
  /** L2-normalised, `encoder.info.dims` long. */
  vector: Float32Array;
  /** The labels that it asks for, by the plane whose Units have such labels. */
  labels: Record<"visual" | "audio", LabelQuery>;
}

const NO_LABELS: LabelQuery = { weights: [], floor: 0, logarithmic: false };

/** Turns query text into its meaning, remembering recent ones by the hash of their text. */
export class QueryEncoder {
  private readonly meanings = new LruMap<string, Promise<Meaning>>(QUERY_VECTOR_CACHE_MAX);

  /** `labels`: what queries weigh labels with; null where there are none. */
  constructor(
    private readonly encoder: Encoder,
    private readonly labels: () => Promise<LabelIndex | null> = async () => null,
  ) {}

  /** A query is read up to the encoder's window. */
  async meaning(text: string): Promise<Meaning> {
    const key = sha256Hex(text);
    const known = this.meanings.get(key);
    if (known) return known;
    const fresh = this.read(text);
    this.meanings.set(key, fresh);
    // A failure is not remembered: the next caller tries again.
    fresh.catch(() => this.meanings.delete(key));
    return fresh;
  }

  private async read(text: string): Promise<Meaning> {
    const [[window], index] = await Promise.all([this.encoder.encode(text, "query"), this.labels()]);
    if (window === undefined) throw new Error("the encoder gave no window");
    const { vector } = window;
    const visual = index?.query("picture", text, vector) ?? NO_LABELS;
    const audio = index?.query("sound", text, vector) ?? NO_LABELS;
    return { vector, labels: { visual, audio } };
  }
}

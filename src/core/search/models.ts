/** The models that a search or an answer reads with, and what they remember between requests. */
import { stopIfGone } from "../../base/abort.ts";
import { roundMs, stopwatch } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { QUERY_VECTOR_CACHE_MAX } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import type { ChatModel } from "../../domain/port/chat-model.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import type { Caller } from "../../domain/principal.ts";
import type { LabelIndex, LabelQuery } from "./features.ts";
import type { Passage, CachedReranker } from "./rerank.ts";

export interface SearchModels {
  queries: QueryEncoder;
  reranker: CachedReranker;
  entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  chat: ChatModel | null;
}

/** A query as the models see it. */
export interface EncodedQuery {
  /** L2-normalised, `encoder.info.dims` long. */
  vector: Float32Array;
  /** The labels that it asks for, by the plane whose Units have such labels. */
  labels: Record<"visual" | "audio", LabelQuery>;
}

const NO_LABELS: LabelQuery = { weights: [], floor: 0, logarithmic: false };

/** Names whose cache entries a caller may use: its own in this namespace, so that response times tell nobody what others asked. */
function cacheOwnerOf({ namespace, principal }: Caller): string {
  return JSON.stringify([namespace.namespace, principal.namespace, principal.principal_id]);
}

/** Encodes query text, and caches recent results by caller and hash of the text. */
export class QueryEncoder {
  private readonly cache = new LruMap<string, Promise<{ encoded: EncodedQuery; ms: number }>>(QUERY_VECTOR_CACHE_MAX);

  /** `labels`: what queries weigh labels with; null where there are none. */
  constructor(
    private readonly encoder: Encoder,
    private readonly labels: () => Promise<LabelIndex | null> = async () => null,
  ) {}

  /** A query is read up to the encoder's window. `ms`: how long reading it took, now or when it was read. */
  async encode(owner: string, text: string): Promise<{ encoded: EncodedQuery; ms: number }> {
    const key = `${owner} ${sha256Hex(text)}`;
    const known = this.cache.get(key);
    if (known) return known;
    const fresh = this.read(owner, text);
    this.cache.set(key, fresh);
    // A failure is not remembered: the next caller tries again.
    fresh.catch(() => this.cache.delete(key));
    return fresh;
  }

  private async read(owner: string, text: string): Promise<{ encoded: EncodedQuery; ms: number }> {
    const reading = stopwatch();
    const [[window], index] = await Promise.all([this.encoder.encode(text, "query", { tenant: owner }), this.labels()]);
    if (window === undefined) throw new Error("the encoder gave no window");
    const { vector } = window;
    const visual = index?.query("picture", text, vector) ?? NO_LABELS;
    const audio = index?.query("sound", text, vector) ?? NO_LABELS;
    return { encoded: { vector, labels: { visual, audio } }, ms: reading() };
  }
}

/**
 * The models as one request reads with them: once its caller has gone they begin nothing for it, and give up what
 * waits. A trace must not tell what was asked before, so the time that a memory
 * spares the request counts in its stopwatches as if the reading had been done again.
 */
export class RequestModels {
  readonly entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  readonly chat: ChatModel | null;
  private readonly owner: string;
  private readonly signal: AbortSignal | undefined;
  private readonly counted = new Set<string>();
  private sparedMs = 0;

  constructor(
    private readonly models: SearchModels,
    caller: Caller,
  ) {
    const { signal } = caller;
    const { entailment, chat } = models;
    this.owner = cacheOwnerOf(caller);
    this.signal = signal;
    this.entailment = { model: entailment.model, judge: async (pairs) => this.begin(() => entailment.judge(pairs, signal)) };
    this.chat = chat && { model: chat.model, complete: async (messages) => this.begin(() => chat.complete(messages, signal)) };
  }

  /** Milliseconds for the trace. Limits of time look at the real one. */
  stopwatch(): () => number {
    const real = stopwatch();
    const before = this.sparedMs;
    return () => roundMs(real() + this.sparedMs - before);
  }

  /** Errors: Fault `unavailable`. */
  async encode(text: string): Promise<EncodedQuery> {
    const waiting = stopwatch();
    const { encoded, ms } = await this.begin(() => this.models.queries.encode(this.owner, text));
    this.spare(`query ${text}`, Math.max(0, ms - waiting()));
    return encoded;
  }

  /** As CachedReranker.score. */
  async score(query: string, passages: readonly Passage[], withinMs?: number): Promise<(number | null)[]> {
    const scores = await this.begin(() => this.models.reranker.score(this.owner, query, passages, withinMs, this.signal));
    for (const { key, sparedMs } of scores) this.spare(key, sparedMs);
    return scores.map(({ logit }) => logit);
  }

  /** Errors: Fault `unavailable` when the caller has gone. */
  private begin<T>(work: () => Promise<T>): Promise<T> {
    stopIfGone(this.signal);
    return work();
  }

  /** Once for each thing: what this request has read itself, it does not read again. */
  private spare(key: string, ms: number): void {
    if (!this.counted.has(key)) this.sparedMs += ms;
    this.counted.add(key);
  }
}

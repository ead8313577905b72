/** The models that searches and answers use, with caches that outlive a request. */
import { stopIfGone } from "../../base/abort.ts";
import { roundMs, stopwatch } from "../../base/clock.ts";
import { assert } from "../../base/fault.ts";
import { sha256Hex } from "../../base/hash.ts";
import { QUERY_VECTOR_CACHE_MAX, RERANK_CACHE_MAX } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import type { Features } from "../../domain/media.ts";
import type { ChatModel } from "../../domain/port/chat-model.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Entailment } from "../../domain/port/entailment.ts";
import type { Caller } from "../../domain/principal.ts";
import type { LabelIndex, LabelQuery } from "./features.ts";
import type { Reranker } from "../../domain/port/reranker.ts";
import type { Unit } from "../../domain/unit.ts";

export interface SearchModels {
  queries: QueryEncoder;
  reranker: CachedReranker;
  entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  chat: ChatModel | null;
}

/** A query as the encoder gives it. */
export interface EncodedQuery {
  /** L2-normalised, `encoder.info.dims` long. */
  vector: Float32Array;
  /** As EncoderInfo. */
  floor: number | null;
  /** The weights of labels, worked out when they are asked for; null for another encoder than that of the labels, which are English. */
  labels: ((kind: Features["kind"]) => LabelQuery) | null;
}

const NO_LABELS: LabelQuery = { weights: [], similarity: 0, floor: 0, logarithmic: false };

/** Names whose cache entries a caller may use: its own in this namespace, so that response times tell nobody what others asked. */
function cacheOwnerOf({ namespace, principal }: Caller): string {
  return JSON.stringify([namespace.namespace, principal.namespace, principal.principal_id]);
}

/** Encodes query text, and caches recent results by caller and hash of the text. */
export class QueryEncoder {
  private readonly cache = new LruMap<string, Promise<{ encoded: EncodedQuery; ms: number }>>(QUERY_VECTOR_CACHE_MAX);

  /** `labels`: makes the weights of labels; null without media models. */
  constructor(
    private readonly encoder: Encoder,
    private readonly labels: () => Promise<LabelIndex | null> = async () => null,
  ) {}

  /**
   * Encodes the first window of a text. `ms`: how long that took, now or when it was cached. `other`: the encoder of the owner's
   * namespace, when it is not the English one. Errors: Fault `unavailable`.
   */
  async encode(owner: string, text: string, other: Encoder | null = null): Promise<{ encoded: EncodedQuery; ms: number }> {
    const key = `${owner} ${sha256Hex(text)}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const fresh = other === null ? this.encodeNow(owner, text) : this.encodeBy(other, owner, text);
    this.cache.set(key, fresh);
    // A failure is not cached: the next request tries again.
    fresh.catch(() => this.cache.delete(key));
    return fresh;
  }

  async knows(word: string, other: Encoder | null): Promise<boolean> {
    return (await (other ?? this.encoder).knows?.(word)) ?? false;
  }

  private async encodeBy(encoder: Encoder, owner: string, text: string): Promise<{ encoded: EncodedQuery; ms: number }> {
    const encoding = stopwatch();
    const [window] = await encoder.encode(text, "query", { tenant: owner });
    if (window === undefined) throw new Error("the encoder gave no window");
    return { encoded: { vector: window.vector, floor: encoder.info.floor, labels: null }, ms: encoding() };
  }

  private async encodeNow(owner: string, text: string): Promise<{ encoded: EncodedQuery; ms: number }> {
    const encoding = stopwatch();
    const [[window], index] = await Promise.all([this.encoder.encode(text, "query", { tenant: owner }), this.labels()]);
    if (window === undefined) throw new Error("the encoder gave no window");
    const { vector } = window;
    const labels = (kind: Features["kind"]) => index?.query(kind, text, vector) ?? NO_LABELS;
    return { encoded: { vector, floor: this.encoder.info.floor, labels }, ms: encoding() };
  }
}

/**
 * The search models as one request uses them. When its caller hangs up they start nothing more for it and drop what waits.
 * A trace must not tell what was asked before, so the time that a cache saves counts in its stopwatches as if the work had
 * been done again.
 */
export class RequestModels {
  readonly entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  readonly chat: ChatModel | null;
  private readonly owner: string;
  private readonly signal: AbortSignal | undefined;
  private readonly counted = new Set<string>();
  private readonly weighed = new Map<string, LabelQuery>();
  private savedMs = 0;

  constructor(
    private readonly models: SearchModels,
    caller: Caller,
    /** The encoder of the caller's namespace, when it is not the English one. */
    readonly encoder: Encoder | null = null,
  ) {
    const { signal } = caller;
    const { entailment, chat } = models;
    this.owner = cacheOwnerOf(caller);
    this.signal = signal;
    this.entailment = { model: entailment.model, judge: async (pairs) => this.begin(() => entailment.judge(pairs, signal)) };
    this.chat = chat && { model: chat.model, complete: async (messages) => this.begin(() => chat.complete(messages, signal)) };
  }

  /** Milliseconds for the trace, with the time that caches saved. Time limits use the real time. */
  stopwatch(): () => number {
    const real = stopwatch();
    const before = this.savedMs;
    return () => roundMs(real() + this.savedMs - before);
  }

  /** Errors: Fault `unavailable`, also when the caller has hung up. */
  async encode(text: string): Promise<EncodedQuery> {
    const waiting = stopwatch();
    const { encoded, ms } = await this.begin(() => this.models.queries.encode(this.owner, text, this.encoder));
    this.addSaved(`query ${text}`, Math.max(0, ms - waiting()));
    return { ...encoded, labels: encoded.labels && this.onceEach(text, encoded.labels) };
  }

  /** Labels are weighed once in a request, however many rankings it has, and again in the next: its times tell nothing of this one. */
  private onceEach(text: string, labels: NonNullable<EncodedQuery["labels"]>): NonNullable<EncodedQuery["labels"]> {
    return (kind) => {
      const key = `${kind} ${text}`;
      const weighed = this.weighed.get(key) ?? labels(kind);
      this.weighed.set(key, weighed);
      return weighed;
    };
  }

  /** True for a word that the encoder of the namespace has whole in its vocabulary; false where it cannot tell. */
  async knows(word: string): Promise<boolean> {
    return this.models.queries.knows(word, this.encoder);
  }

  /** Cosines of a question and passages, by the encoder of the namespace: for one that is not English. Errors: as encode. */
  async similarities(question: string, passages: readonly string[]): Promise<number[]> {
    const { encoder, owner: tenant, signal } = this;
    assert(encoder !== null, "the English encoder is not asked for similarities");
    const { vector } = await this.encode(question);
    const encoded = await this.begin(() => Promise.all(passages.map((passage) => encoder.encode(passage, "answer", { tenant, signal }))));
    return encoded.map(([window]) => window?.vector.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0) ?? 0);
  }

  /** As CachedReranker.score. */
  async score(query: string, passages: readonly Passage[], withinMs?: number): Promise<(number | null)[]> {
    const scores = await this.begin(() => this.models.reranker.score(this.owner, query, passages, withinMs, this.signal));
    for (const { key, savedMs } of scores) this.addSaved(key, savedMs);
    return scores.map(({ logit }) => logit);
  }

  /** Errors: Fault `unavailable` when the caller has hung up. */
  private begin<T>(work: () => Promise<T>): Promise<T> {
    stopIfGone(this.signal);
    return work();
  }

  /** Counts saved time once for each key: a second use within the request would not have been computed again. */
  private addSaved(key: string, ms: number): void {
    if (!this.counted.has(key)) this.savedMs += ms;
    this.counted.add(key);
  }
}

/** A part of a Unit's text, as the cross-encoder reads it. */
export interface Passage {
  unit: Unit;
  text: string;
}

export interface PassageScore {
  /** About -11 to 11, higher is more relevant; null for a passage that was not started in time. */
  logit: number | null;
  /** The ms that a cached score took when it was made; 0 for one made now. */
  savedMs: number;
  /** The cache key: owner, query and passage. */
  key: string;
}

export class CachedReranker {
  private readonly known = new LruMap<string, { logit: number; ms: number }>(RERANK_CACHE_MAX);

  constructor(private readonly reranker: Reranker) {}

  /** In the order of `passages`. `owner`: whose cache entries are used and added. Errors: Fault `unavailable`, also when `signal` aborts. */
  async score(owner: string, query: string, passages: readonly Passage[], withinMs?: number, signal?: AbortSignal): Promise<PassageScore[]> {
    const keys = passages.map(({ unit, text }) => keyOf(owner, query, unit, text));
    const known = new Map(keys.map((key) => [key, this.known.get(key)]));
    const missing = [...known].filter(([, score]) => score === undefined).map(([key]) => key);
    const fresh = await this.scoreNow(
      query,
      missing.map((key) => ({ key, text: passages[keys.indexOf(key)]?.text ?? "" })),
      withinMs,
      signal,
    );
    return keys.map((key) => {
      const before = known.get(key);
      return { key, logit: before?.logit ?? fresh.get(key) ?? null, savedMs: before?.ms ?? 0 };
    });
  }

  /** Scores and caches passages, each with an equal share of the time that all took. */
  private async scoreNow(
    query: string,
    passages: readonly { key: string; text: string }[],
    withinMs: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, number | null>> {
    if (passages.length === 0) return new Map();
    const scoring = stopwatch();
    const texts = passages.map(({ text }) => text);
    const logits = await this.reranker.score(query, texts, withinMs, signal);
    const ms = scoring() / passages.length;
    passages.forEach(({ key }, index) => {
      const logit = logits[index] ?? null;
      if (logit !== null) this.known.set(key, { logit, ms });
    });
    return new Map(passages.map(({ key }, index) => [key, logits[index] ?? null]));
  }
}

/** The access class is part of the key, so that a fast answer does not tell that a Unit of another class has the same text. */
function keyOf(owner: string, query: string, { namespace, classId }: Unit, text: string): string {
  return sha256Hex(JSON.stringify([owner, namespace, classId, query, text]));
}

/** A logit as a probability, 0-1 (logistic function). */
export function probability(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

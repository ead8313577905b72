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
import type { Passage, Relevance } from "./rerank.ts";

export interface Readers {
  queries: QueryEncoder;
  relevance: Relevance;
  entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  chat: ChatModel | null;
}

/** What a query means to the models. */
export interface EncodedQuery {
  /** L2-normalised, `encoder.info.dims` long. */
  vector: Float32Array;
  /** The labels that it asks for, by the plane whose Units have such labels. */
  labels: Record<"visual" | "audio", LabelQuery>;
}

const NO_LABELS: LabelQuery = { weights: [], floor: 0, logarithmic: false };

/** A caller in a namespace. Memories are kept apart by it: from times, nobody learns what somebody else has asked. */
export type Asker = string;

function askerOf({ namespace, principal }: Caller): Asker {
  return JSON.stringify([namespace.namespace, principal.namespace, principal.principal_id]);
}

/** Turns query text into its meaning, remembering recent ones by who asked and the hash of the text. */
export class QueryEncoder {
  private readonly meanings = new LruMap<string, Promise<{ meaning: EncodedQuery; ms: number }>>(QUERY_VECTOR_CACHE_MAX);

  /** `labels`: what queries weigh labels with; null where there are none. */
  constructor(
    private readonly encoder: Encoder,
    private readonly labels: () => Promise<LabelIndex | null> = async () => null,
  ) {}

  /** A query is read up to the encoder's window. `ms`: how long reading it took, now or when it was read. */
  async meaning(asker: Asker, text: string): Promise<{ meaning: EncodedQuery; ms: number }> {
    const key = `${asker} ${sha256Hex(text)}`;
    const known = this.meanings.get(key);
    if (known) return known;
    const fresh = this.read(asker, text);
    this.meanings.set(key, fresh);
    // A failure is not remembered: the next caller tries again.
    fresh.catch(() => this.meanings.delete(key));
    return fresh;
  }

  private async read(asker: Asker, text: string): Promise<{ meaning: EncodedQuery; ms: number }> {
    const reading = stopwatch();
    const [[window], index] = await Promise.all([this.encoder.encode(text, "query", { tenant: asker }), this.labels()]);
    if (window === undefined) throw new Error("the encoder gave no window");
    const { vector } = window;
    const visual = index?.query("picture", text, vector) ?? NO_LABELS;
    const audio = index?.query("sound", text, vector) ?? NO_LABELS;
    return { meaning: { vector, labels: { visual, audio } }, ms: reading() };
  }
}

/**
 * The models as one request reads with them: once its caller has gone they begin nothing for it, and give up what
 * waits. A trace must not tell what was asked before, so the time that a memory
 * spares the request counts in its stopwatches as if the reading had been done again.
 */
export class Reader {
  readonly entailment: Entailment;
  /** The chat model that the operator configured, if any. */
  readonly chat: ChatModel | null;
  private readonly asker: Asker;
  private readonly signal: AbortSignal | undefined;
  private readonly counted = new Set<string>();
  private sparedMs = 0;

  constructor(
    private readonly readers: Readers,
    caller: Caller,
  ) {
    const { signal } = caller;
    const { entailment, chat } = readers;
    this.asker = askerOf(caller);
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
  async meaning(text: string): Promise<EncodedQuery> {
    const waiting = stopwatch();
    const { meaning, ms } = await this.begin(() => this.readers.queries.meaning(this.asker, text));
    this.spare(`meaning ${text}`, Math.max(0, ms - waiting()));
    return meaning;
  }

  /** As Relevance.score. */
  async score(query: string, passages: readonly Passage[], withinMs?: number): Promise<(number | null)[]> {
    const scores = await this.begin(() => this.readers.relevance.score(this.asker, query, passages, withinMs, this.signal));
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

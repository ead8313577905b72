/** Scores the relevance of passages to a query by the cross-encoder, with a cache of its scores. */
import { stopwatch } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { RERANK_CACHE_MAX } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import type { Reranker } from "../../domain/port/reranker.ts";
import type { Unit } from "../../domain/unit.ts";

/** A part of a Unit's text. */
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

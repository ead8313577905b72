/** How relevant passages are to a query, by the cross-encoder, with a memory of what it said. */
import { stopwatch } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { RERANK_CACHE_MAX } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import type { Reranker } from "../../domain/port/reranker.ts";
import type { Unit } from "../../domain/unit.ts";

/** A passage and the Unit that it is read from. */
export interface Passage {
  unit: Unit;
  text: string;
}

export interface PassageScore {
  /** About -11 to 11, higher is more relevant; null for a passage that was not begun in time. */
  logit: number | null;
  /** What reading it took, in ms, when that was before this call; else 0. */
  sparedMs: number;
  /** Names the passage for this owner and query. */
  key: string;
}

export class CachedReranker {
  private readonly known = new LruMap<string, { logit: number; ms: number }>(RERANK_CACHE_MAX);

  constructor(private readonly reranker: Reranker) {}

  /** In the order of `passages`. `owner`: whose memory is used and added to. Errors: Fault `unavailable`, also when `signal` comes. */
  async score(owner: string, query: string, passages: readonly Passage[], withinMs?: number, signal?: AbortSignal): Promise<PassageScore[]> {
    const keys = passages.map(({ unit, text }) => keyOf(owner, query, unit, text));
    const known = new Map(keys.map((key) => [key, this.known.get(key)]));
    const missing = [...known].filter(([, score]) => score === undefined).map(([key]) => key);
    const fresh = await this.read(
      query,
      missing.map((key) => ({ key, text: passages[keys.indexOf(key)]?.text ?? "" })),
      withinMs,
      signal,
    );
    return keys.map((key) => {
      const before = known.get(key);
      return { key, logit: before?.logit ?? fresh.get(key) ?? null, sparedMs: before?.ms ?? 0 };
    });
  }

  /** Reads and remembers passages, each with its share of the time that all of them took. */
  private async read(
    query: string,
    passages: readonly { key: string; text: string }[],
    withinMs: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, number | null>> {
    if (passages.length === 0) return new Map();
    const reading = stopwatch();
    const texts = passages.map(({ text }) => text);
    const logits = await this.reranker.score(query, texts, withinMs, signal);
    const ms = reading() / passages.length;
    passages.forEach(({ key }, index) => {
      const logit = logits[index] ?? null;
      if (logit !== null) this.known.set(key, { logit, ms });
    });
    return new Map(passages.map(({ key }, index) => [key, logits[index] ?? null]));
  }
}

/** The access class is part of it: a score that comes back at once must not tell that somebody else has this text. */
function keyOf(owner: string, query: string, { namespace, classId }: Unit, text: string): string {
  return sha256Hex(JSON.stringify([owner, namespace, classId, query, text]));
}

/** 0-1, as the model's card reads its logit. */
export function probability(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

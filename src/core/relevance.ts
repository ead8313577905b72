/** How relevant passages are to a query, by the cross-encoder, with a memory of what it said. */
import { sha256Hex } from "../base/hash.ts";
import { RELEVANCE_CACHE_MAX } from "../base/limits.ts";
import { LruMap } from "../base/lru.ts";
import type { Reranker } from "../domain/ports.ts";
import type { Unit } from "../domain/unit.ts";

/** A passage and the Unit that it is read from. */
export interface Passage {
  unit: Unit;
  text: string;
}

export class Relevance {
  private readonly logits = new LruMap<string, number>(RELEVANCE_CACHE_MAX);

  constructor(private readonly reranker: Reranker) {}

  /**
   * Logits (about -11 to 11, higher is more relevant) in the order of `passages`; null for those that were not
   * begun within `withinMs`. Errors: Fault `unavailable`.
   */
  async score(query: string, passages: readonly Passage[], withinMs?: number): Promise<(number | null)[]> {
    const keys = passages.map(({ unit, text }) => keyOf(query, unit, text));
    const known = keys.map((key) => this.logits.get(key) ?? null);
    const missing = [...new Set(keys.filter((_, index) => known[index] === null))];
    if (missing.length === 0) return known;
    const texts = missing.map((key) => passages[keys.indexOf(key)]?.text ?? "");
    const fresh = await this.reranker.score(query, texts, withinMs);
    const found = new Map(missing.map((key, index) => [key, fresh[index] ?? null]));
    for (const [key, logit] of found) if (logit !== null) this.logits.set(key, logit);
    return keys.map((key, index) => known[index] ?? found.get(key) ?? null);
  }
}

/** The access class is part of it: a score that comes back at once must not tell that somebody else has this text. */
function keyOf(query: string, { namespace, classId }: Unit, text: string): string {
  return sha256Hex(JSON.stringify([namespace, classId, query, text]));
}

/** 0-1, as the model's card reads its logit. */
export function probability(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

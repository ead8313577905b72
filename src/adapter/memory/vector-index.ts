/** A vector index in memory: an exact scan. */
import { matches } from "../../domain/filter.ts";
import type { Plane } from "../../domain/plane.ts";
import type { IndexedRow, IndexEntry, IndexState, RankedHits, Restriction } from "../../domain/port/index.ts";
import type { VectorHit, VectorIndex } from "../../domain/port/vector-index.ts";
import type { Unit } from "../../domain/unit.ts";
import { cosine } from "./units.ts";

export function allows({ classes, filter, uids }: Restriction, unit: Unit): boolean {
  return (classes === null || classes.includes(unit.classId)) && (uids === null || uids.includes(unit.uid)) && matches(filter, unit);
}

export class MemoryVectorIndex implements VectorIndex {
  /** `entries`: what an index that was closed held. */
  constructor(
    readonly plane: Plane,
    readonly entries = new Map<number, IndexEntry>(),
  ) {}

  async put(entries: readonly IndexEntry[]): Promise<void> {
    for (const entry of entries) this.entries.set(entry.unit.uid, entry);
  }

  async remove(uids: readonly number[]): Promise<void> {
    for (const uid of uids) this.entries.delete(uid);
  }

  async search(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>> {
    const found = [...this.entries.values()].filter(({ unit, windows }) => windows.length > 0 && allows(restriction, unit));
    const hits = found.map(({ unit: { uid, version }, windows }): VectorHit => {
      const similarities = windows.map((window) => cosine(vector, window.vector));
      const similarity = Math.max(...similarities);
      return { uid, version, window: similarities.indexOf(similarity), similarity };
    });
    hits.sort((a, b) => b.similarity - a.similarity || a.uid - b.uid);
    return { hits: hits.slice(0, limit), exhausted: hits.length <= limit };
  }

  async rows(): Promise<IndexedRow[]> {
    const entries = [...this.entries.values()].sort((a, b) => a.unit.uid - b.unit.uid);
    return entries.flatMap(({ unit: { uid, version }, windows }) => windows.map((_, window) => ({ uid, version, window })));
  }

  async state(): Promise<IndexState> {
    return { rows: (await this.rows()).length, state: "ok" };
  }

  working(): boolean {
    return true;
  }

  async close(): Promise<void> {}
}

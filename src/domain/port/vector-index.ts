/** Vector search. */
import type { Plane } from "../plane.ts";
import type { IndexEntry, RankedHits, Restriction, WritableIndex } from "./index.ts";

export interface VectorHit {
  uid: number;
  version: number;
  /** Index of the best window. */
  window: number;
  /** Cosine similarity, -1..1. */
  similarity: number;
}

/** Each Unit once, by its most similar window, of windows that come most similar first. */
export function bestWindows(windows: readonly VectorHit[]): VectorHit[] {
  const seen = new Set<number>();
  return windows.filter(({ uid }) => !seen.has(uid) && seen.add(uid));
}

/** The vectors of one plane of one namespace. */
export interface VectorIndex extends WritableIndex<IndexEntry> {
  readonly plane: Plane;
  /** The best `limit` Units (each once, by its best window), most similar first. */
  search(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>>;
}

/** One window as a table keeps it. */
export interface VectorRow {
  uid: number;
  version: number;
  classId: number;
  window: number;
  vector: Float32Array;
}

/** A vector index on disk, which gives its vectors back. */
export interface VectorTable extends VectorIndex {
  /** All of them, in no order, as they were when it began. Errors: Fault `unavailable`. */
  vectors(): AsyncIterable<VectorRow>;
}

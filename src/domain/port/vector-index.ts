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

/** The vectors of one plane of one namespace. */
export interface VectorIndex extends WritableIndex<IndexEntry> {
  readonly plane: Plane;
  /** The best `limit` Units (each once, by its best window), most similar first. */
  search(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>>;
}

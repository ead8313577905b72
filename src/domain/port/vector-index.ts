/** Vector search. */
import type { Plane } from "../plane.ts";
import type { IndexEntry, IndexState, IndexedRow, RankedHits, Restriction } from "./index.ts";

export interface VectorHit {
  uid: number;
  version: number;
  /** Index of the best window. */
  window: number;
  /** Cosine similarity, -1..1. */
  similarity: number;
}

/** The vectors of one plane of one namespace. */
export interface VectorIndex {
  readonly plane: Plane;
  /** Replaces whatever it holds of these Units. Durable and searchable when it returns; running it twice is harmless. */
  put(entries: readonly IndexEntry[]): Promise<void>;
  remove(uids: readonly number[]): Promise<void>;
  /** The best `limit` Units (each once, by its best window), most similar first. */
  search(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>>;
  rows(): Promise<IndexedRow[]>;
  state(): Promise<IndexState>;
  /** Whether the last read and the last write went well, from memory: false is tried again in growing pauses. */
  working(): boolean;
  close(): Promise<void>;
}

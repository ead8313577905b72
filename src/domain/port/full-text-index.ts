/** Full-text search. */
import type { QueryTerms } from "../../text/terms.ts";
import type { Plane } from "../plane.ts";
import type { IndexEntry, IndexState, IndexedRow, RankedHits, Restriction } from "./index.ts";

export interface FullTextHit {
  uid: number;
  version: number;
  /** BM25 with the statistics of the classes of the restriction: a Unit's path and its text are one document. */
  score: number;
}

export interface FullTextQuery {
  /** Of text/terms.ts, which every index analyses its texts with: so all of them match the same words. */
  terms: QueryTerms;
  planes: readonly Plane[];
  limit: number;
  restriction: Restriction;
}

/** The full text of one namespace, all planes: texts, and the paths of Units that have a text. A phrase lies in one of the two. */
export interface FullTextIndex {
  /** As VectorIndex.put. Units without text are removed. */
  put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void>;
  remove(uids: readonly number[]): Promise<void>;
  /** Best first. */
  search(query: FullTextQuery): Promise<RankedHits<FullTextHit>>;
  rows(): Promise<IndexedRow[]>;
  state(): Promise<IndexState>;
  /** Whether the last read and the last write went well, from memory: false is tried again in growing pauses. */
  working(): boolean;
  close(): Promise<void>;
}

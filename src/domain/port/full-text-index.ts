/** Full-text search. */
import type { Span } from "../../base/span.ts";
import type { Plane } from "../plane.ts";
import type { IndexEntry, IndexState, IndexedRow, RankedHits, Restriction } from "./index.ts";

export interface FullTextHit {
  uid: number;
  version: number;
  /** BM25 with the statistics of the classes of the restriction. */
  score: number;
}

export interface FullTextQuery {
  text: string;
  planes: readonly Plane[];
  limit: number;
  restriction: Restriction;
}

/** The full text of one namespace, all planes. */
export interface FullTextIndex {
  /** As VectorIndex.put. Units without text are removed. */
  put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void>;
  remove(uids: readonly number[]): Promise<void>;
  /** Best first. Text is never syntax: double quotes make a phrase, all else is terms. */
  search(query: FullTextQuery): Promise<RankedHits<FullTextHit>>;
  /** The words of each text that the query's terms match, as UTF-16 spans in order, at most HIGHLIGHTS_MAX a text. */
  highlight(query: string, texts: readonly string[]): Promise<Span[][]>;
  /** The analysed terms of a text, as the index sees them. */
  terms(text: string): Promise<string[]>;
  rows(): Promise<IndexedRow[]>;
  state(): Promise<IndexState>;
  /** Whether the last read and the last write went well, from memory: false is tried again in growing pauses. */
  working(): boolean;
  close(): Promise<void>;
}

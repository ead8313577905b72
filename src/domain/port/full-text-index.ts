/** Full-text search. */
import type { QueryTerms } from "../../text/terms.ts";
import type { Plane } from "../plane.ts";
import type { Matches } from "./units.ts";
import type { IndexEntry, RankedHits, Restriction, WritableIndex } from "./index.ts";

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

/**
 * The full text of one namespace, all planes: texts, and the paths of Units that have a text. A phrase lies in one of the two.
 * A Unit without text that is put is removed.
 */
export interface FullTextIndex extends WritableIndex<Pick<IndexEntry, "unit">> {
  /** Best first. */
  search(query: FullTextQuery): Promise<RankedHits<FullTextHit>>;
  /** What `search` finds, without its order: the smallest uids, at most `limit`. */
  matching(query: FullTextQuery): Promise<Matches>;
}

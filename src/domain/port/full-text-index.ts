/** Full-text search. */
import type { QueryTerms } from "../../text/terms.ts";
import type { Plane } from "../plane.ts";
import type { Matches } from "./units.ts";
import type { ClassSet, IndexEntry, RankedHits, Restriction, WritableIndex } from "./index.ts";

export interface FullTextHit {
  uid: number;
  version: number;
  /** BM25 with the statistics of the classes of the restriction: a Unit's path and its text are one document. */
  score: number;
}

/** A term that a document has. */
export interface NearTerm {
  term: string;
  edits: number;
  /** How many documents of the classes have it, and some of them: at most SPELLING_EXAMPLES_MAX, by uid. */
  documents: number;
  uids: number[];
}

export interface FullTextQuery {
  /** Of text/terms.ts, which every index analyses its texts with: so all of them match the same words. */
  terms: QueryTerms;
  planes: readonly Plane[];
  limit: number;
  restriction: Restriction;
}

/** The order of `near`. */
export function nearestFirst(terms: readonly NearTerm[]): NearTerm[] {
  return [...terms].sort((a, b) => a.edits - b.edits || b.documents - a.documents || (a.term < b.term ? -1 : 1));
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
  /** Those of the terms that no document of the classes has. */
  missing(terms: readonly string[], classes: ClassSet): Promise<string[]>;
  /** Terms of letters that documents of the classes have, at most `maxEdits` from one of `terms`: the nearest first, then the most frequent. */
  near(terms: readonly string[], maxEdits: 1 | 2, classes: ClassSet): Promise<NearTerm[]>;
}

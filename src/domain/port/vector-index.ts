/** Vector search. */
import { VECTOR_ROWS_MAX } from "../../base/limits.ts";
import { type IntegerField, KEYWORDS, type KeywordField } from "../filter.ts";
import type { Plane } from "../plane.ts";
import type { IndexEntry, IndexState, RankedHits, Restriction, WritableIndex } from "./index.ts";

export interface VectorHit {
  uid: number;
  version: number;
  /** Index of the best window. */
  window: number;
  /** Cosine similarity, -1..1. */
  similarity: number;
}

/**
 * The best `limit` Units, each by its most similar window. `read` gives the most similar windows, so many, the best first; `all`:
 * there are no more. `windowed`: Units may have several windows; more are then read until they are of enough Units.
 */
export async function bestUnits(
  limit: number,
  windowed: boolean,
  read: (windows: number) => Promise<{ windows: readonly VectorHit[]; all: boolean }>,
): Promise<RankedHits<VectorHit>> {
  for (let wanted = windowed ? 2 * limit : limit; ; wanted = Math.min(VECTOR_ROWS_MAX, wanted * 4)) {
    const { windows, all } = await read(wanted);
    const hits = bestWindows(windows);
    if (hits.length >= limit || all || wanted >= VECTOR_ROWS_MAX) return { hits: hits.slice(0, limit), exhausted: all && hits.length <= limit };
  }
}

/** Each Unit once, by its most similar window, of windows that come most similar first. */
function bestWindows(windows: readonly VectorHit[]): VectorHit[] {
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

/** Strings one behind the other in UTF-8: that of row `i` lies between `offsets[i]` and `offsets[i + 1]`. */
export interface TextColumn {
  bytes: Uint8Array;
  offsets: Int32Array;
}

/** Fields that are a column of their own. The plane is the table. */
export type TextField = Exclude<KeywordField, "plane">;
export const TEXT_FIELDS = KEYWORDS.filter((field): field is TextField => field !== "plane");

/** What filters compare of some Units, column by column. Absent members are "" and -1. */
export interface AttributeRows {
  uids: Int32Array;
  /** `path` as `pathText`. */
  texts: Record<TextField, TextColumn>;
  integers: Record<IntegerField, Float64Array>;
  /** The tokens of metadata of all rows: those of row `i` are the ones from `lists[i]` to before `lists[i + 1]`. */
  tokens: TextColumn & { lists: Int32Array };
}

/** What gives back the vectors that it keeps. */
export interface VectorSource {
  /** Of all Units; null: each has its own. */
  readonly plane: Plane | null;
  state(): Promise<IndexState>;
  /** All vectors, in no order, as they were when it began. Errors: Fault `unavailable`. */
  vectors(): AsyncIterable<VectorRow>;
  /** The attributes of all Units that have vectors, in no order, as they were when it began. Errors: Fault `unavailable`. */
  attributes(): AsyncIterable<AttributeRows>;
  /** Searches are answered without it for now: what it keeps for them alone may go. */
  rest?(): void;
}

/** A vector index on disk. */
export interface VectorTable extends VectorIndex, VectorSource {
  readonly plane: Plane;
}

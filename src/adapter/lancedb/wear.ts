/** When a vector table has changed so much that it is tidied up: upkeep is counted in changes, whatever time they take. */

/** Up to this many rows an exact scan is as fast as an index, and owes nothing to rows a caller cannot see. */
export const VECTOR_EXACT_MAX_ROWS = 4_000;
/** Commits between two rounds of upkeep: a query reads the fragment that each leaves, and 15 of them cost it a third more. */
export const VECTOR_COMMITS_MAX = 16;
/** Rows beside the index, which every query scans, before they are added to it. */
export const VECTOR_UNINDEXED_MAX_ROWS = 1_000;
/** Deleted and replaced rows before a table is written again without them: this share of the live ones, */
export const VECTOR_STALE_MAX_SHARE = 0.2;
/** and at least this many, so that a small table is not written again for every change. */
export const VECTOR_STALE_MIN_ROWS = 500;
/**
 * Each round of upkeep appends a part to the index of vectors, with a fragment that stays apart from the others; beyond this
 * many the index is built whole. Every query searches each part: one with 8 took 28 ms over four tables, with one 18 ms.
 */
export const VECTOR_INDEX_PARTS_MAX = 8;
/** Writing has paused when nothing was written to a table for this long: less than a person needs to go on to a search. */
export const VECTOR_PAUSE_MS = 1_000;
/** A round of upkeep in a pause comes after this many commits since the last round, so that few writes with long pauses make few rounds, */
export const VECTOR_PAUSE_COMMITS = 4;
/** or after this many rows beside the index. */
export const VECTOR_PAUSE_UNINDEXED_ROWS = 250;
/** In a pause an index of more parts is built whole, */
export const VECTOR_PAUSE_INDEX_PARTS_MAX = 2;
/** when more than this share of the rows was written since the last time: so a row is indexed again a fixed number of times while a table grows. */
const VECTOR_PAUSE_APPENDED_MAX_SHARE = 0.1;

/** What was written to a table since it was last tidied up. */
export interface Wear {
  /** Each leaves a version, and a fragment or a file of deletions that queries read. */
  commits: number;
  /** Rows beside the index, which queries scan. */
  unindexed: number;
  /** Rows that were deleted or replaced and still take up their place. */
  stale: number;
}

/** What a table holds now. */
export interface Extent {
  rows: number;
  /** Whether its vectors have an index. */
  indexed: boolean;
  /** Rows that were written since the index of vectors was last built whole. */
  appended: number;
}

/** True when the table is tidied up before the next write. */
export function isWorn({ commits, unindexed, stale }: Wear, { rows, indexed }: Extent): boolean {
  const scanned = unindexed > (indexed ? VECTOR_UNINDEXED_MAX_ROWS : VECTOR_EXACT_MAX_ROWS);
  const hollow = stale > Math.max(VECTOR_STALE_MIN_ROWS, VECTOR_STALE_MAX_SHARE * rows);
  return commits >= VECTOR_COMMITS_MAX || scanned || hollow;
}

/** True when the table is tidied up once writing has paused: less is enough, since searches come next. */
export function isWornForPause({ commits, unindexed }: Wear, { indexed }: Extent): boolean {
  return commits >= VECTOR_PAUSE_COMMITS || (indexed && unindexed >= VECTOR_PAUSE_UNINDEXED_ROWS);
}

/** True when an index of vectors of so many parts is built whole again. */
export function isParted(parts: number, { rows, appended }: Extent, paused: boolean): boolean {
  const grown = appended > VECTOR_PAUSE_APPENDED_MAX_SHARE * rows;
  return parts > VECTOR_INDEX_PARTS_MAX || (paused && grown && parts > VECTOR_PAUSE_INDEX_PARTS_MAX);
}

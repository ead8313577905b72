/** When a vector table gets upkeep (compaction, and rows added to its indexes): after so many changes, not after a time. */

/** Up to this many rows a table is scanned exactly, which is as fast as an index and has full recall under every filter. */
export const VECTOR_EXACT_MAX_ROWS = 4_000;
/**
 * Commits between two rounds of upkeep: a query reads the fragment that each leaves, and 15 of them cost it a third more.
 * One more for so many rows, since a round costs more the larger the table is.
 */
export const VECTOR_COMMITS_MAX = 16;
export const VECTOR_ROWS_PER_COMMIT = 4_000;
/** Rows outside of the index, which every query scans, before they are added to it: this many, */
export const VECTOR_UNINDEXED_MAX_ROWS = 1_000;
/** and in a large table this share of its rows, so that as many rounds make it twice as large at any size. */
export const VECTOR_UNINDEXED_MAX_SHARE = 1 / 16;
/** Deleted and replaced rows before a table is written again without them: this share of the live ones, and at least VECTOR_STALE_MIN_ROWS, */
export const VECTOR_STALE_MAX_SHARE = 0.2;
/** so that a small table is not written again for every change. */
export const VECTOR_STALE_MIN_ROWS = 500;
/**
 * Each round of upkeep appends a part to the index of vectors, with a fragment that stays apart from the others; beyond this
 * many the index is built whole. Every query searches each part: one with 8 took 28 ms over four tables, with one 18 ms.
 * One more for so many rows: building a row's entry takes 40 µs, and rounds of the fewest commits make it 10 ms a commit.
 */
export const VECTOR_INDEX_PARTS_MAX = 8;
export const VECTOR_ROWS_PER_INDEX_PART = 32_000;
/**
 * Writing has paused when nothing was written to a table for this long: more than the next page of a file takes, unless
 * it goes through OCR, and then upkeep is little beside it.
 */
export const VECTOR_PAUSE_MS = 5_000;
/** Commits since the last round of upkeep before there is one in a pause: rare writes cause few rounds. */
export const VECTOR_PAUSE_COMMITS = 4;
/** Rows outside of the index before there is a round of upkeep in a pause. */
export const VECTOR_PAUSE_UNINDEXED_ROWS = 250;
/** In a pause an index of more parts is built whole, */
export const VECTOR_PAUSE_INDEX_PARTS_MAX = 2;
/** when more than this share of the rows was written since the last time: so a row is indexed again a fixed number of times while a table grows. */
const VECTOR_PAUSE_APPENDED_MAX_SHARE = 0.1;

/** What was written to a table since its last upkeep. */
export interface Wear {
  /** Each leaves a version, and a fragment or a file of deletions that queries read. */
  commits: number;
  /** Rows outside of the index, which queries scan. */
  unindexed: number;
  /** Deleted and replaced rows that are still in the files. */
  stale: number;
}

export const NO_WEAR: Wear = { commits: 0, unindexed: 0, stale: 0 };

/** The size of a table now. */
export interface Extent {
  rows: number;
  /** Whether its vectors have an index. */
  indexed: boolean;
  /** Rows that were written since the index of vectors was last built whole. */
  appended: number;
}

/** True when there is a round of upkeep, beside the writes that follow. */
export function isWorn({ commits, unindexed, stale }: Wear, { rows, indexed }: Extent): boolean {
  const unindexedMax = indexed ? Math.max(VECTOR_UNINDEXED_MAX_ROWS, VECTOR_UNINDEXED_MAX_SHARE * rows) : VECTOR_EXACT_MAX_ROWS;
  const staleMax = Math.max(VECTOR_STALE_MIN_ROWS, VECTOR_STALE_MAX_SHARE * rows);
  return commits >= VECTOR_COMMITS_MAX + Math.floor(rows / VECTOR_ROWS_PER_COMMIT) || unindexed > unindexedMax || stale > staleMax;
}

/** True when there is a round of upkeep once writing has paused: after fewer changes, since searches are likely next. */
export function isWornForPause({ commits, unindexed }: Wear, { indexed }: Extent): boolean {
  return commits >= VECTOR_PAUSE_COMMITS || (indexed && unindexed >= VECTOR_PAUSE_UNINDEXED_ROWS);
}

/** True when an index of vectors of `parts` parts is built whole again. */
export function isParted(parts: number, { rows, appended }: Extent, paused: boolean): boolean {
  const grown = appended > VECTOR_PAUSE_APPENDED_MAX_SHARE * rows;
  return parts > VECTOR_INDEX_PARTS_MAX + rows / VECTOR_ROWS_PER_INDEX_PART || (paused && grown && parts > VECTOR_PAUSE_INDEX_PARTS_MAX);
}

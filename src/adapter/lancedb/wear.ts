/** When a vector table has changed so much that it is tidied up: upkeep is counted in changes, whatever time they take. */
import {
  VECTOR_COMMITS_MAX,
  VECTOR_EXACT_MAX_ROWS,
  VECTOR_INDEX_PARTS_MAX,
  VECTOR_PAUSE_APPENDED_MAX_SHARE,
  VECTOR_PAUSE_COMMITS,
  VECTOR_PAUSE_INDEX_PARTS_MAX,
  VECTOR_PAUSE_UNINDEXED_ROWS,
  VECTOR_STALE_MAX_SHARE,
  VECTOR_STALE_MIN_ROWS,
  VECTOR_UNINDEXED_MAX_ROWS,
} from "../../base/limits.ts";

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

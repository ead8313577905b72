/**
 * Keeps a table fast to search while it is written to: folds the fragments that commits leave, and adds rows to the indexes.
 * It runs beside the writes, on a handle of its own. LanceDB lets an index be built beside every kind of write; a fold
 * that moves a row which is deleted or replaced meanwhile fails, and then runs once more between two writes. Rounds of all
 * tables run one after another, so that they leave processor and memory to others.
 */
import type { Schedule } from "../../base/backoff.ts";
import type { Log } from "../../base/log.ts";
import type { Plane } from "../../domain/plane.ts";
import { returnMemoryWhenIdle } from "../../runtime/native.ts";
import type { LanceDb, Session, Table } from "./binding.ts";
import { filesUnder, syncFiles } from "./files.ts";
import { SCALAR_INDEXES } from "./rows.ts";
import { type Extent, isParted, isWorn, isWornForPause, NO_WEAR, VECTOR_EXACT_MAX_ROWS, VECTOR_PAUSE_MS, type Wear } from "./wear.ts";

/** LanceDB's own name for the index of the column `vector`. */
const VECTOR_INDEX = "vector_idx";
/** Old versions of a table are kept this long for queries that still read them. */
const VERSION_GRACE_MS = 60_000;
/** The codes of the index of vectors, which docs/decision/0002 compares with others. */
const RQ_BITS = 4;
/**
 * So many rows lie in one of its partitions, on average. LanceDB writes the whole index again to split one of more than
 * 32,768, or to join one of fewer than 2,048 with others, so the average is as far from both.
 */
const PARTITION_ROWS = 8_000;

export interface UpkeepOptions {
  lancedb: LanceDb;
  session: Session;
  /** Nobody else uses this handle: LanceDB makes whoever does wait. */
  table: Table;
  plane: Plane;
  directory: string;
  log: Log;
  now: () => number;
  schedule: Schedule;
  /** Runs work after that of other tables. Never rejects. */
  afterOthers: (work: () => Promise<void>) => Promise<void>;
  /** Runs work between two writes. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

export class Upkeep {
  /** Whether the vectors have an index. */
  indexed = false;
  private rows = 0;
  private wear: Wear = NO_WEAR;
  /** Rows written since the index of vectors was last built whole. */
  private appended = 0;
  /** Whether a round waits for those of other tables. */
  private waiting = false;
  /** The round that runs; it never rejects. */
  private round: Promise<void> | null = null;
  private closed = false;
  /** Cancels the round that is due after a pause in writing. */
  private resume = () => {};

  constructor(private readonly options: UpkeepOptions) {}

  /** Whether a round runs, or is about to. */
  get running(): boolean {
    return this.waiting || this.round !== null;
  }

  /** Learns what an earlier process left. */
  async load(): Promise<void> {
    const { table } = this.options;
    this.indexed = (await table.listIndices()).some(({ columns }) => columns.includes("vector"));
    const { numRows, fragmentStats } = await table.stats();
    const index = this.indexed ? await table.indexStats(VECTOR_INDEX) : undefined;
    this.rows = numRows;
    // When the index was last built whole, all rows were put into one fragment: the largest.
    this.appended = numRows - Math.min(numRows, fragmentStats.lengths.max);
    this.wear = {
      // Fragments of different parts of the index stay apart.
      commits: fragmentStats.numFragments - (index?.numIndices ?? 0),
      unindexed: index?.numUnindexedRows ?? numRows,
      // The lengths include deleted rows.
      stale: fragmentStats.numFragments * fragmentStats.lengths.mean - numRows,
    };
  }

  /** Begins the round that an earlier process left undone. */
  async begin(): Promise<void> {
    if ((await this.indexesDue(false)).length > 0) this.start(false);
    else this.rest();
  }

  /** A write has left this; the table has `rows` now. */
  wrote({ commits, unindexed, stale }: Wear, rows: number): void {
    this.rows = rows;
    this.appended += unindexed;
    const { wear } = this;
    this.wear = { commits: wear.commits + commits, unindexed: wear.unindexed + unindexed, stale: wear.stale + stale };
    this.next();
  }

  /** Waits for the round that runs: LanceDB cannot break it off. */
  async close(): Promise<void> {
    this.closed = true;
    this.resume();
    await this.round;
    this.options.table.close();
  }

  /** Starts a round when enough has changed. Rounds run one after another. */
  private next(): void {
    if (this.running) return;
    if (isWorn(this.wear, this.extent())) this.start(false);
    else this.rest();
  }

  private start(paused: boolean): void {
    this.resume();
    if (this.closed) return;
    this.waiting = true;
    void this.options.afterOthers(async () => {
      this.waiting = false;
      if (this.closed) return;
      this.round = this.maintain(paused);
      await this.round;
      this.round = null;
      this.next();
    });
  }

  /** After VECTOR_PAUSE_MS without a write there is a round, if enough has changed. */
  private rest(): void {
    this.resume();
    if (this.closed) return;
    this.resume = this.options.schedule(VECTOR_PAUSE_MS, () => {
      if (isWornForPause(this.wear, this.extent())) this.start(true);
    });
  }

  private extent(): Extent {
    return { rows: this.rows, indexed: this.indexed, appended: this.appended };
  }

  /** A failure loses no rows: it is logged, and upkeep runs again when as much has changed once more. */
  private async maintain(paused: boolean): Promise<void> {
    const { session, plane, directory, log } = this.options;
    const { wear } = this;
    this.wear = NO_WEAR;
    try {
      const known = new Set(await filesUnder(directory));
      // Fragments are folded when they lie in the same part of the index: where it is built whole, afterwards.
      for (const column of await this.indexesDue(paused)) await this.buildIndex(column);
      await this.fold();
      const files = await filesUnder(directory);
      await syncFiles(files.filter((path) => !known.has(path)));
      if (!this.indexed) this.wear = { ...this.wear, unindexed: this.rows };
      // Files of this table, and the memory of the caches of all tables.
      const held = { files: files.length, cached_bytes: Number(session.sizeBytes()), cached_items: session.approxNumItems() };
      log.debug("vectors were tidied up", { plane, rows: this.rows, ...wear, ...held });
    } catch (error) {
      log.warn("vector maintenance failed", { plane, error });
    } finally {
      returnMemoryWhenIdle();
    }
  }

  private async fold(): Promise<void> {
    const { table, now, inTurn } = this.options;
    const optimize = () => table.optimize({ cleanupOlderThan: new Date(now() - VERSION_GRACE_MS) });
    await optimize().catch(() => inTurn(optimize));
  }

  /**
   * The columns to index: those without an index, as after a crash between two of them; all of them when the index of
   * vectors has so many parts that searching a new one is faster.
   */
  private async indexesDue(paused: boolean): Promise<string[]> {
    if (this.rows <= VECTOR_EXACT_MAX_ROWS) return [];
    const { table } = this.options;
    const wanted = ["vector", ...Object.keys(SCALAR_INDEXES)];
    const stats = this.indexed ? await table.indexStats(VECTOR_INDEX) : undefined;
    if (isParted(stats?.numIndices ?? 1, this.extent(), paused)) return wanted;
    const made = new Set((await table.listIndices()).flatMap(({ columns }) => columns));
    return wanted.filter((column) => !made.has(column));
  }

  private async buildIndex(column: string): Promise<void> {
    const { table, lancedb } = this.options;
    const kind = SCALAR_INDEXES[column as keyof typeof SCALAR_INDEXES];
    const numPartitions = Math.ceil(this.rows / PARTITION_ROWS);
    const vectors = () => lancedb.Index.ivfRq({ distanceType: "cosine", numPartitions, numBits: RQ_BITS });
    const { appended } = this;
    await table.createIndex(column, { config: kind === undefined ? vectors() : lancedb.Index[kind](), replace: true });
    if (column !== "vector") return;
    this.indexed = true;
    this.appended -= appended;
  }
}

/** Vector search on LanceDB: one table a plane. The only importer of the package. */
import { dirname } from "node:path";
import type * as Lance from "@lancedb/lancedb";
import { type Schedule, systemSchedule } from "../../base/backoff.ts";
import { systemClock } from "../../base/clock.ts";
import { DamageFault, Fault, StartError } from "../../base/fault.ts";
import { VECTOR_INDEX_CACHE_BYTES, VECTOR_METADATA_CACHE_BYTES, VECTOR_ROWS_MAX } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { takeRoom } from "../../base/turns.ts";
import { machineFault } from "../../base/machine.ts";
import type { Plane } from "../../domain/plane.ts";
import type { EncoderInfo } from "../../domain/port/encoder.ts";
import type { IndexEntry, Inspected, IndexedRow, IndexState, RankedHits, Restriction } from "../../domain/port/index.ts";
import { type AttributeRows, bestWindows, type VectorHit, type VectorRow, type VectorTable } from "../../domain/port/vector-index.ts";
import { Availability } from "../../base/availability.ts";
import { returnMemoryWhenIdle } from "../../runtime/native.ts";
import { filesUnder, syncIfThere } from "./files.ts";
import { checkFormat } from "./format.ts";
import { ATTRIBUTE_COLUMNS, attributesOf, halvesOf, restrictionSql, SCALAR_INDEXES, tableRows, tableSchema } from "./rows.ts";
import { isParted, isWorn, isWornForPause, type Extent, type Wear, VECTOR_EXACT_MAX_ROWS, VECTOR_PAUSE_MS } from "./wear.ts";

/** The model that gave the vectors of a table, and their length. */
export type VectorModel = Pick<EncoderInfo, "model" | "dims">;

export interface VectorEngine {
  /**
   * Opens the table of a plane in `directory`, and creates it when it is missing. Vectors of another model count as damage,
   * since they cannot be compared. Errors: StartError for a newer format; DamageFault when the caller may delete the table
   * and build it again; Fault `unavailable` for everything else.
   */
  open(directory: string, plane: Plane, model: VectorModel): Promise<VectorTable>;
  /** Opens an existing table for reading and changes nothing. Errors: as open; DamageFault for a missing table, too. */
  inspect(directory: string, plane: Plane, model: VectorModel): Promise<Inspected>;
}

const TABLE = "windows";
/** LanceDB's own name for the index of the column `vector`. */
const VECTOR_INDEX = "vector_idx";
/** Old versions of a table are kept this long for queries that still read them. */
const VERSION_GRACE_MS = 60_000;

/**
 * The index: one partition of 4-bit residual codes (RaBitQ), scanned whole, and the best rescored with
 * the stored vectors. Measured against an exact scan in docs/benchmark.md.
 */
const RQ_BITS = 4;
const REFINE_FACTOR = 2;
const PARTITIONS_MAX = 20;

export interface VectorEngineOptions {
  log: Log;
  schedule?: Schedule;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export function createVectorEngine({ log, schedule = systemSchedule, now = systemClock }: VectorEngineOptions): VectorEngine {
  const lancedb = require("@lancedb/lancedb") as typeof Lance;
  const session = new lancedb.Session(BigInt(VECTOR_INDEX_CACHE_BYTES), BigInt(VECTOR_METADATA_CACHE_BYTES));
  async function load(directory: string, plane: Plane, { model, dims }: VectorModel, asItIs: boolean): Promise<LanceIndex> {
    try {
      await checkFormat(directory, model, asItIs);
      // Tables use the session only when it is given as an option: as an argument LanceDB ignores it.
      const connection = await lancedb.connect(directory, { readConsistencyInterval: 0, session });
      const known = asItIs || (await connection.tableNames()).includes(TABLE);
      const table = known ? await connection.openTable(TABLE) : await connection.createEmptyTable(TABLE, tableSchema(dims) as never);
      const index = new LanceIndex(lancedb, session, table, plane, dims, directory, log, now, schedule);
      await index.load(asItIs);
      return index;
    } catch (cause) {
      if (cause instanceof StartError) throw cause;
      const detail = `the ${plane} vectors are not available`;
      throw machineFault(cause) === null ? new DamageFault(detail, cause) : new Fault("unavailable", detail, { cause });
    }
  }
  return {
    open: (directory, plane, model) => load(directory, plane, model, false),
    inspect: (directory, plane, model) => load(directory, plane, model, true),
  };
}

class LanceIndex implements VectorTable {
  /** Writes and upkeep run one after another: when two run at once, LanceDB's conflict handling makes duplicate rows. */
  private queue: Promise<unknown> = Promise.resolve();
  /** The files of the table that were synced. */
  private synced: ReadonlySet<string> = new Set();
  private wear: Wear = { commits: 0, unindexed: 0, stale: 0 };
  private rowCount = 0;
  /** Rows written since the index of vectors was last built whole. */
  private appended = 0;
  /** No row has a higher uid; null until a write has found out. */
  private highestUid: number | null = 0;
  private windowed = false;
  private indexed = false;
  private building = false;
  private readonly availability: Availability;
  private closed = false;
  /** Cancels the upkeep that is due after a pause in writing. */
  private resume = () => {};

  constructor(
    private readonly lancedb: typeof Lance,
    private readonly session: Lance.Session,
    private readonly table: Lance.Table,
    readonly plane: Plane,
    private readonly dims: number,
    private readonly directory: string,
    private readonly log: Log,
    private readonly now: () => number,
    private readonly schedule: Schedule,
  ) {
    this.availability = new Availability(() => this.probe(), schedule);
  }

  /** Reads the counts that are kept in memory and, unless `asItIs`, begins the upkeep that is due since an earlier process. */
  async load(asItIs: boolean): Promise<void> {
    this.rowCount = await this.table.countRows();
    this.indexed = (await this.table.listIndices()).some(({ columns }) => columns.includes("vector"));
    if (this.rowCount > 0) {
      this.highestUid = null;
      this.windowed = (await this.table.countRows("win > 0")) > 0;
      // A first read finds damage while the index can still be built again.
      await this.probe();
    }
    this.wear = await this.wearOnDisk();
    this.synced = new Set(await filesUnder(this.directory));
    if (asItIs) return;
    if ((await this.indexesDue(false)).length > 0) this.queue = this.maintain(false);
    this.maintainInPause();
  }

  put(entries: readonly IndexEntry[]): Promise<void> {
    const withVectors = entries.filter(({ windows }) => windows.length > 0);
    return this.write(async () => {
      if (withVectors.length === 0) return;
      const rows = tableRows(withVectors, this.dims);
      const uids = withVectors.map(({ unit }) => unit.uid);
      if (await this.areNew(uids)) {
        await this.table.add(rows as never);
        this.highestUid = uids.reduce((most, uid) => Math.max(most, uid));
      } else {
        this.wear.stale += await this.replace(rows);
        if (this.highestUid !== null) this.highestUid = uids.reduce((most, uid) => Math.max(most, uid), this.highestUid);
      }
      this.wear.commits += 1;
      this.wear.unindexed += rows.numRows;
      this.appended += rows.numRows;
      this.windowed ||= withVectors.some(({ windows }) => windows.length > 1);
    });
  }

  /** True when these Units have no rows for sure, since every row has a lower uid; others may have rows to replace. */
  private async areNew(uids: readonly number[]): Promise<boolean> {
    const lowest = uids.reduce((least, uid) => Math.min(least, uid));
    if (this.highestUid !== null) return lowest > this.highestUid;
    return (await this.table.countRows(`uid >= ${lowest}`)) === 0;
  }

  remove(uids: readonly number[]): Promise<void> {
    return this.write(async () => {
      if (uids.length === 0) return;
      const { numDeletedRows } = await this.table.delete(`uid IN (${uids.join(",")})`);
      this.wear.stale += numDeletedRows;
      this.wear.commits += 1;
    });
  }

  async search(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>> {
    if (this.rowCount === 0) return { hits: [], exhausted: true };
    try {
      return await this.availability.reading(() => this.best(vector, limit, restriction)).finally(returnMemoryWhenIdle);
    } catch (cause) {
      throw new Fault("unavailable", `the ${this.plane} vectors are not available`, { cause });
    }
  }

  private async best(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>> {
    const where = restrictionSql(this.plane, restriction);
    // Several windows of one Unit may be among the rows: more rows are read until they are of enough Units.
    for (let rows = this.windowed ? limit * 2 : limit; ; rows = Math.min(VECTOR_ROWS_MAX, rows * 4)) {
      const found = await this.nearest(vector, rows, where);
      const hits = bestWindows(found);
      const exhausted = found.length < rows;
      if (hits.length >= limit || exhausted || rows >= VECTOR_ROWS_MAX)
        return { hits: hits.slice(0, limit), exhausted: exhausted && hits.length <= limit };
    }
  }

  async rows(): Promise<IndexedRow[]> {
    const rows: IndexedRow[] = [];
    for await (const batch of this.table.query().select(["uid", "version", "win"])) {
      const columns = ["uid", "version", "win"].map((name) => batch.getChild(name));
      for (let i = 0; i < batch.numRows; i += 1) {
        const [uid, version, window] = columns.map((column) => Number(column?.get(i)));
        rows.push({ uid: uid ?? 0, version: version ?? 0, window: window ?? 0 });
      }
    }
    return rows;
  }

  async *vectors(): AsyncGenerator<VectorRow> {
    const names = ["uid", "version", "class_id", "win"];
    try {
      for await (const batch of this.table.query().select([...names, "vector"])) {
        const [uids, versions, classes, windows] = names.map((name) => batch.getChild(name));
        const halves = halvesOf(batch);
        for (let from = 0; from < batch.numRows; ) {
          const to = from + (await takeRoom(batch.numRows - from));
          const vectors = new Float32Array(halves.subarray(from * this.dims, to * this.dims));
          for (let i = from; i < to; i += 1) {
            const vector = vectors.subarray((i - from) * this.dims, (i - from + 1) * this.dims);
            yield { uid: uids?.get(i), version: versions?.get(i), classId: classes?.get(i), window: windows?.get(i), vector };
          }
          from = to;
        }
      }
    } catch (cause) {
      throw new Fault("unavailable", `the ${this.plane} vectors are not available`, { cause });
    }
  }

  async *attributes(): AsyncGenerator<AttributeRows> {
    try {
      // The windows of a Unit have the same.
      for await (const batch of this.table.query().where("win = 0").select(ATTRIBUTE_COLUMNS)) yield attributesOf(batch);
    } catch (cause) {
      throw new Fault("unavailable", `the attributes of the ${this.plane} vectors are not available`, { cause });
    }
  }

  async state(): Promise<IndexState> {
    return { rows: this.rowCount, state: !this.working() ? "failing" : this.building ? "building" : "ok" };
  }

  working(): boolean {
    return this.availability.working;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.resume();
    this.availability.close();
    await this.queue.catch(() => {});
    this.table.close();
  }

  /** Makes a search for one row. */
  private async probe(): Promise<void> {
    await this.nearest(new Float32Array(this.dims).fill(1), 1, null);
  }

  private async nearest(vector: Float32Array, rows: number, where: string | null): Promise<VectorHit[]> {
    let query = this.table.query().nearestTo(vector).distanceType("cosine").limit(rows);
    // Every partition is searched: upkeep may split the one that was built, and a filter must not end the scan early.
    query = this.indexed ? query.minimumNprobes(PARTITIONS_MAX).maximumNprobes(0).refineFactor(REFINE_FACTOR) : query.bypassVectorIndex();
    if (where !== null) query = query.where(where);
    const hits: VectorHit[] = [];
    for await (const batch of query.select(["uid", "version", "win", "_distance"])) {
      const [uid, version, win, distance] = ["uid", "version", "win", "_distance"].map((name) => batch.getChild(name));
      for (let i = 0, room = 0; i < batch.numRows; i += 1, room -= 1) {
        if (room === 0) room = await takeRoom(batch.numRows - i);
        hits.push({ uid: uid?.get(i), version: version?.get(i), window: win?.get(i), similarity: 1 - distance?.get(i) });
      }
    }
    return hits;
  }

  /** Replaces rows by Unit and window in one commit; a Unit's text, and so its windows, never change. Returns how many rows were replaced. */
  private async replace(rows: unknown): Promise<number> {
    const { numUpdatedRows } = await this.table
      .mergeInsert(["uid", "win"])
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .execute(rows as never);
    return numUpdatedRows;
  }

  /** Runs a write after the ones before it; resolves when its files are synced. */
  private write(work: () => Promise<void>): Promise<void> {
    const written = async () => {
      await work();
      await this.sync();
      this.rowCount = await this.table.countRows();
    };
    this.resume();
    const run = this.queue.then(() => this.availability.writing(written)).finally(returnMemoryWhenIdle);
    // Upkeep rewrites the table, so it runs when enough has changed, and not by time. It delays the next write, but not the caller of this one.
    const upkeep = run.then(() => (isWorn(this.wear, this.extent()) ? this.maintain(false) : undefined)).catch(() => {});
    const last: Promise<void> = upkeep.then(() => (this.queue === last ? this.maintainInPause() : undefined));
    this.queue = last;
    return run;
  }

  /** LanceDB never syncs: this syncs every file that is new since the last time, and its directories. */
  private async sync(): Promise<void> {
    const files = await filesUnder(this.directory);
    const fresh = files.filter((path) => !this.synced.has(path));
    const directories = new Set(fresh.flatMap((path) => [dirname(path), dirname(dirname(path))]));
    await Promise.all([...fresh, ...directories].map(syncIfThere));
    this.synced = new Set(files);
  }

  /** The wear of a table that an earlier process wrote to. */
  private async wearOnDisk(): Promise<Wear> {
    const { numRows, fragmentStats } = await this.table.stats();
    const index = this.indexed ? await this.table.indexStats(VECTOR_INDEX) : undefined;
    // When the index was last built whole, all rows were put into one fragment: the largest.
    this.appended = numRows - Math.min(numRows, fragmentStats.lengths.max);
    return {
      commits: fragmentStats.numFragments,
      unindexed: index?.numUnindexedRows ?? numRows,
      // The lengths include deleted rows.
      stale: fragmentStats.numFragments * fragmentStats.lengths.mean - numRows,
    };
  }

  /** After VECTOR_PAUSE_MS without a write upkeep runs once, if enough has changed. */
  private maintainInPause(): void {
    this.resume();
    if (this.closed) return;
    const round = async () => {
      if (isWornForPause(this.wear, this.extent())) await this.maintain(true);
    };
    this.resume = this.schedule(VECTOR_PAUSE_MS, () => {
      this.queue = this.queue.then(round).catch(() => {});
    });
  }

  private extent(): Extent {
    return { rows: this.rowCount, indexed: this.indexed, appended: this.appended };
  }

  /** A failure loses no rows: it is logged, and upkeep runs again when as much has changed once more. */
  private async maintain(paused: boolean): Promise<void> {
    if (this.closed) return;
    this.building = true;
    const { wear } = this;
    this.wear = { commits: 0, unindexed: 0, stale: 0 };
    try {
      await this.table.optimize({ cleanupOlderThan: new Date(this.now() - VERSION_GRACE_MS) });
      const parted = this.indexed;
      const due = await this.indexesDue(paused);
      for (const column of due) await this.buildIndex(column);
      // Optimizing merges fragments of the same part of an index only: now all are in one part.
      if (parted && due.includes("vector")) await this.table.optimize();
      await this.sync();
      if (!this.indexed) this.wear.unindexed = this.rowCount;
      // Files of this table, and the memory of the caches of all tables.
      const held = { files: this.synced.size, cached_bytes: Number(this.session.sizeBytes()), cached_items: this.session.approxNumItems() };
      this.log.debug("vectors were tidied up", { plane: this.plane, rows: this.rowCount, ...wear, ...held });
    } catch (error) {
      this.log.warn("vector maintenance failed", { plane: this.plane, error });
    } finally {
      this.building = false;
      returnMemoryWhenIdle();
    }
  }

  /**
   * The columns to index: those without an index, as after a crash between two of them; all of them when the index of
   * vectors has so many parts that searching a new one is faster.
   */
  private async indexesDue(paused: boolean): Promise<string[]> {
    if (this.rowCount <= VECTOR_EXACT_MAX_ROWS) return [];
    const wanted = ["vector", ...Object.keys(SCALAR_INDEXES)];
    const stats = this.indexed ? await this.table.indexStats(VECTOR_INDEX) : undefined;
    if (isParted(stats?.numIndices ?? 1, this.extent(), paused)) return wanted;
    const made = new Set((await this.table.listIndices()).flatMap(({ columns }) => columns));
    return wanted.filter((column) => !made.has(column));
  }

  private async buildIndex(column: string): Promise<void> {
    const { Index } = this.lancedb;
    const kind = SCALAR_INDEXES[column as keyof typeof SCALAR_INDEXES];
    const config = kind === undefined ? Index.ivfRq({ distanceType: "cosine", numPartitions: 1, numBits: RQ_BITS }) : Index[kind]();
    await this.table.createIndex(column, { config, replace: true });
    if (column !== "vector") return;
    this.indexed = true;
    this.appended = 0;
  }
}

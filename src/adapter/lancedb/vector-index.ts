/** Vector search on LanceDB: one table a plane. */
import { access } from "node:fs/promises";
import { type Schedule, systemSchedule } from "../../base/backoff.ts";
import { systemClock } from "../../base/clock.ts";
import { DamageFault, Fault, StartError } from "../../base/fault.ts";
import { VECTOR_INDEX_CACHE_BYTES, VECTOR_METADATA_CACHE_BYTES } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { takeRoom } from "../../base/turns.ts";
import { machineFault } from "../../base/machine.ts";
import type { Plane } from "../../domain/plane.ts";
import type { EncoderInfo } from "../../domain/port/encoder.ts";
import type { IndexEntry, Inspected, IndexedRow, IndexState, RankedHits, Restriction } from "../../domain/port/index.ts";
import { type AttributeRows, bestUnits, type VectorHit, type VectorRow, type VectorTable } from "../../domain/port/vector-index.ts";
import { Availability } from "../../base/availability.ts";
import { collectWhenIdle, returnMemoryWhenIdle } from "../../runtime/native.ts";
import { loadLanceDb, type Session, type Table } from "./binding.ts";
import { filesUnder, syncFiles } from "./files.ts";
import { checkFormat } from "./format.ts";
import { ATTRIBUTE_COLUMNS, attributesOf, halvesOf, restrictionSql, tableRows, tableSchema } from "./rows.ts";
import { Upkeep, type UpkeepOptions } from "./upkeep.ts";
import { NO_WEAR, type Wear } from "./wear.ts";

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

/** The best of the index, times this, are scored again with the stored vectors. */
const REFINE_FACTOR = 2;
/** More than an index has, so that all are searched: reading every code of 250,000 rows is a quarter of a search, and with half of them recall is 0.97. */
const PARTITIONS_MAX = 4_096;

export interface VectorEngineOptions {
  log: Log;
  schedule?: Schedule;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export function createVectorEngine({ log, schedule = systemSchedule, now = systemClock }: VectorEngineOptions): VectorEngine {
  const lancedb = loadLanceDb();
  const newSession = () => new lancedb.Session(BigInt(VECTOR_INDEX_CACHE_BYTES), BigInt(VECTOR_METADATA_CACHE_BYTES));
  const session = newSession();
  /** Of all tables that are searched: its caches go with the last one that rests. */
  let searching: WeakRef<Session> | null = null;
  async function openToSearch(directory: string): Promise<SearchedTable> {
    // LanceDB makes a directory that is not there.
    await access(directory);
    const session = searching?.deref() ?? newSession();
    searching = new WeakRef(session);
    const connection = await lancedb.connect(directory, { readConsistencyInterval: 0, session });
    return { session, table: await connection.openTable(TABLE) };
  }
  let rounds = Promise.resolve();
  const afterOthers = (round: () => Promise<void>) => {
    rounds = rounds.then(round).catch((error: unknown) => log.warn("vector maintenance failed", { error }));
    return rounds;
  };
  async function load(directory: string, plane: Plane, { model, dims }: VectorModel, asItIs: boolean): Promise<LanceIndex> {
    try {
      await checkFormat(directory, model, asItIs);
      // Tables use the session only when it is given as an option: as an argument LanceDB ignores it.
      const connection = await lancedb.connect(directory, { readConsistencyInterval: 0, session });
      const known = asItIs || (await connection.tableNames()).includes(TABLE);
      const table = known ? await connection.openTable(TABLE) : await connection.createEmptyTable(TABLE, tableSchema(dims) as never);
      const upkept = await connection.openTable(TABLE);
      const upkeep = { lancedb, session, table: upkept, plane, directory, log, now, schedule, afterOthers };
      const index = new LanceIndex(table, () => openToSearch(directory), plane, dims, directory, schedule, upkeep);
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

/** A handle for searches alone, and what keeps its caches. */
interface SearchedTable {
  session: Session;
  table: Table;
}

class LanceIndex implements VectorTable {
  /** Writes run one after another: when two run at once, LanceDB's conflict handling makes duplicate rows. */
  private queue: Promise<unknown> = Promise.resolve();
  /** The files of the table that were synced. */
  private synced: ReadonlySet<string> = new Set();
  private rowCount = 0;
  /** No row has a higher uid; null until a write has found out. */
  private highestUid: number | null = 0;
  private windowed = false;
  /** Null until a search, and while others answer. */
  private searched: Promise<SearchedTable> | null = null;
  private readonly availability: Availability;
  private readonly upkeep: Upkeep;

  constructor(
    private readonly table: Table,
    private readonly openToSearch: () => Promise<SearchedTable>,
    readonly plane: Plane,
    private readonly dims: number,
    private readonly directory: string,
    schedule: Schedule,
    upkeep: Omit<UpkeepOptions, "inTurn">,
  ) {
    this.availability = new Availability(() => this.probe(), schedule);
    this.upkeep = new Upkeep({ ...upkeep, inTurn: (work) => this.inTurn(work) });
  }

  /** Reads the counts that are kept in memory and, unless `asItIs`, begins the upkeep that is due since an earlier process. */
  async load(asItIs: boolean): Promise<void> {
    this.rowCount = await this.table.countRows();
    await this.upkeep.load();
    if (this.rowCount > 0) {
      this.highestUid = null;
      this.windowed = (await this.table.countRows("win > 0")) > 0;
      // A first read finds damage while the index can still be built again.
      await this.probe();
    }
    this.synced = new Set(await filesUnder(this.directory));
    if (!asItIs) await this.upkeep.begin();
  }

  put(entries: readonly IndexEntry[]): Promise<void> {
    const withVectors = entries.filter(({ windows }) => windows.length > 0);
    return this.write(async () => {
      if (withVectors.length === 0) return NO_WEAR;
      const rows = tableRows(withVectors, this.dims);
      const uids = withVectors.map(({ unit }) => unit.uid);
      const areNew = await this.areNew(uids);
      if (areNew) await this.table.add(rows as never);
      const stale = areNew ? 0 : await this.replace(rows);
      if (areNew || this.highestUid !== null) this.highestUid = uids.reduce((most, uid) => Math.max(most, uid), this.highestUid ?? 0);
      this.windowed ||= withVectors.some(({ windows }) => windows.length > 1);
      return { commits: 1, unindexed: rows.numRows, stale };
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
      if (uids.length === 0) return NO_WEAR;
      const { numDeletedRows } = await this.table.delete(`uid IN (${uids.join(",")})`);
      return { commits: 1, unindexed: 0, stale: numDeletedRows };
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
    return bestUnits(limit, this.windowed, async (rows) => {
      const windows = await this.nearest(vector, rows, where);
      return { windows, all: windows.length < rows };
    });
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
    } finally {
      collectWhenIdle();
    }
  }

  async *attributes(): AsyncGenerator<AttributeRows> {
    try {
      // The windows of a Unit have the same.
      for await (const batch of this.table.query().where("win = 0").select(ATTRIBUTE_COLUMNS)) yield attributesOf(batch);
    } catch (cause) {
      throw new Fault("unavailable", `the attributes of the ${this.plane} vectors are not available`, { cause });
    } finally {
      collectWhenIdle();
    }
  }

  async state(): Promise<IndexState> {
    return { rows: this.rowCount, state: !this.working() ? "failing" : this.upkeep.running ? "building" : "ok" };
  }

  working(): boolean {
    return this.availability.working;
  }

  /** Searches that are under way end as they would have. */
  rest(): void {
    this.searched = null;
    collectWhenIdle();
  }

  async close(): Promise<void> {
    this.availability.close();
    await this.upkeep.close();
    await this.queue;
    this.table.close();
    (await this.searched?.catch(() => null))?.table.close();
  }

  private opened(): Promise<SearchedTable> {
    this.searched ??= this.openToSearch().catch((error: unknown) => {
      this.searched = null;
      throw error;
    });
    return this.searched;
  }

  /** Makes a search for one row. */
  private async probe(): Promise<void> {
    await this.nearest(new Float32Array(this.dims).fill(1), 1, null);
  }

  private async nearest(vector: Float32Array, rows: number, where: string | null): Promise<VectorHit[]> {
    const { table } = await this.opened();
    const query = table.query().nearestTo(vector).distanceType("cosine").limit(rows);
    // Every partition is searched; the upper bound of 20 is lifted first.
    if (this.upkeep.indexed) query.maximumNprobes(0).minimumNprobes(PARTITIONS_MAX).refineFactor(REFINE_FACTOR);
    else query.bypassVectorIndex();
    if (where !== null) query.where(where);
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
  private write(work: () => Promise<Wear>): Promise<void> {
    const written = async () => {
      const wear = await work();
      await this.sync();
      this.rowCount = await this.table.countRows();
      this.upkeep.wrote(wear, this.rowCount);
    };
    return this.inTurn(() => this.availability.writing(written)).finally(returnMemoryWhenIdle);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.queue.then(work);
    this.queue = run.catch(() => {});
    return run;
  }

  /** Syncs every file that is new since the last time. Of those that upkeep is writing it syncs a part: upkeep syncs them again. */
  private async sync(): Promise<void> {
    const files = await filesUnder(this.directory);
    await syncFiles(files.filter((path) => !this.synced.has(path)));
    this.synced = new Set(files);
  }
}

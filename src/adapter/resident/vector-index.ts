/**
 * Holds vectors in memory and answers from there. What is on disk is written first and keeps everything; it answers while the
 * vectors, or what filters compare, are being read from it, and when there is no memory for them.
 */
import type { Log } from "../../base/log.ts";
import { MemoryHolding, type MemoryShare } from "../../base/memory-share.ts";
import { Semaphore } from "../../base/semaphore.ts";
import { isEmpty } from "../../domain/filter.ts";
import type { IndexedRow, IndexEntry, IndexState, RankedHits, Restriction } from "../../domain/port/index.ts";
import type { VectorHit, VectorIndex, VectorSource, VectorTable } from "../../domain/port/vector-index.ts";
import { RowFilter } from "./row-filter.ts";
import { VectorCodes } from "./vector-codes.ts";

type Change = (codes: VectorCodes) => void;

/** Fewer vectors are waited for: reading them takes a few dozen milliseconds, once. */
const AWAITED_MAX_ROWS = 20_000;
/** Larger sources are read one after another: LanceDB reads up to 256 MB of each ahead. */
const largeSources = new Semaphore(1);

export interface ResidentOptions {
  dims: number;
  /** Searches wait until the vectors of a source with no more rows are read; absent: AWAITED_MAX_ROWS. */
  awaitedMaxRows?: number;
  /** Of all vectors. */
  memory: MemoryShare;
  log: Log;
}

/** The vectors of a source. */
export class ResidentVectors {
  /** Null until they are read, and for good when there is no memory for them. */
  private codes: VectorCodes | null = null;
  private readonly held: MemoryHolding;
  private loading: Promise<void> | null = null;
  /** Changes of the source since its vectors began to be read; null while they are not. */
  private missed: Change[] | null = null;
  /** Of `codes`. Null until a filter asks. */
  private rowFilter: RowFilter | null = null;
  private closed = false;

  constructor(
    private readonly source: VectorSource,
    private readonly options: ResidentOptions,
  ) {
    this.held = new MemoryHolding(options.memory);
  }

  /** Whether it has to hear of changes: not before vectors begin to be read. */
  get following(): boolean {
    return this.codes !== null || this.missed !== null;
  }

  /** To be called when the source has these. */
  put(entries: readonly IndexEntry[]): void {
    this.follow((codes) => {
      for (const entry of entries) replace(codes, entry);
    });
    this.rowFilter?.put(entries.map(({ unit }) => unit));
  }

  /** To be called when the source has them no more. */
  remove(uids: readonly number[]): void {
    this.follow((codes) => {
      for (const uid of uids) codes.remove(uid);
    });
  }

  /** As VectorIndex.search; null when memory does not have what it takes. */
  async search(vector: Float32Array, limit: number, { classes, filter, uids }: Restriction): Promise<RankedHits<VectorHit> | null> {
    if (this.codes === null) await this.begin(this.loaded());
    const { codes } = this;
    if (codes === null) return null;
    if (isEmpty(filter)) return codes.search(vector, limit, classes, uids && codes.rowsOf(uids));
    const rows = (await this.filtering(codes)).rows(filter, uids);
    return rows === null || this.codes !== codes ? null : codes.search(vector, limit, classes, rows);
  }

  /** Waits for what is read from a small source. */
  private async begin(loaded: Promise<void>): Promise<void> {
    if (await this.hasAtMost(this.options.awaitedMaxRows ?? AWAITED_MAX_ROWS)) await loaded;
  }

  private async hasAtMost(rows: number): Promise<boolean> {
    return (await this.source.state()).rows <= rows;
  }

  /** What tells which rows pass a filter. */
  private async filtering(codes: VectorCodes): Promise<RowFilter> {
    if (this.rowFilter?.worn) this.forgetAttributes();
    this.rowFilter ??= new RowFilter(this.source, codes, this.options.memory, this.options.log);
    if (this.rowFilter.loading) await this.begin(this.rowFilter.loaded);
    return this.rowFilter;
  }

  /** Resolves when the vectors are in memory, or it is known that they will not be; never rejects. */
  loaded(): Promise<void> {
    this.loading ??= this.load();
    return this.loading;
  }

  async close(): Promise<void> {
    this.closed = true;
    // What has not begun to be read will not be.
    if (this.following) await this.loading;
    const reading = this.rowFilter?.loaded;
    this.release();
    await reading;
  }

  /** Changes the vectors as the source was changed, or later, when they are read. */
  private follow(change: Change): void {
    this.missed?.push(change);
    if (this.codes === null) return;
    change(this.codes);
    if (!this.account(this.codes)) this.release();
  }

  /** Reads all vectors of the source. Rejects never: whoever then searches on disk is told. */
  private async load(): Promise<void> {
    try {
      if (await this.hasAtMost(AWAITED_MAX_ROWS)) await this.read();
      else await largeSources.during(1, () => this.read());
    } catch (error) {
      this.options.log.warn("vectors could not be read into memory", { plane: this.source.plane, error });
      this.release();
    } finally {
      this.missed = null;
    }
  }

  private async read(): Promise<void> {
    if (this.closed) return;
    const missed: Change[] = [];
    this.missed = missed;
    const codes = new VectorCodes(this.options.dims);
    try {
      for await (const row of this.source.vectors()) {
        if (this.closed) return;
        codes.add(row);
        if (!this.account(codes)) return this.release();
      }
      for (const change of missed) change(codes);
      if (!this.account(codes)) return this.release();
      this.codes = codes;
    } finally {
      if (this.codes !== codes) codes.release();
    }
    this.source.rest?.();
  }

  /** Takes the memory that they have grown by. False: there is none left. */
  private account({ bytes }: VectorCodes): boolean {
    if (this.held.hold(bytes)) return true;
    this.options.log.warn("there is no memory left for vectors: they are searched on disk", { plane: this.source.plane, bytes });
    return false;
  }

  private release(): void {
    this.codes?.release();
    this.codes = null;
    this.held.release();
    this.forgetAttributes();
  }

  private forgetAttributes(): void {
    this.rowFilter?.release();
    this.rowFilter = null;
  }
}

/** The vectors of a plane: those of its table. */
export class ResidentVectorIndex implements VectorIndex {
  private readonly resident: ResidentVectors;

  constructor(
    private readonly table: VectorTable,
    options: ResidentOptions,
  ) {
    this.resident = new ResidentVectors(table, options);
  }

  get plane() {
    return this.table.plane;
  }

  async put(entries: readonly IndexEntry[]): Promise<void> {
    await this.table.put(entries);
    this.resident.put(entries);
  }

  async remove(uids: readonly number[]): Promise<void> {
    await this.table.remove(uids);
    this.resident.remove(uids);
  }

  async search(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>> {
    return (await this.resident.search(vector, limit, restriction)) ?? this.table.search(vector, limit, restriction);
  }

  /** As ResidentVectors.loaded. */
  loaded(): Promise<void> {
    return this.resident.loaded();
  }

  rows(): Promise<IndexedRow[]> {
    return this.table.rows();
  }

  state(): Promise<IndexState> {
    return this.table.state();
  }

  working(): boolean {
    return this.table.working();
  }

  async close(): Promise<void> {
    await this.resident.close();
    await this.table.close();
  }
}

/** A Unit's text, and so its windows, never change: one without windows has none to lose. */
function replace(codes: VectorCodes, { unit: { uid, version, classId }, windows }: IndexEntry): void {
  codes.remove(uid);
  for (const [window, { vector }] of windows.entries()) codes.add({ uid, version, classId, window, vector });
}

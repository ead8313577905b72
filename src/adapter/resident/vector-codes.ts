/**
 * Vectors in memory: the rows that bits tell to be near (row-scan.ts) are compared with all that is kept of them. Rows stand in no
 * order; one that was removed is used again.
 */
import { BestRows } from "../../base/best-rows.ts";
import { grown } from "../../base/columns.ts";
import { RowTable } from "../../base/row-table.ts";
import type { ClassSet, RankedHits } from "../../domain/port/index.ts";
import { bestUnits, type VectorHit, type VectorRow } from "../../domain/port/vector-index.ts";
import { ComparedRows } from "./compared-rows.ts";
import { BLOCK_ROWS, type CodedQuery, PASS_SEARCHES, RowBlocks } from "./row-blocks.ts";
import { RowScan } from "./row-scan.ts";

/** A search lets others run after so many rows that it compares, which take about two milliseconds. */
const TURN_ROWS = 32_768;
/** In place of a row. */
const NONE = 0;
/** Unit and version of a row, and about as much for where its Unit stands. */
const COLUMNS_BYTES = 4 * Int32Array.BYTES_PER_ELEMENT;

/** The rows that a search is restricted to: their numbers, or a byte for each row, 1 where it is meant. */
export type RowSet = Int32Array | Uint8Array;

export class VectorCodes {
  private readonly blocks: RowBlocks;
  private readonly scan: RowScan;
  private readonly compared = new ComparedRows(PASS_SEARCHES);
  private readonly free: number[] = [];
  private uids: Int32Array = new Int32Array(0);
  private versions: Int32Array = new Int32Array(0);
  /** Empty until a window is not its Unit's first, as is `next`. */
  private windows: Int32Array = new Int32Array(0);
  /** 1 + the row of another window of its Unit, or NONE. */
  private next: Int32Array = new Int32Array(0);
  /** A row of each Unit, from which `next` leads to its others. */
  private readonly first = new RowTable((row) => this.uids[row] as number);
  /** Searches that have not ended: until then the rows that they look at get no other Unit. */
  private searches = 0;
  private released = false;

  constructor(private readonly dims: number) {
    this.blocks = new RowBlocks(dims);
    this.scan = new RowScan(this.blocks);
  }

  /** What a row takes, in bytes, about. */
  static rowBytes(dims: number): number {
    return RowBlocks.rowBytes(dims) + COLUMNS_BYTES;
  }

  /** Bytes that it holds. */
  get bytes(): number {
    const columns = 2 * (this.uids.byteLength + this.windows.byteLength);
    return this.blocks.capacity * RowBlocks.rowBytes(this.dims) + columns + this.first.bytes;
  }

  /** Adds a window that it does not hold yet. */
  add({ uid, version, classId, window, vector }: VectorRow): void {
    const row = (this.searches === 0 ? this.free.pop() : undefined) ?? this.blocks.used;
    this.blocks.set(row, classId, vector);
    this.scan.forget();
    this.compared.forget();
    if (row >= this.uids.length) this.grow();
    this.uids[row] = uid;
    this.versions[row] = version;
    if (window > 0 || this.windowed) this.chain(row, uid, window);
    this.first.set(uid, row);
  }

  /** Removes all windows of a Unit. */
  remove(uid: number): void {
    for (const row of this.rowsOf([uid])) {
      this.blocks.free(row);
      this.free.push(row);
    }
    this.first.delete(uid);
  }

  /** The rows of these Units. */
  rowsOf(uids: readonly number[]): Int32Array {
    const rows: number[] = [];
    for (const uid of uids) {
      for (let row = this.first.rowOf(uid); row !== null; row = this.nextOf(row)) rows.push(row);
    }
    return Int32Array.from(rows);
  }

  /** As VectorIndex.search, of the Units in `classes` and, unless null, in the rows `among`. */
  async search(vector: Float32Array, limit: number, classes: ClassSet, among: RowSet | null): Promise<RankedHits<VectorHit>> {
    this.searches += 1;
    try {
      return await this.found(vector, limit, classes, among);
    } finally {
      this.searches -= 1;
      if (this.released) this.release();
    }
  }

  /** Gives its memory back when the searches that go on have ended. Nothing may be asked of it any more. */
  release(): void {
    this.released = true;
    if (this.searches === 0) this.blocks.release();
  }

  private async found(vector: Float32Array, limit: number, classes: ClassSet, among: RowSet | null): Promise<RankedHits<VectorHit>> {
    const query = this.blocks.coded(vector);
    const allowed = allowedClasses(classes);
    return bestUnits(limit, this.windowed, async (wanted) => {
      const listed = among instanceof Int32Array;
      const { rows, all } = listed
        ? { rows: among.filter((row) => this.blocks.passes(row, allowed)), all: true }
        : await this.scan.near({ vector, classes: allowed, mask: among, wanted });
      const compare = (some: Int32Array) => this.cosines(some, query);
      const cosines = await (listed ? compare(rows) : this.compared.cosines(vector, rows, compare));
      const best = this.best(rows, cosines, wanted).filter(({ row }) => this.blocks.passes(row, allowed));
      const windows = best.map((one) => this.hit(one)).sort(bySimilarity);
      return { windows: windows.slice(0, wanted), all: all && rows.length <= wanted };
    });
  }

  /** The `wanted` rows that are most similar, and others that are as similar as the last of them, in no order. */
  private best(rows: Int32Array, cosines: Float32Array, wanted: number): { row: number; score: number }[] {
    const best = new BestRows(wanted);
    for (let i = 0; i < rows.length; i += 1) best.offer(rows[i] as number, cosines[i] as number);
    const { tied } = best;
    if (tied === null) return best.rows();
    return Array.from(rows, (row, i) => ({ row, score: cosines[i] as number })).filter(({ score }) => score >= tied);
  }

  private async cosines(rows: Int32Array, query: CodedQuery): Promise<Float32Array> {
    const cosines = new Float32Array(rows.length);
    for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
      if (from > 0 && from % TURN_ROWS === 0) await new Promise((resolve) => setImmediate(resolve));
      cosines.set(this.blocks.cosines(rows.subarray(from, from + BLOCK_ROWS), query), from);
    }
    return cosines;
  }

  private hit({ row, score }: { row: number; score: number }): VectorHit {
    const [uid = 0, version = 0, window = 0] = [this.uids[row], this.versions[row], this.windows[row]];
    return { uid, version, window, similarity: score };
  }

  private get windowed(): boolean {
    return this.windows.length > 0;
  }

  /** Puts a row before the other ones of its Unit. */
  private chain(row: number, uid: number, window: number): void {
    if (row >= this.windows.length) {
      this.windows = grown(this.windows, this.blocks.capacity);
      this.next = grown(this.next, this.blocks.capacity);
    }
    const other = this.first.rowOf(uid);
    this.windows[row] = window;
    this.next[row] = other === null ? NONE : other + 1;
  }

  private nextOf(row: number): number | null {
    const next = this.next[row] ?? NONE;
    return next === NONE ? null : next - 1;
  }

  private grow(): void {
    this.uids = grown(this.uids, this.blocks.capacity);
    this.versions = grown(this.versions, this.blocks.capacity);
  }
}

/** By class, 1 where it is allowed; null: all are. */
function allowedClasses(classes: ClassSet): Uint8Array | null {
  if (classes === null) return null;
  const allowed = new Uint8Array((classes.at(-1) ?? 0) + 1);
  for (const id of classes) allowed[id] = 1;
  return allowed;
}

/** As they are returned: the most similar first. */
function bySimilarity(a: VectorHit, b: VectorHit): number {
  return b.similarity - a.similarity || a.uid - b.uid || a.window - b.window;
}

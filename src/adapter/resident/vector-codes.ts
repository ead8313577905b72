/**
 * Vectors in memory as integers of 16 bits: a scan reads their high bytes (scan.wat), and the best of it are compared with both
 * bytes, which is as exact as the half precision that is stored. Rows stand in no order; one that was removed is used again.
 */
import { readFileSync } from "node:fs";
import { VECTOR_ROWS_MAX } from "../../base/limits.ts";
import type { ClassSet, RankedHits } from "../../domain/port/index.ts";
import { bestWindows, type VectorHit, type VectorRow } from "../../domain/port/vector-index.ts";
import { BestRows } from "../../base/best-rows.ts";
import wasm from "./scan.wasm" with { type: "file" };

/** A byte offset in the memory of the kernel. */
type Ptr = number;

/** The exports of scan.wat, which describes them. */
interface Kernel {
  memory: WebAssembly.Memory;
  dots(rows: Ptr, count: number, dims: number, query: Ptr, out: Ptr): void;
}

let compiled: WebAssembly.Module | null = null;

function newKernel(): Kernel {
  compiled ??= new WebAssembly.Module(readFileSync(wasm));
  return new WebAssembly.Instance(compiled).exports as unknown as Kernel;
}

const PAGE_BYTES = 65_536;
/** The kernel reads 16 components at a time. */
const LANE = 16;
/** The kernel's sums stay within 32 bits: components of rows lie within 127. */
const SUM_MAX = 2 ** 31 - 1;
const INT16_MAX = 2 ** 15 - 1;
/** The largest component: rounded to its high byte it is still one of 8 bits. */
const COMPONENT_MAX = 127 * 256 + 127;
/** Rows of one call of the kernel: their sums stay in the processor's cache. */
const BLOCK_ROWS = 4_096;
/** A scan lets others run after so many rows, which take about a millisecond. */
const TURN_ROWS = 32_768;
/** Candidates that are compared with both bytes, for each wanted one, and at least: of 20 for 10 none was missing (docs/decision/0002). */
const CANDIDATES_PER_HIT = 2;
const CANDIDATES_MIN = 64;
/** The class of a row that is free. No Unit has a negative one. */
const FREE = -1;
const NONE = -1;

export class VectorCodes {
  private readonly kernel = newKernel();
  /** Components of a row, with those that fill it up to whole lanes. */
  private readonly width: number;
  private readonly queryMax: number;
  private readonly out: Ptr;
  private readonly rows: Ptr;
  private capacity = 0;
  /** Rows that were ever used. */
  private used = 0;
  private readonly free: number[] = [];
  /** Low bytes, in blocks of BLOCK_ROWS rows. */
  private readonly low: Int8Array[] = [];
  private uids = new Int32Array(0);
  private versions = new Int32Array(0);
  private windows = new Int32Array(0);
  private classes = new Int32Array(0);
  /** What a component is multiplied with to be that of a vector of length 1. */
  private scales = new Float32Array(0);
  /** The row of another window of its Unit, or NONE. */
  private next = new Int32Array(0);
  /** A row of each Unit, from which `next` leads to its others. */
  private readonly first = new Map<number, number>();
  private windowed = false;

  constructor(private readonly dims: number) {
    this.width = Math.ceil(dims / LANE) * LANE;
    this.queryMax = Math.min(INT16_MAX, Math.floor(SUM_MAX / (127 * this.width)));
    this.out = Math.ceil((this.width * 2) / LANE) * LANE;
    this.rows = this.out + BLOCK_ROWS * 4;
  }

  /** What a row takes, in bytes. */
  static rowBytes(dims: number): number {
    return 2 * Math.ceil(dims / LANE) * LANE + 6 * 4;
  }

  /** Bytes that it holds. */
  get bytes(): number {
    return this.capacity * VectorCodes.rowBytes(this.dims);
  }

  /** Adds a window that it does not hold yet. */
  add({ uid, version, classId, window, vector }: VectorRow): void {
    const row = this.free.pop() ?? this.used++;
    if (row >= this.capacity) this.grow();
    this.code(row, vector);
    this.uids[row] = uid;
    this.versions[row] = version;
    this.windows[row] = window;
    this.classes[row] = classId;
    this.next[row] = this.first.get(uid) ?? NONE;
    this.first.set(uid, row);
    this.windowed ||= window > 0;
  }

  /** Removes all windows of a Unit. */
  remove(uid: number): void {
    for (let row = this.first.get(uid) ?? NONE; row !== NONE; row = this.next[row] ?? NONE) {
      this.classes[row] = FREE;
      this.free.push(row);
    }
    this.first.delete(uid);
  }

  /** As VectorIndex.search, of the Units in `classes` and, unless null, among `uids`. */
  async search(vector: Float32Array, limit: number, classes: ClassSet, uids: readonly number[] | null): Promise<RankedHits<VectorHit>> {
    const query = unitLength(vector);
    const allowed = allowedClasses(classes);
    // Several windows of one Unit may be among the candidates: more are taken until they are of enough Units.
    let wanted = Math.max(CANDIDATES_MIN, CANDIDATES_PER_HIT * limit) * (this.windowed ? 2 : 1);
    for (; ; wanted = Math.min(VECTOR_ROWS_MAX, wanted * 4)) {
      const best = new BestRows(wanted);
      if (uids === null) await this.scan(query, allowed, best);
      else this.gather(uids, query, allowed, best);
      const all = best.seen <= wanted;
      const rows = [...best.rows()].filter((row) => passes(allowed, this.classes[row] ?? FREE));
      const hits = bestWindows(rows.map((row) => this.hit(row, query)).sort(bySimilarity));
      if (hits.length >= limit || all || wanted >= VECTOR_ROWS_MAX) return { hits: hits.slice(0, limit), exhausted: all && hits.length <= limit };
    }
  }

  /** Offers every row of a class that is allowed, by the high bytes. */
  private async scan(query: Float32Array, allowed: Uint8Array | null, best: BestRows): Promise<void> {
    const codes = this.queryCodes(query);
    for (let from = 0; from < this.used; from += BLOCK_ROWS) {
      if (from > 0 && from % TURN_ROWS === 0) await new Promise((resolve) => setImmediate(resolve));
      const count = Math.min(BLOCK_ROWS, this.used - from);
      const { buffer } = this.kernel.memory;
      new Int16Array(buffer, 0, this.width).set(codes);
      this.kernel.dots(this.rows + from * this.width, count, this.width, 0, this.out);
      const sums = new Int32Array(buffer, this.out, count);
      const { classes, scales } = this;
      for (let i = 0; i < count; i += 1) {
        const row = from + i;
        if (passes(allowed, classes[row] as number)) best.offer(row, (sums[i] as number) * (scales[row] as number));
      }
    }
  }

  private gather(uids: readonly number[], query: Float32Array, allowed: Uint8Array | null, best: BestRows): void {
    for (const uid of uids) {
      for (let row = this.first.get(uid) ?? NONE; row !== NONE; row = this.next[row] ?? NONE) {
        if (passes(allowed, this.classes[row] ?? FREE)) best.offer(row, this.cosine(row, query));
      }
    }
  }

  private hit(row: number, query: Float32Array): VectorHit {
    const [uid = 0, version = 0, window = 0] = [this.uids[row], this.versions[row], this.windows[row]];
    return { uid, version, window, similarity: this.cosine(row, query) };
  }

  private cosine(row: number, query: Float32Array): number {
    const high = this.high(row);
    const low = this.low[Math.floor(row / BLOCK_ROWS)] as Int8Array;
    const at = (row % BLOCK_ROWS) * this.width;
    let sum = 0;
    for (let i = 0; i < query.length; i += 1) sum += ((high[i] as number) * 256 + (low[at + i] as number)) * (query[i] as number);
    return sum * (this.scales[row] as number);
  }

  private code(row: number, vector: Float32Array): void {
    let squares = 0;
    let most = 0;
    for (let i = 0; i < this.dims; i += 1) {
      const value = vector[i] as number;
      squares += value * value;
      most = Math.max(most, Math.abs(value));
    }
    const factor = most === 0 ? 0 : COMPONENT_MAX / most;
    const high = this.high(row);
    const low = this.low[Math.floor(row / BLOCK_ROWS)] as Int8Array;
    const at = (row % BLOCK_ROWS) * this.width;
    for (let i = 0; i < this.dims; i += 1) {
      const value = Math.round((vector[i] as number) * factor);
      const upper = (value + 128) >> 8;
      high[i] = upper;
      low[at + i] = value - upper * 256;
    }
    this.scales[row] = most === 0 ? 0 : most / (COMPONENT_MAX * Math.sqrt(squares));
  }

  private high(row: number): Int8Array {
    return new Int8Array(this.kernel.memory.buffer, this.rows + row * this.width, this.width);
  }

  private queryCodes(query: Float32Array): Int16Array {
    const most = query.reduce((so_far, value) => Math.max(so_far, Math.abs(value)), 0);
    const codes = new Int16Array(this.width);
    if (most > 0) for (let i = 0; i < query.length; i += 1) codes[i] = Math.round(((query[i] as number) / most) * this.queryMax);
    return codes;
  }

  private grow(): void {
    this.capacity = Math.ceil(Math.max(BLOCK_ROWS, this.capacity * 1.25) / BLOCK_ROWS) * BLOCK_ROWS;
    const { memory } = this.kernel;
    const missing = this.rows + this.capacity * this.width - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    while (this.low.length * BLOCK_ROWS < this.capacity) this.low.push(new Int8Array(BLOCK_ROWS * this.width));
    this.uids = grown(this.uids, this.capacity);
    this.versions = grown(this.versions, this.capacity);
    this.windows = grown(this.windows, this.capacity);
    this.classes = grown(this.classes, this.capacity);
    this.next = grown(this.next, this.capacity);
    this.scales = grown(this.scales, this.capacity);
  }
}

function grown<T extends Int32Array | Float32Array>(from: T, length: number): T {
  const to = new (from.constructor as new (length: number) => T)(length);
  to.set(from);
  return to;
}

/** By class, 1 where it is allowed; null: all are. */
function allowedClasses(classes: ClassSet): Uint8Array | null {
  if (classes === null) return null;
  const allowed = new Uint8Array((classes.at(-1) ?? 0) + 1);
  for (const id of classes) allowed[id] = 1;
  return allowed;
}

function passes(allowed: Uint8Array | null, classId: number): boolean {
  return allowed === null ? classId !== FREE : allowed[classId] === 1;
}

/** A vector of length 1 in the same direction; zeros stay. */
function unitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const factor = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  return vector.map((value) => value * factor);
}

/** As they are returned: the most similar first. */
function bySimilarity(a: VectorHit, b: VectorHit): number {
  return b.similarity - a.similarity || a.uid - b.uid || a.window - b.window;
}

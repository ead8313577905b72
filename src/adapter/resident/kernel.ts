/** The kernel, WebAssembly that scan.wat describes, and its memory. */
import { readFileSync } from "node:fs";
import { preferHugePages, returnPages } from "../../runtime/native.ts";
import wasm from "./scan.wasm" with { type: "file" };

/** A byte offset in the memory of a kernel. */
export type Ptr = number;

interface Kernel {
  memory: WebAssembly.Memory;
  estimate(signs: Ptr, groups: number, columns: number, queries: Ptr, count: number, farthest: number, out: Ptr): void;
  tally(distances: Ptr, count: number, classes: Ptr, allowed: Ptr, mask: Ptr, wanted: number, histogram: Ptr, state: Ptr): void;
  select(distances: Ptr, count: number, classes: Ptr, allowed: Ptr, mask: Ptr, cut: number, first: number, out: Ptr): number;
  dots(list: Ptr, count: number, blocks: Ptr, dims: number, query: Ptr, out: Ptr): void;
}

/** A part of the memory that may have to grow. */
export interface Room {
  at: Ptr;
  bytes: number;
}

const PAGE_BYTES = 65_536;
const MB = 2 ** 20;
/** At most so much more than is missing is added at a time. It takes no memory before it is used, and a huge page lies inside of what was added at once. */
const GROWTH_MAX_BYTES = 64 * MB;
/** Less memory has pages of 4 KiB, so that little of a page is left unused. */
const HUGE_PAGES_MIN_BYTES = 16 * MB;
/** Parts that are larger go back to the system while nobody has them. */
const KEPT_MAX_BYTES = 32_768;
/** A line of the processor's cache. */
const ALIGN_BYTES = 64;
/** No index that shares a memory begins in one that is fuller: what is in it may grow as much again. */
const SHARED_MAX_BYTES = 1_024 * MB;

let compiled: WebAssembly.Module | null = null;
const shared: KernelMemory[] = [];

/** A kernel with its memory. */
export class KernelMemory {
  static readonly MAX_BYTES = 65_536 * PAGE_BYTES;
  readonly kernel: Kernel;
  /** All of the memory, until it grows. */
  bytes: Uint8Array = new Uint8Array(0);
  halves: Int16Array = new Int16Array(0);
  words: Uint32Array = new Uint32Array(0);
  floats: Float32Array = new Float32Array(0);
  private end: Ptr = 0;
  /** Parts that were given back, by their bytes. All zeros. */
  private readonly unused = new Map<number, Ptr[]>();

  /** `large`: it is to be in huge pages once it is large, of which an index that has little of it would leave most unused. */
  constructor(private readonly large = true) {
    compiled ??= new WebAssembly.Module(readFileSync(wasm));
    this.kernel = new WebAssembly.Instance(compiled).exports as unknown as Kernel;
    this.view();
  }

  /**
   * One that small indexes share. The engine reserves addresses for eight memories, and beyond that collects all garbage, up to a
   * tenth of a second long, before it makes another.
   */
  static shared(): KernelMemory {
    const open = shared.find(({ end }) => end < SHARED_MAX_BYTES);
    if (open !== undefined) return open;
    const added = new KernelMemory(false);
    shared.push(added);
    return added;
  }

  /** Zeros. */
  allocate(bytes: number): Ptr {
    const size = aligned(bytes);
    const again = this.unused.get(size)?.pop();
    if (again !== undefined) return again;
    const at = this.end;
    const missing = at + size - this.kernel.memory.buffer.byteLength;
    if (missing > 0) this.grow(missing);
    this.end += size;
    return at;
  }

  /** For parts of the same size. Nobody may use it any more. */
  free(at: Ptr, bytes: number): void {
    const size = aligned(bytes);
    if (size <= KEPT_MAX_BYTES) this.bytes.fill(0, at, at + size);
    else returnPages(this.bytes.subarray(at, at + size));
    const same = this.unused.get(size);
    if (same === undefined) this.unused.set(size, [at]);
    else same.push(at);
  }

  private grow(missing: number): void {
    const { memory } = this.kernel;
    const held = memory.buffer.byteLength;
    const added = Math.max(missing, Math.min(held, GROWTH_MAX_BYTES, KernelMemory.MAX_BYTES - held));
    memory.grow(Math.ceil(added / PAGE_BYTES));
    if (this.large && memory.buffer.byteLength >= HUGE_PAGES_MIN_BYTES) preferHugePages(memory.buffer);
    this.view();
  }

  private view(): void {
    const { buffer } = this.kernel.memory;
    this.bytes = new Uint8Array(buffer);
    this.halves = new Int16Array(buffer);
    this.words = new Uint32Array(buffer);
    this.floats = new Float32Array(buffer);
  }
}

/** What an index has of a memory. */
export class KernelParts {
  private readonly parts: Room[] = [];

  constructor(readonly memory: KernelMemory) {}

  /** Zeros. */
  allocate(bytes: number): Ptr {
    const at = this.memory.allocate(bytes);
    this.parts.push({ at, bytes });
    return at;
  }

  /** Where a part is that has as many bytes now, zeros if it had to move. */
  room(part: Room, bytes: number): Ptr {
    if (part.bytes < bytes) {
      part.bytes = 2 ** Math.ceil(Math.log2(2 * bytes));
      part.at = this.allocate(part.bytes);
    }
    return part.at;
  }

  /** Gives all of them back. */
  free(): void {
    for (const { at, bytes } of this.parts.splice(0)) this.memory.free(at, bytes);
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;
}

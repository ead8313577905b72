/** The kernel, WebAssembly that scan.wat describes, and its memory. */
import { readFileSync } from "node:fs";
import { preferHugePages } from "../../runtime/native.ts";
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
/** A line of the processor's cache. */
const ALIGN_BYTES = 64;

let compiled: WebAssembly.Module | null = null;

/** A kernel with memory of its own, of which nothing is given back before all of it. */
export class KernelMemory {
  static readonly MAX_BYTES = 65_536 * PAGE_BYTES;
  readonly kernel: Kernel;
  /** All of the memory, until it grows. */
  bytes: Uint8Array = new Uint8Array(0);
  halves: Int16Array = new Int16Array(0);
  words: Uint32Array = new Uint32Array(0);
  floats: Float32Array = new Float32Array(0);
  private end: Ptr = 0;

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(wasm));
    this.kernel = new WebAssembly.Instance(compiled).exports as unknown as Kernel;
  }

  /** Zeros. */
  allocate(bytes: number): Ptr {
    const at = this.end;
    this.end += Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;
    const { memory } = this.kernel;
    const missing = this.end - memory.buffer.byteLength;
    if (missing > 0) this.grow(missing);
    this.bytes = new Uint8Array(memory.buffer);
    this.halves = new Int16Array(memory.buffer);
    this.words = new Uint32Array(memory.buffer);
    this.floats = new Float32Array(memory.buffer);
    return at;
  }

  private grow(missing: number): void {
    const { memory } = this.kernel;
    const held = memory.buffer.byteLength;
    const added = Math.max(missing, Math.min(held, GROWTH_MAX_BYTES, KernelMemory.MAX_BYTES - held));
    memory.grow(Math.ceil(added / PAGE_BYTES));
    if (memory.buffer.byteLength >= HUGE_PAGES_MIN_BYTES) preferHugePages(memory.buffer);
  }

  /** Where a part is that has as many bytes now, zeros if it had to move. */
  room(part: Room, bytes: number): Ptr {
    if (part.bytes < bytes) {
      part.bytes = 2 * bytes;
      part.at = this.allocate(part.bytes);
    }
    return part.at;
  }
}

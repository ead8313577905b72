/** The memory of the kernel (postings.wat): pages that the postings of all indexes take and give back, and the scratch of a search. */
import { readFileSync } from "node:fs";
import { FLOOR, RISE } from "./bm25.ts";
import wasm from "./postings.wasm" with { type: "file" };

/** A byte offset in the memory; 0 is none. */
export type Ptr = number;

/** The exports of postings.wat, which describes them. */
interface Kernel {
  memory: WebAssembly.Memory;
  count(slice: Ptr, pages: Ptr, seen: Ptr): number;
  score(term: Ptr, terms: Ptr, page: Ptr, number: number, seen: Ptr, ofLength: number, scores: Ptr): void;
  select(scores: Ptr, count: number, cut: number, out: Ptr): number;
}

export const HALF_BYTES = 2;
export const WORD_BYTES = 4;
/** As WebAssembly has them. */
export const PAGE_BYTES = 65_536;
/** Rows whose kinds and lengths share a page. */
export const PAGE_ROWS = 8_192;
/** The share by which the memory grows at least: one that cannot grow in place is copied each time. */
const GROWTH = 1 / 8;

const module = new WebAssembly.Module(readFileSync(wasm));

export class Pages {
  kernel!: Kernel;
  /** All of the memory, until a page is taken. */
  bytes!: Uint8Array;
  halves!: Uint16Array;
  words!: Uint32Array;
  doubles!: Float64Array;
  /** Pages that were given back. */
  private free: Ptr[] = [];
  /** Where pages begin that nobody took yet. */
  private end!: Ptr;
  private taken = 0;
  /** What `scratch` gave last. */
  private last = { at: 0, pages: 0 };

  constructor() {
    this.start();
  }

  /** Zeros. Errors: RangeError when there is no more memory. */
  take(): Ptr {
    const again = this.free.pop();
    const page = again ?? this.extend(1);
    if (again !== undefined) this.bytes.fill(0, again, again + PAGE_BYTES);
    this.taken += 1;
    return page;
  }

  give(pages: readonly Ptr[]): void {
    this.taken -= pages.length;
    this.free.push(...pages);
    // What was taken is given back to the system as a whole.
    if (this.taken === 0) this.start();
  }

  /** Memory of so many bytes until the next call, which may give the same. */
  scratch(bytes: number): Ptr {
    const pages = Math.ceil(bytes / PAGE_BYTES);
    if (pages > this.last.pages) {
      for (let page = 0; page < this.last.pages; page += 1) this.free.push(this.last.at + page * PAGE_BYTES);
      this.last = { at: this.extend(pages), pages };
    }
    return this.last.at;
  }

  private start(): void {
    this.kernel = new WebAssembly.Instance(module, { bm25: { rise: RISE, floor: FLOOR } }).exports as unknown as Kernel;
    this.free = [];
    this.end = PAGE_BYTES;
    this.last = { at: 0, pages: 0 };
    this.look();
  }

  private extend(pages: number): Ptr {
    const at = this.end;
    const end = at + pages * PAGE_BYTES;
    const { memory } = this.kernel;
    const missing = (end - memory.buffer.byteLength) / PAGE_BYTES;
    if (missing > 0) memory.grow(Math.max(missing, Math.ceil((end / PAGE_BYTES) * GROWTH)));
    this.end = end;
    this.look();
    return at;
  }

  private look(): void {
    const { buffer } = this.kernel.memory;
    this.bytes = new Uint8Array(buffer);
    this.halves = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }
}

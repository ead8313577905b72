/** Dot products of one vector with many: all of them roughly and fast (dot-products.wat), and each exactly. */
import { readFileSync } from "node:fs";
import { assert } from "./fault.ts";
import wasm from "./dot-products.wasm" with { type: "file" };

/** A byte offset in the memory of the kernel. */
type Ptr = number;

/** The exports of dot-products.wat, which describes them. */
interface Kernel {
  memory: WebAssembly.Memory;
  dots(rows: Ptr, count: number, width: number, vector: Ptr, out: Ptr): void;
}

const PAGE_BYTES = 65_536;
const FLOAT_BYTES = 4;
/** The kernel reads 8 components at a time. */
const LANE = 8;
/** Of vectors of length 1 and up to some thousand components a rough product is less than this from the exact one. */
export const ROUGH_ERROR_MAX = 1e-4;

export class DotProducts {
  private readonly kernel: Kernel;
  /** Components of a row, with those that fill it up to whole lanes. */
  private readonly width: number;
  readonly count: number;

  /** `vectors`: one after another, `dims` floats each; copied. */
  constructor(
    vectors: Float32Array,
    private readonly dims: number,
  ) {
    this.width = Math.ceil(dims / LANE) * LANE;
    this.count = vectors.length / dims;
    this.kernel = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasm))).exports as unknown as Kernel;
    const bytes = (this.count * (this.width + 1) + this.width) * FLOAT_BYTES;
    this.kernel.memory.grow(Math.ceil(bytes / PAGE_BYTES));
    for (let row = 0; row < this.count; row += 1) this.floats(row * this.width, dims).set(vectors.subarray(row * dims, (row + 1) * dims));
  }

  /** Of every vector with `vector`, each less than ROUGH_ERROR_MAX off; until the next call. */
  rough(vector: Float32Array): Float32Array {
    assert(vector.length === this.dims, "vectors have one length");
    const query = this.count * this.width;
    const out = query + this.width;
    this.floats(query, this.dims).set(vector);
    this.kernel.dots(0, this.count, this.width, query * FLOAT_BYTES, out * FLOAT_BYTES);
    return this.floats(out, this.count);
  }

  /** Of one vector with `vector`, in double precision. */
  exact(row: number, vector: Float32Array): number {
    const own = this.floats(row * this.width, this.dims);
    let sum = 0;
    for (let at = 0; at < this.dims; at += 1) sum += (own[at] as number) * (vector[at] as number);
    return sum;
  }

  /** The greatest of all, exactly; -Infinity without any. `rough`: of the same vector. */
  greatest(rough: Float32Array, vector: Float32Array): number {
    const most = rough.reduce((greatest, product) => Math.max(greatest, product), Number.NEGATIVE_INFINITY);
    let greatest = Number.NEGATIVE_INFINITY;
    rough.forEach((product, row) => {
      if (product >= most - 2 * ROUGH_ERROR_MAX) greatest = Math.max(greatest, this.exact(row, vector));
    });
    return greatest;
  }

  private floats(from: number, count: number): Float32Array {
    return new Float32Array(this.kernel.memory.buffer, from * FLOAT_BYTES, count);
  }
}

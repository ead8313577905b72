/**
 * Rows as the kernel (scan.wat) reads them, in its memory, in blocks: of each component of a vector 12 bits, and one, its sign, that
 * tells on which side of the centre it is. The signs give a rough distance, which is quick to tell for every row.
 */
import { KernelMemory, KernelParts, type Ptr } from "./kernel.ts";
import { inverseRoot, toIntegers } from "./numbers.ts";
import { rowTerms } from "./rough-distance.ts";

/** The kernel knows it too. */
export const BLOCK_ROWS = 4_096;
/** Components that the kernel reads at a time, and how many of their products it adds up in one lane. */
const LANE = 32;
const LANE_PRODUCTS = 2;
/** Rows whose signs stand together. */
export const GROUP_ROWS = 16;
/** The largest component of a row. */
const COMPONENT_MAX = 2 ** 11 - 1;
const INT16_MAX = 2 ** 15 - 1;
const SUM_MAX = 2 ** 31 - 1;
/** Of the factors and terms of a group's rows, behind their signs. */
const GROUP_TERMS_BYTES = 2 * GROUP_ROWS * Int16Array.BYTES_PER_ELEMENT;
/** Searches that share a pass over the rows (row-scan.ts), at most: with more the main thread would do nothing else for too long. */
export const PASS_SEARCHES = 4;
/** The class of a row that is free, to the kernel; a class of Units is one higher than its id. */
export const FREE = 0;

/** With more, an index has a memory of its own. */
const SHARED_MAX_BLOCKS = 2;

/** Where a block's parts are. */
export interface Block {
  /** Followed by the rows' scales: what a product with components is multiplied with to be one with a vector of length 1. */
  components: Ptr;
  /** By groups of rows, each with their factors and terms: what a row's signs tell is multiplied with the one, and the other added. */
  signs: Ptr;
  /** To the queries of PASS_SEARCHES searches, one behind the other. */
  distances: Ptr;
  classes: Ptr;
}

/** What the kernel reads and writes beside blocks. */
interface Buffers {
  query: Ptr;
  /** Row numbers, and what the kernel makes of them. */
  list: Ptr;
  products: Ptr;
  /** The addresses of blocks. */
  directory: Ptr;
}

/** A vector as rows are compared with it. */
export interface CodedQuery {
  vector: Float32Array;
  components: Int16Array;
  scale: number;
}

export class RowBlocks {
  /** They are in another memory once there are more than SHARED_MAX_BLOCKS. */
  parts = new KernelParts(KernelMemory.shared());
  /** Components of a row, with those that fill it up to whole lanes. */
  private readonly width: number;
  /** Bytes of a row's signs. */
  readonly columns: number;
  private readonly queryMax: number;
  private readonly blocks: Block[] = [];
  private buffers: Buffers;
  /** Rows that were ever used. */
  used = 0;
  /** One more than the highest class of a row, as the kernel has it. */
  classesEnd = FREE + 1;
  /** The mean of the first block's rows, once it is full. Texts have a direction in common, which tells nothing. */
  centre: Float32Array | null = null;
  /** A vector of which a row is made, or the other way round. */
  private readonly unit: Float32Array;
  private readonly components: Int32Array;

  constructor(readonly dims: number) {
    this.width = Math.ceil(dims / LANE) * LANE;
    this.columns = this.width / 8;
    this.queryMax = Math.min(INT16_MAX, Math.floor(SUM_MAX / (COMPONENT_MAX * LANE_PRODUCTS * (this.width / LANE))));
    this.unit = new Float32Array(this.width);
    this.components = new Int32Array(this.width);
    this.buffers = this.allocateBuffers();
  }

  /** What a row takes, in bytes. */
  static rowBytes(dims: number): number {
    return 1.5 * Math.ceil(dims / LANE) * LANE + (Math.ceil(dims / LANE) * LANE) / 8 + 4 + 4 + 2 * PASS_SEARCHES + 4;
  }

  /** Bytes of a group's signs, factors and terms. */
  private get groupBytes(): number {
    return GROUP_ROWS * this.columns + GROUP_TERMS_BYTES;
  }

  get memory(): KernelMemory {
    return this.parts.memory;
  }

  get capacity(): number {
    return this.blocks.length * BLOCK_ROWS;
  }

  /** The vector is of any length. Rows are used in their order at first. */
  set(row: number, classId: number, vector: Float32Array): void {
    while (row >= this.capacity) this.addBlock();
    this.encode(row, vector);
    if (this.centre !== null) this.sign(row, this.centre);
    else if (row === BLOCK_ROWS - 1) this.makeCentre();
    this.memory.words[this.classAt(row)] = classId + 1;
    this.classesEnd = Math.max(this.classesEnd, classId + 2);
    this.used = Math.max(this.used, row + 1);
  }

  /** Nothing may be asked of them any more. */
  release(): void {
    this.blocks.length = 0;
    this.used = 0;
    this.parts.free();
  }

  free(row: number): void {
    this.memory.words[this.classAt(row)] = FREE;
  }

  /** Whether a row has a Unit, of a class that is allowed: by class, 1 where it is; null: every class. */
  passes(row: number, classes: Uint8Array | null): boolean {
    const held = this.memory.words[this.classAt(row)] as number;
    return held !== FREE && (classes === null || classes[held - 1] === 1);
  }

  /** Of at most BLOCK_ROWS rows. The result holds until the next call. */
  cosines(rows: Int32Array, query: CodedQuery): Float32Array {
    const { list, directory, products } = this.buffers;
    this.memory.bytes.set(new Uint8Array(query.components.buffer), this.buffers.query);
    this.memory.words.set(rows, list / 4);
    this.memory.kernel.dots(list, rows.length, directory, this.width, this.buffers.query, products);
    const cosines = this.memory.floats.subarray(products / 4, products / 4 + rows.length);
    for (let i = 0; i < cosines.length; i += 1) (cosines[i] as number) *= query.scale;
    return cosines;
  }

  coded(vector: Float32Array): CodedQuery {
    const components = new Int16Array(this.width);
    const squares = toIntegers(vector, this.queryMax, components);
    return { vector, components, scale: inverseRoot(squares) };
  }

  /** The blocks with the number of their rows that are used, in whole groups, and that of the first of these. */
  each(visit: (block: Block, count: number, from: number) => void): void {
    for (const [index, block] of this.blocks.entries()) {
      const from = index * BLOCK_ROWS;
      if (from >= this.used) return;
      visit(block, Math.min(BLOCK_ROWS, Math.ceil((this.used - from) / GROUP_ROWS) * GROUP_ROWS), from);
    }
  }

  /** Writes the components, and leaves the vector of length 1 that they stand for in `unit`. */
  private encode(row: number, vector: Float32Array): void {
    const { unit, components, width } = this;
    const { bytes } = this.memory;
    const squares = toIntegers(vector, COMPONENT_MAX, components);
    const scale = inverseRoot(squares);
    this.memory.floats[this.scaleAt(row)] = scale;
    for (let i = 0; i < width; i += 1) unit[i] = (components[i] as number) * scale;
    const upper = this.componentsAt(row);
    for (let part = 0; part < width; part += LANE) {
      const lower = upper + width + part / 2;
      for (let i = 0; i < LANE / 2; i += 1) {
        const [one, other] = [components[part + i] as number, components[part + LANE / 2 + i] as number];
        bytes[upper + part + i] = one >> 4;
        bytes[upper + part + LANE / 2 + i] = other >> 4;
        bytes[lower + i] = (one & 15) | ((other & 15) << 4);
      }
    }
  }

  /** Leaves the vector of a row in `unit`. */
  private decode(row: number): void {
    const { unit, width } = this;
    const { bytes } = this.memory;
    const upper = this.componentsAt(row);
    const scale = this.memory.floats[this.scaleAt(row)] as number;
    for (let i = 0; i < width; i += 1) {
      const lower = (bytes[upper + width + (i >> 5) * (LANE / 2) + (i & 15)] as number) >> (i & 16 ? 4 : 0);
      unit[i] = ((((bytes[upper + i] as number) << 24) >> 20) + (lower & 15)) * scale;
    }
  }

  /** Writes on which side of the centre the components in `unit` are, and the row's factor and term. */
  private sign(row: number, centre: Float32Array): void {
    const { unit, columns } = this;
    const { bytes, halves } = this.memory;
    const at = this.block(row).signs + Math.floor((row % BLOCK_ROWS) / GROUP_ROWS) * this.groupBytes;
    const lane = row % GROUP_ROWS;
    let [squares, sum, product] = [0, 0, 0];
    for (let column = 0; column < columns; column += 1) {
      let signs = 0;
      for (let i = 0; i < 8; i += 1) {
        const from = centre[8 * column + i] as number;
        const away = (unit[8 * column + i] as number) - from;
        if (away > 0) signs |= 1 << i;
        squares += away * away;
        sum += Math.abs(away);
        product += away * from;
      }
      bytes[at + column * GROUP_ROWS + lane] = signs;
    }
    const terms = (at + columns * GROUP_ROWS) / 2 + lane;
    const { factor, term } = rowTerms(this.dims, squares, sum, product);
    halves[terms] = factor;
    halves[terms + GROUP_ROWS] = term;
  }

  private makeCentre(): void {
    const centre = new Float32Array(this.width);
    for (let row = 0; row < BLOCK_ROWS; row += 1) {
      this.decode(row);
      for (let i = 0; i < this.width; i += 1) (centre[i] as number) += (this.unit[i] as number) / BLOCK_ROWS;
    }
    this.centre = centre;
    for (let row = 0; row < BLOCK_ROWS; row += 1) {
      this.decode(row);
      this.sign(row, centre);
    }
  }

  private block(row: number): Block {
    return this.blocks[Math.floor(row / BLOCK_ROWS)] as Block;
  }

  private componentsAt(row: number): Ptr {
    return this.block(row).components + (row % BLOCK_ROWS) * this.width * 1.5;
  }

  /** An index of `floats`. */
  private scaleAt(row: number): number {
    return (this.block(row).components + BLOCK_ROWS * this.width * 1.5) / 4 + (row % BLOCK_ROWS);
  }

  /** An index of `words`. */
  private classAt(row: number): number {
    return this.block(row).classes / 4 + (row % BLOCK_ROWS);
  }

  private addBlock(): void {
    if (this.blocks.length === SHARED_MAX_BLOCKS) this.move();
    this.blocks.push(this.allocateBlock());
    this.enter(this.blocks.length - 1);
  }

  /** Into a memory of its own. */
  private move(): void {
    const former = this.parts;
    this.parts = new KernelParts(new KernelMemory());
    this.buffers = this.allocateBuffers();
    for (const [index, block] of this.blocks.entries()) {
      const moved = this.allocateBlock();
      for (const part of ["components", "signs", "classes"] as const)
        this.memory.bytes.set(former.memory.bytes.subarray(block[part], block[part] + this.blockBytes[part]), moved[part]);
      this.blocks[index] = moved;
      this.enter(index);
    }
    former.free();
  }

  private allocateBlock(): Block {
    const { components, signs, distances, classes } = this.blockBytes;
    const { parts } = this;
    return {
      components: parts.allocate(components),
      signs: parts.allocate(signs),
      distances: parts.allocate(distances),
      classes: parts.allocate(classes),
    };
  }

  private get blockBytes(): Record<keyof Block, number> {
    return {
      components: BLOCK_ROWS * (this.width * 1.5 + 4),
      signs: (BLOCK_ROWS / GROUP_ROWS) * this.groupBytes,
      distances: BLOCK_ROWS * 2 * PASS_SEARCHES,
      classes: BLOCK_ROWS * 4,
    };
  }

  private allocateBuffers(): Buffers {
    const { parts } = this;
    const blocks = Math.ceil(KernelMemory.MAX_BYTES / (BLOCK_ROWS * RowBlocks.rowBytes(this.dims)));
    return {
      query: parts.allocate(this.width * 2),
      list: parts.allocate(BLOCK_ROWS * 4),
      products: parts.allocate(BLOCK_ROWS * 4),
      directory: parts.allocate(blocks * 4),
    };
  }

  /** Writes the address of a block into the directory. */
  private enter(index: number): void {
    this.memory.words[this.buffers.directory / 4 + index] = (this.blocks[index] as Block).components;
  }
}

/**
 * Rows as the kernel (scan.wat) reads them, in its memory, in blocks: of each component of a vector 12 bits, and one, its sign, that
 * tells on which side of the centre it is. The signs give a rough distance, which is quick to tell for every row.
 */
import { KernelMemory, type Ptr, type Room } from "./kernel.ts";
import { inverseRoot, same, squaresOf, toIntegers } from "./numbers.ts";
import { COSINE_STEPS, FARTHEST, roughQuery, rowTerms } from "./rough-distance.ts";

/** The kernel knows it too. */
export const BLOCK_ROWS = 4_096;
/** Components that the kernel reads at a time, and how many of their products it adds up in one lane. */
const LANE = 32;
const LANE_PRODUCTS = 2;
/** Rows whose signs stand together. */
const GROUP_ROWS = 16;
/** The largest component of a row. */
const COMPONENT_MAX = 2 ** 11 - 1;
const INT16_MAX = 2 ** 15 - 1;
const SUM_MAX = 2 ** 31 - 1;
/** Of the factors and terms of a group's rows, behind their signs. */
const GROUP_TERMS_BYTES = 2 * GROUP_ROWS * Int16Array.BYTES_PER_ELEMENT;
/**
 * The rows that are compared exactly: all whose distance is above that of the last one that would be wanted by distances alone, by
 * no more than so many times their usual error, and at least so many (docs/decision/0002).
 */
const CUT_MARGIN = 2.5;
const COMPARED_MIN = 384;
const EVERY_DISTANCE = 2 ** 16 - 1;
/** The class of a row that is free, to the kernel; a class of Units is one higher than its id. */
const FREE = 0;

/** Where a block's parts are. */
interface Block {
  /** Followed by the rows' scales: what a product with components is multiplied with to be one with a vector of length 1. */
  components: Ptr;
  /** By groups of rows, each with their factors and terms: what a row's signs tell is multiplied with the one, and the other added. */
  signs: Ptr;
  /** To the query that was measured last. */
  distances: Ptr;
  classes: Ptr;
}

/** A vector as rows are compared with it. */
export interface CodedQuery {
  vector: Float32Array;
  components: Int16Array;
  scale: number;
}

/** The rows that a search may find. */
export interface AllowedRows {
  /** By class, 1 where it is allowed; null: every class. */
  classes: Uint8Array | null;
  /** By row, 1 where it is allowed; null: every row of these classes. */
  mask: Uint8Array | null;
}

export class RowBlocks {
  private readonly memory = new KernelMemory();
  /** Components of a row, with those that fill it up to whole lanes. */
  private readonly width: number;
  /** Bytes of a row's signs. */
  private readonly columns: number;
  private readonly queryMax: number;
  private readonly blocks: Block[] = [];
  private readonly query: Ptr;
  private readonly tables: Ptr;
  private readonly histogram: Ptr;
  private readonly state: Ptr;
  /** Row numbers, and what the kernel makes of them. */
  private readonly list: Ptr;
  private readonly products: Ptr;
  /** The addresses of blocks. */
  private readonly directory: Ptr;
  private readonly allowed: Room = { at: 0, bytes: 0 };
  private readonly mask: Room = { at: 0, bytes: 0 };
  /** One more than the highest class of a row. */
  private classesEnd = FREE + 1;
  /** The mean of the first block's rows, once it is full. Texts have a direction in common, which tells nothing. */
  private centre: Float32Array | null = null;
  /** The query that the blocks have distances to. */
  private measured: Float32Array | null = null;
  /** How much farther than the last of the wanted rows one may be. */
  private margin = 0;
  /** A vector of which a row is made, or the other way round. */
  private readonly unit: Float32Array;
  private readonly components: Int32Array;

  constructor(private readonly dims: number) {
    this.width = Math.ceil(dims / LANE) * LANE;
    this.columns = this.width / 8;
    this.queryMax = Math.min(INT16_MAX, Math.floor(SUM_MAX / (COMPONENT_MAX * LANE_PRODUCTS * (this.width / LANE))));
    this.unit = new Float32Array(this.width);
    this.components = new Int32Array(this.width);
    this.query = this.memory.allocate(this.width * 2);
    this.tables = this.memory.allocate(this.columns * 2 * 16);
    this.histogram = this.memory.allocate((FARTHEST + 1) * 4);
    this.state = this.memory.allocate(8);
    this.list = this.memory.allocate(BLOCK_ROWS * 4);
    this.products = this.memory.allocate(BLOCK_ROWS * 4);
    this.directory = this.memory.allocate(Math.ceil(KernelMemory.MAX_BYTES / (BLOCK_ROWS * RowBlocks.rowBytes(dims))) * 4);
  }

  /** What a row takes, in bytes. */
  static rowBytes(dims: number): number {
    return 1.5 * Math.ceil(dims / LANE) * LANE + (Math.ceil(dims / LANE) * LANE) / 8 + 4 + 4 + 2 + 4;
  }

  /** Bytes of a group's signs, factors and terms. */
  private get groupBytes(): number {
    return GROUP_ROWS * this.columns + GROUP_TERMS_BYTES;
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
    this.measured = null;
  }

  free(row: number): void {
    this.memory.words[this.classAt(row)] = FREE;
  }

  /** Whether a row has a Unit, of a class that is allowed. */
  passes(row: number, { classes }: AllowedRows): boolean {
    const held = this.memory.words[this.classAt(row)] as number;
    return held !== FREE && (classes === null || classes[held - 1] === 1);
  }

  /**
   * Of the first `used` rows those that are allowed and can be among the `wanted` most similar ones, in their order; `all`: these are
   * all that are allowed. Only rows that are allowed decide on how many others are left out.
   */
  near(query: CodedQuery, used: number, allowed: AllowedRows, wanted: number): { rows: Int32Array; all: boolean } {
    const [classes, mask] = [this.putClasses(allowed.classes), this.putMask(allowed.mask)];
    if (this.centre === null) return { rows: this.selected(used, classes, mask, EVERY_DISTANCE), all: true };
    this.measure(query.vector, this.centre, used);
    const least = Math.max(wanted + 1, COMPARED_MIN);
    const { cut, counted } = this.tallied(used, classes, mask, least, wanted);
    return { rows: this.selected(used, classes, mask, cut), all: counted < least };
  }

  /** Of at most BLOCK_ROWS rows. The result holds until the next call. */
  cosines(rows: Int32Array, query: CodedQuery): Float32Array {
    this.memory.bytes.set(new Uint8Array(query.components.buffer), this.query);
    this.memory.words.set(rows, this.list / 4);
    this.memory.kernel.dots(this.list, rows.length, this.directory, this.width, this.query, this.products);
    const cosines = this.memory.floats.subarray(this.products / 4, this.products / 4 + rows.length);
    for (let i = 0; i < cosines.length; i += 1) (cosines[i] as number) *= query.scale;
    return cosines;
  }

  coded(vector: Float32Array): CodedQuery {
    const components = new Int16Array(this.width);
    const squares = toIntegers(vector, this.queryMax, components);
    return { vector, components, scale: inverseRoot(squares) };
  }

  /** Fills the distances of rows to a vector, unless the blocks have them. */
  private measure(vector: Float32Array, centre: Float32Array, used: number): void {
    if (this.measured !== null && same(this.measured, vector)) return;
    const { unit: query, columns } = this;
    const factor = inverseRoot(squaresOf(vector));
    for (let i = 0; i < this.dims; i += 1) query[i] = (vector[i] as number) * factor - (centre[i] as number);
    const rough = roughQuery(this.dims, query, this.memory.bytes.subarray(this.tables, this.tables + columns * 2 * 16));
    const error = Math.sqrt((squaresOf(query) * Math.max(0, 1 - squaresOf(centre))) / this.dims);
    this.margin = Math.ceil(CUT_MARGIN * error * COSINE_STEPS);
    this.eachBlock(used, ({ signs, distances }, count) => {
      const { even, shift, unit, scale } = rough;
      this.memory.kernel.estimate(signs, count / GROUP_ROWS, columns, this.tables, even, shift, unit, scale, FARTHEST, distances);
    });
    this.measured = vector.slice();
  }

  /** The cut, and how many allowed rows were counted up to it: fewer than `least` when there are no more. */
  private tallied(used: number, classes: Ptr, mask: Ptr, least: number, wanted: number): { cut: number; counted: number } {
    const histogram = this.memory.words.subarray(this.histogram / 4, this.histogram / 4 + FARTHEST + 1).fill(0);
    const state = this.memory.words.subarray(this.state / 4, this.state / 4 + 2);
    state.set([0, FARTHEST]);
    this.eachBlock(used, (block, count, from) => {
      const masked = mask === 0 ? 0 : mask + from;
      this.memory.kernel.tally(block.distances, count, block.classes, classes, masked, least, this.histogram, this.state);
    });
    const [counted = 0, leastCut = 0] = state;
    let last = 0;
    for (let sum = histogram[0] as number; sum < wanted && last < FARTHEST; sum += histogram[last] as number) last += 1;
    return { cut: Math.min(EVERY_DISTANCE, Math.max(leastCut, last + this.margin)), counted };
  }

  private selected(used: number, classes: Ptr, mask: Ptr, cut: number): Int32Array {
    const parts: Uint32Array[] = [];
    let length = 0;
    this.eachBlock(used, (block, count, from) => {
      const masked = mask === 0 ? 0 : mask + from;
      const found = this.memory.kernel.select(block.distances, count, block.classes, classes, masked, cut, from, this.list);
      parts.push(this.memory.words.slice(this.list / 4, this.list / 4 + found));
      length += found;
    });
    const rows = new Int32Array(length);
    let at = 0;
    for (const part of parts) {
      rows.set(part, at);
      at += part.length;
    }
    return rows;
  }

  private eachBlock(used: number, visit: (block: Block, count: number, from: number) => void): void {
    for (const [index, block] of this.blocks.entries()) {
      const from = index * BLOCK_ROWS;
      if (from >= used) return;
      visit(block, Math.min(BLOCK_ROWS, Math.ceil((used - from) / GROUP_ROWS) * GROUP_ROWS), from);
    }
  }

  /** A table of the classes that are allowed, as the kernel reads it. */
  private putClasses(classes: Uint8Array | null): Ptr {
    const end = this.classesEnd;
    const at = this.memory.room(this.allowed, end);
    const table = this.memory.bytes.subarray(at, at + end);
    if (classes === null) table.fill(1);
    else {
      table.fill(0);
      table.set(classes.subarray(0, end - 1), 1);
    }
    table[FREE] = 0;
    return at;
  }

  private putMask(mask: Uint8Array | null): Ptr {
    if (mask === null) return 0;
    const at = this.memory.room(this.mask, this.capacity);
    this.memory.bytes.fill(0, at, at + this.capacity);
    this.memory.bytes.set(mask.subarray(0, this.capacity), at);
    return at;
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
    const components = this.memory.allocate(BLOCK_ROWS * (this.width * 1.5 + 4));
    const [signs, distances] = [this.memory.allocate((BLOCK_ROWS / GROUP_ROWS) * this.groupBytes), this.memory.allocate(BLOCK_ROWS * 2)];
    this.memory.words[this.directory / 4 + this.blocks.length] = components;
    this.blocks.push({ components, signs, distances, classes: this.memory.allocate(BLOCK_ROWS * 4) });
  }
}

/**
 * Finds the rows that bits tell to be near a query. Searches that wait at the same time share a pass over the blocks: a block's signs come
 * from memory once, and are taken apart once for all of them. What a search finds does not depend on the others.
 */
import type { KernelMemory, KernelParts, Ptr, Room } from "./kernel.ts";
import { inverseRoot, same, squaresOf } from "./numbers.ts";
import { COSINE_STEPS, FARTHEST, type RoughQuery, roughQuery } from "./rough-distance.ts";
import { BLOCK_ROWS, type Block, FREE, GROUP_ROWS, PASS_SEARCHES, type RowBlocks } from "./row-blocks.ts";

/**
 * The rows that are compared exactly: all whose distance is above that of the last one that would be wanted by distances alone, by
 * no more than so many times their usual error, and at least so many (docs/decision/0002).
 */
const CUT_MARGIN = 2;
const COMPARED_MIN = 384;
const EVERY_DISTANCE = 2 ** 16 - 1;
/** What the kernel has of a query beside its tables. */
const QUERY_BYTES = 64;

/** Looks for the rows that can be among the `wanted` most similar ones that are allowed. */
export interface NearSearch {
  vector: Float32Array;
  wanted: number;
  /** By class, 1 where it is allowed; null: every class. */
  classes: Uint8Array | null;
  /** By row, 1 where it is allowed; null: every row of these classes. */
  mask: Uint8Array | null;
}

/** In their order; `all`: these are all that are allowed. */
export interface NearRows {
  rows: Int32Array;
  all: boolean;
}

/** What the kernel has of a search. The distances of its query are kept for another search, which may allow other rows. */
interface Seat {
  /** Where its distances begin in those of a block. */
  readonly offset: number;
  readonly tables: Ptr;
  readonly histogram: Ptr;
  readonly state: Ptr;
  readonly allowed: Room;
  readonly mask: Room;
  /** The query that the rows have distances to; null: none, or rows have changed since. */
  measured: Float32Array | null;
  /** How much farther than the last of the wanted rows one may be. */
  margin: number;
}

/** A search that takes part in a pass. */
interface Seated {
  seat: Seat;
  classes: Ptr;
  /** 0: every row of these classes. */
  mask: Ptr;
  wanted: number;
  /** As many rows, the nearest ones, are found in any case. */
  least: number;
  /** Null: the distances are known. */
  rough: RoughQuery | null;
}

/** Where the kernel has what a pass takes. */
class ScanRoom {
  /** In the order in which they were taken last. */
  readonly seats: Seat[];
  /** The rows that are found in a block. */
  readonly list: Ptr;
  /** Those that a pass tells distances to. */
  readonly queries: Ptr;

  constructor(
    readonly parts: KernelParts,
    columns: number,
  ) {
    this.list = parts.allocate(BLOCK_ROWS * 4);
    this.queries = parts.allocate(PASS_SEARCHES * QUERY_BYTES);
    this.seats = Array.from({ length: PASS_SEARCHES }, (_, index) => ({
      offset: index * BLOCK_ROWS * 2,
      tables: parts.allocate(columns * 2 * 16),
      histogram: parts.allocate((FARTHEST + 1) * 4),
      state: parts.allocate(8),
      allowed: { at: 0, bytes: 0 },
      mask: { at: 0, bytes: 0 },
      measured: null,
      margin: 0,
    }));
  }
}

export class RowScan {
  private waiting: (NearSearch & PromiseWithResolvers<NearRows>)[] = [];
  private made: ScanRoom | null = null;

  constructor(private readonly blocks: RowBlocks) {}

  /**
   * Resolves after the next pass with room, or at once when the distances are known. Only rows that are allowed decide on how many
   * others are left out.
   */
  async near(search: NearSearch): Promise<NearRows> {
    if (this.knownTo(search.vector, this.seats) !== undefined) return this.found([search])[0] as NearRows;
    const found = Promise.withResolvers<NearRows>();
    this.waiting.push({ ...search, ...found });
    if (this.waiting.length === 1) setImmediate(() => this.pass());
    return found.promise;
  }

  /** In the memory of the rows, which may have moved since it was made. */
  private get room(): ScanRoom {
    const { parts, columns } = this.blocks;
    const room = this.made?.parts === parts ? this.made : new ScanRoom(parts, columns);
    this.made = room;
    return room;
  }

  private get seats(): Seat[] {
    return this.room.seats;
  }

  private get memory(): KernelMemory {
    return this.blocks.memory;
  }

  /** Distances hold no more. */
  forget(): void {
    for (const seat of this.made?.seats ?? []) seat.measured = null;
  }

  private pass(): void {
    const searches = this.waiting.splice(0, PASS_SEARCHES);
    if (this.waiting.length > 0) setImmediate(() => this.pass());
    try {
      const found = this.found(searches);
      for (const [index, { resolve }] of searches.entries()) resolve(found[index] as NearRows);
    } catch (error) {
      this.forget();
      for (const { reject } of searches) reject(error);
    }
  }

  private found(searches: readonly NearSearch[]): NearRows[] {
    const { centre } = this.blocks;
    const seated = searches.map((search, index) => this.seated(search, this.seats.slice(0, PASS_SEARCHES - index), centre));
    if (centre === null) return seated.map((one) => ({ rows: this.upTo(EVERY_DISTANCE, one), all: true }));
    const { kernel } = this.memory;
    const measured = this.putQueries(seated);
    this.blocks.each((block, count, from) => {
      if (measured > 0) kernel.estimate(block.signs, count / GROUP_ROWS, this.blocks.columns, this.room.queries, measured, FARTHEST, block.distances);
      for (const one of seated) this.tally(one, block, count, from);
    });
    return seated.map((one) => {
      const { cut, counted } = this.cutOf(one);
      return { rows: this.upTo(cut, one), all: counted < one.least };
    });
  }

  /** `free`: the seats that no other search of the pass has taken. */
  private seated({ vector, wanted, ...allowed }: NearSearch, free: readonly Seat[], centre: Float32Array | null): Seated {
    const known = this.knownTo(vector, free);
    const seat = known ?? (free[0] as Seat);
    this.seats.splice(this.seats.indexOf(seat), 1);
    this.seats.push(seat);
    const [classes, mask] = [this.putClasses(seat, allowed.classes), this.putMask(seat, allowed.mask)];
    const rough = known !== undefined || centre === null ? null : this.measured(seat, vector, centre);
    this.memory.words.fill(0, seat.histogram / 4, seat.histogram / 4 + FARTHEST + 1);
    this.memory.words.set([0, FARTHEST], seat.state / 4);
    return { seat, classes, mask, wanted, least: Math.max(wanted + 1, COMPARED_MIN), rough };
  }

  /** The seat that has the distances to a query. */
  private knownTo(vector: Float32Array, seats: readonly Seat[]): Seat | undefined {
    return seats.find(({ measured }) => measured !== null && same(measured, vector));
  }

  /** Prepares a seat for the distances to a query, which the pass fills in. */
  private measured(seat: Seat, vector: Float32Array, centre: Float32Array): RoughQuery {
    const { dims, columns } = this.blocks;
    const factor = inverseRoot(squaresOf(vector));
    const query = centre.map((value, i) => (i < dims ? (vector[i] as number) * factor - value : 0));
    const error = Math.sqrt((squaresOf(query) * Math.max(0, 1 - squaresOf(centre))) / dims);
    seat.margin = Math.ceil(CUT_MARGIN * error * COSINE_STEPS);
    seat.measured = vector.slice();
    return roughQuery(dims, query, this.memory.bytes.subarray(seat.tables, seat.tables + columns * 2 * 16));
  }

  /** The queries to which distances are not known, as the kernel reads them. Returns how many they are. */
  private putQueries(seated: readonly Seated[]): number {
    let count = 0;
    for (const { seat, rough } of seated) {
      if (rough === null) continue;
      const { even, shift, unit, scale } = rough;
      this.memory.words.set([seat.tables, seat.offset, even, shift, unit, scale], (this.room.queries + count * QUERY_BYTES) / 4);
      count += 1;
    }
    return count;
  }

  /** Counts the allowed rows of a block by their distances. */
  private tally({ seat, classes, mask, least }: Seated, block: Block, count: number, from: number): void {
    const masked = mask === 0 ? 0 : mask + from;
    this.memory.kernel.tally(block.distances + seat.offset, count, block.classes, classes, masked, least, seat.histogram, seat.state);
  }

  /** How many allowed rows were counted up to the cut: fewer than `least` when there are no more. */
  private cutOf({ seat, wanted }: Seated): { cut: number; counted: number } {
    const histogram = this.memory.words.subarray(seat.histogram / 4, seat.histogram / 4 + FARTHEST + 1);
    const [counted = 0, leastCut = 0] = this.memory.words.subarray(seat.state / 4, seat.state / 4 + 2);
    let last = 0;
    for (let sum = histogram[0] as number; sum < wanted && last < FARTHEST; sum += histogram[last] as number) last += 1;
    return { cut: Math.min(EVERY_DISTANCE, Math.max(leastCut, last + seat.margin)), counted };
  }

  /** The allowed rows that are at most so far from the query. */
  private upTo(cut: number, { seat, classes, mask }: Seated): Int32Array {
    const parts: Uint32Array[] = [];
    let length = 0;
    this.blocks.each((block, count, from) => {
      const masked = mask === 0 ? 0 : mask + from;
      const found = this.memory.kernel.select(block.distances + seat.offset, count, block.classes, classes, masked, cut, from, this.room.list);
      parts.push(this.memory.words.slice(this.room.list / 4, this.room.list / 4 + found));
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

  /** A table of the classes that are allowed, as the kernel reads it. */
  private putClasses(seat: Seat, classes: Uint8Array | null): Ptr {
    const end = this.blocks.classesEnd;
    const at = this.room.parts.room(seat.allowed, end);
    const table = this.memory.bytes.subarray(at, at + end);
    if (classes === null) table.fill(1);
    else {
      table.fill(0);
      table.set(classes.subarray(0, end - 1), 1);
    }
    table[FREE] = 0;
    return at;
  }

  private putMask(seat: Seat, mask: Uint8Array | null): Ptr {
    if (mask === null) return 0;
    const { capacity } = this.blocks;
    const at = this.room.parts.room(seat.mask, capacity);
    this.memory.bytes.fill(0, at, at + capacity);
    this.memory.bytes.set(mask.subarray(0, capacity), at);
    return at;
  }
}

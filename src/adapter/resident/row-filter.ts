/**
 * Tells which rows of the vectors in memory pass a filter, by attributes that it reads from their source and then keeps as the Units
 * that are put have them.
 */
import type { Log } from "../../base/log.ts";
import { LruMap } from "../../base/lru.ts";
import { MemoryHolding, type MemoryShare } from "../../base/memory-share.ts";
import { takeRoom } from "../../base/turns.ts";
import type { Filter } from "../../domain/filter.ts";
import type { AttributeRows, VectorSource } from "../../domain/port/vector-index.ts";
import type { Unit } from "../../domain/unit.ts";
import { Attributes, attributeRows } from "./attributes.ts";
import type { RowSet, VectorCodes } from "./vector-codes.ts";

/** Filters whose rows are kept until a Unit is put: pages, the rounds of an answer and most clients ask with the same few. */
const FILTERS_KEPT = 4;
/** Rows that pass are listed when they are at most one of so many: looking at each of them takes less than going through all (docs/decision/0002). */
const LISTED_SHARE = 8;
/** What a kept filter takes a row, at most: a byte, and the list. */
const KEPT_ROW_BYTES = 1 + Int32Array.BYTES_PER_ELEMENT / LISTED_SHARE;
/** Values that no row has any more are forgotten by reading the source again: after as many rows were written as there are, and at least so many. */
const WORN_MIN_ROWS = 10_000;

/** The rows that pass a filter. */
interface Passing {
  /** By row, 1 where it passes. */
  mask: Uint8Array;
  /** Their numbers, if they are few. */
  list: Int32Array | null;
}

export class RowFilter {
  /** Null for good when they could not be read, or there is no memory for them. */
  private attributes: Attributes | null;
  /** Units that were put since the source began to be read; null: it is read. */
  private missed: Unit[] | null = [];
  private readonly kept = new LruMap<string, Passing>(FILTERS_KEPT);
  /** Rows with attributes are less. */
  private end = 0;
  private readonly held: MemoryHolding;
  private written = 0;
  /** Resolves when the attributes are in memory, or it is known that they will not be; never rejects. */
  readonly loaded: Promise<void>;

  /** `codes` has the rows of the source's Units, and has followed each change before this hears of it. */
  constructor(
    private readonly source: VectorSource,
    private readonly codes: Pick<VectorCodes, "rowsOf">,
    memory: MemoryShare,
    private readonly log: Log,
  ) {
    this.held = new MemoryHolding(memory);
    this.attributes = new Attributes(source.plane);
    this.loaded = this.load(this.attributes);
  }

  /** Whether the attributes are still being read. */
  get loading(): boolean {
    return this.attributes !== null && this.missed !== null;
  }

  /** Whether it had better be made anew. */
  get worn(): boolean {
    return !this.loading && this.written > Math.max(WORN_MIN_ROWS, this.end);
  }

  /** The rows that pass a native filter and, unless null, are of these Units; null when it cannot tell. */
  rows(filter: Filter, uids: readonly number[] | null): RowSet | null {
    if (this.attributes === null || this.missed !== null) return null;
    const key = JSON.stringify(filter);
    const { mask, list } = this.kept.get(key) ?? passing(this.attributes.mask(filter, this.end));
    this.kept.set(key, { mask, list });
    return uids === null ? (list ?? mask) : this.codes.rowsOf(uids).filter((row) => mask[row] === 1);
  }

  /** To be called when Units were put. Nothing is to be done when they are removed: their rows are free. */
  put(units: readonly Unit[]): void {
    if (this.attributes === null) return;
    if (this.missed !== null) for (const unit of units) this.missed.push(unit);
    else this.write(this.attributes, attributeRows(units), 0, units.length);
  }

  /** Forgets everything, for good. */
  release(): void {
    this.attributes = null;
    this.kept.clear();
    this.held.release();
  }

  private async load(attributes: Attributes): Promise<void> {
    try {
      for await (const units of this.source.attributes()) {
        for (let from = 0; from < units.uids.length && this.attributes !== null; ) {
          const to = from + (await takeRoom(units.uids.length - from));
          this.write(attributes, units, from, to);
          from = to;
        }
        if (this.attributes === null) return;
      }
      const missed = this.missed ?? [];
      this.missed = null;
      this.put(missed);
      this.written = 0;
    } catch (error) {
      this.log.warn("the attributes of vectors could not be read into memory", { plane: this.source.plane, error });
      this.release();
    }
  }

  /** Writes the attributes of the Units from `from` to before `to` to their rows. */
  private write(attributes: Attributes, units: AttributeRows, from: number, to: number): void {
    const rows: number[] = [];
    const sources: number[] = [];
    for (let source = from; source < to; source += 1) {
      for (const row of this.codes.rowsOf([units.uids[source] as number])) {
        rows.push(row);
        sources.push(source);
        this.end = Math.max(this.end, row + 1);
      }
    }
    attributes.set(rows, sources, units);
    this.kept.clear();
    this.written += rows.length;
    this.account(attributes.bytes + FILTERS_KEPT * KEPT_ROW_BYTES * this.end);
  }

  /** Takes the memory that they have grown by; without it nothing is kept. */
  private account(bytes: number): void {
    if (this.held.hold(bytes)) return;
    this.log.warn("there is no memory left for the attributes of vectors: filters are answered from disk", { plane: this.source.plane, bytes });
    this.release();
  }
}

function passing(mask: Uint8Array): Passing {
  let count = 0;
  for (let row = 0; row < mask.length; row += 1) count += mask[row] as number;
  if (count * LISTED_SHARE > mask.length) return { mask, list: null };
  const list = new Int32Array(count);
  for (let row = mask.indexOf(1), at = 0; row >= 0; row = mask.indexOf(1, row + 1), at += 1) list[at] = row;
  return { mask, list };
}

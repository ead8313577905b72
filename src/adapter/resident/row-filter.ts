/**
 * Decides which rows of the vectors in memory pass a filter, by attributes that it reads from the table and then keeps as the
 * Units that are put have them.
 */
import type { Log } from "../../base/log.ts";
import { LruMap } from "../../base/lru.ts";
import { takeRoom } from "../../base/turns.ts";
import type { Filter } from "../../domain/filter.ts";
import type { AttributeRows, VectorTable } from "../../domain/port/vector-index.ts";
import type { Unit } from "../../domain/unit.ts";
import { Attributes, attributeRows, type RowMask } from "./attributes.ts";
import type { VectorCodes } from "./vector-codes.ts";

/** Filters whose rows are kept until a Unit is put: pages, the rounds of an answer and most clients ask with the same few. */
const MASKS_KEPT = 4;
/** Values that no row has any more are forgotten by reading the table again: after as many rows were written as there are, and at least so many. */
const WORN_MIN_ROWS = 10_000;

interface Memory {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export class RowFilter {
  /** Null for good when there is no memory for them. */
  private attributes: Attributes | null;
  /** Units that were put since the table began to be read; null: it is read. */
  private missed: Unit[] | null = [];
  private readonly masks = new LruMap<string, RowMask>(MASKS_KEPT);
  private held = 0;
  private written = 0;
  /** Resolves when the attributes are in memory, or it is known that they will not be; never rejects. */
  readonly loaded: Promise<void>;

  /** `codes` has the rows of the table's Units, and has followed each change before this hears of it. */
  constructor(
    private readonly table: VectorTable,
    private readonly codes: Pick<VectorCodes, "end" | "rowsOf">,
    private readonly memory: Memory,
    private readonly log: Log,
  ) {
    this.attributes = new Attributes(table.plane);
    this.loaded = this.load(this.attributes);
  }

  /** Whether it can decide. */
  get ready(): boolean {
    return this.attributes !== null && this.missed === null;
  }

  /** Whether it had better be made anew. */
  get worn(): boolean {
    return this.ready && this.written > Math.max(WORN_MIN_ROWS, this.codes.end);
  }

  /** The rows that pass a native filter; none when it is not ready. */
  mask(filter: Filter): RowMask {
    if (this.attributes === null || this.missed !== null) return new Uint8Array();
    const key = JSON.stringify(filter);
    const mask = this.masks.get(key) ?? this.attributes.mask(filter, this.codes.end);
    this.masks.set(key, mask);
    return mask;
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
    this.masks.clear();
    this.memory.give(this.held);
    this.held = 0;
  }

  private async load(attributes: Attributes): Promise<void> {
    try {
      for await (const units of this.table.attributes()) {
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
      this.log.warn("the attributes of vectors could not be read into memory", { plane: this.table.plane, error });
      this.release();
    }
  }

  /** Writes the attributes of the Units from `from` to before `to` to their rows. */
  private write(attributes: Attributes, units: AttributeRows, from: number, to: number): void {
    const rows: number[] = [];
    const sources: number[] = [];
    for (let source = from; source < to; source += 1) {
      for (const row of this.codes.rowsOf(units.uids[source] as number)) {
        rows.push(row);
        sources.push(source);
      }
    }
    attributes.set(rows, sources, units);
    this.masks.clear();
    this.written += rows.length;
    this.account(attributes.bytes + MASKS_KEPT * this.codes.end);
  }

  /** Takes the memory that they have grown by; without it the table answers. */
  private account(bytes: number): void {
    const more = bytes - this.held;
    if (more <= 0) return;
    if (this.memory.take(more)) this.held = bytes;
    else {
      this.log.warn("there is no memory left for the attributes of vectors: the table answers filters", { plane: this.table.plane, bytes });
      this.release();
    }
  }
}

/**
 * Where numbers stand that are all different: a hash table of rows in one array, so that the garbage collector sees one object, however
 * many there are. The numbers themselves stand in the rows.
 */
const SLOTS_MIN = 512;
/** Slots for each row, at least. */
const SLOTS_PER_ROW = 1.5;
/** A slot has 1 more than a row. */
const FREE = 0;
/** Spreads numbers that follow each other over the table: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

export class RowTable {
  /** Their number is a power of two. */
  private slots = new Uint32Array(SLOTS_MIN);
  size = 0;

  /** `numberIn`: what stands in a row of the table. */
  constructor(private readonly numberIn: (row: number) => number) {}

  /** Bytes that it holds. */
  get bytes(): number {
    return this.slots.byteLength;
  }

  /** Null: it has no such number. */
  rowOf(number: number): number | null {
    const slot = this.slots[this.slotOf(number)] as number;
    return slot === FREE ? null : slot - 1;
  }

  /** The number stands in this row from now on, and in no other. */
  set(number: number, row: number): void {
    let at = this.slotOf(number);
    if (this.slots[at] === FREE) {
      this.size += 1;
      if (this.size * SLOTS_PER_ROW > this.slots.length) {
        this.widen();
        at = this.slotOf(number);
      }
    }
    this.slots[at] = row + 1;
  }

  /** The number still has to stand in its row. */
  delete(number: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let free = this.slotOf(number);
    if (slots[free] === FREE) return;
    this.size -= 1;
    // What was pushed behind the slot that becomes free moves up: a search for it would end there.
    for (let at = (free + 1) & mask; slots[at] !== FREE; at = (at + 1) & mask) {
      const pushed = (at - this.firstSlot(this.numberIn((slots[at] as number) - 1))) & mask;
      if (pushed < ((at - free) & mask)) continue;
      slots[free] = slots[at] as number;
      free = at;
    }
    slots[free] = FREE;
  }

  /** The slot of a number, or the free one that it would take. */
  private slotOf(number: number): number {
    const mask = this.slots.length - 1;
    for (let at = this.firstSlot(number); ; at = (at + 1) & mask) {
      const slot = this.slots[at] as number;
      if (slot === FREE || this.numberIn(slot - 1) === number) return at;
    }
  }

  private firstSlot(number: number): number {
    return (Math.imul(number, SPREAD) >>> 7) & (this.slots.length - 1);
  }

  private widen(): void {
    const before = this.slots;
    this.slots = new Uint32Array(2 * before.length);
    for (const slot of before) if (slot !== FREE) this.slots[this.slotOf(this.numberIn(slot - 1))] = slot;
  }
}

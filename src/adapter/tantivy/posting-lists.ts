/**
 * Posting lists in memory: for each term the rows that have it, in ascending order, and how often. A list is a chain of slices
 * of a few large blocks, each twice as long as the one before, as in Lucene's indexing buffer. A posting is the distance from
 * the row before, and the count where that is not 1, both as bytes of 7 bits.
 */
import { Column } from "../../base/columns.ts";

const BLOCK_BITS = 16;
const BLOCK_BYTES = 1 << BLOCK_BITS;
const OFFSET = BLOCK_BYTES - 1;
const SLICE_MIN_BYTES = 8;
/** The last slice length is 8 KiB. */
const LEVEL_MAX = 10;
/** A slice ends with the address of the next one, 0 for none. */
const LINK_BYTES = 4;
const MORE = 128;
const SEVEN_BITS = 127;

/** What `read` fills: rows, and how often each has the term. */
export interface PostingBuffer {
  rows: Uint32Array;
  counts: Uint32Array;
}

export class PostingLists {
  private readonly blocks: Uint8Array[] = [];
  /** The first free address: 0 is none. */
  private free = LINK_BYTES;
  private readonly heads = new Column();
  /** Where the next posting of a list goes, and where its slice ends. */
  private readonly tails = new Column();
  private readonly ends = new Column();
  private readonly last = new Column();

  get bytes(): number {
    return this.blocks.length * BLOCK_BYTES + this.heads.bytes + this.tails.bytes + this.ends.bytes + this.last.bytes;
  }

  /** Adds a posting to a list, whose rows are smaller; `list` is one that there is or the next number. */
  add(list: number, row: number, count: number): void {
    if (list === this.heads.length) this.open();
    const distance = row + 1 - (this.last.values[list] as number);
    const code = 2 * distance + (count === 1 ? 0 : 1);
    const size = bytesOf(code) + (count === 1 ? 0 : bytesOf(count));
    while ((this.tails.values[list] as number) + size > (this.ends.values[list] as number)) this.extend(list);
    let at = this.tails.values[list] as number;
    at = this.write(at, code);
    if (count !== 1) at = this.write(at, count);
    this.tails.values[list] = at;
    this.last.values[list] = row + 1;
  }

  /** Fills `into` with the postings whose row is of a kind that `seen` is not 0 for. Returns how many these are. */
  read(list: number, kinds: Uint32Array, seen: Uint8Array, { rows, counts }: PostingBuffer): number {
    let found = 0;
    let row = -1;
    let address = this.heads.values[list] as number;
    for (let level = 0; address !== 0; level += 1) {
      const block = this.blocks[address >>> BLOCK_BITS] as Uint8Array;
      let at = address & OFFSET;
      const end = at + payloadOf(level);
      while (at < end) {
        let byte = block[at++] as number;
        // What is left of a slice that the next posting did not fit in.
        if (byte === 0) break;
        let code = byte & SEVEN_BITS;
        for (let shift = 7; byte >= MORE; shift += 7) {
          byte = block[at++] as number;
          code |= (byte & SEVEN_BITS) << shift;
        }
        let count = 1;
        if (code & 1) {
          count = 0;
          for (let shift = 0, more = true; more; shift += 7) {
            byte = block[at++] as number;
            count |= (byte & SEVEN_BITS) << shift;
            more = byte >= MORE;
          }
        }
        row += code >>> 1;
        if (seen[kinds[row] as number] === 0) continue;
        rows[found] = row;
        counts[found++] = count;
      }
      address = linkAt(block, end);
    }
    return found;
  }

  private open(): void {
    const head = this.slice(0);
    this.heads.push(head);
    this.tails.push(head);
    this.ends.push(head + payloadOf(0));
    this.last.push(0);
  }

  /** Gives a list its next slice. */
  private extend(list: number): void {
    const end = this.ends.values[list] as number;
    const level = this.levelOf(list) + 1;
    const next = this.slice(level);
    const block = this.blocks[end >>> BLOCK_BITS] as Uint8Array;
    for (let byte = 0; byte < LINK_BYTES; byte += 1) block[(end & OFFSET) + byte] = next >>> (8 * byte);
    this.tails.values[list] = next;
    this.ends.values[list] = next + payloadOf(level);
  }

  /** How many slices a list has had before its last one. */
  private levelOf(list: number): number {
    const end = this.ends.values[list] as number;
    let address = this.heads.values[list] as number;
    for (let level = 0; ; level += 1) {
      const sliceEnd = address + payloadOf(level);
      if (sliceEnd === end) return level;
      address = linkAt(this.blocks[sliceEnd >>> BLOCK_BITS] as Uint8Array, sliceEnd & OFFSET);
    }
  }

  /** The address of a new slice, which lies in one block. */
  private slice(level: number): number {
    const size = payloadOf(level) + LINK_BYTES;
    if ((this.free & OFFSET) + size > BLOCK_BYTES || this.blocks.length === 0 || (this.free & OFFSET) === 0) this.block();
    const address = this.free;
    this.free += size;
    return address;
  }

  private block(): void {
    this.free = this.blocks.length === 0 ? LINK_BYTES : this.blocks.length * BLOCK_BYTES;
    this.blocks.push(new Uint8Array(BLOCK_BYTES));
  }

  /** Writes a number at an address. Returns the address behind it. */
  private write(address: number, number: number): number {
    const block = this.blocks[address >>> BLOCK_BITS] as Uint8Array;
    let at = address & OFFSET;
    let rest = number;
    for (; rest >= MORE; rest >>>= 7) block[at++] = (rest & SEVEN_BITS) | MORE;
    block[at++] = rest;
    return address - (address & OFFSET) + at;
  }
}

function payloadOf(level: number): number {
  return (SLICE_MIN_BYTES << Math.min(level, LEVEL_MAX)) - LINK_BYTES;
}

function bytesOf(number: number): number {
  let bytes = 1;
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}

function linkAt(block: Uint8Array, at: number): number {
  return ((block[at] as number) | ((block[at + 1] as number) << 8) | ((block[at + 2] as number) << 16) | ((block[at + 3] as number) << 24)) >>> 0;
}

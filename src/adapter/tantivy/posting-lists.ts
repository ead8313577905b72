/**
 * Posting lists in memory: for each term the rows that have it, in ascending order, and how often. The rows of a page
 * (documents.ts) follow each other as entries of 16 bits: 13 for the place in the page and 3 for the count, from 1 to 6, or 7 when
 * the count follows in 32 bits. An entry below 8,192 tells how many pages further on the next rows are. A list is a chain of
 * slices, each twice as long as the one before, as in Lucene's indexing buffer; zeros fill up a slice. A list of one posting, as
 * most are, has no slice.
 */
import { Column } from "../../base/columns.ts";
import { HALF_BYTES, PAGE_BYTES, PAGE_ROWS, type Pages, type Ptr, WORD_BYTES } from "./pages.ts";

/** Before the first slice, in words: where the next entry goes, where the last slice ends and how long it is, and the page of the last row. */
const TAIL = 0;
const END = 1;
const LENGTH = 2;
const PAGE = 3;
const HEADER_BYTES = 16;
const SLICE_MIN_BYTES = 16;
const SLICE_MAX_BYTES = 8_192;
/** A slice ends with the address of the next one, 0 for none. */
const LINK_BYTES = WORD_BYTES;
/** In place of a count. */
const COUNT_FOLLOWS = 7;
const SKIP_MAX = PAGE_ROWS - 1;
const HALF = 0xffff;

/** A part of a list: where its entries begin, where what follows them stands, and how long it is with that. */
export interface Slice {
  at: Ptr;
  end: Ptr;
  bytes: number;
}

export class PostingLists {
  /** The pages that slices lie in, each slice in one. */
  private readonly own: Ptr[] = [];
  /** Where the next slice goes, and where its page ends. */
  private free: Ptr = 0;
  private pageEnd: Ptr = 0;
  /** By list: where its header is, or, odd, twice the row of its only posting and 1. */
  private readonly heads = new Column();

  constructor(private readonly pages: Pages) {}

  get bytes(): number {
    return this.own.length * PAGE_BYTES + this.heads.bytes;
  }

  /** Adds a posting to a list, whose rows are smaller; `list` is one that there is or the next number. */
  add(list: number, row: number, count: number): void {
    const isNew = list === this.heads.length;
    if (isNew) this.heads.push(2 * row + 1);
    if (isNew && count === 1) return;
    this.append(isNew ? this.open(list) : this.opened(list), row, count);
  }

  /** The row of a list that has only one, once; null for others. */
  only(list: number): number | null {
    const head = this.heads.values[list] as number;
    return head % 2 === 1 ? Math.floor(head / 2) : null;
  }

  /** The first slice of a list of several postings. */
  firstOf(list: number): Slice {
    const at = (this.heads.values[list] as Ptr) + HEADER_BYTES;
    return { at, end: at + SLICE_MIN_BYTES - LINK_BYTES, bytes: SLICE_MIN_BYTES };
  }

  /** Gives its pages back: nothing can be done with it any more. */
  release(): void {
    this.pages.give(this.own);
  }

  /** The header of a list, in words. */
  private opened(list: number): number {
    const row = this.only(list);
    if (row === null) return (this.heads.values[list] as Ptr) / WORD_BYTES;
    const header = this.open(list);
    this.append(header, row, 1);
    return header;
  }

  private open(list: number): number {
    const head = this.allocate(HEADER_BYTES + SLICE_MIN_BYTES);
    this.heads.values[list] = head;
    const first = head + HEADER_BYTES;
    this.pages.words.set([first, first + SLICE_MIN_BYTES - LINK_BYTES, SLICE_MIN_BYTES, 0], head / WORD_BYTES);
    return head / WORD_BYTES;
  }

  private append(header: number, row: number, count: number): void {
    const { words } = this.pages;
    const page = Math.floor(row / PAGE_ROWS);
    for (let skip = page - (words[header + PAGE] as number); skip > 0; skip -= SKIP_MAX) this.write(header, Math.min(skip, SKIP_MAX));
    this.pages.words[header + PAGE] = page;
    const follows = count >= COUNT_FOLLOWS;
    // A count that follows lies in the same slice.
    if (follows) this.reserve(header, HALF_BYTES + WORD_BYTES);
    this.write(header, Math.min(count, COUNT_FOLLOWS) * PAGE_ROWS + (row % PAGE_ROWS));
    if (!follows) return;
    this.write(header, count & HALF);
    this.write(header, count >>> 16);
  }

  private write(header: number, half: number): void {
    this.reserve(header, HALF_BYTES);
    const { words, halves } = this.pages;
    const at = words[header + TAIL] as Ptr;
    halves[at / HALF_BYTES] = half;
    words[header + TAIL] = at + HALF_BYTES;
  }

  /** Makes sure that so much fits behind the last entry of a list. */
  private reserve(header: number, bytes: number): void {
    const { words } = this.pages;
    if ((words[header + TAIL] as Ptr) + bytes > (words[header + END] as Ptr)) this.extend(header);
  }

  /** Gives a list its next slice. */
  private extend(header: number): void {
    const length = Math.min(2 * (this.pages.words[header + LENGTH] as number), SLICE_MAX_BYTES);
    const next = this.allocate(length);
    const { words } = this.pages;
    words[(words[header + END] as Ptr) / WORD_BYTES] = next;
    words.set([next, next + length - LINK_BYTES, length], header);
  }

  private allocate(bytes: number): Ptr {
    if (this.free + bytes > this.pageEnd) {
      this.free = this.pages.take();
      this.pageEnd = this.free + PAGE_BYTES;
      this.own.push(this.free);
    }
    const address = this.free;
    this.free += bytes;
    return address;
  }
}

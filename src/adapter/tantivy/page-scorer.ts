/** What the kernel (postings.wat) is told of one search: it stands in the scratch of the pages, until the next search. */
import { HALF_BYTES, PAGE_ROWS, type Pages, type Ptr, WORD_BYTES } from "./pages.ts";
import type { Slice } from "./posting-lists.ts";

const DOUBLE_BYTES = 8;
const SCORES_BYTES = PAGE_ROWS * DOUBLE_BYTES;
const PLACES_BYTES = PAGE_ROWS * WORD_BYTES;
/** What the kernel knows of a term, and where in it, in bytes. */
const TERM_BYTES = 40;
const WEIGHT = 16;
const FINDS = 24;
const POSTING = 28;
const POSTING_END = 32;
/** The entry of a posting whose count is 1, but for its place. */
const ONCE = PAGE_ROWS;

export class PageScorer {
  private readonly scores: Ptr;
  /** Of the rows that were selected last. */
  private readonly places: Ptr;
  private readonly terms: Ptr;
  private termsEnd: Ptr;
  private readonly rowPages: Ptr;
  private readonly seen: Ptr;

  /** `rowPages`: the pages of all rows. `seen`: as Corpus has it. At most `termsMax` terms are added. */
  constructor(
    private readonly pages: Pages,
    rowPages: readonly Ptr[],
    seen: Uint8Array,
    termsMax: number,
  ) {
    const termsBytes = termsMax * TERM_BYTES;
    const pagesBytes = rowPages.length * WORD_BYTES;
    this.scores = pages.scratch(SCORES_BYTES + PLACES_BYTES + termsBytes + pagesBytes + seen.length);
    this.places = this.scores + SCORES_BYTES;
    this.terms = this.places + PLACES_BYTES;
    this.termsEnd = this.terms;
    this.rowPages = this.terms + termsBytes;
    this.seen = this.rowPages + pagesBytes;
    pages.words.set(rowPages, this.rowPages / WORD_BYTES);
    pages.bytes.set(seen, this.seen);
  }

  /** How many postings of the list that begins with this slice are of documents that are seen. */
  count({ at }: Slice): number {
    return this.pages.kernel.count(at, this.rowPages, this.seen);
  }

  /** Adds a term whose list begins with this slice. `finds`: false where it only adds to scores of the terms before it. */
  addTerm({ at, end, bytes }: Slice, weight: number, finds: boolean): void {
    this.add([at, end, bytes, 0], weight, finds);
  }

  /** Adds a term that this row alone has, once. */
  addPosting(row: number, weight: number, finds: boolean): void {
    const term = this.termsEnd;
    this.add([term + POSTING, term + POSTING_END, 0, Math.floor(row / PAGE_ROWS)], weight, finds);
    this.pages.halves[(term + POSTING) / HALF_BYTES] = ONCE + (row % PAGE_ROWS);
  }

  /** Scores the rows of a page, after those of all pages before it. Returns the places of those with at least the score `cut`. */
  score(page: Ptr, number: number, lengthWeight: number, cut: number): Uint32Array {
    const { kernel, bytes, words } = this.pages;
    bytes.fill(0, this.scores, this.scores + SCORES_BYTES);
    kernel.score(this.terms, this.termsEnd, page, number, this.seen, lengthWeight, this.scores);
    const found = kernel.select(this.scores, PAGE_ROWS, cut, this.places);
    return words.subarray(this.places / WORD_BYTES, this.places / WORD_BYTES + found);
  }

  /** The score of the row at a place of the page that was scored last. */
  scoreAt(place: number): number {
    return this.pages.doubles[this.scores / DOUBLE_BYTES + place] as number;
  }

  private add(cursor: [at: Ptr, end: Ptr, bytes: number, page: number], weight: number, finds: boolean): void {
    const { words, doubles, bytes } = this.pages;
    const term = this.termsEnd;
    this.termsEnd += TERM_BYTES;
    bytes.fill(0, term, this.termsEnd);
    words.set(cursor, term / WORD_BYTES);
    doubles[(term + WEIGHT) / DOUBLE_BYTES] = weight;
    words[(term + FINDS) / WORD_BYTES] = Number(finds);
  }
}

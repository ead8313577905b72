/**
 * Keeps the postings of an index in memory. They are read from the records on disk after the first search, a slice at a time,
 * and follow each commit. Until they are there, and where there is no memory for them, Tantivy answers.
 */
import { FULLTEXT_ROWS_PAGE } from "../../base/limits.ts";
import { MemoryHolding, MemoryShare } from "../../base/memory-share.ts";
import { type DocAddress, ORDER_ASC, type Searcher } from "./binding.ts";
import { Pages } from "./pages.ts";
import { Postings } from "./postings.ts";
import type { QueryBuilder } from "./query.ts";
import { readRecord } from "./record.ts";

/** Documents read in one turn: some 4 ms. */
const SLICE_DOCUMENTS = 256;
/** Rows of documents that are gone are worth reading everything again when they are more than those that are there, and this many. */
const GONE_MIN = 1_000;

/** What the postings of all indexes share. */
export class PostingsMemory extends MemoryShare {
  readonly pages = new Pages();
}

export class ResidentPostings {
  private postings: Postings | null = null;
  private readonly held: MemoryHolding;
  /** There is no memory for them, or they cannot be read. */
  private refused = false;
  /** Documents with a uid up to this are read; Infinity: all. */
  private readTo = -1;
  /** Further documents, by uid, in the snapshot that was searched last. */
  private page: DocAddress[] = [];

  constructor(
    private readonly memory: PostingsMemory,
    private readonly queries: QueryBuilder,
  ) {
    this.held = new MemoryHolding(memory);
  }

  /** Null while they are not all there. */
  get whole(): Postings | null {
    return this.readTo === Infinity ? this.postings : null;
  }

  /** True while there is more to read. */
  get reading(): boolean {
    return !this.refused && this.readTo < Infinity;
  }

  /** Reads further documents. */
  read(searcher: Searcher): void {
    if (!this.reading) return;
    this.postings ??= new Postings(this.memory.pages);
    if (this.page.length === 0) {
      const { hits } = searcher.search(this.queries.after(this.readTo), FULLTEXT_ROWS_PAGE, false, "uid", 0, ORDER_ASC);
      this.page = hits.map(({ docAddress }) => docAddress).reverse();
    }
    for (const address of this.page.splice(-SLICE_DOCUMENTS).reverse()) {
      const record = readRecord(searcher, address);
      this.postings.put(record);
      this.readTo = record.uid;
    }
    if (this.page.length === 0 && !this.more(searcher)) this.readTo = Infinity;
    this.account(this.postings);
  }

  /** Follows a commit: reads the Units again that it may have changed. */
  follow(uids: readonly number[], searcher: Searcher): void {
    this.page = [];
    if (this.postings === null) return;
    try {
      this.readAgain(this.postings, uids, searcher);
    } catch {
      this.release();
    }
  }

  /** Leaves it to the index on disk to answer. */
  refuse(): void {
    this.release();
    this.refused = true;
  }

  /** Forgets them; the next search has them read again. */
  release(): void {
    this.postings?.release();
    this.postings = null;
    this.page = [];
    this.readTo = -1;
    this.held.release();
  }

  private readAgain(postings: Postings, uids: readonly number[], searcher: Searcher): void {
    const changed = uids.filter((uid) => uid <= this.readTo);
    for (const uid of changed) postings.remove(uid);
    if (changed.length > 0) {
      const { hits } = searcher.search(this.queries.among(changed), changed.length, false);
      for (const { docAddress } of hits) postings.put(readRecord(searcher, docAddress));
    }
    const { gone, live } = postings.wasted;
    if (gone > Math.max(GONE_MIN, live)) this.release();
    else this.account(postings);
  }

  private more(searcher: Searcher): boolean {
    return searcher.search(this.queries.after(this.readTo), 1, false).hits.length > 0;
  }

  private account({ bytes }: Postings): void {
    if (!this.held.hold(bytes)) this.refuse();
  }
}

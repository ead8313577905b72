/**
 * An index in memory: BM25 over posting lists, with the statistics of the classes that a query sees. The postings of a term are
 * read twice: they give its document frequency and then its share of the scores, those of some rows after those of others, so
 * that what is added to stays in the cache of the processor.
 */
import { Column } from "../../base/columns.ts";
import { Dictionary } from "../../base/dictionary.ts";
import { TopK } from "../../base/top-k.ts";
import { isEmpty } from "../../domain/filter.ts";
import type { FullTextHit, FullTextQuery } from "../../domain/port/full-text-index.ts";
import type { ClassSet, RankedHits } from "../../domain/port/index.ts";
import { PLANES } from "../../domain/plane.ts";
import type { Matches } from "../../domain/port/units.ts";
import type { QueryTerms } from "../../text/terms.ts";
import { idf, lengthWeight, scoringOrder } from "./bm25.ts";
import { type Corpus, Documents, UNSEEN } from "./documents.ts";
import { PageScorer } from "./page-scorer.ts";
import { PAGE_ROWS, type Pages } from "./pages.ts";
import { PostingLists } from "./posting-lists.ts";
import { eachTerm, type StoredRecord } from "./record.ts";

/** Every score is more than 0. */
const ANY_SCORE = Number.MIN_VALUE;

/** Whether postings alone answer: phrases need positions, and filters the columns of the index on disk. */
export function isPlain({ terms, restriction }: FullTextQuery): boolean {
  return isEmpty(restriction.filter) && terms.phrases.length === 0 && terms.alternatives.every((alternative) => alternative.length === 1);
}

export class Postings {
  private readonly documents: Documents;
  /** The list of a term has its code, less 1: no term is empty. */
  private readonly terms = new Dictionary();
  private readonly lists: PostingLists;

  constructor(private readonly pages: Pages) {
    this.documents = new Documents(pages);
    this.lists = new PostingLists(pages);
  }

  get bytes(): number {
    return this.documents.bytes + this.terms.bytes + this.lists.bytes;
  }

  /** Rows of documents that are gone, against those that are there. */
  get wasted(): { gone: number; live: number } {
    const { rows, live } = this.documents;
    return { gone: rows - live, live };
  }

  /** Adds a document, in place of the one with its uid. */
  put(record: StoredRecord): void {
    const row = this.documents.add(record);
    eachTerm(record, (bytes, start, end, count) => this.lists.add(this.terms.add(bytes, start, end) - 1, row, count));
  }

  remove(uid: number): void {
    this.documents.remove(uid);
  }

  /** Gives its memory back: nothing can be done with it any more. */
  release(): void {
    this.documents.release();
    this.lists.release();
  }

  /** As FullTextIndex.search, of a plain query. */
  search(query: FullTextQuery): RankedHits<FullTextHit> {
    const { uids, versions } = this.documents;
    // One more than is asked for tells whether there are others.
    const best = new TopK<FullTextHit>(query.limit + 1, (a, b) => b.score - a.score || a.uid - b.uid);
    const cut = () => best.bar?.score ?? ANY_SCORE;
    this.find(query, cut, (row, score) => best.add({ uid: uids.values[row] as number, version: versions.values[row] as number, score }));
    const hits = best.sorted();
    return { hits: hits.slice(0, query.limit), exhausted: hits.length <= query.limit };
  }

  /** As FullTextIndex.matching, of a plain query. */
  matching(query: FullTextQuery): Matches {
    const found = new Column();
    this.find(
      query,
      () => ANY_SCORE,
      (row) => found.push(this.documents.uids.values[row] as number),
    );
    const uids = found.values.subarray(0, found.length).sort();
    return { uids: [...uids.subarray(0, query.limit)], complete: uids.length <= query.limit };
  }

  /** The documents of the classes. */
  corpus(classes: ClassSet): Corpus {
    return this.documents.corpus(classes, PLANES);
  }

  /** How many documents of the classes have the term. */
  frequency(term: string, classes: ClassSet): number {
    const corpus = this.corpus(classes);
    return this.count(this.listOf(term), corpus, this.scorer(corpus, 0));
  }

  /** Gives `visit` the rows that a query finds, with their scores: all whose score is not below the `cut` that there is then. */
  private find(query: FullTextQuery, cut: () => number, visit: (row: number, score: number) => void): void {
    const { documents } = this;
    const { classes, uids } = query.restriction;
    const corpus = documents.corpus(classes, query.planes);
    const scorer = this.scorerOf(query.terms, corpus);
    const among = uids && new Set(uids.map((uid) => documents.rowOf(uid)));
    const ofLength = lengthWeight(corpus.averageLength);
    documents.pages.forEach((page, number) => {
      for (const place of scorer.score(page, number, ofLength, cut())) {
        const row = number * PAGE_ROWS + place;
        if (among === null || among.has(row)) visit(row, scorer.scoreAt(place));
      }
    });
  }

  /** With the terms of a query that the corpus has. */
  private scorerOf(terms: QueryTerms, corpus: Corpus): PageScorer {
    const order = scoringOrder(terms);
    const finding = new Set(terms.alternatives.flat());
    const scorer = this.scorer(corpus, order.length);
    for (const term of order) {
      const list = this.listOf(term);
      const frequency = this.count(list, corpus, scorer);
      if (list === null || frequency === 0) continue;
      const weight = idf(corpus.documents, frequency);
      const row = this.lists.only(list);
      if (row === null) scorer.addTerm(this.lists.firstOf(list), weight, finding.has(term));
      else scorer.addPosting(row, weight, finding.has(term));
    }
    return scorer;
  }

  private scorer({ seen }: Corpus, termsMax: number): PageScorer {
    return new PageScorer(this.pages, this.documents.pages, seen, termsMax);
  }

  private listOf(term: string): number | null {
    const text = Buffer.from(term);
    const code = this.terms.codeOf(text, 0, text.length);
    return code === null ? null : code - 1;
  }

  /** How many documents of the corpus a list has; null: there is none. */
  private count(list: number | null, { seen }: Corpus, scorer: PageScorer): number {
    if (list === null) return 0;
    const row = this.lists.only(list);
    return row === null ? scorer.count(this.lists.firstOf(list)) : Number(seen[this.documents.kindOf(row)] !== UNSEEN);
  }
}

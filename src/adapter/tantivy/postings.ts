/**
 * An index in memory: BM25 over posting lists, with the statistics of the classes that a query sees. The postings of a term are
 * read once, and give its document frequency and then its share of the scores.
 */
import { BestRows } from "../../base/best-rows.ts";
import { isEmpty } from "../../domain/filter.ts";
import type { FullTextHit, FullTextQuery } from "../../domain/port/full-text-index.ts";
import type { ClassSet, RankedHits } from "../../domain/port/index.ts";
import { PLANES } from "../../domain/plane.ts";
import type { Matches } from "../../domain/port/units.ts";
import { idf, lengthWeight, scoringOrder, termScore } from "./bm25.ts";
import { ASKED, type Corpus, Documents } from "./documents.ts";
import { PostingLists } from "./posting-lists.ts";
import { eachTerm, type StoredRecord } from "./record.ts";
import { TermTable } from "./term-table.ts";

/** Memory for a search, as long as the longest index: they run one after another. */
export class Scratch {
  rows = new Uint32Array();
  counts = new Uint32Array();
  /** Of every row; all 0 between searches. */
  scores = new Float64Array();
  /** The rows that match. */
  matched = new Uint32Array();

  reserve(rows: number): void {
    if (rows <= this.rows.length) return;
    const length = Math.ceil(rows * 1.25);
    this.rows = new Uint32Array(length);
    this.counts = new Uint32Array(length);
    this.scores = new Float64Array(length);
    this.matched = new Uint32Array(length);
  }
}

/** Whether postings alone answer: phrases need positions, and filters the columns of the index on disk. */
export function isPlain({ terms, restriction }: FullTextQuery): boolean {
  return isEmpty(restriction.filter) && terms.phrases.length === 0 && terms.alternatives.every((alternative) => alternative.length === 1);
}

export class Postings {
  private readonly documents = new Documents();
  private readonly terms = new TermTable();
  private readonly lists = new PostingLists();

  constructor(private readonly scratch: Scratch) {}

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
    eachTerm(record, (start, end, count) => this.lists.add(this.terms.numberOf(record.text, start, end), row, count));
  }

  remove(uid: number): void {
    this.documents.remove(uid);
  }

  /** As FullTextIndex.search, of a plain query. */
  search(query: FullTextQuery): RankedHits<FullTextHit> {
    return this.found(query, (rows) => {
      const hits = this.best(rows, query.limit).map((row) => this.hit(row));
      hits.sort((a, b) => b.score - a.score || a.uid - b.uid);
      return { hits: hits.slice(0, query.limit), exhausted: rows.length <= query.limit };
    });
  }

  /** As FullTextIndex.matching, of a plain query. */
  matching(query: FullTextQuery): Matches {
    return this.found(query, (rows) => {
      const uids = rows.map((row) => this.documents.uids.values[row] as number).sort();
      return { uids: [...uids.subarray(0, query.limit)], complete: uids.length <= query.limit };
    });
  }

  /** The documents of the classes. */
  corpus(classes: ClassSet): Corpus {
    return this.documents.corpus(classes, PLANES);
  }

  /** How many documents of the classes have the term. */
  frequency(term: string, classes: ClassSet): number {
    this.scratch.reserve(this.documents.rows);
    return this.read(term, this.corpus(classes));
  }

  /** Gives `use` the rows that a query finds, with their scores in `scratch`. */
  private found<T>(query: FullTextQuery, use: (rows: Uint32Array) => T): T {
    const { scratch, documents } = this;
    scratch.reserve(documents.rows);
    const corpus = documents.corpus(query.restriction.classes, query.planes);
    const matched = this.score(query, corpus);
    try {
      return use(this.asked(matched, corpus, query.restriction.uids));
    } finally {
      for (let at = 0; at < matched; at += 1) scratch.scores[scratch.matched[at] as number] = 0;
    }
  }

  /** Those of the rows that match whose planes and uids are asked for. */
  private asked(matched: number, { seen }: Corpus, uids: readonly number[] | null): Uint32Array {
    const { rows, matched: matchedRows } = this.scratch;
    const { values: kinds } = this.documents.kinds;
    const among = uids && new Set(uids.map((uid) => this.documents.rowOf(uid)));
    let found = 0;
    for (let at = 0; at < matched; at += 1) {
      const row = matchedRows[at] as number;
      if (seen[kinds[row] as number] === ASKED && (among === null || among.has(row))) rows[found++] = row;
    }
    return rows.subarray(0, found);
  }

  /** The rows with the `limit` best scores, and others with the least of these scores. */
  private best(rows: Uint32Array, limit: number): number[] {
    const { scores } = this.scratch;
    const best = new BestRows(Math.min(limit, rows.length));
    for (let at = 0; at < rows.length; at += 1) best.offer(rows[at] as number, scores[rows[at] as number] as number);
    const { tied } = best;
    return tied === null ? best.rows().map(({ row }) => row) : [...rows.filter((row) => (scores[row] as number) >= tied)];
  }

  /** Scores the documents that match. Returns how many: `scratch.matched` has their rows. */
  private score({ terms }: FullTextQuery, corpus: Corpus): number {
    const matching = new Set(terms.alternatives.flat());
    let matched = 0;
    for (const term of scoringOrder(terms)) matched = this.add(term, corpus, matched, matching.has(term));
    return matched;
  }

  /** Adds the scores of a term, to those that match already unless it `matches` itself. Returns how many match with it. */
  private add(term: string, corpus: Corpus, matched: number, matches: boolean): number {
    const { scores, rows, counts, matched: matchedRows } = this.scratch;
    const { values: lengths } = this.documents.lengths;
    const found = this.read(term, corpus);
    const weight = idf(corpus.documents, found);
    const ofLength = lengthWeight(corpus.averageLength);
    let all = matched;
    for (let at = 0; at < found; at += 1) {
      const row = rows[at] as number;
      const score = scores[row] as number;
      if (score === 0) {
        if (!matches) continue;
        matchedRows[all++] = row;
      }
      scores[row] = score + termScore(weight, counts[at] as number, lengths[row] as number, ofLength);
    }
    return all;
  }

  /** The rows of the corpus that have the term, in `scratch`. Returns how many. */
  private read(term: string, { seen }: Corpus): number {
    const list = this.terms.find(term);
    return list === null ? 0 : this.lists.read(list, this.documents.kinds.values, seen, this.scratch);
  }

  private hit(row: number): FullTextHit {
    const { uids, versions } = this.documents;
    return { uid: uids.values[row] as number, version: versions.values[row] as number, score: this.scratch.scores[row] as number };
  }
}

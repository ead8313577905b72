/** The reader's half of the full text: searches the commits up to the last `reload`. Every call is synchronous inside Tantivy. */
import { assert } from "../../base/fault.ts";
import {
  FULLTEXT_CLASS_SETS_MAX,
  FULLTEXT_ROWS_PAGE,
  FULLTEXT_STATS_CACHE_MAX,
  SPELLING_DOCUMENTS_MAX,
  SPELLING_EXAMPLES_MAX,
  SPELLING_ROUNDS_MAX,
} from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import { type FullTextHit, type FullTextQuery, type NearTerm, nearestFirst } from "../../domain/port/full-text-index.ts";
import type { ClassSet, IndexedRow, RankedHits } from "../../domain/port/index.ts";
import type { Matches } from "../../domain/port/units.ts";
import { collectWhenIdle, pageOutFiles } from "../../runtime/native.ts";
import { editsBetween, LETTERS_ALONE } from "../../text/edits.ts";
import { idf, lengthWeight, scoringOrder, termScore } from "./bm25.ts";
import { type DocAddress, ORDER_ASC, type Searcher, type Tantivy, type TantivyIndex } from "./binding.ts";
import { collectSoon } from "./collect.ts";
import { fullTextSchema, QueryBuilder, TERM_FIELDS, type WeightedTerm } from "./query.ts";
import { countKey, countOf, RecordCache, readRecord, type StoredRecord, termsOf } from "./record.ts";
import { isPlain, type Postings } from "./postings.ts";
import { PostingsMemory, ResidentPostings } from "./resident.ts";
import { segmentsAt, verifySegments } from "./segments.ts";

/** Candidates that are scored again with the statistics of the visible documents, at least. */
const RESCORE_MIN = 200;

/** Candidates for each hit that is asked for. */
const CANDIDATE_FACTOR = 2;

/** The documents of the classes that a caller may see. */
interface Corpus {
  classes: ClassSet;
  documents: number;
  averageLength: number;
  /** The key of the corpus in the cache of frequencies. */
  key: number;
}

/**
 * BM25 statistics over the classes that a caller may see, so that other documents change no score. Of live documents only:
 * Tantivy's own frequencies count deleted ones until their segment is merged.
 */
class Statistics {
  private readonly corpora = new LruMap<string, Corpus>(FULLTEXT_CLASS_SETS_MAX);
  private readonly frequencies = new LruMap<string, number>(FULLTEXT_STATS_CACHE_MAX);
  private readonly terms = new LruMap<string, ScoredTerm>(FULLTEXT_STATS_CACHE_MAX);
  private corporaMade = 0;

  constructor(
    readonly searcher: Searcher,
    private readonly queries: QueryBuilder,
    private readonly resident: ResidentPostings,
  ) {}

  corpus(classes: ClassSet): Corpus {
    const name = classes === null ? "*" : classes.join();
    let corpus = this.corpora.get(name);
    if (!corpus) {
      const known = this.resident.whole?.corpus(classes);
      const { documents, averageLength } = known ?? this.corpusOnDisk(classes);
      // Classes that have every document restrict nothing. Postings cannot tell: they may lag behind the searcher by a commit.
      if (known === undefined && classes !== null && documents === this.searcher.numDocs) corpus = this.corpus(null);
      else corpus = { classes, documents, averageLength, key: this.corporaMade++ };
      this.corpora.set(name, corpus);
    }
    return corpus;
  }

  /** Documents of the corpus that hold the term. */
  frequency(corpus: Corpus, term: string): number {
    const name = `${corpus.key} ${term}`;
    let frequency = this.frequencies.get(name);
    if (frequency === undefined) {
      frequency = this.resident.whole?.frequency(term, corpus.classes) ?? this.frequencyOnDisk(term, corpus.classes);
      this.frequencies.set(name, frequency);
    }
    return frequency;
  }

  /** The term as it is searched for and scored in the corpus. */
  scored(corpus: Corpus, term: string): ScoredTerm {
    const name = `${corpus.key} ${term}`;
    let scored = this.terms.get(name);
    if (scored === undefined) {
      const weight = idf(corpus.documents, this.frequency(corpus, term));
      scored = { term, countKey: countKey(term), idf: weight, boosts: this.boosts(term, weight) };
      this.terms.set(name, scored);
    }
    return scored;
  }

  private corpusOnDisk(classes: ClassSet): Pick<Corpus, "documents" | "averageLength"> {
    const lengths = this.searcher.aggregate(this.queries.classes(classes), '{"len":{"stats":{"field":"len"}}}');
    const { count, sum } = (JSON.parse(lengths) as { len: { count: number; sum: number } }).len;
    return { documents: count, averageLength: count === 0 ? 0 : sum / count };
  }

  private frequencyOnDisk(term: string, classes: ClassSet): number {
    const fields = TERM_FIELDS.filter((field) => this.searcher.docFreq(field, term) > 0);
    return this.searcher.search(this.queries.termInClasses(fields, term, classes), 1, true).count ?? 0;
  }

  /** Of the fields that have the term: Tantivy weighs it there by its frequency among all documents of the index. */
  private boosts(term: string, weight: number): WeightedTerm["boosts"] {
    return TERM_FIELDS.flatMap((field) => {
      const frequency = this.searcher.docFreq(field, term);
      return frequency === 0 ? [] : [{ field, boost: weight / idf(Math.max(this.searcher.numDocs, frequency), frequency) }];
    });
  }
}

/** What a searcher saw. */
interface Snapshot {
  /** Of the last reload; holds its searcher. */
  statistics: Statistics;
  /** The numbers that the cache of records gave to its segments, by id. */
  segments: ReadonlyMap<string, number>;
  /** The same, in the order of the searcher's segments. */
  numbers: readonly number[];
}

interface OpenIndex {
  index: TantivyIndex;
  directory: string;
  resident: ResidentPostings;
}

interface SearchableIndex extends OpenIndex, Snapshot {
  /** The turn in which the postings are read further; null when none is due. */
  turn: ReturnType<typeof setTimeout> | null;
}

interface ScoredTerm extends WeightedTerm {
  countKey: string;
  idf: number;
}

function nearTermsOf(record: StoredRecord, terms: readonly string[], maxEdits: number): { term: string; edits: number }[] {
  const found = termsOf(record).map((other) => ({ term: other, edits: Math.min(...terms.map((term) => editsBetween(term, other, maxEdits))) }));
  return found.filter(({ edits }) => edits <= maxEdits);
}

/** Tantivy's terms aggregation over uids: a bucket holds one document. */
interface UidBuckets {
  buckets: { key: number }[];
  sum_other_doc_count: number;
}

/** `index` is a number that the caller gives to a directory when it opens it. */
export class Reader {
  private readonly indexes = new Map<number, SearchableIndex>();
  private readonly queries: QueryBuilder;
  private readonly records = new RecordCache();
  private readonly memory: PostingsMemory;

  /** `postingsBytes`: for those of all indexes in memory. */
  constructor(
    private readonly tantivy: Tantivy,
    postingsBytes: number,
  ) {
    this.queries = new QueryBuilder(tantivy, fullTextSchema(tantivy));
    this.memory = new PostingsMemory(postingsBytes);
  }

  /** `verify`: checks every segment; needed when no writer opened the index before. */
  open(index: number, directory: string, verify = false): void {
    if (verify) verifySegments(directory);
    const fresh = this.tantivy.Index.open(directory);
    const resident = new ResidentPostings(this.memory, this.queries);
    const held = { index: fresh, directory, resident };
    this.indexes.set(index, { ...held, ...this.snapshot(held, new Map(), () => fresh.configReader("manual")), turn: null });
  }

  /** Takes a snapshot of the last commit. `uids`: the Units that may have changed since the one before. */
  reload(index: number, uids: readonly number[]): void {
    const held = this.opened(index);
    Object.assign(
      held,
      this.snapshot(held, held.segments, () => held.index.reload()),
    );
    held.resident.follow(uids, held.statistics.searcher);
  }

  /** `known`: the segments of the snapshot before. */
  private snapshot({ index, directory, resident }: OpenIndex, known: Snapshot["segments"], take: () => void): Snapshot {
    const ids = segmentsAt(directory, take);
    const segments = this.records.numbered(ids, known);
    return { segments, numbers: [...segments.values()], statistics: new Statistics(index.searcher(), this.queries, resident) };
  }

  search(index: number, query: FullTextQuery): RankedHits<FullTextHit> {
    const held = this.opened(index);
    if (query.terms.scored.length === 0) return { hits: [], exhausted: true };
    return this.postingsFor(held, query)?.search(query) ?? this.searchOnDisk(held, query);
  }

  private searchOnDisk(held: SearchableIndex, query: FullTextQuery): RankedHits<FullTextHit> {
    const { statistics } = held;
    const corpus = statistics.corpus(query.restriction.classes);
    if (corpus.documents === 0) return { hits: [], exhausted: true };
    const terms = scoringOrder(query.terms).map((term) => statistics.scored(corpus, term));
    const restriction = { ...query.restriction, classes: corpus.classes };
    const hits = this.candidates(held, terms, { ...query, restriction }).map((record) => {
      return { uid: record.uid, version: record.version, score: bm25(terms, record, corpus.averageLength) };
    });
    hits.sort((a, b) => b.score - a.score || a.uid - b.uid);
    return { hits: hits.slice(0, query.limit), exhausted: hits.length <= query.limit };
  }

  matching(index: number, query: FullTextQuery): Matches {
    const held = this.opened(index);
    const { searcher } = held.statistics;
    if (query.terms.scored.length === 0 || searcher.numDocs === 0) return { uids: [], complete: true };
    const postings = this.postingsFor(held, query);
    if (postings !== null) return postings.matching(query);
    const wanted = { terms: { field: "uid", size: query.limit, order: { _key: "asc" } } };
    const found = searcher.aggregate(this.queries.search(query, []), JSON.stringify({ uids: wanted }));
    const { buckets, sum_other_doc_count: others } = (JSON.parse(found) as { uids: UidBuckets }).uids;
    return { uids: buckets.map(({ key }) => key), complete: others === 0 };
  }

  missing(index: number, terms: readonly string[], classes: ClassSet): string[] {
    const { statistics } = this.opened(index);
    const corpus = statistics.corpus(classes);
    return terms.filter((term) => statistics.frequency(corpus, term) === 0);
  }

  /** Documents are looked at in the order of their uids, so that others than those of the classes change nothing. */
  near(index: number, terms: readonly string[], maxEdits: number, classes: ClassSet): NearTerm[] {
    const held = this.opened(index);
    const { statistics } = held;
    const { searcher } = statistics;
    const corpus = statistics.corpus(classes);
    const found = new Map<string, NearTerm>();
    for (let round = 0; round < SPELLING_ROUNDS_MAX && corpus.documents > 0; round += 1) {
      const query = this.queries.near(terms, maxEdits, [...found.keys()], classes);
      const { hits } = searcher.search(query, SPELLING_DOCUMENTS_MAX, false, "uid", 0, ORDER_ASC);
      if (hits.length === 0) break;
      const before = new Set(found.keys());
      for (const { docAddress } of hits) {
        const record = this.record(held, docAddress);
        for (const { term: other, edits } of nearTermsOf(record, terms, maxEdits)) {
          if (before.has(other)) continue;
          const known = found.get(other) ?? { term: other, edits, documents: statistics.frequency(corpus, other), uids: [] };
          if (known.uids.length < SPELLING_EXAMPLES_MAX) known.uids.push(record.uid);
          found.set(other, known);
        }
      }
    }
    return nearestFirst([...found.values()]).filter(({ term: other }) => LETTERS_ALONE.test(other));
  }

  /** Up to FULLTEXT_ROWS_PAGE rows with a uid above `after`, by uid. */
  rows(index: number, after: number): IndexedRow[] {
    const { searcher } = this.opened(index).statistics;
    const page = searcher.search(this.queries.after(after), FULLTEXT_ROWS_PAGE, false, "uid", 0, ORDER_ASC);
    return page.hits.map(({ docAddress }) => {
      const { uid, version } = readRecord(searcher, docAddress);
      return { uid, version, window: 0 };
    });
  }

  count(index: number): number {
    return this.opened(index).statistics.searcher.numDocs;
  }

  close(index: number): void {
    const { resident, turn } = this.opened(index);
    if (turn !== null) clearTimeout(turn);
    resident.release();
    this.indexes.delete(index);
    collectSoon();
  }

  /** Closes every index, before the Worker ends. */
  exit(): void {
    for (const index of this.indexes.keys()) this.close(index);
  }

  private opened(index: number): SearchableIndex {
    const found = this.indexes.get(index);
    assert(found !== undefined, `full-text index ${index} is open`);
    return found;
  }

  /** Null when the index on disk has to answer: for what postings do not tell, and while they are read. */
  private postingsFor(held: SearchableIndex, query: FullTextQuery): Postings | null {
    if (!isPlain(query)) return null;
    if (held.turn === null && held.resident.reading) this.readFurther(held);
    return held.resident.whole;
  }

  /** Reads some documents into memory, and others in later turns, so that searches pass in between. */
  private readFurther(held: SearchableIndex): void {
    const { resident, statistics } = held;
    try {
      resident.read(statistics.searcher);
    } catch {
      resident.refuse();
    }
    held.turn = resident.reading ? setTimeout(() => this.readFurther(held), 0) : null;
    if (resident.whole === null) return;
    // Every stored document was read for the postings, which answer from here on: what answered until now is given back.
    this.records.clear();
    pageOutFiles(held.directory);
    collectWhenIdle();
  }

  /** The documents that Tantivy ranks best: more than asked for, so that the best by exact score are among them. */
  private candidates(held: SearchableIndex, terms: readonly ScoredTerm[], query: FullTextQuery): StoredRecord[] {
    const { searcher } = held.statistics;
    const limit = Math.max(RESCORE_MIN, CANDIDATE_FACTOR * query.limit);
    const { hits } = searcher.search(this.queries.search(query, terms), Math.min(limit, searcher.numDocs), false);
    // Read in the order of the store, so that a block with several documents is decompressed once.
    const addresses = hits.map((hit) => hit.docAddress).sort((a, b) => a.segmentOrd - b.segmentOrd || a.doc - b.doc);
    return addresses.map((address) => this.record(held, address));
  }

  private record({ statistics, numbers }: SearchableIndex, address: DocAddress): StoredRecord {
    return this.records.read(statistics.searcher, numbers, address);
  }
}

/** BM25 of one document: its path and its text count as one. */
function bm25(terms: readonly ScoredTerm[], { text, length }: StoredRecord, averageLength: number): number {
  const ofLength = lengthWeight(averageLength);
  let score = 0;
  for (const { countKey, idf } of terms) {
    const count = countOf(text, countKey);
    if (count > 0) score += termScore(idf, count, length, ofLength);
  }
  return score;
}

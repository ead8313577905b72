/**
 * The two Workers of the full text, in one file: the writer adds, deletes and commits, the reader
 * searches. Each holds every open index of the process. All calls are synchronous inside Tantivy.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { assert, Fault, type FaultKind } from "../../base/fault.ts";
import {
  CHECKSUM_CHUNK_BYTES,
  FULLTEXT_CLASS_SETS_MAX,
  FULLTEXT_ROWS_PAGE,
  FULLTEXT_STATS_CACHE_MAX,
  FULLTEXT_STORE_BLOCK_BYTES,
  FULLTEXT_WRITER_HEAP_BYTES,
  RESCORE_MIN,
} from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import { machineFault } from "../../base/machine.ts";
import { fieldValues, metadataTokens } from "../../domain/filter.ts";
import type { FullTextHit, FullTextQuery } from "../../domain/port/full-text-index.ts";
import type { ClassSet, IndexedRow, RankedHits } from "../../domain/port/index.ts";
import type { Unit } from "../../domain/unit.ts";
import { textTerms } from "../../text/terms.ts";
import { column, fullTextSchema, INTEGER_FIELDS, KEYWORD_FIELDS, QueryBuilder } from "./query.ts";
import {
  type DocAddress,
  type IndexWriter,
  loadTantivy,
  META_FILE,
  ORDER_ASC,
  type Schema,
  type Searcher,
  type Tantivy,
  type TantivyDocument,
  type TantivyIndex,
} from "./binding.ts";

/** What the writer does. `index` is a number that the caller gives to a directory when it opens it. */
export interface WriterCalls {
  /** Creates the index where there is none. Errors: when it is damaged or has another schema. The reader opens it after the writer. */
  open(index: number, directory: string): void;
  /** Replaces what the index holds of the Units, in one commit. */
  put(index: number, units: readonly Unit[]): void;
  remove(index: number, uids: readonly number[]): void;
  /** Waits for merges and releases the index. */
  close(index: number): void;
  /** Ends the Worker once every index is closed. */
  exit(): void;
}

/** What the reader does. It sees the commits up to its last `reload`. */
export interface ReaderCalls {
  /** `verify`: when no writer has opened the index, and so nobody has looked for damage. */
  open(index: number, directory: string, verify?: boolean): void;
  reload(index: number): void;
  search(index: number, query: FullTextQuery): RankedHits<FullTextHit>;
  /** Up to FULLTEXT_ROWS_PAGE rows with a uid above `after`, by uid. */
  rows(index: number, after: number): IndexedRow[];
  count(index: number): number;
  close(index: number): void;
  exit(): void;
}

export type Role = "writer" | "reader";
/** The first message to a Worker. */
export interface Start {
  id: number;
  role: Role;
  addonPath: string;
}
/** Any later message: a call by name. */
export type Call = {
  [Name in keyof (WriterCalls & ReaderCalls)]: { id: number; op: Name; args: Parameters<(WriterCalls & ReaderCalls)[Name]> };
}[keyof (WriterCalls & ReaderCalls)];
/** `message` is private: it reaches the log only. `damaged`: the index that was opened is not what was written. */
export type Reply = { id: number; ok: true; value: unknown } | { id: number; ok: false; kind: FaultKind; message: string; damaged: boolean };

/** The parts of a segment on disk. */
const SEGMENT_PARTS = ["fast", "fieldnorm", "idx", "pos", "store", "term"];
/** A part ends with a JSON footer, the footer's length and a magic number, both u32. */
const FOOTER_TAIL_BYTES = 8;
const BM25_K1 = 1.2;
const BM25_B = 0.75;
/** Candidates for each hit that is asked for. */
const CANDIDATE_FACTOR = 2;

interface IndexMeta {
  index_settings: { docstore_blocksize: number };
  segments: { segment_id: string; deletes: { opstamp: number } | null }[];
}

/** The files that the last commit is made of. Errors: throws when the list of segments is damaged. */
function committedFiles(directory: string): string[] {
  const meta = JSON.parse(readFileSync(join(directory, META_FILE), "utf8")) as IndexMeta;
  return meta.segments.flatMap(({ segment_id, deletes }) => {
    const segment = segment_id.replaceAll("-", "");
    const files = SEGMENT_PARTS.map((part) => `${segment}.${part}`);
    return deletes ? [...files, `${segment}.${deletes.opstamp}.del`] : files;
  });
}

/** Tantivy aborts the process when it meets a damaged segment, so every committed file is checked first. Errors: throws on damage. */
function verifySegments(directory: string): void {
  for (const file of committedFiles(directory)) verifyChecksum(join(directory, file));
}

const SEGMENT_FILE = /^[0-9a-f]{32}\.(?:\d+\.del|[a-z]+)$/;

/**
 * Removes what a commit left that was cut short or failed. The next writer counts on from the last commit, comes to the
 * same names again, and refuses to write over them.
 */
function removeStrays(directory: string): void {
  const committed = new Set(committedFiles(directory));
  for (const file of readdirSync(directory)) {
    if (SEGMENT_FILE.test(file) && !committed.has(file)) rmSync(join(directory, file), { force: true });
  }
}

function verifyChecksum(path: string): void {
  const file = openSync(path, "r");
  try {
    const size = fstatSync(file).size;
    const tail = readAt(file, Math.max(0, size - FOOTER_TAIL_BYTES), FOOTER_TAIL_BYTES);
    const end = size - FOOTER_TAIL_BYTES - (tail.length === FOOTER_TAIL_BYTES ? tail.readUInt32LE(0) : size);
    if (end < 0) throw new Error(`${path} is cut short`);
    const footer = JSON.parse(readAt(file, end, size - FOOTER_TAIL_BYTES - end).toString()) as { crc: number };
    let crc = 0;
    for (let at = 0; at < end; at += CHECKSUM_CHUNK_BYTES) crc = crc32(readAt(file, at, Math.min(CHECKSUM_CHUNK_BYTES, end - at)), crc);
    if (crc !== footer.crc) throw new Error(`${path} does not match its checksum`);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, position));
}

function opened<T>(indexes: ReadonlyMap<number, T>, index: number): T {
  const found = indexes.get(index);
  assert(found !== undefined, `full-text index ${index} is open`);
  return found;
}

interface WritableIndex {
  index: TantivyIndex;
  directory: string;
  /** Opened by the first write and kept: a writer holds threads and a lock. */
  writer: IndexWriter | null;
}

class Writer implements WriterCalls {
  private readonly indexes = new Map<number, WritableIndex>();
  private readonly schema: Schema;

  constructor(private readonly tantivy: Tantivy) {
    this.schema = fullTextSchema(tantivy);
  }

  open(index: number, directory: string): void {
    if (existsSync(join(directory, META_FILE))) verifySegments(directory);
    else this.create(directory);
    const found = new this.tantivy.Index(this.schema, directory, true);
    found.configReader("manual");
    this.indexes.set(index, { index: found, directory, writer: null });
  }

  /** The addon takes no settings, so they are written into the empty index before anything else opens it. */
  private create(directory: string): void {
    new this.tantivy.Index(this.schema, directory, true).configReader("manual");
    const path = join(directory, META_FILE);
    const meta = JSON.parse(readFileSync(path, "utf8")) as IndexMeta;
    meta.index_settings.docstore_blocksize = FULLTEXT_STORE_BLOCK_BYTES;
    writeFileSync(`${path}.new`, JSON.stringify(meta), { flush: true });
    renameSync(`${path}.new`, path);
  }

  put(index: number, units: readonly Unit[]): void {
    this.write(index, (writer) => {
      for (const unit of units) {
        writer.deleteDocumentsByTerm("uid", unit.uid);
        const document = this.document(unit);
        if (document) writer.addDocument(document);
      }
    });
  }

  remove(index: number, uids: readonly number[]): void {
    this.write(index, (writer) => {
      for (const uid of uids) writer.deleteDocumentsByTerm("uid", uid);
    });
  }

  close(index: number): void {
    this.release(opened(this.indexes, index));
    this.indexes.delete(index);
  }

  exit(): void {
    for (const index of this.indexes.keys()) this.close(index);
  }

  /**
   * After a failure the writer is given up with all that it had not committed; the next write opens
   * another. The reload lets go of merged segments, whose files would stay otherwise.
   */
  private write(index: number, change: (writer: IndexWriter) => void): void {
    const held = opened(this.indexes, index);
    held.writer ??= this.openWriter(held);
    try {
      change(held.writer);
      held.writer.commit();
      held.index.reload();
    } catch (error) {
      this.release(held);
      throw error;
    }
  }

  private openWriter({ index, directory }: WritableIndex): IndexWriter {
    removeStrays(directory);
    return index.writer(FULLTEXT_WRITER_HEAP_BYTES, 1);
  }

  private release(held: WritableIndex): void {
    const { writer } = held;
    held.writer = null;
    writer?.waitMergingThreads();
  }

  /** Null when the Unit has no text. A text without a term has its row like any other, though no query finds it. */
  private document(unit: Unit): TantivyDocument | null {
    if (unit.text === null) return null;
    const terms = textTerms(unit.text);
    const document = new this.tantivy.Document();
    document.addUnsigned("uid", unit.uid);
    document.addUnsigned("classId", unit.classId);
    document.addUnsigned("len", terms.length);
    document.addText("body", terms.join(" "));
    document.addText("record", formatRecord(unit, terms));
    for (const token of metadataTokens(unit.metadata)) document.addText("tags", token);
    for (const field of KEYWORD_FIELDS) for (const value of present(document, unit, field)) document.addText(column(field), String(value));
    for (const field of INTEGER_FIELDS) for (const value of present(document, unit, field)) document.addInteger(column(field), Number(value));
    return document;
  }
}

function present(document: TantivyDocument, unit: Unit, field: (typeof KEYWORD_FIELDS | typeof INTEGER_FIELDS)[number]) {
  const values = fieldValues(unit, field);
  if (values.length > 0) document.addText("present", field);
  return values;
}

/** What is stored of a document: `uid version length`, then `\nterm:count` for each term. */
function formatRecord({ uid, version }: Unit, terms: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return `${uid} ${version} ${terms.length}${Array.from(counts, ([term, count]) => `\n${term}:${count}`).join("")}`;
}

interface StoredRecord {
  uid: number;
  version: number;
  /** In terms. */
  length: number;
  text: string;
}

function readRecord(searcher: Searcher, address: DocAddress): StoredRecord {
  const text = searcher.doc(address).getFirst("record");
  assert(typeof text === "string", "every document has a record");
  const [uid = Number.NaN, version = Number.NaN, length = Number.NaN] = text.slice(0, text.indexOf("\n")).split(" ").map(Number);
  return { uid, version, length, text };
}

function countOf(record: string, term: string): number {
  const key = `\n${term}:`;
  const at = record.indexOf(key);
  return at < 0 ? 0 : Number.parseInt(record.slice(at + key.length, at + key.length + 12), 10);
}

/** The visible documents as a body of text. */
interface Corpus {
  classes: ClassSet;
  documents: number;
  averageLength: number;
  /** Names the corpus in the cache of frequencies. */
  key: number;
}

/**
 * BM25 statistics over the classes that a caller may see, so that nothing else moves a score. Live
 * documents only: Tantivy's own frequencies count deleted ones until they are merged away.
 */
class Statistics {
  private readonly corpora = new LruMap<string, Corpus>(FULLTEXT_CLASS_SETS_MAX);
  private readonly frequencies = new LruMap<string, number>(FULLTEXT_STATS_CACHE_MAX);
  private corporaMade = 0;

  constructor(
    readonly searcher: Searcher,
    private readonly queries: QueryBuilder,
  ) {}

  corpus(classes: ClassSet): Corpus {
    const name = classes === null ? "*" : classes.join();
    let corpus = this.corpora.get(name);
    if (!corpus) {
      const lengths = this.searcher.aggregate(this.queries.classes(classes), '{"len":{"stats":{"field":"len"}}}');
      const { count, sum } = (JSON.parse(lengths) as { len: { count: number; sum: number } }).len;
      corpus = { classes, documents: count, averageLength: count === 0 ? 0 : sum / count, key: this.corporaMade++ };
      this.corpora.set(name, corpus);
    }
    return corpus;
  }

  /** Documents of the corpus that hold the term. */
  frequency(corpus: Corpus, term: string): number {
    const name = `${corpus.key} ${term}`;
    let frequency = this.frequencies.get(name);
    if (frequency === undefined) {
      frequency = this.searcher.search(this.queries.termInClasses(term, corpus.classes), 1, true).count ?? 0;
      this.frequencies.set(name, frequency);
    }
    return frequency;
  }

  /** Roughly the weight that Tantivy gives the term itself. */
  globalIdf(term: string): number {
    const frequency = this.searcher.docFreq("body", term);
    return idf(Math.max(this.searcher.numDocs, frequency), frequency);
  }
}

function idf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

interface SearchableIndex {
  index: TantivyIndex;
  /** Of the last reload; holds its searcher. */
  statistics: Statistics;
}

interface ScoredTerm {
  term: string;
  idf: number;
}

class Reader implements ReaderCalls {
  private readonly indexes = new Map<number, SearchableIndex>();
  private readonly queries: QueryBuilder;

  constructor(private readonly tantivy: Tantivy) {
    this.queries = new QueryBuilder(tantivy, fullTextSchema(tantivy));
  }

  open(index: number, directory: string, verify = false): void {
    if (verify) verifySegments(directory);
    const fresh = this.tantivy.Index.open(directory);
    fresh.configReader("manual");
    this.indexes.set(index, { index: fresh, statistics: new Statistics(fresh.searcher(), this.queries) });
  }

  reload(index: number): void {
    const held = opened(this.indexes, index);
    held.index.reload();
    held.statistics = new Statistics(held.index.searcher(), this.queries);
  }

  search(index: number, query: FullTextQuery): RankedHits<FullTextHit> {
    const { statistics } = opened(this.indexes, index);
    const { scored } = query.terms;
    const corpus = statistics.corpus(query.restriction.classes);
    if (scored.length === 0 || corpus.documents === 0) return { hits: [], exhausted: true };
    const terms = scored.map((term) => ({ term, idf: idf(corpus.documents, statistics.frequency(corpus, term)) }));
    const hits = this.candidates(statistics, terms, query).map((record) => {
      return { uid: record.uid, version: record.version, score: bm25(terms, record, corpus.averageLength) };
    });
    hits.sort((a, b) => b.score - a.score || a.uid - b.uid);
    return { hits: hits.slice(0, query.limit), exhausted: hits.length <= query.limit };
  }

  rows(index: number, after: number): IndexedRow[] {
    const { searcher } = opened(this.indexes, index).statistics;
    const page = searcher.search(this.queries.after(after), FULLTEXT_ROWS_PAGE, false, "uid", 0, ORDER_ASC);
    return page.hits.map(({ docAddress }) => {
      const { uid, version } = readRecord(searcher, docAddress);
      return { uid, version, window: 0 };
    });
  }

  count(index: number): number {
    return opened(this.indexes, index).statistics.searcher.numDocs;
  }

  close(index: number): void {
    this.indexes.delete(index);
  }

  exit(): void {
    this.indexes.clear();
  }

  /** The documents that Tantivy ranks best: more than asked for, so that the best of the exact scores are among them. */
  private candidates(statistics: Statistics, terms: readonly ScoredTerm[], query: FullTextQuery): StoredRecord[] {
    const { searcher } = statistics;
    const weights = terms.map(({ term, idf }) => ({ term, boost: idf / statistics.globalIdf(term) }));
    const limit = Math.max(RESCORE_MIN, CANDIDATE_FACTOR * query.limit);
    const { hits } = searcher.search(this.queries.search(query, weights), Math.min(limit, searcher.numDocs), false);
    // In the order of the store, so that neighbours share a block and it is unpacked once.
    const addresses = hits.map((hit) => hit.docAddress).sort((a, b) => a.segmentOrd - b.segmentOrd || a.doc - b.doc);
    return addresses.map((address) => readRecord(searcher, address));
  }
}

/** Okapi BM25 of one document. */
function bm25(terms: readonly ScoredTerm[], { text, length }: StoredRecord, averageLength: number): number {
  const norm = BM25_K1 * (1 - BM25_B + (BM25_B * length) / averageLength);
  let score = 0;
  for (const { term, idf } of terms) {
    const count = countOf(text, term);
    score += (idf * count * (BM25_K1 + 1)) / (count + norm);
  }
  return score;
}

declare const self: Worker;

let service: Writer | Reader | null = null;

function start({ role, addonPath }: Start): void {
  const tantivy = loadTantivy(addonPath);
  service = role === "writer" ? new Writer(tantivy) : new Reader(tantivy);
}

function answer(message: Start | Call): unknown {
  if ("role" in message) return start(message);
  if (message.op === "exit") return service?.exit();
  assert(service !== null, "a full-text Worker is started before it is called");
  const method = (service as unknown as Record<string, (...args: unknown[]) => unknown>)[message.op];
  assert(method !== undefined, `${message.op} is a call of this full-text Worker`);
  return method.apply(service, message.args);
}

self.onmessage = ({ data }: MessageEvent<Start | Call>) => {
  let reply: Reply;
  try {
    reply = { id: data.id, ok: true, value: answer(data) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const damaged = "op" in data && data.op === "open" && machineFault(error) === null;
    reply = { id: data.id, ok: false, kind: error instanceof Fault ? error.kind : "unavailable", message, damaged };
  }
  self.postMessage(reply);
  // A Worker that listens to nothing ends by itself.
  if ("op" in data && data.op === "exit") self.onmessage = null;
};

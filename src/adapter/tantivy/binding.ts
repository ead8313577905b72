/**
 * A typed view of the Tantivy addon, of the calls that the full text uses. Every call is synchronous,
 * so it belongs in a Worker. A panic inside the addon aborts the whole process: a limit of 0, a phrase
 * of fewer than two words and a damaged segment are such cases, and callers rule them out beforehand.
 */

export interface TantivyDocument {
  addText(field: string, text: string): void;
  addUnsigned(field: string, value: number): void;
  addInteger(field: string, value: number): void;
  /** What is stored of the field; null for nothing. */
  getFirst(field: string): string | number | null;
}

export interface DocAddress {
  segmentOrd: number;
  doc: number;
}

/** A snapshot of the index. */
export interface Searcher {
  /** Live documents. */
  readonly numDocs: number;
  /** `limit` is at least 1. Best first; by `orderByField` (an unsigned fast field) when it is given. */
  search(
    query: TantivyQuery,
    limit: number,
    count: boolean,
    orderByField?: string,
    offset?: number,
    order?: number,
  ): { hits: { docAddress: DocAddress }[]; count?: number };
  doc(address: DocAddress): TantivyDocument;
  /** Documents with the term, deleted ones included until their segment is merged. */
  docFreq(field: string, value: string): number;
  /** Takes and returns JSON text. */
  aggregate(query: TantivyQuery, aggregations: string): string;
}

export interface IndexWriter {
  addDocument(document: TantivyDocument): void;
  deleteDocumentsByTerm(field: string, value: number): void;
  /** Synced to disk when it returns. */
  commit(): void;
  /** Consumes the writer and releases its lock. */
  waitMergingThreads(): void;
}

export interface TantivyIndex {
  configReader(reloadPolicy: "manual"): void;
  reload(): void;
  searcher(): Searcher;
  writer(heapBytes: number, threads: number): IndexWriter;
}

declare const opaque: unique symbol;
export interface TantivyQuery {
  readonly [opaque]: "query";
}
export interface Schema {
  readonly [opaque]: "schema";
}

/** Tantivy's list of the committed segments, in the directory of the index. */
export const META_FILE = "meta.json";

/** The values of the addon's own enumerations. */
export const OCCUR = { must: 0, should: 1, mustNot: 2 } as const;
export const FIELD_TYPE_I64 = 2;
export const FIELD_TYPE_U64 = 1;
export const ORDER_ASC = 0;

export interface Clause {
  occur: (typeof OCCUR)[keyof typeof OCCUR];
  query: TantivyQuery;
}

export interface QueryFactory {
  allQuery(): TantivyQuery;
  emptyQuery(): TantivyQuery;
  termQuery(schema: Schema, field: string, value: string | number): TantivyQuery;
  termSetQuery(schema: Schema, field: string, values: readonly (string | number)[]): TantivyQuery;
  phraseQuery(schema: Schema, field: string, words: readonly string[], slop: number): TantivyQuery;
  booleanQuery(clauses: readonly Clause[]): TantivyQuery;
  boostQuery(query: TantivyQuery, boost: number): TantivyQuery;
  constScoreQuery(query: TantivyQuery, score: number): TantivyQuery;
  rangeQuery(schema: Schema, field: string, type: number, low: number, high: number, includeLow: boolean, includeHigh: boolean): TantivyQuery;
  fuzzyTermQuery(schema: Schema, field: string, text: string, distance: number, transpose: boolean, prefix: boolean): TantivyQuery;
}

export interface Tantivy {
  Schema: { fromJson(json: string): Schema };
  Document: new () => TantivyDocument;
  Query: QueryFactory;
  /** `reuse` opens what is there and refuses another schema. */
  Index: { new (schema: Schema, directory: string, reuse: boolean): TantivyIndex; open(directory: string): TantivyIndex };
}

/** Loads the addon at `addonPath`; works from a file and from inside the executable. Errors: throws when it cannot be loaded. */
export function loadTantivy(addonPath: string): Tantivy {
  const module = { exports: {} };
  process.dlopen(module, addonPath);
  return module.exports as Tantivy;
}

/** What is stored of a document, in one string: reading one field takes as long as reading all of it. */
import { assert } from "../../base/fault.ts";
import { FULLTEXT_RECORDS_BYTES } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import type { Plane } from "../../domain/plane.ts";
import type { Unit } from "../../domain/unit.ts";
import type { DocAddress, Searcher } from "./binding.ts";

/** Tantivy numbers the documents of a segment in 32 bits. */
const DOCUMENTS_PER_SEGMENT_MAX = 2 ** 32;
const LINE_END = 10;
const TAB = 9;
const DIGIT_ZERO = 48;

/** What is stored of a document: `uid version length class plane`, then for each term a line end, the term, a tab and its count. */
export function formatRecord({ uid, version, classId, plane }: Unit, terms: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return `${uid} ${version} ${terms.length} ${classId} ${plane}${Array.from(counts, ([term, count]) => `\n${term}\t${count}`).join("")}`;
}

export interface StoredRecord {
  uid: number;
  version: number;
  /** In terms. */
  length: number;
  classId: number;
  plane: Plane;
  text: string;
}

export function readRecord(searcher: Searcher, address: DocAddress): StoredRecord {
  const text = searcher.doc(address).getFirst("record");
  assert(typeof text === "string", "every document has a record");
  const end = text.indexOf("\n");
  const [uid, version, length, classId, plane] = text.slice(0, end < 0 ? text.length : end).split(" ");
  return { uid: Number(uid), version: Number(version), length: Number(length), classId: Number(classId), plane: plane as Plane, text };
}

/** What a record takes in memory beside its text: its object, its numbers and its place in the cache. */
const RECORD_OVERHEAD_BYTES = 128;
/** At most: the engine holds a string of Latin characters in one byte each. */
const BYTES_PER_CHARACTER = 2;

function recordBytes({ text }: StoredRecord): number {
  return RECORD_OVERHEAD_BYTES + BYTES_PER_CHARACTER * text.length;
}

/**
 * The records of every index that were read last. A segment never changes, so a record is known by the number of its segment and
 * its place there; a number is never given twice, and the records of a segment that is gone are the first to be forgotten.
 */
export class RecordCache {
  private readonly records = new LruMap<number, StoredRecord>(FULLTEXT_RECORDS_BYTES, recordBytes);
  private segments = 0;

  /** Numbers for segments by their ids: the `known` ones, new ones for others. */
  numbered(ids: readonly string[], known: ReadonlyMap<string, number>): Map<string, number> {
    return new Map(ids.map((id) => [id, known.get(id) ?? this.segments++]));
  }

  /** The record at an address of a searcher whose segments have these numbers; one without a number is read and not kept. */
  read(searcher: Searcher, numbers: readonly number[], address: DocAddress): StoredRecord {
    const segment = numbers[address.segmentOrd];
    if (segment === undefined) return readRecord(searcher, address);
    const key = segment * DOCUMENTS_PER_SEGMENT_MAX + address.doc;
    const known = this.records.get(key);
    if (known !== undefined) return known;
    const record = readRecord(searcher, address);
    this.records.set(key, record);
    return record;
  }

  clear(): void {
    this.records.clear();
  }
}

/** The different terms of a document. */
export function termsOf({ text }: StoredRecord): string[] {
  const [, ...lines] = text.split("\n");
  return lines.map((line) => line.slice(0, line.indexOf("\t")));
}

const encoder = new TextEncoder();
/** Of a character of a string. */
const UTF8_MAX_BYTES = 3;
/** The record that `eachTerm` looks at, in UTF-8. */
let encoded = new Uint8Array();

/** Tells each of a document's terms, the bytes in UTF-8 between two places, and how often the document has it. */
export function eachTerm({ text }: StoredRecord, visit: (bytes: Uint8Array, start: number, end: number, count: number) => void): void {
  if (encoded.length < UTF8_MAX_BYTES * text.length) encoded = new Uint8Array(2 * UTF8_MAX_BYTES * text.length);
  const length = encoder.encodeInto(text, encoded).written;
  for (let at = encoded.subarray(0, length).indexOf(LINE_END); at >= 0 && at < length; ) {
    const start = at + 1;
    const end = encoded.indexOf(TAB, start);
    let count = 0;
    for (at = end + 1; at < length && encoded[at] !== LINE_END; at += 1) count = count * 10 + (encoded[at] as number) - DIGIT_ZERO;
    visit(encoded, start, end, count);
  }
}

/** What stands before the count of a term. */
export function countKey(term: string): string {
  return `\n${term}\t`;
}

/** The count behind a `countKey` in the text of a record; 0 when it is not there. */
export function countOf(record: string, key: string): number {
  const at = record.indexOf(key);
  let count = 0;
  if (at < 0) return count;
  for (let digit = at + key.length; digit < record.length && record.charCodeAt(digit) !== LINE_END; digit += 1) {
    count = count * 10 + record.charCodeAt(digit) - DIGIT_ZERO;
  }
  return count;
}

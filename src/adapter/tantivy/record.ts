/** What is stored of a document, in one string: reading one field takes as long as reading all of it. */
import { assert } from "../../base/fault.ts";
import type { Unit } from "../../domain/unit.ts";
import type { DocAddress, Searcher } from "./binding.ts";

/** What is stored of a document: `uid version length`, then for each term a line end, the term, a tab and its count. */
export function formatRecord({ uid, version }: Unit, terms: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return `${uid} ${version} ${terms.length}${Array.from(counts, ([term, count]) => `\n${term}\t${count}`).join("")}`;
}

export interface StoredRecord {
  uid: number;
  version: number;
  /** In terms. */
  length: number;
  text: string;
}

export function readRecord(searcher: Searcher, address: DocAddress): StoredRecord {
  const text = searcher.doc(address).getFirst("record");
  assert(typeof text === "string", "every document has a record");
  const [uid = Number.NaN, version = Number.NaN, length = Number.NaN] = text.slice(0, text.indexOf("\n")).split(" ").map(Number);
  return { uid, version, length, text };
}

/** The different terms of a document. */
export function termsOf({ text }: StoredRecord): string[] {
  return text
    .split("\n")
    .slice(1)
    .map((line) => line.slice(0, line.indexOf("\t")));
}

export function countOf(record: string, term: string): number {
  const key = `\n${term}\t`;
  const at = record.indexOf(key);
  return at < 0 ? 0 : Number.parseInt(record.slice(at + key.length, at + key.length + 12), 10);
}

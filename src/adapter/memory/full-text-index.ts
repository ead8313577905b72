/** A full-text index in memory: BM25 with the statistics of the classes that are searched, over the terms of every text. */
import { Fault } from "../../base/fault.ts";
import { SPELLING_EXAMPLES_MAX } from "../../base/limits.ts";
import { isNative } from "../../domain/filter.ts";
import { type FullTextHit, type FullTextIndex, type FullTextQuery, type NearTerm, nearestFirst } from "../../domain/port/full-text-index.ts";
import type { ClassSet, IndexedRow, IndexEntry, IndexState, RankedHits } from "../../domain/port/index.ts";
import type { Matches } from "../../domain/port/units.ts";
import type { Unit } from "../../domain/unit.ts";
import { editsBetween, LETTERS_ALONE } from "../../text/edits.ts";
import { ENGLISH, type Language } from "../../text/language.ts";
import { pathTerms, type QueryTerms, textTerms } from "../../text/terms.ts";
import { allows } from "./vector-index.ts";

/** The parameters of BM25 that Lucene and Tantivy have. */
const K1 = 1.2;
const B = 0.75;

interface Document {
  unit: Unit;
  /** Those of the path and those of the text: a phrase lies in one of them, and scores count both as one. */
  fields: readonly (readonly string[])[];
  terms: readonly string[];
}

export class MemoryFullTextIndex implements FullTextIndex {
  private closed = false;

  /** `documents`: what an index that was closed held. */
  constructor(
    readonly documents = new Map<number, Document>(),
    private readonly language: Language = ENGLISH,
  ) {}

  async put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void> {
    for (const { unit } of entries) {
      if (unit.text === null) this.documents.delete(unit.uid);
      else this.documents.set(unit.uid, documentOf(unit, unit.text, this.language));
    }
  }

  async remove(uids: readonly number[]): Promise<void> {
    for (const uid of uids) this.documents.delete(uid);
  }

  async search({ terms, planes, limit, restriction }: FullTextQuery): Promise<RankedHits<FullTextHit>> {
    if (this.closed) throw new Fault("unavailable", "the full-text index is not available");
    if (!isNative(restriction.filter)) throw new Error("a filter over metadata is not native");
    const { classes } = restriction;
    // Only what the view may see has a part in the statistics, whatever the filter leaves of it.
    const readable = this.readable(classes);
    const scoreOf = scorer(readable, terms.scored);
    const found = readable.filter(({ unit, fields }) => planes.includes(unit.plane) && allows(restriction, unit) && isMatch(fields, terms));
    const hits = found.map((one) => ({ uid: one.unit.uid, version: one.unit.version, score: scoreOf(one) }));
    hits.sort((a, b) => b.score - a.score || a.uid - b.uid);
    return { hits: hits.slice(0, limit), exhausted: hits.length <= limit };
  }

  async matching(query: FullTextQuery): Promise<Matches> {
    const { hits } = await this.search({ ...query, limit: Number.MAX_SAFE_INTEGER });
    const uids = hits.map(({ uid }) => uid).sort((a, b) => a - b);
    return { uids: uids.slice(0, query.limit), complete: uids.length <= query.limit };
  }

  async missing(terms: readonly string[], classes: ClassSet): Promise<string[]> {
    const known = new Set(this.readable(classes).flatMap((document) => document.terms));
    return terms.filter((term) => !known.has(term));
  }

  async near(wanted: readonly string[], maxEdits: 1 | 2, classes: ClassSet): Promise<NearTerm[]> {
    const found = new Map<string, NearTerm>();
    for (const { terms, unit } of this.readable(classes).sort((a, b) => a.unit.uid - b.unit.uid)) {
      for (const other of new Set(terms)) {
        const edits = Math.min(...wanted.map((term) => editsBetween(term, other, maxEdits)));
        if (edits > maxEdits || !LETTERS_ALONE.test(other)) continue;
        const { documents, uids } = found.get(other) ?? { documents: 0, uids: [] };
        found.set(other, { term: other, edits, documents: documents + 1, uids: [...uids, unit.uid].slice(0, SPELLING_EXAMPLES_MAX) });
      }
    }
    return nearestFirst([...found.values()]);
  }

  private readable(classes: ClassSet): Document[] {
    return [...this.documents.values()].filter(({ unit }) => classes === null || classes.includes(unit.classId));
  }

  async rows(): Promise<IndexedRow[]> {
    const units = [...this.documents.values()].map(({ unit }) => unit).sort((a, b) => a.uid - b.uid);
    return units.map(({ uid, version }) => ({ uid, version, window: 0 }));
  }

  async state(): Promise<IndexState> {
    return { rows: this.documents.size, state: "ok" };
  }

  working(): boolean {
    return true;
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

function documentOf(unit: Unit, text: string, language: Language): Document {
  const fields = [pathTerms(unit.path, language), textTerms(text, language)];
  return { unit, fields, terms: fields.flat() };
}

function scorer(documents: readonly Document[], scored: readonly string[]): (document: Document) => number {
  const mean = documents.reduce((sum, { terms }) => sum + terms.length, 0) / documents.length;
  const weights = scored.map((term) => {
    const containing = documents.filter(({ terms }) => terms.includes(term)).length;
    return { term, idf: Math.log(1 + (documents.length - containing + 0.5) / (containing + 0.5)) };
  });
  return ({ terms }) =>
    weights.reduce((sum, { term, idf }) => {
      const frequency = terms.filter((own) => own === term).length;
      return sum + (idf * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * terms.length) / mean));
    }, 0);
}

function isMatch(fields: Document["fields"], { scored, alternatives, phrases }: QueryTerms): boolean {
  const has = (phrase: readonly string[]) => fields.some((own) => own.some((_, at) => phrase.every((term, next) => own[at + next] === term)));
  if (scored.length === 0) return false;
  return phrases.length > 0 ? phrases.every(has) : alternatives.some(has);
}

/**
 * Typo tolerance: a plain word of a query that no Unit has which the caller may read is read as the nearest word that one has.
 * Neither what is missing nor what is near depends on any other Unit.
 */
import { stopwatch } from "../../base/clock.ts";
import { SPELLING_WORDS_MAX } from "../../base/limits.ts";
import type { TraceStage } from "../../domain/hit.ts";
import type { NearTerm } from "../../domain/port/full-text-index.ts";
import { languageOf } from "../../domain/principal.ts";
import type { SearchQuery } from "../../domain/query.ts";
import { type PlainWord, plainWords, wordOf } from "../../text/plain-words.ts";
import type { Tenant } from "../tenant.ts";
import { classSetOf } from "./legs.ts";
import type { RequestModels } from "./models.ts";

/** What a query is read as. */
export interface Spelled {
  q: string;
  warnings: string[];
  /** Of a query that was changed. */
  stages: TraceStage[];
}

interface Correction {
  misspelt: PlainWord;
  word: string;
}

/** `classes`: those that the caller may read. Errors: Fault `unavailable`. */
export async function spelled(tenant: Tenant, models: RequestModels, { q, mode }: SearchQuery, classes: readonly number[]): Promise<Spelled> {
  const checking = stopwatch();
  const language = languageOf(tenant.namespace);
  const words = mode === "vector" || classes.length === 0 ? [] : plainWords(q, language);
  if (words.length === 0) return { q, warnings: [], stages: [] };
  const within = await classSetOf(tenant, classes);
  const terms = words.map(({ term }) => term);
  const missing = new Set(await tenant.fulltext.missing(terms, within));
  const doubtful = words.filter(({ term }) => missing.has(term)).slice(0, SPELLING_WORDS_MAX);
  const corrections: Correction[] = [];
  for (const misspelt of doubtful) {
    if (await models.knows(misspelt.word)) continue;
    const near = await tenant.fulltext.near(misspelt.term, misspelt.maxEdits, within);
    const word = await firstReadable(tenant, near, new Set(classes));
    if (word !== null) corrections.push({ misspelt, word });
  }
  if (corrections.length === 0) return { q, warnings: [], stages: [] };
  const warnings = corrections.map(({ misspelt, word }) => `nothing here has the word "${misspelt.word}": searched for "${word}" instead`);
  return { q: corrected(q, corrections), warnings, stages: [{ name: "spelling", ms: checking(), in: words.length, out: corrections.length }] };
}

/** The nearest term, as the word that a Unit has which the caller may read now. */
async function firstReadable({ reader, namespace }: Tenant, near: readonly NearTerm[], classes: ReadonlySet<number>): Promise<string | null> {
  for (const { term, uid } of near) {
    const unit = (await reader.units.byUids([uid])).get(uid);
    if (unit === undefined || !classes.has(unit.classId)) continue;
    const word = wordOf(term, [unit.text ?? "", ...(unit.path ?? [])].join("\n"), languageOf(namespace));
    if (word !== null) return word;
  }
  return null;
}

function corrected(q: string, corrections: readonly Correction[]): string {
  return corrections.toReversed().reduce((text, { misspelt: { start, end }, word }) => text.slice(0, start) + word + text.slice(end), q);
}

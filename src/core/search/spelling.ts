/**
 * Typo tolerance: a plain word of a query that no Unit has which the caller may read is read as the nearest word that one has.
 * Neither what is missing nor what is near depends on any other Unit.
 */
import { stopwatch } from "../../base/clock.ts";
import { SPELLING_TERMS_MAX, SPELLING_WORDS_MAX } from "../../base/limits.ts";
import { classesAsSet } from "../../domain/access.ts";
import type { TraceStage } from "../../domain/hit.ts";
import type { NearTerm } from "../../domain/port/full-text-index.ts";
import { languageOf } from "../../domain/principal.ts";
import type { SearchQuery } from "../../domain/query.ts";
import { editsToForm, formsOf, type PlainWord, plainWords } from "../../text/plain-words.ts";
import type { Tenant } from "../tenant.ts";
import { classSetOf } from "./legs.ts";
import type { RequestModels } from "./models.ts";

/** What a query is read as. */
export interface Spelled {
  q: string;
  warnings: string[];
  /** Of a query that was changed. */
  stages: TraceStage[];
  /** No word is missing: whoever may read more reads it so, too. */
  certain: boolean;
}

interface Correction {
  misspelt: PlainWord;
  word: string;
}

/** `classes`: those that the caller may read. Errors: Fault `unavailable`. */
export async function spelled(
  tenant: Tenant,
  models: RequestModels,
  { q, mode, weights }: SearchQuery,
  classes: readonly number[],
): Promise<Spelled> {
  const checking = stopwatch();
  const language = languageOf(tenant.namespace);
  const words = mode === "vector" || weights?.fulltext === 0 ? [] : plainWords(q, language);
  const asWritten = { q, warnings: [], stages: [] };
  if (words.length === 0 || classes.length === 0) return { ...asWritten, certain: words.length === 0 };
  const within = await classSetOf(tenant, classes);
  const terms = words.map(({ term }) => term);
  const missing = new Set(await tenant.fulltext.missing(terms, within));
  const doubtful = words.filter(({ term }) => missing.has(term)).slice(0, SPELLING_WORDS_MAX);
  const corrections: Correction[] = [];
  for (const misspelt of doubtful) {
    if (await models.knows(misspelt.word)) continue;
    const near = await tenant.fulltext.near(misspelt.stems, misspelt.maxEdits, within);
    const word = await nearestForm(tenant, misspelt, near.slice(0, SPELLING_TERMS_MAX), classesAsSet(classes));
    if (word !== null) corrections.push({ misspelt, word });
  }
  if (corrections.length === 0) return { ...asWritten, certain: missing.size === 0 };
  const warnings = corrections.map(({ misspelt, word }) => `nothing here has the word "${misspelt.word}": searched for "${word}" instead`);
  return {
    q: corrected(q, corrections),
    warnings,
    stages: [{ name: "spelling", ms: checking(), in: words.length, out: corrections.length }],
    certain: false,
  };
}

/** The nearest form of a near term in Units that the caller may read now; of equal ones that of the more frequent term. */
async function nearestForm({ reader, namespace }: Tenant, misspelt: PlainWord, near: readonly NearTerm[], classes: ReadonlySet<number>) {
  const language = languageOf(namespace);
  const units = await reader.units.byUids(near.flatMap(({ uids }) => uids));
  let best: { form: string | null; edits: number } = { form: null, edits: Number.POSITIVE_INFINITY };
  for (const { term, uids } of near) {
    const readable = uids.flatMap((uid) => units.get(uid) ?? []).filter(({ classId }) => classes.has(classId));
    const text = readable.flatMap((unit) => [unit.text ?? "", ...(unit.path ?? [])]).join("\n");
    for (const form of formsOf(term, text, language)) {
      const edits = editsToForm(misspelt, form, language);
      if (edits < best.edits) best = { form, edits };
    }
  }
  return best.form;
}

function corrected(q: string, corrections: readonly Correction[]): string {
  return corrections.toReversed().reduce((text, { misspelt: { start, end }, word }) => text.slice(0, start) + word + text.slice(end), q);
}

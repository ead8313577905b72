/** Okapi BM25, with the parameters that Lucene and Tantivy have. */
import type { QueryTerms } from "../../text/terms.ts";

const K1 = 1.2;
const B = 0.75;

/** What the score of a term rises to, in its weights, the more often a document has it. */
export const RISE = K1 + 1;
/** What a document of no length adds to the count of a term, below the line. */
export const FLOOR = K1 * (1 - B);

/** The weight of a term that so many of the documents have. */
export function idf(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** What each term of a document's length counts for, among documents of this mean length. */
export function lengthWeight(averageLength: number): number {
  return (K1 * B) / averageLength;
}

/** What a term adds to the score of a document that has it `count` times and is of `length` terms. */
export function termScore(idf: number, count: number, length: number, lengthWeight: number): number {
  return (idf * count * RISE) / (count + FLOOR + lengthWeight * length);
}

/** The order in which the scores of terms are added: those by which a document matches come first. */
export function scoringOrder({ alternatives, scored }: QueryTerms): string[] {
  return [...new Set([...alternatives.flat(), ...scored])];
}

/** Names of several words written as one, as programs have them: `maxRetryCount`, `DocumentRoot`, `parseHTTPHeader`. */
import type { Span } from "../base/span.ts";

/** A word with a capital inside: others are not looked at further. */
const CAPITAL_INSIDE = /^[A-Za-z][A-Za-z0-9]*?[a-z0-9][A-Z]|^[A-Z]{2,}[a-z]/;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g;
/** Shorter parts are those of abbreviations and formulas: mRNA, HbA1c, LaTeX, McKay. A name that begins in lower case is that of a program. */
const PART_MIN_CHARS = 3;
const LOWER_PART_MIN_CHARS = 2;
/** Abbreviations with a letter or two before them: siRNA, dsDNA. */
const ABBREVIATION = /^[a-z]{1,2}[A-Z]+s?$/;

/** False for a word that has no parts. */
export function mayBeCompound(word: string): boolean {
  return CAPITAL_INSIDE.test(word);
}

/** The parts of a word that is a name of several words; none of others. Spans within the word. */
export function compoundParts(word: string): (Span & { word: string })[] {
  if (!mayBeCompound(word) || !/^[A-Za-z0-9]+$/.test(word) || ABBREVIATION.test(word)) return [];
  const parts = Array.from(word.matchAll(PART), ({ 0: part, index }) => ({ word: part, start: index, end: index + part.length }));
  const least = /^[a-z]/.test(word) ? LOWER_PART_MIN_CHARS : PART_MIN_CHARS;
  return parts.length > 1 && parts.every(({ word: part }) => part.length >= least) ? parts : [];
}

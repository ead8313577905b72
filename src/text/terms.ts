/**
 * The terms of a text, and of a query: every full-text index and every highlight uses these. Words are composed (NFC),
 * lower-cased, folded to ASCII, and stemmed in English. Indexes on disk hold the terms: another rule needs a new index.
 */
import { HIGHLIGHTS_MAX, PHRASE_MAX_WORDS, QUERY_MAX_PHRASES, QUERY_MAX_TERMS, STEM_CACHE_MAX_WORDS, TERM_MAX_BYTES } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import { asciiFolded } from "./fold.ts";
import { stem } from "./stem.ts";

/** Scripts that write no spaces between words: each of their characters is a term. */
const SPACELESS = "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const ALPHANUMERIC = "\\p{Alphabetic}\\p{Nd}\\p{Nl}\\p{No}";
/** Marks belong to the letter before them; a variation selector only picks a glyph. */
const MARK = "[[\\p{Mn}\\p{Mc}]--\\p{Variation_Selector}]";
const SPACELESS_CHARACTER = `[[${ALPHANUMERIC}]&&[${SPACELESS}]]`;
const LETTER = `[[${ALPHANUMERIC}]--[${SPACELESS}]]`;
const WORD = new RegExp(`(${SPACELESS_CHARACTER}${MARK}*)|${LETTER}[${LETTER}${MARK}]*`, "gv");

/** Lucene's English stop words. They are searched for only in a query that has no other word. */
const STOP_WORDS = new Set(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(" "),
);

/** Decomposed letters shrink when composed, by less than this. */
const COMPOSITION_FACTOR = 4;

interface Token extends Span {
  term: string;
  word: string;
  /** A character of a script without spaces. */
  spaceless: boolean;
}

/** The terms of a query. */
export interface QueryTerms {
  /** The terms that are scored: unique, in order. Empty: the query matches nothing. */
  scored: string[];
  /** Without phrases, one of these must match: a term, or two neighbours of a script without spaces. */
  alternatives: string[][];
  /** All of these must match, each of at least one term in a row. */
  phrases: string[][];
}

/** The terms of a text, in order. */
export function textTerms(text: string): string[] {
  return Array.from(tokens(text), ({ term }) => term);
}

/** Text is never syntax, but for double quotes of all shapes: they count in pairs, as they come, and a pair makes a phrase. */
export function queryTerms(query: string): QueryTerms {
  const parts = query.split(/["“”„«»]/u).map((part) => [...tokens(part)]);
  const quoted = parts.filter((part, index) => index % 2 === 1 && index < parts.length - 1 && part.length > 0);
  const phrases = quoted.slice(0, QUERY_MAX_PHRASES).map((part) => part.slice(0, PHRASE_MAX_WORDS).map(({ term }) => term));
  const scored = scoredTerms(parts.flat());
  return { scored, alternatives: alternatives(parts, new Set(scored)), phrases };
}

/** The words of `text` that the terms of a query match, as UTF-16 spans in order, at most HIGHLIGHTS_MAX. */
export function highlights({ scored, phrases }: QueryTerms, text: string): Span[] {
  const wanted = new Set([...scored, ...phrases.flat()]);
  const spans: Span[] = [];
  for (const { term, start, end } of tokens(text)) {
    if (wanted.has(term)) spans.push({ start, end });
    if (spans.length === HIGHLIGHTS_MAX) break;
  }
  return spans;
}

function* tokens(text: string): Generator<Token> {
  for (const match of text.matchAll(WORD)) {
    const [word, character] = match;
    const term = termOf(word);
    if (term !== "") yield { term, word, start: match.index, end: match.index + word.length, spaceless: character !== undefined };
  }
}

/**
 * The terms of recent words. Every word of every text is looked up here, and a hit of an LruMap costs as much as stemming
 * the word again: so there are two maps, and the older one is dropped when the newer one is full.
 */
let recent = new Map<string, string>();
let older = new Map<string, string>();

/** "" for a word that is left out: one of more than TERM_MAX_BYTES. */
function termOf(word: string): string {
  if (word.length > TERM_MAX_BYTES * COMPOSITION_FACTOR) return "";
  const known = recent.get(word) ?? older.get(word);
  if (known !== undefined) return known;
  const folded = asciiFolded(lowerCased(word.normalize("NFC")));
  const term = Buffer.byteLength(folded) > TERM_MAX_BYTES ? "" : stem(folded);
  if (recent.size >= STEM_CACHE_MAX_WORDS / 2) [older, recent] = [recent, new Map()];
  recent.set(word, term);
  return term;
}

/** Letter by letter: JavaScript alone would turn a Σ at the end of a word into another letter than one inside. */
function lowerCased(word: string): string {
  return word.includes("Σ") ? word.replace(/./gsu, (char) => char.toLowerCase()) : word.toLowerCase();
}

function scoredTerms(found: readonly Token[]): string[] {
  const words = new Map<string, string>();
  for (const { term, word } of found) if (!words.has(term)) words.set(term, word);
  const all = [...words.keys()];
  const telling = all.filter((term) => !STOP_WORDS.has(lowerCased(words.get(term) ?? term)));
  return (telling.length > 0 ? telling : all).slice(0, QUERY_MAX_TERMS);
}

function alternatives(parts: readonly Token[][], scored: ReadonlySet<string>): string[][] {
  const found = new Map<string, string[]>();
  const add = (terms: string[]) => {
    if (found.size < QUERY_MAX_TERMS && terms.every((term) => scored.has(term))) found.set(terms.join(" "), terms);
  };
  for (const part of parts) {
    part.forEach((token, index) => {
      const next = part[index + 1];
      if (next && joined(token, next)) add([token.term, next.term]);
      else if (!joined(part[index - 1], token)) add([token.term]);
    });
  }
  return [...found.values()];
}

function joined(left: Token | undefined, right: Token): boolean {
  return left?.spaceless === true && right.spaceless && left.end === right.start;
}

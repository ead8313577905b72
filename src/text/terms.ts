/**
 * The terms of a text, and of a query: every full-text index and every highlight uses these. Words are composed (NFC),
 * lower-cased, folded to ASCII, and stemmed in English; behind them stand the words of names that are several in one
 * (`maxRetryCount`), then the literals. Indexes on disk hold the terms: another rule needs a new index.
 */
import { HIGHLIGHTS_MAX, PHRASE_MAX_WORDS, QUERY_MAX_PHRASES, QUERY_MAX_TERMS, STEM_CACHE_MAX_WORDS, TERM_MAX_BYTES } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import { compoundParts } from "./compounds.ts";
import { asciiFolded } from "./fold.ts";
import { LETTER, MARK, SPACELESS_CHARACTER } from "./letters.ts";
import { type Literal, literals } from "./literals.ts";
import { stem } from "./stem.ts";

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

/** The terms of a text: those of its words in order, then those inside its words, then its literals in order. */
export function textTerms(text: string): string[] {
  const words = [...tokens(text)];
  const terms = (found: Iterable<{ term: string }>) => Array.from(found, ({ term }) => term);
  return [...terms(words), ...words.flatMap((token) => terms(partsOf(token))), ...terms(literals(text))];
}

/** The terms of a Unit's path, in the order of `textTerms`. */
export function pathTerms(path: readonly string[] | null): string[] {
  return path === null ? [] : textTerms(path.join("\n"));
}

/** A part of a query: what stands between two double quotes, or outside of them. */
interface QueryPart {
  words: Token[];
  literals: Literal[];
}

/** Text is never syntax, but for double quotes of all shapes: they count in pairs, as they come, and a pair makes a phrase. */
export function queryTerms(query: string): QueryTerms {
  const parts = query.split(/["“”„«»]/u).map((part): QueryPart => ({ words: [...tokens(part)], literals: [...literals(part)] }));
  const quoted = parts.filter((_, index) => index % 2 === 1 && index < parts.length - 1);
  const scored = scoredTerms(parts);
  return { scored, alternatives: alternatives(parts, new Set(scored)), phrases: quoted.flatMap(phrasesOf).slice(0, QUERY_MAX_PHRASES) };
}

/** Its words in a row, and each literal that its words alone do not tell from others. */
function phrasesOf({ words, literals }: QueryPart): string[][] {
  const row = words.slice(0, PHRASE_MAX_WORDS).map(({ term }) => term);
  const strict = literals.filter((literal) => literal.strict).map(({ term }) => [term]);
  return row.length === 0 ? strict : [row, ...strict];
}

/** What the terms of a query match in `text`, words and literals, as UTF-16 spans in order, at most HIGHLIGHTS_MAX. */
export function highlights({ scored, phrases }: QueryTerms, text: string): Span[] {
  const wanted = new Set([...scored, ...phrases.flat()]);
  const words = firstWanted(tokensAndParts(text), wanted);
  const found = [...words, ...firstWanted(literals(text), wanted)].sort((a, b) => a.start - b.start || b.end - a.end);
  const spans: Span[] = [];
  for (const { start, end } of found) {
    const last = spans.at(-1);
    if (last === undefined || start >= last.end) spans.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return spans.slice(0, HIGHLIGHTS_MAX);
}

function firstWanted(found: Iterable<Span & { term: string }>, wanted: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  for (const { term, start, end } of found) {
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

/** The words in the name of several that a word is; none in others. */
function partsOf({ word, start: offset, spaceless }: Token): Token[] {
  return compoundParts(word).flatMap(({ word: part, start, end }) => {
    const term = termOf(part);
    return term === "" ? [] : [{ term, word: part, start: offset + start, end: offset + end, spaceless }];
  });
}

function* tokensAndParts(text: string): Generator<Token> {
  for (const token of tokens(text)) {
    yield token;
    yield* partsOf(token);
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

function scoredTerms(parts: readonly QueryPart[]): string[] {
  const words = new Map<string, string>();
  for (const { term, word } of parts.flatMap((part) => part.words)) if (!words.has(term)) words.set(term, word);
  const found = parts.flatMap((part) => part.literals).slice(0, QUERY_MAX_TERMS);
  const all = [...words.keys()];
  const telling = all.filter((term) => !STOP_WORDS.has(lowerCased(words.get(term) ?? term)));
  const kept = telling.length > 0 || found.some(({ loose }) => !loose) ? telling : all;
  const inside = parts.flatMap((part) => part.words.flatMap((token) => partsOf(token).map(({ term }) => term)));
  const names = new Set(found.map(({ term }) => term));
  return [...new Set([...kept, ...inside])].slice(0, QUERY_MAX_TERMS - names.size).concat(...names);
}

function alternatives(parts: readonly QueryPart[], scored: ReadonlySet<string>): string[][] {
  const found = new Map<string, string[]>();
  const add = (terms: string[]) => {
    if (found.size < QUERY_MAX_TERMS && terms.every((term) => scored.has(term))) found.set(terms.join(" "), terms);
  };
  for (const { words } of parts) {
    words.forEach((token, index) => {
      const next = words[index + 1];
      if (next && joined(token, next)) add([token.term, next.term]);
      else if (!joined(words[index - 1], token)) add([token.term]);
      // A name of several words is found where they stand one after the other, too.
      const inside = partsOf(token);
      if (inside.length > 0) add(inside.map(({ term }) => term));
    });
  }
  const names = parts.flatMap((part) => part.literals);
  for (const { term, loose } of names) if (!loose) add([term]);
  // A symbol alone is what is looked for only where nothing else is.
  if (found.size === 0) for (const { term } of names) add([term]);
  return [...found.values()];
}

function joined(left: Token | undefined, right: Token): boolean {
  return left?.spaceless === true && right.spaceless && left.end === right.start;
}

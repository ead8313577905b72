/**
 * The terms of a text, and of a query, in the language of their namespace: every full-text index and every highlight uses
 * these. Words are composed (NFC), lower-cased, and stemmed and folded as text/analysis.ts says; behind them stand the words of
 * names that are several in one (`maxRetryCount`), then the literals. Of a script without spaces every character is a term in
 * English; in other languages each two neighbours are one, and behind the words each character alone. Indexes on disk hold the
 * terms: another rule needs a new index.
 */
import { HIGHLIGHTS_MAX, PHRASE_MAX_WORDS, QUERY_MAX_PHRASES, QUERY_MAX_TERMS } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import { lowerCased, termOf } from "./analysis.ts";
import { compoundParts, mayBeCompound } from "./compounds.ts";
import { ENGLISH, type Language } from "./language.ts";
import { LETTER, MARK, SPACELESS_CHARACTER } from "./letters.ts";
import { isLiteralTerm, type Literal, literals } from "./literals.ts";

const WORD = new RegExp(`(${SPACELESS_CHARACTER}${MARK}*)|${LETTER}[${LETTER}${MARK}]*`, "gv");

/** Lucene's English stop words. They are searched for only in a query that has no other word. */
const STOP_WORDS = new Set(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(" "),
);

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

/**
 * The terms of a text: those of its words in order, then those inside its words, its characters that stand in pairs, and its
 * literals, each in order.
 */
export function textTerms(text: string, language: Language = ENGLISH): string[] {
  const words = [...tokens(text, language)];
  const inside = words.flatMap((token) => partsOf(token, language));
  return [...words, ...inside, ...charactersOf(text, language), ...literals(text)].map(({ term }) => term);
}

/** The terms of a Unit's path, in the order of `textTerms`. */
export function pathTerms(path: readonly string[] | null, language: Language = ENGLISH): string[] {
  return path === null ? [] : textTerms(path.join("\n"), language);
}

/** A part of a query: what stands between two double quotes, or outside of them. */
interface QueryPart {
  words: Token[];
  literals: Literal[];
}

/** Text is never syntax, but for double quotes of all shapes: they count in pairs, as they come, and a pair makes a phrase. */
export function queryTerms(query: string, language: Language = ENGLISH): QueryTerms {
  const parts = query.split(/["“”„«»]/u).map((part): QueryPart => ({ words: [...tokens(part, language)], literals: [...literals(part)] }));
  const quoted = parts.filter((_, index) => index % 2 === 1 && index < parts.length - 1);
  const scored = scoredTerms(parts, language);
  return { scored, alternatives: alternatives(parts, new Set(scored), language), phrases: quoted.flatMap(phrasesOf).slice(0, QUERY_MAX_PHRASES) };
}

/** Its words in a row, and each literal that its words alone do not tell from others. */
function phrasesOf({ words, literals }: QueryPart): string[][] {
  const row = words.slice(0, PHRASE_MAX_WORDS).map(({ term }) => term);
  const strict = literals.filter((literal) => literal.strict || literal.tailed).map(({ term }) => [term]);
  return row.length === 0 ? strict : [row, ...strict];
}

/** What the terms of a query match in `text`, words and literals, as UTF-16 spans in order, at most HIGHLIGHTS_MAX. */
export function highlights({ scored, phrases }: QueryTerms, text: string, language: Language = ENGLISH): Span[] {
  const wanted = new Set([...scored, ...phrases.flat()]);
  const words = [...wantedWords(text, wanted, language), ...firstWanted(charactersOf(text, language), wanted)];
  const names = [...wanted].some(isLiteralTerm) ? firstWanted(literals(text), wanted) : [];
  const found = [...words, ...names].sort((a, b) => a.start - b.start || b.end - a.end);
  const spans: Span[] = [];
  for (const { start, end } of found) {
    const last = spans.at(-1);
    if (last === undefined || start >= last.end) spans.push({ start, end });
    else last.end = Math.max(last.end, end);
  }
  return spans.slice(0, HIGHLIGHTS_MAX);
}

/** The words of a text, and those inside its words, as far as they are wanted. */
function wantedWords(text: string, wanted: ReadonlySet<string>, language: Language): Span[] {
  const spans: Span[] = [];
  for (const token of tokens(text, language, language === ENGLISH ? beginningOf(wanted) : undefined)) {
    if (wanted.has(token.term)) spans.push({ start: token.start, end: token.end });
    for (const { term, start, end } of partsOf(token, language)) if (wanted.has(term)) spans.push({ start, end });
    if (spans.length >= HIGHLIGHTS_MAX) break;
  }
  return spans.slice(0, HIGHLIGHTS_MAX);
}

const LAST_ASCII = 0x7f;
/** What a capital of ASCII lacks to be its small letter; digits have it. */
const SMALL = 0x20;

/**
 * Whether a word may have one of these English terms, itself or inside: a term begins as its word does where that begins in
 * ASCII. Looking up the terms of all words of ten texts took longer than anything else that is done for the hits of a search.
 */
function beginningOf(wanted: ReadonlySet<string>): (word: string) => boolean {
  const first = new Set(Array.from(wanted, (term) => term.charCodeAt(0)));
  return (word) => {
    const code = word.charCodeAt(0);
    return code > LAST_ASCII || first.has(code | SMALL) || mayBeCompound(word);
  };
}

function firstWanted(found: Iterable<Span & { term: string }>, wanted: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  for (const { term, start, end } of found) {
    if (wanted.has(term)) spans.push({ start, end });
    if (spans.length === HIGHLIGHTS_MAX) break;
  }
  return spans;
}

/** `among`: false for words to leave out. */
function tokens(text: string, language: Language, among?: (word: string) => boolean): Iterable<Token> {
  const single = singles(text, language, among);
  return language === ENGLISH ? single : paired(single);
}

function* singles(text: string, language: Language, among: (word: string) => boolean = () => true): Generator<Token> {
  for (const { 0: word, 1: character, index } of text.matchAll(WORD)) {
    if (!among(word)) continue;
    const term = termOf(word, language);
    if (term !== "") yield { term, word, start: index, end: index + word.length, spaceless: character !== undefined };
  }
}

/** Each two neighbours of a script without spaces as one token; a character without such a neighbour, and every word, as it is. */
function* paired(single: Iterable<Token>): Generator<Token> {
  let before: Token | undefined;
  let alone = false;
  for (const token of single) {
    const joins = before !== undefined && joined(before, token);
    if (before !== undefined && joins) yield pairOf(before, token);
    else if (before !== undefined && alone) yield before;
    alone = !joins;
    before = token.spaceless ? token : undefined;
    if (!token.spaceless) yield token;
  }
  if (before !== undefined && alone) yield before;
}

function pairOf(left: Token, right: Token): Token {
  return { term: left.term + right.term, word: left.word + right.word, start: left.start, end: right.end, spaceless: false };
}

/** The characters that `tokens` gives in pairs, each alone: a query of one character finds them. */
function* charactersOf(text: string, language: Language): Generator<Token> {
  if (language === ENGLISH) return;
  let before: Token | undefined;
  let told = false;
  for (const token of singles(text, language)) {
    const joins = joined(before, token);
    if (before !== undefined && joins && !told) yield before;
    if (joins) yield token;
    told = joins;
    before = token;
  }
}

/** The words in the name of several that a word is; none in others. */
function partsOf({ word, start: offset, spaceless }: Token, language: Language): Token[] {
  return compoundParts(word).flatMap(({ word: part, start, end }) => {
    const term = termOf(part, language);
    return term === "" ? [] : [{ term, word: part, start: offset + start, end: offset + end, spaceless }];
  });
}

function scoredTerms(parts: readonly QueryPart[], language: Language): string[] {
  const words = new Map<string, string>();
  for (const { term, word } of parts.flatMap((part) => part.words)) if (!words.has(term)) words.set(term, word);
  const found = parts.flatMap((part) => part.literals).slice(0, QUERY_MAX_TERMS);
  const all = [...words.keys()];
  const telling = all.filter((term) => language !== ENGLISH || !STOP_WORDS.has(lowerCased(words.get(term) ?? term, language)));
  const kept = telling.length > 0 || found.some(({ loose }) => !loose) ? telling : all;
  const inside = parts.flatMap((part) => part.words.flatMap((token) => partsOf(token, language).map(({ term }) => term)));
  const names = new Set(found.map(({ term }) => term));
  return [...new Set([...kept, ...inside])].slice(0, QUERY_MAX_TERMS - names.size).concat(...names);
}

function alternatives(parts: readonly QueryPart[], scored: ReadonlySet<string>, language: Language): string[][] {
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
      const inside = partsOf(token, language);
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

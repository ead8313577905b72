/** The words of a query that may be misspelt, and the word of a text that a term stands for. */
import type { Span } from "../base/span.ts";
import { lowerCased, termOf } from "./analysis.ts";
import type { Language } from "./language.ts";
import { editsBetween } from "./edits.ts";
import { LETTER, MARK } from "./letters.ts";

/** A word of letters alone, without digits, symbols or capitals inside, and outside of quotes. */
export interface PlainWord extends Span {
  word: string;
  term: string;
  /** Terms of words that are spelt like it: a typo near the end keeps the stemmer from its ending. */
  stems: string[];
  /** How many edits it may be away from what was meant: none for a short word, which has too many neighbours. */
  maxEdits: 1 | 2;
}

const QUOTED = /(["“”„«»])[^"“”„«»]*(["“”„«»])/gu;
/** With the punctuation of a sentence around it. */
const PLAIN = new RegExp(`(?<=^|[\\s\\(\\[¿¡])[[${LETTER}${MARK}]--[\\p{N}]]+(?=[\\)\\],;:.!?…]*(?:\\s|$))`, "gv");
const ONE_EDIT_MIN_CHARS = 5;
const TWO_EDITS_MIN_CHARS = 9;

/** In order, each term once. */
export function plainWords(query: string, language: Language): PlainWord[] {
  // As long as what it stands for, so that offsets stay.
  const unquoted = query.replace(QUOTED, (quoted) => '"'.repeat(quoted.length));
  const found = new Map<string, PlainWord>();
  for (const { 0: word, index: start } of unquoted.matchAll(PLAIN)) {
    const chars = [...word];
    if (chars.length < ONE_EDIT_MIN_CHARS || hasInnerCapital(chars, language)) continue;
    const term = termOf(word, language);
    const maxEdits = chars.length < TWO_EDITS_MIN_CHARS ? 1 : 2;
    if (term !== "" && !found.has(term))
      found.set(term, { word, term, stems: stemsOf(term, lowerCased(word, language)), start, end: start + word.length, maxEdits });
  }
  return [...found.values()];
}

/** Endings that are taken off beside what the stemmer takes off, and what must be left. */
const ENDING_CHARS = [2, 4];
const STEM_MIN_CHARS = 4;

function stemsOf(term: string, word: string): string[] {
  const chars = [...word];
  const cut = ENDING_CHARS.map((ending) => chars.slice(0, chars.length - ending));
  return [...new Set([term, ...cut.filter(({ length }) => length >= STEM_MIN_CHARS).map((stem) => stem.join(""))])];
}

function hasInnerCapital(chars: readonly string[], language: Language): boolean {
  const inner = chars.slice(1).join("");
  return inner !== lowerCased(inner, language);
}

/** Another ending counts as half an edit: the form that ends as what was typed comes first. */
const ENDING_EDITS = 0.5;
const WORDS = new RegExp(`${LETTER}[${LETTER}${MARK}]*`, "gv");

/** The different words of a text that become this term, in small letters. */
export function formsOf(term: string, text: string, language: Language): Set<string> {
  const forms = new Set<string>();
  for (const [word] of text.matchAll(WORDS)) if (termOf(word, language) === term) forms.add(lowerCased(word, language));
  return forms;
}

/**
 * How far a form is from what was typed, where the two may end differently, as words do in singular and plural: the edits between
 * their beginnings. Infinite for one that begins with another letter, which is another word (reactivate, deactivate), or is
 * further away than the word allows.
 */
export function editsToForm({ word, maxEdits }: PlainWord, form: string, language: Language): number {
  const typed = lowerCased(word, language);
  const length = Math.min(typed.length, form.length);
  if (typed[0] !== form[0] || Math.abs(typed.length - form.length) > maxEdits) return Number.POSITIVE_INFINITY;
  const whole = editsBetween(typed, form, maxEdits);
  const beginnings = editsBetween(typed.slice(0, length), form.slice(0, length), maxEdits);
  if (whole <= maxEdits) return whole;
  return beginnings <= maxEdits ? beginnings + ENDING_EDITS : Number.POSITIVE_INFINITY;
}

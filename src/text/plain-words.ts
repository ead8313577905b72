/** The words of a query that may be misspelt, and the word of a text that a term stands for. */
import type { Span } from "../base/span.ts";
import { lowerCased, termOf } from "./analysis.ts";
import type { Language } from "./language.ts";
import { LETTER, MARK } from "./letters.ts";

/** A word of letters alone, without digits, symbols or capitals inside, and outside of quotes. */
export interface PlainWord extends Span {
  word: string;
  term: string;
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
    if (term !== "" && !found.has(term)) found.set(term, { word, term, start, end: start + word.length, maxEdits });
  }
  return [...found.values()];
}

function hasInnerCapital(chars: readonly string[], language: Language): boolean {
  const inner = chars.slice(1).join("");
  return inner !== lowerCased(inner, language);
}

const WORDS = new RegExp(`${LETTER}[${LETTER}${MARK}]*`, "gv");

/** The first word of a text that becomes this term, in small letters; null when there is none. */
export function wordOf(term: string, text: string, language: Language): string | null {
  for (const [word] of text.matchAll(WORDS)) if (termOf(word, language) === term) return lowerCased(word, language);
  return null;
}

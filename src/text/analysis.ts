/** How words of a language become terms. */
import { STEM_CACHE_MAX_WORDS, TERM_MAX_BYTES } from "../base/limits.ts";
import { asciiFolded } from "./fold.ts";
import { ENGLISH, isStemmed, type Language } from "./language.ts";
import { stem } from "./stem.ts";
import { STEMMERS } from "./stemmers.ts";

/** Changes with the rules of languages other than English: indexes on disk hold their terms. */
const RULES_VERSION = 1;

/** Names the analysis that an index was built with: another one needs a new index. */
export function analysisName(language: Language): string {
  return language === ENGLISH ? language : `${language}/${RULES_VERSION}`;
}

/** Decomposed letters shrink when composed, by less than this. */
const COMPOSITION_FACTOR = 4;

/**
 * The terms of recent words of one language. Every word of every text is looked up here, and a hit of an LruMap costs as much
 * as stemming the word again: so there are two maps, and the older one is dropped when the newer one is full.
 */
class Words {
  private recent = new Map<string, string>();
  private older = new Map<string, string>();

  constructor(private readonly language: Language) {}

  termOf(word: string): string {
    if (word.length > TERM_MAX_BYTES * COMPOSITION_FACTOR) return "";
    const known = this.recent.get(word) ?? this.older.get(word);
    if (known !== undefined) return known;
    const term = termIn(this.language, lowerCased(word.normalize("NFC"), this.language));
    if (this.recent.size >= STEM_CACHE_MAX_WORDS / 2) [this.older, this.recent] = [this.recent, new Map()];
    this.recent.set(word, term);
    return term;
  }
}

const words = new Map<Language, Words>();

/** The term of a word; "" for one that is left out: one of more than TERM_MAX_BYTES. */
export function termOf(word: string, language: Language): string {
  let known = words.get(language);
  if (known === undefined) {
    known = new Words(language);
    words.set(language, known);
  }
  return known.termOf(word);
}

/**
 * English is folded to ASCII before it is stemmed, since its stemmer knows no accents; others after, since theirs do. Without a
 * stemmer accents stay: they part words in Vietnamese.
 */
function termIn(language: Language, word: string): string {
  const folded = language === ENGLISH ? asciiFolded(word) : word;
  if (Buffer.byteLength(folded) > TERM_MAX_BYTES) return "";
  if (language === ENGLISH) return stem(folded);
  return isStemmed(language) ? asciiFolded(STEMMERS[language](word) || word) : word;
}

/** Letter by letter: JavaScript alone would turn a Σ at the end of a word into another letter than one inside. */
export function lowerCased(word: string, language: Language): string {
  if (language === "tr") return word.toLocaleLowerCase("tr");
  return word.includes("Σ") ? word.replace(/./gsu, (char) => char.toLowerCase()) : word.toLowerCase();
}

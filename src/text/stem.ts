/**
 * The English stemmer of Snowball, "Porter2" (https://snowballstem.org/algorithms/english/stemmer.html), with the rules
 * that Tantivy's own stemmer has: indexes on disk hold its stems. The rules for apostrophes are left out, since no term has
 * one. R1 and R2 are the parts of a word after its first and its second vowel that a consonant follows. `Y` marks a y that
 * is a consonant.
 */

/** Words that the rules would stem wrongly, and their stems. */
const EXCEPTIONS = replaced("skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl");
const UNCHANGED = new Set("sky news howe atlas cosmos bias andes".split(" "));
const UNCHANGED_SINGULARS = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));

/** The alternatives of a pattern are its suffixes: the leftmost match is the longest of them. */
const STEP_2 =
  /(?:tional|[ea]nci|abli|entli|izer|ization|ational|ation|ator|alism|aliti|alli|fulness|ousli|ousness|iveness|iviti|biliti|bli|(?<=l)ogi|fulli|lessli|(?<=[cdeghkmnrt])li)$/;
const STEP_2_ENDINGS = replaced(
  `tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate alism:al aliti:al alli:al fulness:ful
  ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble ogi:og fulli:ful lessli:less li:`,
);
const STEP_3 = /(?:tional|ational|alize|icate|iciti|ical|ful|ness|ative)$/;
const STEP_3_ENDINGS = replaced("tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:");
const STEP_4 = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;
/** A short syllable at the end of a word. */
const SHORT = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/u;

/** Pairs of a text and what it becomes. */
function replaced(pairs: string): Map<string, string> {
  return new Map(pairs.split(/\s+/).map((pair) => pair.split(":") as [string, string]));
}

/** The stem of a lower-case word. Letters outside a-z count as consonants. */
export function stem(word: string): string {
  if (/^.{0,2}$/su.test(word) || UNCHANGED.has(word)) return word;
  const known = EXCEPTIONS.get(word);
  if (known !== undefined) return known;
  const marked = word.replace(/^y|([aeiouy])y/g, (_, vowel = "") => `${vowel}Y`);
  const r1 = /^(?:gener|commun|arsen)/.exec(marked)?.[0].length ?? afterVowel(marked, 0);
  const r2 = afterVowel(marked, r1);
  const singular = withoutPlural(marked);
  if (UNCHANGED_SINGULARS.has(singular)) return singular;
  const verb = withoutPast(singular, r1).replace(/(?<=.[^aeiouy])[yY]$/su, "i");
  const derived = replaceEnding(replaceEnding(verb, STEP_2, r1, STEP_2_ENDINGS), STEP_3, r1, STEP_3_ENDINGS, r2);
  const stemmed = withoutFinal(replaceEnding(derived, STEP_4, r2), r1, r2);
  return marked === word ? stemmed : stemmed.replaceAll("Y", "y");
}

/** The index after the first vowel with a consonant behind it, from `from` on; the length of the word when there is none. */
function afterVowel(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/u.exec(word.slice(from));
  return found === null ? word.length : from + found.index + found[0].length;
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, /^.?...$/su.test(word) ? -1 : -2);
  return /[aeiouy].+(?<![us])s$/su.test(word) ? word.slice(0, -1) : word;
}

function withoutPast(word: string, r1: number): string {
  const ending = /(?:eed|ed|ing)(?:ly)?$/.exec(word);
  if (ending === null) return word;
  const bare = word.slice(0, ending.index);
  if (ending[0].startsWith("ee")) return ending.index >= r1 ? `${bare}ee` : word;
  if (!/[aeiouy]/.test(bare)) return word;
  if (/(?:at|bl|iz)$/.test(bare)) return `${bare}e`;
  if (/([bdfgmnprt])\1$/.test(bare)) return bare.slice(0, -1);
  return bare.length === r1 && SHORT.test(bare) ? `${bare}e` : bare;
}

/** Replaces the longest suffix that `suffixes` finds, when it begins at `from` or after it. `ative` has a limit of its own. */
function replaceEnding(word: string, suffixes: RegExp, from: number, replacements?: Map<string, string>, ativeFrom = from): string {
  const found = suffixes.exec(word);
  if (found === null || found.index < (found[0] === "ative" ? ativeFrom : from)) return word;
  return word.slice(0, found.index) + (replacements?.get(found[0]) ?? "");
}

function withoutFinal(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  const bare = word.slice(0, last);
  if (word.endsWith("e")) return last >= r2 || (last >= r1 && !SHORT.test(bare)) ? bare : word;
  return word.endsWith("ll") && last >= r2 ? bare : word;
}

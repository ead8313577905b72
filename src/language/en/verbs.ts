/** Cues for verbs and noun phrases; English marks few of them, so each cue errs towards saying no. */
import { isIrregularPast, isStopWord, stem } from "./words.ts";

const setOf = (list: string) => new Set(list.split(/\s+/));
export const BE = setOf("is are was were");
export const AUXILIARIES = setOf(
  `is are was were am has have had do does did can could may might must shall should will would cannot isn't aren't wasn't weren't hasn't
  haven't hadn't doesn't don't didn't can't couldn't won't wouldn't shouldn't`,
);
export const PRONOUNS = setOf("he she it they");
export const DETERMINERS = setOf("the a an this that these those its his her their our my your no each every all both some any");
const PREPOSITIONS = setOf(
  `in on at by for from to with into onto of off over under after before during within without through between against about as than until
  since near up down out away back across along around because when while again`,
);
/** Stems of verbs that are common in the present tense. */
const PRESENT = new Set(
  `accept accelerate achieve act activate affect aid allow alter appear arise attenuate bear become begin belong bind block boost break bring
  call carry cause change collaborate come comprise confer consist constrain contain continue contribute control convert correlate correspond
  cost cover create decline decrease delay demonstrate depend determine deliver derive develop differ diminish disrupt do drive elevate
  eliminate enable encode encourage end enhance ensure enter exacerbate exceed exert exhibit exist experience explain express extend facilitate
  fail fall feed find fit flow follow form function gain generate get give go govern grow guarantee happen harm have hear help hinder hold impact impair impede improve
  include increase indicate induce influence inhibit initiate interact interfere involve keep know lack last lead leave lessen lie limit
  link live localize look lose lower maintain make matter mean measure mediate meet minimize modify modulate need negate obstruct occur offer open operate
  originate own participate pass pay perform permit play possess predict present preserve prevent produce progress prolong promote protect prove provide pump
  raise reach read receive reduce regulate relate rely remain remove repair replace repress require rescue respond restore result retain return reverse rise run
  say seem sell serve share show signal slow speed spread stand start stay stimulate stop strengthen struggle suffer suggest support suppress
  survive sustain take target tell tend trigger turn undergo use utilize vary weaken weigh win work worsen write yield`
    .split(/\s+/)
    .map(stem),
);
/** Adjectives and nouns that end like a past. */
const NOT_PAST = setOf("hundred speed seed need feed shed bed red indeed breed bleed weed reed united sacred naked wicked embed");

/** Lower case, without punctuation at either end. */
export function bare(token: string): string {
  return token
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, "");
}

/** A past form, which may also be a participle. */
export function isPast(word: string): boolean {
  return (/^[a-z]{2,}ed$/.test(word) && !NOT_PAST.has(word)) || isIrregularPast(word);
}

/** A third person in -s of a known verb, or with an ending that only verbs have. */
export function isPresentThird(word: string): boolean {
  return (
    /[a-z]s$/.test(word) &&
    !word.endsWith("ings") &&
    !isStopWord(word) &&
    (PRESENT.has(stem(word)) || /(?:[a-z]{3}[iy]zes|ifies|ivates|ulates|ylates)$/.test(word))
  );
}

/** A verb in any form; bare infinitives are also nouns. */
export function isVerbForm(word: string): boolean {
  return AUXILIARIES.has(word) || isPast(word) || isIrregularPast(word, true) || PRESENT.has(stem(word));
}

/** Whether what follows a verb's form shows that it is one: an object with its article, a preposition, an adverb, or nothing. */
export function closesVerb(token: string | undefined): boolean {
  const next = bare(token ?? "");
  return (
    next === "" || DETERMINERS.has(next) || PREPOSITIONS.has(next) || /^(?:\d.*|.*ly|it|him|her|them|us)$/.test(next) || /^\p{Lu}/u.test(token ?? "")
  );
}

/**
 * The index of the first finite verb of a statement, or -1: an auxiliary, a past form, a present in -s, or a
 * plain form after a plural. The first word is none.
 */
export function finiteVerb(tokens: readonly string[]): number {
  return tokens.findIndex((token, index) => {
    const word = bare(token);
    if (index === 0) return false;
    if (AUXILIARIES.has(word) && !/^\p{Lu}/u.test(token)) return true;
    if (isPresentThird(word) && index + 1 < tokens.length) return !DETERMINERS.has(bare(tokens[index - 1] ?? ""));
    if (isPast(word)) return closesVerb(tokens[index + 1]) && !DETERMINERS.has(bare(tokens[index - 1] ?? ""));
    const subject = bare(tokens[index - 1] ?? "");
    return (
      PRESENT.has(stem(word)) &&
      !/(?:s|ed|ing)$/.test(word) &&
      index + 1 < tokens.length &&
      /[^s]s$|^(?:they|we|i|you|people|cells|and)$/.test(subject)
    );
  });
}

export function tokensOf(text: string): string[] {
  return text.split(/\s+/).filter((token) => token !== "");
}

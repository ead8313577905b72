/** Cues for verbs; English marks few of them, so each cue errs towards saying no. */
import { isIrregularPast } from "./words.ts";

const setOf = (list: string) => new Set(list.split(/\s+/));
export const AUXILIARIES = setOf(
  `is are was were am has have had do does did can could may might must shall should will would cannot isn't aren't wasn't weren't hasn't
  haven't hadn't doesn't don't didn't can't couldn't won't wouldn't shouldn't`,
);
export const DETERMINERS = setOf("the a an this that these those its his her their our my your no each every all both some any");
const PREPOSITIONS = setOf(
  `in on at by for from to with into onto of off over under after before during within without through between against about as than until
  since near up down out away back across along around because when while again`,
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

/** A verb in a form that shows it. */
export function isVerbForm(word: string): boolean {
  return AUXILIARIES.has(word) || isPast(word) || isIrregularPast(word, true);
}

/** Whether what follows a verb's form shows that it is one: an object with its article, a preposition, an adverb, or nothing. */
export function closesVerb(token: string | undefined): boolean {
  const next = bare(token ?? "");
  return (
    next === "" || DETERMINERS.has(next) || PREPOSITIONS.has(next) || /^(?:\d.*|.*ly|it|him|her|them|us)$/.test(next) || /^\p{Lu}/u.test(token ?? "")
  );
}

export function tokensOf(text: string): string[] {
  return text.split(/\s+/).filter((token) => token !== "");
}

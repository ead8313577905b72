/**
 * Words of an English text as they are compared: lower-cased, folded, without function words, lightly stemmed. The terms of
 * text/terms.ts are for ranking: their stemmer makes one word of "university" and "universe".
 */

/** Words that carry no fact of their own, question words and auxiliaries among them. */
const STOP_WORDS = new Set(
  `a about above after again against ago all almost along already also although always am among an and another any anyone anything are
  aren't around as at be became because become becomes been before being below besides between both but by came can can't cannot come
  could couldn't did didn't do does doesn't doing don't down during each either else ever every few for from further had hadn't has hasn't
  have haven't having he her here hers herself him himself his how however i if in into is isn't it it's its itself just may me might mine
  more most much must my myself neither no nor not now of off often on once only onto or other others our ours ourselves out over own per
  quite rather s same shall she should shouldn't since so some still such than that that's the their theirs them themselves then there
  therefore these they this those though through thus to too toward towards under until up upon us very was wasn't we were weren't what
  what's whatever when where whether which while who who's whom whose why will with within without won't would wouldn't yet you your yours
  yourself yourselves please tell`.split(/\s+/),
);

/** Past forms that no rule leads back to the verb. Where a form is also another word (left, saw, felt), the verb is the commoner. */
const IRREGULAR = new Map(
  `arose:arise ate:eat bent:bend blew:blow bore:bear bought:buy bound:bind broke:break broken:break brought:bring built:build burnt:burn
  began:begin begun:begin became:become came:come cost:cost put:put hit:hit shut:shut caught:catch chose:choose chosen:choose dealt:deal drawn:draw drew:draw drank:drink driven:drive
  drove:drive fallen:fall fell:fall fed:feed felt:feel flew:fly flown:fly forgot:forget forgotten:forget fought:fight found:find froze:freeze
  frozen:freeze gave:give given:give gone:go going:go went:go goes:go got:get gotten:get grew:grow grown:grow heard:hear held:hold hid:hide hidden:hide
  kept:keep knew:know known:know laid:lay led:lead left:leave lent:lend lost:lose made:make meant:mean men:man met:meet paid:pay ran:run
  rang:ring risen:rise rose:rise said:say sank:sink sunk:sink sat:sit saw:see seen:see sent:send shook:shake shaken:shake shot:shoot
  shown:show slid:slide slept:sleep sold:sell spent:spend spoke:speak spoken:speak spun:spin stole:steal stolen:steal stood:stand
  struck:strike swam:swim swept:sweep taken:take took:take taught:teach thought:think threw:throw thrown:throw told:tell tore:tear torn:tear
  understood:understand women:woman won:win wore:wear worn:wear wrote:write written:write children:child feet:foot people:person`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]),
);
const NOT_VERBS = new Set(["men", "women", "children", "feet", "people", "goes", "going"]);
const PARTICIPLES_ONLY = new Set(
  [...IRREGULAR.keys()].filter((word) => /(?:[^e]en|wn|rn|gone|begun|sunk)$/.test(word) && !/^(?:men|women|children)$/.test(word)),
);

/** Words with which a sentence points at what was said right before it. */
const POINTING = /^(?:this|these|that|those|it|they|such|so|thus|hence|therefore|otherwise)\b/i;

/** A word may hold apostrophes and hyphens inside, and a number its separators. */
const WORD = /[\p{L}\p{N}]+(?:(?:['-]|(?<=\p{N})[.,](?=\p{N}))[\p{L}\p{N}]+)*/gu;

/**
 * The words of `text` in order, lower-cased, in compatibility form and without accents. Compounds of plain
 * words are taken apart (drive-end), codes stay whole (gc-220), thousands lose their commas.
 */
export function words(text: string): string[] {
  const folded = text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[’ʼ]/g, "'")
    .replace(/[‐‑]/g, "-");
  return (folded.match(WORD) ?? []).flatMap((word) => {
    if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word)) return word.replaceAll(",", "");
    return word.includes("-") && !/\p{N}|(?<!\p{L})\p{L}(?!\p{L})/u.test(word) ? word.split("-") : word;
  });
}

/** Whether a word, as `words` gives it, is a function word. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Whether a lower-case word is the irregular past of a verb; participles (written, shown) stand alone only with `participle`. */
export function isIrregularPast(word: string, participle = false): boolean {
  return IRREGULAR.has(word) && !NOT_VERBS.has(word) && (participle || !PARTICIPLES_ONLY.has(word));
}

/** The words of `text` that are no function words, reduced to their stems. */
export function contentWords(text: string): string[] {
  return words(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stem(word.replace(/'s?$/, "")))
    .filter((word) => word !== "");
}

/** The share, 0-1, of the claim's distinct content words, those of `known` apart, that the premise has; 1 when the claim has none. */
export function coverage(claim: string, premise: string, known = ""): number {
  const told = new Set(contentWords(known));
  const wanted = new Set(contentWords(claim).filter((word) => !told.has(word)));
  if (wanted.size === 0) return 1;
  const there = new Set(contentWords(premise));
  return [...wanted].filter((word) => there.has(word)).length / wanted.size;
}

/** No English word is longer; what is longer is left as it is. */
const STEMMED_MAX_CHARS = 40;

/**
 * A light stem, Porter's steps 1 and 5 (Porter, 1980): plural, past and -ing forms of a word meet, words of
 * different meaning stay apart. Takes one lower-case word.
 */
export function stem(word: string): string {
  if (word.length > STEMMED_MAX_CHARS || !/^[a-z]+$/.test(word)) return word;
  const base = IRREGULAR.get(word) ?? word;
  if (base.length <= 3) return base;
  const whole = withoutPast(withoutPlural(base));
  if (/ll$/.test(whole) && measure(whole) > 1) return whole.slice(0, -1);
  if (!whole.endsWith("e")) return whole;
  const short = whole.slice(0, -1);
  const m = measure(short);
  return m > 1 || (m === 1 && short.length > 2 && !endsShort(short)) ? short : whole;
}

function withoutPlural(word: string): string {
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  if (word.endsWith("ied")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  const bare = word.replace(/(?:ed|ing)$/, "");
  if (bare === word || !/[aeiouy]/.test(bare) || bare.length < 2) return word;
  if (bare.length === 2 || /(?:at|bl|iz)$/.test(bare)) return `${bare}e`;
  if (/([^aeioulsz])\1$/.test(bare)) return bare.slice(0, -1);
  return measure(bare) === 1 && endsShort(bare) ? `${bare}e` : bare;
}

/** Porter's m: how often a vowel is followed by a consonant. */
function measure(word: string): number {
  return (word.replace(/(?<=[aeiou])y/g, "c").match(/[aeiouy]+[^aeiouy]+/g) ?? []).length;
}

/** Consonant, vowel, consonant: the end of a stem that had an e (hop-e, fil-e). */
function endsShort(word: string): boolean {
  return /[^aeiou][aeiouy][^aeiouwxy]$/.test(word);
}

/** Whether a sentence is only understood with the one before it. */
export function leansBack(sentence: string): boolean {
  return POINTING.test(sentence);
}

/** Whether the text layer of a page is readable: fonts without a Unicode map, or with a wrong one, give garbage. */

/** A readable layer has at most this share of characters without a Unicode value in the file. */
const UNMAPPED_MAX_SHARE = 0.3;
/** And at most this share of replacement characters, private use and unassigned code points. */
const ODD_MAX_SHARE = 0.15;
/** And at least this share of letters and digits: formulas and tables have half. */
const WORDLIKE_MIN_SHARE = 0.35;
/** And at least this share of words with a vowel: English has 99 %, text in a shifted alphabet about half. */
const VOWEL_MIN_SHARE = 0.75;
/** Vowels are counted from so many words on: a list of parts has few, and odd ones. */
const VOWEL_MIN_WORDS = 20;

/** Leaders of tables of contents and rules drawn with characters. */
const LEADERS = /([.\-_=*·…])\1{2,}/g;
const LATIN_WORD = /(?<!\p{L})[a-z]{3,}(?!\p{L})/giu;

/** `text`: a page's layer. `unmapped`: the share of its characters that the file gives no Unicode for. */
export function isReadable(text: string, unmapped: number): boolean {
  const dense = text.replace(LEADERS, "").replace(/\s+/g, "");
  if (dense === "") return false;
  const share = (pattern: RegExp) => (dense.match(pattern)?.length ?? 0) / dense.length;
  if (unmapped > UNMAPPED_MAX_SHARE || share(/[\ufffd\p{Co}\p{Cn}]/gu) > ODD_MAX_SHARE) return false;
  if (share(/[\p{L}\p{N}\p{M}]/gu) < WORDLIKE_MIN_SHARE) return false;
  const words = text.normalize("NFD").replace(/\p{M}/gu, "").match(LATIN_WORD) ?? [];
  const voiced = words.filter((word) => /[aeiouy]/i.test(word)).length;
  return words.length < VOWEL_MIN_WORDS || voiced >= words.length * VOWEL_MIN_SHARE;
}

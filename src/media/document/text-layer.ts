/** Whether the text layer of a page is what the page shows. Fonts without Unicode, or with a false one, give garbage. */

/** Characters that the file gives no Unicode for. */
const UNMAPPED_MAX_SHARE = 0.3;
/** Replacement characters, private use and code points that are none. */
const ODD_MAX_SHARE = 0.15;
/** Of the characters, letters and digits: formulas and tables have half. */
const WORDLIKE_MIN_SHARE = 0.35;
/** English has a vowel in 99 of 100 words; letters shifted by a few places in about half of them. */
const VOWEL_MIN_SHARE = 0.75;
/** Fewer words tell nothing: a part list has such. */
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

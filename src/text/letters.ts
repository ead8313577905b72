/** Classes of characters, as parts of regular expressions with the flag `v`. */

/** Scripts that write no spaces between words: each of their characters is a term. */
const SPACELESS = "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}";
const ALPHANUMERIC = "\\p{Alphabetic}\\p{Nd}\\p{Nl}\\p{No}";
/** Marks belong to the letter before them; a variation selector only picks a glyph. */
export const MARK = "[[\\p{Mn}\\p{Mc}]--\\p{Variation_Selector}]";
export const SPACELESS_CHARACTER = `[[${ALPHANUMERIC}]&&[${SPACELESS}]]`;
/** The hyphen of typesetting, or one that may be left away, where a line's end divides a word. */
export const DIVIDED_WORD = /(?<=\p{Ll})[\u2010\u00ad]\n\s*(?=\p{Ll})/gu;
/** A letter or digit of a script with spaces. */
export const LETTER = `[[${ALPHANUMERIC}]--[${SPACELESS}]]`;

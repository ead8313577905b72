/**
 * Literals: what is written with symbols and looked for as it is written, each a term beside the words in it. A name begins
 * with symbols or has them inside (`-x`, `--no-fonts`, `%n`, `ORA-00942`, `core.pager`); an operator is symbols alone (`:=`).
 */
import { TERM_MAX_BYTES } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import { asciiFolded } from "./fold.ts";
import { LETTER, MARK } from "./letters.ts";

export interface Literal extends Span {
  /** Holds a symbol, so it is never the term of a word. */
  term: string;
  /** Other characters or another case would be something else: an operator, or one or two letters behind a symbol. */
  strict: boolean;
  /** A name that ends in symbols (`C#`): its word alone is something else, and its case is not. */
  tailed: boolean;
  /** A symbol alone, or mere punctuation: found with other words, and never in place of them. */
  loose: boolean;
}

const WORD = `${LETTER}[${LETTER}${MARK}]*`;
/** What a name begins with: a dash or two, a sigil, the beginning of a path. */
const LEAD = "(?:--?|\\+|[%$@#:\\\\!_&]{1,2}|(?:~|\\.{1,2})?\\/\\.?|\\*?\\.)";
/** Stands between the parts of a name, as in `a.b`, `a-b`, `a::b`, `scheme://a`. */
const JOINT = "(?:-{1,2}|[_.:]{1,3}|:?\\/{1,2}|[@+~])";
/** Behind a name of one word: `C++`, `F#`. */
const TAIL = `(?:\\+\\+|#)(?!${LETTER})`;
const SYMBOL = "[\\-+*\\/%=<>!~&\\|\\^:?.@#$\\\\]";
const OPENS = "[\\s\"'`“‘\\(\\[\\{]";
const CLOSES = "[\\s\"'`”’\\)\\]\\}.,;?]";

const LITERAL = new RegExp(
  [
    `(?<option>(?<!${LETTER})--\\[no-\\](?<negated>${WORD}(?:-${WORD})*))`,
    `(?<name>(?<!${LETTER})(?<lead>${LEAD})?(?<body>${WORD}(?:${JOINT}${WORD})*)(?:${TAIL})?)`,
    `(?<operator>(?!\\/-)${SYMBOL}{2,4}(?!${SYMBOL})|\\[\\[|\\]\\]|\\(\\(|\\)\\))`,
    `(?<symbol>(?<=^|${OPENS})[+*\\/%=<>!~&\\|\\^:?@#$\\\\](?=$|${CLOSES}))`,
  ].join("|"),
  "gv",
);

/** A word or number with the punctuation of a sentence around it: what most pieces of a text are, seen without their classes. */
const PLAIN = /^["'(“‘]*[A-Za-z0-9\u00aa-\u1fff\u2c00-\uffff]+(?:['’][A-Za-z]+)?[)"'”’,;:.!?]*$/;
const PLAIN_NAME = new RegExp(`^${WORD}$`, "v");
const PLAIN_END = new RegExp(`[${LETTER}${MARK}]$`, "v");
/** Dots, dashes, and marks at the end of a sentence, however many. */
const PUNCTUATION = /^[-.?!:]+$/;
/** Letters behind a symbol whose case matters: `-x` is not `-X`, and `%ae` not `%aE`. */
const CASED_MAX_LETTERS = 2;

/** Whether a term may be that of a literal: each holds what no word does. */
export function isLiteralTerm(term: string): boolean {
  return !PLAIN_NAME.test(term);
}

/** The literals of a text, in order. Longer ones than TERM_MAX_BYTES are left out. */
export function* literals(text: string): Generator<Literal> {
  for (const { 0: piece, index } of text.matchAll(/\S+/g)) {
    if (PLAIN.test(piece)) continue;
    for (const match of piece.matchAll(LITERAL)) {
      const start = index + match.index;
      for (const literal of literalsOf(match.groups ?? {})) {
        if (Buffer.byteLength(literal.term) <= TERM_MAX_BYTES) yield { ...literal, start, end: start + match[0].length };
      }
    }
  }
}

/** Whether a text is signs without a word: symbols, operators, and one or two letters behind a symbol. */
export function isSigns(text: string): boolean {
  const found = [...literals(text)];
  if (found.length === 0 || !found.every(({ strict, loose }) => strict || loose)) return false;
  const between = found.map(({ start }, index) => text.slice(found[index - 1]?.end ?? 0, start)).concat(text.slice(found.at(-1)?.end));
  return !/[\p{L}\p{N}]/u.test(between.join(" "));
}

function literalsOf({ negated, name, lead, body = "", operator, symbol }: Record<string, string | undefined>): Omit<Literal, keyof Span>[] {
  if (negated !== undefined)
    return [`--${negated}`, `--no-${negated}`].map((term) => ({ term: folded(term), strict: false, tailed: false, loose: false }));
  if (name !== undefined) {
    if (PLAIN_NAME.test(name)) return [];
    const strict = lead !== undefined && [...body].length <= CASED_MAX_LETTERS;
    return [{ term: strict ? name.normalize("NFC") : folded(name), strict, tailed: !PLAIN_END.test(name), loose: false }];
  }
  const term = operator ?? symbol ?? "";
  const loose = symbol !== undefined || PUNCTUATION.test(term);
  return [{ term, strict: !loose, tailed: false, loose }];
}

function folded(name: string): string {
  return asciiFolded(name.normalize("NFC").toLowerCase());
}

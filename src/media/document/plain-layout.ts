/** What the lines of a plain text are by their layout: terms, items, options in columns, entries with times. */
import { columnsOf, indentOf, type Line } from "./lines.ts";

/** A paragraph: lines without a blank one between them. */
export type Paragraph = readonly Line[];

export interface Heading {
  level: number;
  text: string;
  /** The lines that are the heading; the rest of the paragraph stands below it. */
  lines: number;
}

/** A line that begins an item of a list. */
export const ITEM = /^\s*(?:[-*+•‣◦▪–—o]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+\S/;
/** An option or name, then its meaning in a column of its own. */
export const COLUMNS = /^\s*\S(?:.{0,38}?\S)?(?: {2,}| ?\t\s*)\S/;
/** A line that says when and who, of a chat, a transcript or minutes. */
const ENTRY = /^\s*[[(<]?(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2})/;
const SHARE_OF_LINES = 0.6;

/** How many lines at the beginning of a paragraph are terms: those before lines that are indented deeper, or all before a paragraph that is. */
export function termsOf(paragraph: Paragraph, next: Paragraph | null): number {
  const indents = paragraph.map(indentOf);
  const margin = indents[0] ?? 0;
  const deeper = margin + (paragraph[0]?.indent === undefined ? DEFINITION_MIN_INDENT : SET_DEFINITION_MIN_INDENT);
  const body = indents.findIndex((indent) => indent >= deeper);
  const terms = body === -1 ? paragraph.length : body;
  if (terms > TERMS_MAX || indents.slice(0, terms).some((indent) => indent !== margin)) return 0;
  const definition = body === -1 ? (next ?? []).map(indentOf) : indents.slice(body);
  if (definition.length === 0 || definition.some((indent) => indent <= margin) || (definition[0] ?? 0) < deeper) return 0;
  if (isWrapped(paragraph.slice(0, terms))) return 0;
  return paragraph.slice(0, terms).every(({ text }) => isTerm(body === -1 ? text.trim() : unlabelled(text.trim()))) ? terms : 0;
}

/** Columns that a definition is indented by; in a set text, where the first line of a paragraph is indented by three. */
const DEFINITION_MIN_INDENT = 2;
const SET_DEFINITION_MIN_INDENT = 4;
/** The column of the last definition below its term, and of the last one beside its term; null where there is none. */
export interface Columns {
  below: number | null;
  beside: number | null;
}

/**
 * The term that the first line begins with, before a gap; what goes on below is indented as far as its definition. `above`:
 * of the definitions above, beside which that of an option may begin after a single blank. Null without one.
 */
export function inlineTermOf(paragraph: Paragraph, next: Paragraph | null, above: Columns): { term: string; column: number } | null {
  const [first, ...rest] = paragraph;
  if (first === undefined) return null;
  const text = columnsOf(first);
  const [, blank = "", term = "", gap = ""] = INLINE_TERM.exec(text) ?? optionBefore(text, above.beside) ?? [];
  if (term === "" || ITEM.test(text) || !isTerm(term)) return null;
  const column = indentOf(first) + term.length + gap.length;
  const fits = rest.length === 0 ? isBeside(text, term, column, next, above) : rest.every((line) => Math.abs(indentOf(line) - column) <= 1);
  return fits && blank.length === indentOf(first) ? { term, column } : null;
}

/** Whether the gap of a single line sets a term off. Two blanks alone may fill prose up to the margin: a column that recurs, or an option, is none. */
function isBeside(text: string, term: string, column: number, next: Paragraph | null, above: Columns): boolean {
  if (term.length > INLINE_TERM_MAX_CHARS) return false;
  const below = next?.[0] === undefined ? "" : columnsOf(next[0]);
  if (column === above.beside || column === above.below || below.search(/\S/) === column || INLINE_TERM.exec(below)?.[0].length === column + 1)
    return true;
  const wide = text.slice(0, column).endsWith("   ") || text[column - 1] === "\t";
  return term.startsWith("-") || (wide && !/\S\s{2,}\S/.test(text.slice(column)));
}

function optionBefore(text: string, column: number | null): RegExpExecArray | null {
  if (column === null || !isGap(text[column - 1]) || isGap(text[column])) return null;
  return /^(\s*)(-\S.*?)(\s+)$/.exec(text.slice(0, column));
}

function isGap(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

const INLINE_TERM = /^(\s*)(\S(?:.{0,28}?\S)?)(\s{2,}|\t)\S/;
/** Of a single line; longer beginnings may be prose with gaps. */
const INLINE_TERM_MAX_CHARS = 12;

/** Whether these lines are prose that leads to what is indented below it rather than terms. */
function isWrapped(lines: Paragraph): boolean {
  const words = lines.map(({ text }) => text.match(/\p{L}+/gu)?.length ?? 0);
  if (lines[0]?.text.trim().startsWith("-") === true) return false;
  return (
    words.some((count) => count > TERM_MAX_WORDS) ||
    (lines.length > 1 && lines.slice(0, -1).every(({ text }) => text.trim().length >= WRAPPED_MIN_CHARS))
  );
}

/** Lines of wrapped prose are no shorter, and terms have no more words. */
const WRAPPED_MIN_CHARS = 50;
const TERM_MAX_WORDS = 9;

/** Longer lines are prose. */
const TERM_MAX_CHARS = 80;
/** Terms above one definition. */
const TERMS_MAX = 4;

/** A short label right above what it names, without its colon. */
function unlabelled(text: string): string {
  return /^(?:\S+ ?){1,4}:$/.test(text) ? text.slice(0, -1) : text;
}

function isTerm(text: string): boolean {
  return text.length <= TERM_MAX_CHARS && !ITEM.test(text) && !/[.!?;,:…]$/.test(text.replace(/\.{3}$/, "")) && /[\p{L}\p{N}]/u.test(text);
}

/** A paragraph in the blocks that its lines make: items with what goes on with them, options in columns, entries; else the paragraph. */
export function itemsOf(paragraph: Paragraph): Paragraph[] | null {
  const marked = paragraph.filter(({ text }) => ITEM.test(text)).length;
  const isItem = marked > 0 && ITEM.test(paragraph[0]?.text ?? "") ? ITEM : shareOf(paragraph, ENTRY) ? ENTRY : isTable(paragraph) ? COLUMNS : null;
  if (isItem !== null) return splitAt(paragraph, isItem);
  const from = paragraph.findIndex(({ text }) => ITEM.test(text));
  // Items that begin inside a paragraph: its first lines open the list. One alone may be prose with a dash.
  return from > 0 && marked > 1 ? [paragraph.slice(0, from), ...splitAt(paragraph.slice(from), ITEM)] : null;
}

export function isItem({ text }: Line): boolean {
  return ITEM.test(text);
}

function shareOf(paragraph: Paragraph, pattern: RegExp): boolean {
  return paragraph.length > 1 && paragraph.filter((line) => pattern.test(columnsOf(line))).length >= paragraph.length * SHARE_OF_LINES;
}

function isTable(paragraph: Paragraph): boolean {
  const margin = indentOf(paragraph[0]);
  const own = paragraph.filter((line) => indentOf(line) <= margin);
  if (own.length < 2 || !shareOf(own, COLUMNS) || paragraph[0] === undefined || !COLUMNS.test(columnsOf(paragraph[0]))) return false;
  // Prose that blanks fill up to the margin has gaps too, but not in one column.
  const columns = Map.groupBy(
    own.flatMap((line) => COLUMNS.exec(columnsOf(line))?.[0].length ?? []),
    (column) => column,
  );
  return Math.max(...Array.from(columns.values(), ({ length }) => length)) >= own.length * SHARE_OF_LINES;
}

/** Each part begins with a line that fits, at the margin of the first one or, with a mark, anywhere. */
function splitAt(paragraph: Paragraph, begins: RegExp): Paragraph[] {
  const margin = indentOf(paragraph[0]);
  const parts: Line[][] = [];
  for (const line of paragraph) {
    const opens = begins.test(columnsOf(line)) && (begins !== COLUMNS || indentOf(line) <= margin);
    if (opens || parts.length === 0) parts.push([line]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

/** What the lines of a plain text are by their layout: headings, terms, items, options in columns, entries with times. */
import { isHeading } from "../../text/sentences.ts";
import { indentOf, type Line } from "./lines.ts";

/** A paragraph: lines without a blank one between them. */
export type Paragraph = readonly Line[];

export interface Heading {
  level: number;
  text: string;
  /** The lines that are the heading; the rest of the paragraph stands below it. */
  lines: number;
}

/** Longer lines are prose. */
const HEADING_LINE_MAX_CHARS = 80;
const SHORT_HEADING_MAX_CHARS = 60;
const UNDERLINE = /^\s*([=\-~^"'*+#])\1{2,}\s*$/;
const UNDERLINE_LEVELS = `=-~^"'*+#`;
/** Levels of headings without an underline: chapters, numbers (by their depth), capitals, short lines. */
const CAPITALS_LEVEL = 10;
const INDENTED_CAPITALS_LEVEL = 11;
const NUMBERED_LEVEL = 12;
const SHORT_LEVEL = 50;
const NAMED_PART = /^(?:chapter|part|appendix)\s+[\dA-Z][\dA-Za-z.]*\b[.:]?/i;
const NUMBERED = /^((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,31})\.?\s+(?=\p{Lu}|\p{Lo}|`|")/u;
/** The head of a manual page: its name on both sides. */
const MANUAL_PAGE = /^(\S+\(\w+\))\s{2,}\S.*\s{2,}\1$/;
const ENDS_SENTENCE = /[.!?;,:…。！？]["'”’)\]]*$/;
/** A heading is at most this far from the margin. */
const HEADING_MAX_INDENT = 4;

const ITEM = /^\s*(?:[-*+•‣◦▪–—o]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+\S/;
/** An option or name, then its meaning in a column of its own. */
const COLUMNS = /^\s*\S(?:.{0,38}?\S)?(?: {2,}|\t+)\S/;
/** A line that says when and who, of a chat, a transcript or minutes. */
const ENTRY = /^\s*[[(<]?(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2})/;
const SHARE_OF_LINES = 0.6;

/** The heading that a paragraph is or begins with. `next`: the paragraph below; null at the end. `prior`: the one above. */
export function headingOf(paragraph: Paragraph, next: Paragraph | null, prior: Paragraph | null): Heading | null {
  const [first, second] = paragraph;
  if (first === undefined) return null;
  const text = first.text.trim();
  const page = prior === null ? MANUAL_PAGE.exec(text)?.[1] : undefined;
  if (page !== undefined) return { level: 0, text: page, lines: 1 };
  if (text.length > HEADING_LINE_MAX_CHARS || !/[\p{L}\p{N}]/u.test(text)) return underlined(paragraph);
  const found = underlined(paragraph);
  if (found !== null) return found;
  const indent = indentOf(first);
  if (indent > HEADING_MAX_INDENT) return null;
  const leads = second === undefined ? next !== null && indentOf(next[0]) >= indent : indentOf(second) > indent;
  if (!leads) return null;
  if (isCapitals(text)) return { level: indent === 0 ? CAPITALS_LEVEL : INDENTED_CAPITALS_LEVEL, text, lines: 1 };
  if (second !== undefined || ENDS_SENTENCE.test(text) || (ITEM.test(text) && !isNumbered(text))) return null;
  if (NAMED_PART.test(text)) return { level: CAPITALS_LEVEL - 1, text, lines: 1 };
  if (isNumbered(text) && !isNumbered(lineOf(next)) && !isNumbered(lineOf(prior))) return { level: NUMBERED_LEVEL + depthOf(text), text, lines: 1 };
  if (isNumbered(text) && depthOf(text) > 0) return { level: NUMBERED_LEVEL + depthOf(text), text, lines: 1 };
  return isShortHeading(text, next) ? { level: SHORT_LEVEL, text, lines: 1 } : null;
}

/** A title with a line of signs below it, and perhaps one above it. */
function underlined(paragraph: Paragraph): Heading | null {
  const over = UNDERLINE.test(paragraph[0]?.text ?? "") ? 1 : 0;
  const text = (paragraph[over]?.text ?? "").trim();
  const sign = UNDERLINE.exec(paragraph[over + 1]?.text ?? "")?.[1];
  if (sign === undefined || text === "" || text.length > HEADING_LINE_MAX_CHARS * 2) return null;
  const width = (paragraph[over + 1]?.text ?? "").trim().length;
  if (width < text.length / 2 || !/[\p{L}\p{N}]/u.test(text)) return null;
  return { level: over === 1 ? 0 : UNDERLINE_LEVELS.indexOf(sign) + 1, text, lines: over + 2 };
}

function isCapitals(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (
    letters >= 3 && text.length <= SHORT_HEADING_MAX_CHARS && text === text.toUpperCase() && text !== text.toLowerCase() && !/[.;,!?]$/.test(text)
  );
}

function isNumbered(text: string): boolean {
  return NUMBERED.test(text);
}

function depthOf(text: string): number {
  return (NUMBERED.exec(text)?.[1] ?? "").split(".").length - 1;
}

function lineOf(paragraph: Paragraph | null): string {
  return paragraph?.length === 1 ? (paragraph[0]?.text ?? "").trim() : "";
}

/** A short line without a full stop above prose. */
function isShortHeading(text: string, next: Paragraph | null): boolean {
  if (next === null || text.length > SHORT_HEADING_MAX_CHARS || !/^["'“(]?[\p{Lu}\p{Lo}\p{N}]/u.test(text) || !isHeading(text)) return false;
  if (COLUMNS.test(text)) return false;
  const below = (next[0]?.text ?? "").trim();
  return next.length > 1 || below.length > SHORT_HEADING_MAX_CHARS || ENDS_SENTENCE.test(below);
}

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
/**
 * The term that the first line begins with, before a gap; what goes on below is indented as far as its definition. `usual`:
 * the column of the definitions above, where that of an option may begin after a single blank. Null without one.
 */
export function inlineTermOf(paragraph: Paragraph, usual: number | null): { term: string; column: number } | null {
  const [first, ...rest] = paragraph;
  if (first === undefined) return null;
  const [, blank = "", term = "", gap = ""] = INLINE_TERM.exec(first.text) ?? optionBefore(first.text, usual) ?? [];
  if (term === "" || ITEM.test(first.text) || !isTerm(term)) return null;
  const column = indentOf(first) + term.length + gap.length;
  const fits = rest.length === 0 ? term.length <= INLINE_TERM_MAX_CHARS : rest.every((line) => Math.abs(indentOf(line) - column) <= 1);
  return fits && blank.length === indentOf(first) ? { term, column } : null;
}

function optionBefore(text: string, column: number | null): RegExpExecArray | null {
  if (column === null || text[column - 1] !== " " || text[column] === " ") return null;
  return /^( *)(-\S.*?)( +)$/.exec(text.slice(0, column));
}

const INLINE_TERM = /^( *)(\S(?:.{0,28}?\S)?)( {2,})\S/;
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

/** Terms above one definition. */
const TERMS_MAX = 4;

/** A short label right above what it names, without its colon. */
function unlabelled(text: string): string {
  return /^(?:\S+ ?){1,4}:$/.test(text) ? text.slice(0, -1) : text;
}

function isTerm(text: string): boolean {
  return text.length <= HEADING_LINE_MAX_CHARS && !ITEM.test(text) && !/[.!?;,:…]$/.test(text.replace(/\.{3}$/, "")) && /[\p{L}\p{N}]/u.test(text);
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
  return paragraph.length > 1 && paragraph.filter(({ text }) => pattern.test(text)).length >= paragraph.length * SHARE_OF_LINES;
}

function isTable(paragraph: Paragraph): boolean {
  const margin = indentOf(paragraph[0]);
  const own = paragraph.filter((line) => indentOf(line) <= margin);
  if (own.length < 2 || !shareOf(own, COLUMNS) || !COLUMNS.test(paragraph[0]?.text ?? "")) return false;
  // Prose that blanks fill up to the margin has gaps too, but not in one column.
  const columns = Map.groupBy(
    own.flatMap(({ text }) => COLUMNS.exec(text)?.[0].length ?? []),
    (column) => column,
  );
  return Math.max(...Array.from(columns.values(), ({ length }) => length)) >= own.length * SHARE_OF_LINES;
}

/** Each part begins with a line that fits, at the margin of the first one or, with a mark, anywhere. */
function splitAt(paragraph: Paragraph, begins: RegExp): Paragraph[] {
  const margin = indentOf(paragraph[0]);
  const parts: Line[][] = [];
  for (const line of paragraph) {
    const opens = begins.test(line.text) && (begins !== COLUMNS || indentOf(line) <= margin);
    if (opens || parts.length === 0) parts.push([line]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

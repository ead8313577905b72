/** Headings of plain text: underlined, numbered, in capitals, or short above prose. */
import { isHeading } from "../../text/sentences.ts";
import { indentOf } from "./lines.ts";
import { COLUMNS, type Heading, ITEM, type Paragraph } from "./plain-layout.ts";

/** Longer lines are prose. */
const HEADING_LINE_MAX_CHARS = 80;
const SHORT_HEADING_MAX_CHARS = 60;
const UNDERLINE = /^\s*([=\-~^"'*+#.])\1{2,}\s*$/;
/** Kinds of underlines that are told apart. */
const UNDERLINES_MAX = 10;
/** How much deeper a heading lies than the one that its number or indent puts it under, where nothing else says it. */
const STEP = 0.01;
const NUMBER = /^(\d{1,3}(?:\.\d{1,3}){0,31}|[A-Z](?:\.\d{1,3}){1,31})\.?\s/;
/** Levels of headings without an underline: chapters, numbers (by their depth), capitals, short lines. */
const CAPITALS_LEVEL = 10;
const INDENTED_CAPITALS_LEVEL = 11;
const NUMBERED_LEVEL = 12;
const SHORT_LEVEL = 50;
const NAMED_PART = /^(?:chapter|part|appendix)\s+[\dA-Z][\dA-Za-z.]*\b[.:]?/i;
const NUMBERED = /^((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,31})\.?\s+(?=\p{Lu}|\p{Lo}|[`"/])/u;
/** The head of a manual page: its name on both sides. */
const MANUAL_PAGE = /^(\S+\(\w+\))\s{2,}\S.*\s{2,}\1$/;
const ENDS_SENTENCE = /[.!?;,:…。！？]["'”’)\]]*$/;
/** A heading is at most this far from the margin. */
const HEADING_MAX_INDENT = 4;

/** The headings of one document. */
export class PlainHeadings {
  /** Signs of underlines in the order in which they appear, which is their rank; a line above makes another kind. */
  private readonly underlines: string[] = [];
  /** The numbers of headings that are open. */
  private numbered: { number: string; level: number }[] = [];
  /** The level of the last heading but indented ones. */
  private margin = 0;

  /** The heading that a paragraph is or begins with. `next`: the paragraph below; null at the end. `prior`: the one above. */
  of(paragraph: Paragraph, next: Paragraph | null, prior: Paragraph | null): Heading | null {
    const found = headingOf(paragraph, next, prior);
    return found === null ? null : { level: this.levelOf(found), text: found.text, lines: found.lines };
  }

  private levelOf({ level, underline, text }: Found): number {
    // What is indented lies below what is not.
    const own = underline !== undefined ? this.rankOf(underline) : level === INDENTED_CAPITALS_LEVEL ? Math.max(level, this.margin + STEP) : level;
    const number = NUMBER.exec(text)?.[1] ?? null;
    const above = number === null ? undefined : this.numbered.findLast((open) => number.startsWith(`${open.number}.`));
    const found = above === undefined ? own : Math.max(own, above.level + STEP);
    this.numbered = this.numbered.filter((open) => open.level < found);
    if (number !== null) this.numbered.push({ number, level: found });
    if (level !== INDENTED_CAPITALS_LEVEL) this.margin = found;
    return found;
  }

  private rankOf(underline: string): number {
    if (!this.underlines.includes(underline) && this.underlines.length < UNDERLINES_MAX) this.underlines.push(underline);
    const rank = this.underlines.indexOf(underline);
    return rank === -1 ? UNDERLINES_MAX - 1 : rank;
  }
}

/** `underline`: its sign, and the one above it. */
interface Found extends Heading {
  underline?: string;
}

function headingOf(paragraph: Paragraph, next: Paragraph | null, prior: Paragraph | null): Found | null {
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
  if (!leads && !(second !== undefined && isNumbered(text))) return null;
  if (leads && isCapitals(text)) return { level: indent === 0 ? CAPITALS_LEVEL : INDENTED_CAPITALS_LEVEL, text, lines: 1 };
  if (ENDS_SENTENCE.test(text) || (ITEM.test(text) && !isNumbered(text))) return null;
  if (isNumbered(text) && (second === undefined ? !isListed(text, next, prior) : isAboveText(paragraph)))
    return { level: NUMBERED_LEVEL + depthOf(text), text, lines: 1 };
  if (second !== undefined) return null;
  if (NAMED_PART.test(text)) return { level: CAPITALS_LEVEL - 1, text, lines: 1 };
  return isShortHeading(text, next) ? { level: SHORT_LEVEL, text, lines: 1 } : null;
}

/** A title with a line of signs below it, and perhaps one above it. */
function underlined(paragraph: Paragraph): Found | null {
  const over = UNDERLINE.test(paragraph[0]?.text ?? "") ? 1 : 0;
  const text = (paragraph[over]?.text ?? "").trim();
  const sign = UNDERLINE.exec(paragraph[over + 1]?.text ?? "")?.[1];
  if (sign === undefined || text === "" || text.length > HEADING_LINE_MAX_CHARS * 2) return null;
  const width = (paragraph[over + 1]?.text ?? "").trim().length;
  if (width < text.length / 2 || !/[\p{L}\p{N}]/u.test(text) || isTableHead(text)) return null;
  return { level: 0, underline: over === 1 ? sign + sign : sign, text, lines: over + 2 };
}

/** Names of three columns or more, blanks between them: the rule below them is a table's. */
function isTableHead(text: string): boolean {
  return text.split(/\s{2,}|\t/).filter((name) => /\p{L}/u.test(name)).length > 2;
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

/** Whether a numbered line is an item of a list: the line beside it has a number as deep, of one part. */
function isListed(text: string, next: Paragraph | null, prior: Paragraph | null): boolean {
  return depthOf(text) === 0 && [next, prior].some((beside) => isNumbered(lineOf(beside)) && depthOf(lineOf(beside)) === 0);
}

/** Whether a numbered line stands right above its text rather than in it: a sentence begins below, no item. */
function isAboveText([first, ...rest]: Paragraph): boolean {
  const [text, below] = [(first?.text ?? "").trim(), (rest[0]?.text ?? "").trim()];
  if (!isHeading(text) || !/^["'“(]?[\p{Lu}\p{Lo}]/u.test(below) || rest.some((line) => ITEM.test(line.text) || isNumbered(line.text.trim())))
    return false;
  if (depthOf(text) > 0) return true;
  // An item of a list goes on deeper, or where its first line is full: where the next word has no room.
  const width = Math.max(...rest.map((line) => line.text.trim().length));
  return indentOf(rest[0]) <= indentOf(first) && text.length + 1 + (/^\S+/.exec(below)?.[0].length ?? 0) <= width;
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

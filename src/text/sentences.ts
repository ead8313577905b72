/** Sentences of a text, and headings. */
import { SENTENCE_MAX_CHARS } from "../base/limits.ts";
import type { Span } from "../base/span.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** The end of a sentence before a figure: the segmenter finds a border before a capital only. */
const BEFORE_FIGURE = /[.!?]["'”’)\]]*\s+(?=\d)/g;
const NEWLINE = /\r\n|[\n\r\u0085\u2028\u2029]/;
/** The text on each side of a border that the rules read: more than the longest abbreviation and line. */
const CONTEXT_CHARS = 160;

const setOf = (list: string) => new Set(list.split(/\s+/));
/** Abbreviations that never end a sentence. */
const LEADING = setOf("dr mr mrs ms prof rev hon gen col capt lt sgt sen gov vs cf e.g i.e approx ca fig figs eq eqs resp viz mt messrs");
/** Abbreviations that do not end a sentence when a number or, for "et al.", a bracket follows. */
const NUMBERED = setOf("no nos p pp vol vols art sec ch nr ref refs tab al max min jan feb mar apr jun jul aug sep sept oct nov dec op ver v pt");
/** Abbreviations inside names, which end a sentence only when one of OPENERS follows. */
const NAMED = setOf("st inc ltd co corp jr sr bros univ dept");
/** Abbreviations that do not end a sentence when a day or a time zone follows. */
const TIMED = setOf("a.m p.m");
const OPENERS = setOf(
  `the a an it he she they we you i this that these those there in on at by for from to with but and or so if when while after before as no not
  his her its their our my what who why how where however then since although nobody all some most many each every both one two three`,
);
/** The sentence of a line that ends in one of these continues on the next. */
const UNFINISHED = /(?:[,;–—]|\b(?:the|an?|of|to|in|on|at|by|for|and|or|with|from|that|which|is|are|was|were|than|its|their))$/i;
/** Hard-wrapped prose has lines of at least this many characters. */
const WRAPPED_MIN_CHARS = 45;

const LIST_ITEM = /^(?:[-*•–—·‣▪◦]\s|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]\s)/i;
const LIST_MARK = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]$/i;
const ENDED = /[.!?…。！？:]["'”’»)\]]*$/;

/** The sentences of `text` in order: trimmed, not empty, UTF-16 offsets, none longer than SENTENCE_MAX_CHARS. */
export function sentences(text: string): Span[] {
  const found: Span[] = [];
  let current: Span | null = null;
  for (const piece of pieces(text)) {
    if (current !== null && belongsTo(text, current, piece)) {
      current.end = piece.end;
      continue;
    }
    if (current !== null) found.push(...cut(text, current));
    current = piece;
  }
  return current === null ? found : [...found, ...cut(text, current)];
}

/** True for a line of few words or of capitalised words without a full stop: a title, a label, a line of a form. */
export function isHeading(text: string): boolean {
  const line = text.trim();
  if (line === "" || line.length > 120 || NEWLINE.test(line) || /[.!?;,…。！？]["'”’)\]]*$/.test(line)) return false;
  const parts = line.split(/\s+/).filter((part) => /\p{L}/u.test(part));
  if (parts.length === 0 || parts.length > 14) return false;
  const named = parts.every((part) => /^[^\p{L}]*\p{Lu}/u.test(part) || /^(?:an?|the|of|in|on|at|to|for|and|or|by|with|from|vs)$/.test(part));
  return parts.length <= 5 || named || line === line.toUpperCase();
}

/** The text between two neighbouring possible borders, trimmed. */
function* pieces(text: string): Generator<Span> {
  const borders = [...segmenter.segment(text)].map(({ index }) => index);
  for (const match of text.matchAll(BEFORE_FIGURE)) borders.push(match.index + match[0].length);
  borders.push(text.length);
  let from = 0;
  for (const border of borders.sort((a, b) => a - b)) {
    const raw = text.slice(from, border);
    const trimmed = raw.trimStart();
    const start = border - trimmed.length;
    const length = trimmed.trimEnd().length;
    if (length > 0) yield { start, end: start + length };
    from = border;
  }
}

/** Whether two neighbouring pieces are of one sentence. */
function belongsTo(text: string, left: Span, right: Span): boolean {
  const gap = text.slice(left.end, right.start);
  const before = text.slice(Math.max(left.start, left.end - CONTEXT_CHARS), left.end);
  const after = text.slice(right.start, Math.min(right.end, right.start + CONTEXT_CHARS));
  const lines = gap.split(NEWLINE).length - 1;
  if (lines > 1) return false;
  if (lines === 1) return lineGoesOn(text.slice(Math.max(0, left.end - CONTEXT_CHARS), left.end), after);
  if (gap === "") return /[!-~]$/.test(before) && /^[!-~]/.test(after);
  if (left.end - left.start <= 6 && LIST_MARK.test(before)) return true;
  if (/^\p{Ll}/u.test(after) && (/[.…]["'”’»)\]]*$/.test(before) || /[!?]["'”’»)\]]+$/.test(before))) return true;
  return abbreviated(before, after);
}

/** A line that ended without a full stop and was long enough to be wrapped, before one that goes on in lower case. */
function lineGoesOn(before: string, after: string): boolean {
  if (LIST_ITEM.test(after)) return false;
  if (ENDED.test(before)) return !before.endsWith(":") && abbreviated(before, after);
  const line = before.split(NEWLINE).at(-1) ?? "";
  return line.length >= WRAPPED_MIN_CHARS && (/^[\p{Ll}(]/u.test(after) || UNFINISHED.test(line));
}

/** Whether the full stop before the border belongs to an abbreviation or an initial. */
function abbreviated(before: string, after: string): boolean {
  const last = /[^\s("'“‘[]+$/.exec(before)?.[0] ?? "";
  if (!last.endsWith(".") || last === ".") return false;
  const word = last.slice(0, -1).toLowerCase();
  const next = /^\p{L}+/u.exec(after)?.[0].toLowerCase() ?? "";
  if (LEADING.has(word)) return true;
  if (NUMBERED.has(word)) return /^(?:\d|\(?\d)/.test(after);
  if (TIMED.has(word)) return /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|gmt|utc|est|cet)$/.test(next);
  const initials = /^(?:\p{L}\.)*\p{L}$/u.test(word) && /^\p{Lu}/u.test(last);
  return (initials || NAMED.has(word)) && next !== "" && !OPENERS.has(next);
}

/** A sentence in parts of at most SENTENCE_MAX_CHARS, cut after a clause if there is one in the second half, else after a word. */
function cut(text: string, span: Span): Span[] {
  const parts: Span[] = [];
  let { start } = span;
  while (span.end - start > SENTENCE_MAX_CHARS) {
    const border = cutBorder(text, start, start + SENTENCE_MAX_CHARS);
    const raw = text.slice(start, border);
    parts.push({ start, end: start + raw.trimEnd().length });
    start = border + (text.slice(border, span.end).length - text.slice(border, span.end).trimStart().length);
  }
  return [...parts, { start, end: span.end }];
}

function cutBorder(text: string, start: number, limit: number): number {
  const floor = limit - SENTENCE_MAX_CHARS / 2;
  for (const border of [/[,;:–—]\s|[，；、]./, /.\s/, /\s./]) {
    for (let at = limit; at > floor; at -= 1) if (border.test(text.slice(at - 1, at + 1))) return at;
  }
  const inPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(limit - 1, limit + 1));
  return inPair && limit - 1 > start ? limit - 1 : limit;
}

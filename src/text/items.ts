/**
 * The items of a Unit's text: what an answer can quote. Extraction writes paragraphs between blank lines, list items behind a
 * marker, table rows between bars and code indented by four spaces (src/media/document/blocks.ts). Spans are UTF-16 offsets.
 */
import { CODE_ITEM_MAX_CHARS, QUOTE_MAX_WORDS } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import { SPACELESS_CHARACTER } from "./letters.ts";
import { sentences } from "./sentences.ts";

export interface Item extends Span {
  kind: "sentence" | "list" | "row" | "code";
  /** The sentence right before a list or code, or the list item that announces code, which says what it is about; null when there is none. */
  lead: Span | null;
}

interface Line extends Span {
  kind: "blank" | "prose" | "list" | "row" | "code";
  /** Where the text begins: behind indentation and a list's marker. */
  from: number;
}

const LIST_MARKER = /^\s*(?:[-*•‣▪◦]|\(?\d{1,3}[.)])\s+/;
/** A line of Markdown that code begins or ends at. */
const FENCE = /^\s*(```+|~~~+)/;
/** Columns that code is indented by, and those of a tab. */
const CODE_INDENT = 4;
const TAB = 8;

const SPACELESS = new RegExp(SPACELESS_CHARACTER, "gv");
/** A word of a script without spaces has about as many characters. */
const SPACELESS_WORD_CHARS = 2;

/** The words of a text, between white space; of a script without spaces about as many. */
export function wordCount(text: string): number {
  const spaceless = text.match(SPACELESS)?.length ?? 0;
  if (spaceless === 0) return text.match(/\S+/g)?.length ?? 0;
  return (text.replace(SPACELESS, " ").match(/\S+/g)?.length ?? 0) + Math.ceil(spaceless / SPACELESS_WORD_CHARS);
}

/** The items of `text` in order: trimmed, not empty, of at most QUOTE_MAX_WORDS. The lines before `from` are left out. */
export function itemsOf(text: string, from = 0): Item[] {
  const items: Item[] = [];
  let lead: Span | null = null;
  let announced: Span | null = null;
  for (const run of runsOf(linesOf(text, from).filter(({ start }) => start >= from))) {
    const [first, last] = [run[0] as Line, run.at(-1) as Line];
    if (first.kind === "prose") {
      const found = sentences(text.slice(first.start, last.end)).flatMap((span) => partsOf(text, shifted(span, first.start)));
      items.push(...found.map((span): Item => ({ ...span, kind: "sentence", lead: null })));
      lead = found.at(-1) ?? null;
      announced = null;
    } else if (first.kind === "code") {
      const whole = last.end - first.from <= CODE_ITEM_MAX_CHARS;
      const parts = whole ? [{ from: first.from, end: last.end }] : run;
      const spans = parts.flatMap(({ from: start, end }) => partsOf(text, { start, end }));
      items.push(...spans.map((span): Item => ({ ...span, kind: "code", lead: announced ?? lead })));
    } else {
      const { kind } = first as Line & Pick<Item, "kind">;
      const spans = partsOf(text, { start: first.from, end: last.end });
      items.push(...spans.map((span): Item => ({ ...span, kind, lead: kind === "list" ? lead : null })));
      announced = text[last.end - 1] === ":" ? (spans.at(-1) ?? null) : null;
    }
  }
  return items;
}

/** Where the text behind the leading lines that only say the defined term begins; 0 when it does not open with the term, or has nothing else. */
export function definitionStart(text: string, path: readonly string[]): number {
  const term = squeezed(path.at(-1) ?? "");
  let end = 0;
  for (const line of linesOf(text)) {
    const said = squeezed(text.slice(line.start, line.end));
    if (said === "" || !term.includes(said)) return line.kind === "blank" && end === 0 ? 0 : end;
    end = line.end + 1;
  }
  return 0;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A word, or a character of a script without spaces. */
const ATOM = new RegExp(`${SPACELESS_CHARACTER}|(?:(?!${SPACELESS_CHARACTER})\\S)+`, "gv");
const CLAUSE_END = /[,;:.!?–—，；：、。！？|]["'”’)\]]*$/;

/** A span in parts of at most QUOTE_MAX_WORDS, about as long as each other: cut behind a clause if one ends in the second half of a part, else behind a word. */
function partsOf(text: string, { start, end }: Span): Span[] {
  const all = wordCount(text.slice(start, end));
  if (all <= QUOTE_MAX_WORDS) return [{ start, end }];
  const most = Math.ceil(all / Math.ceil(all / QUOTE_MAX_WORDS));
  const atoms = Array.from(text.slice(start, end).matchAll(ATOM), ({ 0: atom, index }) => ({
    words: atom.match(SPACELESS) === null ? 1 : 1 / SPACELESS_WORD_CHARS,
    ends: CLAUSE_END.test(atom),
    start: start + index,
    end: start + index + atom.length,
  }));
  const parts: Span[] = [];
  for (let first = 0; first < atoms.length; ) {
    let [words, next, clause] = [0, first, first];
    for (; next < atoms.length && words + (atoms[next]?.words ?? 0) <= most; next += 1) {
      words += atoms[next]?.words ?? 0;
      if (atoms[next]?.ends && words > most / 2) clause = next + 1;
    }
    if (clause > first && next < atoms.length) next = clause;
    parts.push({ start: atoms[first]?.start ?? start, end: atoms[next - 1]?.end ?? end });
    first = next;
  }
  return parts;
}

function shifted({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

/** The lines of a text, trimmed at their ends. `from`: where the margin begins to count. */
function linesOf(text: string, from = 0): Line[] {
  const lines: Line[] = [];
  const margin = marginOf(text, from);
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const border = newline === -1 ? text.length : newline;
    const line = text.slice(start, border).trimEnd();
    lines.push({ start, end: start + line.length, ...kindOf(line, start, margin) });
    start = border + 1;
  }
  markFenced(text, lines);
  return lines;
}

/** What stands between two fences is code, and they are nothing; one alone is cut from its code, and says nothing of the lines beside it. */
function markFenced(text: string, lines: Line[]): void {
  const shown = lines.map(({ start, end }) => text.slice(start, end));
  const fences = shown.map((line) => FENCE.exec(line)?.[1] ?? null);
  // What no later line closes is not looked for again.
  const alone = new Set<string>();
  for (let open = 0; open < lines.length; open += 1) {
    const fence = fences[open] ?? null;
    if (fence === null) continue;
    const closes = (at: number) => fences[at]?.startsWith(fence) === true && shown[at]?.trim() === fences[at];
    let close = alone.has(fence) ? lines.length : open + 1;
    while (close < lines.length && !closes(close)) close += 1;
    (lines[open] as Line).kind = "blank";
    if (close === lines.length) {
      alone.add(fence);
      continue;
    }
    for (const [index, line] of lines.slice(open + 1, close).entries()) {
      if (line.kind !== "blank") Object.assign(line, { kind: "code", from: textStart(shown[open + 1 + index] ?? "", line.start) });
    }
    (lines[close] as Line).kind = "blank";
    open = close;
  }
}

/** Where the letters of a line begin that is trimmed at its end. */
function textStart(line: string, start: number): number {
  return start + line.length - line.trimStart().length;
}

/**
 * The indent of a plain text's body, as manual pages and definitions have it: of all lines but the first, which begins at its first
 * letter. 0 where some stand further left, or where it is that of code below a paragraph.
 */
function marginOf(text: string, from: number): number {
  const lines = text.slice(from).split("\n");
  if (from === 0 && (indentOf(lines[0] ?? "") > 0 || LIST_MARKER.test(lines[0] ?? ""))) return 0;
  const indents = lines.slice(from === 0 ? 1 : 0).flatMap((line) => (line.trim() === "" ? [] : [indentOf(line)]));
  const least = Math.min(...indents);
  return indents.length > 0 && least > CODE_INDENT ? least : 0;
}

function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += TAB;
    else break;
  }
  return columns;
}

function kindOf(line: string, start: number, margin: number): Pick<Line, "kind" | "from"> {
  const at = textStart(line, start);
  if (line === "") return { kind: "blank", from: start };
  const marker = LIST_MARKER.exec(line)?.[0];
  if (marker !== undefined && marker.length < line.length) return { kind: "list", from: start + marker.length };
  if (line.startsWith("| ")) return { kind: "row", from: start + 2 };
  return { kind: indentOf(line) >= margin + CODE_INDENT ? "code" : "prose", from: at };
}

/** Lines that belong together: a paragraph, a list item with its further lines, a block of code, or one row. */
function runsOf(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = [];
  let open: Line[] = [];
  for (const line of lines) {
    const kind = open[0]?.kind;
    const joins = line.kind === kind ? kind === "prose" || kind === "code" : kind === "list" && line.kind === "prose" && line.from > line.start;
    if (open.length > 0 && joins) {
      open.push(line);
      continue;
    }
    if (open.length > 0) runs.push(open);
    open = line.kind === "blank" ? [] : [line];
  }
  return open.length > 0 ? [...runs, open] : runs;
}

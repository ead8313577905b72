/** Running heads and feet of a text that form feeds part into pages: left out, and a paragraph that they cut is whole again. */
import { indentOf, isBlank, type Line } from "./lines.ts";

interface Page {
  lines: Line[];
  /** Indexes of the line behind the form feed above the page and of the one before its end, each alone between blank lines; -1 without one. */
  head: number;
  foot: number;
}

/** Longer ones, and those of longer lines, are no pages: their lines are let through as they come. */
const PAGE_MAX_LINES = 200;
const PAGE_LINE_MAX_CHARS = 1_000;
/** Running lines are no longer. */
const RUNNING_MAX_CHARS = 160;
/** A line of which two parts or more are set apart. */
const APART = /\S\s{3,}\S/;
const APART_TWICE = /\S\s{3,}\S.*\S\s{3,}\S/;
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*$/;
/** Prose that is wrapped has lines of at least so many characters. */
const WRAPPED_MIN_CHARS = 50;

/** The lines of a file without running ones. */
export function* withoutRunning(lines: Iterable<Line>): Generator<Line> {
  let above: Page | null = null;
  let page: Page | null = null;
  const joiner = new Joiner();
  for (const below of pagesOf(lines)) {
    if (page !== null) yield* joiner.page(page, above, below);
    [above, page] = [page, below];
  }
  if (page !== null) yield* joiner.page(page, above, null);
  yield* joiner.end();
}

/** Writes pages, and between two of them the blank lines only where a paragraph ends. */
class Joiner {
  private gap: Line[] = [];
  private last: Line | null = null;
  private footed = false;

  *page({ lines, head, foot }: Page, above: Page | null, below: Page | null): Generator<Line> {
    const footed = foot !== -1 && isRunning(lines[foot], [above?.lines[above.foot], below?.lines[below.foot]], true);
    const headed = head !== -1 && isRunning(lines[head], [above?.lines[above.head], below?.lines[below.head]], this.footed);
    const kept = lines.filter((_, at) => !(footed && at === foot) && !(headed && at === head));
    const [from, to] = [kept.findIndex((line) => !isBlank(line)), kept.findLastIndex((line) => !isBlank(line)) + 1];
    const next = kept[from];
    if (next === undefined || !(this.footed || headed) || !goesOn(this.last, next)) yield* [...this.gap, ...kept.slice(0, Math.max(0, from))];
    if (next !== undefined) yield* kept.slice(from, to);
    this.gap = kept.slice(to);
    this.last = kept[to - 1] ?? null;
    this.footed = footed;
  }

  *end(): Generator<Line> {
    yield* this.gap;
  }
}

/**
 * Whether a line beside a form feed runs through the pages: it recurs on the one before or after, or its parts are set
 * apart over the width of the page. `numbered`: it may differ by its number alone, as the heads of chapters do too.
 */
function isRunning(line: Line | undefined, others: readonly (Line | undefined)[], numbered: boolean): boolean {
  const text = line?.text.trim() ?? "";
  if (APART_TWICE.test(text)) return true;
  if (SENTENCE_END.test(text)) return false;
  const same = (other: Line | undefined) => (numbered || APART.test(text) ? numberless(other) === numberless(line) : other?.text.trim() === text);
  return others.some((other) => other !== undefined && same(other));
}

function numberless(line: Line | undefined): string {
  return line?.text.trim().replace(/\d+|\s+/g, (part) => (part.trim() === "" ? " " : "0")) ?? "";
}

function goesOn(last: Line | null, next: Line): boolean {
  if (last === null || indentOf(last) !== indentOf(next) || SENTENCE_END.test(last.text.trimEnd())) return false;
  return /^\s*\p{Ll}/u.test(next.text) || last.text.trim().length >= WRAPPED_MIN_CHARS;
}

/** Lines from one form feed to the next; those beyond PAGE_MAX_LINES in pages without a head or foot. */
function* pagesOf(lines: Iterable<Line>): Generator<Page> {
  let held: Line[] = [];
  let [opens, whole] = [false, true];
  for (const line of lines) {
    const feeds = /^\s*\f/.test(line.text);
    if (feeds || held.length === PAGE_MAX_LINES || line.text.length > PAGE_LINE_MAX_CHARS) {
      if (held.length > 0) yield pageOf(held, opens, whole && feeds);
      [held, opens, whole] = [[], feeds, feeds];
    }
    held.push(line);
  }
  if (held.length > 0) yield pageOf(held, opens, whole && opens);
}

function pageOf(lines: Line[], opens: boolean, closes: boolean): Page {
  const alone = (at: number, inner: number) => {
    const [line, beside] = [lines[at], lines[inner]];
    const short = line !== undefined && line.text.length <= RUNNING_MAX_CHARS && /[\p{L}\p{N}]/u.test(line.text);
    return short && beside !== undefined && isBlank(beside) ? at : -1;
  };
  const [first, last] = [lines.findIndex((line) => !isBlank(line)), lines.findLastIndex((line) => !isBlank(line))];
  return { lines, head: opens && first < last ? alone(first, first + 1) : -1, foot: closes ? alone(last, last - 1) : -1 };
}

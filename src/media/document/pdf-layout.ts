/** How a PDF is set: its body, its headings, what stands on every page; and the paragraphs of a page by it. */
import { PDF_SURVEY_MAX_LINES } from "../../base/limits.ts";
import type { PdfLine } from "./pdf-lines.ts";
import type { Heading } from "./plain-layout.ts";

/** Lines at the top and at the foot of a page that may stand on every page, and the gap to the others, in heights of a line. */
const EDGE_LINES = 3;
const EDGE_MIN_GAP = 1.6;
/** A line stands on every page when it does, numbers apart, on so many, or, at its height, something does on this share of all. */
const RUNNING_MIN_PAGES = 3;
const RUNNING_MIN_SHARE = 0.4;
/** Lines further apart than this many times the usual distance begin a paragraph. */
const PARAGRAPH_MIN_GAP = 1.17;
/** A line this much larger than the body is a heading, as is a bold one that stands alone. */
const HEADING_MIN_SIZE = 1.12;
/** Sizes nearer to each other are one: a box of letters is as high as they are. */
const STYLE_MIN_STEP = 0.75;
const HEADING_MAX_CHARS = 200;
const HEADING_MAX_LINES = 3;
const BOLD_HEADING_MAX_CHARS = 100;
/** A document with more bold letters than this says nothing by them. */
const BOLD_MAX_SHARE = 0.3;
/** Widths of a letter as shares of its height: the indent of a first line, and a column of an indent. */
const INDENT_MIN = 0.7;
const INDENT_MAX = 3.5;
const COLUMN = 0.46;
/** A column further right than this share of the text's width has a margin of its own. */
const COLUMN_MIN_OFFSET = 0.25;
/** Lines of tables of contents and indexes end in dots and a page. */
const LEADERS = /(?:\s?\.){4,}\s*(?:\d+|[ivxlc]+)$/i;
const NUMBERED = /^(?:(?:chapter|appendix|part|section)\s+)?((?:\d{1,3}|[A-Z](?=[\s.]))(?:\.\d{1,3})*)\b\.?\s*\S/i;

/** What follows such a line and is indented goes on with it. */
const ITEM_MARK = /^(?:[-•‣◦▪–—∗*]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s/;

export interface PdfParagraph {
  lines: readonly PdfLine[];
  /** The left edge of the column that it stands in, in points. */
  margin: number;
  heading: Heading | null;
}

type Style = string;

/** Counts what is usual over all pages, then parts pages by it. */
export class PdfLayout {
  private readonly sizes = new Map<number, number>();
  private readonly gaps = new Map<number, number>();
  private readonly edges = new Map<string, number>();
  private readonly heights = new Map<number, number>();
  private readonly marked: PdfLine[] = [];
  private pages = 0;
  private chars = 0;
  private boldChars = 0;
  private seen = 0;

  /** Counts a page. Call it for each page before the first is parted. */
  survey(lines: readonly PdfLine[]): void {
    const shown = lines.filter(({ text }) => text !== "");
    if (shown.length === 0) return;
    this.pages += 1;
    for (const line of edgesOf(shown)) {
      add(this.edges, `${Math.round(line.y)} ${common(line.text)}`, 1);
      add(this.heights, Math.round(line.y), 1);
    }
    for (const [index, line] of shown.entries()) {
      this.chars += line.text.length;
      if (line.bold) this.boldChars += line.text.length;
      else add(this.sizes, half(line.size), line.text.length);
      const above = shown[index - 1];
      if (above !== undefined && above.endY > line.y && above.endY - line.y < line.size * 3) add(this.gaps, half(above.endY - line.y), 1);
      this.seen += 1;
      if (this.seen <= PDF_SURVEY_MAX_LINES && line.text.length <= HEADING_MAX_CHARS) this.marked.push(line);
    }
  }

  /** The paragraphs of a page in reading order, without running heads, page numbers and tables of contents. */
  paragraphs(lines: readonly PdfLine[]): PdfParagraph[] {
    const shown = lines.filter(({ text }) => text !== "");
    const edges = new Set(edgesOf(shown));
    const kept = shown.filter((line) => !(edges.has(line) && this.isRunning(line)) && !LEADERS.test(line.text));
    const left = leftOf(kept);
    const width = kept.reduce((most, line) => Math.max(most, line.right), left) - left;
    return columnsOf(kept).flatMap((column) => {
      const own = leftOf(column);
      const margin = own - left > width * COLUMN_MIN_OFFSET ? own : left;
      return this.parted(column).map((part, index, all) => ({ lines: part, margin, heading: this.headingOf(part, all[index + 1] ?? null) }));
    });
  }

  /** Columns of a line's indent. */
  indentOf({ left, size }: PdfLine, margin: number): number {
    return Math.max(0, Math.round((left - margin) / Math.max(1, (this.body || size) * COLUMN)));
  }

  /** The height of most letters. */
  private get body(): number {
    return mostFrequent(this.sizes) ?? 0;
  }

  private isRunning({ text, y }: PdfLine): boolean {
    const height = Math.round(y);
    const same = [-1, 0, 1].reduce((sum, off) => sum + (this.edges.get(`${height + off} ${common(text)}`) ?? 0), 0);
    const there = [-1, 0, 1].reduce((sum, off) => sum + (this.heights.get(height + off) ?? 0), 0);
    if (this.pages < RUNNING_MIN_PAGES) return false;
    return same >= RUNNING_MIN_PAGES || (there >= this.pages * RUNNING_MIN_SHARE && this.repeats(height));
  }

  /** Whether what stands at this height is, on some pages, the same: the first line of the body differs on each. */
  private repeats(height: number): boolean {
    for (const [key, pages] of this.edges) {
      if (pages >= RUNNING_MIN_PAGES && Math.abs(Number.parseInt(key, 10) - height) <= 1) return true;
    }
    return false;
  }

  private parted(column: readonly PdfLine[]): PdfLine[][] {
    const parts: PdfLine[][] = [];
    for (const [index, line] of column.entries()) {
      const above = column[index - 1];
      if (above === undefined || this.begins(above, line, column[index + 1])) parts.push([line]);
      else parts.at(-1)?.push(line);
    }
    return parts;
  }

  private begins(above: PdfLine, line: PdfLine, below: PdfLine | undefined): boolean {
    const gap = above.endY - line.y;
    const usual =
      Math.max(mostFrequent(this.gaps) ?? 0, 1) *
      (Math.max(above.size, line.size) > this.body * HEADING_MIN_SIZE ? line.size / (this.body || line.size) : 1);
    if (gap > usual * PARAGRAPH_MIN_GAP) return true;
    if (this.styleOf(above) !== this.styleOf(line) && (this.isMarked(above) || this.isMarked(line))) return true;
    const deeper = line.left - above.left;
    if (above.mono !== line.mono && deeper < line.size * INDENT_MIN) return true;
    const first = deeper >= line.size * INDENT_MIN && deeper <= line.size * INDENT_MAX;
    const hangs = ITEM_MARK.test(above.text) || above.bold || above.mono;
    return first && !hangs && below !== undefined && below.left < line.left - (line.size * INDENT_MIN) / 2;
  }

  private isMarked(line: PdfLine): boolean {
    return line.size >= this.body * HEADING_MIN_SIZE || (line.bold && this.boldCounts);
  }

  private get boldCounts(): boolean {
    return this.boldChars <= this.chars * BOLD_MAX_SHARE;
  }

  private styleOf({ size, bold }: PdfLine): Style {
    return `${half(size)}${bold ? "b" : ""}`;
  }

  private headingOf(lines: readonly PdfLine[], next: readonly PdfLine[] | null): Heading | null {
    const [first] = lines;
    const text = lines.map((line) => line.text).join(" ");
    if (first === undefined || lines.length > HEADING_MAX_LINES || text.length > HEADING_MAX_CHARS || !/\p{L}/u.test(text)) return null;
    if (first.mono || !lines.every((line) => this.isMarked(line) && this.styleOf(line) === this.styleOf(first))) return null;
    if (first.size < this.body * HEADING_MIN_SIZE) {
      const under = next?.[0];
      const isTerm = under !== undefined && under.left > first.left + first.size * INDENT_MIN;
      if (isTerm || text.length > BOLD_HEADING_MAX_CHARS || /[.,;!?]$/.test(text)) return null;
    }
    return { level: this.levelOf(first), text, lines: lines.length };
  }

  /** By its number; else as headings of its style with one; else by its size among all headings. */
  private levelOf(line: PdfLine): number {
    const levels = this.levels();
    return depthOf(line.text) ?? levels.get(this.styleOf(line)) ?? levels.size;
  }

  private known: Map<Style, number> | null = null;

  private levels(): Map<Style, number> {
    if (this.known !== null) return this.known;
    const styles = Map.groupBy(
      this.marked.filter((line) => this.isMarked(line) && !line.mono),
      (line) => this.styleOf(line),
    );
    const ordered = [...styles].sort(([, [one]], [, [two]]) => (two?.size ?? 0) - (one?.size ?? 0));
    this.known = new Map();
    let level = 0;
    let above: PdfLine | undefined;
    for (const [style, lines] of ordered) {
      const [first] = lines;
      const alike = above !== undefined && first !== undefined && above.bold === first.bold && above.size - first.size < STYLE_MIN_STEP;
      above = first;
      const depths = new Map<number, number>();
      for (const line of lines) {
        const depth = depthOf(line.text);
        if (depth !== null) add(depths, depth, 1);
      }
      level = mostFrequent(depths) ?? level + (alike || this.known.size === 0 ? 0 : 1);
      this.known.set(style, level);
    }
    return this.known;
  }
}

/** 0 for a chapter's number; null without one. */
function depthOf(text: string): number | null {
  const number = NUMBERED.exec(text)?.[1];
  return number === undefined ? null : number.split(".").length;
}

/** The lines at the top and at the foot that stand apart from the rest of the page, EDGE_LINES of each at most. */
function edgesOf(lines: readonly PdfLine[]): PdfLine[] {
  const sorted = lines.toSorted((one, two) => two.y - one.y);
  return [...apart(sorted), ...apart(sorted.toReversed())];
}

function apart(sorted: readonly PdfLine[]): PdfLine[] {
  for (let count = Math.min(EDGE_LINES, sorted.length - 1); count > 0; count -= 1) {
    const [last, next] = [sorted[count - 1], sorted[count]];
    if (last !== undefined && next !== undefined && Math.abs(last.y - next.y) > next.size * EDGE_MIN_GAP) return sorted.slice(0, count);
  }
  return sorted.length === 1 ? [...sorted] : [];
}

/** A line without what differs from page to page. */
function common(text: string): string {
  return text.toLowerCase().replace(/\d+|\b[ivxlc]+\b/g, "#");
}

/** Lines in columns: where one stands higher than the one before, another column begins. */
function columnsOf(lines: readonly PdfLine[]): PdfLine[][] {
  const columns: PdfLine[][] = [];
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above === undefined || line.y > above.endY + line.size / 2) columns.push([line]);
    else columns.at(-1)?.push(line);
  }
  return columns;
}

function leftOf(lines: readonly PdfLine[]): number {
  return lines.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY);
}

function half(points: number): number {
  return Math.round(points * 2) / 2;
}

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function mostFrequent(counts: ReadonlyMap<number, number>): number | null {
  let best: [number, number] | null = null;
  for (const [value, count] of counts) if (best === null || count > best[1]) best = [value, count];
  return best?.[0] ?? null;
}

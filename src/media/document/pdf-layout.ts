/** How a PDF is set: its body, its headings, what stands on every page; and the paragraphs of a page by it. */
import { PDF_SURVEY_MAX_LINES } from "../../base/limits.ts";
import type { PdfLine } from "./pdf-lines.ts";
import { bare, type Bookmark, Bookmarks } from "./pdf-outline.ts";
import { rowsOf, termsApart } from "./pdf-rows.ts";
import type { Heading } from "./plain-layout.ts";

/** Lines at the top and at the foot of a page that may stand on every page, and the gap to the others, in heights of a line. */
const EDGE_LINES = 3;
const EDGE_MIN_GAP = 1.6;
/** A line stands on every page when it does, numbers apart, on so many at its height; two, or the heading that it repeats, are enough where on this share of all pages something stands. */
const RUNNING_MIN_PAGES = 3;
const RUNNING_MIN_SHARE = 0.4;
/** A line this much larger than the body that is, number and all, on no other page is a chapter's heading ("Chapter 12"), as often as others like it stand at its height. */
const CHAPTER_MIN_SIZE = 1.3;
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
/** Widths as shares of a letter's height: the indent of a first line, a column of an indent, and a blank. */
const INDENT_MIN = 0.7;
const INDENT_MAX = 3.5;
const COLUMN = 0.46;
const BLANK = 0.25;
/** A definition is indented by so much below its term. */
const DEFINITION_MIN_INDENT = 4 * COLUMN;
/** A column further right than this share of the text's width has a margin of its own. */
const COLUMN_MIN_OFFSET = 0.25;
/** Lines of tables of contents and indexes end in dots and a page. */
const LEADERS = /(?:\s?\.){4,}\s*(?:\d+|[ivxlc]+)$/i;
const NUMBERED = /^(?:(?:chapter|appendix|part|section)\s+)?((?:\d{1,3}|[A-Z](?=[\s.]))(?:\.\d{1,3})*)\b\.?\s*\S/i;

/** Half of a heading's signs are in words: a formula's letters stand alone. */
const WORDS_MIN_SHARE = 0.5;
const WORDS = /\p{L}[\p{L}\p{M}]+/gu;
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*$/;

/** What follows such a line and is indented goes on with it. */
const ITEM_MARK = /^(?:[-•‣◦▪–—∗*]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s/;

export interface PdfParagraph {
  lines: readonly PdfLine[];
  /** The left edge of the column that it stands in, in points. */
  margin: number;
  heading: Heading | null;
}

type Style = string;

/** What headings are told by of a line that was surveyed. */
interface Surveyed extends Pick<PdfLine, "size" | "bold" | "mono"> {
  /** By its bookmark or number. */
  depth: number | null;
}

/** Counts what is usual over all pages, then parts pages by it. */
export class PdfLayout {
  private readonly sizes = new Map<number, number>();
  private readonly gaps = new Map<number, number>();
  private readonly edges = new Map<string, number>();
  /** How often a line stands at the edge of a page, number and all. */
  private readonly written = new Map<string, number>();
  private readonly heights = new Map<number, number>();
  private readonly marked: Surveyed[] = [];
  private readonly headings = new Set<string>();
  private readonly bookmarks: Bookmarks;
  private pages = 0;
  private chars = 0;
  private boldChars = 0;
  private seen = 0;

  /** `titled`: the file's properties have the document's title. */
  constructor(
    bookmarks: readonly Bookmark[],
    private readonly titled: boolean,
  ) {
    this.bookmarks = new Bookmarks(bookmarks);
    for (const { title } of bookmarks) this.headings.add(bare(title));
  }

  /** Counts the page at an index. Call it for each page before the first is parted. */
  survey(lines: readonly PdfLine[], page: number): void {
    const shown = rowsOf(lines.filter(({ text }) => text !== ""));
    if (shown.length === 0) return;
    this.pages += 1;
    for (const line of edgesOf(shown)) {
      add(this.edges, `${Math.round(line.y)} ${common(line.text)}`, 1);
      add(this.heights, Math.round(line.y), 1);
      add(this.written, line.text, 1);
    }
    for (const [index, line] of shown.entries()) {
      this.chars += line.text.length;
      if (line.bold) this.boldChars += line.text.length;
      else add(this.sizes, half(line.size), line.text.length);
      const above = shown[index - 1];
      if (above !== undefined && above.endY > line.y && above.endY - line.y < line.size * 3) add(this.gaps, half(above.endY - line.y), 1);
      this.seen += 1;
      if (this.seen > PDF_SURVEY_MAX_LINES || line.text.length > HEADING_MAX_CHARS) continue;
      const depth = this.bookmarks.depthOf(page, line.text, depthOf(line.text)) ?? depthOf(line.text);
      this.marked.push({ size: line.size, bold: line.bold, mono: line.mono, depth });
    }
  }

  /** The paragraphs of the page at an index in reading order, without running heads, page numbers and tables of contents. */
  paragraphs(lines: readonly PdfLine[], page: number): PdfParagraph[] {
    const shown = rowsOf(lines.filter(({ text }) => text !== ""));
    const edges = new Set(edgesOf(shown));
    const kept = shown.filter((line) => !(edges.has(line) && this.isRunning(line)) && !LEADERS.test(line.text));
    const left = leftOf(kept);
    const width = kept.reduce((most, line) => Math.max(most, line.right), left) - left;
    return columnsOf(kept).flatMap((column) => {
      const own = leftOf(column);
      const margin = own - left > width * COLUMN_MIN_OFFSET ? own : left;
      const parts = termsApart(this.parted(column), ({ text }) => ITEM_MARK.test(text));
      return parts.map((part, index) => ({ lines: part, margin, heading: this.headingOf(part, parts[index + 1] ?? null, page) }));
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

  private isRunning({ text, y, size }: PdfLine): boolean {
    if (size >= this.body * CHAPTER_MIN_SIZE && isWorded(text) && this.written.get(text) === 1) return false;
    const height = Math.round(y);
    const same = [-1, 0, 1].reduce((sum, off) => sum + (this.edges.get(`${height + off} ${common(text)}`) ?? 0), 0);
    const there = [-1, 0, 1].reduce((sum, off) => sum + (this.heights.get(height + off) ?? 0), 0);
    if (this.pages < RUNNING_MIN_PAGES) return false;
    if (same >= RUNNING_MIN_PAGES) return true;
    return there >= this.pages * RUNNING_MIN_SHARE && this.repeats(height) && (same > 1 || this.headings.has(bare(withoutPage(text))));
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
    const edge = column.reduce((most, { right }) => Math.max(most, right), 0);
    for (const [index, line] of column.entries()) {
      const part = parts.at(-1);
      if (part === undefined || this.begins(part, line, column[index + 1], edge)) parts.push([line]);
      else part.push(line);
    }
    return parts;
  }

  /** Whether a line begins a paragraph below an open one. `edge`: the right one of the column. */
  private begins(part: readonly PdfLine[], line: PdfLine, below: PdfLine | undefined, edge: number): boolean {
    const [first, above] = [part[0] as PdfLine, part.at(-1) as PdfLine];
    const gap = above.endY - line.y;
    const usual =
      Math.max(mostFrequent(this.gaps) ?? 0, 1) *
      (Math.max(above.size, line.size) > this.body * HEADING_MIN_SIZE ? line.size / (this.body || line.size) : 1);
    if (gap > usual * PARAGRAPH_MIN_GAP) return true;
    // Words of a sentence may be set in another font from one end of a line to the other.
    const inSentence = !SENTENCE_END.test(above.text) && isFull(above, line, edge);
    const indent = line.size * INDENT_MIN;
    const deeper = line.left - above.left;
    if (this.styleOf(above) !== this.styleOf(line) && (this.isMarked(above) || this.isMarked(line)))
      return !inSentence || half(above.size) !== half(line.size);
    if (above.mono !== line.mono && (line.mono || deeper < indent)) return !inSentence || first.mono;
    const item = ITEM_MARK.test(line.text);
    if (!line.mono && !item && part.length > 1 && -deeper >= indent && line.left < first.left + indent) return true;
    const leads = below !== undefined && !below.mono && below.left - line.left >= line.size * DEFINITION_MIN_INDENT && !isFull(line, below, edge);
    if (leads && !line.mono && !item && SENTENCE_END.test(above.text) && deeper < indent) return true;
    const begins = deeper >= indent && deeper <= line.size * INDENT_MAX;
    const hangs = ITEM_MARK.test(above.text) || above.bold || above.mono;
    return begins && !hangs && below !== undefined && below.left < line.left - indent / 2;
  }

  private isMarked(line: Pick<PdfLine, "size" | "bold">): boolean {
    return line.size >= this.body * HEADING_MIN_SIZE || (line.bold && this.boldCounts);
  }

  private get boldCounts(): boolean {
    return this.boldChars <= this.chars * BOLD_MAX_SHARE;
  }

  private styleOf({ size, bold }: Pick<PdfLine, "size" | "bold">): Style {
    return `${half(size)}${bold ? "b" : ""}`;
  }

  private headingOf(lines: readonly PdfLine[], next: readonly PdfLine[] | null, page: number): Heading | null {
    const [first] = lines;
    const text = lines.map((line) => line.text).join(" ");
    if (first === undefined || lines.length > HEADING_MAX_LINES || text.length > HEADING_MAX_CHARS) return null;
    const depth = this.bookmarks.depthOf(page, text, depthOf(text));
    if (depth !== null) return { level: depth, text, lines: lines.length };
    if (!isWorded(text)) return null;
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
    // What is larger than all that bookmarks name is the document's title, and where that is known, what stands beside it.
    const outermost = this.titled && !this.bookmarks.empty ? 1 : 0;
    const styles = Map.groupBy(
      this.marked.filter((line) => this.isMarked(line) && !line.mono),
      (line) => this.styleOf(line),
    );
    const ordered = [...styles].sort(([, [one]], [, [two]]) => (two?.size ?? 0) - (one?.size ?? 0));
    this.known = new Map();
    let level = outermost;
    let above: Surveyed | undefined;
    for (const [style, lines] of ordered) {
      const [first] = lines;
      const alike = above !== undefined && first !== undefined && above.bold === first.bold && above.size - first.size < STYLE_MIN_STEP;
      above = first;
      const depths = new Map<number, number>();
      for (const { depth } of lines) {
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

/** Whether a line ended because the first word of the next had no room in it. */
function isFull(line: PdfLine, next: PdfLine, edge: number): boolean {
  const [second] = next.words;
  const width = second === undefined ? next.right - next.left : second.left - second.gap - next.left;
  return line.right + width + line.size * BLANK > edge;
}

function isWorded(text: string): boolean {
  const letters = (text.match(WORDS) ?? []).join("").length;
  return letters >= text.replace(/[\s\d.]/g, "").length * WORDS_MIN_SHARE && letters > 0;
}

/** A running head without the number of its page. */
function withoutPage(text: string): string {
  return text.replace(/^\d+\s+|\s+\d+$/g, "");
}

/** The lines at the top and at the foot that stand apart from the rest of the page, EDGE_LINES of each at most. */
function edgesOf(lines: readonly PdfLine[]): PdfLine[] {
  const sorted = lines.toSorted((one, two) => two.y - one.y);
  return [...apart(sorted), ...apart(sorted.toReversed())];
}

function apart(sorted: readonly PdfLine[]): PdfLine[] {
  for (let count = Math.min(EDGE_LINES, sorted.length - 1); count > 0; count -= 1) {
    const [last, next] = [sorted[count - 1], sorted[count]];
    if (last !== undefined && next !== undefined && Math.abs(last.y - next.y) > Math.min(last.size, next.size) * EDGE_MIN_GAP)
      return sorted.slice(0, count);
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

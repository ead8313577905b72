/** The text layers of a PDF's pages in blocks under one outline. */
import type { Block, BlockKind } from "./blocks.ts";
import { BlockWriter, codeLines } from "./blocks.ts";
import type { Divisions } from "./pdf-divisions.ts";
import { LayoutReader, type LayoutWriter } from "./layout-reader.ts";
import type { Line } from "./lines.ts";
import type { PdfLayout, PdfParagraph } from "./pdf-layout.ts";
import type { PdfLine } from "./pdf-lines.ts";

/** A page of which the text layer is read: `page` is its index, `offset` where its text begins in all layers. */
export interface PdfSheet {
  page: number;
  lines: readonly PdfLine[];
  offset: number;
}

/** A paragraph that goes on overleaf stops before the end of its sentence, and goes on in lower case or behind a comma or hyphen. */
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*$/;
const GOES_ON = /[,\u2010-]$/;
/** Lines of one paragraph have letters of one size, in points. */
const SAME_SIZE = 0.75;
const DIVIDED = /\p{Ll}[-\u2010]$/u;

const BULLET = /^[•‣◦▪–—∗]\s*/;

/** Gives blocks their places in the layers of all pages. */
class PdfWriter extends BlockWriter implements LayoutWriter {
  heading(lines: readonly Line[], shown: string): void {
    this.place("heading", shown, lines);
  }

  override write(kind: BlockKind, lines: readonly Line[] | string): void {
    if (typeof lines === "string") super.write(kind, lines);
    else this.place(kind, textOf(kind, lines), lines);
  }

  private place(kind: BlockKind, text: string, lines: readonly Line[]): void {
    super.write(kind, text);
    this.locate(lines[0]?.start ?? 0);
  }
}

/** Reads the pages in order. */
export class PdfBlocks {
  private readonly writer: PdfWriter;
  /** The first paragraph of the next page went with the last one of this. */
  private carried = false;
  private readonly reader: LayoutReader;

  constructor(
    title: string | null,
    private readonly layout: PdfLayout,
    private readonly divisions: Divisions,
  ) {
    this.writer = new PdfWriter(title);
    this.reader = new LayoutReader(this.writer);
  }

  /** The path at this point. */
  get path(): readonly string[] {
    return this.writer.outline.path;
  }

  /** The blocks of a page. A paragraph that runs over its end into the `next` one belongs to it whole. */
  page({ lines, page, offset }: PdfSheet, next: PdfSheet | null): Block[] {
    const paragraphs = this.layout.paragraphs(lines, page).slice(this.carried ? 1 : 0);
    const made = paragraphs.map((paragraph) => this.lines(paragraph, offset));
    const overleaf = next === null ? undefined : this.layout.paragraphs(next.lines, next.page)[0];
    this.carried = runsOn(paragraphs.at(-1), overleaf);
    if (this.carried && overleaf !== undefined && next !== null) append(made.at(-1) ?? [], this.lines(overleaf, next.offset), this.divisions);
    for (const [index, paragraph] of made.entries()) this.reader.paragraph(paragraph, made[index + 1] ?? null, paragraphs[index]?.heading ?? null);
    return this.writer.take();
  }

  private lines({ lines, margin, heading }: PdfParagraph, offset: number): Line[] {
    const made = lines.map((line) => ({
      text: line.text.replace(BULLET, "- "),
      end: "\n",
      start: offset + line.start,
      number: 0,
      indent: this.layout.indentOf(line, margin),
      mono: line.mono,
    }));
    // A heading of several lines is one.
    const [first] = made;
    return heading === null || first === undefined ? made : [{ ...first, text: heading.text }];
  }
}

function runsOn(last: PdfParagraph | undefined, first: PdfParagraph | undefined): boolean {
  const [above, below] = [last?.lines.at(-1), first?.lines[0]];
  if (above === undefined || below === undefined || last?.heading !== null || first?.heading !== null) return false;
  if (above.mono || below.mono || Math.abs(above.size - below.size) > SAME_SIZE || SENTENCE_END.test(above.text)) return false;
  return /^\p{Ll}/u.test(below.text) || (GOES_ON.test(above.text) && /^\p{L}/u.test(below.text));
}

/** Adds the lines from overleaf; a word that a hyphen divides is whole again. */
function append(lines: Line[], more: readonly Line[], divisions: Divisions): void {
  const [last, first] = [lines.at(-1), more[0]];
  if (last === undefined || first === undefined) return;
  if (!DIVIDED.test(last.text) || !/^\p{Ll}/u.test(first.text)) lines.push(...more);
  else {
    const open = last.text.slice(0, -1);
    last.text = (divisions.joins(open, first.text) ? open : last.text) + first.text;
    lines.push(...more.slice(1));
  }
}

function textOf(kind: BlockKind, lines: readonly Line[]): string {
  if (kind === "term") return lines.map(({ text }) => text).join("\n");
  if (kind !== "code") return lines.map(({ text }) => text).join(" ");
  const margin = Math.min(...lines.map(({ indent }) => indent ?? 0));
  return codeLines(lines.map(({ text, indent }) => " ".repeat((indent ?? 0) - margin) + text).join("\n"));
}

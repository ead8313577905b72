/** The text layers of a PDF's pages in blocks under one outline. */
import type { Block, BlockKind } from "./blocks.ts";
import { BlockWriter, codeLines } from "./blocks.ts";
import { LayoutReader, type LayoutWriter } from "./layout-reader.ts";
import type { Line } from "./lines.ts";
import type { PdfLayout, PdfParagraph } from "./pdf-layout.ts";
import type { PdfLine } from "./pdf-lines.ts";

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
  private readonly reader: LayoutReader;

  constructor(
    title: string | null,
    private readonly layout: PdfLayout,
  ) {
    this.writer = new PdfWriter(title);
    this.reader = new LayoutReader(this.writer);
  }

  /** The path at this point. */
  get path(): readonly string[] {
    return this.writer.outline.path;
  }

  /** The blocks of a page, whose text begins at `offset` of all layers. */
  page(lines: readonly PdfLine[], offset: number): Block[] {
    const paragraphs = this.layout.paragraphs(lines);
    const made = paragraphs.map((paragraph) => this.lines(paragraph, offset));
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

function textOf(kind: BlockKind, lines: readonly Line[]): string {
  if (kind === "term") return lines.map(({ text }) => text).join("\n");
  if (kind !== "code") return lines.map(({ text }) => text).join(" ");
  const margin = Math.min(...lines.map(({ indent }) => indent ?? 0));
  return codeLines(lines.map(({ text, indent }) => " ".repeat((indent ?? 0) - margin) + text).join("\n"));
}

/** Plain text in blocks by its layout, each a slice of the file. */
import { BLOCK_MAX_CHARS, PATH_PART_MAX_CHARS } from "../../base/limits.ts";
import type { Block, BlockKind } from "./blocks.ts";
import { indentOf, isBlank, type Line, LineWriter, linesOf } from "./lines.ts";
import { headingOf, isItem, itemsOf, type Paragraph, termsOf } from "./plain-layout.ts";

/** Lines this much deeper than the text around them are code or syntax. */
const CODE_INDENT = 4;

/** A term that is open: what is indented deeper belongs to it. */
interface Term {
  indent: number;
  leave: number;
  /** The indent of its definition; null until it is known. */
  body: number | null;
}

export class PlainText {
  private readonly writer = new LineWriter();
  private readonly terms: Term[] = [];
  /** The indent of the text below the last heading; null until it is known. */
  private margin: number | null = null;
  private last: BlockKind | null = null;
  private prior: Paragraph | null = null;

  *read(pieces: Iterable<string>): Generator<Block> {
    let held: { blank: Line[]; paragraph: Line[] } | null = null;
    for (const next of paragraphsOf(linesOf(pieces))) {
      if (held !== null) this.paragraph(held.blank, held.paragraph, next.paragraph);
      yield* this.writer.take();
      held = next;
    }
    if (held !== null) this.paragraph(held.blank, held.paragraph, null);
    yield* this.writer.take();
  }

  private paragraph(blank: readonly Line[], paragraph: Paragraph, next: Paragraph | null): void {
    this.writer.skip(blank);
    const heading = headingOf(paragraph, next, this.prior);
    this.prior = paragraph;
    if (heading === null) this.body(paragraph, next);
    else {
      this.leaveTerms(-1);
      this.margin = null;
      this.last = null;
      this.writer.outline.heading(heading.level + 1, heading.text);
      const at = paragraph.slice(0, heading.lines).findIndex(({ text }) => text.includes(heading.text));
      this.writer.heading(paragraph.slice(Math.max(0, at), heading.lines), heading.text);
      if (paragraph.length > heading.lines) this.body(paragraph.slice(heading.lines), next);
    }
  }

  private body(paragraph: Paragraph, next: Paragraph | null): void {
    const indent = indentOf(paragraph[0]?.text ?? "");
    this.leaveTerms(indent);
    const terms = termsOf(paragraph, next);
    if (terms > 0) this.term(paragraph, terms, indent, next);
    else this.text(paragraph, indent);
  }

  private term(paragraph: Paragraph, count: number, indent: number, next: Paragraph | null): void {
    const lines = paragraph.slice(0, count);
    const names = lines.map(({ text }) => text.trim().replace(/\s+/g, " ")).join(", ");
    this.terms.push({ indent, leave: this.writer.outline.enter(names.slice(0, PATH_PART_MAX_CHARS)), body: null });
    this.writer.write("term", lines);
    this.last = "term";
    this.margin ??= indent;
    // What follows may begin with a term of its own.
    if (paragraph.length > count) this.body(paragraph.slice(count), next);
  }

  /** Ends the terms whose definitions lie deeper than `indent`. */
  private leaveTerms(indent: number): void {
    for (let last = this.terms.at(-1); last !== undefined && last.indent >= indent; last = this.terms.at(-1)) {
      this.writer.outline.leave(last.leave);
      this.terms.pop();
      this.last = null;
    }
  }

  private text(paragraph: Paragraph, indent: number): void {
    const around = this.around(indent);
    const items = itemsOf(paragraph);
    if (indent >= around + CODE_INDENT && !isItem(paragraph[0] as Line)) this.write("code", paragraph);
    else if (items === null) this.write("paragraph", paragraph);
    else
      for (const item of items)
        this.write(item === items[0] && !isItem(item[0] as Line) && items.length > 1 && isLead(item, items) ? "paragraph" : "list", item);
  }

  /** The indent of the text that a paragraph stands among. */
  private around(indent: number): number {
    const term = this.terms.at(-1);
    if (term !== undefined) {
      term.body ??= indent;
      return term.body;
    }
    this.margin ??= indent;
    if (indent < this.margin) this.margin = indent;
    return this.margin;
  }

  private write(kind: BlockKind, lines: Paragraph): void {
    const { last } = this;
    const joined = last === "term" || (last !== null && kind === "code") || (last === "paragraph" && kind === "list");
    const opens = !joined && !(kind === "list" && last === "list");
    this.writer.write(kind, lines, { joined, opens });
    this.last = kind;
  }
}

/** The first lines of a paragraph whose other parts are items. */
function isLead(part: Paragraph, parts: readonly Paragraph[]): boolean {
  return part === parts[0] && parts.slice(1).every(([first]) => first !== undefined && isItem(first));
}

/** Lines without a blank one between them, with the blank lines above; a paragraph beyond BLOCK_MAX_CHARS in several. */
function* paragraphsOf(lines: Iterable<Line>): Generator<{ blank: Line[]; paragraph: Line[] }> {
  let held = { blank: [] as Line[], paragraph: [] as Line[] };
  let chars = 0;
  for (const line of lines) {
    if (isBlank(line) ? held.paragraph.length > 0 : chars > BLOCK_MAX_CHARS) {
      yield held;
      held = { blank: [], paragraph: [] };
      chars = 0;
    }
    if (isBlank(line)) {
      // Of many blank lines a few tell as much.
      if (held.blank.length < 1_000) held.blank.push(line);
    } else {
      held.paragraph.push(line);
      chars += line.text.length;
    }
  }
  if (held.paragraph.length > 0) yield held;
}

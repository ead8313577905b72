/** Paragraphs in blocks by their layout: terms above what is indented deeper, items, code. */
import { PATH_PART_MAX_CHARS } from "../../base/limits.ts";
import { alignedTable } from "./aligned-table.ts";
import type { BlockKind, Outline } from "./blocks.ts";
import { columnsOf, indentOf, type Line } from "./lines.ts";
import { type OptionEntry, optionsOf } from "./options.ts";
import { rowLine } from "./tables.ts";
import { type Columns, type Heading, inlineTermOf, isItem, itemsOf, type Paragraph, termsOf } from "./plain-layout.ts";

/** What the blocks are given to. */
export interface LayoutWriter {
  readonly outline: Outline;
  /** `shown`: the heading's text, which is part of the lines. */
  heading(lines: readonly Line[], shown: string): void;
  /** `opens`: it begins a group. `joined`: as in Block. */
  write(kind: BlockKind, lines: readonly Line[], options: { opens: boolean; joined: boolean }): void;
  /** A row of a table that stands on these lines; absent where tables are not told by blanks. */
  row?(text: string, lines: readonly Line[]): void;
}

/** Lines this much deeper than the text around them are code or syntax, where nothing is known of their letters. */
const CODE_INDENT = 4;

const TABLE_MIN_LINES = 3;

/** A term that is open: what is indented deeper belongs to it. */
interface Term {
  indent: number;
  leave: number;
  /** The indent of its definition; null until it is known. */
  body: number | null;
}

export class LayoutReader {
  private readonly terms: Term[] = [];
  /** The indent of the text below the last heading; null until it is known. */
  private margin: number | null = null;
  /** Where definitions have stood below the last heading. */
  private readonly columns: Columns = { below: null, beside: null };
  private last: BlockKind | null = null;

  /** `level`: that of the outermost headings, in the outline. */
  constructor(
    private readonly writer: LayoutWriter,
    private readonly level = 1,
  ) {}

  /** Ends what is open: nothing that follows belongs to it. */
  end(): void {
    this.leaveTerms(-1);
  }

  /** `heading`: what the paragraph is or begins with; `next`: the paragraph below, null at the end. */
  paragraph(paragraph: Paragraph, next: Paragraph | null, heading: Heading | null): void {
    if (heading === null) {
      this.body(paragraph, next);
      return;
    }
    this.leaveTerms(-1);
    this.margin = null;
    this.columns.below = null;
    this.columns.beside = null;
    this.last = null;
    this.writer.outline.heading(heading.level + this.level, heading.text);
    const at = paragraph.slice(0, heading.lines).findIndex(({ text }) => text.includes(heading.text));
    this.writer.heading(paragraph.slice(Math.max(0, at), heading.lines), heading.text);
    if (paragraph.length > heading.lines) this.body(paragraph.slice(heading.lines), next);
  }

  private body(paragraph: Paragraph, next: Paragraph | null): void {
    const indent = indentOf(paragraph[0]);
    this.leaveTerms(indent);
    const options = optionsOf(paragraph);
    if (options !== null) {
      if (options.lead.length > 0) this.body(options.lead, null);
      this.options(options.entries);
      return;
    }
    const inline = inlineTermOf(paragraph, next, this.columns);
    if (inline !== null) {
      this.margin ??= indent;
      this.columns.beside = inline.column;
      this.terms.push({ indent, leave: this.writer.outline.enter(inline.term), body: inline.column });
      this.write("paragraph", paragraph);
      return;
    }
    const terms = isMono(paragraph) && isMono(next ?? paragraph) ? 0 : termsOf(paragraph, next);
    // Code below a line of its own is what the line leads to.
    const leads = terms === paragraph.length && next !== null && isMono(next);
    if (terms > 0 && !leads) this.term(paragraph, terms, indent, next);
    else this.text(paragraph, indent);
  }

  private options(entries: readonly OptionEntry[]): void {
    const indent = Math.min(...entries.map(({ lines }) => indentOf(lines[0])));
    this.margin ??= indent;
    for (const { lines, term, column } of entries) {
      this.leaveTerms(indent);
      this.terms.push({ indent, leave: this.writer.outline.enter(term), body: column });
      if (column !== null) this.columns.beside = column;
      if (column !== null || lines.length === 1) this.write("paragraph", lines);
      else {
        this.writer.write("term", lines.slice(0, 1), { opens: true, joined: false });
        this.last = "term";
        this.text(lines.slice(1), indentOf(lines[1]));
      }
    }
  }

  private term(paragraph: Paragraph, count: number, indent: number, next: Paragraph | null): void {
    const lines = paragraph.slice(0, count);
    const names = lines.map(({ text }) => text.trim().replace(/\s+/g, " ")).join(", ");
    this.terms.push({ indent, leave: this.writer.outline.enter(names.slice(0, PATH_PART_MAX_CHARS)), body: null });
    this.writer.write("term", lines, { opens: true, joined: false });
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
    if (this.table(paragraph)) return;
    const items = itemsOf(paragraph);
    const known = paragraph[0]?.mono !== undefined;
    const code = known ? isMono(paragraph) : indent >= around + CODE_INDENT && !isItem(paragraph[0] as Line);
    if (code) this.write("code", paragraph);
    else if (items === null) this.write("paragraph", paragraph);
    else for (const [at, item] of items.entries()) this.write(at === 0 && opensList(items) ? "paragraph" : "list", item);
  }

  /** Whether the paragraph is a table in columns with headers, which is then written. */
  private table(paragraph: Paragraph): boolean {
    const table = this.writer.row === undefined || paragraph.length < TABLE_MIN_LINES ? null : alignedTable(paragraph.map(columnsOf));
    if (table === null || table.headers.length === 0) return false;
    for (const { values, first, last } of table.rows) this.writer.row?.(rowLine(values, table.headers), paragraph.slice(first, last + 1));
    this.last = "row";
    return true;
  }

  /** The indent of the text that a paragraph stands among. */
  private around(indent: number): number {
    const term = this.terms.at(-1);
    if (term !== undefined) {
      if (term.body === null) this.columns.below = indent;
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

/** Whether all lines are known to be set in letters of one width. */
function isMono(paragraph: Paragraph): boolean {
  return paragraph.every(({ mono }) => mono === true);
}

/** Whether the first part of a paragraph is what opens the list that its other parts are. */
function opensList([first, ...others]: readonly Paragraph[]): boolean {
  return others.length > 0 && !isItem(first?.[0] as Line) && others.every(([line]) => line !== undefined && isItem(line));
}

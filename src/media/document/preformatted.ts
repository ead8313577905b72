/** Preformatted text of a page: code, or what is laid out by blanks, as manual pages, lists of options and tables are. */
import { DIVIDED_WORD } from "../../text/letters.ts";
import type { BlockKind } from "./blocks.ts";
import { type BlockWriter, codeLines } from "./blocks.ts";
import { alignedTable } from "./aligned-table.ts";
import { LayoutReader, type LayoutWriter } from "./layout-reader.ts";
import { columnsOf, indentOf, isBlank, type Line, linesOf } from "./lines.ts";
import { PlainHeadings } from "./plain-headings.ts";
import type { Paragraph } from "./plain-layout.ts";
import { rowLine } from "./tables.ts";

/** Headings inside stand below those of the page. */
const HEADING_LEVEL = 8;
/** A line of prose has so many words, and so few other signs. */
const PROSE_MIN_WORDS = 4;
const PROSE_MIN_SHARE = 0.75;
const WORD_MAX_CHARS = 40;
/** Of all lines but terms and headings, so many are prose in a text that is laid out. */
const PROSE_LINES_MIN_SHARE = 0.6;
/** Of terms with definitions, or paragraphs of several lines. */
const PARTS_MIN = 2;
const PARAGRAPH_MIN_WORDS = 8;
const WORD = /^["'(“‘[]*\p{L}[\p{L}'’\-/]*[)"'.,;:!?’”\]]*$/u;
const OPTION = /^\s*(?:-{1,2}|\+)[\w?#][^\s,]*(?:,? |$)/;
/** What begins a line of code, or ends one. */
const CODE = /^\s*(?:[$#%>]\s|\/\/|\/\*|<)|[{};\\]\s*$/;

/** Reads the pieces of one element. */
export class Preformatted {
  private readonly reader: LayoutReader;
  private readonly writer: PageWriter;
  private readonly headings = new PlainHeadings();
  /** Null until the first piece has told. */
  private laidOut: boolean | null = null;
  /** What is open around the element. */
  private readonly mark: number;

  constructor(private readonly page: BlockWriter) {
    this.mark = page.outline.mark;
    this.writer = new PageWriter(page);
    this.reader = new LayoutReader(this.writer, HEADING_LEVEL);
  }

  /** Writes a piece that ends with a line. `continues`: it goes on with the one before. */
  write(text: string, continues: boolean): void {
    const paragraphs = paragraphsOf(text);
    this.laidOut ??= isLaidOut(paragraphs);
    this.writer.learn(text);
    if (this.laidOut) this.lay(paragraphs);
    else this.code(text, paragraphs, continues);
  }

  /** Ends the terms and headings that are open inside. */
  end(): null {
    this.reader.end();
    this.page.outline.leave(this.mark);
    return null;
  }

  private lay(paragraphs: readonly Paragraph[]): void {
    for (const [index, paragraph] of paragraphs.entries()) {
      const next = paragraphs[index + 1] ?? null;
      const table = tableOf(paragraph);
      if (table === null) this.reader.paragraph(paragraph, next, this.headings.of(paragraph, next, paragraphs[index - 1] ?? null));
      else this.rows(table);
    }
  }

  private code(text: string, paragraphs: readonly Paragraph[], continues: boolean): void {
    const table = paragraphs.length === 1 && !continues ? tableOf(paragraphs[0] ?? []) : null;
    if (table === null) this.page.write("code", codeLines(continues ? text : unindented(text.split("\n"))), { continues });
    else this.rows(table);
  }

  private rows(rows: readonly string[]): void {
    this.page.part();
    for (const row of rows) this.page.write("row", row);
    this.page.part();
  }
}

/** The rows of a table in columns; without headers only one of names and what they mean. */
function tableOf(paragraph: Paragraph): string[] | null {
  const table = alignedTable(paragraph.map(columnsOf));
  if (table === null) return null;
  const explains = table.rows.every(({ values }) => /^[\p{L}("'].* \p{L}/u.test(values.at(-1) ?? ""));
  if (table.headers.length === 0 && (!explains || paragraph.some(({ text }) => OPTION.test(text) || CODE.test(text)))) return null;
  return table.rows.map(({ values }) => rowLine(values, table.headers));
}

/** Whether a text is prose in paragraphs, or terms with prose below or beside them, rather than code. */
function isLaidOut(paragraphs: readonly Paragraph[]): boolean {
  const lines = paragraphs.flat();
  if (lines.length < 2) return false;
  const terms = lines.filter((line, at) => OPTION.test(line.text) && (isProse(behindGap(line)) || isDefinition(lines[at + 1], line))).length;
  const long = paragraphs.filter(
    (paragraph) => paragraph.length > 1 && wordsIn(paragraph[0]) >= PARAGRAPH_MIN_WORDS && isProse(paragraph[0]?.text ?? ""),
  );
  const others = lines.filter(({ text }) => !OPTION.test(text) && text !== text.toUpperCase());
  const prose = others.filter(({ text }) => isProse(text)).length;
  return (terms >= PARTS_MIN || long.length >= PARTS_MIN) && prose >= others.length * PROSE_LINES_MIN_SHARE;
}

/** What stands behind a term on its line. */
function behindGap(line: Line): string {
  return /\S\s{2,}(\S.*)$/.exec(columnsOf(line))?.[1] ?? "";
}

function isDefinition(line: Line | undefined, term: Line): boolean {
  return line !== undefined && indentOf(line) > indentOf(term) && isProse(line.text);
}

function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return (
    words.length >= PROSE_MIN_WORDS &&
    !CODE.test(text) &&
    words.filter((word) => word.length <= WORD_MAX_CHARS && WORD.test(word)).length >= words.length * PROSE_MIN_SHARE
  );
}

function wordsIn(line: Line | undefined): number {
  return line?.text.match(/\S+/g)?.length ?? 0;
}

function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Line[][] = [[]];
  for (const line of linesOf([text])) {
    if (!isBlank(line)) paragraphs.at(-1)?.push(line);
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([]);
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

/** Writes lines as the blocks of a page, whose text is not that of its lines. */
class PageWriter implements LayoutWriter {
  /** Words with a hyphen that stand on one line somewhere: at the end of a line the hyphen is theirs. */
  private readonly compounds = new Set<string>();

  constructor(private readonly page: BlockWriter) {}

  get outline() {
    return this.page.outline;
  }

  learn(text: string): void {
    for (const [compound] of text.matchAll(/\p{L}+-\p{L}+/gu)) this.compounds.add(compound.toLowerCase());
  }

  heading(_: readonly Line[], shown: string): void {
    this.page.write("heading", shown);
  }

  write(kind: BlockKind, lines: readonly Line[]): void {
    const texts = lines.map(({ text }) => text);
    if (kind === "term") this.page.write(kind, texts.map((text) => text.trim().replace(/\s+/g, " ")).join("\n"));
    else if (kind === "code") this.page.write(kind, codeLines(unindented(texts)));
    else this.page.write(kind, this.joined(texts));
  }

  /** Lines of prose as one, words that a hyphen divides whole again. */
  private joined(lines: readonly string[]): string {
    return lines
      .join("\n")
      .replace(DIVIDED_WORD, "")
      .replace(/(?<![\p{L}\p{N}_./-])(\p{L}+)-\n\s*(\p{Ll}+)/gu, (_, head: string, tail: string) => {
        const compound = `${head}-${tail}`;
        return this.compounds.has(compound.toLowerCase()) ? compound : head + tail;
      })
      .replace(/\s+/g, " ")
      .trim();
  }
}

function unindented(lines: readonly string[]): string {
  const margin = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(margin)).join("\n");
}

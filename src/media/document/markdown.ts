/** Markdown in blocks, each a slice of the file as it is written, but for the rows of tables. */
import { BLOCK_MAX_CHARS, PATH_PART_MAX_CHARS } from "../../base/limits.ts";
import { type Block, type BlockKind, headingText } from "./blocks.ts";
import { isBlank, type Line, LineWriter, linesOf } from "./lines.ts";
import { type Cell, TableRows } from "./tables.ts";
import { pageTitle } from "./titles.ts";

const ATX = /^ {0,3}(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^[ \t]*(?:[-*+>][ \t]+)?(```+|~~~+)/;
const UNDERLINE = /^ {0,3}(?:=+|-{3,})[ \t]*$/;
/** Lines of an underlined heading. */
const UNDERLINED_MAX_LINES = 3;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?=\S)|$)/;
const QUOTE = /^ {0,3}>/;
const INDENTED = /^(?: {4}|\t)/;
/** The line under a table's header. */
const DELIMITERS = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$/;
const DEFINITION = /^ {0,3}:[ \t]+\S/;
/** A paragraph that is one bold line stands for a heading. */
const BOLD_LINE = /^ {0,3}(\*\*|__)(?!\s)((?:(?!\1).){1,120})\1[ \t]*:?[ \t]*$/;
/** Below those of the six levels. */
const BOLD_LEVEL = 7;
/** Front matter; found only if it lies within the first piece of the file. */
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const FRONT_TITLE = /^title:[ \t]*["']?(.+?)["']?[ \t]*$/m;

type State = "none" | "paragraph" | "item" | "code" | "table" | "definition";

/** Reads a Markdown file line by line. */
export class Markdown {
  /** From the front matter, else the first heading of the first level. */
  title: string | null = null;
  /** What was left out, for people. */
  readonly notes: string[] = [];
  private readonly writer = new LineWriter();
  /** The lines of the block that is being read, and what it is. */
  private held: Line[] = [];
  private heldChars = 0;
  private state: State = "none";
  private fence: string | null = null;
  private table = new TableRows();
  /** Ends the term in the outline. */
  private term: number | null = null;
  /** What the last written block was, for what belongs to it; null behind a heading. */
  private last: BlockKind | null = null;
  private inList = false;
  private continues = false;

  *read(pieces: Iterable<string>): Generator<Block> {
    for (const line of linesOf(withoutFrontMatter(pieces, (title) => this.take(title)))) {
      this.line(line);
      yield* this.writer.take();
    }
    this.end();
    yield* this.writer.take();
  }

  private take(title: string): void {
    this.title = title;
    this.writer.outline.retitle(title);
  }

  private line(line: Line): void {
    const fence = FENCE.exec(line.text)?.[1];
    if (this.fence !== null) {
      this.hold(line);
      if (fence?.startsWith(this.fence) === true && line.text.trim() === fence) {
        this.fence = null;
        this.end();
      }
    } else if (isBlank(line)) this.blank(line);
    else if (fence !== undefined && !ITEM.test(line.text)) {
      this.begin("code", line);
      this.fence = fence;
    } else if (!this.heading(line)) this.text(line);
  }

  private blank(line: Line): void {
    if (this.state === "code") {
      this.hold(line);
      return;
    }
    this.end();
    this.writer.skip([line]);
  }

  /** Whether the line is a heading, underlines one, or is a rule. */
  private heading(line: Line): boolean {
    const [, marks = "", title = ""] = ATX.exec(line.text) ?? [];
    if (title !== "" && title.length <= PATH_PART_MAX_CHARS) {
      this.end();
      this.writeHeading(marks.length, title, [line]);
      return true;
    }
    const above = this.state === "paragraph" && UNDERLINE.test(line.text) ? this.heldText() : null;
    if (above !== null) {
      this.state = "none";
      this.writeHeading(line.text.includes("=") ? 1 : 2, above, [...this.held.splice(0), line]);
      return true;
    }
    if (!RULE.test(line.text) || this.state === "code") return false;
    this.end();
    this.writer.skip([line]);
    this.inList = false;
    return true;
  }

  /** What is held as a heading's text; null when it is longer. */
  private heldText(): string | null {
    if (this.held.length > UNDERLINED_MAX_LINES) return null;
    const text = this.held.map((line) => line.text.trim()).join(" ");
    return text.length <= PATH_PART_MAX_CHARS ? text : null;
  }

  private text(line: Line): void {
    const { text } = line;
    const [first] = this.held;
    if (this.state === "table") this.row(line);
    else if (this.state === "paragraph" && this.held.length === 1 && first !== undefined && text.includes("|") && DELIMITERS.test(text))
      this.openTable(first, line);
    else if (ITEM.test(text) && !(INDENTED.test(text) && !this.inList)) this.begin("item", line);
    else if (DEFINITION.test(text) && (this.state === "paragraph" || this.term !== null)) this.definition(line);
    else if (INDENTED.test(text) && this.state === "none" && !this.inList && this.term === null) this.begin("code", line);
    else if (this.state === "code" && !INDENTED.test(text)) this.begin("paragraph", line);
    else if (this.state === "none") this.begin(this.inList && /^\s/.test(text) ? "item" : "paragraph", line);
    else if (this.state === "paragraph" && QUOTE.test(text) !== QUOTE.test(first?.text ?? "")) this.begin("paragraph", line);
    else this.hold(line);
  }

  /** Ends what is held and begins a block with this line. */
  private begin(state: State, line: Line): void {
    this.end();
    this.state = state;
    if (state === "paragraph") this.inList = false;
    if (state === "item") this.inList = true;
    if (state === "paragraph" && !/^\s/.test(line.text)) this.leaveTerm();
    this.hold(line);
  }

  private hold(line: Line): void {
    if (this.heldChars > BLOCK_MAX_CHARS) this.flush(true);
    this.held.push(line);
    this.heldChars += line.text.length + line.end.length;
  }

  /** Writes what is held. */
  private end(): void {
    const [only] = this.held;
    const bold = this.state === "paragraph" && this.held.length === 1 && !this.continues ? BOLD_LINE.exec(only?.text ?? "")?.[2] : undefined;
    if (this.state === "table") this.closeTable();
    else if (bold !== undefined) this.writeHeading(BOLD_LEVEL, bold, this.held.splice(0));
    else this.flush(false);
    this.state = "none";
    this.continues = false;
  }

  /** `goesOn`: more of the block follows. */
  private flush(goesOn: boolean): void {
    const lines = this.held.splice(0);
    this.heldChars = 0;
    if (lines.length === 0) return;
    const kind: BlockKind = this.state === "item" ? "list" : this.state === "code" ? "code" : "paragraph";
    const leads = this.last === "paragraph" || this.last === "term";
    const marked = kind !== "list" || ITEM.test(lines[0]?.text ?? "");
    const joined = this.continues || this.last === "term" || (kind === "list" && (leads || !marked)) || (kind === "code" && this.last !== null);
    const opens = !joined && !(kind === "list" && this.last === "list");
    this.writer.write(kind, lines, { joined, opens });
    this.last = kind;
    this.continues = goesOn;
  }

  private writeHeading(level: number, marked: string, lines: readonly Line[]): void {
    const title = plain(marked);
    const { outline } = this.writer;
    this.leaveTerm();
    this.inList = false;
    this.last = null;
    this.heldChars = 0;
    if (title === "") {
      this.writer.skip(lines);
      return;
    }
    const shared = level === 1 && this.title !== null ? pageTitle(this.title, title) : null;
    if (shared !== null) outline.retitle(shared);
    else outline.heading(level, title);
    if (level === 1) this.title ??= headingText(title);
    this.writer.heading(lines, marked);
  }

  /** A definition, and the paragraph above it as its term. */
  private definition(line: Line): void {
    if (this.state === "paragraph") {
      const terms = this.held.splice(0);
      this.leaveTerm();
      this.term = this.writer.outline.enter(plain(terms.map(({ text }) => text.trim()).join(", ")));
      this.writer.write("term", terms);
      this.last = "term";
    } else this.flush(false);
    this.state = "definition";
    this.heldChars = 0;
    this.hold(line);
  }

  private leaveTerm(): void {
    if (this.term !== null) this.writer.outline.leave(this.term);
    this.term = null;
  }

  private openTable(header: Line, delimiters: Line): void {
    this.held = [];
    this.table = new TableRows();
    this.table.add(cellsOf(header.text, true), true);
    this.writer.skip([header, delimiters]);
    this.writer.outline.renew();
    this.state = "table";
  }

  private row(line: Line): void {
    if (!line.text.includes("|")) {
      this.begin("paragraph", line);
      return;
    }
    const text = this.table.add(cellsOf(line.text, false), false);
    if (text !== null) this.writer.row(text, [line]);
  }

  private closeTable(): void {
    this.notes.push(...this.table.notes());
    this.writer.outline.renew();
    this.last = null;
  }
}

/** The cells of a row, as they are written but for marks of emphasis around the whole of one. */
function cellsOf(line: string, header: boolean): Cell[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  const cells = inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  return cells.map((text) => ({ text, header, columns: 1, rows: 1 }));
}

/** A heading without the marks of emphasis, code and links. */
function plain(heading: string): string {
  const bare = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]|(?<!\w)_|_(?!\w)/g, "");
  return bare.replace(/\s+/g, " ").trim().toWellFormed();
}

/** The pieces with blanks in place of front matter, so that offsets and lines stay those of the file. `tell` gets its title, if it has one. */
export function* withoutFrontMatter(pieces: Iterable<string>, tell: (title: string) => void): Generator<string> {
  let first = true;
  for (const piece of pieces) {
    const matter = first ? FRONT_MATTER.exec(piece) : null;
    first = false;
    if (matter === null) {
      yield piece;
      continue;
    }
    const title = FRONT_TITLE.exec(matter[1] ?? "")?.[1];
    const shown = headingText(plain(title ?? ""));
    if (shown !== null) tell(shown);
    yield matter[0].replace(/[^\r\n]/g, " ") + piece.slice(matter[0].length);
  }
}

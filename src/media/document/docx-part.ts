/** One part of a WordprocessingML document (its body, its notes) in blocks. */
import { BLOCK_MAX_CHARS, LIST_MAX_DEPTH, PATH_PART_MAX_CHARS, TABLE_MAX_COLUMNS } from "../../base/limits.ts";
import { type BlockKind, type BlockWriter, codeLines } from "./blocks.ts";
import { type DocxStyles, type ListPlace, namedRole, outlineLevel, type StyleRole } from "./docx-styles.ts";
import { count } from "./html-elements.ts";
import type { MarkupHandler } from "./markup.ts";
import { TableBlocks } from "./table-blocks.ts";

/** Elements whose text is not part of the document: fallback copies of drawings, and what tracked changes removed. */
const SKIPPED: ReadonlySet<string> = new Set(["mc:Fallback", "w:del", "w:moveFrom"]);

type Attributes = Readonly<Record<string, string>>;

interface Paragraph {
  text: string;
  role: StyleRole | null;
  place: ListPlace | null;
  /** It goes on with what was written of it. */
  continues: boolean;
}

const empty = (): Paragraph => ({ text: "", role: null, place: null, continues: false });

export class PartReader implements MarkupHandler {
  private paragraph = empty();
  /** The table that is open; those inside it are written as text of its cells. */
  private table: TableBlocks | null = null;
  private tables = 0;
  /** The cell continues the one above it. */
  private cell = { columns: 1, continued: false, opened: false };
  private headRow = false;
  private firstRowIsHead = false;
  private rows = 0;
  private caption: string | null = null;
  private captionEntered: number | null = null;
  /** By list, the number of the next item of each level. */
  private readonly numbers = new Map<string, number[]>();
  private inText = false;
  private hiddenRun = false;
  /** Depth inside a skipped element. */
  private skipped = 0;

  constructor(
    private readonly writer: BlockWriter,
    private readonly styles: DocxStyles,
    private readonly notes: string[],
  ) {}

  open(name: string, attributes: Attributes): void {
    if (this.skipped > 0 || SKIPPED.has(name) || isSeparator(name, attributes)) {
      this.skipped += 1;
      return;
    }
    if (name === "w:tbl") this.openTable();
    else if (this.table !== null && this.tables === 1 && /^w:(?:tr|tc|tblLook|tblHeader|gridSpan|vMerge)$/.test(name)) this.inTable(name, attributes);
    else this.inParagraph(name, attributes);
  }

  close(name: string): void {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (name === "w:t" || name === "m:t") this.inText = false;
    else if (name === "w:p") this.closeParagraph();
    else if (name === "w:tr" && this.tables === 1) this.closeRow();
    else if (name === "w:tbl") this.closeTable();
  }

  text(data: string): void {
    if (this.inText && this.skipped === 0 && !this.hiddenRun) this.append(data);
  }

  /** Writes what is still held. */
  end(): void {
    this.closeParagraph();
    this.writeCaption();
  }

  private append(data: string): void {
    const { paragraph } = this;
    paragraph.text += paragraph.role?.role === "code" ? data : data.replace(/\s+/g, " ");
    if (paragraph.text.length <= BLOCK_MAX_CHARS) return;
    const border = Math.max(paragraph.text.lastIndexOf(" "), BLOCK_MAX_CHARS / 2);
    const rest = paragraph.text.slice(border);
    paragraph.text = paragraph.text.slice(0, border);
    const { role, place } = paragraph;
    this.closeParagraph();
    this.paragraph = { text: rest.trimStart(), role: role?.role === "code" ? role : null, place, continues: true };
  }

  private openTable(): void {
    this.tables += 1;
    if (this.tables > 1) return;
    this.table = new TableBlocks((kind, text) => this.writer.write(kind, text));
    this.rows = 0;
    this.firstRowIsHead = false;
    if (this.caption !== null) this.captionEntered = this.writer.outline.enter(this.caption);
    this.caption = null;
  }

  private inTable(name: string, attributes: Attributes): void {
    if (name === "w:tblLook") this.firstRowIsHead = attributes["w:firstRow"] === "1";
    else if (name === "w:tr") this.headRow = this.firstRowIsHead && this.rows === 0;
    else if (name === "w:tblHeader") this.headRow = !/^(?:0|false|off)$/.test(attributes["w:val"] ?? "");
    else if (name === "w:tc") this.cell = { columns: 1, continued: false, opened: false };
    else if (name === "w:gridSpan") this.cell.columns = count(attributes["w:val"], TABLE_MAX_COLUMNS);
    else if (name === "w:vMerge") this.cell.continued = attributes["w:val"] !== "restart";
  }

  /** Tells the table of the cell once its properties are read: with its first paragraph. */
  private openCell(): void {
    if (this.table === null || this.cell.opened) return;
    this.cell.opened = true;
    this.table.openCell({ header: this.headRow, columns: this.cell.columns, rows: 1, continued: this.cell.continued });
  }

  private closeRow(): void {
    if (this.table === null) return;
    this.table.inHead = this.headRow;
    this.table.closeRow();
    this.rows += 1;
  }

  private closeTable(): void {
    this.tables -= 1;
    if (this.tables > 0 || this.table === null) return;
    this.table.closeRow();
    this.notes.push(...this.table.close());
    this.table = null;
    if (this.captionEntered !== null) this.writer.outline.leave(this.captionEntered);
    this.captionEntered = null;
    this.writer.part();
  }

  /** Elements inside a paragraph. */
  private inParagraph(name: string, attributes: Attributes): void {
    const value = attributes["w:val"] ?? "";
    const { paragraph } = this;
    if (name === "w:t" || name === "m:t") this.inText = true;
    else if (name === "w:r") this.hiddenRun = false;
    else if (name === "w:vanish") this.hiddenRun = !/^(?:0|false|off)$/.test(value);
    else if (name === "w:pStyle") {
      paragraph.role = this.styles.roles.get(value) ?? namedRole(value);
      paragraph.place ??= this.styles.styleLists.get(value) ?? null;
    } else if (name === "w:outlineLvl") {
      const level = outlineLevel(attributes);
      if (level !== null) paragraph.role = { role: "heading", level };
    } else if (name === "w:ilvl") paragraph.place = { list: paragraph.place?.list ?? "", level: Number(value) || 0 };
    else if (name === "w:numId") paragraph.place = value === "0" ? null : { level: paragraph.place?.level ?? 0, list: value };
    else if (name === "w:tab" || name === "w:ptab") this.append(paragraph.text === "" ? "" : " ");
    else if (name === "w:noBreakHyphen") this.append("-");
    else if (name === "w:br" || name === "w:cr") this.lineBreak();
  }

  private lineBreak(): void {
    const { paragraph } = this;
    if (this.tables > 0 || paragraph.role?.role === "heading") this.append(" ");
    else if (paragraph.text !== "") paragraph.text = `${paragraph.text.trimEnd()}\n`;
  }

  private closeParagraph(): void {
    const { role, place, continues, text: raw } = this.paragraph;
    this.paragraph = empty();
    if (this.table !== null) this.openCell();
    const text =
      role?.role === "code"
        ? raw.trimEnd()
        : raw
            .replace(/ *\n */g, "\n")
            .replace(/ {2,}/g, " ")
            .trim();
    if (text.trim() === "") return;
    if (this.table !== null) this.emit("paragraph", text, continues);
    else if (role?.role === "heading" && text.length <= PATH_PART_MAX_CHARS) this.heading(role.level, text);
    else if (role?.role === "caption") {
      this.writeCaption();
      this.caption = text;
    } else if (role?.role === "code") this.emit("code", codeLines(text), continues);
    else if (place !== null && place.list !== "") this.emit("list", continues ? text : this.item(place, text), continues);
    else this.emit("paragraph", text, continues);
  }

  private heading(level: number, text: string): void {
    this.writeCaption();
    if (level === 0) this.writer.outline.retitle(text);
    else this.writer.outline.heading(level, text);
    this.writer.write("heading", text);
  }

  private item({ list, level }: ListPlace, text: string): string {
    const indent = "  ".repeat(Math.min(level, LIST_MAX_DEPTH));
    const numbered = this.styles.lists.get(list)?.has(level) === true;
    const numbers = this.numbers.get(list) ?? [];
    this.numbers.set(list, numbers);
    numbers.length = Math.min(numbers.length, level + 1);
    numbers[level] = (numbers[level] ?? 0) + 1;
    return `${indent}${numbered ? `${numbers[level]}.` : "-"} ${text.replaceAll("\n", `\n${indent}  `)}`;
  }

  /** A caption without a table below it is one of a figure: a paragraph. */
  private writeCaption(): void {
    const { caption } = this;
    this.caption = null;
    if (caption !== null) this.writer.write("paragraph", caption);
  }

  private emit(kind: BlockKind, text: string, continues: boolean): void {
    this.writeCaption();
    if (this.table?.take(kind, text) !== true) this.writer.write(kind, text, { continues });
  }
}

function isSeparator(name: string, attributes: Attributes): boolean {
  return (name === "w:footnote" || name === "w:endnote") && /^(?:separator|continuation)/i.test(attributes["w:type"] ?? "");
}

/** A table in blocks: its rows as lines, or, where it lays out a page, what stands in its cells. */
import { BLOCK_MAX_CHARS } from "../../base/limits.ts";
import type { BlockKind } from "./blocks.ts";
import { type Cell, TableRows } from "./tables.ts";

interface Part {
  kind: BlockKind;
  text: string;
}

type CellOpen = Omit<Cell, "text"> & { parts: Part[] };

/** A row without headers whose cells hold more than this, and several blocks, lays out a page. */
const LAYOUT_MIN_CHARS = 600;

/** Takes a table row by row. A nested table makes the one around it a layout. */
export class TableBlocks {
  /** Depth inside a head. */
  inHead = false;
  /** `leave` ends the caption. */
  caption: number | null = null;
  private readonly table = new TableRows();
  private cells: CellOpen[] = [];
  private held = 0;
  private begun = false;
  /** A header that is alone in the first row: the row below tells whether it names a column. */
  private alone: CellOpen | null = null;
  /** The rest of the row, or of the table, is written as the blocks of a page. */
  private layout: "no" | "row" | "table" = "no";
  /** Headers that no row tells stand as a row of their own, before what the cells below them hold. */
  private headersTold = false;

  /** `laid`: the table lays out a page for certain. */
  constructor(
    private readonly write: (kind: BlockKind, text: string) => void,
    laid = false,
  ) {
    if (laid) this.layout = "table";
  }

  /** It lays out a page for certain. */
  get laid(): boolean {
    return this.layout === "table";
  }

  openCell(cell: Omit<Cell, "text">): void {
    this.cells.push({ ...cell, parts: [] });
  }

  /** Takes a block that stands in a cell; false when the page takes it. */
  take(kind: BlockKind, text: string): boolean {
    const cell = this.cells.at(-1);
    if (this.layout !== "no" || cell === undefined) return false;
    cell.parts.push({ kind, text });
    this.held += text.length;
    if (this.held > BLOCK_MAX_CHARS) this.flow("row");
    return true;
  }

  /** What is held of the row is written as blocks, and so is what follows. */
  flow(rest: "row" | "table"): void {
    if (this.layout !== "table") this.layout = rest;
    this.settle(false);
    this.tellHeaders();
    for (const { parts } of this.cells) for (const { kind, text } of parts) this.write(kind === "row" ? "paragraph" : kind, text);
    for (const cell of this.cells) cell.parts = [];
    this.held = 0;
  }

  closeRow(): void {
    if (this.layout === "no") this.writeRow();
    if (this.layout === "row") this.layout = "no";
    this.begun ||= this.cells.length > 0;
    this.cells = [];
    this.held = 0;
  }

  /** What was left out, for people. */
  close(): string[] {
    this.settle(false);
    this.tellHeaders();
    return this.table.notes();
  }

  private tellHeaders(): void {
    const alone = this.headersTold ? null : this.table.alone();
    if (alone === null) return;
    this.headersTold = true;
    this.write("row", alone);
  }

  private writeRow(): void {
    const [cell, ...others] = this.cells;
    if (cell === undefined) return;
    const single = others.length === 0 && isValue(cell);
    this.settle(single && !cell.header);
    if (single && cell.header && !this.begun && !this.inHead) {
      this.alone = cell;
      return;
    }
    if (this.laysOut()) {
      this.flow("row");
      return;
    }
    const line = this.table.add(this.cells.map(inOneLine), this.inHead);
    if (line !== null) this.write("row", line);
  }

  /** Takes what is alone in the first row for the header of a column, or for a line of the page. */
  private settle(names: boolean): void {
    const { alone } = this;
    this.alone = null;
    if (alone === null) return;
    if (names) this.table.add([inOneLine(alone)], true);
    else for (const { kind, text } of alone.parts) this.write(kind, text);
  }

  /** Whether the cells are parts of a page rather than values: one alone, or several with blocks in them and no header over them. */
  private laysOut(): boolean {
    if (this.table.named || this.inHead || (this.cells.length > 1 && this.cells.every(({ header }) => header))) return false;
    const filled = this.cells.filter(({ parts }) => parts.length > 0);
    const code = filled.some(({ parts }) => parts.some(({ kind, text }) => kind === "code" && text.includes("\n")));
    return filled.length <= 1 || code || (this.held > LAYOUT_MIN_CHARS && filled.some(({ parts }) => parts.length > 1));
  }
}

/** Whether it may be all of a row in a table of one column. */
function isValue({ columns, rows, parts }: CellOpen): boolean {
  return columns === 1 && rows === 1 && parts.length === 1 && parts[0]?.kind === "paragraph";
}

function inOneLine({ parts, ...cell }: CellOpen): Cell {
  return { ...cell, text: parts.map(({ text }) => text.replace(/\s+/g, " ").trim()).join(" ") };
}

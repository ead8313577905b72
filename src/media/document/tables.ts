/** Rows of tables as lines, each cell with the header over it. */
import { TABLE_MAX_COLUMNS, TABLE_MAX_ROWS } from "../../base/limits.ts";

export interface Cell {
  text: string;
  header: boolean;
  /** Columns and rows that it covers, from 1. */
  columns: number;
  rows: number;
  /** It goes on with the cell above it. */
  continued?: boolean;
}

/** What a cell over several columns leaves in all but the first of them. */
const COVERED = null;
type Placed = string | typeof COVERED;

/**
 * `| Header: value | Header: value`, without empty cells; "" when all are. Without headers, of three columns or more, the
 * place of a cell tells what it means: an empty one before others stays as `|`.
 */
export function rowLine(values: readonly Placed[], headers: readonly string[]): string {
  const last = values.findLastIndex((value) => value !== COVERED && value !== "");
  const cells = values.slice(0, last + 1).flatMap((value, column) => {
    if (value === COVERED) return [];
    if (value === "") return headers.length === 0 && last > 1 ? ["|"] : [];
    const header = (headers[column] ?? "").replace(/\s*:$/, "");
    return [header === "" || header === value ? `| ${value}` : `| ${header}: ${value}`];
  });
  return cells.join(" ");
}

/** Follows a table row by row: which are headers, and what cells of the rows above reach down. */
export class TableRows {
  private headers: string[] = [];
  private headersDone = false;
  private above: readonly Placed[] = [];
  private reaching: ({ text: Placed; rows: number } | undefined)[] = [];
  private rows = 0;
  /** Rows and columns beyond the limits. */
  private readonly left = { rows: 0, columns: 0 };

  /** The line of a row with values; null for a header, an empty row and one beyond TABLE_MAX_ROWS. `head`: it stands in the table's head. */
  add(cells: readonly Cell[], head: boolean): string | null {
    const isHeader = (cells.length > 1 || this.headers.length === 1) && cells.every(({ header }) => header);
    const values = this.placed(cells);
    if (head || (isHeader && (!this.headersDone || values.length === this.headers.length))) {
      const names = values.map((value) => value ?? "");
      this.headers = this.headersDone || this.headers.length === 0 ? names : joined(this.headers, names);
      this.headersDone = false;
      return null;
    }
    this.headersDone = true;
    if (this.rows === TABLE_MAX_ROWS) {
      this.left.rows += 1;
      return null;
    }
    this.rows += 1;
    const [key, value] = cells;
    const isPair = this.headers.length === 0 && cells.length === 2 && key?.header === true && value?.header === false;
    const line = isPair ? rowLine([value.text], [key.text]) : rowLine(values, this.headers);
    return line === "" ? null : line;
  }

  /** It has headers over its columns. */
  get named(): boolean {
    return this.headers.length > 0;
  }

  /** The header cells as a row, for a table that has nothing else; null when it has. */
  alone(): string | null {
    return this.rows > 0 || this.headers.every((text) => text === "")
      ? null
      : this.headers
          .filter((text) => text !== "")
          .map((text) => `| ${text}`)
          .join(" ");
  }

  /** What was left out, for people. */
  notes(name = "a table"): string[] {
    const { rows, columns } = this.left;
    return [
      ...(rows > 0 ? [`${name} has ${rows.toLocaleString("en")} more rows, which were left out`] : []),
      ...(columns > 0 ? [`${name} has ${columns.toLocaleString("en")} more columns, which were left out`] : []),
    ];
  }

  /** The texts by their columns, with what reaches down from above. */
  private placed(cells: readonly Cell[]): Placed[] {
    const values: Placed[] = [];
    const next = (): void => {
      for (let above = this.reaching[values.length]; above !== undefined; above = this.reaching[values.length]) {
        above.rows -= 1;
        if (above.rows === 0) this.reaching[values.length] = undefined;
        values.push(above.text);
      }
    };
    const headers = cells.every(({ header }) => header);
    let beyond = 0;
    for (const { text: own, columns, rows, continued } of cells) {
      next();
      const text = continued === true ? (this.above[values.length] ?? "") : own;
      for (let count = 0; count < columns; count += 1) {
        if (values.length >= TABLE_MAX_COLUMNS) {
          beyond += columns - count;
          break;
        }
        if (rows > 1) this.reaching[values.length] = { text: count === 0 ? text : COVERED, rows: rows - 1 };
        // A cell over several columns is written once; a header counts for all that it is over.
        values.push(count === 0 || headers ? text : COVERED);
      }
    }
    this.left.columns = Math.max(this.left.columns, beyond);
    next();
    this.above = values;
    return values;
  }
}

/** Two rows of headers, by column: what the upper one says of several columns stands before what the lower says of each. */
function joined(upper: readonly string[], lower: readonly string[]): string[] {
  return lower.map((text, column) => {
    const above = upper[column] ?? "";
    return above === "" || above === text ? text : text === "" ? above : `${above} ${text}`;
  });
}

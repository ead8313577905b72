/** The parts of an HTML table, as its rows are taken. */
import { TABLE_MAX_COLUMNS } from "../../base/limits.ts";
import { type Attributes, count } from "./html-elements.ts";
import type { TableBlocks } from "./table-blocks.ts";

/** Rows that a cell covers, at most. */
const ROWSPAN_MAX = 1_000;

/** Tells the table that an element begins inside it, and says what stands in the element; null for one that is no part of tables. */
export function openPart(table: TableBlocks, name: string, attributes: Attributes): "caption" | "head" | "row" | "cell" | null {
  if (name === "caption") return "caption";
  if (name === "thead") {
    table.inHead = true;
    return "head";
  }
  if (name === "tr") {
    table.closeRow();
    return "row";
  }
  if (name !== "td" && name !== "th") return null;
  const [columns, rows] = [count(attributes.colspan, TABLE_MAX_COLUMNS), count(attributes.rowspan, ROWSPAN_MAX)];
  table.openCell({ header: name === "th", columns, rows });
  return "cell";
}

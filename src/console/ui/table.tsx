import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  /** Right-aligned, with digits of one width. */
  numeric?: boolean;
  /** Never broken into lines, such as a date. */
  whole?: boolean;
  /** What the row is: on a narrow screen it stands above the others, without its title. */
  lead?: boolean;
  cell(row: Row): ComponentChildren;
}

export interface TableProps<Row> {
  /** What the table shows; read out, not seen. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
}

/** Rows of one shape. On a narrow screen each row is a block, with the title of a column before its cell. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div class="table-scroll">
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} data-title={column.title} class={classOf(column)}>
                  <div>{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ numeric, whole, lead }: Column<Row>): string | undefined {
  return numeric ? "numeric" : whole ? "whole" : lead ? "lead" : undefined;
}

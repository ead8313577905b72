import type { ComponentChildren } from "preact";

export interface Column<Row> {
  title: string;
  /** Right-aligned, with digits of one width. */
  numeric?: boolean;
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
            {columns.map(({ title, numeric }) => (
              <th key={title} scope="col" class={numeric ? "numeric" : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, numeric, cell }) => (
                <td key={title} data-title={title} class={numeric ? "numeric" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

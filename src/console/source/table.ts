/** Rows of tables, as the service writes them into texts: `| Header: value | Header: value`, a line each. */

export interface TextTable {
  headers: string[];
  rows: string[][];
}

/** A part of a text: prose, or a table. Offsets count in the whole text. */
export type Block = { start: number; end: number; table: TextTable | null };

const ROW = /^\| /;

/** The parts of a text in their order. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (const part of text.split(/(?<=\n)(?=\| )|(?<=(?:^|\n)\| .*\n)(?!\| )/)) {
    const end = at + part.length;
    blocks.push({ start: at, end, table: ROW.test(part) ? tableOf(part.trimEnd().split("\n")) : null });
    at = end;
  }
  return joined(blocks, text);
}

/** Rows that follow each other with the same headers are one table. */
function joined(blocks: readonly Block[], text: string): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last?.table && block.table && last.table.headers.join("|") === block.table.headers.join("|")) {
      last.table.rows.push(...block.table.rows);
      last.end = block.end;
    } else if (last !== undefined && last.table === null && block.table === null) {
      last.end = block.end;
    } else if (block.end > block.start) {
      result.push({ ...block });
    }
  }
  return result.filter(({ start, end, table }) => table !== null || text.slice(start, end).trim() !== "");
}

/** Null when the lines are no rows of one table. */
function tableOf(lines: readonly string[]): TextTable | null {
  const rows = lines.map((line) => cellsOf(line));
  const headers = [...new Set(rows.flat().map(([header]) => header))];
  if (headers.includes(null)) {
    const width = rows[0]?.length ?? 0;
    return rows.every((row) => row.length === width) ? { headers: [], rows: rows.map((row) => row.map(([, value]) => value)) } : null;
  }
  const named = headers as string[];
  return { headers: named, rows: rows.map((row) => named.map((header) => row.find(([name]) => name === header)?.[1] ?? "")) };
}

/** Header (null without one) and value of each cell. */
function cellsOf(line: string): [string | null, string][] {
  return line
    .replace(ROW, "")
    .split(" | ")
    .map((cell) => {
      const cut = cell.indexOf(": ");
      return cut > 0 ? [cell.slice(0, cut), cell.slice(cut + 2)] : [null, cell];
    });
}

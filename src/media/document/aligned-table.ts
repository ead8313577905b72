/** Tables that a text draws with blanks or signs: columns that begin at the same place on every line. */

export interface AlignedRow {
  values: string[];
  /** Indexes of its first and last line. */
  first: number;
  last: number;
}

export interface AlignedTable {
  /** Empty without a header. */
  headers: string[];
  rows: AlignedRow[];
}

/** A line under a header or around a row, each of its parts a column: `----  ---`, `+----+---+`, `====`. */
const RULE = /^[\s|+]*[-=─━┼╪═]{2,}(?:[\s|+]+[-=─━┼╪═]{2,})*[\s|+]*$/;
const BARS = /[|│┃]/;
/** Columns that this many blanks part on every line. */
const GAP_MIN_BLANKS = 2;
/** Wider tables are not told from other text. */
const LINE_MAX_CHARS = 400;
/** All columns but the last are names and values, not prose. */
const CELL_MAX_CHARS = 44;
const ROWS_MIN = 2;
const NUMBER = /^[-+(]?[\p{Sc}]?\d[\d.,:/%xX-]*\p{L}{0,3}\)?$/u;

/** The table that all of these lines are, none of them blank; null when they are something else. */
export function alignedTable(lines: readonly string[]): AlignedTable | null {
  if (lines.some((line) => line.length > LINE_MAX_CHARS)) return null;
  const rule = lines.findIndex((line) => RULE.test(line));
  const bars = lines.filter((line) => !RULE.test(line));
  if (rule !== -1 && bars.length >= ROWS_MIN && bars.every((line) => BARS.test(line))) return barred(lines);
  const ruled = rule > 0 && rule <= 2 ? columnsOfRule(lines[rule] ?? "") : [];
  if (ruled.length > 1) return parted(lines, ruled, rule);
  const columns = columnsOfGaps(bars);
  return columns.length > 1 ? parted(lines, columns, rule > 0 && rule <= 2 ? rule : null) : null;
}

/** Rows between bars; what stands above the first rule inside the table is the header. */
function barred(lines: readonly string[]): AlignedTable | null {
  const rows: AlignedRow[] = [];
  let header: number | null = null;
  for (const [index, line] of lines.entries()) {
    if (RULE.test(line)) {
      if (rows.length > 0) header ??= rows.length;
      continue;
    }
    const inner = line
      .trim()
      .replace(/^[|│┃]/, "")
      .replace(/[|│┃]$/, "");
    rows.push({ values: inner.split(BARS).map((value) => value.trim()), first: index, last: index });
  }
  const widths = new Set(rows.map(({ values }) => values.length));
  if (widths.size !== 1 || (rows[0]?.values.length ?? 0) < 2) return null;
  const headers = header === 1 && rows.length > 1 ? (rows.shift()?.values ?? []) : [];
  return { headers, rows };
}

/** Where the parts of a rule begin. */
function columnsOfRule(rule: string): number[] {
  return Array.from(rule.matchAll(/[-=─━═]{2,}/g), ({ index }) => index);
}

/** Where columns begin behind blanks that all lines have at the same place. */
function columnsOfGaps(lines: readonly string[]): number[] {
  if (lines.length <= ROWS_MIN) return [];
  const filled: boolean[] = [];
  for (const line of lines) for (let at = 0; at < line.length; at += 1) filled[at] ||= line[at] !== " " && line[at] !== "\t";
  const columns: number[] = [];
  let blanks = GAP_MIN_BLANKS;
  for (const [at, isFilled] of filled.entries()) {
    if (!isFilled) {
      blanks += 1;
      continue;
    }
    if (blanks >= GAP_MIN_BLANKS || columns.length === 0) columns.push(at);
    blanks = 0;
  }
  return columns;
}

/** Rows by where their columns begin. `rule`: the line under the header. A line without a first cell goes on with the row above it. */
function parted(lines: readonly string[], columns: readonly number[], rule: number | null): AlignedTable | null {
  const rows: AlignedRow[] = [];
  let headers: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (RULE.test(line)) {
      if (index === rule)
        headers = rows.splice(0).reduce<string[]>((above, { values }) => values.map((value, at) => `${above[at] ?? ""} ${value}`.trim()), []);
      continue;
    }
    const values = columns.map((from, at) => line.slice(from, columns[at + 1]).trim());
    // A word that lies across a border is no cell.
    if (columns.some((from) => from > 0 && /\S/.test(line[from - 1] ?? " "))) return null;
    const above = rows.at(-1);
    if (values[0] === "" && above !== undefined && headersAreDone(index, rule)) {
      above.values = above.values.map((value, at) => `${value} ${values[at] ?? ""}`.trim());
      above.last = index;
    } else rows.push({ values, first: index, last: index });
  }
  if (rule === null && rows.length > ROWS_MIN && namesColumns(rows)) headers = rows.shift()?.values ?? [];
  const fits = rows.length > 0 && rows.every(({ values }) => values.slice(0, -1).every((value) => value.length <= CELL_MAX_CHARS));
  const filled = rows.filter(({ values }) => values.filter((value) => value !== "").length > 1).length;
  return fits && filled >= rows.length / 2 && (rows.length >= ROWS_MIN || rule !== null) ? { headers, rows } : null;
}

function headersAreDone(index: number, rule: number | null): boolean {
  return rule === null || index > rule;
}

/** Whether the first row names the columns: all of it, without figures, above a column of figures, or in capitals where the others are not. */
function namesColumns([first, ...others]: readonly AlignedRow[]): boolean {
  const names = first?.values ?? [];
  if (names.some((name) => name === "" || NUMBER.test(name))) return false;
  const figures = names.some((_, at) => others.every(({ values }) => NUMBER.test(values[at] ?? "")));
  const capital = (text: string) => /^[^\p{L}]*\p{Lu}/u.test(text);
  return figures || (names.every(capital) && others.every(({ values }) => !values.every(capital)));
}

/** Tables in text: CSV and TSV, and JSON Lines, a row a record. */
import { JSON_COLUMNS_MAX_DEPTH, RECORD_MAX_CHARS, RECORD_MAX_LINES, TABLE_MAX_COLUMNS, TABLE_MAX_ROWS } from "../../base/limits.ts";
import { amount } from "../amount.ts";
import type { Block } from "./blocks.ts";
import { fieldsOf } from "./fields.ts";
import { isBlank, type Line, linesOf } from "./lines.ts";
import { rowLine, TableRows } from "./tables.ts";

interface Record {
  values: string[];
  first: number;
  last: number;
}

/** Records that the delimiter, the number of columns and the header are told by. */
const SAMPLE_RECORDS = 50;
const DELIMITERS = [",", ";", "\t", "|", "^", "~"];
/** A first line by which spreadsheets are told the delimiter. */
const NAMED_DELIMITER = /^\ufeff?sep=(.)\s*$/i;
/** So many delimiters, each where the table has one, show that lines inside a quote are records. */
const RECORD_MIN_DELIMITERS = 4;
/** From so many quotes on that nothing closes, quotes are signs like any other: each has cost a look at RECORD_MAX_LINES. */
const BROKEN_QUOTES_MAX = 20;
const YEAR = /^(?:1[5-9]|20|21)\d\d$/;
const NUMBER = /^[-+(]?[\p{Sc}]?\s?\d[\d.,:/\s-]*%?\)?$/u;

/** Rows of a CSV or TSV file. `usual`: the delimiter that its name promises, taken if its first lines hold it; else the file tells it. */
export class DelimitedRows {
  /** What was left out or taken otherwise than it is written, for people. */
  readonly notes: string[] = [];
  private brokenQuotes = 0;

  private delimiter: string | null = null;
  /** Of the record above. */
  private columns: number | null = null;

  constructor(private readonly usual: string | null) {}

  *read(pieces: Iterable<string>): Generator<Block> {
    const left = { lines: 0 };
    const records = this.records(wholeLines(pieces, left));
    const sample = [...take(records, SAMPLE_RECORDS)];
    const columns = usualColumns(sample);
    const table = new TableRows();
    const writer = new RowWriter();
    let headed = false;
    for (const { values, first, last } of chain(sample, records)) {
      // A line or two above the header say what the table is.
      const above = !headed && columns > 1 && values.filter((value) => value !== "").length * 2 <= columns;
      const isHeader = !headed && !above && looksLikeHeader(values, sample);
      if (!above) headed = true;
      const line = table.add(
        values.map((text) => ({ text, header: isHeader, columns: 1, rows: 1 })),
        isHeader,
      );
      if (line !== null) yield writer.row(line, first, last);
    }
    const alone = table.alone();
    if (alone !== null) yield writer.row(alone, 1, 1);
    this.notes.push(...table.notes("the table"), ...cutLines(left));
    if (this.brokenQuotes > 0) this.notes.push(`${amount(this.brokenQuotes, "quote")} that nothing closes: taken as written`);
  }

  private *records(lines: Iterator<Line>): Generator<Record> {
    const waiting: Line[] = [];
    const next = (): Line | null => waiting.shift() ?? lines.next().value ?? null;
    for (let line = next(); line !== null; line = next()) {
      if (isBlank(line)) continue;
      const named = this.delimiter === null ? NAMED_DELIMITER.exec(line.text)?.[1] : undefined;
      this.delimiter ??= named ?? delimiterOf(line, waiting, lines, this.usual);
      if (named === undefined) yield this.record(line, waiting, lines);
    }
  }

  /** A record, which a quote may lead over several lines. */
  private record(line: Line, waiting: Line[], lines: Iterator<Line>): Record {
    const delimiter = this.delimiter ?? ",";
    let text = line.text;
    let values = fieldsOf(text, delimiter, this.brokenQuotes < BROKEN_QUOTES_MAX);
    const read: Line[] = [];
    while (values === null && read.length < RECORD_MAX_LINES && text.length < RECORD_MAX_CHARS) {
      const more = waiting[read.length] ?? pull(lines, waiting);
      if (more === null) break;
      read.push(more);
      text += `\n${more.text}`;
      // Only a line with a quote can close one.
      if (more.text.includes('"')) values = fieldsOf(text, delimiter, true);
    }
    if (values !== null && this.swallows(line, read, delimiter)) values = null;
    if (values !== null) waiting.splice(0, read.length);
    else this.brokenQuotes += 1;
    const last = values === null ? line.number : (read.at(-1)?.number ?? line.number);
    const fields = values ?? fieldsOf(line.text, delimiter, false) ?? [];
    this.columns = fields.length;
    return { values: fields, first: line.number, last };
  }

  /** Whether the lines that a quote goes on over are records like the one above it: it is a sign that nothing closes, and the last line opens another. */
  private swallows(line: Line, more: readonly Line[], delimiter: string): boolean {
    const fields = ({ text }: Line) => (fieldsOf(text, delimiter, true) ?? fieldsOf(text, delimiter, false))?.length ?? 1;
    const columns = this.columns ?? fields(line);
    return more.length * (columns - 1) >= RECORD_MIN_DELIMITERS && more.every((each) => fields(each) === columns);
  }
}

/** Rows of a JSON Lines file: members by their names, those inside others by names with dots. */
export class JsonRows {
  readonly notes: string[] = [];

  *read(pieces: Iterable<string>): Generator<Block> {
    const writer = new RowWriter();
    const cut = { lines: 0 };
    let [rows, otherwise, left, wide] = [0, 0, 0, 0];
    for (const line of wholeLines(pieces, cut)) {
      if (isBlank(line)) continue;
      rows += 1;
      if (rows > TABLE_MAX_ROWS) {
        left += 1;
        continue;
      }
      const row = jsonRow(line.text);
      if (row === null) otherwise += 1;
      else if (row.columns > TABLE_MAX_COLUMNS) wide += 1;
      const text = row?.text ?? `| ${line.text.trim()}`;
      if (text !== "") yield writer.row(text, line.number, line.number);
    }
    if (otherwise > 0) this.notes.push(`${amount(otherwise, "line")} without JSON: taken as text`);
    if (left > 0) this.notes.push(`${amount(left, "more line")}: left out`);
    if (wide > 0) this.notes.push(`${amount(wide, "line")} with more than ${TABLE_MAX_COLUMNS} members: the rest was left out`);
    this.notes.push(...cutLines(cut));
  }
}

/** Rows as blocks without a path; their lines are their place. */
class RowWriter {
  private readonly path: string[] = [];

  row(text: string, first: number, last: number): Block {
    const clean = text.replace(/\s+/g, " ").toWellFormed();
    return { kind: "row", text: clean, path: this.path, before: "\n", group: 1, joined: false, lines: { start: first, end: last } };
  }
}

/** The lines of a file, those that were cut for their length together again up to RECORD_MAX_CHARS. `left` counts lines that are longer. */
function* wholeLines(pieces: Iterable<string>, left: { lines: number }): Generator<Line> {
  let open: Line | null = null;
  let cut = false;
  for (const line of linesOf(pieces)) {
    if (open === null) open = { ...line };
    else {
      if (open.text.length < RECORD_MAX_CHARS) open.text += line.text;
      else cut = true;
      open.end = line.end;
    }
    if (line.end === "") continue;
    if (cut) left.lines += 1;
    cut = false;
    yield open;
    open = null;
  }
  if (cut) left.lines += 1;
  if (open !== null) yield open;
}

function cutLines({ lines }: { lines: number }): string[] {
  return lines === 0 ? [] : [`${amount(lines, "line")} of more than ${RECORD_MAX_CHARS.toLocaleString("en")} characters: cut`];
}

function pull(lines: Iterator<Line>, waiting: Line[]): Line | null {
  const line: Line | null = lines.next().value ?? null;
  if (line !== null) waiting.push(line);
  return line;
}

/** The delimiter that parts the first lines into the same number of columns, and the most. */
function delimiterOf(first: Line, waiting: Line[], lines: Iterator<Line>, usual: string | null): string {
  while (waiting.length < SAMPLE_RECORDS && pull(lines, waiting) !== null);
  const sample = [first, ...waiting].filter((line) => !isBlank(line)).map(({ text }) => text);
  if (usual !== null && sample.some((text) => text.includes(usual))) return usual;
  const scores = DELIMITERS.map((delimiter) => {
    const counts = sample.map((text) => fieldsOf(text, delimiter, false)?.length ?? 1);
    const columns = mostFrequent(counts);
    return columns < 2 ? 0 : counts.filter((each) => each === columns).length * 1_000 + columns;
  });
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ",";
}

function usualColumns(sample: readonly Record[]): number {
  return sample.length < 3 ? 1 : mostFrequent(sample.map(({ values }) => values.length));
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = Map.groupBy(numbers, (number) => number);
  return [...counts].sort(([one, ones], [two, twos]) => twos.length - ones.length || two - one)[0]?.[0] ?? 0;
}

/**
 * Names and no values: not empty but for one, none a number or date. Years may name columns that hold other things; a name
 * may stand over several columns, unless it is a value of theirs too.
 */
function looksLikeHeader(values: readonly string[], sample: readonly Record[]): boolean {
  const filled = values.filter((value) => value !== "");
  const names = (value: string, column: number) => {
    const all = sample.map((row) => row.values[column] ?? "");
    const alone = filled.indexOf(value) === filled.lastIndexOf(value) || all.indexOf(value) === all.lastIndexOf(value);
    return alone && (!NUMBER.test(value) || (YEAR.test(value) && all.some((other) => other !== "" && !YEAR.test(other))));
  };
  const titled = values.some((value) => !NUMBER.test(value));
  return titled && filled.length >= Math.max(1, values.length - 1) && values.every((value, column) => value === "" || names(value, column));
}

/** The row of an object; null when the text is no JSON. */
function jsonRow(text: string): { text: string; columns: number } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const columns: [string, string][] = [];
  flatten(value, "", 0, columns);
  const kept = columns.slice(0, TABLE_MAX_COLUMNS);
  const [names, values] = [kept.map(([name]) => name), kept.map(([, each]) => each)];
  return { text: rowLine(values, names), columns: columns.length };
}

function flatten(value: unknown, name: string, depth: number, columns: [string, string][]): void {
  if (value === null || value === undefined || columns.length > TABLE_MAX_COLUMNS) return;
  const simple = Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
  if (typeof value !== "object") columns.push([name, String(value).trim()]);
  else if (simple) columns.push([name, value.filter((item) => item !== null).join(", ")]);
  else if (depth >= JSON_COLUMNS_MAX_DEPTH) columns.push([name, JSON.stringify(value).slice(0, RECORD_MAX_CHARS)]);
  else for (const [key, item] of Object.entries(value)) flatten(item, name === "" ? key : `${name}.${key}`, depth + 1, columns);
}

function* take<T>(items: Iterator<T>, most: number): Generator<T> {
  for (let count = 0; count < most; count += 1) {
    const { value, done } = items.next();
    if (done === true) return;
    yield value;
  }
}

function* chain<T>(first: Iterable<T>, rest: Iterable<T>): Generator<T> {
  yield* first;
  yield* rest;
}

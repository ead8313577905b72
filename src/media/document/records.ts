/** Tables in text: CSV and TSV, and JSON Lines, a row a record. */
import { JSON_COLUMNS_MAX_DEPTH, RECORD_MAX_CHARS, RECORD_MAX_LINES, TABLE_MAX_COLUMNS, TABLE_MAX_ROWS } from "../../base/limits.ts";
import type { Block } from "./blocks.ts";
import { isBlank, type Line, linesOf } from "./lines.ts";
import { rowLine, TableRows } from "./tables.ts";

interface Record {
  values: string[];
  first: number;
  last: number;
}

/** Records that the delimiter, the number of columns and the header are told by. */
const SAMPLE_RECORDS = 50;
const DELIMITERS = [",", ";", "\t", "|"];
/** From so many quotes on that nothing closes, quotes are signs like any other: each has cost a look at RECORD_MAX_LINES. */
const BROKEN_QUOTES_MAX = 20;
const NUMBER = /^[-+(]?[\p{Sc}]?\s?\d[\d.,:/\s-]*%?\)?$/u;

/** Rows of a CSV or TSV file. `delimiter`: null when the file is to tell it. */
export class DelimitedRows {
  /** What was left out or taken otherwise than it is written, for people. */
  readonly notes: string[] = [];
  private brokenQuotes = 0;

  constructor(private delimiter: string | null) {}

  *read(pieces: Iterable<string>): Generator<Block> {
    const records = this.records(wholeLines(pieces));
    const sample = [...take(records, SAMPLE_RECORDS)];
    const columns = usualColumns(sample);
    const table = new TableRows();
    const writer = new RowWriter();
    let headed = false;
    for (const { values, first, last } of chain(sample, records)) {
      // A line or two above the header say what the table is.
      const above = !headed && columns > 1 && values.filter((value) => value !== "").length * 2 <= columns;
      const isHeader = !headed && !above && looksLikeHeader(values);
      if (!above) headed = true;
      const line = table.add(
        values.map((text) => ({ text, header: isHeader, columns: 1, rows: 1 })),
        isHeader,
      );
      if (line !== null) yield writer.row(line, first, last);
    }
    const alone = table.alone();
    if (alone !== null) yield writer.row(alone, 1, 1);
    this.notes.push(...table.notes("the table"));
    if (this.brokenQuotes > 0) this.notes.push(`${count(this.brokenQuotes, "quote")} that nothing closes: taken as written`);
  }

  private *records(lines: Iterator<Line>): Generator<Record> {
    const waiting: Line[] = [];
    const next = (): Line | null => waiting.shift() ?? lines.next().value ?? null;
    for (let line = next(); line !== null; line = next()) {
      if (isBlank(line)) continue;
      this.delimiter ??= delimiterOf(line, waiting, lines);
      yield this.record(line, waiting, lines);
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
    if (values !== null) waiting.splice(0, read.length);
    else this.brokenQuotes += 1;
    const last = values === null ? line.number : (read.at(-1)?.number ?? line.number);
    return { values: values ?? fieldsOf(line.text, delimiter, false) ?? [], first: line.number, last };
  }
}

/** Rows of a JSON Lines file: members by their names, those inside others by names with dots. */
export class JsonRows {
  readonly notes: string[] = [];

  *read(pieces: Iterable<string>): Generator<Block> {
    const writer = new RowWriter();
    let [rows, otherwise, left] = [0, 0, 0];
    for (const line of wholeLines(pieces)) {
      if (isBlank(line)) continue;
      rows += 1;
      if (rows > TABLE_MAX_ROWS) {
        left += 1;
        continue;
      }
      const row = jsonRow(line.text);
      if (row === null) otherwise += 1;
      const text = row ?? `| ${line.text.trim()}`;
      if (text !== "") yield writer.row(text, line.number, line.number);
    }
    if (otherwise > 0) this.notes.push(`${count(otherwise, "line")} without JSON: taken as text`);
    if (left > 0) this.notes.push(`${count(left, "more line")}: left out`);
  }
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

/** Rows as blocks without a path; their lines are their place. */
class RowWriter {
  private readonly path: string[] = [];

  row(text: string, first: number, last: number): Block {
    const clean = text.replace(/\s+/g, " ").toWellFormed();
    return { kind: "row", text: clean, path: this.path, before: "\n", group: 1, joined: false, lines: { start: first, end: last } };
  }
}

/** The lines of a file, those that were cut for their length together again up to RECORD_MAX_CHARS. */
function* wholeLines(pieces: Iterable<string>): Generator<Line> {
  let open: Line | null = null;
  for (const line of linesOf(pieces)) {
    if (open === null) open = { ...line };
    else {
      if (open.text.length < RECORD_MAX_CHARS) open.text += line.text;
      open.end = line.end;
    }
    if (line.end === "") continue;
    yield open;
    open = null;
  }
  if (open !== null) yield open;
}

function pull(lines: Iterator<Line>, waiting: Line[]): Line | null {
  const line: Line | null = lines.next().value ?? null;
  if (line !== null) waiting.push(line);
  return line;
}

/** The delimiter that parts the first lines into the same number of columns, and the most. */
function delimiterOf(first: Line, waiting: Line[], lines: Iterator<Line>): string {
  while (waiting.length < SAMPLE_RECORDS && pull(lines, waiting) !== null);
  const sample = [first, ...waiting].filter((line) => !isBlank(line)).map(({ text }) => text);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = sample.map((text) => fieldsOf(text, delimiter, false)?.length ?? 1);
    const usual = mostFrequent(counts);
    return usual < 2 ? 0 : counts.filter((each) => each === usual).length * 1_000 + usual;
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

/** Names and no values: not empty but for one, none a number or date, all different. */
function looksLikeHeader(values: readonly string[]): boolean {
  const filled = values.filter((value) => value !== "");
  return filled.length >= Math.max(1, values.length - 1) && filled.every((value) => !NUMBER.test(value)) && new Set(filled).size === filled.length;
}

/** The fields of a record, trimmed; null when a quote is open at its end. `quoted`: false takes quotes as they are written. */
export function fieldsOf(text: string, delimiter: string, quoted: boolean): string[] | null {
  const fields: string[] = [];
  let at = 0;
  while (at <= text.length) {
    let value = "";
    const begins = quoted ? skipBlanks(text, at, delimiter) : at;
    if (quoted && text[begins] === '"') {
      const closed = quotedField(text, begins + 1);
      if (closed === null) return null;
      value = closed.value;
      at = closed.end;
    }
    const end = text.indexOf(delimiter, at);
    const to = end === -1 ? text.length : end;
    fields.push((value + text.slice(at, to)).trim());
    at = to + 1;
  }
  return fields;
}

function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while (text[at] === " " && delimiter !== " ") at += 1;
  return at;
}

/** A quoted field from behind its quote; "" inside is a quote. Null when nothing closes it. */
function quotedField(text: string, from: number): { value: string; end: number } | null {
  const parts: string[] = [];
  for (let start = from; ; ) {
    const quote = text.indexOf('"', start);
    if (quote === -1) return null;
    parts.push(text.slice(start, quote));
    if (text[quote + 1] !== '"') return { value: parts.join('"'), end: quote + 1 };
    start = quote + 2;
  }
}

/** The row of an object; null when the text is no JSON. */
function jsonRow(text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const columns: [string, string][] = [];
  flatten(value, "", 0, columns);
  return rowLine(
    columns.map(([, each]) => each),
    columns.map(([name]) => name),
  );
}

function flatten(value: unknown, name: string, depth: number, columns: [string, string][]): void {
  if (value === null || value === undefined || columns.length >= TABLE_MAX_COLUMNS) return;
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

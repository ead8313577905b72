/** How things are written for a person: tables, places inside a source, marked passages, counts and times. */
import type { Span } from "../base/span.ts";
import type { Locator } from "../domain/locator.ts";

const COLUMN_GAP = "  ";
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Rows under their headings, columns padded to the widest entry. Ends with a newline. `paint`: a cell as it is shown, by its text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], paint: (cell: string) => string = (cell) => cell): string {
  const lines = [headings, ...rows.map((row) => row.map(printable))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))));
  const pad = (cell: string, column: number) => paint(cell) + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
  return `${lines.map((line) => line.map(pad).join(COLUMN_GAP).trimEnd()).join("\n")}\n`;
}

/**
 * Stored text is anybody's: what could steer a terminal (control characters, escapes, direction marks)
 * becomes a space. The length in UTF-16 code units stays, so that offsets into the text still hold.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, " ");
}

/** A passage of `text` on one line, with the spans that lie inside it marked; their offsets count in `text`. */
export function markedSnippet(text: string, snippet: string, highlights: readonly Span[], mark: (words: string) => string): string {
  const from = text.indexOf(snippet);
  const inside = from < 0 ? [] : highlights.map(({ start, end }) => ({ start: start - from, end: end - from }));
  return marked(snippet, inside, mark);
}

/** Text on one line, with the spans that lie inside it marked; of spans that overlap, the first. */
export function marked(text: string, spans: readonly Span[], mark: (words: string) => string): string {
  const shown = printable(text);
  let out = "";
  let at = 0;
  for (const { start, end } of spans) {
    if (start < at || end > shown.length) continue;
    out += shown.slice(at, start) + mark(shown.slice(start, end));
    at = end;
  }
  return out + shown.slice(at);
}

/** Where a Unit stands in its document, outermost first. */
export function pathText(path: readonly string[]): string {
  return path.join(" > ");
}

/** The place of a Unit inside its source, as a person says it. */
export function locatorText(locator: Locator): string {
  switch (locator.kind) {
    case "time_range":
      return `${clockTime(locator.t_start_ms)}-${clockTime(locator.t_end_ms)}`;
    case "bbox": {
      const box = `box ${percent(locator.x)}-${percent(locator.x + locator.w)}% across, ${percent(locator.y)}-${percent(locator.y + locator.h)}% down`;
      return locator.page === undefined ? box : `page ${locator.page}, ${box}`;
    }
    case "char_span":
      return `chars ${locator.start}-${locator.end}`;
    case "line_range":
      return locator.start === locator.end ? `line ${locator.start}` : `lines ${locator.start}-${locator.end}`;
  }
}

function percent(ratio: number): number {
  return Math.round(ratio * 100);
}

/** `mm:ss.t`, with hours in front when there are any. Rounded to tenths as a whole, so that 59.97 s is 01:00.0. */
function clockTime(ms: number): string {
  const rounded = Math.round(ms / 100) * 100;
  const hours = Math.floor(rounded / HOUR_MS);
  const minutes = String(Math.floor((rounded % HOUR_MS) / MINUTE_MS)).padStart(2, "0");
  const seconds = ((rounded % MINUTE_MS) / SECOND_MS).toFixed(1).padStart(4, "0");
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${minutes}:${seconds}`;
}

/** `12,345`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 Unit`, `2 Units`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ${Math.floor((ms % MINUTE_MS) / SECOND_MS)} s`;
  return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`;
}

/** A JSON document on stdout: indented, with a newline at its end. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The Units of logs: their lines, and templates of these with counts and the first and last line of each. */
import {
  DOCUMENT_PART_UNITS,
  LOG_ENTRY_MAX_LINES,
  LOG_EXAMPLE_MAX_CHARS,
  LOG_LINE_MAX_CHARS,
  LOG_PART_BYTES,
  LOG_STATES_MAX,
  LOG_TEMPLATE_MAX_CHARS,
  LOG_VARIANTS_MAX,
} from "../../base/limits.ts";
import type { ExtractedUnit, Extraction, SourceFile } from "../../domain/media.ts";
import { Drain, statePlaces, type Template, templateText, valuesAt } from "./drain.ts";
import { KeptLines } from "./kept-lines.ts";
import { continuesEntry, splitTime } from "./shape.ts";
import { textPieces } from "../text-encoding.ts";

/** A line and its continuation lines. Line numbers count from 1. */
interface Entry {
  line: number;
  last: number;
  text: string;
}

/** Count and extent of the entries of one kind. */
interface Group {
  count: number;
  first: Entry;
  last: Entry;
  firstTime: string | null;
  lastTime: string | null;
}

/** The groups of one template by their masked message; above LOG_VARIANTS_MAX one group, under "". */
interface Family {
  template: Template;
  groups: Map<string, Group>;
}

interface Line {
  text: string;
  /** The line was longer than LOG_LINE_MAX_CHARS. */
  cut: boolean;
}

/**
 * The lines of a log as `chunk` Units of a few each, up to LOG_KEPT_MAX_CHARS, and its templates as one `log_template`
 * Unit each, in the order of their first lines, in the last part. A long log gives a part after each LOG_PART_BYTES, for
 * progress: templates are known at the end only, so interrupted work reads from the beginning.
 */
export async function* extractLog(file: SourceFile, from: number): Extraction {
  const families = new Map<number, Family>();
  const drain = new Drain();
  const state = { done: 0, cut: 0, unread: [] as string[] };
  const kept = new KeptLines();
  let [part, begun] = [0, 0];
  for (const entry of entries(lines(file.path, state), state, kept)) {
    take(families, drain, entry);
    // `done` counts characters instead of bytes, so that the parts are the same in each run.
    if (state.done - begun < LOG_PART_BYTES && kept.waiting < DOCUMENT_PART_UNITS) continue;
    const units = kept.take();
    if (part >= from) yield { part, progress: Math.min(0.95, state.done / file.bytes), stage: "lines", units, notes: [] };
    part += 1;
    begun = state.done;
  }
  if (part < from) return;
  kept.close();
  yield {
    part,
    progress: 1,
    stage: "templates",
    units: [...kept.take(), ...unitsOf(families.values())],
    notes: notesOf(families, state, drain, kept),
  };
}

function notesOf(
  families: ReadonlyMap<number, Family>,
  { cut, unread }: { cut: number; unread: readonly string[] },
  { crowded }: Drain,
  { left }: KeptLines,
): string[] {
  const notes = [...unread];
  if (families.size === 0) notes.push("the log has no lines with text");
  if (cut > 0) notes.push(`${cut} lines were longer than ${LOG_LINE_MAX_CHARS} characters and were cut`);
  if (crowded > 0) notes.push(`${crowded} lines that are like none of the templates joined the nearest`);
  if (left > 0) notes.push(`the log has ${left.toLocaleString("en")} more lines, of which only the templates are kept`);
  return notes;
}

function take(families: Map<number, Family>, drain: Drain, { line, last, text }: Entry): void {
  const { time, rest } = splitTime(text);
  const { template, masked } = drain.add(rest.trim() === "" ? text : rest);
  const entry = { line, last, text: text.slice(0, LOG_EXAMPLE_MAX_CHARS).toWellFormed() };
  const group = { count: 1, first: entry, last: entry, firstTime: time, lastTime: time };
  const family = families.get(template.id);
  // A long message is counted with its template only, which bounds the memory of the keys.
  const key = family?.groups.has("") || masked.length > LOG_EXAMPLE_MAX_CHARS ? "" : masked;
  if (family === undefined) {
    families.set(template.id, { template, groups: new Map([[key, group]]) });
    return;
  }
  const known = family.groups.get(key);
  family.groups.set(key, known === undefined ? group : joined(known, group));
  if (family.groups.size > LOG_VARIANTS_MAX) family.groups = new Map([["", [...family.groups.values()].reduce(joined)]]);
}

/** Two groups as one; `later` begins after `group`, but for groups of the same time in any order. */
function joined(group: Group, later: Group): Group {
  const [first, second] = group.first.line <= later.first.line ? [group, later] : [later, group];
  const latest = group.last.line >= later.last.line ? group : later;
  const other = latest === group ? later : group;
  return {
    count: group.count + later.count,
    first: first.first,
    last: latest.last,
    firstTime: first.firstTime ?? second.firstTime,
    lastTime: latest.lastTime ?? other.lastTime,
  };
}

/** A Unit for each template, or for each state that its lines are in, by first lines. */
function unitsOf(families: Iterable<Family>): ExtractedUnit[] {
  const found = [...families].flatMap(({ template, groups }) => {
    const places = groups.size < 2 ? [] : statePlaces(template, new Map([...groups].map(([masked, { count }]) => [masked, count])));
    const states = Map.groupBy(groups, ([masked]) => templateText(template, valuesAt(masked, places)));
    if (states.size > LOG_STATES_MAX) return [{ text: templateText(template), group: [...groups.values()].reduce(joined) }];
    return [...states].map(([text, members]) => ({ text, group: members.map(([, group]) => group).reduce(joined) }));
  });
  return found.sort((one, two) => one.group.first.line - two.group.first.line).map(({ text, group }) => unitOf(text, group));
}

function unitOf(text: string, { count, first, last, firstTime, lastTime }: Group): ExtractedUnit {
  return {
    modality: "log_template",
    path: [],
    text: text.slice(0, LOG_TEMPLATE_MAX_CHARS),
    locator: { kind: "line_range", start: first.line, end: first.last },
    metadata: {
      count,
      first_line: first.line,
      last_line: last.line,
      ...(firstTime === null ? {} : { first_time: firstTime }),
      ...(lastTime === null ? {} : { last_time: lastTime }),
      example: first.text,
      ...(count > 1 ? { last_example: last.text } : {}),
    },
    features: null,
  };
}

/** The entries of a log: a line with text, and the lines after it that go on with it. Its text is that of its first line. */
function* entries(all: Iterable<Line>, state: { cut: number }, kept: KeptLines): Generator<Entry> {
  let open: Entry | null = null;
  let number = 0;
  for (const { text, cut } of all) {
    number += 1;
    if (cut) state.cut += 1;
    if (text.trim() === "") continue;
    kept.add(number, text);
    if (open !== null && number - open.line < LOG_ENTRY_MAX_LINES && continuesEntry(text)) {
      open.last = number;
      continue;
    }
    if (open !== null) yield open;
    open = { line: number, last: number, text };
  }
  if (open !== null) yield open;
}

/** The lines of a file. What is beyond LOG_LINE_MAX_CHARS is dropped while it is read. `state.done` counts characters; `state.unread` gets what could not be read. */
function* lines(path: string, state: { done: number; unread: string[] }): Generator<Line> {
  let rest = "";
  let cut = false;
  for (const piece of textPieces(path, { notes: state.unread })) {
    let start = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", start)) {
      yield lineOf(rest + piece.slice(start, Math.min(end, start + LOG_LINE_MAX_CHARS + 1)), cut);
      rest = "";
      cut = false;
      start = end + 1;
    }
    state.done += piece.length;
    if (rest.length <= LOG_LINE_MAX_CHARS) rest += piece.slice(start, start + LOG_LINE_MAX_CHARS + 1);
    else cut = true;
  }
  if (rest !== "") yield lineOf(rest, cut);
}

function lineOf(text: string, cut: boolean): Line {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return { text: detached(plain(line.slice(0, LOG_LINE_MAX_CHARS))), cut: cut || line.length > LOG_LINE_MAX_CHARS };
}

/** A copy: a slice keeps the whole piece of the file that it was cut from in memory. */
function detached(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

const ESCAPE = "\u001b[";

/** Without the sequences that colour a terminal. */
function plain(line: string): string {
  if (!line.includes(ESCAPE)) return line;
  const [first = "", ...coloured] = line.split(ESCAPE);
  return first + coloured.map((part) => part.replace(/^[\d;]*[A-Za-z]/, "")).join("");
}

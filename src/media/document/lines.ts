/** The lines of a text file with their places, and blocks whose text is a slice of it. */
import { BLOCK_MAX_CHARS, CHUNK_GAP_MAX_CHARS } from "../../base/limits.ts";
import { type Block, type BlockKind, Outline } from "./blocks.ts";

export interface Line {
  /** Without its end. */
  text: string;
  /** The line end; "" of the last line, and of all but the last piece of a line longer than BLOCK_MAX_CHARS. */
  end: string;
  /** UTF-16 offset in the file. */
  start: number;
  /** From 1. */
  number: number;
  /** Columns that it is indented by, where its text does not show them. */
  indent?: number;
  /** It is set in letters of one width; absent: nobody knows. */
  mono?: boolean;
}

const LINE_END = /\r\n?|\n/g;

/** The lines of a text that comes in pieces. They end with LF, CR LF, or CR. */
export function* linesOf(pieces: Iterable<string>): Generator<Line> {
  let rest = "";
  let start = 0;
  let number = 1;
  const line = (text: string, end: string): Line => {
    const made = { text, end, start, number };
    start += text.length + end.length;
    if (end !== "") number += 1;
    return made;
  };
  for (const piece of pieces) {
    const all = rest + piece;
    let from = 0;
    for (const { index, 0: end } of all.matchAll(LINE_END)) {
      // The LF of a CR at the end may be in the next piece.
      if (end === "\r" && index === all.length - 1) break;
      yield* cut(all.slice(from, index), (text, last) => line(text, last ? end : ""));
      from = index + end.length;
    }
    rest = all.slice(from);
    if (rest.length <= BLOCK_MAX_CHARS * 2) continue;
    yield* cut(rest.slice(0, -BLOCK_MAX_CHARS), (text) => line(text, ""));
    rest = rest.slice(-BLOCK_MAX_CHARS);
  }
  if (rest !== "") yield* cut(rest, (text) => line(text, ""));
}

/** A long line in pieces that end behind a blank, or between any two characters. */
function* cut(text: string, make: (text: string, last: boolean) => Line): Generator<Line> {
  let from = 0;
  while (text.length - from > BLOCK_MAX_CHARS) {
    const blank = text.lastIndexOf(" ", from + BLOCK_MAX_CHARS - 1);
    const to = blank > from ? blank + 1 : from + BLOCK_MAX_CHARS - (/[\ud800-\udbff]/.test(text[from + BLOCK_MAX_CHARS - 1] ?? "") ? 1 : 0);
    yield make(text.slice(from, to), false);
    from = to;
  }
  yield make(text.slice(from), true);
}

/** Columns that a line is indented by; a tab reaches to the next multiple of eight. 0 without a line. */
export function indentOf(line: Line | undefined): number {
  if (line?.indent !== undefined) return line.indent;
  let columns = 0;
  for (const character of line?.text ?? "") {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 8 - (columns % 8);
    else break;
  }
  return columns;
}

/** The text of a line with a character for each column: every tab as many times as the columns that it reaches over, up to the next multiple of eight. */
export function columnsOf({ text }: Line): string {
  if (!text.includes("\t")) return text;
  let columns = 0;
  return text.replace(/[^\t]+|\t/g, (part) => {
    const shown = part === "\t" ? "\t".repeat(8 - (columns % 8)) : part;
    columns += shown.length;
    return shown;
  });
}

export function isBlank({ text }: Line): boolean {
  return text.trim() === "";
}

/** Writes blocks of whole lines. Every line of the file is given to it, in order. */
export class LineWriter {
  readonly outline = new Outline();
  private ready: Block[] = [];
  private gap = "";
  private group = 0;

  take(): Block[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }

  /** Lines that are in no block. */
  skip(lines: readonly Line[]): void {
    for (const { text, end } of lines) if (this.gap.length <= CHUNK_GAP_MAX_CHARS) this.gap += text + end;
  }

  /** A block of these lines. `opens`: it begins a group. `joined`: as in Block. */
  write(kind: BlockKind, lines: readonly Line[], { opens = true, joined = false } = {}): void {
    const [first] = lines;
    if (first === undefined) return;
    const raw = lines.map(({ text, end }) => text + end).join("");
    const whole = raw.trimEnd();
    const text = kind === "code" || kind === "list" ? whole.slice(whole.search(/\S/) === -1 ? 0 : lineStart(whole)) : whole.trimStart();
    if (text === "") {
      this.skip(lines);
      return;
    }
    const leading = whole.length - text.length;
    if (opens) this.group += 1;
    if (this.gap.length > CHUNK_GAP_MAX_CHARS) this.outline.renew();
    const before = this.gap + whole.slice(0, leading);
    const start = first.start + leading;
    this.ready.push({ kind, text: text.toWellFormed(), path: this.outline.path, before, group: this.group, joined, start });
    const last = lines.at(-1) ?? first;
    const end = last.start + last.text.trimEnd().length;
    if (end > start + text.length) (this.ready.at(-1) as Block).end = end;
    this.gap = raw.slice(whole.length);
  }

  /** A heading: the part of these lines that is its text. */
  heading(lines: readonly Line[], shown: string): void {
    const [first] = lines;
    if (first === undefined) return;
    const at = first.text.indexOf(shown);
    const text = (at === -1 ? first.text : shown).toWellFormed();
    const whole = lines.map((line) => line.text + line.end).join("");
    const from = Math.max(0, at);
    this.ready.push({
      kind: "heading",
      text,
      path: this.outline.path,
      before: this.gap + whole.slice(0, from),
      group: this.group,
      joined: false,
      start: first.start + from,
    });
    this.gap = whole.slice(from + text.length);
  }

  /** A row on these lines, whose text is not the file's. */
  row(text: string, lines: readonly Line[]): void {
    const [first, last] = [lines[0]?.number ?? 1, lines.at(-1)?.number ?? 1];
    this.ready.push({
      kind: "row",
      text: text.toWellFormed(),
      path: this.outline.path,
      before: "\n",
      group: this.group,
      joined: false,
      lines: { start: first, end: last },
    });
    this.gap = "";
  }
}

/** Where the first line that is not blank begins. */
function lineStart(text: string): number {
  return text.lastIndexOf("\n", text.search(/\S/)) + 1;
}

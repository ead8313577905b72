/** The lines of a PDF page's text layer, with where they stand and how they are set. */
import type { Divisions } from "./pdf-divisions.ts";
import type { Pdfium } from "./pdfium.ts";

/** A line of the layer's text. Lengths in points, from the bottom left of the page. */
export interface PdfLine {
  /** Tidy; "" of a blank line. */
  text: string;
  /** UTF-16 offset in the page's text. */
  start: number;
  left: number;
  right: number;
  /** The middle of the height of its first letter, and of its last one, which stands lower where a divided word was joined. */
  y: number;
  endY: number;
  /** Height of its first letter's box, which grows with the size of the font. */
  size: number;
  bold: boolean;
  /** Every letter is as wide as the others. */
  mono: boolean;
  /** Its words but the first; of one that goes on with a divided word, those before it. */
  words: readonly PdfWord[];
}

/** A word behind another: its offset in the line's text, its left edge, and the gap before it. */
export interface PdfWord {
  at: number;
  left: number;
  gap: number;
}

/** A line of the raw text by the indexes of its first and last signs. */
interface RawLine {
  text: string;
  first: number;
  last: number;
  /** The line as the layer has it, up to where it was joined with the next. */
  raw: string;
}

export interface LayerText {
  /** Lines joined by line ends. */
  text: string;
  raw: readonly RawLine[];
}

/** PDFium writes U+FFFE, or U+0002, for the hyphen of a word divided at a line end, and drops the line end. */
const DIVIDED = /(?<=\p{L})\ufffe(?=\p{Ll})/gu;
const OPEN_WORD = /\p{Ll}[-\u2010\u00ad]$/u;
const SOFT_HYPHEN = "\u00ad";
/** A line that is as long takes no further one in: a page of nothing but hyphens would be copied anew for each. */
const JOINED_MAX_CHARS = 1_000;
/** Behind the hyphen that ends a page its number is a line. */
const LINE_END = /\r\n?|\n|(?<=\ufffe)(?=\d{1,4}\s*(?:[\r\n]|$))/gu;

/** A layer with one sign for the hyphens at line ends. */
export function hyphensMarked(layer: string): string {
  return layer.replaceAll("\u0002", "\ufffe");
}

/** The layer's text: ligatures in letters, divided words joined, no control characters, at most one blank line in a row. `layer`: with its hyphens marked. */
export function layerText(raw: string, divisions: Divisions): LayerText {
  const lines: RawLine[] = [];
  let from = 0;
  for (const { index, 0: end } of [...raw.matchAll(LINE_END), { index: raw.length, 0: "" }]) {
    addLine(lines, raw.slice(from, index), from, divisions);
    from = index + end.length;
  }
  while (lines[0]?.text === "") lines.shift();
  while (lines.at(-1)?.text === "") lines.pop();
  return { text: lines.map(({ text }) => text).join("\n"), raw: lines };
}

function addLine(lines: RawLine[], raw: string, from: number, divisions: Divisions): void {
  const text = tidyLine(raw, divisions);
  const last = lines.at(-1);
  const [first, end] = [from + Math.max(0, raw.search(/\S/)), from + raw.trimEnd().length - 1];
  if (text === "") {
    if (last !== undefined && last.text !== "") lines.push({ text, first, last: first, raw });
  } else if (last !== undefined && last.text.length < JOINED_MAX_CHARS && OPEN_WORD.test(last.text.slice(-2)) && /^\p{Ll}/u.test(text)) {
    const goes = last.text.endsWith(SOFT_HYPHEN) || divisions.joins(last.text.slice(0, -1), text);
    Object.assign(last, { text: (goes ? last.text.slice(0, -1) : last.text) + text, last: end });
  } else lines.push({ text, first, last: end, raw });
}

/** One line: ligatures in letters, no control characters, well-formed. Without `divisions` hyphens stay. */
export function tidyLine(raw: string, divisions: Divisions | null = null): string {
  return raw
    .replace(DIVIDED, (_, at: number) => (divisions?.joins(raw.slice(0, at), raw.slice(at + 1)) === true ? "" : "-"))
    .replaceAll("\ufffe", "-")
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize("NFKC"))
    .replace(/[\u00ad\uffff](?!$)/g, "")
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .toWellFormed();
}

/** The lines of a layer; `layer` is the handle of the page's text. */
export function pdfLines({ calls, bytes }: Pdfium, layer: number, { raw }: LayerText): PdfLine[] {
  const at = calls._malloc(SCRATCH_BYTES);
  if (at === 0) return [];
  try {
    let start = 0;
    return raw.map((line) => {
      const { text, first, last } = line;
      const set = text === "" ? BLANK : setOf({ calls, bytes }, layer, at, first, last);
      const placed = { ...set, text, start, words: wordsOf({ calls, bytes }, layer, at, line) };
      start += text.length + 1;
      return placed;
    });
  } finally {
    calls._free(at);
  }
}

/** A rectangle of four floats, flags, and the name of a font. */
const SCRATCH_BYTES = 256;
const RECTANGLE_BYTES = 16;
const NAME_AT = 24;
const FIXED_PITCH = 1;
const BOLD_MIN_WEIGHT = 600;
const BOLD_NAME = /bold|black|heavy|demi|cmbx|-bx|cmssbx/i;
const MONO_NAME = /mono|nimbusmon|courier|typewriter|consol|cmtt|cmsltt|menlo/i;
/** A sign that is larger than its line by this much is a mark. */
const MARK_MAX_SIZE = 1.3;
const BLANK: Omit<PdfLine, "text" | "start" | "words"> = { left: 0, right: 0, y: 0, endY: 0, size: 0, bold: false, mono: false };

type Engine = Pick<Pdfium, "calls" | "bytes">;

/** The box of the sign at this index of the layer, which may be none. */
function boxOf({ calls, bytes }: Engine, layer: number, at: number, index: number) {
  if (index < 0 || calls._FPDFText_GetLooseCharBox(layer, index, at) === 0) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(bytes().slice(at, at + RECTANGLE_BYTES).buffer);
  return { left, top, right, bottom };
}

/** The words of a line but the first. Those of the tidy text are those of the layer, one by one. */
function wordsOf(engine: Engine, layer: number, at: number, { text, raw, first }: RawLine): PdfWord[] {
  const shown = [...text.matchAll(/\S+/g)];
  const box = (offset: number) => boxOf(engine, layer, at, engine.calls._FPDFText_GetCharIndexFromTextIndex(layer, first + offset));
  const words: PdfWord[] = [];
  let before = Number.NaN;
  for (const [index, { 0: word, index: offset }] of [...raw.trimStart().matchAll(/\S+/g)].entries()) {
    const [left, right] = [box(offset)?.left ?? Number.NaN, box(offset + word.length - 1)?.right ?? Number.NaN];
    const place = shown[index]?.index;
    if (index > 0 && place !== undefined) words.push({ at: place, left, gap: left - before });
    before = right;
  }
  return words;
}

function setOf({ calls, bytes }: Engine, layer: number, at: number, first: number, last: number): typeof BLANK {
  const indexes = [first, Math.floor((first + last) / 2), last].map((index) => calls._FPDFText_GetCharIndexFromTextIndex(layer, index));
  const boxes = indexes.map((index) => boxOf({ calls, bytes }, layer, at, index));
  const fonts = indexes.map((index) => {
    if (index < 0) return { bold: false, mono: false };
    const length = calls._FPDFText_GetFontInfo(layer, index, at + NAME_AT, SCRATCH_BYTES - NAME_AT, at + RECTANGLE_BYTES);
    const memory = bytes();
    const name = Buffer.from(memory.slice(at + NAME_AT, at + NAME_AT + Math.min(length, SCRATCH_BYTES - NAME_AT))).toString("latin1");
    const flags = length === 0 ? 0 : (memory[at + RECTANGLE_BYTES] ?? 0);
    const bold = BOLD_NAME.test(name) || calls._FPDFText_GetFontWeight(layer, index) >= BOLD_MIN_WEIGHT;
    return { bold, mono: (flags & FIXED_PITCH) !== 0 || MONO_NAME.test(name) };
  });
  const [head, , tail] = boxes;
  // The mark of an item may be set larger than its text.
  const heights = boxes.flatMap((box) => (box === null ? [] : [Math.abs(box.top - box.bottom)])).sort((one, two) => one - two);
  const size = heights[Math.floor(heights.length / 2)] ?? 0;
  const middle = (from: readonly (typeof head)[]) => {
    const box = from.find((each) => each != null && Math.abs(each.top - each.bottom) <= size * MARK_MAX_SIZE) ?? from.find((each) => each != null);
    return box == null ? 0 : (box.top + box.bottom) / 2;
  };
  return {
    left: head?.left ?? 0,
    right: tail?.right ?? head?.right ?? 0,
    y: middle(boxes),
    endY: middle(boxes.toReversed()),
    size,
    bold: fonts.every(({ bold }) => bold),
    mono: fonts.every(({ mono }) => mono),
  };
}

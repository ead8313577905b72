/** Rows of a PDF page: pieces of one line put together, and lines that hold a term and its definition put apart. */
import type { PdfLine } from "./pdf-lines.ts";

/** Shares of a letter's height: how much higher or lower a piece of a line stands, how far it stands behind the piece before it, or reaches back over it. */
const ROW_MAX_STEP = 0.7;
const PIECE_MAX_GAP = 0.7;
const PIECE_MAX_OVERLAP = 2;
/** From this gap between them on, two pieces have a blank; words always have. */
const BLANK_MIN_GAP = 0.15;
/** The gap between a term and its definition, which is wider than a blank, and how far the definition's lines lie under each other, in points. */
const TERM_MIN_GAP = 0.5;
const SAME_COLUMN = 2;

/** PDFium ends a line where letters stand higher or lower, as in formulas. Put together such a line is set as its longest piece. */
export function rowsOf(lines: readonly PdfLine[]): PdfLine[] {
  const rows: PdfLine[] = [];
  let longest = 0;
  for (const line of lines) {
    const row = rows.at(-1);
    if (row === undefined || !isPiece(row, line)) {
      rows.push(line);
      longest = line.text.length;
      continue;
    }
    const blank = line.left - row.right > line.size * BLANK_MIN_GAP || /^\p{L}/u.test(line.text) ? " " : "";
    const { size, bold, mono, y, endY } = line.text.length > longest ? line : row;
    longest = Math.max(longest, line.text.length);
    rows[rows.length - 1] = { ...row, text: row.text + blank + line.text, right: Math.max(row.right, line.right), size, bold, mono, y, endY };
  }
  return rows;
}

function isPiece(row: PdfLine, line: PdfLine): boolean {
  const [small, large] = [Math.min(row.size, line.size), Math.max(row.size, line.size)];
  const gap = line.left - row.right;
  // A large sign, such as that of a root, hangs far below its line's middle.
  const step = small * ROW_MAX_STEP + (large - small) / 4;
  // A lone sign is no line, however far it stands behind the others.
  const near = gap < small * PIECE_MAX_GAP || line.text.length === 1;
  return Math.abs(row.endY - line.y) < step && line.left > row.left && near && gap > -small * PIECE_MAX_OVERLAP;
}

/** A paragraph's lines with the line that holds a term and the beginning of its definition, which goes on below in a column of its own, in two. */
export function termsApart(parts: readonly PdfLine[][], isItem: (line: PdfLine) => boolean): PdfLine[][] {
  const columns = new Map<number, number>();
  return parts.map((part) => {
    const [first] = part;
    if (first === undefined || first.mono || isItem(first)) return part;
    const deeper = part.findIndex(({ left }) => left > first.left + SAME_COLUMN);
    const column = deeper === -1 ? columns.get(Math.round(first.left)) : part[deeper]?.left;
    const at = deeper === -1 ? part.length - 1 : deeper - 1;
    const line = part[at];
    if (column === undefined || line === undefined || part.slice(at + 1).some(({ left }) => left < column - SAME_COLUMN)) return part;
    const word = line.words.find(({ left, gap }) => Math.abs(left - column) <= SAME_COLUMN && gap > line.size * TERM_MIN_GAP);
    if (word === undefined) return part;
    columns.set(Math.round(first.left), column);
    const term = { ...line, text: line.text.slice(0, word.at).trimEnd(), right: word.left - word.gap, words: [] };
    const definition = { ...line, text: line.text.slice(word.at), start: line.start + word.at, left: column, words: [] };
    return [...part.slice(0, at), term, definition, ...part.slice(at + 1)];
  });
}

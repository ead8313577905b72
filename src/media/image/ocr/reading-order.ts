/** The reading order of the lines of a page: recursive XY-cut (models/ppocr). */
import type { Box } from "../../../domain/media.ts";

/** The least gaps between columns, and between blocks above each other, in heights of the median line. */
const COLUMN_GAP = 0.7;
const STACK_GAP = 0.5;
/** Boxes are shrunk by this, in heights of the median line, so that lines that touch can be cut apart. */
const SHRINK = 0.25;
/** A column has at least so many lines with a median width over so many heights. Narrower ones are cells of a table. */
const COLUMN_MIN_LINES = 3;
const COLUMN_MIN_WIDTH = 6;
/** The centres of lines in one row differ by less, in heights of the median line. */
const ROW_REACH = 0.5;

type Axis = "x" | "y";

interface Line {
  index: number;
  /** As it is, and shrunk. */
  box: Box;
  core: Box;
}

/** Indices of `boxes` in reading order. Boxes are upright, with the same unit in both directions. */
export function readingOrder(boxes: readonly Box[]): number[] {
  const height = median(boxes.map(({ h }) => h));
  const lines = boxes.map((box, index) => ({ index, box, core: shrunk(box, SHRINK * height) }));
  return ordered(lines, height).map(({ index }) => index);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** A box loses `margin` on every side, and at most half of itself. */
function shrunk({ x, y, w, h }: Box, margin: number): Box {
  const acrossMargin = Math.min(margin, w / 2);
  const downMargin = Math.min(margin, h / 2);
  return { x: x + acrossMargin, y: y + downMargin, w: w - 2 * acrossMargin, h: h - 2 * downMargin };
}

function ordered(lines: Line[], height: number): Line[] {
  if (lines.length < 2) return lines;
  const columns = widestCut(lines, "x", COLUMN_GAP * height);
  if (columns?.every((side) => isColumn(side, height))) return columns.flatMap((side) => ordered(side, height));
  const stack = widestCut(lines, "y", STACK_GAP * height);
  if (stack !== null) return stack.flatMap((side) => ordered(side, height));
  return inRows(lines, height);
}

function isColumn(lines: readonly Line[], height: number): boolean {
  return lines.length >= COLUMN_MIN_LINES && median(lines.map(({ box }) => box.w)) > COLUMN_MIN_WIDTH * height;
}

/** The lines before and after the widest gap along `axis` that is over `gap`. */
function widestCut(lines: readonly Line[], axis: Axis, gap: number): [Line[], Line[]] | null {
  const length = axis === "x" ? "w" : "h";
  const sorted = [...lines].sort((a, b) => a.core[axis] - b.core[axis]);
  let end = Number.NEGATIVE_INFINITY;
  let widest = gap;
  let cut = 0;
  for (const [index, { core }] of sorted.entries()) {
    if (index > 0 && core[axis] - end > widest) {
      widest = core[axis] - end;
      cut = index;
    }
    end = Math.max(end, core[axis] + core[length]);
  }
  return cut === 0 ? null : [sorted.slice(0, cut), sorted.slice(cut)];
}

/** Rows from the top, each from the left. */
function inRows(lines: readonly Line[], height: number): Line[] {
  const centre = ({ box }: Line) => box.y + box.h / 2;
  const rows: Line[][] = [];
  for (const line of [...lines].sort((a, b) => centre(a) - centre(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && centre(line) - centre(first) < ROW_REACH * height) row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box.x - b.box.x));
}

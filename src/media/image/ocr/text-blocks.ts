/** Joins lines of OCR text into blocks: paragraphs, cells, captions. */
import { OCR_BLOCK_MAX_CHARS } from "../../../base/limits.ts";
import type { Box } from "../../../domain/media.ts";
import type { QuarterTurns, OcrText } from "../../models.ts";
import { turnedBox, undone } from "../rotation.ts";

/** The widest gap, in heights of the lower of two lines, to the next line below, and to the next one in the same row. */
const BELOW_GAP_MAX = 0.75;
const ROW_GAP_MAX = 1.5;
/** Lines of one block overlap by at least this share of the shorter one, and are of like height. */
const OVERLAP_MIN = 0.5;
const HEIGHT_RATIO_MAX = 1.75;
/** Boxes of neighbouring lines may overlap by this much, in line heights, since detection widens them. */
const TOUCH_MAX = 0.5;
/** Text with two letters or digits, or a Chinese or Japanese one; a single letter or digit is mostly a speck. */
const SIGNIFICANT = /[\p{L}\p{N}].*[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/su;

interface Block {
  text: string;
  turn: QuarterTurns;
  /** Of all its lines, and of the last; in pixels of the upright picture. */
  box: Box;
  last: Box;
  /** Weighted by characters. */
  confidence: number;
}

/**
 * Joins `lines`, which are in reading order, where they stand close below each other and aligned (by "\n") or go on in
 * the same row (by a space). `picture`: its size, for the ratio of its sides. Blocks come in the order of their first
 * lines; those without two letters or digits are left out.
 */
export function textBlocks(lines: readonly OcrText[], picture: { width: number; height: number }): OcrText[] {
  const blocks: Block[] = [];
  for (const line of lines) addLine(blocks, line, picture);
  return blocks
    .filter(({ text }) => SIGNIFICANT.test(text))
    .map(({ text, turn, box, confidence }) => ({ text, confidence, box: given(box, turn, picture), turn }));
}

function addLine(blocks: Block[], { text, confidence, box, turn = 0 }: OcrText, picture: { width: number; height: number }): void {
  const upright = uprightBox(box, turn, picture);
  const open = blocks.filter((block) => block.turn === turn && block.text.length + text.length < OCR_BLOCK_MAX_CHARS);
  const row = open.find(({ last }) => goesOnInRow(last, upright));
  const above = open.filter(({ last }) => standsBelow(last, upright)).sort((a, b) => b.last.y + b.last.h - (a.last.y + a.last.h))[0];
  const block = row ?? above;
  if (block === undefined) {
    blocks.push({ text, turn, box: upright, last: upright, confidence });
    return;
  }
  const weight = block.text.length;
  block.confidence = (block.confidence * weight + confidence * text.length) / Math.max(1, weight + text.length);
  block.text += (block === row ? " " : "\n") + text;
  block.last = block === row ? union(block.last, upright) : upright;
  block.box = union(block.box, upright);
}

/** `box` in pixels of the upright picture. */
function uprightBox(box: Box, turn: QuarterTurns, { width, height }: { width: number; height: number }): Box {
  const [across, down] = turn % 2 === 0 ? [width, height] : [height, width];
  const { x, y, w, h } = turnedBox(box, turn);
  return { x: x * across, y: y * down, w: w * across, h: h * down };
}

/** The reverse of uprightBox: ratios of the picture as given, inside it. */
function given(box: Box, turn: QuarterTurns, { width, height }: { width: number; height: number }): Box {
  const [across, down] = turn % 2 === 0 ? [width, height] : [height, width];
  const { x, y, w, h } = turnedBox({ x: box.x / across, y: box.y / down, w: box.w / across, h: box.h / down }, undone(turn));
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return { x: left, y: top, w: Math.min(w, 1 - left), h: Math.min(h, 1 - top) };
}

function alike(a: Box, b: Box): boolean {
  return Math.max(a.h, b.h) <= HEIGHT_RATIO_MAX * Math.min(a.h, b.h);
}

function goesOnInRow(last: Box, next: Box): boolean {
  const height = Math.min(last.h, next.h);
  const gap = next.x - (last.x + last.w);
  const apart = Math.abs(last.y + last.h / 2 - (next.y + next.h / 2));
  return alike(last, next) && apart < height / 2 && gap > -TOUCH_MAX * height && gap <= ROW_GAP_MAX * height;
}

function standsBelow(last: Box, next: Box): boolean {
  const height = Math.min(last.h, next.h);
  const gap = next.y - (last.y + last.h);
  const overlap = Math.min(last.x + last.w, next.x + next.w) - Math.max(last.x, next.x);
  return alike(last, next) && gap > -TOUCH_MAX * height && gap <= BELOW_GAP_MAX * height && overlap >= OVERLAP_MIN * Math.min(last.w, next.w);
}

function union(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}

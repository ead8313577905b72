/**
 * Resizing as Pillow's `resize` does it for 8-bit pictures: a separable filter whose support grows when the picture
 * shrinks (so it is antialiased), weights in fixed point, across first and then down. Large reductions go through a box
 * average first, like Pillow's `reducing_gap`: a fraction of the time for a mean difference of 0.2 of 255. The inner loops
 * are those of resize.wat, whose memory holds a few rows at a time. Why own code: docs/decision/0007-resizing.md.
 */
import { readFileSync } from "node:fs";
import { assert } from "../../base/fault.ts";
import { RESIZE_STRIP_BYTES } from "../../base/limits.ts";
import type { Box, Picture } from "../../domain/media.ts";
import wasm from "./resize.wasm" with { type: "file" };

export type ResizeFilter = "bilinear" | "bicubic";

/** A rectangle in pixels. */
export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Resizing {
  width: number;
  height: number;
  filter: ResizeFilter;
  /** The part of the result to give; absent: all of it. Only the pixels that it needs are computed. */
  window?: PixelBox;
}

/** Half the width of a filter, in pixels of the result, and its weight at a distance. */
const FILTERS: Record<ResizeFilter, { support: number; weight(distance: number): number }> = {
  bilinear: { support: 1, weight: (distance) => Math.max(0, 1 - Math.abs(distance)) },
  bicubic: { support: 2, weight: cubic },
};
/** The cubic of Keys (1981), as in Pillow. */
const CUBIC_A = -0.5;
/** Weights are scaled by 2^22, as resize.wat knows: eight bits of colour and two of overshoot stay inside 32. */
const WEIGHT_BITS = 22;
/** How much larger than the result a picture stays after the box average; Pillow's advice is 2 or 3. */
const REDUCING_GAP = 2;
/** Rows that are added up at once: 257 of 255 fit in 16 bits. */
const LANE_ROWS = 256;
/** Pixels of a box: this many of 255 fit in 32 bits. */
const BOX_MAX_PIXELS = 2 ** 24;
/** Bytes past the end of an area that the kernels may read and write, and the alignment of its start. */
const PADDING_BYTES = 32;
const ALIGNMENT_BYTES = 16;
const PAGE_BYTES = 65_536;
const WORD_BYTES = 4;

/** A byte offset in the memory of the kernels. */
type Ptr = number;

/** The exports of resize.wat, which describes them. */
interface Kernels {
  memory: WebAssembly.Memory;
  rows(src: Ptr, stride: number, rows: number, bytes: number, sums: Ptr): void;
  columns(sums: Ptr, bytes: number, across: number, totals: Ptr): void;
  means(totals: Ptr, count: number, share: number, out: Ptr): void;
  across(row: Ptr, first: Ptr, taps: Ptr, weights: Ptr, stride: number, count: number, out: Ptr): void;
  down(src: Ptr, stride: number, weights: Ptr, taps: number, out: Ptr): void;
}

let opened: Kernels | null = null;

function kernels(): Kernels {
  opened ??= new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasm))).exports as unknown as Kernels;
  return opened;
}

function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return ((CUBIC_A + 2) * x - (CUBIC_A + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * CUBIC_A : 0;
}

/**
 * One axis of a resizing. `box` source pixels at a time are averaged to one; pixel `i` of the result is the weighted sum of
 * `taps[i]` averages from `first[i]` on, with the weights from `weights[i * size]` on.
 */
interface Side {
  box: number;
  size: number;
  first: Int32Array;
  taps: Int32Array;
  weights: Int32Array;
}

/**
 * `picture` resized, without regard to the ratio of its sides. Sides are at least 1 pixel. A picture of that size already is
 * given back as it is.
 */
export function resize(picture: Picture, to: Resizing): Picture {
  const { width, height, filter } = to;
  assert(width >= 1 && height >= 1 && picture.width >= 1 && picture.height >= 1, "a picture has pixels");
  const window = to.window ?? { x: 0, y: 0, width, height };
  if (picture.width === width && picture.height === height) return to.window === undefined ? picture : crop(picture, window);
  const columns = sideOf(picture.width, width, { from: window.x, count: window.width }, filter);
  const rows = sideOf(picture.height, height, { from: window.y, count: window.height }, filter);
  assert(columns.box * rows.box <= BOX_MAX_PIXELS, "the sum of a box fits in 32 bits");
  return filtered(layOut(picture, columns, rows));
}

/** The pixels of `picture` inside `box`, which lies within it. */
export function crop(picture: Picture, box: PixelBox): Picture {
  const { x, y, width, height } = box;
  assert(x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= picture.width && y + height <= picture.height, "a crop lies in its picture");
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * picture.width + x) * 3;
    data.set(picture.data.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, data };
}

/** The pixels that `box` (ratios) covers, at least one. */
export function cropTo(picture: Picture, box: Box): Picture {
  const span = (from: number, length: number, side: number): [number, number] => {
    const first = Math.min(side - 1, Math.max(0, Math.floor(from * side)));
    return [first, Math.min(side, Math.max(first + 1, Math.ceil((from + length) * side))) - first];
  };
  const [x, width] = span(box.x, box.w, picture.width);
  const [y, height] = span(box.y, box.h, picture.height);
  return crop(picture, { x, y, width, height });
}

/** `picture` no longer than `maxSide`, its ratio kept. */
export function shrinkTo(picture: Picture, maxSide: number): Picture {
  const scale = maxSide / Math.max(picture.width, picture.height);
  if (scale >= 1) return picture;
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return resize(picture, { width: side(picture.width), height: side(picture.height), filter: "bicubic" });
}

/** Pillow's precompute_coeffs and normalize_coeffs_8bpc, for a part of a side that goes from `length` pixels to `to`. */
function sideOf(length: number, to: number, { from, count }: { from: number; count: number }, filter: ResizeFilter): Side {
  const { support, weight } = FILTERS[filter];
  const box = Math.max(1, Math.floor(length / to / REDUCING_GAP));
  const boxes = Math.ceil(length / box);
  const scale = length / box / to;
  const widening = Math.max(1, scale);
  const reach = support * widening;
  const size = Math.ceil(reach) * 2 + 1;
  const side: Side = { box, size, first: new Int32Array(count), taps: new Int32Array(count), weights: new Int32Array(count * size) };
  const raw = new Float64Array(size);
  for (let index = 0; index < count; index++) {
    const centre = (from + index + 0.5) * scale;
    const first = Math.min(boxes - 1, Math.max(0, Math.trunc(centre - reach + 0.5)));
    const taps = Math.max(1, Math.min(boxes, Math.trunc(centre + reach + 0.5)) - first);
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      raw[tap] = weight((first + tap - centre + 0.5) / widening);
      sum += raw[tap] as number;
    }
    side.first[index] = first;
    side.taps[index] = taps;
    for (let tap = 0; tap < taps; tap++) side.weights[index * size + tap] = Math.round(((raw[tap] as number) / sum) * 2 ** WEIGHT_BITS);
  }
  return side;
}

/** A resizing laid out in the memory of the kernels, valid until the next. */
interface Work {
  picture: Picture;
  columns: Side;
  rows: Side;
  /** The bytes of each source row that the columns need, and the number of boxes in them. */
  part: { start: number; bytes: number; boxes: number };
  /** Source rows that are copied at once, and rows filtered across that are kept for the filter down. */
  stripRows: number;
  heldRows: number;
  heap: Uint8Array;
  at: Record<"strip" | "sums" | "totals" | "boxed" | "first" | "taps" | "columnWeights" | "rowWeights" | "held" | "out", Ptr>;
}

function layOut(picture: Picture, columns: Side, rows: Side): Work {
  const { memory } = kernels();
  const width = columns.first.length;
  const from = columns.first[0] as number;
  const boxes = (columns.first[width - 1] as number) + (columns.taps[width - 1] as number) - from;
  const start = from * columns.box * 3;
  const bytes = Math.min(picture.width * 3 - start, boxes * columns.box * 3);
  const stripRows = Math.max(1, Math.min(rows.box, LANE_ROWS, Math.floor(RESIZE_STRIP_BYTES / bytes)));
  const heldRows = 2 * rows.size;
  const at = placed(memory, {
    strip: stripRows * bytes,
    sums: bytes * 2,
    totals: boxes * 4 * WORD_BYTES,
    boxed: boxes * 3,
    first: width * WORD_BYTES,
    taps: width * WORD_BYTES,
    columnWeights: columns.weights.byteLength,
    rowWeights: rows.weights.byteLength,
    held: heldRows * width * 3,
    out: width * 3,
  });
  const words = new Int32Array(memory.buffer);
  const first = columns.first.map((box) => (box - from) * 3);
  words.set(first, at.first / WORD_BYTES);
  words.set(columns.taps, at.taps / WORD_BYTES);
  words.set(columns.weights, at.columnWeights / WORD_BYTES);
  words.set(rows.weights, at.rowWeights / WORD_BYTES);
  return { picture, columns, rows, part: { start, bytes, boxes }, stripRows, heldRows, heap: new Uint8Array(memory.buffer), at };
}

/** Places for areas of these lengths (bytes), one behind the other. `memory` grows to hold them. */
function placed<Name extends string>(memory: WebAssembly.Memory, lengths: Record<Name, number>): Record<Name, Ptr> {
  const places: Partial<Record<Name, Ptr>> = {};
  let end = 0;
  for (const name in lengths) {
    places[name] = end;
    end = Math.ceil((end + lengths[name] + PADDING_BYTES) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  }
  const pages = Math.ceil(end / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES;
  if (pages > 0) memory.grow(pages);
  return places as Record<Name, Ptr>;
}

/** Filters each row across when it is first needed, and then down. */
function filtered(work: Work): Picture {
  const { across, down } = kernels();
  const { columns, rows, heldRows, heap, at } = work;
  const width = columns.first.length;
  const height = rows.first.length;
  const stride = width * 3;
  const data = new Uint8Array(stride * height);
  let held = rows.first[0] as number;
  let next = held;
  for (let y = 0; y < height; y++) {
    const first = rows.first[y] as number;
    const taps = rows.taps[y] as number;
    if (first + taps - held > heldRows) {
      heap.copyWithin(at.held, at.held + (first - held) * stride, at.held + (next - held) * stride);
      held = first;
    }
    for (; next < first + taps; next++)
      across(boxedRow(work, next), at.first, at.taps, at.columnWeights, columns.size * WORD_BYTES, width, at.held + (next - held) * stride);
    down(at.held + (first - held) * stride, stride, at.rowWeights + y * rows.size * WORD_BYTES, taps, at.out);
    data.set(heap.subarray(at.out, at.out + stride), y * stride);
  }
  return { width, height, data };
}

/** Row `y` of the box averages; boxes at the right and lower edge may have fewer pixels. */
function boxedRow(work: Work, y: number): Ptr {
  const { rows, columns, means } = kernels();
  const { part, stripRows, heap, at } = work;
  const across = work.columns.box;
  const top = y * work.rows.box;
  const down = Math.min(work.rows.box, work.picture.height - top);
  if (across === 1 && work.rows.box === 1) {
    copyRows(work, top, 1);
    return at.strip;
  }
  heap.fill(0, at.totals, at.totals + part.boxes * 4 * WORD_BYTES);
  for (let row = 0; row < down; row += stripRows) {
    const count = Math.min(stripRows, down - row);
    copyRows(work, top + row, count);
    rows(at.strip, part.bytes, count, part.bytes, at.sums);
    columns(at.sums, part.bytes * 2, across, at.totals);
  }
  const last = part.boxes - 1;
  means(at.totals, part.boxes, 1 / (across * down), at.boxed);
  means(at.totals + last * 4 * WORD_BYTES, 1, 1 / ((part.bytes / 3 - last * across) * down), at.boxed + last * 3);
  return at.boxed;
}

function copyRows({ picture, part, heap, at }: Work, y: number, count: number): void {
  for (let row = 0; row < count; row++) {
    const from = (y + row) * picture.width * 3 + part.start;
    heap.set(picture.data.subarray(from, from + part.bytes), at.strip + row * part.bytes);
  }
}

/**
 * Resizing as Pillow's `resize` does it for 8-bit pictures: a separable filter whose support grows when the picture
 * shrinks (so it is antialiased), weights in fixed point, across first and then down. Large reductions go through a box
 * average first, like Pillow's `reducing_gap`: the same picture to the eye and the models, at a fraction of the time.
 */
import { assert } from "../../base/fault.ts";
import type { Box, Picture } from "../../domain/media.ts";

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
  /** The part of the result that is wanted; the whole without it. Only what it needs is computed. */
  window?: PixelBox;
}

/** Half the width of a filter, in pixels of the result, and its weight at a distance. */
const FILTERS: Record<ResizeFilter, { support: number; weight(distance: number): number }> = {
  bilinear: { support: 1, weight: (distance) => Math.max(0, 1 - Math.abs(distance)) },
  bicubic: { support: 2, weight: cubic },
};
/** The cubic of Keys (1981), as in Pillow. */
const CUBIC_A = -0.5;
/** Weights are scaled by 2^22: eight bits of colour and two of overshoot stay inside 32. */
const WEIGHT_BITS = 22;
/** How much larger than the result a picture stays after the box average; Pillow's advice is 2 or 3. */
const REDUCING_GAP = 2;
/** Rows that a lane of 16 bits can add up: 257 of 255. */
const LANE_ROWS = 256;

function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return ((CUBIC_A + 2) * x - (CUBIC_A + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * CUBIC_A : 0;
}

/** What each pixel of one side of the result is made of: `size` weights from `first[i]` on, of which `count[i]` count. */
interface Taps {
  size: number;
  first: Int32Array;
  count: Int32Array;
  weights: Int32Array;
}

/** One side of a resizing: `scale` pixels of the source, of which there are `length`, for each of the result. */
interface Side {
  length: number;
  scale: number;
  from: number;
  count: number;
}

/**
 * `picture` resized. The ratio of the sides is the caller's affair; sides are at least 1. A picture that has the size
 * already is given back as it is.
 */
export function resize(picture: Picture, to: Resizing): Picture {
  const { width, height, filter } = to;
  assert(width >= 1 && height >= 1 && picture.width >= 1 && picture.height >= 1, "a picture has pixels");
  const window = to.window ?? { x: 0, y: 0, width, height };
  if (picture.width === width && picture.height === height) return to.window === undefined ? picture : crop(picture, window);
  const across = reduction(picture.width, width);
  const down = reduction(picture.height, height);
  const small = across > 1 || down > 1 ? reduce(picture, { across, down, part: neededPart(picture, to, window) }) : picture;
  const columns = taps({ length: small.width, scale: picture.width / across / width, from: window.x, count: window.width }, filter);
  const rows = taps({ length: small.height, scale: picture.height / down / height, from: window.y, count: window.height }, filter);
  return filterDown(filterAcross(small, columns, rowSpan(rows)), rows);
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

function reduction(from: number, to: number): number {
  return Math.max(1, Math.floor(from / to / REDUCING_GAP));
}

/** The part of the source that the window and the filter's reach around it need. */
function neededPart(picture: Picture, { width, height, filter }: Resizing, window: PixelBox): PixelBox {
  const span = (length: number, size: number, from: number, count: number): [number, number] => {
    const scale = length / size;
    // The box average is coarser than the source by at most half the scale.
    const reach = (FILTERS[filter].support + 1) * scale;
    const first = Math.max(0, Math.floor(from * scale - reach));
    return [first, Math.min(length, Math.ceil((from + count) * scale + reach)) - first];
  };
  const [x, partWidth] = span(picture.width, width, window.x, window.width);
  const [y, partHeight] = span(picture.height, height, window.y, window.height);
  return { x, y, width: partWidth, height: partHeight };
}

/**
 * Averages of `across` by `down` pixels; at the right and lower edge of those that are there. Outside of `part` the
 * result stays black: nobody looks.
 */
function reduce(picture: Picture, { across, down, part }: { across: number; down: number; part: PixelBox }): Picture {
  const width = Math.ceil(picture.width / across);
  const height = Math.ceil(picture.height / down);
  const data = new Uint8Array(width * height * 3);
  // Four pixels are three whole words.
  const firstX = Math.floor(part.x / across / 4) * 4;
  const lastX = Math.min(width, Math.ceil((part.x + part.width) / across));
  const lastY = Math.min(height, Math.ceil((part.y + part.height) / down));
  const start = firstX * across;
  const end = Math.min(picture.width, lastX * across);
  const sums = new Int32Array((end - start) * 3);
  const words = wordsOf(picture, { start, bytes: sums.length, rows: Math.min(LANE_ROWS, down) });
  for (let y = Math.floor(part.y / down); y < lastY; y++) {
    const rows = Math.min(down, picture.height - y * down);
    sums.fill(0);
    for (let row = 0; row < rows; row += LANE_ROWS) {
      const count = Math.min(LANE_ROWS, rows - row);
      addRows(words(y * down + row, count), count, sums);
    }
    averageColumns(sums, { across, rows }, data.subarray((y * width + firstX) * 3, (y * width + lastX) * 3));
  }
  return { width, height, data };
}

/** Rows of bytes as 32-bit words: row `y` begins at word `at + y * stride`. */
interface Words {
  words: Int32Array;
  at: number;
  stride: number;
}

/** Gives rows as words: those of the picture itself if each begins at a whole word, as most do, and copies otherwise. */
function wordsOf(
  { width, height, data }: Picture,
  { start, bytes, rows }: { start: number; bytes: number; rows: number },
): (y: number, count: number) => Words {
  if (data.byteOffset % 4 === 0 && (width * 3) % 4 === 0 && (start * 3) % 4 === 0 && data.length === width * height * 3) {
    const words = new Int32Array(data.buffer, data.byteOffset, data.length / 4);
    const stride = (width * 3) / 4;
    return (y) => ({ words, at: y * stride + (start * 3) / 4, stride });
  }
  const stride = Math.ceil(bytes / 4);
  const words = new Int32Array(stride * rows);
  const copy = new Uint8Array(words.buffer);
  return (y, count) => {
    for (let row = 0; row < count; row++) {
      const from = ((y + row) * width + start) * 3;
      copy.set(data.subarray(from, from + bytes), row * stride * 4);
    }
    return { words, at: 0, stride };
  };
}

/**
 * Adds `rows` rows, LANE_ROWS at most, to `sums`. Four bytes at a time: two bytes of a word go to each of two sums, in
 * lanes of 16 bits. Writes past the end of `sums` (the padding of the last word) are lost.
 */
function addRows({ words, at, stride }: Words, rows: number, sums: Int32Array): void {
  const end = at + rows * stride;
  for (let word = 0, column = 0; column < sums.length; word++, column += 4) {
    let even = 0;
    let odd = 0;
    for (let from = at + word; from < end; from += stride) {
      const four = words[from] as number;
      even = (even + (four & 0xff00ff)) | 0;
      odd = (odd + ((four >>> 8) & 0xff00ff)) | 0;
    }
    sums[column] = (sums[column] as number) + (even & 0xffff);
    sums[column + 1] = (sums[column + 1] as number) + (odd & 0xffff);
    sums[column + 2] = (sums[column + 2] as number) + (even >>> 16);
    sums[column + 3] = (sums[column + 3] as number) + (odd >>> 16);
  }
}

/** Means of `across` neighbours of `sums`, rounded, into the row `out`. */
function averageColumns(sums: Int32Array, { across, rows }: { across: number; rows: number }, out: Uint8Array): void {
  const columns = sums.length / 3;
  for (let x = 0; x * 3 < out.length; x++) {
    const last = Math.min(columns, (x + 1) * across);
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let at = x * across * 3; at < last * 3; at += 3) {
      red += sums[at] as number;
      green += sums[at + 1] as number;
      blue += sums[at + 2] as number;
    }
    const share = 1 / ((last - x * across) * rows);
    out[x * 3] = (red * share + 0.5) | 0;
    out[x * 3 + 1] = (green * share + 0.5) | 0;
    out[x * 3 + 2] = (blue * share + 0.5) | 0;
  }
}

/** Pillow's precompute_coeffs and normalize_coeffs_8bpc. */
function taps({ length, scale, from, count }: Side, filter: ResizeFilter): Taps {
  const { support, weight } = FILTERS[filter];
  const stretch = Math.max(1, scale);
  const reach = support * stretch;
  const size = Math.ceil(reach) * 2 + 1;
  const made: Taps = { size, first: new Int32Array(count), count: new Int32Array(count), weights: new Int32Array(count * size) };
  for (let index = 0; index < count; index++) {
    const centre = (from + index + 0.5) * scale;
    const first = Math.min(length - 1, Math.max(0, Math.trunc(centre - reach + 0.5)));
    const last = Math.max(first + 1, Math.min(length, Math.trunc(centre + reach + 0.5)));
    const raw = Array.from({ length: last - first }, (_, tap) => weight((first + tap - centre + 0.5) / stretch));
    const sum = raw.reduce((total, value) => total + value, 0);
    made.first[index] = first;
    made.count[index] = last - first;
    for (const [tap, value] of raw.entries()) made.weights[index * size + tap] = Math.round((value / sum) * 2 ** WEIGHT_BITS);
  }
  return made;
}

/** The rows of the source that the taps of the rows look at. */
function rowSpan({ first, count }: Taps): { from: number; to: number } {
  const last = first.length - 1;
  return { from: first[0] as number, to: (first[last] as number) + (count[last] as number) };
}

/** Each row from `from` to `to` filtered to the width of `columns`; other rows stay black. */
function filterAcross(picture: Picture, columns: Taps, { from, to }: { from: number; to: number }): Picture {
  const width = columns.first.length;
  const { data } = picture;
  const out = new Uint8ClampedArray(width * picture.height * 3);
  const { size, first, count, weights } = columns;
  for (let y = from; y < to; y++) {
    const row = y * picture.width * 3;
    let target = y * width * 3;
    for (let x = 0; x < width; x++) {
      let at = row + (first[x] as number) * 3;
      let red = 1 << (WEIGHT_BITS - 1);
      let green = red;
      let blue = red;
      const end = x * size + (count[x] as number);
      for (let tap = x * size; tap < end; tap++) {
        const weight = weights[tap] as number;
        red = (red + Math.imul(weight, data[at++] as number)) | 0;
        green = (green + Math.imul(weight, data[at++] as number)) | 0;
        blue = (blue + Math.imul(weight, data[at++] as number)) | 0;
      }
      out[target++] = red >> WEIGHT_BITS;
      out[target++] = green >> WEIGHT_BITS;
      out[target++] = blue >> WEIGHT_BITS;
    }
  }
  return { width, height: picture.height, data: new Uint8Array(out.buffer) };
}

function filterDown(picture: Picture, rows: Taps): Picture {
  const height = rows.first.length;
  const stride = picture.width * 3;
  const { data } = picture;
  const out = new Uint8ClampedArray(stride * height);
  const sums = new Int32Array(stride);
  for (let y = 0; y < height; y++) {
    sums.fill(1 << (WEIGHT_BITS - 1));
    for (let tap = 0; tap < (rows.count[y] as number); tap++) {
      const weight = rows.weights[y * rows.size + tap] as number;
      const from = ((rows.first[y] as number) + tap) * stride;
      for (let index = 0; index < stride; index++) sums[index] = (sums[index] as number) + Math.imul(weight, data[from + index] as number);
    }
    const to = y * stride;
    for (let index = 0; index < stride; index++) out[to + index] = (sums[index] as number) >> WEIGHT_BITS;
  }
  return { width: picture.width, height, data: new Uint8Array(out.buffer) };
}

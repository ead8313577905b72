/** One channel of a FLAC frame (RFC 9639, section 9.2). */
import type { FlacBits } from "./sound-flac-bits.ts";

/** Fixed predictors: weights of the samples before. */
const FIXED: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

/** Decodes `length` samples of `depth` bits into `out`. False if the bits make no sense or end too early. */
export function decodeSubframe(bits: FlacBits, out: Float64Array, length: number, depth: number): boolean {
  const header = bits.read(8);
  if ((header & 0x80) !== 0) return false;
  const wasted = (header & 1) === 0 ? 0 : bits.zeros() + 1;
  const width = depth - wasted;
  if (width < 1 || bits.over) return false;
  if (!decodeBody(bits, out, length, width, (header >> 1) & 0x3f)) return false;
  if (wasted > 0) for (let index = 0; index < length; index++) out[index] = (out[index] ?? 0) * 2 ** wasted;
  return !bits.over;
}

function decodeBody(bits: FlacBits, out: Float64Array, length: number, width: number, kind: number): boolean {
  if (kind === 0) {
    out.fill(bits.signed(width), 0, length);
    return true;
  }
  if (kind === 1) return warmUp(bits, out, length, width);
  if (kind >= 8 && kind <= 12) {
    const weights = FIXED[kind - 8] ?? [];
    if (weights.length > length || !warmUp(bits, out, weights.length, width)) return false;
    if (!residual(bits, out, length, weights.length)) return false;
    predict(out, length, Float64Array.from(weights), 0);
    return true;
  }
  return kind >= 32 && linear(bits, out, length, width, kind - 31);
}

function linear(bits: FlacBits, out: Float64Array, length: number, width: number, order: number): boolean {
  if (order > length || !warmUp(bits, out, order, width)) return false;
  const precision = bits.read(4) + 1;
  const shift = bits.signed(5);
  if (precision === 16 || shift < 0) return false;
  const weights = new Float64Array(order);
  for (let index = 0; index < order; index++) weights[index] = bits.signed(precision);
  if (!residual(bits, out, length, order)) return false;
  predict(out, length, weights, shift);
  return true;
}

/** Samples that stand as they are. */
function warmUp(bits: FlacBits, out: Float64Array, count: number, width: number): boolean {
  for (let index = 0; index < count && !bits.over; index++) out[index] = bits.signed(width);
  return !bits.over;
}

/** What the prediction is corrected by, from sample `order` on. */
function residual(bits: FlacBits, out: Float64Array, length: number, order: number): boolean {
  const method = bits.read(2);
  if (method > 1) return false;
  const width = method === 0 ? 4 : 5;
  const partitions = 2 ** bits.read(4);
  const size = length / partitions;
  if (!Number.isInteger(size) || size < order) return false;
  for (let partition = 0; partition < partitions; partition++) {
    const start = partition === 0 ? order : partition * size;
    const end = (partition + 1) * size;
    const parameter = bits.read(width);
    if (parameter < 2 ** width - 1) bits.rice(parameter, out, start, end);
    else {
      const raw = bits.read(5);
      for (let index = start; index < end && !bits.over; index++) out[index] = bits.signed(raw);
    }
    if (bits.over) return false;
  }
  return true;
}

/** Adds to each sample what the ones before it predict: sums are exact in doubles at every depth that FLAC has. */
function predict(out: Float64Array, length: number, weights: Float64Array, shift: number): void {
  const order = weights.length;
  const scale = 2 ** -shift;
  for (let index = order; index < length; index++) {
    let sum = 0;
    for (let back = 0; back < order; back++) sum += (weights[back] ?? 0) * (out[index - 1 - back] ?? 0);
    out[index] = (out[index] ?? 0) + Math.floor(sum * scale);
  }
}

/** Vectors at rest: half-precision floats beside the text, so that an index can be rebuilt without a model. */
import type { Span } from "../../base/span.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";

const HEADER_BYTES = 8;
const SPAN_BYTES = 8;
const FLOAT16_BYTES = 2;

/** `[count u32][dims u32]` then per window `[start u32][end u32][f16 x dims]`, little-endian. */
export function packWindows(windows: readonly TextWindow[]): Uint8Array {
  const dims = windows[0]?.vector.length ?? 0;
  const stride = SPAN_BYTES + dims * FLOAT16_BYTES;
  const bytes = new Uint8Array(HEADER_BYTES + windows.length * stride);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, windows.length, true);
  view.setUint32(4, dims, true);
  windows.forEach((window, index) => {
    const at = HEADER_BYTES + index * stride;
    view.setUint32(at, window.start, true);
    view.setUint32(at + 4, window.end, true);
    bytes.set(new Uint8Array(new Float16Array(window.vector).buffer), at + SPAN_BYTES);
  });
  return bytes;
}

/** The spans alone: no vector is decoded. */
export function unpackSpans(bytes: Uint8Array): Span[] {
  const { view, count, stride } = layoutOf(bytes);
  return Array.from({ length: count }, (_, index) => spanAt(view, HEADER_BYTES + index * stride));
}

export function unpackWindows(bytes: Uint8Array): TextWindow[] {
  const { view, count, stride } = layoutOf(bytes);
  return Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + index * stride;
    const halves = new Float16Array(bytes.slice(at + SPAN_BYTES, at + stride).buffer);
    return { ...spanAt(view, at), vector: Float32Array.from(halves) };
  });
}

function layoutOf(bytes: Uint8Array): { view: DataView; count: number; stride: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { view, count: view.getUint32(0, true), stride: SPAN_BYTES + view.getUint32(4, true) * FLOAT16_BYTES };
}

function spanAt(view: DataView, at: number): Span {
  return { start: view.getUint32(at, true), end: view.getUint32(at + 4, true) };
}

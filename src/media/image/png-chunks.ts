/**
 * Removes chunks from a PNG that are not needed for its pixels: the decoder inflates every text chunk, and a file of 6 MB
 * may hold 1,600 that take two minutes together.
 */

const SIGNATURE_BYTES = 8;
/** Length and name before a chunk's data, a checksum behind them. */
const HEADER_BYTES = 8;
const CHECKSUM_BYTES = 4;
const PIXELS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "IDAT", "IEND"]);
/** Chunks about colour, transparency and orientation. Older programs write EXIF, which has the orientation, as a text. */
const MEANING: ReadonlySet<string> = new Set(["tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "eXIf", "tEXt", "zTXt", "iTXt"]);
/** Chunks of one of these names that are kept: the format allows one of most, and programs write a handful of texts. */
const SAME_MAX = 16;

/** `bytes` without other chunks. Damaged files are given back as they are, for the decoder to refuse. */
export function plainPng(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  const counts = new Map<string, number>();
  // Neighbouring chunks that are kept are copied as one.
  let from = 0;
  for (const { name, start, end } of chunks(bytes)) {
    const count = (counts.get(name) ?? 0) + 1;
    if (PIXELS.has(name) || (MEANING.has(name) && count <= SAME_MAX)) {
      if (MEANING.has(name)) counts.set(name, count);
      continue;
    }
    if (start > from) kept.push(bytes.subarray(from, start));
    from = end;
  }
  return from === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]);
}

/** The whole chunks, with their byte ranges. */
function* chunks(bytes: Uint8Array): Generator<{ name: string; start: number; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let start = SIGNATURE_BYTES; start + HEADER_BYTES + CHECKSUM_BYTES <= bytes.length; ) {
    const end = start + HEADER_BYTES + view.getUint32(start) + CHECKSUM_BYTES;
    if (end > bytes.length) return;
    yield { name: String.fromCharCode(...bytes.subarray(start + 4, start + HEADER_BYTES)), start, end };
    start = end;
  }
}

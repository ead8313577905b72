/**
 * A PNG without what is not its picture. The decoder inflates every text in it, and a file of 6 MB may hold 1,600 that
 * take two minutes together.
 */

const SIGNATURE_BYTES = 8;
/** Length and name before a chunk's data, a checksum behind them. */
const HEADER_BYTES = 8;
const CHECKSUM_BYTES = 4;
const PIXELS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "IDAT", "IEND"]);
/** What tells how the pixels are meant. Older programs write EXIF, and with it which side is up, as a text. */
const MEANING: ReadonlySet<string> = new Set(["tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "eXIf", "tEXt", "zTXt", "iTXt"]);
/** Of each name: a format of its own allows one, a program writes a handful of texts. */
const SAME_MAX = 16;

/** `bytes` as they are unless there is something to leave out; what is wrong with them is left to the decoder to say. */
export function plainPng(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  const counts = new Map<string, number>();
  // Chunks that stay and stand beside each other are copied as one.
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

/** Chunks that are there as a whole, by what they take in the file. */
function* chunks(bytes: Uint8Array): Generator<{ name: string; start: number; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let start = SIGNATURE_BYTES; start + HEADER_BYTES + CHECKSUM_BYTES <= bytes.length; ) {
    const end = start + HEADER_BYTES + view.getUint32(start) + CHECKSUM_BYTES;
    if (end > bytes.length) return;
    yield { name: String.fromCharCode(...bytes.subarray(start + 4, start + HEADER_BYTES)), start, end };
    start = end;
  }
}

/** The text of a file: which encoding it is in, and its characters piece by piece. */
import { closeSync, openSync, readSync } from "node:fs";
import { READ_CHUNK_BYTES } from "../base/limits.ts";

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** The encoding of a byte order mark, or null. */
export function markedEncoding(bytes: Uint8Array): TextEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : null;
}

/**
 * Follows the pieces of a file without a mark: UTF-8 as long as it is valid. At the first piece that is not, it stays
 * UTF-8 with a few damaged characters when most of what lies beyond ASCII is valid, and is Windows-1252 otherwise.
 */
class EncodingGuess {
  private readonly strict = new TextDecoder("utf-8", { fatal: true });
  private decided: TextEncoding | null = null;

  /** True when further pieces change nothing. */
  take(piece: Uint8Array): boolean {
    if (this.decided !== null) return true;
    try {
      this.strict.decode(piece, { stream: true });
      return false;
    } catch {
      this.decided = mostlyUtf8(piece) ? "utf-8" : "windows-1252";
      return true;
    }
  }

  get encoding(): TextEncoding {
    return this.decided ?? "utf-8";
  }
}

function mostlyUtf8(piece: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(piece);
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return whole > damaged;
}

/** The encoding of text of which `bytes` is the beginning, or all. A character cut at the end is no damage. */
export function encodingOf(bytes: Uint8Array): TextEncoding {
  const guess = new EncodingGuess();
  guess.take(bytes);
  return markedEncoding(bytes) ?? guess.encoding;
}

/**
 * The text of `bytes` without its byte order mark, well-formed: what is no character becomes U+FFFD, and a NUL, which
 * no store takes and which stands for nothing, a space.
 */
export function decodeText(bytes: Uint8Array): string {
  return withoutNuls(new TextDecoder(encodingOf(bytes)).decode(bytes));
}

function withoutNuls(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", " ") : text;
}

/** The bytes of a file in pieces of READ_CHUNK_BYTES. Each is good until the next is asked for. */
export function* filePieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    const buffer = new Uint8Array(READ_CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

/** The encoding of a whole file: it is read once, unless its beginning tells. */
export function fileEncoding(path: string): TextEncoding {
  const guess = new EncodingGuess();
  let first = true;
  for (const piece of filePieces(path)) {
    const marked = first ? markedEncoding(piece) : null;
    if (marked !== null) return marked;
    first = false;
    if (guess.take(piece)) break;
  }
  return guess.encoding;
}

/** What `decodeText` gives for the file, piece by piece. */
export function* textPieces(path: string): Generator<string> {
  const decoder = new TextDecoder(fileEncoding(path));
  for (const piece of filePieces(path)) yield withoutNuls(decoder.decode(piece, { stream: true }));
  yield withoutNuls(decoder.decode());
}

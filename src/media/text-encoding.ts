/** The text of a file: which encoding it is in, and its characters piece by piece. */
import { closeSync, openSync, readSync } from "node:fs";
import { READ_CHUNK_BYTES } from "../base/limits.ts";

/** A label of the WHATWG encoding standard. */
export type TextEncoding = ConstructorParameters<typeof TextDecoder>[0];

/** The encoding of a byte order mark, or null. */
export function markedEncoding(bytes: Uint8Array): TextEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : null;
}

/**
 * Follows the pieces of a file without a mark: UTF-8 as long as it is valid. At the first piece that is not, it stays
 * UTF-8 with a few damaged characters when most of what lies beyond ASCII is valid, and is `otherwise` if not.
 */
class EncodingGuess {
  private readonly strict = new TextDecoder("utf-8", { fatal: true });
  private decided: TextEncoding | null = null;
  /** Bytes less characters so far: 0 for ASCII. */
  private beyondAscii = 0;
  private last = new Uint8Array(0);

  constructor(private readonly otherwise: TextEncoding = "windows-1252") {}

  /** True when further pieces change nothing. */
  take(piece: Uint8Array): boolean {
    if (this.decided !== null) return true;
    try {
      this.last = piece.slice(-CUT_MAX_BYTES);
      this.beyondAscii += piece.length - this.strict.decode(piece, { stream: true }).length;
      return false;
    } catch {
      this.decided = mostlyUtf8(piece) ? "utf-8" : this.otherwise;
      return true;
    }
  }

  get encoding(): TextEncoding {
    return this.decided ?? "utf-8";
  }

  /** The encoding when nothing follows: what would be the beginning of a character is a byte of its own, if it is the only one beyond ASCII. */
  end(): TextEncoding {
    try {
      if (this.decided === null) this.strict.decode();
    } catch {
      const cut = this.last.length - this.last.findLastIndex((byte) => byte >= 0xc0);
      this.decided = this.beyondAscii > cut ? "utf-8" : this.otherwise;
    }
    return this.encoding;
  }
}

/** Bytes of a character in UTF-8 that may be there without the last. */
const CUT_MAX_BYTES = 3;

function mostlyUtf8(piece: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(piece);
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return whole > damaged;
}

/** The encoding of text that begins with `bytes`, or, if `whole`, is no more. */
export function encodingOf(bytes: Uint8Array, { whole = false } = {}): TextEncoding {
  const guess = new EncodingGuess();
  guess.take(bytes);
  return markedEncoding(bytes) ?? (whole ? guess.end() : guess.encoding);
}

/**
 * The text of `bytes` without its byte order mark, well-formed: what is no character becomes U+FFFD, and a NUL, which
 * no store takes and which stands for nothing, a space.
 */
export function decodeText(bytes: Uint8Array): string {
  return withoutNuls(new TextDecoder(encodingOf(bytes, { whole: true })).decode(bytes));
}

function withoutNuls(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", " ") : text;
}

/** The bytes of a file in pieces of READ_CHUNK_BYTES. Each is good until the next is asked for. */
function* filePieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    const buffer = new Uint8Array(READ_CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

const CHARSET = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})/i;
/** A page names its encoding within this much. */
const CHARSET_MAX_BYTES = 1_024;

/** The encoding that an HTML page names; null when it names none, or none that there is. */
function namedEncoding(page: Uint8Array): TextEncoding | null {
  const name = CHARSET.exec(new TextDecoder("windows-1252").decode(page.subarray(0, CHARSET_MAX_BYTES)))?.[1];
  // A page that can say "utf-16" in ASCII is not in it.
  if (name === undefined || /^utf-?16/i.test(name)) return null;
  try {
    return new TextDecoder(name as TextEncoding).encoding as TextEncoding;
  } catch {
    return null;
  }
}

/** The encoding of a whole file: it is read once, unless its beginning tells. */
function fileEncoding(path: string, html: boolean): TextEncoding {
  let guess: EncodingGuess | null = null;
  for (const piece of filePieces(path)) {
    const marked = guess === null ? markedEncoding(piece) : null;
    if (marked !== null) return marked;
    guess ??= new EncodingGuess((html ? namedEncoding(piece) : null) ?? undefined);
    if (guess.take(piece)) break;
  }
  return guess?.end() ?? "utf-8";
}

/** What `decodeText` gives for the file, piece by piece. `html`: a page may name the encoding that it is in. */
export function* textPieces(path: string, { html = false } = {}): Generator<string> {
  const decoder = new TextDecoder(fileEncoding(path, html));
  for (const piece of filePieces(path)) yield withoutNuls(decoder.decode(piece, { stream: true }));
  yield withoutNuls(decoder.decode());
}

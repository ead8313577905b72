/** The text of a file: its encoding, and its characters piece by piece. */
import { closeSync, openSync, readSync } from "node:fs";
import { READ_CHUNK_BYTES } from "../base/limits.ts";
import { amount } from "./amount.ts";
import { detectedEncoding, type TextEncoding, unmarkedEncoding } from "./encoding-detector.ts";

/** The encoding of a byte order mark, or null. */
export function markedEncoding(bytes: Uint8Array): TextEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : null;
}

/**
 * Guesses the encoding of a file without a byte order mark, piece by piece: UTF-8 as long as it is valid. The first piece
 * that is not decides: UTF-8 with damaged characters if most of those beyond ASCII are valid, else `named`, else what the
 * detector says of the piece, else Western.
 */
class EncodingGuess {
  private readonly strict = new TextDecoder("utf-8", { fatal: true });
  private decided: TextEncoding | null = null;
  /** Bytes less characters so far: 0 for ASCII. */
  private beyondAscii = 0;
  private last = new Uint8Array(0);

  constructor(private readonly named: TextEncoding | null = null) {}

  /** True when it is decided: further pieces change nothing. */
  take(piece: Uint8Array): boolean {
    if (this.decided !== null) return true;
    try {
      this.last = piece.slice(-CUT_MAX_BYTES);
      this.beyondAscii += piece.length - this.strict.decode(piece, { stream: true }).length;
      return false;
    } catch {
      this.decided = mostlyUtf8(piece) ? "utf-8" : (this.named ?? detectedEncoding(piece) ?? WESTERN);
      return true;
    }
  }

  get encoding(): TextEncoding {
    return this.decided ?? "utf-8";
  }

  /** The encoding of the whole: when the last character is cut, UTF-8 only if another character beyond ASCII is valid. */
  end(): TextEncoding {
    try {
      if (this.decided === null) this.strict.decode();
    } catch {
      const cut = this.last.length - this.last.findLastIndex((byte) => byte >= 0xc0);
      this.decided = this.beyondAscii > cut ? "utf-8" : (this.named ?? WESTERN);
    }
    return this.encoding;
  }
}

const WESTERN: TextEncoding = "windows-1252";
/** So many characters beyond ASCII must be valid for one that is not: of two bytes of a Chinese text, every other is a character of UTF-8 too. */
const UTF8_MIN_LEAD = 3;
/** The most bytes of a UTF-8 character without its last one. */
const CUT_MAX_BYTES = 3;

function mostlyUtf8(piece: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(piece);
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return whole > damaged * UTF8_MIN_LEAD;
}

/** The encoding of a text by its first bytes. */
export function encodingOf(bytes: Uint8Array): TextEncoding {
  const guess = new EncodingGuess();
  guess.take(bytes);
  return markedEncoding(bytes) ?? unmarkedEncoding(bytes) ?? guess.encoding;
}

/** The bytes of a file in pieces of READ_CHUNK_BYTES. Each is valid until the next. */
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

/** The encoding that an HTML page names; null when it names none or an unknown one. */
function namedEncoding(page: Uint8Array): TextEncoding | null {
  const name = CHARSET.exec(new TextDecoder("windows-1252").decode(page.subarray(0, CHARSET_MAX_BYTES)))?.[1];
  // A page that names UTF-16 in ASCII is not UTF-16.
  if (name === undefined || /^utf-?16/i.test(name)) return null;
  try {
    return new TextDecoder(name as TextEncoding).encoding as TextEncoding;
  } catch {
    return null;
  }
}

/** The encoding of a whole file: reads it to the end, or until it is decided. `guessed`: neither a mark, the page itself nor valid UTF-8 tells it. */
function fileEncoding(path: string, html: boolean): { encoding: TextEncoding; guessed: boolean } {
  let guess: EncodingGuess | null = null;
  let named: TextEncoding | null = null;
  for (const piece of filePieces(path)) {
    const marked = guess === null ? markedEncoding(piece) : null;
    if (marked !== null) return { encoding: marked, guessed: false };
    const unmarked = guess === null ? unmarkedEncoding(piece) : null;
    if (unmarked !== null) return { encoding: unmarked, guessed: true };
    if (guess === null && html) named = namedEncoding(piece);
    guess ??= new EncodingGuess(named);
    if (guess.take(piece)) break;
  }
  const encoding = guess?.end() ?? "utf-8";
  return { encoding, guessed: encoding !== "utf-8" && encoding !== named };
}

/**
 * The text of a file piece by piece, without its byte order mark, well-formed: invalid bytes become U+FFFD, and NUL, which
 * the stores refuse, a space. `html`: a page may name its encoding. `notes` gets, behind the last piece, a guessed encoding
 * and how many characters could not be read, for people.
 */
export function* textPieces(path: string, { html = false, notes = [] as string[] } = {}): Generator<string> {
  const { encoding, guessed } = fileEncoding(path, html);
  const decoder = new TextDecoder(encoding);
  let damaged = 0;
  const clean = (piece: string) => {
    for (let at = piece.indexOf("\ufffd"); at !== -1; at = piece.indexOf("\ufffd", at + 1)) damaged += 1;
    return piece.replaceAll("\0", " ");
  };
  for (const piece of filePieces(path)) yield clean(decoder.decode(piece, { stream: true }));
  yield clean(decoder.decode());
  if (guessed) notes.push(`the file does not say its encoding: it was read as ${encoding}, which its bytes look like`);
  if (damaged > 0) notes.push(`${amount(damaged, "character")} could not be read: each is shown as \ufffd`);
}

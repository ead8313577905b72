/** Owns chardet: the encoding of a text that is not UTF-8, by its bytes. */
import { analyse } from "chardet";
import { ENCODING_SAMPLE_BYTES } from "../base/limits.ts";

/** A label of the WHATWG encoding standard. */
export type TextEncoding = ConstructorParameters<typeof TextDecoder>[0];

/** The least confidence (0-100) of an encoding of several bytes a character: others score at most 25 on text in one of them. */
const WIDE_MIN_CONFIDENCE = 60;
/** Another Latin alphabet than the Western one is believed when it scores so many points more: French scores 12 more as Baltic, Polish and Czech 20 more as Central European. */
const LATIN_MIN_LEAD = 16;
/** Words with letters beyond ASCII that have no others, as a share: above it the text is in another alphabet than the Latin one. */
const OTHER_ALPHABET_MIN_SHARE = 0.5;
/** What a text gains of which every sign beyond ASCII is a letter, none of them a capital: Cyrillic read in the wrong encoding has the cases exchanged. */
const LETTERS_POINTS = 100;

/** Fewer bytes tell nothing. */
const UTF16_MIN_BYTES = 16;
/** Of the pairs of bytes of UTF-16 text, so many have a zero on one side, and so few on the other. */
const ZEROS_MIN_SHARE = 0.4;
const OTHER_ZEROS_MAX_SHARE = 0.05;
/** Characters that no text has, as a share of it: in UTF-16, and in what is UTF-8 or a damaged form of it. */
const STRANGE_MAX_SHARE = 0.01;
const UTF8_STRANGE_MAX_SHARE = 0.05;
/** Characters without a meaning in any text, and those that stand for damaged ones. */
const STRANGE = /(?![\t\n\v\f\r])[\p{Cc}\p{Cs}\p{Co}\p{Cn}\ufffd]/gu;
/** ISO-2022-JP changes between ASCII and JIS X 0208 by these escapes. */
const JIS_ESCAPES = ["\u001b$B", "\u001b$@"];

const WIDE: ReadonlySet<string> = new Set(["Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GB18030", "ISO-2022-JP", "ISO-2022-KR"]);
const LATIN: Readonly<Record<string, TextEncoding>> = {
  "windows-1250": "windows-1250",
  "ISO-8859-2": "iso-8859-2",
  "windows-1254": "windows-1254",
  "ISO-8859-9": "windows-1254",
  "windows-1257": "windows-1257",
} as Record<string, TextEncoding>;
const WESTERN: ReadonlySet<string> = new Set(["ISO-8859-1", "windows-1252"]);
/** Alphabets part their words: what has so few blanks is no text in one of them, but bytes that happen to be letters. */
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const BLANKS_MIN_SHARE = 0.005;
const ALPHABETS = [
  "windows-1251",
  "koi8-r",
  "iso-8859-5",
  "windows-1253",
  "iso-8859-7",
  "windows-1255",
  "iso-8859-8",
  "windows-1256",
  "iso-8859-6",
  "ibm866",
];
/** Tried even where the detector does not name them. */
const CYRILLIC: ReadonlySet<string> = new Set(["windows-1251", "koi8-r", "ibm866"]);

/** The encoding of `bytes`, the beginning of a text that is not UTF-8; null where nothing tells it. */
export function detectedEncoding(bytes: Uint8Array): TextEncoding | null {
  const sample = bytes.subarray(0, ENCODING_SAMPLE_BYTES);
  const words = wordsBeyondAscii(sample);
  if (words.others < OTHER_ALPHABET_MIN_SHARE) return latin(analyse(sample));
  // Beside a text that is mostly ASCII its few other words would not count.
  const found = analyse(words.bytes);
  const best = found[0];
  if (best !== undefined && WIDE.has(best.name) && best.confidence >= WIDE_MIN_CONFIDENCE) return known(best.name);
  if (sample.filter((byte) => BLANKS.has(byte)).length < sample.length * BLANKS_MIN_SHARE) return null;
  return alphabet(words.bytes, new Map(found.map(({ name, confidence }) => [name.toLowerCase(), confidence])));
}

/** The encoding of a file without a byte order mark whose bytes are not told from ASCII by their values: UTF-16 or ISO-2022-JP; null for others. `bytes`: its beginning. */
export function unmarkedEncoding(bytes: Uint8Array): TextEncoding | null {
  const sample = bytes.subarray(0, ENCODING_SAMPLE_BYTES);
  if (sample.length < UTF16_MIN_BYTES) return null;
  const zeros: [number, number] = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  const pairs = sample.length / 2;
  if (odd > pairs * ZEROS_MIN_SHARE && even < pairs * OTHER_ZEROS_MAX_SHARE) return "utf-16le";
  if (even > pairs * ZEROS_MIN_SHARE && odd < pairs * OTHER_ZEROS_MAX_SHARE) return "utf-16be";
  if (even + odd > 0) return otherUtf16(sample);
  const text = Buffer.from(sample).toString("latin1");
  return JIS_ESCAPES.some((sequence) => text.includes(sequence)) ? "iso-2022-jp" : null;
}

/** UTF-16 of other alphabets, in which only blanks, line ends and digits have a zero: what makes a text in one order makes none in the other, nor as UTF-8. */
function otherUtf16(sample: Uint8Array): TextEncoding | null {
  if (strangeShare(new TextDecoder("utf-8").decode(sample)) <= UTF8_STRANGE_MAX_SHARE) return null;
  const orders = (["utf-16le", "utf-16be"] as const).map((encoding) => {
    const text = new TextDecoder(encoding).decode(sample.subarray(0, sample.length - (sample.length % 2)));
    const blanks = text.match(/[ \r\n]/g)?.length ?? 0;
    return { encoding, strange: strangeShare(text), points: blanks / text.length - strangeShare(text) };
  });
  const [best] = orders.toSorted((one, two) => two.points - one.points);
  return best !== undefined && best.points > 0 && best.strange <= STRANGE_MAX_SHARE ? best.encoding : null;
}

function strangeShare(text: string): number {
  return (text.match(STRANGE)?.length ?? 0) / Math.max(1, text.length);
}

/** The words with letters beyond ASCII, and the share of those that are nothing else; below 0xc0 the signs of most alphabets stand. */
function wordsBeyondAscii(sample: Uint8Array): { bytes: Uint8Array; others: number } {
  const words =
    Buffer.from(sample)
      .toString("latin1")
      .match(/[^\s,;:=<>()"']*[\x80-\xff][^\s,;:=<>()"']*/g) ?? [];
  const others = words.filter((word) => /^[^A-Za-z]*[\x80-\xff]{2}[^A-Za-z]*$/.test(word) || /[\x80-\xff]{3}/.test(word)).length;
  return { bytes: Buffer.from(words.join(" "), "latin1"), others: others / Math.max(1, words.length) };
}

function alphabet(sample: Uint8Array, scores: ReadonlyMap<string, number>): TextEncoding | null {
  let best: { name: string; points: number } | null = null;
  for (const name of ALPHABETS) {
    const score = scores.get(name) ?? (CYRILLIC.has(name) ? 0 : null);
    if (score === null) continue;
    const text = new TextDecoder(known(name) ?? "utf-8").decode(sample);
    if (strangeShare(text) > STRANGE_MAX_SHARE) continue;
    const signs = text.match(/[^\p{ASCII}]/gu) ?? [];
    const letters = signs.filter((sign) => /[\p{Ll}\p{Lo}]/u.test(sign)).length;
    const points = score + (letters / Math.max(1, signs.length)) * LETTERS_POINTS;
    if (best === null || points > best.points) best = { name, points };
  }
  return best === null ? null : known(best.name);
}

function latin(found: readonly { name: string; confidence: number }[]): TextEncoding | null {
  const western = Math.max(0, ...found.filter(({ name }) => WESTERN.has(name)).map(({ confidence }) => confidence));
  const other = found.find(({ name }) => name in LATIN);
  return other !== undefined && other.confidence >= western + LATIN_MIN_LEAD ? (LATIN[other.name] ?? null) : null;
}

/** The name as TextDecoder has it; null when it has none. */
function known(name: string): TextEncoding | null {
  try {
    return new TextDecoder(name as TextEncoding).encoding as TextEncoding;
  } catch {
    return null;
  }
}

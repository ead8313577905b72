/** Owns chardet: the encoding of a text that is not UTF-8, by its bytes. */
import { analyse } from "chardet";
import { ENCODING_SAMPLE_BYTES } from "../base/limits.ts";

/** A label of the WHATWG encoding standard. */
export type TextEncoding = ConstructorParameters<typeof TextDecoder>[0];

/** The least confidence (0-100) of an encoding of several bytes a character: others score at most 25 on text in one of them. */
const WIDE_MIN_CONFIDENCE = 60;
/** Another Latin alphabet than the Western one is believed when it scores so many points more: French scores 12 more as Baltic, Polish and Czech 20 more as Central European. */
const LATIN_MIN_LEAD = 16;
/** A text whose letters are mostly beyond ASCII is in another alphabet; of Latin ones few are. */
const OTHER_ALPHABET_MIN_SHARE = 0.5;
/** What a text with letters in lower case only gains: Cyrillic read in the wrong encoding has the cases exchanged. */
const LOWER_CASE_POINTS = 50;

/** Fewer bytes tell nothing. */
const UTF16_MIN_BYTES = 16;
/** Of the pairs of bytes of UTF-16 text, so many have a zero on one side, and so few on the other. */
const ZEROS_MIN_SHARE = 0.4;
const OTHER_ZEROS_MAX_SHARE = 0.05;

const WIDE: ReadonlySet<string> = new Set(["Shift_JIS", "EUC-JP", "EUC-KR", "Big5", "GB18030", "ISO-2022-JP", "ISO-2022-KR"]);
const LATIN: Readonly<Record<string, TextEncoding>> = {
  "windows-1250": "windows-1250",
  "ISO-8859-2": "iso-8859-2",
  "windows-1254": "windows-1254",
  "ISO-8859-9": "windows-1254",
  "windows-1257": "windows-1257",
} as Record<string, TextEncoding>;
const WESTERN: ReadonlySet<string> = new Set(["ISO-8859-1", "windows-1252"]);
const ALPHABETS = ["windows-1251", "koi8-r", "iso-8859-5", "windows-1253", "iso-8859-7", "windows-1255", "iso-8859-8", "windows-1256", "iso-8859-6"];
/** Tried even where the detector does not name them. */
const CYRILLIC: ReadonlySet<string> = new Set(["windows-1251", "koi8-r"]);

/** The encoding of `bytes`, the beginning of a text that is not UTF-8; null where nothing tells it. */
export function detectedEncoding(bytes: Uint8Array): TextEncoding | null {
  const sample = bytes.subarray(0, ENCODING_SAMPLE_BYTES);
  const found = analyse(sample);
  const best = found[0];
  if (best !== undefined && WIDE.has(best.name) && best.confidence >= WIDE_MIN_CONFIDENCE) return known(best.name);
  const scores = new Map(found.map(({ name, confidence }) => [name.toLowerCase(), confidence]));
  return shareBeyondAscii(sample) >= OTHER_ALPHABET_MIN_SHARE ? alphabet(sample, scores) : latin(found);
}

/** UTF-16 without a byte order mark, by the first bytes of a file: every other byte of ASCII in it is zero. */
export function unmarkedUtf16(bytes: Uint8Array): TextEncoding | null {
  const sample = bytes.subarray(0, ENCODING_SAMPLE_BYTES);
  if (sample.length < UTF16_MIN_BYTES) return null;
  const zeros: [number, number] = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  const pairs = sample.length / 2;
  if (odd > pairs * ZEROS_MIN_SHARE && even < pairs * OTHER_ZEROS_MAX_SHARE) return "utf-16le";
  return even > pairs * ZEROS_MIN_SHARE && odd < pairs * OTHER_ZEROS_MAX_SHARE ? "utf-16be" : null;
}

/** Of the letters; below 0xc0 the signs of most alphabets stand. */
function shareBeyondAscii(sample: Uint8Array): number {
  let [letters, beyond] = [0, 0];
  for (const byte of sample) {
    if (byte >= 0xc0) beyond += 1;
    else if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) letters += 1;
  }
  return beyond / Math.max(1, beyond + letters);
}

function alphabet(sample: Uint8Array, scores: ReadonlyMap<string, number>): TextEncoding | null {
  let best: { name: string; points: number } | null = null;
  for (const name of ALPHABETS) {
    const score = scores.get(name) ?? (CYRILLIC.has(name) ? 0 : null);
    if (score === null) continue;
    const letters = new TextDecoder(known(name) ?? "utf-8").decode(sample).match(/[^\p{ASCII}]/gu) ?? [];
    const lower = letters.filter((letter) => /\p{Ll}/u.test(letter)).length;
    const points = score + (lower / Math.max(1, letters.length)) * LOWER_CASE_POINTS;
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

/** What a file is, by its content. The name decides only between kinds of text. */
import { Fault } from "../base/fault.ts";
import type { FileFormat } from "../domain/media.ts";
import { looksLikeLog } from "./log/shape.ts";
import { encodingOf, markedEncoding } from "./text-encoding.ts";

export const DOCX_MIME = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const TAKEN =
  "pictures (JPEG, PNG, WebP, GIF, BMP, TIFF), documents (PDF, DOCX, HTML, Markdown, plain text), sound (WAV, MP3, FLAC, Ogg Vorbis, Ogg Opus), video (MP4, WebM, MKV) and logs";

const picture = (mime: string): FileFormat => ({ kind: "picture", mime });
const documentOf = (mime: string): FileFormat => ({ kind: "document", mime });
const sound = (mime: string): FileFormat => ({ kind: "sound", mime });
const video = (mime: string): FileFormat => ({ kind: "video", mime });

/** Bytes, as Latin-1, by their offset. */
type Signature = Readonly<Record<number, string>>;

/** Beginnings that tell a format by themselves: what it is, or why it is not taken in. */
const SIGNATURES: readonly (readonly [FileFormat | string, ...Signature[]])[] = [
  [picture("image/jpeg"), { 0: "\xff\xd8\xff" }],
  [picture("image/png"), { 0: "\x89PNG\r\n\x1a\n" }],
  [picture("image/webp"), { 0: "RIFF", 8: "WEBP" }],
  [picture("image/gif"), { 0: "GIF87a" }, { 0: "GIF89a" }],
  [
    picture("image/bmp"),
    ...["\x0c", "\x28", "\x34", "\x38", "\x40", "\x6c", "\x7c"].map((header) => ({ 0: "BM", 6: "\0\0\0\0", 14: `${header}\0\0\0` })),
  ],
  [picture("image/tiff"), { 0: "II*\0" }, { 0: "MM\0*" }],
  [sound("audio/wav"), { 0: "RIFF", 8: "WAVE" }, { 0: "RF64", 8: "WAVE" }, { 0: "BW64", 8: "WAVE" }],
  [sound("audio/flac"), { 0: "fLaC" }],
  [documentOf("application/pdf"), { 0: "%PDF-" }],
  ["a BigTIFF picture is not taken in: save it as TIFF or PNG", { 0: "II+\0" }, { 0: "MM\0+" }],
  ["an AVI video is not taken in: convert it to MP4", { 0: "RIFF", 8: "AVI " }],
  ["an AIFF sound is not taken in: convert it to WAV or FLAC", { 0: "FORM", 8: "AIFF" }, { 0: "FORM", 8: "AIFC" }],
  ["a Flash video is not taken in: convert it to MP4", { 0: "FLV\x01" }],
  ["an MPEG program stream is not taken in: convert it to MP4", { 0: "\0\0\x01\xba" }, { 0: "\0\0\x01\xb3" }],
  ["an MPEG transport stream is not taken in: convert it to MP4", { 0: "G", 188: "G", 376: "G", 564: "G" }],
  ["a Photoshop picture is not taken in: save it as PNG or JPEG", { 0: "8BPS" }],
  ["an icon file is not taken in: save it as PNG", { 0: "\0\0\x01\0", 5: "\0" }],
  ["a JPEG XL picture is not taken in: save it as PNG or JPEG", { 0: "\xff\x0a" }, { 0: "\0\0\0\x0cJXL " }],
  ["a JPEG 2000 picture is not taken in: save it as PNG or JPEG", { 0: "\0\0\0\x0cjP  " }],
  ["an RTF document is not taken in: save it as DOCX or PDF", { 0: "{\\rtf" }],
  ["a PostScript file is not taken in: convert it to PDF", { 0: "%!PS" }],
  ["a gzip archive is not taken in: unpack it", { 0: "\x1f\x8b" }],
  ["a bzip2 archive is not taken in: unpack it", { 0: "BZh", 4: "1AY&SY" }],
  ["an xz archive is not taken in: unpack it", { 0: "\xfd7zXZ\0" }],
  ["a 7-Zip archive is not taken in: unpack it", { 0: "7z\xbc\xaf\x27\x1c" }],
  ["a RAR archive is not taken in: unpack it", { 0: "Rar!\x1a\x07" }],
  ["a Zstandard archive is not taken in: unpack it", { 0: "\x28\xb5\x2f\xfd" }],
  ["a tar archive is not taken in: unpack it", { 257: "ustar" }],
  ["a cabinet archive is not taken in: unpack it", { 0: "MSCF\0\0\0\0" }],
  ["an executable is not taken in", { 0: "\x7fELF" }, { 0: "\0asm" }, { 0: "MZ\x90\0" }, { 0: "MZ", 78: "This program cannot" }],
  ["an executable is not taken in", { 0: "\xfe\xed\xfa\xce" }, { 0: "\xfe\xed\xfa\xcf" }, { 0: "\xce\xfa\xed\xfe" }, { 0: "\xcf\xfa\xed\xfe" }],
  ["an executable is not taken in", { 0: "\xca\xfe\xba\xbe" }],
  ["a database is not taken in", { 0: "SQLite format 3\0" }],
  [
    "an AAC sound is not taken in: convert it to FLAC or WAV",
    { 0: "ADIF" },
    ...["\xf0", "\xf1", "\xf8", "\xf9"].map((sync) => ({ 0: `\xff${sync}` })),
  ],
];

function signed(start: string): FileFormat | string | null {
  const fits = (signature: Signature) => Object.entries(signature).every(([at, bytes]) => start.startsWith(bytes, Number(at)));
  return SIGNATURES.find(([, ...signatures]) => signatures.some(fits))?.[0] ?? null;
}

/**
 * What a file is. `head`: its first SNIFF_HEAD_BYTES or all; `tail`: its last SNIFF_TAIL_BYTES or all; `bytes`: its
 * length; `name`: its name. A file that would pass for several formats is what its first byte begins; only a PDF may
 * begin within the first KiB, as the format allows, and only when nothing else begins at 0. Errors: Fault `bad_request`
 * that names the format when it is not taken in, and lists those that are when it is unknown.
 */
export function sniff(head: Uint8Array, tail: Uint8Array, bytes: number, name: string): FileFormat {
  if (bytes === 0 || head.length === 0) throw new Fault("bad_request", "the file is empty");
  const start = latin1(head);
  const found = signed(start) ?? container(start, latin1(tail)) ?? mp3(head, bytes) ?? latePdf(start, latin1(tail)) ?? textFormat(head, name);
  if (typeof found === "string") throw new Fault("bad_request", found);
  if (found === null) throw new Fault("bad_request", `the format of this file is not known: Strata takes in ${TAKEN}`);
  return found;
}

/** One character a byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Formats that wrap others: what is inside decides. */
function container(start: string, end: string): FileFormat | string | null {
  if (["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"].includes(start.slice(0, 4))) return zip(start, end);
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return compound(start + end);
  if (start.startsWith("OggS")) return ogg(start);
  if (start.startsWith("\x1a\x45\xdf\xa3")) return matroska(start);
  return ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].includes(start.slice(4, 8)) ? isoMedia(start) : null;
}

/** A ZIP by the names of its entries: the local headers at its beginning, the directory at its end. */
function zip(start: string, end: string): FileFormat | string {
  const names = start + end;
  if (names.includes("word/document.xml") && names.includes("[Content_Types].xml")) return documentOf(DOCX_MIME);
  if (names.includes("[Content_Types].xml") && names.includes("xl/")) return "an Excel workbook is not taken in: save it as PDF or CSV";
  if (names.includes("[Content_Types].xml") && names.includes("ppt/")) return "a PowerPoint presentation is not taken in: save it as PDF";
  if (names.includes("mimetypeapplication/vnd.oasis.opendocument")) return "an OpenDocument file is not taken in: save it as DOCX or PDF";
  if (names.includes("mimetypeapplication/epub+zip")) return "an EPUB book is not taken in: convert it to PDF or HTML";
  return "a ZIP archive is not taken in; unpack it";
}

function compound(ends: string): string {
  if (ends.includes("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0")) return "this Office file is encrypted: remove its password";
  return "an old Office file (.doc, .xls, .ppt, .msg), or an encrypted one, is not taken in: save it as DOCX or PDF, without a password";
}

/** An Ogg stream by the first packet of its first page. */
function ogg(start: string): FileFormat | string {
  const first = start.slice(27, 600);
  if (first.includes("OpusHead") || first.includes("\x01vorbis")) return sound("audio/ogg");
  return "an Ogg file with neither Vorbis nor Opus sound first is not taken in: convert sound to FLAC or Ogg Opus, video to MP4";
}

/** EBML by the document type in its header. */
function matroska(start: string): FileFormat | string {
  // The element DocType: its id, a length of one byte, and the name.
  const at = start.slice(0, 4_096).indexOf("\x42\x82");
  const type = at === -1 ? undefined : /^(?:webm|matroska)/.exec(start.slice(at + 3))?.[0];
  if (type === undefined) return "an EBML file that is neither WebM nor Matroska is not taken in";
  return video(type === "webm" ? "video/webm" : "video/x-matroska");
}

/** The ISO base media family by its major brand. Without one it is an early QuickTime film. */
function isoMedia(start: string): FileFormat | string {
  const brand = start.slice(4, 8) === "ftyp" ? start.slice(8, 12) : "qt  ";
  if (/^(?:hei|hev|mif1|msf1|avi[fs])/.test(brand)) return "a HEIC or AVIF picture is not taken in: save it as JPEG or PNG";
  if (/^M4[AB] $/.test(brand)) return "an M4A sound is not taken in: convert it to FLAC, MP3 or Ogg Opus";
  return video(brand === "qt  " ? "video/quicktime" : "video/mp4");
}

/** Kbit/s of MPEG 1 and of MPEG 2 and 2.5, layer III. */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

/** The length in bytes of the layer III frame at `at`, or null when there is none. */
function mp3Frame(head: Uint8Array, at: number): number | null {
  const [first = 0, second = 0, third = 0] = head.subarray(at, at + 3);
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return null;
  const bitrate = BITRATES[version === 3 ? 0 : 1][third >> 4];
  const rate = SAMPLE_RATES[(third >> 2) & 3];
  if (!bitrate || rate === undefined) return null;
  const halvings = version === 3 ? 0 : version === 2 ? 1 : 2;
  return Math.floor(((version === 3 ? 144 : 72) * bitrate * 1_000) / (rate >> halvings)) + ((third >> 1) & 1);
}

/** An ID3 tag, or two frames one after the other: one sync word alone is a coincidence in one file of 2,000. */
function mp3(head: Uint8Array, bytes: number): FileFormat | null {
  if (head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33 && (head[3] ?? 255) < 5) {
    const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
    const after = 10 + ((a << 21) | (b << 14) | (c << 7) | d);
    return latin1(head.subarray(after, after + 4)) === "fLaC" ? sound("audio/flac") : sound("audio/mpeg");
  }
  const length = mp3Frame(head, 0);
  if (length === null) return null;
  const alone = length >= bytes;
  return alone || mp3Frame(head, length) !== null ? sound("audio/mpeg") : null;
}

/** A PDF behind something else: its header within the first KiB, and its trailer, so that a text about PDF is none. */
function latePdf(start: string, end: string): FileFormat | null {
  if (isMarkup(start)) return null;
  const header = start.slice(0, 1_024 + 8).search(/%PDF-[12]\.\d/);
  const binary = /\P{ASCII}/u.test(start);
  return header > 0 && end.includes("startxref") && binary ? documentOf("application/pdf") : null;
}

/** All but those that lay out a text. */
const CONTROLS = /(?![\b\t\n\v\f\r])\p{Cc}/gu;
const COLOUR_SEQUENCE = "\u001b[";
const EXTENSION = /\.([a-z0-9]{1,10})$/i;
/** Of characters, in the head of a text: more control characters than this are none. */
const CONTROLS_MAX_SHARE = 0.01;
/** Of characters, in a text of one byte each: a Western language has at most a quarter of accents. */
const ACCENTS_MAX_SHARE = 0.3;

function textFormat(head: Uint8Array, name: string): FileFormat | string | null {
  const start = latin1(head);
  // A page may be in any encoding that it names.
  const text = asText(head) ?? (isMarkup(start) ? start : null);
  if (text === null) return null;
  if (isSvg(text)) return "an SVG drawing is not taken in: save it as PNG or PDF";
  const extension = EXTENSION.exec(name)?.[1]?.toLowerCase() ?? "";
  if (/^(?:md|markdown|mkd|mdown)$/.test(extension)) return documentOf("text/markdown");
  if (isMarkup(text) || (/^x?html?$/.test(extension) && /<[a-z!]/i.test(text))) return documentOf("text/html");
  if (extension === "log" || looksLikeLog(text)) return { kind: "log", mime: "text/plain" };
  return documentOf("text/plain");
}

/** The head of a text, or null when it is none. */
function asText(head: Uint8Array): string | null {
  const encoding = encodingOf(head);
  const text = new TextDecoder(encoding).decode(head);
  const controls = text.replaceAll(COLOUR_SEQUENCE, "").match(CONTROLS)?.length ?? 0;
  if (controls > text.length * CONTROLS_MAX_SHARE) return null;
  if (markedEncoding(head) === null && encoding === "windows-1252") {
    const accents = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
    if (controls > 0 || accents > text.length * ACCENTS_MAX_SHARE) return null;
  }
  return text;
}

/** Declarations and comments that may stand before a root element. */
const PROLOGUE = /^(?:\s|<\?[^>]*>|<!--[\s\S]*?-->)*/;

function isMarkup(text: string): boolean {
  const begins = text.replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)/, "").replace(PROLOGUE, "");
  return /^(?:<!doctype html|<(?:html|head|body|title|script|style|iframe|div|table|h1|p|br|a|b|font)[\s/>])/i.test(begins);
}

function isSvg(text: string): boolean {
  const begins = text.replace(/^\ufeff/, "").replace(PROLOGUE, "");
  return /^(?:<!doctype svg|<(?:\w+:)?svg[\s>])/i.test(begins);
}

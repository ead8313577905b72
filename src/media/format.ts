/** Detects the format of a file by its content. The name decides only between kinds of text. */
import { fileTypeFromBuffer } from "file-type/core";
import { Fault } from "../base/fault.ts";
import type { FileFormat } from "../domain/media.ts";
import { frameAt } from "./audio/mp3.ts";
import { encodingOf, markedEncoding } from "./text-encoding.ts";

export const DOCX_MIME = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const CSV_MIME = "text/csv";
export const TSV_MIME = "text/tab-separated-values";
export const JSON_LINES_MIME = "application/x-ndjson";
const TAKEN =
  "pictures (JPEG, PNG, WebP, GIF, BMP, TIFF), documents (PDF, DOCX, HTML, Markdown, plain text, CSV, JSON Lines), sound (WAV, MP3, FLAC, Ogg Vorbis, Ogg Opus), video (MP4, WebM, MKV) and logs";

const picture = (mime: string): FileFormat => ({ kind: "picture", mime });
const documentOf = (mime: string): FileFormat => ({ kind: "document", mime });
const sound = (mime: string): FileFormat => ({ kind: "sound", mime });
const video = (mime: string): FileFormat => ({ kind: "video", mime });

/** What file-type needs of a file, by its documentation. */
const TYPED_BYTES = 4_100;

/** Bytes, as Latin-1, by their offset. */
type Signature = Readonly<Record<number, string>>;

/**
 * Formats with a signature: what a file is taken in as, or why it is refused, and how it is known. A string is a type that
 * file-type gives. An object is a signature of our own, tried first: where file-type accepts two to four bytes that begin
 * texts too (BM, MZ, GIF, BZh, SQLi, MSCF), needs more of a cut or large file than its head (PNG, TIFF), does not know the
 * format (RF64, ADIF), takes it for another one (BigTIFF), or would unpack the file (gzip).
 */
const FORMATS: readonly (readonly [FileFormat | string, ...(string | Signature)[]])[] = [
  [picture("image/jpeg"), "image/jpeg"],
  [picture("image/png"), { 0: "\x89PNG\r\n\x1a\n" }],
  [picture("image/webp"), "image/webp"],
  [picture("image/gif"), { 0: "GIF87a" }, { 0: "GIF89a" }],
  [
    picture("image/bmp"),
    ...["\x0c", "\x28", "\x34", "\x38", "\x40", "\x6c", "\x7c"].map((header) => ({ 0: "BM", 6: "\0\0\0\0", 14: `${header}\0\0\0` })),
  ],
  [picture("image/tiff"), { 0: "II*\0" }, { 0: "MM\0*" }],
  [sound("audio/wav"), "audio/wav", { 0: "RF64", 8: "WAVE" }, { 0: "BW64", 8: "WAVE" }],
  [sound("audio/flac"), "audio/flac"],
  [video("video/webm"), "video/webm"],
  [video("video/x-matroska"), "video/matroska"],
  [documentOf("application/pdf"), "application/pdf"],
  ["a BigTIFF picture is not taken in: save it as TIFF or PNG", { 0: "II+\0" }, { 0: "MM\0+" }],
  ["an AVI video is not taken in: convert it to MP4", "video/vnd.avi"],
  ["an AIFF sound is not taken in: convert it to WAV or FLAC", "audio/aiff"],
  ["a Flash video is not taken in: convert it to MP4", "video/x-flv"],
  ["an MPEG program stream is not taken in: convert it to MP4", "video/mpeg", "video/MP1S", "video/MP2P"],
  ["an MPEG transport stream is not taken in: convert it to MP4", { 0: "G", 188: "G", 376: "G", 564: "G" }],
  ["a Photoshop picture is not taken in: save it as PNG or JPEG", "image/vnd.adobe.photoshop"],
  ["an icon file is not taken in: save it as PNG", "image/x-icon"],
  ["a JPEG XL picture is not taken in: save it as PNG or JPEG", "image/jxl"],
  ["a JPEG 2000 picture is not taken in: save it as PNG or JPEG", "image/jp2", "image/jpx", "image/jpm", "image/mj2"],
  ["an RTF document is not taken in: save it as DOCX or PDF", "application/rtf"],
  ["a PostScript file is not taken in: convert it to PDF", "application/postscript", "application/eps"],
  ["a gzip archive is not taken in: unpack it", { 0: "\x1f\x8b" }],
  ["a bzip2 archive is not taken in: unpack it", { 0: "BZh", 4: "1AY&SY" }],
  ["an xz archive is not taken in: unpack it", "application/x-xz"],
  ["a 7-Zip archive is not taken in: unpack it", "application/x-7z-compressed"],
  ["a RAR archive is not taken in: unpack it", "application/x-rar-compressed"],
  ["a Zstandard archive is not taken in: unpack it", "application/zstd"],
  ["a tar archive is not taken in: unpack it", "application/x-tar"],
  ["a cabinet archive is not taken in: unpack it", { 0: "MSCF\0\0\0\0" }],
  ["an executable is not taken in", "application/x-elf", "application/wasm", "application/x-mach-binary", "application/java-vm"],
  ["an executable is not taken in", { 0: "MZ\x90\0" }, { 0: "MZ", 78: "This program cannot" }],
  ["a database is not taken in", { 0: "SQLite format 3\0" }],
  ["an AAC sound is not taken in: convert it to FLAC or WAV", "audio/aac", { 0: "ADIF" }],
];

function signed(start: string): FileFormat | string | null {
  const fits = (known: string | Signature) =>
    typeof known !== "string" && Object.entries(known).every(([at, bytes]) => start.startsWith(bytes, Number(at)));
  return FORMATS.find(([, ...known]) => known.some(fits))?.[0] ?? null;
}

/** The format by file-type, which also parses what it detects: TYPED_BYTES bound its work on hostile content. */
async function typed(head: Uint8Array): Promise<FileFormat | string | null> {
  const mime = (await fileTypeFromBuffer(head.subarray(0, TYPED_BYTES)).catch(() => undefined))?.mime;
  return mime === undefined ? null : (FORMATS.find(([, ...known]) => known.includes(mime))?.[0] ?? null);
}

/**
 * What a file is. `head`: its first SNIFF_HEAD_BYTES or all; `tail`: its last SNIFF_TAIL_BYTES or all; `bytes`: its
 * length; `name`: its name. A file that would pass for several formats is what its first byte begins; only a PDF may
 * begin within the first KiB, as the format allows, and only when nothing else begins at 0. Errors: Fault `bad_request`
 * that names the format when it is not taken in, and lists those that are when it is unknown.
 */
export async function sniff(head: Uint8Array, tail: Uint8Array, bytes: number, name: string): Promise<FileFormat> {
  if (bytes === 0 || head.length === 0) throw new Fault("bad_request", "the file is empty");
  const [start, end] = [latin1(head), latin1(tail)];
  // Containers and ID3 tags are detected before file-type, which would unpack them or skip the tag.
  const outer = signed(start) ?? container(start, end) ?? mp3(head, bytes);
  const found = outer ?? (await typed(head)) ?? otherEbml(start) ?? latePdf(start, end) ?? textFormat(head, name);
  if (typeof found === "string") throw new Fault("bad_request", found);
  if (found === null) throw new Fault("bad_request", `the format of this file is not known: Strata takes in ${TAKEN}`);
  return found;
}

/** One character a byte. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Container formats, by their content. */
function container(start: string, end: string): FileFormat | string | null {
  if (["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"].includes(start.slice(0, 4))) return zip(start, end);
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return compound(start + end);
  if (start.startsWith("OggS")) return ogg(start);
  return ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].includes(start.slice(4, 8)) ? isoMedia(start) : null;
}

/** A ZIP by the names of its entries, in the local headers at its beginning and the directory at its end. */
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

function otherEbml(start: string): string | null {
  return start.startsWith("\x1a\x45\xdf\xa3") ? "an EBML file that is neither WebM nor Matroska is not taken in" : null;
}

/** The ISO base media family by its major brand; without one it is an early QuickTime film. */
function isoMedia(start: string): FileFormat | string {
  const brand = start.slice(4, 8) === "ftyp" ? start.slice(8, 12) : "qt  ";
  if (/^(?:hei|hev|mif1|msf1|avi[fs])/.test(brand)) return "a HEIC or AVIF picture is not taken in: save it as JPEG or PNG";
  if (/^M4[AB] $/.test(brand)) return "an M4A sound is not taken in: convert it to FLAC, MP3 or Ogg Opus";
  return video(brand === "qt  " ? "video/quicktime" : "video/mp4");
}

/** An ID3 tag, or two frames one after the other: a single sync word occurs by chance in one file of 2,000. */
function mp3(head: Uint8Array, bytes: number): FileFormat | null {
  if (head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33 && (head[3] ?? 255) < 5) {
    const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
    const after = 10 + ((a << 21) | (b << 14) | (c << 7) | d);
    return latin1(head.subarray(after, after + 4)) === "fLaC" ? sound("audio/flac") : sound("audio/mpeg");
  }
  const length = frameAt(head, 0)?.length;
  return length !== undefined && (length >= bytes || frameAt(head, length) !== null) ? sound("audio/mpeg") : null;
}

/** A PDF behind other bytes: its header within the first KiB, and a trailer and binary bytes, which a text about PDF lacks. */
function latePdf(start: string, end: string): FileFormat | null {
  if (isMarkup(start)) return null;
  const header = start.slice(0, 1_024 + 8).search(/%PDF-[12]\.\d/);
  const binary = /\P{ASCII}/u.test(start);
  return header > 0 && end.includes("startxref") && binary ? documentOf("application/pdf") : null;
}

/** Control characters, but for those that lay out a text. */
const CONTROLS = /(?![\b\t\n\v\f\r])\p{Cc}/gu;
const COLOUR_SEQUENCE = "\u001b[";
const EXTENSION = /\.([a-z0-9]{1,10})$/i;
/** The most control characters in a text, as a share of its head. */
const CONTROLS_MAX_SHARE = 0.01;
/** The most characters beyond ASCII in a text of one byte a character: Western languages have at most a quarter. */
const ACCENTS_MAX_SHARE = 0.3;

function textFormat(head: Uint8Array, name: string): FileFormat | string | null {
  const start = latin1(head);
  // An HTML page may be in any encoding, which it names itself.
  const text = asText(head) ?? (isMarkup(start) ? start : null);
  if (text === null) return null;
  if (isSvg(text)) return "an SVG drawing is not taken in: save it as PNG or PDF";
  const extension = EXTENSION.exec(name)?.[1]?.toLowerCase() ?? "";
  if (/^(?:md|markdown|mkd|mdown)$/.test(extension)) return documentOf("text/markdown");
  if (isMarkup(text) || (/^x?html?$/.test(extension) && /<[a-z!]/i.test(text))) return documentOf("text/html");
  if (LOG_NAME.test(name)) return { kind: "log", mime: "text/plain" };
  return documentOf(TABLES[extension] ?? "text/plain");
}

/** Tables by the endings of their names. */
const TABLES: Readonly<Record<string, string>> = {
  csv: CSV_MIME,
  tsv: TSV_MIME,
  tab: TSV_MIME,
  jsonl: JSON_LINES_MIME,
  ndjson: JSON_LINES_MIME,
};

/** What is named as a log: `service.log`, `error_log`, `syslog`, with the number or date of a rotation behind it. */
const LOG_NAME = /\.log(?:[._-][\d-]+)*(?:\.txt)?$|(?:^|[/_-])(?:sys)?log(?:\.[\d-]+)*$/i;

/** The head decoded as text, or null when it is not text. */
function asText(head: Uint8Array): string | null {
  const encoding = encodingOf(head);
  const text = new TextDecoder(encoding).decode(head);
  const marked = markedEncoding(head) !== null;
  if (!marked && encoding !== "utf-8" && damagedShare(text) > CONTROLS_MAX_SHARE) return null;
  const controls = text.replaceAll(COLOUR_SEQUENCE, "").match(CONTROLS)?.length ?? 0;
  if (controls > text.length * CONTROLS_MAX_SHARE) return null;
  if (marked || encoding === "utf-8") return text;
  const accents = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return controls > 0 || (encoding === "windows-1252" && accents > text.length * ACCENTS_MAX_SHARE) ? null : text;
}

function damagedShare(text: string): number {
  return (text.match(/\ufffd/g)?.length ?? 0) / Math.max(1, text.length);
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

import { expect, test } from "bun:test";
import { strToU8, zipSync } from "fflate";
import { DOCX_MIME } from "../../../src/media/format.ts";
import { refusal, sniffed } from "./files.ts";
import { makeDocx, paragraph } from "./make-docx.ts";
import { makePdf } from "./make-pdf.ts";

const raw = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const prose = "It was a bright cold day in April, and the clocks were striking thirteen.\n".repeat(20);

/** Two MPEG 1 layer III frames of 128 kbit/s at 44.1 kHz. */
const mp3 = joined(...[0, 1].map(() => joined(raw("\xff\xfb\x90\x00"), new Uint8Array(413))));

const TAKEN: [string, Uint8Array, string, string][] = [
  ["JPEG", raw("\xff\xd8\xff\xe0\0\x10JFIF"), "picture", "image/jpeg"],
  ["PNG", raw("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "picture", "image/png"],
  ["WebP", raw("RIFF\x10\0\0\0WEBPVP8 "), "picture", "image/webp"],
  ["GIF", raw("GIF89a\x01\0\x01\0"), "picture", "image/gif"],
  ["BMP", raw("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"), "picture", "image/bmp"],
  ["TIFF, little-endian", raw("II*\0\x08\0\0\0"), "picture", "image/tiff"],
  ["TIFF, big-endian", raw("MM\0*\0\0\0\x08"), "picture", "image/tiff"],
  ["PDF", makePdf([{ content: "" }]), "document", "application/pdf"],
  ["PDF after other bytes", joined(raw("\x01\x02\xfe junk\n"), makePdf([{ content: "" }])), "document", "application/pdf"],
  ["DOCX", makeDocx({ body: paragraph("x") }), "document", DOCX_MIME],
  ["HTML", raw("\n <!-- a --><!DOCTYPE html><html></html>"), "document", "text/html"],
  ["WAV", raw("RIFF\x10\0\0\0WAVEfmt "), "sound", "audio/wav"],
  ["MP3", mp3, "sound", "audio/mpeg"],
  ["MP3 behind ID3", raw("ID3\x04\0\0\0\0\0\x01x\xff\xfb\x90\0"), "sound", "audio/mpeg"],
  ["FLAC", raw("fLaC\0\0\0\x22"), "sound", "audio/flac"],
  ["FLAC behind ID3", raw("ID3\x04\0\0\0\0\0\x01xfLaC"), "sound", "audio/flac"],
  ["Ogg Opus", raw(`OggS\0\x02${"\0".repeat(20)}\x01\x13OpusHead`), "sound", "audio/ogg"],
  ["Ogg Vorbis", raw(`OggS\0\x02${"\0".repeat(20)}\x01\x1e\x01vorbis`), "sound", "audio/ogg"],
  ["MP4", raw("\0\0\0\x18ftypisom\0\0\x02\0"), "video", "video/mp4"],
  ["QuickTime", raw("\0\0\0\x14ftypqt  \0\0\0\0"), "video", "video/quicktime"],
  ["QuickTime without a brand", raw("\0\0\0\x08wide\0\0\0\0mdat"), "video", "video/quicktime"],
  ["WebM", raw("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm"), "video", "video/webm"],
  ["Matroska", raw("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska"), "video", "video/x-matroska"],
  ["text", raw(prose), "document", "text/plain"],
  ["UTF-16 text", joined(raw("\xff\xfe"), new Uint8Array(Buffer.from(prose, "utf16le"))), "document", "text/plain"],
  ["Windows-1252 text", raw("Caf\xe9 \x80 10, d\xe9j\xe0 vu. ".repeat(9)), "document", "text/plain"],
  ["text cut within a character", joined(raw(prose), raw("\xe2\x82")), "document", "text/plain"],
  ...["BM", "MZ", "GIF", "BZh", "SQLi", "MSCF", "G"].map((letters): [string, Uint8Array, string, string] => {
    return [`text that begins with ${letters}`, raw(`${letters} ${prose}`), "document", "text/plain"];
  }),
  ["TIFF whose directory lies behind the head", joined(raw("II*\0\0\0\0\x7f"), new Uint8Array(9_000)), "picture", "image/tiff"],
  ["WAV of more than 4 GiB", raw("RF64\xff\xff\xff\xffWAVEds64"), "sound", "audio/wav"],
  ["text about PDF", raw(`A file begins with %PDF-1.7 and ends with startxref.\n${prose}`), "document", "text/plain"],
];

for (const [what, bytes, kind, mime] of TAKEN) {
  test(`${what} is told by its content, whatever its name`, async () => {
    expect(await sniffed(bytes, "holiday.exe")).toEqual({ kind, mime } as never);
  });
}

const REFUSED: [string, Uint8Array, RegExp][] = [
  ["an empty file", raw(""), /empty/],
  ["a ZIP", zipSync({ "a.txt": strToU8("a") }), /ZIP archive .* unpack it/],
  ["a workbook", zipSync({ "[Content_Types].xml": strToU8("a"), "xl/workbook.xml": strToU8("a") }), /Excel/],
  ["gzip", raw("\x1f\x8b\x08\0"), /gzip/],
  ["7-Zip", raw("7z\xbc\xaf\x27\x1c"), /7-Zip/],
  ["RAR", raw("Rar!\x1a\x07\x01\0"), /RAR/],
  ["tar", joined(new Uint8Array(257), raw("ustar\x0000")), /tar archive/],
  ["SVG", raw('<?xml version="1.0"?>\n<!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'), /SVG/],
  ["SVG by its doctype", raw("<!DOCTYPE svg PUBLIC>"), /SVG/],
  ["RTF", raw("{\\rtf1\\ansi}"), /RTF/],
  ["PostScript", raw("%!PS-Adobe-3.0"), /PostScript/],
  ["ELF", raw("\x7fELF\x02\x01"), /executable/],
  ["a Windows program", raw("MZ\x90\0\x03"), /executable/],
  ["old Office", raw("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"), /old Office/],
  ["encrypted Office", raw("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"), /encrypted/],
  ["AVI", raw("RIFF\x10\0\0\0AVI LIST"), /AVI/],
  ["HEIC", raw("\0\0\0\x18ftypheic\0\0"), /HEIC/],
  ["M4A", raw("\0\0\0\x18ftypM4A \0\0"), /M4A/],
  ["AAC", raw("\xff\xf1\x50\x80"), /AAC/],
  ["BigTIFF", raw("II+\0\x08\0\0\0"), /BigTIFF/],
  ["JPEG 2000", raw("\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 "), /JPEG 2000/],
  ["SQLite", raw("SQLite format 3\0"), /database/],
  ["an EBML file of another type", raw("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84else"), /neither WebM nor Matroska/],
  ["Ogg Theora", raw(`OggS\0\x02${"\0".repeat(20)}\x01\x2a\x80theora`), /neither Vorbis nor Opus/],
  ["one MP3 frame and noise", joined(raw("\xff\xfb\x90\x00"), new Uint8Array(2_000).fill(7)), /not known/],
  ["control characters", Uint8Array.from({ length: 500 }, (_, at) => (at * 7) % 32), /not known.*PNG.*PDF.*FLAC/],
  ["bytes of every value", Uint8Array.from({ length: 4_096 }, (_, at) => (at * 167) % 256), /not known/],
];

for (const [what, bytes, reason] of REFUSED) {
  test(`${what}: refused by name`, async () => {
    expect(await refusal(() => sniffed(bytes, "photo.png"))).toMatch(reason);
  });
}

test("the name tells kinds of text apart, and nothing else", async () => {
  expect((await sniffed("# Notes\n", "notes.MD")).mime).toBe("text/markdown");
  expect((await sniffed("<p>Hello</p>", "notes.txt")).mime).toBe("text/html");
  expect((await sniffed("Hello <b>you</b>", "page.htm")).mime).toBe("text/html");
  expect((await sniffed("a line\n", "service.log")).kind).toBe("log");
  expect((await sniffed(prose, "prose.pdf")).mime).toBe("text/plain");
});

test("a polyglot is what its first byte begins", async () => {
  expect((await sniffed(joined(raw("GIF89a\x01\0\x01\0"), makePdf([{ content: "" }])))).mime).toBe("image/gif");
  expect((await sniffed(joined(makePdf([{ content: "" }]), makeDocx({ body: "" })))).mime).toBe("application/pdf");
  expect((await sniffed(joined(raw("<html>\n"), makePdf([{ content: "" }])))).mime).toBe("text/html");
  expect((await sniffed(joined(raw("\xff\xd8\xff\xe0"), zipSync({ "a.txt": strToU8("a") })))).mime).toBe("image/jpeg");
});

test("a log is what is named as one: lines with times are text otherwise", async () => {
  const line = "2024-10-11T22:14:15.003Z INFO started\n".repeat(9);
  for (const name of ["service.log", "service.log.1", "service.log-20241011", "out.log.txt", "error_log", "var/syslog", "syslog.2"])
    expect((await sniffed(line, name)).kind).toBe("log");
  for (const name of ["chat.txt", "transcript", "travel-log.md", "catalog", "log.csv", "logins.txt"])
    expect((await sniffed(line, name)).kind).toBe("document");
});

test("tables in text are what their names say", async () => {
  expect((await sniffed("date,amount\n2024-10-11,5\n", "sums.csv")).mime).toBe("text/csv");
  expect((await sniffed("a\tb\n", "sums.tsv")).mime).toBe("text/tab-separated-values");
  expect((await sniffed('{"a":1}\n', "sums.jsonl")).mime).toBe("application/x-ndjson");
  expect((await sniffed("date,amount\n", "sums.txt")).mime).toBe("text/plain");
});

/** Files that pass for two formats at once: they are what their first byte begins, and the rest is never looked at. */
import { docx, main, zip } from "./archives.ts";
import { bytesOf, noise, repeated } from "./bytes.ts";
import { paragraph } from "../unit/media/make-docx.ts";
import { type HostileFile, refused, taken, UNSEEN } from "./case.ts";
import { lure } from "./lure.ts";
import { PDF_TEXT, sample, sampleDocx, samplePdf } from "./samples.ts";

const archive = () => zip([{ name: "payload.txt", data: Buffer.from(UNSEEN) }]);
const script = `<script>fetch("${lure.url("polyglot")}");${UNSEEN}</script>`;
const page = `<!doctype html><html><body>${script}<p>${UNSEEN}</p></body></html>`;
const withSound = taken("audio_utterance");

export const POLYGLOTS: HostileFile[] = [
  ["a PDF and a ZIP", "a.pdf", () => bytesOf(samplePdf(), archive()), taken("chunk doc_page", { says: [PDF_TEXT] })],
  ["a PDF and a DOCX", "a.docx", () => bytesOf(samplePdf(), docx(main(paragraph(UNSEEN)))), taken("chunk doc_page", { says: [PDF_TEXT] })],
  ["a PDF behind 500 bytes of noise", "a.pdf", () => bytesOf(noise(500), samplePdf()), taken("chunk doc_page", { says: [PDF_TEXT] })],
  [
    "a page with the header of a PDF inside",
    "a.pdf",
    () => `${page.replace(`<p>${UNSEEN}</p>`, `<p>${PDF_TEXT}</p><!-- %PDF-1.4 -->`)}\nstartxref\n`,
    taken("chunk", { says: [PDF_TEXT] }),
  ],
  ["a ZIP and a PDF", "a.pdf", () => bytesOf(archive(), samplePdf()), refused(/ZIP archive is not taken in/)],
  [
    "a GIF and a script",
    "a.js",
    async () => {
      const whole = Buffer.from(await sample("a.gif"));
      return bytesOf(whole, `/*${UNSEEN}*/=1;fetch("${lure.url("gif")}")`);
    },
    taken("image ocr"),
  ],
  ["the header of a GIF and a script", "a.gif", () => `GIF89a/*\0\0*/=1;${UNSEEN}`, refused(/GIF file is/)],
  ["a JPEG and a ZIP", "a.zip", async () => bytesOf(await sample("a.jpg"), archive()), taken("image ocr")],
  ["a JPEG and a page", "a.html", async () => bytesOf(await sample("a.jpg"), page), taken("image ocr")],
  ["a PNG and a page", "a.html", async () => bytesOf(await sample("a.png"), page), taken("image ocr")],
  ["a PNG and a program", "a.exe", async () => bytesOf(await sample("a.png"), "MZ\x90\0", UNSEEN), taken("image ocr")],
  [
    "a BMP and a script",
    "a.sh",
    async () => bytesOf(await sample("a.bmp"), `\n#!/bin/sh\ntouch ${lure.folder}/ran\n`),
    refused(/BMP file is damaged/),
  ],
  ["a TIFF and a PDF", "a.pdf", async () => bytesOf(await sample("a.tiff"), samplePdf()), taken("image ocr")],
  ["a WAV and a ZIP", "a.wav", async () => bytesOf(await sample("a.wav"), archive()), withSound],
  [
    "an MP3 with a page in its tag",
    "a.mp3",
    async () => bytesOf("ID3", [3, 0, 0, 0, 0, 0x7f, 0x7f], Buffer.from(page.padEnd(0x3fff)), await sample("a.mp3")),
    withSound,
  ],
  ["a FLAC and an Ogg", "a.ogg", async () => bytesOf(await sample("a.flac"), await sample("opus.ogg")), withSound],
  ["a DOCX and a page before it", "a.docx", () => bytesOf(`<html><body><p>${PDF_TEXT}</p><!--`, sampleDocx()), taken("chunk", { says: [PDF_TEXT] })],
  ["a picture named a film", "a.mp4", () => sample("a.png"), taken("image ocr")],
  ["a program", "a.txt", () => bytesOf("\x7fELF", noise(500)), refused(/an executable is not taken in/)],
  ["a program for the web", "a.png", () => bytesOf("\0asm", noise(500)), refused(/an executable is not taken in/)],
  ["a gzip bomb", "a.txt", () => Bun.gzipSync(repeated("x", 50_000_000) as Uint8Array<ArrayBuffer>), refused(/gzip archive is not taken in/)],
  ["a tar archive", "a.pdf", () => bytesOf("../../evil".padEnd(257, "\0"), "ustar\x0000", noise(500)), refused(/tar archive is not taken in/)],
  [
    "an encrypted Office file",
    "a.docx",
    () => bytesOf("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", noise(500), "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"),
    refused(/encrypted: remove its password/),
  ],
];

/** What is given to ffmpeg. */
export const FILM_POLYGLOTS: HostileFile[] = [
  ["an MP4 and a ZIP", "a.mp4", async () => bytesOf(await sample("a.mp4"), archive()), taken("audio_utterance ocr video_shot")],
  ["a film named a picture", "a.png", () => sample("a.webm"), taken("audio_utterance ocr video_shot")],
];

/** Pages with known text: what is read of them, word by word, and in which order. */
import { distance } from "fastest-levenshtein";
import type { Picture } from "../../../src/domain/media.ts";
import { type MadePage, makePdf, setLines } from "../../unit/media/make-pdf.ts";
import { mean, share } from "../metrics.ts";
import { figure, table } from "../report.ts";
import type { Stand } from "../stand.ts";
import { between, chance, pick } from "./chance.ts";
import { type MadeFile, takeIn, type WireUnit } from "./door.ts";
import { copied, darkened, fileOf, rendered, rotated, warmed } from "./pixels.ts";
import { exactly, type Part } from "./report.ts";
import { sentencesOf } from "./words.ts";

/** A4 at 150 dpi. */
const PAGE_SIDE = 1_754;
const A4: [number, number] = [595, 842];
const JPEG_QUALITY = 85;
const COPIER_QUALITY = 30;
const PAGES_PER_KIND = 2;
const LEFT = 60;
const TOP = 780;
/** Points of a letter of Helvetica are half its size, roughly. */
const LETTER = 0.5;

/** Text as it stands on a page. */
interface Sheet {
  page: MadePage;
  text: string;
}

type Draw = (seed: number) => Sheet;
/** The file of a page. */
type Make = (sheet: Sheet, seed: number) => Promise<{ extension: string; bytes: Uint8Array }>;

interface Kind {
  name: string;
  draw: Draw;
  make: Make;
}

/** Lines of at most `letters` letters. */
function wrapped(words: readonly string[], letters: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function prose(seed: number, lines: number, letters: number): string[] {
  const words: string[] = [];
  for (const sentence of sentencesOf(seed)) {
    words.push(...sentence.split(" "));
    if (words.join(" ").length > lines * letters) break;
  }
  return wrapped(words, letters).slice(0, lines);
}

function sheetOf(lines: readonly string[], size: number, leading: number, font?: string): Sheet {
  return { page: { content: setLines(lines, { x: LEFT, y: TOP, size, leading }), ...(font === undefined ? {} : { font }) }, text: lines.join("\n") };
}

const plain: Draw = (seed) => sheetOf(prose(seed, 36, 82), 11, 19);
const small: Draw = (seed) => sheetOf(prose(seed, 50, 125), 7.2, 11);

const twoColumns: Draw = (seed) => {
  const size = 10;
  const letters = Math.floor(220 / (size * LETTER));
  const columns = [prose(seed, 34, letters), prose(seed + 1_000, 34, letters)];
  const content = columns.map((lines, at) => setLines(lines, { x: LEFT + at * 250, y: TOP, size, leading: 18 })).join("\n");
  return { page: { content }, text: columns.flat().join("\n") };
};

const COURIER = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>";

const log: Draw = (seed) => {
  const next = chance(seed);
  const lines = Array.from({ length: 36 }, (_, at) => {
    const time = `2026-03-${String(between(next, 1, 28)).padStart(2, "0")} ${String(between(next, 0, 23)).padStart(2, "0")}:${String(at).padStart(2, "0")}:${String(between(next, 10, 59))}`;
    const id = between(next, 2 ** 24, 2 ** 31).toString(16);
    return `${time} ${pick(next, ["INFO", "WARN", "ERROR"])} pump-${between(next, 1, 40)} ${pick(next, ["started", "stopped", "timeout", "restart"])} job=${id} took ${between(next, 1, 9_999)} ms`;
  });
  return sheetOf(lines, 9, 19, COURIER);
};

/** A page without a text layer: its picture alone. */
function scan(picture: Picture, quality: number): { extension: string; bytes: Uint8Array } {
  const { width, height } = picture;
  const size: [number, number] = width > height ? [A4[1], A4[0]] : A4;
  const jpeg = { bytes: fileOf(warmed(picture), "jpg", quality), width, height };
  return { extension: "pdf", bytes: makePdf([{ content: `q ${size[0]} 0 0 ${size[1]} 0 0 cm /Im Do Q`, size, jpeg }]) };
}

function scanned(change: (picture: Picture, seed: number) => Picture = (picture) => picture, quality = JPEG_QUALITY): Make {
  return async ({ page }, seed) => scan(change(await rendered(page, PAGE_SIDE), seed), quality);
}

function photographed(extension: "png" | "tif"): Make {
  return async ({ page }) => ({ extension, bytes: fileOf(await rendered(page, PAGE_SIDE), extension) });
}

const KINDS: readonly Kind[] = [
  { name: "plain", draw: plain, make: scanned() },
  { name: "small print (7 pt)", draw: small, make: scanned() },
  { name: "two columns", draw: twoColumns, make: scanned() },
  { name: "log lines in Courier", draw: log, make: scanned() },
  { name: "turned by 90 degrees", draw: plain, make: scanned((picture) => rotated(picture, 90)) },
  { name: "turned by 180 degrees", draw: plain, make: scanned((picture) => rotated(picture, 180)) },
  { name: "turned by 270 degrees", draw: plain, make: scanned((picture) => rotated(picture, 270)) },
  { name: "skewed by 2 degrees", draw: plain, make: scanned((picture) => rotated(picture, 2)) },
  { name: "copied: noise, pale, JPEG 30", draw: plain, make: scanned((picture, seed) => copied(picture, seed), COPIER_QUALITY) },
  { name: "dark", draw: plain, make: scanned(darkened) },
  { name: "a PNG", draw: plain, make: photographed("png") },
  { name: "a TIFF", draw: plain, make: photographed("tif") },
];

/** The words of the card: runs of letters and digits in capitals. */
function wordsOf(text: string): string[] {
  return text.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
}

/** F1 over the words as a multiset. */
export function wordF1(truth: string, read: string): number {
  const left = new Map<string, number>();
  const [wanted, found] = [wordsOf(truth), wordsOf(read)];
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let same = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    same += 1;
  }
  return wanted.length + found.length === 0 ? 1 : (2 * same) / (wanted.length + found.length);
}

/** Edits of letters by the length of the truth, white space left out: wrong letters, and wrong order. */
export function editRate(truth: string, read: string): number {
  const [a, b] = [truth, read].map((text) => text.replace(/\s+/g, ""));
  return distance(a ?? "", b ?? "") / Math.max(1, (a ?? "").length);
}

/** All that was read of a file, in order. */
function readText(units: readonly WireUnit[]): string {
  const pages = units.filter(({ modality }) => modality === "doc_page");
  const found = pages.length > 0 ? pages : units.filter(({ modality }) => modality === "ocr");
  return found.map(({ text }) => text ?? "").join("\n");
}

interface Made extends MadeFile {
  kind: string;
  text: string;
}

async function makePages(): Promise<Made[]> {
  const made: Made[] = [];
  for (const [number, { name: kind, draw, make }] of KINDS.entries()) {
    for (let copy = 0; copy < PAGES_PER_KIND; copy += 1) {
      const seed = 100 * number + copy;
      const sheet = draw(seed);
      const { extension, bytes } = await make(sheet, seed);
      made.push({ kind, text: sheet.text, name: `page-${number}-${copy}.${extension}`, bytes });
    }
  }
  return made;
}

const LAYER_PAGES = 6;
const LAYERS = [plain, small, twoColumns];

/** PDFs with a text layer. The truth is what is set, line by line. */
function makeLayers(): Made[] {
  return Array.from({ length: LAYER_PAGES }, (_, at) => {
    const { page, text } = (LAYERS[at % LAYERS.length] ?? plain)(5_000 + at);
    return { kind: "layer", text, name: `layer-${at}.pdf`, bytes: makePdf([page]) };
  });
}

export async function pages(stand: Stand): Promise<Part> {
  const made = [...(await makePages()), ...makeLayers()];
  const { units } = await takeIn(stand, "pages", made);
  const read = made.map(({ kind, name, text }) => {
    const found = readText(units.get(name) ?? []);
    return { kind, name, f1: wordF1(text, found), edits: editRate(text, found), exact: found.replace(/\s+/g, " ") === text.replace(/\s+/g, " ") };
  });
  const kinds = KINDS.map(({ name: kind }) => {
    const own = read.filter((one) => one.kind === kind);
    return { kind, pages: own.length, f1: mean(own.map(({ f1 }) => f1)), edits: mean(own.map(({ edits }) => edits)) };
  });
  const scans = read.filter(({ kind }) => kind !== "layer");
  const layers = read.filter(({ kind }) => kind === "layer");
  const all = { f1: mean(scans.map(({ f1 }) => f1)), edits: mean(scans.map(({ edits }) => edits)), exact: share(layers, ({ exact }) => exact) };
  const columns = kinds.find(({ kind }) => kind === "two columns")?.edits ?? 1;
  const rows = [...kinds, { kind: "**all**", pages: scans.length, ...all }];
  return {
    title: "Pages",
    text: table(
      ["page", "pages", "word F1", "letters wrong or out of order"],
      rows.map(({ kind, pages: count, f1, edits }) => [kind, String(count), figure(f1), figure(edits)]),
    ),
    lines: [
      { measured: "OCR, word F1", value: figure(all.f1), card: "0.996 (its own 33 pages of like kinds), 0.962 (receipts)" },
      { measured: "OCR, letters wrong or out of order", value: figure(all.edits), card: "0.0008 (its own pages)" },
      { measured: "two columns, letters wrong or out of order", value: figure(columns), card: "" },
      { measured: "PDFs with a text layer, exact", value: figure(all.exact), card: "" },
    ],
    figures: { kinds, all, pages: read },
    bars: [exactly("text of PDFs with a text layer is exact", all.exact, 1)],
  };
}

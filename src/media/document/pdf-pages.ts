/** The pages of a PDF as Units: their text by the layer or by OCR, and their figures and tables. */
import { Fault } from "../../base/fault.ts";
import { PAGE_OBJECTS_MAX, PAGE_RENDER_SIDE_PIXELS, PDF_PAGE_REGIONS_MAX, TEXT_MAX_BYTES } from "../../base/limits.ts";
import type { Locator } from "../../domain/locator.ts";
import type { Box, ExtractedPart, ExtractedUnit, Extraction, Picture, SourceFile } from "../../domain/media.ts";
import type { Metadata } from "../../domain/unit.ts";
import { openPdf, type PageContent, type Pdf, type PdfPage, WHOLE } from "./pdf.ts";
import { type BlockChunk, chunkBlocks } from "./block-chunks.ts";
import { type Chunk, chunk } from "./chunks.ts";
import { PdfBlocks, type PdfSheet } from "./pdf-blocks.ts";
import { PdfLayout } from "./pdf-layout.ts";
import { shownLabels } from "../labels.ts";
import type { ImageModels, OcrText, Region } from "../models.ts";
import { isReadable } from "./text-layer.ts";
import { crop } from "../image/resize.ts";

/** A page with fewer characters than this in its layer, and drawings, also gets OCR: it may be a scan with a page number. */
const LAYER_MIN_CHARS = 24;
/** A page with pictures whose layer has nothing but what stands at its top and foot, this share of its height each, also gets OCR: a scan that a program has dated or numbered. */
const MARGIN_SHARE = 0.12;
/** A figure or a ruled table has at least this many path segments (three cells, or a small diagram); a few rules have fewer. */
const DRAWING_MIN_SEGMENTS = 16;
/** A caption is at most this far from its figure or table, in page heights. */
const CAPTION_MAX_GAP = 0.08;
/** Regions' boxes are widened by this much, in page sides, for letters that stick out. */
const REGION_SLACK = 0.004;
/** A page is blank when its pixel values differ by at most this: the white of a scan is not even. */
const INK_CONTRAST = 48;

/** Joins the layers of the pages to the text in which the `char_span` of a PDF counts. */
const PAGE_BREAK = "\f";

/** A page that is being worked on. */
interface Sheet {
  page: PdfPage;
  /** From 1. */
  number: number;
  imageModels: ImageModels;
  /** The rendered page; rendered once, on first use. */
  picture(): Picture;
  /** On every Unit of the page. */
  metadata: Metadata;
}

/** The text layer of a page, its chunks, and the path that it ends under. */
interface Layer {
  text: string;
  chunks: readonly BlockChunk[];
  path: string[];
}

/** The text of a page, and where it comes from. */
interface PageText {
  text: string;
  source: "layer" | "ocr";
  chunks: ExtractedUnit[];
  within(box: Box): string;
}

/**
 * A part for each page. `chunk` Units: from the layer with their path and a `char_span` in UTF-16 units into the layers of
 * all pages joined by form feeds (an unreadable layer counts as empty), from the first to the last line of the chunk,
 * whose text has a line for each paragraph and no running heads; from OCR with the `bbox` of their lines. One `doc_page`
 * with the page as its `bbox`. `image_region` for figures and tables. Metadata: page, pages, title. Errors: Fault
 * `bad_request`; those of the image models.
 */
export async function* extractPdf(file: SourceFile, imageModels: ImageModels, from: number): Extraction {
  const pdf = await openPdf(file.path, file.bytes);
  try {
    const blocks = new PdfBlocks(pdf.title, surveyed(pdf), pdf.divisions());
    let readable = 0;
    let sheet = sheetOf(pdf, 0, 0);
    for (let part = 0; part < pdf.pages; part += 1) {
      const next = sheetOf(pdf, part + 1, sheet.offset + sheet.text.length + PAGE_BREAK.length);
      if (sheet.readable) readable += 1;
      // Headings of pages that were read before stand over the later ones.
      const chunks = sheet.text === "" ? [] : [...chunkBlocks(blocks.page(sheet, next.text === "" ? null : next))];
      if (part >= from) {
        const page = pdf.page(part);
        try {
          yield await pagePart(pdf, part, page, imageModels, { text: sheet.text, chunks, path: [...blocks.path] });
        } finally {
          page?.close();
        }
      }
      sheet = next;
    }
    if (readable === 0) throw new Fault("bad_request", "the PDF is damaged: none of its pages can be read");
  } finally {
    pdf.close();
  }
}

/** The layer of the page at `index`, empty where there is none. `readable`: the page can be opened. */
function sheetOf(pdf: Pdf, index: number, offset: number): PdfSheet & { text: string; readable: boolean } {
  const page = index < pdf.pages ? pdf.page(index) : null;
  if (page === null) return { text: "", lines: [], page: index, offset, readable: false };
  try {
    const text = layerOf(page);
    return { text, lines: text === "" ? [] : page.lines(), page: index, offset, readable: true };
  } finally {
    page.close();
  }
}

/** How the document is set, by all its pages. */
function surveyed(pdf: Pdf): PdfLayout {
  const layout = new PdfLayout(pdf.bookmarks(), pdf.title !== null);
  for (let index = 0; index < pdf.pages; index += 1) {
    const page = pdf.page(index);
    if (page !== null && layerOf(page) !== "") layout.survey(page.lines(), index);
    page?.close();
  }
  return layout;
}

/** The page's layer; "" when it is not readable. */
function layerOf(page: PdfPage): string {
  return isReadable(page.text, page.unmapped) ? page.text : "";
}

async function pagePart(pdf: Pdf, part: number, page: PdfPage | null, imageModels: ImageModels, layer: Layer): Promise<ExtractedPart> {
  const number = part + 1;
  const step = { part, progress: number / pdf.pages, stage: "pages" };
  if (page === null) return { ...step, units: [], notes: [`page ${number} is damaged and was left out`] };
  let drawn: Picture | null = null;
  const picture = () => {
    drawn ??= page.render(PAGE_RENDER_SIDE_PIXELS);
    return drawn;
  };
  const metadata: Metadata = { page: number, pages: pdf.pages, ...(pdf.title === null ? {} : { title: pdf.title }) };
  const sheet: Sheet = { page, number, imageModels, picture, metadata };
  const content = page.content();
  if (layer.text === "" && (content.objects === 0 || isBlank(picture())))
    return { ...step, units: [], notes: [`page ${number} is blank and was left out`] };
  const text = await pageText(sheet, layer, content);
  const found = text.source === "ocr" || mayHoldFigure(content) ? await regionUnits(sheet, text) : [];
  return { ...step, units: [...text.chunks, await pageUnit(sheet, text), ...found], notes: [] };
}

async function pageText(sheet: Sheet, layer: Layer, content: PageContent): Promise<PageText> {
  const dense = layer.text.replace(/\s+/g, "").length;
  const sparse = dense < LAYER_MIN_CHARS || (content.images > 0 && isAtMargins(sheet.page));
  if (dense > 0 && !(sparse && mayHoldFigure(content))) return fromLayer(sheet, layer);
  const read = await fromOcr(sheet, layer.path);
  return read.text.replace(/\s+/g, "").length > dense ? read : dense > 0 ? fromLayer(sheet, layer) : read;
}

function isAtMargins(page: PdfPage): boolean {
  return page.textIn({ x: 0, y: MARGIN_SHARE, w: 1, h: 1 - 2 * MARGIN_SHARE }).trim() === "";
}

function fromLayer(sheet: Sheet, { text, chunks }: Layer): PageText {
  const { metadata } = sheet;
  const units = chunks.map((chunk): ExtractedUnit => {
    return { modality: "chunk", path: [...chunk.path], text: chunk.text, locator: chunk.locator, metadata, features: null };
  });
  return { text, source: "layer", chunks: units, within: (box) => sheet.page.textIn(box) };
}

async function fromOcr(sheet: Sheet, path: string[]): Promise<PageText> {
  const { metadata, number, imageModels } = sheet;
  const lines = await imageModels.ocr(sheet.picture());
  const text = lines.map((line) => line.text).join("\n");
  const chunks = chunk(text).map((piece): ExtractedUnit => {
    const locator: Locator = { kind: "bbox", page: number, ...boxOf(linesIn(lines, piece)) };
    return { modality: "chunk", path, text: piece.text, locator, metadata, features: null };
  });
  const within = (box: Box) => rowsText(lines.filter((line) => holdsCentre(box, line.box)));
  return { text, source: "ocr", chunks, within };
}

/** The lines that a chunk of the joined lines comes from. */
function linesIn(lines: readonly OcrText[], { start, end }: Chunk): OcrText[] {
  let at = 0;
  return lines.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from < end && from + text.length > start;
  });
}

/** The box around all, within the page. */
function boxOf(lines: readonly OcrText[]): Box {
  const x = Math.max(0, Math.min(1, ...lines.map(({ box }) => box.x)));
  const y = Math.max(0, Math.min(1, ...lines.map(({ box }) => box.y)));
  const right = Math.min(1, Math.max(x, ...lines.map(({ box }) => box.x + box.w)));
  const bottom = Math.min(1, Math.max(y, ...lines.map(({ box }) => box.y + box.h)));
  return { x, y, w: right - x, h: bottom - y };
}

/** Lines as rows of a table, with a bar between the cells of a row. */
function rowsText(lines: readonly OcrText[]): string {
  const rows: OcrText[][] = [];
  const middle = ({ box }: OcrText) => box.y + box.h / 2;
  for (const line of lines.toSorted((one, two) => middle(one) - middle(two))) {
    const first = rows.at(-1)?.[0];
    if (first !== undefined && middle(line) - middle(first) < Math.min(first.box.h, line.box.h) / 2) rows.at(-1)?.push(line);
    else rows.push([line]);
  }
  const cells = (row: OcrText[]) => row.toSorted((one, two) => one.box.x - two.box.x).map(({ text }) => text);
  return rows.map((row) => cells(row).join(" | ")).join("\n");
}

function holdsCentre(outer: Box, { x, y, w, h }: Box): boolean {
  const [cx, cy] = [x + w / 2, y + h / 2];
  return cx >= outer.x && cx <= outer.x + outer.w && cy >= outer.y && cy <= outer.y + outer.h;
}

/** The `doc_page` Unit: with the page's text, or, without any, with the features of its picture. */
async function pageUnit(sheet: Sheet, { text, source }: PageText): Promise<ExtractedUnit> {
  const locator: Locator = { kind: "bbox", page: sheet.number, ...WHOLE };
  if (text.trim() === "")
    return {
      modality: "doc_page",
      path: [],
      text: null,
      locator,
      metadata: sheet.metadata,
      features: await sheet.imageModels.classify(sheet.picture()),
    };
  return { modality: "doc_page", path: [], text: clipped(text), locator, metadata: { ...sheet.metadata, text_source: source }, features: null };
}

/** At most TEXT_MAX_BYTES of UTF-8, in whole characters. */
function clipped(text: string): string {
  if (text.length * 3 <= TEXT_MAX_BYTES) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(TEXT_MAX_BYTES)).read);
}

/** Whether to run the layout model, which takes 0.3 s: pages of text with at most a few rules have no figure or table. */
function mayHoldFigure({ images, shadings, segments, objects }: PageContent): boolean {
  return images > 0 || shadings > 0 || segments >= DRAWING_MIN_SEGMENTS || objects >= PAGE_OBJECTS_MAX;
}

/** Whether all pixels have nearly the same value. */
function isBlank({ data }: Picture): boolean {
  let [least, most] = [255, 0];
  for (const value of data) {
    if (value < least) least = value;
    if (value > most) most = value;
    if (most - least > INK_CONTRAST) return false;
  }
  return true;
}

async function regionUnits(sheet: Sheet, text: PageText): Promise<ExtractedUnit[]> {
  const picture = sheet.picture();
  const regions = await sheet.imageModels.layout(picture);
  const wanted = regions.filter((region) => region.class === "figure" || region.class === "table").slice(0, PDF_PAGE_REGIONS_MAX);
  const units: ExtractedUnit[] = [];
  for (const region of wanted) {
    const box = onPage(region.box);
    const kind = region.class === "table" ? "table" : "figure";
    const caption = captionOf(region, regions);
    const said = [caption === null ? "" : text.within(loosened(caption.box)), kind === "table" ? text.within(loosened(box)) : ""];
    const features = kind === "figure" ? await sheet.imageModels.classify(cropped(picture, box)) : null;
    const labels = features === null ? [] : await shownLabels(features);
    const words = said.filter((part) => part !== "").join("\n");
    units.push({
      modality: "image_region",
      path: [],
      text: words === "" ? null : clipped(words),
      locator: { kind: "bbox", page: sheet.number, ...box },
      metadata: { ...sheet.metadata, region: kind, ...(labels.length > 0 && { labels }) },
      features,
    });
  }
  return units;
}

/** The nearest caption of the region's kind above or below it. */
function captionOf({ class: kind, box }: Region, regions: readonly Region[]): Region | null {
  const gap = (other: Box) => Math.max(other.y - (box.y + box.h), box.y - (other.y + other.h), 0);
  const beside = (other: Box) => Math.min(other.x + other.w, box.x + box.w) <= Math.max(other.x, box.x);
  const captions = regions.filter((other) => other.class === `${kind}_caption` && !beside(other.box) && gap(other.box) <= CAPTION_MAX_GAP);
  return captions.sort((one, two) => gap(one.box) - gap(two.box))[0] ?? null;
}

function onPage({ x, y, w, h }: Box): Box {
  const [left, top] = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
  return { x: left, y: top, w: Math.max(0, Math.min(1 - left, w - (left - x))), h: Math.max(0, Math.min(1 - top, h - (top - y))) };
}

function loosened({ x, y, w, h }: Box): Box {
  return onPage({ x: x - REGION_SLACK, y: y - REGION_SLACK, w: w + 2 * REGION_SLACK, h: h + 2 * REGION_SLACK });
}

function cropped(picture: Picture, box: Box): Picture {
  const x = Math.min(picture.width - 1, Math.floor(box.x * picture.width));
  const y = Math.min(picture.height - 1, Math.floor(box.y * picture.height));
  const width = Math.max(1, Math.min(picture.width - x, Math.round(box.w * picture.width)));
  return crop(picture, { x, y, width, height: Math.max(1, Math.min(picture.height - y, Math.round(box.h * picture.height))) });
}

/** The page that a locator lies on, or its part at the box. Errors: Fault `not_found`, `bad_request`. */
export async function previewPdf(file: SourceFile, locator: Locator | null, maxSide: number): Promise<Picture> {
  const pdf = await openPdf(file.path, file.bytes);
  try {
    const page = pdf.page(pageIndex(pdf, locator));
    if (page === null) throw new Fault("not_found", "the document has no such page");
    try {
      const box = locator?.kind === "bbox" ? onPage(locator) : WHOLE;
      return page.render(maxSide, box.w > 0 && box.h > 0 ? box : WHOLE);
    } finally {
      page.close();
    }
  } finally {
    pdf.close();
  }
}

function pageIndex(pdf: Pdf, locator: Locator | null): number {
  if (locator?.kind === "bbox") {
    const index = (locator.page ?? 1) - 1;
    if (!Number.isInteger(index) || index < 0 || index >= pdf.pages) throw new Fault("not_found", "the document has no such page");
    return index;
  }
  return locator?.kind === "char_span" ? pageAt(pdf, locator.start) : 0;
}

/** The index of the page whose layer holds `place`, an offset in the joined layers; the last page when it is beyond them. */
function pageAt(pdf: Pdf, place: number): number {
  let offset = 0;
  for (let index = 0; index < pdf.pages; index += 1) {
    const page = pdf.page(index);
    offset += (page === null ? 0 : layerOf(page).length) + PAGE_BREAK.length;
    page?.close();
    if (place < offset) return index;
  }
  return pdf.pages - 1;
}

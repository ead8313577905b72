/** PDF documents: pages, their text layer, counts of what is drawn on them, and their rendering. Scripts, links and attachments are never read. */
import { closeSync, openSync, readSync } from "node:fs";
import { Fault } from "../../base/fault.ts";
import {
  DOCUMENT_MAX_PAGES,
  HEADING_MAX_CHARS,
  PAGE_FORMS_MAX_DEPTH,
  PAGE_OBJECTS_MAX,
  PAGE_TEXT_MAX_CHARS,
  PDF_HEAP_GROWTH_MAX_BYTES,
  PICTURE_MAX_PIXELS,
  PICTURE_MAX_SIDE_PIXELS,
  PICTURES_UNCOLLECTED_MAX_BYTES,
  READ_CHUNK_BYTES,
} from "../../base/limits.ts";
import type { Box, Picture } from "../../domain/media.ts";
import { headingText } from "./blocks.ts";
import { Divisions } from "./pdf-divisions.ts";
import { hyphensMarked, layerText, type PdfLine, pdfLines, tidyLine } from "./pdf-lines.ts";
import { type Bookmark, bookmarksOf } from "./pdf-outline.ts";
import { guarded, type Pdfium, pdfium, released, settle, utf16, withMemory } from "./pdfium.ts";

/** FPDF_GetLastError. */
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
/** FPDF_PAGEOBJ. */
const OBJECT = { path: 2, image: 3, shading: 4, form: 5 } as const;
const BITMAP_BGR = 2;
/** FPDF_ANNOT, FPDF_REVERSE_BYTE_ORDER (red first) and FPDF_RENDER_LIMITEDIMAGECACHE. */
const RENDER_FLAGS = 0x01 | 0x10 | 0x200;
const WHITE = 0xffffffff;
/** Device units along each side of a page, for conversion to page coordinates. */
const DEVICE_UNITS = 100_000;
/** Pages whose words tell what hyphens at line ends are: a preview of any place in a document reads them too. */
const DIVISIONS_PAGES = 100;
/** The least share of the page that a picture covers to be counted: smaller ones are bullets, rules or ornaments. */
const IMAGE_MIN_SHARE = 0.01;

/** Counts of a page's objects, up to PAGE_OBJECTS_MAX, those inside forms included. */
export interface PageContent {
  /** Pictures of at least IMAGE_MIN_SHARE of the page. */
  images: number;
  shadings: number;
  /** Segments of paths: a rule has 2, a rectangle 5. */
  segments: number;
  objects: number;
}

export interface PdfPage {
  /** The text layer in the file's order, well-formed; words that a line end divides are joined. "" without one. */
  text: string;
  /** The lines of `text`, with their places; blank ones too. */
  lines(): PdfLine[];
  /** The share of the layer's characters without a Unicode value in the file; 0 without a layer. */
  unmapped: number;
  content(): PageContent;
  /** The layer's text inside a box of the page as shown. */
  textIn(box: Box): string;
  /** The page, or its part at `crop` (ratios), with a longer side of `maxSide` pixels. Errors: Fault `bad_request` when it cannot be drawn. */
  render(maxSide: number, crop?: Box): Picture;
  close(): void;
}

export interface Pdf {
  pages: number;
  /** Of the file's properties, unless a program left it there. */
  title: string | null;
  /** Its bookmarks; none may be there. No page may be open. */
  bookmarks(): Bookmark[];
  /** What becomes of hyphens at line ends. */
  divisions(): Divisions;
  /** The page at `index`, from 0; null when it is broken. Close it before the next. */
  page(index: number): PdfPage | null;
  /** Frees the document; close its page before. */
  close(): void;
}

/** Opens the PDF at `path`. Errors: Fault `bad_request` when it is encrypted, damaged, empty or longer than DOCUMENT_MAX_PAGES. */
export async function openPdf(path: string, bytes: number): Promise<Pdf> {
  const engine = await pdfium();
  return guarded(engine, () => {
    const loaded = new Loaded(engine, loadFile(engine, path, bytes), bytes);
    try {
      const pages = pageCount(engine, loaded.handle);
      const title = titleOf(engine, loaded.handle);
      return {
        pages,
        title,
        bookmarks: () => guarded(engine, () => bookmarksOf(engine, loaded.fresh())),
        divisions: () => loaded.divisions(),
        page: (index) => guarded(engine, () => openPage(engine, loaded.fresh(), index, () => loaded.divisions())),
        close: () => loaded.close(),
      };
    } catch (error) {
      loaded.close();
      throw error;
    }
  });
}

/** An open document. PDFium keeps every object that it has parsed, so the document is opened anew when its memory has grown. */
class Loaded {
  handle = 0;
  private heap = 0;
  private closed = false;

  constructor(
    private readonly engine: Pdfium,
    private readonly at: number,
    private readonly bytes: number,
  ) {
    this.open();
  }

  /** The handle, after opening the document anew if PDFium's memory has grown by PDF_HEAP_GROWTH_MAX_BYTES. No page may be open. */
  fresh(): number {
    if (this.engine.bytes().length > this.heap + PDF_HEAP_GROWTH_MAX_BYTES) {
      this.engine.calls._FPDF_CloseDocument(this.handle);
      this.open();
    }
    return this.handle;
  }

  private told: Divisions | null = null;

  /** By the words of the first pages: told on first use, whatever page is read, so that a page always has the same text. */
  divisions(): Divisions {
    this.told ??= guarded(this.engine, () => {
      const pages = Math.min(DIVISIONS_PAGES, this.engine.calls._FPDF_GetPageCount(this.handle));
      return new Divisions(Array.from({ length: pages }, (_, index) => rawLayer(this.engine, this.handle, index)));
    });
    return this.told;
  }

  /** May be called again: `fresh` closes a document that cannot be opened anew. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    released(this.engine, () => {
      if (this.handle !== 0) this.engine.calls._FPDF_CloseDocument(this.handle);
      this.engine.calls._free(this.at);
      settle(this.engine);
    });
  }

  private open(): void {
    this.handle = this.engine.calls._FPDF_LoadMemDocument(this.at, this.bytes, 0);
    this.heap = this.engine.bytes().length;
    if (this.handle !== 0) return;
    const fault = openingFault(this.engine.calls._FPDF_GetLastError());
    this.close();
    throw fault;
  }
}

/** Copies the file into PDFium's memory in pieces, so that it is held once. Gives its address. */
function loadFile(engine: Pdfium, path: string, bytes: number): number {
  const at = engine.calls._malloc(Math.max(1, bytes));
  if (at === 0) throw new Fault("bad_request", "the PDF needs more memory than one file may take");
  const file = openSync(path, "r");
  try {
    const heap = engine.bytes();
    for (let done = 0; done < bytes; ) {
      const read = readSync(file, heap, at + done, Math.min(READ_CHUNK_BYTES, bytes - done), done);
      if (read === 0) throw new Fault("bad_request", "the PDF is cut short");
      done += read;
    }
  } catch (error) {
    engine.calls._free(at);
    throw error;
  } finally {
    closeSync(file);
  }
  return at;
}

function openingFault(code: number): Fault {
  if (code === ERROR_PASSWORD) return new Fault("bad_request", "the PDF is encrypted: remove its password");
  if (code === ERROR_SECURITY) return new Fault("bad_request", "the PDF is encrypted in a way that is not supported: remove its protection");
  return new Fault("bad_request", "the PDF is damaged: it cannot be opened", { cause: `FPDF error ${code}` });
}

function pageCount(engine: Pdfium, document: number): number {
  const pages = engine.calls._FPDF_GetPageCount(document);
  if (pages <= 0) throw new Fault("bad_request", "the PDF has no pages");
  if (pages > DOCUMENT_MAX_PAGES)
    throw new Fault(
      "bad_request",
      `the PDF has ${pages.toLocaleString("en")} pages: at most ${DOCUMENT_MAX_PAGES.toLocaleString("en")} are taken in`,
    );
  return pages;
}

function titleOf(engine: Pdfium, document: number): string | null {
  const tag = Buffer.from("Title\0");
  const capacity = HEADING_MAX_CHARS * 8;
  return withMemory(engine, tag.length + capacity, (at) => {
    engine.bytes().set(tag, at);
    const length = engine.calls._FPDF_GetMetaText(document, at, at + tag.length, capacity);
    if (length < 2 || length > capacity) return null;
    return shownTitle(headingText(tidyLine(utf16(engine, at + tag.length, length / 2 - 1))));
  });
}

/** What a program leaves where nobody gave a title: the name of a file, its own, or that there is none. */
const NO_TITLE = /\.[a-z]{2,5}$|^(?:microsoft|untitled|powerpoint|document\d*$)|^\((?:anonymous|unspecified|untitled)\)$|^anonymous$/i;

function shownTitle(title: string | null): string | null {
  return title === null || NO_TITLE.test(title) ? null : title;
}

/** The text layer of the page at `index`, as PDFium has it; "" without one. */
function rawLayer(engine: Pdfium, document: number, index: number): string {
  const page = engine.calls._FPDF_LoadPage(document, index);
  if (page === 0) return "";
  const layer = engine.calls._FPDFText_LoadPage(page);
  const text = rawText(engine, layer, signsOf(engine, layer));
  if (layer !== 0) engine.calls._FPDFText_ClosePage(layer);
  engine.calls._FPDF_ClosePage(page);
  return text;
}

function signsOf(engine: Pdfium, layer: number): number {
  return layer === 0 ? 0 : Math.max(0, Math.min(PAGE_TEXT_MAX_CHARS, engine.calls._FPDFText_CountChars(layer)));
}

function rawText(engine: Pdfium, layer: number, count: number): string {
  if (count === 0) return "";
  return hyphensMarked(withMemory(engine, (count + 1) * 2, (at) => utf16(engine, at, engine.calls._FPDFText_GetText(layer, 0, count, at) - 1)));
}

function openPage(engine: Pdfium, document: number, index: number, divisions: () => Divisions): PdfPage | null {
  const page = engine.calls._FPDF_LoadPage(document, index);
  if (page === 0) return null;
  const [width, height] = [engine.calls._FPDF_GetPageWidthF(page), engine.calls._FPDF_GetPageHeightF(page)];
  const layer = engine.calls._FPDFText_LoadPage(page);
  const close = () => {
    if (layer !== 0) engine.calls._FPDFText_ClosePage(layer);
    engine.calls._FPDF_ClosePage(page);
  };
  if (!(width > 0 && height > 0 && Number.isFinite(width * height))) {
    close();
    return null;
  }
  let made: ReturnType<typeof layerOf> | null = null;
  const read = () => {
    made ??= guarded(engine, () => layerOf(engine, layer, divisions()));
    return made;
  };
  return {
    get text() {
      return read().text;
    },
    get unmapped() {
      return read().unmapped;
    },
    lines: () => read().lines(),
    content: () => guarded(engine, () => contentOf(engine, page, width * height)),
    textIn: (box) => (layer === 0 ? "" : guarded(engine, () => textIn(engine, page, layer, box, divisions()))),
    render: (maxSide, crop = WHOLE) => guarded(engine, () => render(engine, page, { width, height }, maxSide, crop)),
    close: () => released(engine, close),
  };
}

export const WHOLE: Box = { x: 0, y: 0, w: 1, h: 1 };

function layerOf(engine: Pdfium, layer: number, divisions: Divisions): { text: string; unmapped: number; lines(): PdfLine[] } {
  const count = signsOf(engine, layer);
  if (count === 0) return { text: "", unmapped: 0, lines: () => [] };
  let unmapped = 0;
  for (let index = 0; index < count; index += 1) if (engine.calls._FPDFText_HasUnicodeMapError(layer, index) === 1) unmapped += 1;
  const read = layerText(rawText(engine, layer, count), divisions);
  return { text: read.text, unmapped: unmapped / count, lines: () => guarded(engine, () => pdfLines(engine, layer, read)) };
}

function contentOf(engine: Pdfium, page: number, area: number): PageContent {
  const { calls } = engine;
  const found: PageContent = { images: 0, shadings: 0, segments: 0, objects: 0 };
  const count = (object: number, depth: number) => {
    found.objects += 1;
    const type = calls._FPDFPageObj_GetType(object);
    if (type === OBJECT.shading) found.shadings += 1;
    else if (type === OBJECT.path) found.segments += Math.max(0, calls._FPDFPath_CountSegments(object));
    // Inside a form sizes are in the form's coordinates: its pictures count whatever their size.
    else if (type === OBJECT.image && (depth > 0 || areaOf(engine, object) >= area * IMAGE_MIN_SHARE)) found.images += 1;
    else if (type === OBJECT.form && depth < PAGE_FORMS_MAX_DEPTH) {
      const objects = calls._FPDFFormObj_CountObjects(object);
      for (let index = 0; index < objects && found.objects < PAGE_OBJECTS_MAX; index += 1)
        count(calls._FPDFFormObj_GetObject(object, index), depth + 1);
    }
  };
  const objects = calls._FPDFPage_CountObjects(page);
  for (let index = 0; index < objects && found.objects < PAGE_OBJECTS_MAX; index += 1) count(calls._FPDFPage_GetObject(page, index), 0);
  return found;
}

/** Square points of an object's bounds. */
function areaOf(engine: Pdfium, object: number): number {
  return withMemory(engine, 16, (at) => {
    if (engine.calls._FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) return 0;
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(engine.bytes().slice(at, at + 16).buffer);
    return Math.abs((right - left) * (top - bottom));
  });
}

/** A point of the page as shown (ratios) in page coordinates. */
function pagePoint(engine: Pdfium, page: number, x: number, y: number): [number, number] {
  const [dx, dy] = [Math.round(x * DEVICE_UNITS), Math.round(y * DEVICE_UNITS)];
  return withMemory(engine, 16, (at) => {
    engine.calls._FPDF_DeviceToPage(page, 0, 0, DEVICE_UNITS, DEVICE_UNITS, 0, dx, dy, at, at + 8);
    const [px = 0, py = 0] = new Float64Array(engine.bytes().slice(at, at + 16).buffer);
    return [px, py];
  });
}

function textIn(engine: Pdfium, page: number, layer: number, box: Box, divisions: Divisions): string {
  const [ax, ay] = pagePoint(engine, page, box.x, box.y);
  const [bx, by] = pagePoint(engine, page, box.x + box.w, box.y + box.h);
  const corners = [Math.min(ax, bx), Math.max(ay, by), Math.max(ax, bx), Math.min(ay, by)] as const;
  const units = Math.min(PAGE_TEXT_MAX_CHARS, engine.calls._FPDFText_GetBoundedText(layer, ...corners, 0, 0));
  if (units <= 0) return "";
  return withMemory(
    engine,
    units * 2,
    (at) => layerText(hyphensMarked(utf16(engine, at, engine.calls._FPDFText_GetBoundedText(layer, ...corners, at, units))), divisions).text,
  );
}

function render(engine: Pdfium, page: number, size: { width: number; height: number }, maxSide: number, crop: Box): Picture {
  const { calls } = engine;
  const cropped = { width: size.width * crop.w, height: size.height * crop.h };
  const scale = Math.min(
    maxSide / Math.max(cropped.width, cropped.height),
    Math.sqrt(PICTURE_MAX_PIXELS / (cropped.width * cropped.height)),
    // The whole page is laid out at this scale, though only the crop is drawn.
    PICTURE_MAX_SIDE_PIXELS / Math.max(size.width, size.height),
  );
  const pixels = (points: number) => Math.max(1, Math.floor(points * scale + 0.5));
  const [width, height] = [pixels(cropped.width), pixels(cropped.height)];
  const [left, top] = [Math.round(crop.x * size.width * scale), Math.round(crop.y * size.height * scale)];
  const bitmap = calls._FPDFBitmap_CreateEx(width, height, BITMAP_BGR, 0, 0);
  if (bitmap === 0) throw new Fault("bad_request", "a page of the PDF needs more memory than one file may take");
  try {
    calls._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    calls._FPDF_RenderPageBitmap(bitmap, page, -left, -top, pixels(size.width), pixels(size.height), 0, RENDER_FLAGS);
    return { width, height, data: rows(engine, bitmap, width, height) };
  } finally {
    calls._FPDFBitmap_Destroy(bitmap);
  }
}

/** Bytes of pictures that were handed out since the last collection. */
let uncollected = 0;

/** Collects garbage after every PICTURES_UNCOLLECTED_MAX_BYTES: JavaScriptCore does not count typed arrays, and a scan of 200 pages would leave a gigabyte of them. */
function collectPictures(bytes: number): void {
  uncollected += bytes;
  if (uncollected <= PICTURES_UNCOLLECTED_MAX_BYTES) return;
  Bun.gc(true);
  uncollected = bytes;
}

/** The pixels of a bitmap without the padding at the end of its rows. */
function rows(engine: Pdfium, bitmap: number, width: number, height: number): Uint8Array {
  const [at, stride] = [engine.calls._FPDFBitmap_GetBuffer(bitmap), engine.calls._FPDFBitmap_GetStride(bitmap)];
  collectPictures(width * height * 3);
  const heap = engine.bytes();
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) data.set(heap.subarray(at + y * stride, at + y * stride + width * 3), y * width * 3);
  return data;
}

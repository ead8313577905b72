/**
 * Owns @hyzyla/pdfium: PDFium as WebAssembly, which sees neither files nor network and has no JavaScript engine. The
 * functions are those of PDFium's public headers (fpdfview.h, fpdf_text.h, fpdf_edit.h, fpdf_doc.h).
 */
import { PDFiumModule } from "@hyzyla/pdfium";
import wasmPath from "../../../node_modules/@hyzyla/pdfium/dist/pdfium.wasm" with { type: "file" };
import { Fault } from "../../base/fault.ts";
import { PDF_HEAP_KEEP_BYTES, PDF_HEAP_MAX_BYTES } from "../../base/limits.ts";
import { once } from "../../base/once.ts";

/** A pointer or handle; 0 is none. */
type Ptr = number;

/** PDFium's functions, which take and give numbers only: those that the package's types have, and those that they lack. */
export interface PdfiumCalls extends Omit<Awaited<ReturnType<typeof PDFiumModule>>, "HEAPU8"> {
  HEAPU8: Uint8Array<ArrayBuffer>;
  _malloc(bytes: number): Ptr;
  _free(at: Ptr): void;
  _FPDF_InitLibrary(): void;
  _FPDF_GetMetaText(document: Ptr, tag: Ptr, at: Ptr, bytes: number): number;
  _FPDFBookmark_GetFirstChild(document: Ptr, bookmark: Ptr): Ptr;
  _FPDFBookmark_GetNextSibling(document: Ptr, bookmark: Ptr): Ptr;
  _FPDFBookmark_GetTitle(bookmark: Ptr, at: Ptr, bytes: number): number;
  _FPDFBookmark_GetDest(document: Ptr, bookmark: Ptr): Ptr;
  _FPDFDest_GetDestPageIndex(document: Ptr, target: Ptr): number;
  _FPDF_GetPageWidthF(page: Ptr): number;
  _FPDF_GetPageHeightF(page: Ptr): number;
  _FPDF_DeviceToPage(page: Ptr, x: number, y: number, w: number, h: number, rotate: number, dx: number, dy: number, px: Ptr, py: Ptr): number;
  _FPDFText_HasUnicodeMapError(text: Ptr, index: number): number;
  _FPDFText_GetCharIndexFromTextIndex(text: Ptr, index: number): number;
  _FPDFText_GetLooseCharBox(text: Ptr, index: number, rectangle: Ptr): number;
  _FPDFText_GetFontWeight(text: Ptr, index: number): number;
  _FPDFText_GetFontInfo(text: Ptr, index: number, at: Ptr, bytes: number, flags: Ptr): number;
  _FPDFText_GetBoundedText(text: Ptr, left: number, top: number, right: number, bottom: number, at: Ptr, length: number): number;
  _FPDFPageObj_GetBounds(object: Ptr, left: Ptr, bottom: Ptr, right: Ptr, top: Ptr): number;
  _FPDFPath_CountSegments(object: Ptr): number;
  _FPDFFormObj_CountObjects(object: Ptr): number;
  _FPDFFormObj_GetObject(object: Ptr, index: number): Ptr;
}

/** One instance of PDFium. Its memory moves when it grows: call `bytes` anew after each call. */
export interface Pdfium {
  calls: PdfiumCalls;
  bytes(): Uint8Array<ArrayBuffer>;
  /** True once it has asked for memory beyond PDF_HEAP_MAX_BYTES. */
  starved: boolean;
  /** True once it has trapped: its memory is in an unknown state, and it is not called again. */
  dead: boolean;
}

type Imports = Record<string, Record<string, unknown>>;
type ResizeHeap = (bytes: number) => unknown;

const compiled = once(async () => WebAssembly.compile(await Bun.file(wasmPath).bytes()));
let running: Promise<Pdfium> | null = null;

async function start(): Promise<Pdfium> {
  // An instance dropped before may hold most of a gigabyte, which JavaScriptCore does not count.
  Bun.gc(true);
  const module = await compiled();
  const pdfium: Pdfium = { calls: null as unknown as PdfiumCalls, bytes: () => new Uint8Array(0), starved: false, dead: false };
  const options = {
    locateFile: (path: string) => path,
    print: () => {},
    printErr: () => {},
    instantiateWasm(imports: Imports, ready: (instance: WebAssembly.Instance) => void) {
      const env = imports.env ?? {};
      const resize = env.emscripten_resize_heap as ResizeHeap;
      env.emscripten_resize_heap = (bytes: number) => {
        // WebAssembly passes the unsigned size as a signed number.
        if (bytes >>> 0 <= PDF_HEAP_MAX_BYTES) return resize(bytes);
        pdfium.starved = true;
        return 0;
      };
      ready(new WebAssembly.Instance(module, imports as ConstructorParameters<typeof WebAssembly.Instance>[1]));
    },
  };
  const loaded = (await PDFiumModule(options as unknown as Parameters<typeof PDFiumModule>[0])) as PdfiumCalls;
  pdfium.calls = loaded;
  pdfium.bytes = () => loaded.HEAPU8;
  loaded._FPDF_InitLibrary();
  return pdfium;
}

/** The PDFium of this process, started on first use; after a failed start the next call tries again. */
export function pdfium(): Promise<Pdfium> {
  running ??= start().catch((error: unknown) => {
    running = null;
    throw error;
  });
  return running;
}

/**
 * Runs `work`. A trap inside PDFium (a damaged file, or no memory) becomes a Fault `bad_request`, and the next document gets
 * a new instance; the memory of this one is collected.
 */
export function guarded<T>(engine: Pdfium, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    engine.dead = true;
    running = null;
    throw new Fault("bad_request", engine.starved ? "the PDF needs more memory than one file may take" : "the PDF is damaged: it cannot be read", {
      cause: error,
    });
  }
}

/** Runs `release`, unless the instance is dead. */
export function released(engine: Pdfium, release: () => void): void {
  if (!engine.dead) guarded(engine, release);
}

/** Drops the instance if a document made its memory large. Call it when no document is open. */
export function settle(engine: Pdfium): void {
  if (engine.bytes().length > PDF_HEAP_KEEP_BYTES || engine.starved) running = null;
}

/** Runs `work` with the address of `bytes` of PDFium's memory, freed afterwards. */
export function withMemory<T>(engine: Pdfium, bytes: number, work: (at: number) => T): T {
  const at = engine.calls._malloc(bytes);
  if (at === 0) throw new Fault("bad_request", "the PDF needs more memory than one file may take");
  try {
    return work(at);
  } finally {
    engine.calls._free(at);
  }
}

/** `units` UTF-16 units of the engine's memory. */
export function utf16(engine: Pdfium, at: number, units: number): string {
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(engine.bytes().slice(at, at + Math.max(0, units) * 2));
}

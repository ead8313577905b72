/** Files for the tests of extraction: written to a scratch folder, sniffed as the service does. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../src/base/fault.ts";
import { SNIFF_HEAD_BYTES, SNIFF_TAIL_BYTES } from "../../../src/base/limits.ts";
import type { ExtractedPart, ExtractedUnit, Extraction, FileFormat, SourceFile } from "../../../src/domain/media.ts";
import type { ImageModels } from "../../../src/media/models.ts";
import { sniff } from "../../../src/media/format.ts";
import { temporaryDirectory } from "../../support/scratch.ts";

const folder = temporaryDirectory();
let count = 0;

export function sniffed(content: string | Uint8Array, name = "file"): Promise<FileFormat> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return sniff(bytes.subarray(0, SNIFF_HEAD_BYTES), bytes.subarray(Math.max(0, bytes.length - SNIFF_TAIL_BYTES)), bytes.length, name);
}

/** A file of this content, of the format that it has as the service finds it. */
export async function sniffedFile(content: string | Uint8Array, name: string): Promise<SourceFile> {
  return file(content, name, await sniffed(content, name));
}

/** A file of this content. `format`: what it is taken for. */
export function file(content: string | Uint8Array, name: string, format: FileFormat): SourceFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  count += 1;
  const path = join(folder, String(count));
  writeFileSync(path, bytes);
  return { path, bytes: bytes.length, name, format };
}

export async function partsOf(extraction: Extraction): Promise<ExtractedPart[]> {
  return Array.fromAsync(extraction);
}

export async function unitsOf(extraction: Extraction): Promise<ExtractedUnit[]> {
  return (await partsOf(extraction)).flatMap(({ units }) => units);
}

/** The detail of the Fault `bad_request` that `work` ends with. */
export async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Fault && error.kind === "bad_request") return error.message;
    throw error;
  }
  throw new Error("it was taken in");
}

/** What a Unit's `char_span` points at. */
export function spanned(whole: string, { locator }: ExtractedUnit): string | null {
  return locator?.kind === "char_span" ? whole.slice(locator.start, locator.end) : null;
}

/** ImageModels that fail when they are used. */
export const NO_MODELS: ImageModels = {
  classify: () => Promise.reject(new Error("the classifier was asked")),
  ocr: () => Promise.reject(new Error("OCR was asked")),
  layout: () => Promise.reject(new Error("the layout model was asked")),
};

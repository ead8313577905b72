/** Documents become Units: pages of a PDF, chunks of everything that is text. */
import type { Extraction, Picture, SourceFile } from "../../domain/media.ts";
import type { Locator } from "../../domain/locator.ts";
import { extractPdf, previewPdf } from "./pdf-pages.ts";
import { extractProse } from "./prose.ts";
import type { ImageModels } from "../models.ts";

const PDF_MIME = "application/pdf";

/**
 * Plain text, Markdown, HTML and DOCX: `chunk` Units in parts of DOCUMENT_PART_UNITS. PDF: a part a page, with `chunk`,
 * `doc_page` and `image_region` Units. Errors: Fault `bad_request` that says what is wrong with the file; those of the image models.
 */
export function extractDocument(file: SourceFile, imageModels: ImageModels, from: number): Extraction {
  return file.format.mime === PDF_MIME ? extractPdf(file, imageModels, from) : extractProse(file, from);
}

/**
 * The page of a PDF that `locator` lies on (the first without one), or its part at the box, `maxSide` pixels at the
 * longer side. Null for documents that have no pages. Errors: Fault `not_found` for a page that there is not,
 * `bad_request` for a broken file.
 */
export async function previewDocument(file: SourceFile, locator: Locator | null, maxSide: number): Promise<Picture | null> {
  return file.format.mime === PDF_MIME ? previewPdf(file, locator, maxSide) : null;
}

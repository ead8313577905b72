/** The Units of picture files: features of each page, and OCR text in blocks. */
import { Fault } from "../../base/fault.ts";
import { PREVIEW_MAX_SIDE_PIXELS } from "../../base/limits.ts";
import type { Box, Features, ExtractedPart, ExtractedUnit, Extraction, Picture, SourceFile } from "../../domain/media.ts";
import type { Locator } from "../../domain/locator.ts";
import type { Preview } from "../../domain/port/extractor.ts";
import { encodePicture, openPicture, type PictureFile, THUMBNAIL_MIME } from "./decode.ts";
import type { ImageModels, OcrText } from "../models.ts";
import { textBlocks } from "./ocr/text-blocks.ts";
import { shownLabels } from "../labels.ts";
import { cropTo, shrinkTo } from "./resize.ts";

/** Boxes are rounded to a hundred-thousandth of a side: less than a pixel of the largest picture. */
const BOX_STEPS = 100_000;
const CONFIDENCE_STEPS = 1_000;

/**
 * One part a page: the `image` Unit and an `ocr` Unit for each block of text. Only a TIFF has several pages; their
 * locators then tell them apart. Errors: those of openPicture and of the image models.
 */
export async function* extractPicture(file: SourceFile, imageModels: ImageModels, from: number): Extraction {
  const opened = await openFile(file);
  const pages = opened.sizes.length;
  for (let index = from; index < pages; index++) {
    const picture = opened.page(index);
    const page = pages > 1 ? index + 1 : null;
    const image = await imageUnit(picture, page, imageModels);
    const text = (await ocrBlocks(picture, imageModels)).map((block) => ocrUnit(block, page));
    yield {
      part: index,
      progress: (index + 1) / pages,
      stage: pages > 1 ? "pages" : "picture",
      units: [image, ...text],
      notes: [],
    } satisfies ExtractedPart;
  }
}

/** Features of the first page of a picture file, to find similar ones by. Errors: as extractPicture. */
export async function classifyPicture(file: SourceFile, imageModels: ImageModels): Promise<Features> {
  return imageModels.classify((await openFile(file)).page(0));
}

/**
 * The page or the part of it that `locator` names, at most `maxSide` pixels long; without one the first page. Errors:
 * those of openPicture; Fault `not_found` for a page that the file does not have.
 */
export async function previewPicture(file: SourceFile, locator: Locator | null, maxSide: number): Promise<Preview> {
  const opened = await openFile(file);
  const box = locator?.kind === "bbox" ? locator : null;
  const index = (box?.page ?? 1) - 1;
  if (index < 0 || index >= opened.sizes.length) throw new Fault("not_found", `the picture has no page ${index + 1}`);
  const picture = opened.page(index);
  return thumbnail(box === null ? picture : cropTo(picture, box), maxSide);
}

/** `picture`, shrunk to `maxSide` pixels (of which there is a limit) if it is longer, as a JPEG file. */
export async function thumbnail(picture: Picture, maxSide: number): Promise<Preview> {
  const small = shrinkTo(picture, Math.max(1, Math.min(maxSide, PREVIEW_MAX_SIDE_PIXELS)));
  return { mime: THUMBNAIL_MIME, bytes: await encodePicture(small) };
}

/** The text of `picture` in blocks, in reading order. */
export async function ocrBlocks(picture: Picture, imageModels: ImageModels): Promise<OcrText[]> {
  return textBlocks(await imageModels.ocr(picture), picture);
}

async function openFile(file: SourceFile): Promise<PictureFile> {
  return openPicture(await Bun.file(file.path).bytes(), file.format.mime);
}

async function imageUnit(picture: Picture, page: number | null, imageModels: ImageModels): Promise<ExtractedUnit> {
  const features = await imageModels.classify(picture);
  const labels = await shownLabels(features);
  const { width, height } = picture;
  return {
    modality: "image",
    path: [],
    text: null,
    locator: page === null ? null : bbox({ x: 0, y: 0, w: 1, h: 1 }, page),
    metadata: { width, height, ...(labels.length > 0 && { labels }) },
    features,
  };
}

function ocrUnit({ text, confidence, box }: OcrText, page: number | null): ExtractedUnit {
  const metadata = { confidence: Math.round(confidence * CONFIDENCE_STEPS) / CONFIDENCE_STEPS };
  return { modality: "ocr", path: [], text, locator: bbox(box, page), metadata, features: null };
}

/** A ratio of a side, rounded as boxes are shown. */
export function ratio(value: number): number {
  return Math.round(value * BOX_STEPS) / BOX_STEPS;
}

/** Rounded, and still inside the page. */
function bbox({ x, y, w, h }: Box, page: number | null): Locator {
  const span = (from: number, length: number): [number, number] => {
    const first = Math.round(from * BOX_STEPS);
    return [first / BOX_STEPS, Math.min(Math.round((from + length) * BOX_STEPS), BOX_STEPS) / BOX_STEPS - first / BOX_STEPS];
  };
  const [left, width] = span(x, w);
  const [top, height] = span(y, h);
  return { kind: "bbox", ...(page !== null && { page }), x: left, y: top, w: ratio(width), h: ratio(height) };
}

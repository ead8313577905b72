/** What the pipelines ask of the image models, and what they give. */
import type { Box, Features, Picture } from "../domain/media.ts";

/** A line or block of text in a picture. */
export interface OcrText {
  text: string;
  /** Mean confidence of the recogniser, 0-1. */
  confidence: number;
  box: Box;
  /** Quarter turns clockwise that put the picture upright; 0 without it. The box is one of the picture as given. */
  turn?: QuarterTurns;
}

export type QuarterTurns = 0 | 1 | 2 | 3;

export const REGION_CLASSES = [
  "text",
  "title",
  "figure",
  "figure_caption",
  "table",
  "table_caption",
  "header",
  "footer",
  "reference",
  "equation",
] as const;

export interface Region {
  class: (typeof REGION_CLASSES)[number];
  score: number;
  box: Box;
}

export interface ImageModels {
  /** Labels (the ten best) and embedding of what a picture shows. */
  classify(picture: Picture): Promise<Features>;
  /** Lines of text in reading order. */
  ocr(picture: Picture): Promise<OcrText[]>;
  /** Regions of a page, best first. */
  layout(page: Picture): Promise<Region[]>;
}

/** 16 kHz mono, -1..1. */
export type Samples = Float32Array;
export const SAMPLE_RATE_HZ = 16_000;
export const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1_000;

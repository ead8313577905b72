/** Text detection, the first step of OCR: the DB detector of PP-OCRv6 finds lines in a picture (models/ppocr). */
import { assert } from "../../../base/fault.ts";
import type { Picture } from "../../../domain/media.ts";
import { mediaModelFile } from "../../../runtime/media-models.ts";
import { floats, openGraph } from "../../../inference/onnx.ts";
import { type Component, components, runEnds } from "./components.ts";
import { type Corners, holds, type Rectangle, readingCorners, smallestRectangle } from "./rectangle.ts";
import { resize } from "../resize.ts";

const LONGER_SIDE_MAX = 960;
/** The sides of the detector's input are multiples of this, in pixels. */
const GRID = 32;
const PROBABILITY_MIN = 0.2;
const SCORE_MIN = 0.4;
/** Rectangles with a shorter side, in pixels of the detector's input, are specks: before widening, and after. */
const CORE_MIN = 3;
const LINE_MIN = 5;
/** The detector finds the core of a line; its rectangle is widened by this share of area over circumference. */
const UNCLIP = 1.4;
/** A pixel counts as inside a rectangle when part of it is. */
const HALF_PIXEL = 0.5;

/** A line of text in pixels of the picture. */
export interface DetectedLine {
  corners: Corners;
  /** Mean probability inside, 0-1. */
  score: number;
}

/** The detector's input, and for each of its pixels the probability that it is text, row by row. */
export interface TextMap {
  input: Picture;
  probabilities: Float32Array;
}

export interface Detector {
  map(picture: Picture): Promise<TextMap>;
  lines(picture: Picture): Promise<DetectedLine[]>;
}

/** Errors: those of mediaModelFile. */
export async function openDetector(): Promise<Detector> {
  const graph = await openGraph(await mediaModelFile("ppocr", "det.onnx"));

  async function map(picture: Picture): Promise<TextMap> {
    const input = detectorInput(picture);
    const { width, height, data } = input;
    const probabilities = floats((await graph({ image: { type: "uint8", data, dims: [1, height, width, 3] } })).prob);
    assert(probabilities.length === width * height, "the detector gives a probability for each pixel");
    return { input, probabilities };
  }

  return { map, lines: async (picture) => detectedLines(await map(picture), picture) };
}

function detectorInput(picture: Picture): Picture {
  const scale = Math.min(1, LONGER_SIDE_MAX / Math.max(picture.width, picture.height));
  const side = (length: number) => Math.max(GRID, Math.floor((length * scale) / GRID + 0.5) * GRID);
  return resize(picture, { width: side(picture.width), height: side(picture.height), filter: "bilinear" });
}

/** The lines in the order of their first pixels, from the top. */
export function detectedLines({ input, probabilities }: TextMap, picture: { width: number; height: number }): DetectedLine[] {
  const { width, height } = input;
  const across = picture.width / width;
  const down = picture.height / height;
  return components(probabilities, { width, height, floor: PROBABILITY_MIN }).flatMap((component) => {
    const core = smallestRectangle(runEnds(component));
    if (Math.min(core.width, core.height) < CORE_MIN) return [];
    const score = meanInside(probabilities, width, component, core);
    if (score < SCORE_MIN) return [];
    const margin = (core.width * core.height * UNCLIP) / (core.width + core.height);
    const line = { ...core, width: core.width + margin, height: core.height + margin };
    if (Math.min(line.width, line.height) < LINE_MIN) return [];
    const [start, end, belowEnd, belowStart] = readingCorners(line);
    const scaled = ({ x, y }: { x: number; y: number }) => ({ x: x * across, y: y * down });
    return [{ corners: [scaled(start), scaled(end), scaled(belowEnd), scaled(belowStart)], score }];
  });
}

/** Mean of the pixels of the component's bounding box that lie in `rectangle`. */
function meanInside(probabilities: Float32Array, width: number, component: Component, rectangle: Rectangle): number {
  const top = component[0]?.y ?? 0;
  const bottom = component.at(-1)?.y ?? -1;
  const left = component.reduce((least, { from }) => Math.min(least, from), width);
  const right = component.reduce((most, { to }) => Math.max(most, to), 0);
  let sum = 0;
  let count = 0;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      if (!holds(rectangle, { x, y }, HALF_PIXEL)) continue;
      sum += probabilities[y * width + x] as number;
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

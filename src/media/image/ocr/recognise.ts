/** Reads a line of text: the CTC recognisers of PP-OCRv6 (models/ppocr). */
import { assert } from "../../../base/fault.ts";
import type { Picture } from "../../../domain/media.ts";
import { mediaModelFile } from "../../../runtime/media-models.ts";
import { floats, openGraph } from "../../../inference/onnx.ts";
import { type Corners, cornerSides } from "./rectangle.ts";

export type Script = "latin" | "all";

const HEIGHT = 48;
const WIDTH_MIN = 16;
const WIDTH_MAX = 3_200;
/**
 * Widths are rounded up to this, so that few shapes occur. Lines run one by one: on one thread a batch of 8 takes as long
 * as 8 lines and 200 MB more, and the int8 model's text of a line would depend on the others in its batch.
 */
const BUCKET = 64;
/** The grey value right of a line that is narrower than its input. */
const FILL = 127;
/** Lines taller than this are averaged from several samples a pixel. */
const SAMPLED_HEIGHT = 72;
/** The most samples a pixel in each direction, reached by a line of 288 pixels: the strokes of taller lines are wider than the gaps between samples. */
const GRID_MAX = 4;
/** From this many samples a pixel on each side, the nearest pixel of the picture is as good as one between four. */
const NEAREST_GRID_MIN = 3;
/** Pixels of the input's width for one class of the output. */
const STEP = 8;
const BLANK = 0;

const FILES: Record<Script, { graph: string; keys: string }> = {
  latin: { graph: "rec-latin.onnx", keys: "keys-latin.txt" },
  all: { graph: "rec.onnx", keys: "keys.txt" },
};

/** `confidence`: 0-1, the mean over the characters; 0 without one. */
export interface RecognisedLine {
  text: string;
  confidence: number;
}

/** The text of each line, in the order given. */
export type Recogniser = (picture: Picture, lines: readonly Corners[]) => Promise<RecognisedLine[]>;

/** Errors: those of mediaModelFile. */
export async function openRecogniser(script: Script): Promise<Recogniser> {
  const { graph: file, keys: keysFile } = FILES[script];
  const graph = await openGraph(await mediaModelFile("ppocr", file));
  // One line for each class; the last class is a space.
  const keys = new TextDecoder().decode(await mediaModelFile("ppocr", keysFile)).split("\n");

  async function recogniseLine(picture: Picture, corners: Corners): Promise<RecognisedLine> {
    const taken = lineWidth(corners);
    const width = Math.ceil(taken / BUCKET) * BUCKET;
    const data = new Uint8Array(HEIGHT * width * 3).fill(FILL);
    sampleLine(picture, corners, { taken, width, out: data });
    const { index, confidence } = await graph({ image: { type: "uint8", data, dims: [1, HEIGHT, width, 3] } });
    assert(index?.data instanceof Int32Array && index.data.length === width / STEP, "the recogniser gives a class for each step");
    return decoded(index.data, floats(confidence), keys);
  }

  return async (picture, lines) => {
    const results: RecognisedLine[] = [];
    for (const corners of lines) results.push(await recogniseLine(picture, corners));
    return results;
  };
}

/** Width of a line that is 48 pixels high. */
export function lineWidth(corners: Corners): number {
  const { width, height } = cornerSides(corners);
  return Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, Math.ceil((HEIGHT * width) / height)));
}

/** Samples the line, straightened, to 48 rows of `taken` pixels in `out`, whose rows are `width` pixels long. */
function sampleLine(picture: Picture, corners: Corners, { taken, width, out }: { taken: number; width: number; out: Uint8Array }): void {
  const [start, end, , below] = corners;
  const grid = Math.min(GRID_MAX, Math.max(1, Math.ceil(cornerSides(corners).height / SAMPLED_HEIGHT)));
  const [uX, uY] = [(end.x - start.x) / taken, (end.y - start.y) / taken];
  const [vX, vY] = [(below.x - start.x) / HEIGHT, (below.y - start.y) / HEIGHT];
  const sum = new Float64Array(3);
  const add = grid >= NEAREST_GRID_MIN ? addNearest : addSample;
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < taken; column++) {
      sum.fill(0);
      for (let down = 0.5; down < grid; down++) {
        for (let across = 0.5; across < grid; across++) {
          const u = column + across / grid;
          const v = row + down / grid;
          add(picture, start.x + u * uX + v * vX, start.y + u * uY + v * vY, sum);
        }
      }
      const at = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++) out[at + channel] = (sum[channel] as number) / (grid * grid) + 0.5;
    }
  }
}

/**
 * Adds the bilinear colour at (x, y) to `sum`. Pixel 0 spans 0 to 1; outside the picture the edge is repeated. It is called
 * a hundred million times for a large picture, so it allocates nothing.
 */
function addSample({ width, height, data }: Picture, x: number, y: number, sum: Float64Array): void {
  const insideX = Math.min(width - 1, Math.max(0, x - 0.5));
  const insideY = Math.min(height - 1, Math.max(0, y - 0.5));
  const left = Math.floor(insideX);
  const top = Math.floor(insideY);
  const shareX = insideX - left;
  const shareY = insideY - top;
  const here = (top * width + left) * 3;
  const right = left + 1 < width ? 3 : 0;
  const below = top + 1 < height ? width * 3 : 0;
  for (let channel = 0; channel < 3; channel++) {
    const at = here + channel;
    const upper = (data[at] as number) * (1 - shareX) + (data[at + right] as number) * shareX;
    const lower = (data[at + below] as number) * (1 - shareX) + (data[at + below + right] as number) * shareX;
    sum[channel] = (sum[channel] as number) + upper * (1 - shareY) + lower * shareY;
  }
}

/** Adds the colour of the pixel that holds (x, y) to `sum`; outside the picture the edge is repeated. */
function addNearest({ width, height, data }: Picture, x: number, y: number, sum: Float64Array): void {
  const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const at = (row * width + column) * 3;
  sum[0] = (sum[0] as number) + (data[at] as number);
  sum[1] = (sum[1] as number) + (data[at + 1] as number);
  sum[2] = (sum[2] as number) + (data[at + 2] as number);
}

/** Greedy CTC decoding: blanks and repeats of the step before are dropped. */
export function decoded(classes: Int32Array, confidences: Float32Array, keys: readonly string[]): RecognisedLine {
  let text = "";
  let sum = 0;
  let kept = 0;
  for (const [step, key] of classes.entries()) {
    if (key === BLANK || key === classes[step - 1]) continue;
    text += keys[key] ?? "";
    sum += confidences[step] as number;
    kept++;
  }
  return { text: text.trim(), confidence: kept === 0 ? 0 : sum / kept };
}

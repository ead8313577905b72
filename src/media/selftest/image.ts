/** Compares the outputs of the image models with the fixtures that their cards come with. */
import type { Picture } from "../../domain/media.ts";
import { decodePicture } from "../image/decode.ts";
import { mediaModelFile, mediaModelJson } from "../../runtime/media-models.ts";
import { CLASSIFIER_SIDE, classifierInput, openClassifier } from "../image/classifier.ts";
import { type DetectedLine, detectedLines, openDetector } from "../image/ocr/detect.ts";
import { openLayout } from "../document/layout.ts";
import { recogniseText } from "../image/ocr/ocr.ts";
import { lineWidth, openRecogniser } from "../image/ocr/recognise.ts";
import { bestLabels } from "../labels.ts";
import type { Region } from "../models.ts";
import { near, type SelfTestCheck, same } from "./check.ts";

type Model = "image-classifier" | "ppocr" | "page-layout";

interface ClassifierFixture {
  images: { image: string; input_mean: number; top5: [label: number, probability: number][]; embedding_norm: number; embedding_first8: number[] }[];
}
interface OcrFixture {
  det_input_shape: number[];
  det_input_mean: number;
  det_output_mean: number;
  "det_output_over_0.3": number;
  lines: { text: string; confidence: number; score: number; corners: [x: number, y: number][]; rec_width: number }[];
}
type LayoutFixture = { class: string; score: number; box: number[] }[];

/** Tolerances of the classifier's card: for pictures of the input's size, and for resized ones. */
const EXACT_PROBABILITY = 0.002;
const RESIZED_PROBABILITY = 0.1;
/** Tolerances for the embedding, in the same cases. */
const EXACT_EMBEDDING = 0.01;
const RESIZED_EMBEDDING = 0.2;
/** Of 255, for rounding in the resizing filter. */
const INPUT_MEAN = 0.1;
/** The fixture has corners to 0.01 pixels, scores and confidences to 0.0001; processors round int8 models differently. */
const CORNER_PIXELS = 0.1;
const SCORE = 0.002;
const CONFIDENCE = 0.005;
const PROBABILITY_MEAN = 0.0005;
/** The share of pixels over 0.3 that may differ: those on edges. */
const OVER_SHARE = 0.002;
const OVER = 0.3;
/** The fixture of the layout has scores to 0.001, boxes to 0.1 pixels. */
const REGION_SCORE = 0.01;
const REGION_PIXELS = 1;

/** Runs the fixtures of the three models. Errors: those of mediaModelFile. */
export async function selfTestImage(): Promise<SelfTestCheck[]> {
  return [...(await selfTestClassifier()), ...(await selfTestOcr()), ...(await selfTestLayout())];
}

const expected = <T>(model: Model) => mediaModelJson<T>(model, "fixture/expected.json");

async function fixturePicture(model: Model, file: string): Promise<Picture> {
  return decodePicture(await mediaModelFile(model, `fixture/${file}`), "image/png");
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index] as number;
  return sum / values.length;
}

async function selfTestClassifier(): Promise<SelfTestCheck[]> {
  const model = "image-classifier";
  const { images } = await expected<ClassifierFixture>(model);
  const classifier = await openClassifier();
  const checks: SelfTestCheck[] = [];
  for (const { image, input_mean, top5, embedding_norm, embedding_first8 } of images) {
    const picture = await fixturePicture(model, image);
    const exact = picture.width === CLASSIFIER_SIDE && picture.height === CLASSIFIER_SIDE;
    const { probabilities, embedding } = await classifier(picture);
    const tolerance = exact ? EXACT_PROBABILITY : RESIZED_PROBABILITY;
    const embeddingTolerance = exact ? EXACT_EMBEDDING : RESIZED_EMBEDDING;
    const wanted = top5.map(([, probability]) => probability);
    const found = top5.map(([label]) => probabilities[label] ?? Number.NaN);
    // Where the picture is resized the card lets the two best change places.
    const best = (of: readonly number[]) => (exact ? of.slice(0, 2) : of.slice(0, 2).sort((a, b) => a - b));
    const labels = bestLabels(probabilities)
      .slice(0, 2)
      .map(({ label }) => label);
    const wantedLabels = top5.map(([label]) => label);
    checks.push(
      near(model, `${image} mean of the input`, [mean(classifierInput(picture).data)], [input_mean], INPUT_MEAN),
      near(model, `${image} probabilities`, found, wanted, tolerance),
      same(model, `${image} two best labels`, best(labels), best(wantedLabels)),
      near(model, `${image} embedding`, [...embedding.slice(0, embedding_first8.length)], embedding_first8, embeddingTolerance),
      near(model, `${image} length of the embedding`, [Math.hypot(...embedding)], [embedding_norm], embeddingTolerance),
    );
  }
  return checks;
}

async function selfTestOcr(): Promise<SelfTestCheck[]> {
  const model = "ppocr";
  const fixture = await expected<OcrFixture>(model);
  const { lines } = fixture;
  const page = await fixturePicture(model, "page.png");
  const detector = await openDetector();
  const map = await detector.map(page);
  const detected = detectedLines(map, page);
  const { input, probabilities } = map;
  const over = probabilities.filter((probability) => probability > OVER).length;
  const wantedOver = fixture["det_output_over_0.3"];
  const checks = [
    same(model, "det.onnx shape of the input", [1, input.height, input.width, 3], fixture.det_input_shape),
    near(model, "det.onnx mean of the input", [mean(input.data)], [fixture.det_input_mean], INPUT_MEAN),
    near(model, "det.onnx mean of the output", [mean(probabilities)], [fixture.det_output_mean], PROBABILITY_MEAN),
    near(model, "det.onnx pixels over 0.3", [over], [wantedOver], wantedOver * OVER_SHARE),
  ];
  const corners = detected.map((line) => line.corners);
  const texts = lines.map(({ text }) => text);
  const wanted = lines.map(({ confidence }) => confidence);
  for (const script of ["latin", "all"] as const) {
    const recogniser = await openRecogniser(script);
    const recognised = await recogniser(page, corners);
    const found = texts.map((text) => recognised.findIndex((line) => line.text === text));
    const confidences = found.map((at) => recognised[at]?.confidence ?? Number.NaN);
    const ordered = await recogniseText(page, { detector: async () => detector, recogniser: async () => recogniser });
    const name = script === "latin" ? "rec-latin.onnx" : "rec.onnx";
    const sorted = recognised.map(({ text }) => text).sort();
    checks.push(
      same(model, `${name} text of the lines`, sorted, texts.toSorted()),
      near(model, `${name} confidences`, confidences, wanted, CONFIDENCE),
    );
    if (script === "latin")
      checks.push(
        ...lineChecks(
          lines,
          found.map((at) => detected[at]),
        ),
      );
    const order = ordered.map(({ text }) => text);
    checks.push(same(model, `${name} reading order`, order, texts));
  }
  return checks;
}

/** Checks of the detected lines; `found` has the line for each of `lines`, or undefined. */
function lineChecks(lines: OcrFixture["lines"], found: (DetectedLine | undefined)[]): SelfTestCheck[] {
  const corners = found.flatMap((line) => line?.corners.flatMap(({ x, y }) => [x, y]) ?? []);
  const scores = found.map((line) => line?.score ?? Number.NaN);
  const widths = found.map((line) => line && lineWidth(line.corners));
  const [wantedScores, wantedWidths] = [lines.map(({ score }) => score), lines.map(({ rec_width }) => rec_width)];
  const wantedCorners = lines.flatMap((line) => line.corners.flat());
  return [
    near("ppocr", "corners of the lines", corners, wantedCorners, CORNER_PIXELS),
    near("ppocr", "scores of the lines", scores, wantedScores, SCORE),
    same("ppocr", "widths of the lines", widths, wantedWidths),
  ];
}

async function selfTestLayout(): Promise<SelfTestCheck[]> {
  const model = "page-layout";
  const wanted = await expected<LayoutFixture>(model);
  const page = await fixturePicture(model, "page.png");
  const found = await (await openLayout())(page);
  // The order by score may differ in rounding: regions are paired by class and nearest box.
  const paired = wanted.map((region) => nearest(found, region, page));
  const corners = ({ box: { x, y, w, h } }: Region) => [x * page.width, y * page.height, (x + w) * page.width, (y + h) * page.height];
  const boxes = paired.flatMap((region) => (region ? corners(region) : []));
  const wantedBoxes = wanted.flatMap(({ box }) => box);
  const scores = paired.map((region) => region?.score ?? Number.NaN);
  const wantedScores = wanted.map(({ score }) => score);
  return [
    same(model, "classes of the regions", found.map((region) => region.class).sort(), wanted.map((region) => region.class).sort()),
    near(model, "scores of the regions", scores, wantedScores, REGION_SCORE),
    near(model, "boxes of the regions", boxes, wantedBoxes, REGION_PIXELS),
  ];
}

function nearest(found: readonly Region[], wanted: LayoutFixture[number], page: Picture): Region | undefined {
  const [left = 0, top = 0] = wanted.box;
  const distance = ({ box }: Region) => Math.hypot(box.x * page.width - left, box.y * page.height - top);
  return found.filter((region) => region.class === wanted.class).sort((a, b) => distance(a) - distance(b))[0];
}

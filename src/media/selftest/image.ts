/** Compares the outputs of the image models with the fixtures that their cards come with. */
import { type Static, Type, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Picture } from "../../domain/media.ts";
import { decodePicture } from "../image/decode.ts";
import { mediaModelFile } from "../../runtime/media-models.ts";
import { bestLabels, CLASSIFIER_SIDE, classifierInput, openClassifier } from "../image/classifier.ts";
import { detectedLines, openDetector } from "../image/ocr/detect.ts";
import { openLayout } from "../document/layout.ts";
import { type OcrModels, recogniseText } from "../image/ocr/ocr.ts";
import { lineWidth, openRecogniser } from "../image/ocr/recognise.ts";
import type { Corners } from "../image/ocr/rectangle.ts";
import type { Region } from "../models.ts";
import { near, type SelfTestCheck, same } from "./check.ts";

type Model = "image-classifier" | "ppocr" | "page-layout";

const Pair = Type.Tuple([Type.Number(), Type.Number()]);
const ClassifierFixture = Type.Object({
  images: Type.Array(
    Type.Object({
      image: Type.String(),
      input_mean: Type.Number(),
      top5: Type.Array(Pair),
      embedding_norm: Type.Number(),
      embedding_first8: Type.Array(Type.Number()),
    }),
  ),
});
const OcrFixture = Type.Object({
  det_input_shape: Type.Array(Type.Integer()),
  det_input_mean: Type.Number(),
  det_output_mean: Type.Number(),
  "det_output_over_0.3": Type.Integer(),
  lines: Type.Array(
    Type.Object({
      text: Type.String(),
      confidence: Type.Number(),
      score: Type.Number(),
      corners: Type.Array(Pair),
      rec_width: Type.Integer(),
    }),
  ),
});
const LayoutFixture = Type.Array(Type.Object({ class: Type.String(), score: Type.Number(), box: Type.Array(Type.Number()) }));

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

async function expected<T extends TSchema>(model: Model, schema: T): Promise<Static<T>> {
  return Value.Parse(schema, JSON.parse(new TextDecoder().decode(await mediaModelFile(model, "fixture/expected.json"))));
}

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
  const { images } = await expected(model, ClassifierFixture);
  const classifier = await openClassifier();
  const checks: SelfTestCheck[] = [];
  for (const { image, input_mean, top5, embedding_norm, embedding_first8 } of images) {
    const picture = await fixturePicture(model, image);
    const exact = picture.width === CLASSIFIER_SIDE && picture.height === CLASSIFIER_SIDE;
    const { probabilities, embedding } = await classifier.classify(picture);
    const tolerance = exact ? EXACT_PROBABILITY : RESIZED_PROBABILITY;
    const embeddingTolerance = exact ? EXACT_EMBEDDING : RESIZED_EMBEDDING;
    const wanted = top5.map(([, probability]) => probability);
    const found = top5.map(([label]) => probabilities[label] ?? Number.NaN);
    // Where the picture is resized the card lets the two best change places.
    const best = (labels: number[]) => (exact ? labels : labels.sort((a, b) => a - b));
    checks.push(
      near(model, `${image} mean of the input`, [mean(classifierInput(picture).data)], [input_mean], INPUT_MEAN),
      near(model, `${image} probabilities`, found, wanted, tolerance),
      same(
        model,
        `${image} two best labels`,
        best(bestLabels(probabilities, 2).map(({ label }) => label)),
        best(top5.slice(0, 2).map(([label]) => label)),
      ),
      near(model, `${image} embedding`, [...embedding.slice(0, embedding_first8.length)], embedding_first8, embeddingTolerance),
      near(model, `${image} length of the embedding`, [Math.hypot(...embedding)], [embedding_norm], embeddingTolerance),
    );
  }
  return checks;
}

async function selfTestOcr(): Promise<SelfTestCheck[]> {
  const model = "ppocr";
  const fixture = await expected(model, OcrFixture);
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
  for (const script of ["latin", "all"] as const) {
    const recogniser = await openRecogniser(script);
    const recognised = await recogniser.recognise(
      page,
      detected.map(({ corners }) => corners),
    );
    const found = lines.map(({ text }) => recognised.findIndex((line) => line.text === text));
    const name = script === "latin" ? "rec-latin.onnx" : "rec.onnx";
    checks.push(
      same(model, `${name} text of the lines`, recognised.map(({ text }) => text).sort(), lines.map(({ text }) => text).sort()),
      near(
        model,
        `${name} confidences`,
        found.map((at) => recognised[at]?.confidence ?? Number.NaN),
        lines.map(({ confidence }) => confidence),
        CONFIDENCE,
      ),
    );
    if (script === "latin")
      checks.push(
        ...lineChecks(
          model,
          lines,
          found.map((at) => detected[at]),
        ),
      );
    const models: OcrModels = { detector: async () => detector, recogniser: async () => recogniser };
    checks.push(
      same(
        model,
        `${name} reading order`,
        (await recogniseText(page, models)).map(({ text }) => text),
        lines.map(({ text }) => text),
      ),
    );
  }
  return checks;
}

type FixtureLine = Static<typeof OcrFixture>["lines"][number];

/** Checks of the detected lines; `found` has the line for each of `lines`, or undefined. */
function lineChecks(model: Model, lines: FixtureLine[], found: ({ corners: Corners; score: number } | undefined)[]): SelfTestCheck[] {
  return [
    near(
      model,
      "corners of the lines",
      found.flatMap((line) => line?.corners.flatMap(({ x, y }) => [x, y]) ?? []),
      lines.flatMap(({ corners }) => corners.flat()),
      CORNER_PIXELS,
    ),
    near(
      model,
      "scores of the lines",
      found.map((line) => line?.score ?? Number.NaN),
      lines.map(({ score }) => score),
      SCORE,
    ),
    same(
      model,
      "widths of the lines",
      found.map((line) => line && lineWidth(line.corners)),
      lines.map(({ rec_width }) => rec_width),
    ),
  ];
}

async function selfTestLayout(): Promise<SelfTestCheck[]> {
  const model = "page-layout";
  const wanted = await expected(model, LayoutFixture);
  const page = await fixturePicture(model, "page.png");
  const found = await (await openLayout()).regions(page);
  // The order by score may differ in rounding: regions are paired by class and nearest box.
  const paired = wanted.map((region) => nearest(found, region, page));
  const corners = ({ box: { x, y, w, h } }: Region) => [x * page.width, y * page.height, (x + w) * page.width, (y + h) * page.height];
  return [
    same(model, "classes of the regions", found.map((region) => region.class).sort(), wanted.map((region) => region.class).sort()),
    near(
      model,
      "scores of the regions",
      paired.map((region) => region?.score ?? Number.NaN),
      wanted.map(({ score }) => score),
      REGION_SCORE,
    ),
    near(
      model,
      "boxes of the regions",
      paired.flatMap((region) => (region ? corners(region) : [])),
      wanted.flatMap(({ box }) => box),
      REGION_PIXELS,
    ),
  ];
}

function nearest(found: readonly Region[], wanted: Static<typeof LayoutFixture>[number], page: Picture): Region | undefined {
  const [left = 0, top = 0] = wanted.box;
  const distance = ({ box }: Region) => Math.hypot(box.x * page.width - left, box.y * page.height - top);
  return found.filter((region) => region.class === wanted.class).sort((a, b) => distance(a) - distance(b))[0];
}

/** Labels and embedding of a picture: EfficientNet-Lite2 (models/image-classifier). */
import { assert } from "../../base/fault.ts";
import { CONTENT_LABELS_MAX } from "../../base/limits.ts";
import { FEATURE_MODELS, type Features, type Picture } from "../../domain/media.ts";
import { mediaModelFile } from "../../runtime/media-models.ts";
import { floats, normalised, openGraph } from "../../inference/onnx.ts";
import { bestLabels, PICTURE_LABELS } from "../labels.ts";
import { resize } from "./resize.ts";

/** The shorter side is resized to SHORTER_SIDE; the centre square of CLASSIFIER_SIDE is the input, in pixels. */
const SHORTER_SIDE = 292;
export const CLASSIFIER_SIDE = 260;

export interface Classification {
  /** Probability by label. */
  probabilities: Float32Array;
  /** Not normalised. */
  embedding: Float32Array;
}

/** Errors: those of mediaModelFile. */
export async function openClassifier(): Promise<(picture: Picture) => Promise<Classification>> {
  const graph = await openGraph(await mediaModelFile("image-classifier", "classifier.onnx"));
  return async (picture) => {
    const { data } = classifierInput(picture);
    const outputs = await graph({ image: { type: "uint8", data, dims: [1, CLASSIFIER_SIDE, CLASSIFIER_SIDE, 3] } });
    const [probabilities, embedding] = [floats(outputs.probs), floats(outputs.embedding)];
    assert(probabilities.length === PICTURE_LABELS, "the classifier gives a probability for each label");
    assert(embedding.length === FEATURE_MODELS.picture.dims, "the classifier gives an embedding");
    return { probabilities, embedding };
  };
}

/** The CONTENT_LABELS_MAX best labels, and the embedding with length 1. */
export function pictureFeatures({ probabilities, embedding }: Classification): Features {
  return { kind: "picture", labels: bestLabels(probabilities).slice(0, CONTENT_LABELS_MAX), embedding: normalised(embedding) };
}

/** The input: the centre square, in RGB bytes. A picture of exactly that size is given back as it is. */
export function classifierInput(picture: Picture): Picture {
  if (picture.width === CLASSIFIER_SIDE && picture.height === CLASSIFIER_SIDE) return picture;
  const scale = SHORTER_SIDE / Math.min(picture.width, picture.height);
  const width = Math.round(picture.width * scale);
  const height = Math.round(picture.height * scale);
  const window = {
    x: Math.floor((width - CLASSIFIER_SIDE) / 2),
    y: Math.floor((height - CLASSIFIER_SIDE) / 2),
    width: CLASSIFIER_SIDE,
    height: CLASSIFIER_SIDE,
  };
  return resize(picture, { width, height, filter: "bicubic", window });
}

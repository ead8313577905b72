/** The image models. Each opens on its first use and stays open. */
import { once } from "../../base/once.ts";
import type { ImageModels } from "../models.ts";
import { openClassifier, pictureFeatures } from "./classifier.ts";
import { openDetector } from "./ocr/detect.ts";
import { openLayout } from "../document/layout.ts";
import { recogniseText } from "./ocr/ocr.ts";
import { openRecogniser } from "./ocr/recognise.ts";

/** Errors, of each method when it is first called: those of mediaModelFile. */
export function createImageModels(): ImageModels {
  const classifier = once(openClassifier);
  const layout = once(openLayout);
  const detector = once(openDetector);
  const recognisers = { latin: once(() => openRecogniser("latin")), all: once(() => openRecogniser("all")) };
  return {
    classify: async (picture) => pictureFeatures(await (await classifier())(picture)),
    ocr: (picture) => recogniseText(picture, { detector, recogniser: (script) => recognisers[script]() }),
    layout: async (page) => (await layout())(page),
  };
}

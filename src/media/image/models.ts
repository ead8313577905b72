/** The eyes of the pipelines: each model opens when it is first wanted, and stays. */
import { once } from "../../base/once.ts";
import type { ImageModels } from "../models.ts";
import { openClassifier } from "./classifier.ts";
import { openDetector } from "./ocr/detect.ts";
import { openLayout } from "../document/layout.ts";
import { readPicture } from "./ocr/ocr.ts";
import { openRecogniser } from "./ocr/recognise.ts";

/** Errors, of each method when it is first called: those of mediaModelFile. */
export function createImageModels(): ImageModels {
  const classifier = once(openClassifier);
  const layout = once(openLayout);
  const detector = once(openDetector);
  const recognisers = { latin: once(() => openRecogniser("latin")), all: once(() => openRecogniser("all")) };
  return {
    see: async (picture) => (await classifier()).see(picture),
    read: (picture) => readPicture(picture, { detector, recogniser: (script) => recognisers[script]() }),
    regions: async (page) => (await layout()).regions(page),
  };
}

/** The 1,000 labels of the picture classifier, as WordNet 3.0 describes them. */
import { assert } from "../../base/fault.ts";
import { once } from "../../base/once.ts";
import { mediaModelFile } from "../../runtime/media-models.ts";

export const PICTURE_LABELS = 1_000;

export interface PictureLabel {
  index: number;
  /** `n` and the WordNet 3.0 offset. */
  wnid: string;
  name: string;
  synonyms: string[];
  /** Nearest first; each a list of words. */
  hypernyms: string[][];
  gloss: string;
}

/** By index. Errors: those of mediaModelFile. */
export const pictureLabels = once(readLabels);

async function readLabels(): Promise<PictureLabel[]> {
  const labels: PictureLabel[] = JSON.parse(new TextDecoder().decode(await mediaModelFile("image-classifier", "labels.json")));
  assert(labels.length === PICTURE_LABELS && labels.every(({ index }, at) => index === at), "labels lie by their index");
  return labels;
}

/** Errors: those of mediaModelFile. */
export async function labelName(index: number): Promise<string> {
  const label = (await pictureLabels())[index];
  assert(label !== undefined, "a label's index is one of the classifier's");
  return label.name;
}

/** The labels of both classifiers by their index: their names, and text vectors by which queries are matched with them. */
import { assert } from "../base/fault.ts";
import { LABELS_SHOWN_MAX } from "../base/limits.ts";
import { once } from "../base/once.ts";
import type { Features, LabelScore } from "../domain/media.ts";
import { HAS_MEDIA_MODELS, mediaModelFloats, mediaModelJson } from "../runtime/media-models.ts";

export const PICTURE_LABELS = 1_000;
/** A picture's labels with a lower probability are too often wrong; a sound is heard from this mean score on, by its model's card. */
const SHOWN_MIN = 0.1;
const VECTORS_FILE = "label-vectors.bge-small-en-v1.5.f32";
const DIMS = 384;

/** A label of the picture classifier, as WordNet 3.0 describes it. */
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

/** Errors, of all that follow: those of mediaModelFile. */
export const pictureLabels = once(() => mediaModelJson<PictureLabel[]>("image-classifier", "labels.json"));
export const soundLabels = once(() => mediaModelJson<{ name: string }[]>("yamnet", "labels.json"));

/** Labels by their scores, best first; of equal ones that with the lower index. */
export function bestLabels(scores: Float32Array): LabelScore[] {
  return Array.from(scores, (score, label) => ({ label, score })).sort((a, b) => b.score - a.score || a.label - b.label);
}

/** Names of the labels that are likely enough to be shown, best first. */
export async function shownLabels({ kind, labels }: Features): Promise<string[]> {
  const shown = labels.filter(({ score }) => score >= SHOWN_MIN).slice(0, LABELS_SHOWN_MAX);
  const all = await (kind === "picture" ? pictureLabels() : soundLabels());
  return shown.map(({ label }) => {
    const known = all[label];
    assert(known !== undefined, "a label's index is one of the classifier's");
    return known.name;
  });
}

async function withVectors<T>(model: "image-classifier" | "yamnet", labels: T[]): Promise<{ labels: T[]; vectors: Float32Array }> {
  const vectors = await mediaModelFloats(model, VECTORS_FILE);
  assert(vectors.length === labels.length * DIMS, "every label has a vector");
  return { labels, vectors };
}

/** All labels with a vector of `dims` numbers each, one after another. Null in a build without the media models. */
export async function contentLabels() {
  if (!HAS_MEDIA_MODELS) return null;
  const picture = await withVectors("image-classifier", await pictureLabels());
  return { dims: DIMS, picture, sound: await withVectors("yamnet", await soundLabels()) };
}

/** Names and text vectors of the labels of both classifiers, by which queries are matched with labels. */
import { assert } from "../base/fault.ts";
import { HAS_MEDIA_MODELS, mediaModelFile } from "../runtime/media-models.ts";

const VECTORS_FILE = "label-vectors.bge-small-en-v1.5.f32";
const DIMS = 384;

async function labelsOf<T>(model: string): Promise<{ labels: T[]; vectors: Float32Array }> {
  const [json, bytes] = await Promise.all([mediaModelFile(model, "labels.json"), mediaModelFile(model, VECTORS_FILE)]);
  const labels = JSON.parse(new TextDecoder().decode(json)) as T[];
  const vectors = new Float32Array(bytes.slice().buffer);
  assert(vectors.length === labels.length * DIMS, "every label has a vector");
  return { labels, vectors };
}

/** Null in a build without the media models. Errors: those of mediaModelFile. */
export async function contentLabels() {
  if (!HAS_MEDIA_MODELS) return null;
  const picture = await labelsOf<{ name: string; synonyms: string[]; hypernyms: string[][] }>("image-classifier");
  return { dims: DIMS, picture, sound: await labelsOf<{ name: string }>("yamnet") };
}

/** Sound classification: YAMNet, 521 labels and an embedding for each 0.96 s (its card: models/yamnet). */
import { SOUND_LABEL_FLOOR, YAMNET_BATCH_PATCHES } from "../../base/limits.ts";
import { FEATURE_MODELS, type Features } from "../../domain/media.ts";
import { mediaModelFile } from "../../runtime/media-models.ts";
import { floats, normalised, openGraph } from "../../inference/onnx.ts";
import { bestLabels } from "../labels.ts";
import type { Samples } from "../models.ts";

const SOUND_LABELS = 521;
const SOUND_EMBEDDING_DIMS = FEATURE_MODELS.sound.dims;
const PATCH_SAMPLES = 15_600;
const PATCH_STEP_SAMPLES = 7_680;
const PATCH_FRAMES = 96;
const PATCH_STEP_FRAMES = 48;
const BANDS = 64;

/** For each patch (0.975 s every 0.48 s) 521 scores and 1,024 numbers of the embedding, one patch after another. */
interface Patches {
  /** The log-mel spectrum, 64 bands a frame of 10 ms, of the samples filled up with zeros to whole patches. */
  mel: Float32Array;
  count: number;
  scores: Float32Array;
  embeddings: Float32Array;
}

/** Means of `count` rows of `width` numbers. */
function means(rows: Float32Array, count: number, width: number): Float32Array {
  const sums = new Float64Array(width);
  for (let row = 0; row < count; row++)
    for (let column = 0; column < width; column++) sums[column] = (sums[column] ?? 0) + (rows[row * width + column] ?? 0);
  return Float32Array.from(sums, (sum) => sum / count);
}

/** Opens the models. */
export async function openSoundEvents(): Promise<(samples: Samples) => Promise<Patches>> {
  const front = await openGraph(await mediaModelFile("yamnet", "frontend.onnx"));
  const graph = await openGraph(await mediaModelFile("yamnet", "yamnet.onnx"));
  return async (samples) => {
    const count = Math.max(0, Math.ceil((samples.length - PATCH_SAMPLES) / PATCH_STEP_SAMPLES)) + 1;
    const pcm = new Float32Array(PATCH_SAMPLES + (count - 1) * PATCH_STEP_SAMPLES);
    pcm.set(samples);
    const mel = floats((await front({ pcm: { type: "float32", data: pcm, dims: [1, pcm.length] } })).log_mel);
    const scores = new Float32Array(count * SOUND_LABELS);
    const embeddings = new Float32Array(count * SOUND_EMBEDDING_DIMS);
    for (let first = 0; first < count; first += YAMNET_BATCH_PATCHES) {
      const batch = Math.min(YAMNET_BATCH_PATCHES, count - first);
      const data = new Float32Array(batch * PATCH_FRAMES * BANDS);
      for (let patch = 0; patch < batch; patch++) {
        const from = (first + patch) * PATCH_STEP_FRAMES * BANDS;
        data.set(mel.subarray(from, from + PATCH_FRAMES * BANDS), patch * PATCH_FRAMES * BANDS);
      }
      const { scores: found, embedding } = await graph({ patches: { type: "float32", data, dims: [batch, PATCH_FRAMES, BANDS] } });
      scores.set(floats(found), first * SOUND_LABELS);
      embeddings.set(floats(embedding), first * SOUND_EMBEDDING_DIMS);
    }
    return { mel, count, scores, embeddings };
  };
}

/** Means over the patches: labels at or above the floor, best first, and the embedding with length 1. */
export function soundFeatures({ count, scores, embeddings }: Patches): Features {
  return {
    kind: "sound",
    labels: bestLabels(means(scores, count, SOUND_LABELS)).filter(({ score }) => score >= SOUND_LABEL_FLOOR),
    embedding: normalised(means(embeddings, count, SOUND_EMBEDDING_DIMS)),
  };
}

/** Reads the files of the media models and checks each against the hash in the manifest. */
import { Fault, StartError } from "../base/fault.ts";
import { MEDIA_FILES } from "./media-model-files.ts";
import { type MediaEntry, mediaEntries, readModelFile } from "./model-manifest.ts";

/** True unless this build was made without the media models. */
export const HAS_MEDIA_MODELS = Object.keys(MEDIA_FILES).length > 0;

export const WITHOUT_MEDIA =
  "this build has no media models (it was made with --without media): use a full build to take in pictures, scanned pages, sound and video";

/**
 * The content of `file` of a model, or of its fixture (`fixture/…`). Errors: Fault `unavailable` when the build has no
 * media models; StartError when the file is not the one in the manifest.
 */
export async function mediaModelFile(model: MediaEntry["name"], file: string): Promise<Uint8Array> {
  if (!HAS_MEDIA_MODELS) throw new Fault("unavailable", WITHOUT_MEDIA, { retry: "never" });
  const name = `${model}/${file}`;
  const path = MEDIA_FILES[name];
  const entry = mediaEntries().find((candidate) => candidate.name === model);
  const known = [...(entry?.files ?? []), ...(entry?.fixture ?? [])].find((candidate) => candidate.file === file);
  if (path === undefined || known === undefined) throw new StartError(`the model manifest has no file ${name}`);
  return readModelFile(path, name, known.sha256);
}

/** As mediaModelFile: a file of JSON. It is of the manifest's hash, so it has the shape that its reader knows. */
export async function mediaModelJson<T>(model: MediaEntry["name"], file: string): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await mediaModelFile(model, file)));
}

/** As mediaModelFile: a file of numbers, float32. */
export async function mediaModelFloats(model: MediaEntry["name"], file: string): Promise<Float32Array> {
  return new Float32Array((await mediaModelFile(model, file)).slice().buffer);
}

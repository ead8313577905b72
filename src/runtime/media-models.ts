/** Reads the files of the media models and checks each against the hash in the manifest. */
import { Fault, StartError } from "../base/fault.ts";
import { sha256Hex } from "../base/hash.ts";
import { MEDIA_FILES } from "./media-model-files.ts";
import { isMediaEntry, type MediaEntry, modelManifest } from "./model-manifest.ts";

/** True unless this build was made without the media models. */
export const HAS_MEDIA_MODELS = Object.keys(MEDIA_FILES).length > 0;

export const WITHOUT_MEDIA =
  "this build has no media models (it was made with --without media): use a full build to take in pictures, scanned pages, sound and video";

export function mediaEntries(): MediaEntry[] {
  return modelManifest().filter(isMediaEntry);
}

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
  const bytes = await Bun.file(path).bytes();
  const found = sha256Hex(bytes);
  if (found !== known.sha256)
    throw new StartError(`model file ${name} is not the one in the manifest: expected sha256 ${known.sha256}, found ${found}`);
  return bytes;
}

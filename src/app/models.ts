/** The models of this build as `strata models` and `strata doctor` check them. Nothing is written beside the data. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "../base/fault.ts";
import { runtimeDirectory } from "../adapter/sqlite/data-directory.ts";
import type { ModelCard } from "../domain/model-card.ts";
import { createExtractor } from "../media/extractor.ts";
import type { SelfTestCheck } from "../media/selftest/check.ts";
import { borrowAssets, findAssets, verifyEmbedded } from "../runtime/assets.ts";
import { HAS_MEDIA_MODELS, mediaModelFile, WITHOUT_MEDIA } from "../runtime/media-models.ts";
import { defaultMemoryBytes } from "../runtime/memory.ts";
import { isMediaEntry, isMultilingualEntry, mediaEntries, modelManifest, readModelFile } from "../runtime/model-manifest.ts";
import { HAS_MULTILINGUAL_MODEL, multilingualEntry, multilingualFile } from "../runtime/multilingual-model.ts";

export { HAS_MULTILINGUAL_MODEL, WITHOUT_MULTILINGUAL } from "../runtime/multilingual-model.ts";

/** Where the model files lie unpacked: in `runtime`, or in the data directory when that is null. */
export interface ModelFolders {
  data: string;
  runtime: string | null;
}

/** The models of the manifest. `included` is false for those that this build leaves out. */
export function modelsOfBuild() {
  return modelManifest().map((entry) => ({
    ...entry,
    dims: "dims" in entry ? entry.dims : null,
    included: isMediaEntry(entry) ? HAS_MEDIA_MODELS : isMultilingualEntry(entry) ? HAS_MULTILINGUAL_MODEL : true,
  }));
}

/** What callers may know of them: neither paths nor hashes. */
export function modelCards(): ModelCard[] {
  return modelsOfBuild().map(({ name, task, dims = null, licence, files, included }) => {
    return { name, task, dims, licence, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), included };
  });
}

/** Why the model files that would run are not those of the manifest; null when they are. */
export async function modelsFault({ data, runtime }: ModelFolders): Promise<string | null> {
  try {
    if ((await findAssets(runtime ?? runtimeDirectory(data))) === null) await verifyEmbedded();
    if (HAS_MULTILINGUAL_MODEL) await verifyMultilingual();
    for (const { name, files } of HAS_MEDIA_MODELS ? mediaEntries() : []) {
      for (const { file } of files) await mediaModelFile(name, file);
    }
    return null;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

async function verifyMultilingual(): Promise<void> {
  const entry = multilingualEntry();
  for (const { file } of entry.files) {
    const { path, name, sha256 } = multilingualFile(entry, file);
    await readModelFile(path, name, sha256);
  }
}

/** Runs the media models on the fixtures of their cards. Errors: StartError in a build without them. */
export async function selfTestModels({ data, runtime }: ModelFolders): Promise<SelfTestCheck[]> {
  if (!HAS_MEDIA_MODELS) throw new StartError(WITHOUT_MEDIA);
  const temporary = await mkdtemp(join(tmpdir(), "strata-models-"));
  try {
    const { paths } = await borrowAssets(runtime ?? runtimeDirectory(data), temporary);
    const extractor = createExtractor({ addons: paths.addons, workers: 1, temporary, ffmpeg: null, memoryBytes: defaultMemoryBytes() });
    return await extractor.selfTest().finally(() => extractor.close());
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Where this build has the multilingual encoder. */
import { StartError } from "../base/fault.ts";
import { modelFor, modelManifest, type MultilingualEntry } from "./model-manifest.ts";
import { MULTILINGUAL_FILES } from "./multilingual-model-files.ts";

/** False for a build that was made without the encoder of languages other than English. */
export const HAS_MULTILINGUAL_MODEL = Object.keys(MULTILINGUAL_FILES).length > 0;

export const WITHOUT_MULTILINGUAL = "this build has no model for languages other than English (it was made with --without multilingual)";

/** The encoder of languages other than English, by the manifest. */
export function multilingualEntry(): MultilingualEntry {
  return modelFor(modelManifest(), "multilingual-embedding");
}

/** Path, name and hash of one of its files. Errors: StartError when this build has none, or the manifest names no such file. */
export function multilingualFile({ name: model, files }: MultilingualEntry, file: string): { path: string; name: string; sha256: string } {
  if (!HAS_MULTILINGUAL_MODEL) throw new StartError(WITHOUT_MULTILINGUAL);
  const name = `${model}/${file}`;
  const [path, known] = [MULTILINGUAL_FILES[name], files.find((one) => one.file === file)];
  if (path === undefined || known === undefined) throw new StartError(`the model manifest has no file ${name}`);
  return { path, name, sha256: known.sha256 };
}

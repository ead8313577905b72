/**
 * The files of the media models, read in place and never unpacked. These are the paths in the checkout: in the executable
 * build.ts replaces this module by one that embeds the files, or by an empty one (`--without media`).
 */
import { join } from "node:path";
import { mediaModelFiles } from "./model-manifest.ts";

/** Path by `model/file`. */
export const MEDIA_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  mediaModelFiles().map((name) => [name, join(import.meta.dir, "../../models", name)]),
);

/**
 * The files of the multilingual encoder, read in place and never unpacked. These are the paths in the checkout: in the
 * executable build.ts replaces this module by one that embeds the files, or by an empty one (`--without multilingual`).
 */
import { join } from "node:path";
import { multilingualModelFiles } from "./model-manifest.ts";

/** Path by `model/file`. */
export const MULTILINGUAL_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  multilingualModelFiles().map((name) => [name, join(import.meta.dir, "../../models", name)]),
);

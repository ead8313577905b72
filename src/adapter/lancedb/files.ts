/** The files of a table on disk. */
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sync } from "../../base/durable-files.ts";

/** All files under a folder, at any depth. */
export async function filesUnder(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Syncs files with their directories: LanceDB never does. */
export async function syncFiles(files: readonly string[]): Promise<void> {
  const directories = new Set(files.flatMap((path) => [dirname(path), dirname(dirname(path))]));
  await Promise.all([...files, ...directories].map(syncIfThere));
}

/** Syncs a file or a folder; one that upkeep has removed meanwhile needs none. */
async function syncIfThere(path: string): Promise<void> {
  await sync(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

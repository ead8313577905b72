/** Writes and renames that survive a power cut: a file is never partial, and its name is on the disk. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** Syncs a file, or the names in a folder. Errors: those of the file system. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Renames a file so that the new name is on the disk when it returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  const folder = openSync(dirname(to), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Writes `<path>.tmp`, syncs it and renames it: after a crash `path` has the old content or the new one, whole. Which of
 * them is open until the folder is synced: see `writeDurably`.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  writeFileSync(`${path}.tmp`, content, { mode, flush: true });
  renameSync(`${path}.tmp`, path);
}

/** As replaceFile, and the new content is on the disk under its name when it returns. */
export function writeDurably(path: string, content: string | Uint8Array, mode = 0o666): void {
  writeFileSync(`${path}.tmp`, content, { mode, flush: true });
  renameDurably(`${path}.tmp`, path);
}

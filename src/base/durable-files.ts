/** Writes and renames that survive a power cut: a file is never partial, and its name is on the disk. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

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

/** Writes `<path>.tmp`, syncs it and renames it: at any time `path` is the old content or the new one, whole. */
export function writeDurably(path: string, content: string | Uint8Array, mode = 0o666): void {
  const beside = `${path}.tmp`;
  writeFileSync(beside, content, { mode, flush: true });
  renameDurably(beside, path);
}

/** Files that are whole and keep their names through a power cut. */
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

/** Writes a file beside its place, syncs it and gives it its name: at any time there is the old one whole, or the new one. */
export function writeDurably(path: string, content: string | Uint8Array, mode: number): void {
  const beside = `${path}.tmp`;
  writeFileSync(beside, content, { mode, flush: true });
  renameDurably(beside, path);
}

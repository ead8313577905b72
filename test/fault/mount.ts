/** File systems of our own, where the tests run as root: one that is full, one that is read-only. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/scratch.ts";

function run(...command: string[]): boolean {
  const [program = "", ...args] = command;
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

function must(...command: string[]): void {
  if (!run(...command)) throw new Error(`${command.join(" ")} failed`);
}

function probe(): boolean {
  const path = temporaryDirectory();
  const mounted = run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path);
  if (mounted) run("umount", path);
  rmSync(path, { recursive: true, force: true });
  return mounted;
}

export const canMount = probe();

export class Mount {
  private constructor(readonly path: string) {}

  static tmpfs(size: string): Mount {
    const path = temporaryDirectory();
    must("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path);
    return new Mount(path);
  }

  static bind(directory: string): Mount {
    const path = temporaryDirectory();
    must("mount", "--bind", directory, path);
    return new Mount(path);
  }

  makeReadOnly(): void {
    must("mount", "-o", "remount,ro,bind", this.path);
  }

  /** Writes until nothing more fits. */
  fillUp(): void {
    const file = openSync(join(this.path, "filler"), "w");
    const blocks = [Buffer.alloc(1 << 20), Buffer.alloc(4096), Buffer.alloc(1)];
    for (const block of blocks) {
      try {
        while (writeSync(file, block) === block.length);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    }
    closeSync(file);
  }

  freeUp(): void {
    rmSync(join(this.path, "filler"));
  }

  remove(): void {
    must("umount", "-l", this.path);
    rmSync(this.path, { recursive: true, force: true });
  }
}

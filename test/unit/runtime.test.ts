/** The folder that native libraries are loaded from: who may have written there, and who uses it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../src/base/fault.ts";
import { refuseUntrusted, removeUnused } from "../../src/runtime/assets.ts";
import { holdDirectory, isHeld } from "../../src/runtime/native.ts";
import { temporaryDirectory } from "../support/scratch.ts";

let root: string;
beforeEach(() => {
  root = temporaryDirectory();
  chmodSync(root, 0o700);
  mkdirSync(join(root, "build/models/m"), { recursive: true, mode: 0o700 });
  for (const file of FILES) writeFileSync(join(root, "build", file), file, { mode: 0o600 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FILES = ["lancedb.node", "models/m/model.onnx"];

describe("what is loaded", () => {
  const refusal = () =>
    refuseUntrusted(join(root, "build"), FILES).then(
      () => null,
      (error: unknown) => (error instanceof StartError ? error.message.replace(root, "") : error),
    );

  test("belongs to this user and nobody else may write it", async () => {
    expect(await refusal()).toBeNull();
    chmodSync(join(root, "build"), 0o755);
    chmodSync(join(root, "build/lancedb.node"), 0o644);
    expect(await refusal()).toBeNull();
  });

  test.each(["", "/build", "/build/models", "/build/models/m", "/build/lancedb.node", "/build/models/m/model.onnx"])(
    "is refused when others may write %p",
    async (path) => {
      chmodSync(root + path, 0o770);
      expect(await refusal()).toBe(`${path} can be written by other users; nothing is loaded from there`);
    },
  );

  test("is refused when it is a link", async () => {
    renameSync(join(root, "build/lancedb.node"), join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), join(root, "build/lancedb.node"));
    expect(await refusal()).toBe("/build/lancedb.node is a link or no file; nothing is loaded from there");
  });
});

describe("copies of other builds", () => {
  const HOLD = `
    import { holdDirectory } from ${JSON.stringify(join(import.meta.dir, "../../src/runtime/native.ts"))};
    console.log(holdDirectory(process.argv[1]) ? "held" : "missing");
    setInterval(() => {}, 1000);`;

  test("stay while a process uses them, and go when it has ended, however it ended", async () => {
    const other = join(root, "other");
    mkdirSync(other);
    const holder = Bun.spawn([process.execPath, "-e", HOLD, other], { stdout: "pipe" });
    try {
      const { value } = await holder.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toBe("held\n");
      expect(isHeld(other)).toBe(true);
      await removeUnused(root, "build");
      expect([existsSync(other), existsSync(join(root, "build"))]).toEqual([true, true]);
    } finally {
      holder.kill("SIGKILL");
      await holder.exited;
    }
    expect(isHeld(other)).toBe(false);
    await removeUnused(root, "build");
    expect([existsSync(other), existsSync(join(root, "build"))]).toEqual([false, true]);
  });

  test("that are being unpacked stay, and those of a start that died go", async () => {
    const [fresh, stale] = [join(root, "unpack-fresh"), join(root, "unpack-stale")];
    mkdirSync(fresh);
    mkdirSync(stale);
    const long = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(stale, long, long);
    await removeUnused(root, "build");
    expect([existsSync(fresh), existsSync(stale)]).toEqual([true, false]);
  });

  test("are held by many at once, and one that was replaced is held anew", () => {
    const path = join(root, "again");
    expect(holdDirectory(path)).toBe(false);
    mkdirSync(path);
    expect([holdDirectory(path), holdDirectory(path), isHeld(path)]).toEqual([true, true, true]);
    renameSync(path, `${path}-aside`);
    mkdirSync(path);
    expect(isHeld(path)).toBe(false);
    expect([holdDirectory(path), isHeld(path)]).toEqual([true, true]);
  });
});

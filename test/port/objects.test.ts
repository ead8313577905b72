import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { Objects } from "../../src/adapter/disk/objects.ts";
import { MemoryObjects } from "../../src/adapter/memory/objects.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { objectsConformance } from "./objects-conformance.ts";

objectsConformance("disk", () => {
  const root = temporaryDirectory();
  return { objects: new Objects(root), remove: () => rmSync(root, { recursive: true }) };
});

test("a sweep removes what an earlier process was receiving, and spares what gets a file meanwhile", async () => {
  const root = temporaryDirectory();
  const text = async function* (words: string) {
    yield Buffer.from(words);
  };
  try {
    await new Objects(root).receive(text("cut"));
    const objects = new Objects(root);
    const late = await objects.receive(text("late"));
    await objects.keep(late);
    // A file gets the object after the catalog was asked for one.
    const isUsed = async () => {
      await objects.release(late.sha256, true);
      return false;
    };
    expect(await objects.sweep(isUsed)).toBe(1);
    expect(await (await objects.open(late.sha256))?.text()).toBe("late");
  } finally {
    rmSync(root, { recursive: true });
  }
});

objectsConformance("memory", () => ({ objects: new MemoryObjects(), remove: () => {} }));

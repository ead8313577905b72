import { rmSync } from "node:fs";
import { Objects } from "../../src/adapter/disk/objects.ts";
import { MemoryObjects } from "../../src/adapter/memory/objects.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { objectsConformance } from "./objects-conformance.ts";

objectsConformance("disk", () => {
  const root = temporaryDirectory();
  return { objects: new Objects(root), remove: () => rmSync(root, { recursive: true }) };
});

objectsConformance("memory", () => ({ objects: new MemoryObjects(), remove: () => {} }));

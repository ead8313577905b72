/** A build with another model than the data directory was filled with makes the vectors again, and never mixes them. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/scratch.ts";
import { faultsOf, fill, openWorld, unit } from "./small-world.ts";

setDefaultTimeout(120_000);

let data: string;
beforeEach(async () => {
  data = temporaryDirectory();
  const harness = await openWorld(data);
  const units = Array.from({ length: 40 }, (_, index) => unit(index));
  await fill(harness, units);
  await harness.close();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const inNamespace = (path: string) => join(data, "namespaces/fault", path);

async function models(): Promise<unknown> {
  const db = new Database(inNamespace("catalog.db"), { readonly: true });
  const rows = db.query("SELECT DISTINCT model FROM embedding").values().flat();
  db.close();
  return rows;
}

function mark(path: string): string {
  return JSON.parse(readFileSync(inNamespace(path), "utf8")).model;
}

test("vectors of another model in the catalog and in the tables", async () => {
  const db = new Database(inNamespace("catalog.db"));
  // Vectors that are nothing in this model's space, of another number of windows and dimensions.
  const zeros = new Uint8Array(8 + 2 * (8 + 2 * 4));
  new DataView(zeros.buffer).setUint32(0, 2, true);
  new DataView(zeros.buffer).setUint32(4, 4, true);
  db.query("UPDATE embedding SET model = 'another-model', windows = ?").run(zeros);
  db.run("UPDATE embedding_model SET model = 'another-model'");
  db.run("UPDATE unit SET windows = 2 WHERE text IS NOT NULL");
  db.close();
  const harness = await openWorld(data);
  expect(await faultsOf(harness)).toEqual([]);
  await harness.close();
  expect(await models()).toEqual(["bge-small-en-v1.5"]);
});

test("a table of another model beside a catalog of this one", async () => {
  const path = "vectors/text/strata-index.json";
  expect(mark(path)).toBe("bge-small-en-v1.5");
  writeFileSync(inNamespace(path), JSON.stringify({ version: 2, model: "another-model" }));
  const harness = await openWorld(data);
  expect(await faultsOf(harness)).toEqual([]);
  await harness.close();
  expect(mark(path)).toBe("bge-small-en-v1.5");
});

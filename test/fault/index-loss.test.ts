/** Whatever happens to the files of an index between two runs, the next start builds it again from the catalog. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../support/scratch.ts";
import { faultsOf, fill, filesUnder, openWorld, unit } from "./small-world.ts";
import { VECTOR_EXACT_MAX_ROWS } from "../../src/adapter/lancedb/wear.ts";

setDefaultTimeout(120_000);

const INDEXED = VECTOR_EXACT_MAX_ROWS + 200;
const namespaceIn = (data: string) => join(data, "namespaces", "fault");
let template: string;

beforeAll(async () => {
  template = temporaryDirectory();
  const harness = await openWorld(template);
  await fill(harness, [
    ...Array.from({ length: INDEXED }, (_, index) => unit(index, "text")),
    ...Array.from({ length: 120 }, (_, index) => unit(INDEXED + index)),
  ]);
  const isIndexed = () => filesUnder(join(namespaceIn(template), "vectors/text")).some((path) => path.includes("_indices"));
  const { vectors } = await harness.app.tenant({ namespace: "fault", tier: "enterprise" });
  while (!isIndexed() || (await vectors.text.state()).state === "building") await Bun.sleep(50);
  await harness.close();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** Copies the template, harms the copy, starts on it twice. */
async function survives(harm: (namespace: string) => void): Promise<void> {
  const data = temporaryDirectory();
  try {
    cpSync(template, data, { recursive: true });
    harm(namespaceIn(data));
    for (let start = 0; start < 2; start += 1) {
      const harness = await openWorld(data);
      try {
        expect(await faultsOf(harness)).toEqual([]);
      } finally {
        await harness.close();
      }
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

test("nothing is wrong when nothing happened", () => survives(() => {}));

describe("a deleted directory", () => {
  for (const path of ["vectors", "fulltext", "vectors/text", "vectors/audio/windows.lance"]) {
    test(path, () => survives((namespace) => rmSync(join(namespace, path), { recursive: true })));
  }
});

const KINDS = {
  "vector data": /vectors\/text\/windows\.lance\/data\//,
  "vector manifests": /vectors\/text\/windows\.lance\/_versions\//,
  "vector indexes": /vectors\/text\/windows\.lance\/_indices\//,
  "small vector data": /vectors\/visual\/windows\.lance\/data\//,
  "full-text segments": /fulltext\/[0-9a-f]{32}\./,
  "the full-text list of segments": /fulltext\/meta\.json$/,
} as const;
const HARMS: Record<string, (path: string) => void> = {
  deleted: (path) => rmSync(path),
  truncated: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  emptied: (path) => truncateSync(path, 0),
  overwritten: (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0x5a)),
};

for (const [kind, pattern] of Object.entries(KINDS)) {
  describe(kind, () => {
    for (const [name, harm] of Object.entries(HARMS)) {
      test(name, () =>
        survives((namespace) => {
          const files = filesUnder(namespace).filter((path) => pattern.test(path));
          expect(files.length).toBeGreaterThan(0);
          files.forEach(harm);
        }),
      );
    }
  });
}

/** The demo's record of its files is what the product extracts from them, and nothing in it was written by hand. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import recorded from "../../../data/files.json";
import { hashFile } from "../../../src/runtime/model-manifest.ts";
import { type DemoFile, recordedUnits } from "../../../src/core/demo/demo-files.ts";
import type { ExtractedUnit } from "../../../src/domain/media.ts";
import { unpackAssets } from "../../../src/runtime/assets.ts";
import { createExtractor } from "../../../src/media/extractor.ts";
import { FFMPEG, withoutFfmpeg } from "../../support/recorded.ts";
import { temporaryDirectory } from "../../support/scratch.ts";

setDefaultTimeout(60_000);

const FILES = recorded as DemoFile[];
/** Another processor rounds otherwise in the last digits. */
const NUMBER_MAX_DIFFERENCE = 0.02;
const COSINE_MIN = 0.999;

const { addons } = await unpackAssets("unused");
const extractor = createExtractor({ addons, workers: 1, temporary: temporaryDirectory(), ffmpeg: FFMPEG });
afterAll(() => extractor.close());

/** Numbers to within the tolerance, all else as it is. */
function expectAlike(found: unknown, expected: unknown): void {
  if (typeof expected === "number")
    expect(Math.abs(Number(found) - expected)).toBeLessThanOrEqual(Math.max(NUMBER_MAX_DIFFERENCE, Math.abs(expected) * 0.01));
  else if (typeof expected === "object" && expected !== null) {
    expect(Object.keys(found as object).sort()).toEqual(Object.keys(expected).sort());
    for (const [key, value] of Object.entries(expected)) expectAlike((found as Record<string, unknown>)[key], value);
  } else expect(found).toEqual(expected);
}

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe.each(FILES.map((file) => [file.name, file] as const))("%s", (name, file) => {
  const path = join(import.meta.dir, "../../../data/files", name);

  test("is the file that was recorded", async () => {
    expect({ bytes: statSync(path).size, sha256: await hashFile(path) }).toEqual({ bytes: file.bytes, sha256: file.sha256 });
    expect(await extractor.recognise(path, file.bytes, name)).toEqual({ kind: file.kind, mime: file.mime });
  });

  const isVideo = file.kind === "video";
  test.skipIf(isVideo && withoutFfmpeg)(`gives the Units that were recorded${isVideo ? " (needs ffmpeg)" : ""}`, async () => {
    const units: ExtractedUnit[] = [];
    for await (const part of extractor.extract({ path, bytes: file.bytes, name, format: { kind: file.kind, mime: file.mime } }, 0))
      units.push(...part.units);
    const expected = recordedUnits(file);
    expect(units.map(({ modality, text }) => [modality, text])).toEqual(expected.map(({ modality, text }) => [modality, text]));
    for (const [index, unit] of units.entries()) {
      const record = expected[index] as ExtractedUnit;
      expectAlike([unit.locator, unit.metadata], [record.locator, record.metadata]);
      expect(unit.features === null).toBe(record.features === null);
      if (unit.features === null || record.features === null) continue;
      expect(cosine(unit.features.embedding, record.features.embedding)).toBeGreaterThan(COSINE_MIN);
      expect(unit.features.labels[0]?.label).toBe(record.features.labels[0]?.label);
    }
  });
});

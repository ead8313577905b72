/** What becomes of a picture file, with the real decoder and the real models. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { locatorFault } from "../../../src/domain/locator.ts";
import type { ExtractedPart, SourceFile } from "../../../src/domain/media.ts";
import { decodePicture } from "../../../src/media/image/decode.ts";
import { mediaModelFile } from "../../../src/runtime/media-models.ts";
import { extractPicture, previewPicture, classifyPicture, thumbnail } from "../../../src/media/image/extract.ts";
import { createImageModels } from "../../../src/media/image/models.ts";
import { TIFF_RGB, tiff } from "./make-picture.ts";

setDefaultTimeout(60_000);

const imageModels = createImageModels();
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strata-extract-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function source(name: string, mime: string, content: Uint8Array): Promise<SourceFile> {
  const path = join(folder, name);
  await Bun.write(path, content);
  return { path, bytes: content.length, name, format: { kind: "picture", mime } };
}

async function partsOf(file: SourceFile, from = 0): Promise<ExtractedPart[]> {
  return Array.fromAsync(extractPicture(file, imageModels, from));
}

describe("extraction", () => {
  test("a page with text: what it shows, and its blocks", async () => {
    const file = await source("log.png", "image/png", await mediaModelFile("ppocr", "fixture/page.png"));
    const [part, ...rest] = await partsOf(file);
    expect(rest).toEqual([]);
    expect(part).toMatchObject({ part: 0, progress: 1, stage: "picture", notes: [] });
    const [image, ...blocks] = part?.units ?? [];
    expect(image).toMatchObject({
      modality: "image",
      text: null,
      locator: null,
      metadata: { width: 640, height: 360 },
      features: { kind: "picture" },
    });
    expect(blocks.map(({ text }) => text)).toEqual([
      "Harbour log 2025-03-14",
      "Crate 417 left the quay\nat 06:45 with the tide.",
      "Weight: 128.50 kg\nSigned by J. Okafor",
      "AUDIT 0K - 12,384 records",
      "https://example.org/a?b=1&c=2",
    ]);
    for (const { modality, locator, metadata, features } of blocks) {
      expect([modality, features]).toEqual(["ocr", null]);
      expect(locator).toMatchObject({ kind: "bbox" });
      expect(locator).not.toHaveProperty("page");
      expect(locator === null ? null : locatorFault(locator)).toBeNull();
      expect(metadata.confidence).toBeGreaterThan(0.9);
    }
    // 29.0 to 266.0 and 88.6 to 146.3 of 640 by 360 pixels, from the fixture's corners.
    const found = blocks[1]?.locator;
    expect(found?.kind === "bbox" ? [found.x * 640, found.y * 360, found.w * 640, found.h * 360] : []).toEqual(
      [29, 88.6, 237, 57.7].map((value) => expect.closeTo(value, 0)),
    );
  });

  test("a photo-like picture: likely labels by name, no text", async () => {
    const file = await source("clock.png", "image/png", await mediaModelFile("image-classifier", "fixture/clock.png"));
    const [part] = await partsOf(file);
    expect(part?.units[0]?.metadata).toEqual({ width: 480, height: 360, labels: ["wall clock", "analog clock"] });
    expect(part?.units.slice(1).every(({ modality }) => modality === "ocr")).toBe(true);
  });

  test("a flat picture has no label, rather than an unlikely one", async () => {
    const file = await source("grey.tif", "image/tiff", tiff([[128, 128, 128]], { width: 40, height: 30, photometric: TIFF_RGB }));
    const [part] = await partsOf(file);
    const shown = part?.units[0]?.features?.labels.filter(({ score }) => score >= 0.1).length ?? 0;
    const { metadata } = part?.units[0] ?? { metadata: {} };
    expect(shown).toBe(0);
    expect(metadata).toEqual({ width: 40, height: 30 });
  });

  test("the pages of a TIFF are parts, and the work goes on at any of them", async () => {
    const file = await source(
      "stack.tiff",
      "image/tiff",
      tiff(
        [
          [200, 0, 0],
          [0, 200, 0],
          [0, 0, 200],
        ],
        { width: 40, height: 30, photometric: TIFF_RGB },
      ),
    );
    const all = await partsOf(file);
    expect(all.map(({ part, progress, stage }) => [part, progress, stage])).toEqual([
      [0, 1 / 3, "pages"],
      [1, 2 / 3, "pages"],
      [2, 1, "pages"],
    ]);
    expect(all.map(({ units }) => units[0]?.locator)).toEqual([1, 2, 3].map((page) => ({ kind: "bbox", page, x: 0, y: 0, w: 1, h: 1 })));
    expect(await partsOf(file, 1)).toEqual(all.slice(1));
    expect(await partsOf(file, 3)).toEqual([]);
  });

  test("a broken file says what is wrong with it", async () => {
    const page = await mediaModelFile("ppocr", "fixture/page.png");
    const file = await source("cut.png", "image/png", page.subarray(0, page.length >> 1));
    await expect(partsOf(file)).rejects.toMatchObject({
      kind: "bad_request",
      message: "the PNG file is cut short: part of its data is missing; copy or export it again",
    });
  });
});

describe("previews", () => {
  test("the whole picture, shrunk; a crop; a page", async () => {
    const file = await source("page.png", "image/png", await mediaModelFile("ppocr", "fixture/page.png"));
    const whole = await previewPicture(file, null, 160);
    expect(whole.mime).toBe("image/jpeg");
    expect(await decodePicture(whole.bytes, whole.mime)).toMatchObject({ width: 160, height: 90 });
    const crop = await previewPicture(file, { kind: "bbox", x: 0.5, y: 0.25, w: 0.25, h: 0.5 }, 512);
    expect(await decodePicture(crop.bytes, crop.mime)).toMatchObject({ width: 160, height: 180 });
    const stack = await source(
      "two.tiff",
      "image/tiff",
      tiff(
        [
          [200, 0, 0],
          [0, 200, 0],
        ],
        { width: 8, height: 8, photometric: TIFF_RGB },
      ),
    );
    const second = await previewPicture(stack, { kind: "bbox", page: 2, x: 0, y: 0, w: 1, h: 1 }, 512);
    const { data } = await decodePicture(second.bytes, second.mime);
    expect([...data.subarray(0, 3)].map((value) => Math.round(value / 100))).toEqual([0, 2, 0]);
    await expect(previewPicture(stack, { kind: "bbox", page: 3, x: 0, y: 0, w: 1, h: 1 }, 512)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("no thumbnail is longer than the limit, whatever is asked", async () => {
    const long = await thumbnail({ width: 5_000, height: 10, data: new Uint8Array(150_000).fill(80) }, 100_000);
    expect(await decodePicture(long.bytes, long.mime)).toMatchObject({ width: 2_048, height: 4 });
    const least = await thumbnail({ width: 5, height: 9, data: new Uint8Array(135) }, 0);
    expect(await decodePicture(least.bytes, least.mime)).toMatchObject({ width: 1, height: 1 });
  });
});

test("a query by example has the features that extraction gives", async () => {
  const bytes = await mediaModelFile("image-classifier", "fixture/clock.png");
  const file = await source("again.png", "image/png", bytes);
  const [part] = await partsOf(file);
  expect(await classifyPicture(file, imageModels)).toEqual(part?.units[0]?.features ?? ({} as never));
});

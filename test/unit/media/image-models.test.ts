/** The image models, with the real files: their self-test, and what the pipelines get of them. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Box, Features, Picture } from "../../../src/domain/media.ts";
import { decodePicture } from "../../../src/media/image/decode.ts";
import { mediaModelFile } from "../../../src/runtime/media-models.ts";
import { selfTestImage } from "../../../src/media/selftest/image.ts";
import type { OcrText } from "../../../src/media/models.ts";
import { createImageModels } from "../../../src/media/image/models.ts";
import { PICTURE_LABELS, pictureLabels, shownLabels } from "../../../src/media/labels.ts";
import { turnedBox, turnedQuarter } from "../../../src/media/image/rotation.ts";
import { recordedBytes } from "../../support/recorded.ts";

setDefaultTimeout(60_000);

/** What stands in `picture/page.png` of the recorded files. */
const COLUMNS = [
  ["The harbour master noted", "that crate 417 left the quay", "before the tide had turned", "on the morning of 14 March."],
  ["Two clerks then signed", "every page of the ledger,", "which lists 12,384 records", "and a total of 98.50 kg."],
];
const TITLE = "Report of the harbour office";

const imageModels = createImageModels();
let page: Picture;

beforeAll(async () => {
  page = await decodePicture(await recordedBytes("picture/page.png"), "image/png");
});

/** Strokes from (x, y) to (x, y) on a grid of ten by ten: these characters have straight ones only. */
const STROKES: Record<string, [number, number, number, number][]> = {
  中: [
    [1, 2, 1, 6],
    [9, 2, 9, 6],
    [1, 2, 9, 2],
    [1, 6, 9, 6],
    [5, 0, 5, 10],
  ],
  日: [
    [2, 0, 2, 10],
    [8, 0, 8, 10],
    [2, 0, 8, 0],
    [2, 5, 8, 5],
    [2, 10, 8, 10],
  ],
  田: [
    [1, 1, 1, 9],
    [9, 1, 9, 9],
    [1, 1, 9, 1],
    [1, 5, 9, 5],
    [1, 9, 9, 9],
    [5, 1, 5, 9],
  ],
  王: [
    [1, 1, 9, 1],
    [2, 5, 8, 5],
    [1, 9, 9, 9],
    [5, 1, 5, 9],
  ],
  三: [
    [1.5, 1, 8.5, 1],
    [2.5, 5, 7.5, 5],
    [0.5, 9, 9.5, 9],
  ],
  口: [
    [1, 2, 1, 9],
    [9, 2, 9, 9],
    [1, 2, 9, 2],
    [1, 9, 9, 9],
  ],
  山: [
    [1, 4, 1, 9],
    [9, 4, 9, 9],
    [1, 9, 9, 9],
    [5, 0, 5, 9],
  ],
  正: [
    [1, 1, 9, 1],
    [5, 1, 5, 9],
    [5, 5, 8.5, 5],
    [2, 4.5, 2, 9],
    [0.5, 9, 9.5, 9],
  ],
  工: [
    [1.5, 1, 8.5, 1],
    [5, 1, 5, 9],
    [0.5, 9, 9.5, 9],
  ],
  土: [
    [2, 4, 8, 4],
    [5, 0, 5, 9],
    [0.5, 9, 9.5, 9],
  ],
};

function drawn(text: string): Picture {
  const [width, height, step, half] = [1_000, 200, 5, 2.5];
  const data = new Uint8Array(width * height * 3).fill(255);
  for (const [index, character] of [...text].entries()) {
    const left = 60 + index * 62;
    for (const [x0, y0, x1, y1] of STROKES[character] ?? []) {
      for (let y = Math.floor(70 + y0 * step - half); y < 70 + y1 * step + half; y++)
        for (let x = Math.floor(left + x0 * step - half); x < left + x1 * step + half; x++)
          data.fill(20, (y * width + x) * 3, (y * width + x + 1) * 3);
    }
  }
  return { width, height, data };
}

async function fixture(model: "image-classifier" | "ppocr" | "page-layout", file: string): Promise<Picture> {
  return decodePicture(await mediaModelFile(model, `fixture/${file}`), "image/png");
}

function cosine(a: Features, b: Features): number {
  return a.embedding.reduce((sum, value, index) => sum + value * (b.embedding[index] ?? 0), 0);
}

function texts(lines: readonly OcrText[]): string[] {
  return lines.map(({ text }) => text);
}

function expectNear(found: Box, wanted: Box, tolerance: number): void {
  for (const side of ["x", "y", "w", "h"] as const) expect(Math.abs(found[side] - wanted[side])).toBeLessThan(tolerance);
}

describe("fixtures", () => {
  test("every model does what its card says", async () => {
    const checks = await selfTestImage();
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(
      Object.fromEntries(
        Map.groupBy(checks, ({ model }) => model)
          .entries()
          .map(([model, some]) => [model, some.length]),
      ),
    ).toEqual({ "image-classifier": 10, ppocr: 13, "page-layout": 3 });
    for (const { deviation, tolerance, ok } of checks) expect(ok).toBe(deviation <= tolerance);
  });
});

describe("seeing", () => {
  test("ten labels, best first, and an embedding of length 1", async () => {
    const { kind, labels, embedding } = await imageModels.classify(await fixture("image-classifier", "clock.png"));
    expect(kind).toBe("picture");
    expect(labels.length).toBe(10);
    expect(labels.map(({ score }) => score)).toEqual(labels.map(({ score }) => score).toSorted((a, b) => b - a));
    expect((await shownLabels({ kind: "picture", labels, embedding })).slice(0, 2)).toEqual(["wall clock", "analog clock"]);
    expect(embedding.length).toBe(1_280);
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
  });

  test("the same picture is the same, a smaller copy is near, another is not", async () => {
    const clock = await fixture("image-classifier", "clock.png");
    const [first, again] = [await imageModels.classify(clock), await imageModels.classify(clock)];
    expect(again).toEqual(first);
    const { shrinkTo } = await import("../../../src/media/image/resize.ts");
    expect(cosine(first, await imageModels.classify(shrinkTo(clock, 300)))).toBeGreaterThan(0.85);
    expect(cosine(first, await imageModels.classify(await fixture("image-classifier", "signal.png")))).toBeLessThan(0.5);
  });

  test("pictures of any shape have an answer", async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 5_000],
      [5_000, 1],
      [261, 259],
    ] as const) {
      const { labels, embedding } = await imageModels.classify({ width, height, data: new Uint8Array(width * height * 3).fill(90) });
      expect(labels.length).toBe(10);
      expect(embedding.every(Number.isFinite)).toBe(true);
    }
  });

  test("labels have names", async () => {
    const labels = await pictureLabels();
    expect(labels.length).toBe(PICTURE_LABELS);
    expect(labels.every(({ name, gloss, wnid }) => name !== "" && gloss !== "" && /^n\d{8}$/.test(wnid))).toBe(true);
    const unknown = shownLabels({ kind: "picture", labels: [{ label: 1_000, score: 1 }], embedding: new Float32Array(0) });
    await expect(unknown).rejects.toThrow("a label's index");
  });
});

describe("reading", () => {
  test("two columns under a heading, drawn with a known text", async () => {
    const lines = await imageModels.ocr(page);
    expect(texts(lines)).toEqual([TITLE, ...COLUMNS.flat()]);
    for (const { confidence, box, turn } of lines) {
      expect(confidence).toBeGreaterThan(0.9);
      expect(turn).toBe(0);
      expect(Math.min(box.x, box.y, 1 - box.x - box.w, 1 - box.y - box.h)).toBeGreaterThanOrEqual(0);
    }
    const [, first] = lines;
    expectNear(first?.box ?? { x: 0, y: 0, w: 0, h: 0 }, { x: 60 / 860, y: 140 / 340, w: 300 / 860, h: 24 / 340 }, 0.04);
  });

  test("turned by a quarter, half and three quarters, it reads the same where it lies", async () => {
    const upright = await imageModels.ocr(page);
    let picture = page;
    for (const turns of [1, 2, 3] as const) {
      picture = turnedQuarter(picture);
      const lines = await imageModels.ocr(picture);
      expect(texts(lines)).toEqual(texts(upright));
      for (const [index, { box, turn }] of lines.entries()) {
        expect(turn).toBe(((4 - turns) % 4) as 0 | 1 | 2 | 3);
        expectNear(box, turnedBox(upright[index]?.box ?? { x: 0, y: 0, w: 0, h: 0 }, turns), 0.02);
      }
    }
  });

  test("the fixture upside down", async () => {
    const picture = await fixture("ppocr", "page.png");
    expect(texts(await imageModels.ocr(turnedQuarter(turnedQuarter(picture))))).toEqual(texts(await imageModels.ocr(picture)));
  });

  test("Chinese, drawn stroke by stroke", async () => {
    for (const text of ["中王三山正工日田", "田中正三工土口山"]) expect(texts(await imageModels.ocr(drawn(text)))).toEqual([text]);
  });

  test("a picture without text has none, whatever its shape", async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 4_000],
      [4_000, 1],
      [300, 200],
    ] as const) {
      expect(await imageModels.ocr({ width, height, data: new Uint8Array(width * height * 3).fill(200) })).toEqual([]);
    }
  });
});

describe("regions", () => {
  test("of a page: inside it, best first", async () => {
    const regions = await imageModels.layout(await fixture("page-layout", "page.png"));
    expect(regions[0]).toMatchObject({ class: "text" });
    expect(regions.map(({ score }) => score)).toEqual(regions.map(({ score }) => score).toSorted((a, b) => b - a));
    for (const { box } of regions) {
      expect(Math.min(box.x, box.y, box.w, box.h)).toBeGreaterThanOrEqual(0);
      expect(Math.max(box.x + box.w, box.y + box.h)).toBeLessThanOrEqual(1);
    }
  });

  test("of a blank page: none", async () => {
    expect(await imageModels.layout({ width: 50, height: 70, data: new Uint8Array(50 * 70 * 3).fill(255) })).toEqual([]);
  });
});

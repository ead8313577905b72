/** OCR of a page, with a detector and recognisers that give what the test says. */
import { describe, expect, test } from "bun:test";
import { OCR_MAX_LINES } from "../../../src/base/limits.ts";
import type { Picture } from "../../../src/domain/media.ts";
import type { DetectedLine } from "../../../src/media/image/ocr/detect.ts";
import { type OcrModels, recogniseText } from "../../../src/media/image/ocr/ocr.ts";
import type { RecognisedLine, Script } from "../../../src/media/image/ocr/recognise.ts";
import type { Corners } from "../../../src/media/image/ocr/rectangle.ts";

const PICTURE: Picture = { width: 1_000, height: 10_000, data: new Uint8Array(0) };

function line(row: number, score = 0.9): DetectedLine {
  const [left, right, top, bottom] = [100, 400, row * 20, row * 20 + 12];
  return {
    corners: [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ],
    score,
  };
}

const rowOf = ([start, , below]: Corners) => Math.floor(Math.min(start.y, below.y) / 20);
const isUpright = ([start, end]: Corners) => end.x > start.x;

function models(lines: DetectedLine[], read: (script: Script, corners: Corners) => RecognisedLine): OcrModels & { reads: Record<Script, number> } {
  const reads = { latin: 0, all: 0 };
  return {
    reads,
    detector: async () => ({ lines: async () => lines, map: () => Promise.reject(new Error("not wanted here")) }),
    recogniser: async (script) => async (_picture, all) => {
      reads[script] += all.length;
      return all.map((corners) => read(script, corners));
    },
  };
}

const clear = (corners: Corners): RecognisedLine => ({ text: `a clear line of row ${rowOf(corners)}`, confidence: 0.99 });

describe("a page", () => {
  test("that is clear is read once, by the Latin recogniser", async () => {
    const ocrModels = models(
      Array.from({ length: 30 }, (_, row) => line(29 - row)),
      (_, corners) => clear(corners),
    );
    expect((await recogniseText(PICTURE, ocrModels)).map(({ text }) => text)).toEqual(
      Array.from({ length: 30 }, (_, row) => `a clear line of row ${row}`),
    );
    expect(ocrModels.reads).toEqual({ latin: 30, all: 0 });
  });

  test("that stands on its head is read from the other end, its ten telling lines once each way", async () => {
    const ocrModels = models(
      Array.from({ length: 30 }, (_, row) => line(row)),
      (_, corners) => (isUpright(corners) ? { text: "jumble of some length", confidence: 0.6 } : clear(corners)),
    );
    const found = await recogniseText(PICTURE, ocrModels);
    expect(found.map(({ text }) => text)).toEqual(Array.from({ length: 30 }, (_, row) => `a clear line of row ${29 - row}`));
    expect(found.every(({ turn }) => turn === 2)).toBe(true);
    expect(ocrModels.reads).toEqual({ latin: 40, all: 0 });
    expect(found[0]?.box).toEqual({ x: 0.1, y: expect.closeTo(0.058, 9), w: expect.closeTo(0.3, 9), h: expect.closeTo(0.0012, 9) });
  });

  test("that is unclear both ways stays as it is", async () => {
    const ocrModels = models([line(0), line(1)], () => ({ text: "unclear, but of some length", confidence: 0.7 }));
    expect((await recogniseText(PICTURE, ocrModels)).map(({ turn }) => turn)).toEqual([0, 0]);
  });

  test("of more lines than the limit is read where the detector is surest", async () => {
    const lines = Array.from({ length: OCR_MAX_LINES + 5 }, (_, row) => line(row, row < 5 ? 0.5 : 0.9));
    const found = await recogniseText(
      PICTURE,
      models(lines, (_, corners) => clear(corners)),
    );
    expect(found.length).toBe(OCR_MAX_LINES);
    expect(found[0]?.text).toBe("a clear line of row 5");
  });
});

describe("a line", () => {
  test("that the Latin recogniser doubts is the better of two readings", async () => {
    const ocrModels = models([line(0), line(1), line(2)], (script, corners) => {
      const row = rowOf(corners);
      if (row === 0) return clear(corners);
      const confidence = (script === "latin") === (row === 1) ? 0.8 : 0.7;
      return { text: `${script} reads this as of some length`, confidence };
    });
    expect((await recogniseText(PICTURE, ocrModels)).map(({ text }) => text.split(" ")[0])).toEqual(["a", "latin", "all"]);
    expect(ocrModels.reads.all).toBeGreaterThanOrEqual(2);
  });

  test("of too few characters for its width is read by the full recogniser too", async () => {
    const ocrModels = models([line(0)], (script) =>
      script === "latin" ? { text: "E", confidence: 0.95 } : { text: "中王三山正工日田", confidence: 0.99 },
    );
    expect((await recogniseText(PICTURE, ocrModels)).map(({ text }) => text)).toEqual(["中王三山正工日田"]);
    expect(ocrModels.reads).toEqual({ latin: 1, all: 1 });
  });

  test("without a text, or with less than half confidence, is left out", async () => {
    const ocrModels = models(
      [line(0), line(1), line(2)],
      (_, corners) =>
        [clear(corners), { text: "", confidence: 0.99 }, { text: "a guess of some length", confidence: 0.49 }][rowOf(corners)] as RecognisedLine,
    );
    expect((await recogniseText(PICTURE, ocrModels)).map(({ text }) => text)).toEqual(["a clear line of row 0"]);
  });
});

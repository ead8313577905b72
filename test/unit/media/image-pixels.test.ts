/** Resizing, turning and cropping, against values worked out by hand. */
import { describe, expect, test } from "bun:test";
import type { Picture } from "../../../src/domain/media.ts";
import { crop, cropTo, type ResizeFilter, resize, shrinkTo } from "../../../src/media/image/resize.ts";
import { turnedBox, turnedQuarter, undone } from "../../../src/media/image/rotation.ts";
import type { QuarterTurns } from "../../../src/media/models.ts";

const SEED = 20_261_121;

function noise(width: number, height: number): Picture {
  let state = SEED;
  const data = Uint8Array.from({ length: width * height * 3 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  return { width, height, data };
}

/** Rows of greys. */
function grey(...rows: number[][]): Picture {
  return { width: rows[0]?.length ?? 0, height: rows.length, data: Uint8Array.from(rows.flat().flatMap((value) => [value, value, value])) };
}

function greys({ width, data }: Picture): number[][] {
  const first = [...data].filter((_, at) => at % 3 === 0);
  return Array.from({ length: first.length / width }, (_, row) => first.slice(row * width, (row + 1) * width));
}

/** The definition, in floating point: every pixel by the filter stretched over what it stands for; down after across. */
function byDefinition(picture: Picture, width: number, height: number, filter: ResizeFilter): Picture {
  const support = filter === "bilinear" ? 1 : 2;
  const weight = (x: number) => {
    const d = Math.abs(x);
    if (filter === "bilinear") return Math.max(0, 1 - d);
    if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
    return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
  };
  const along = (length: number, size: number) =>
    Array.from({ length: size }, (_, index) => {
      const scale = length / size;
      const stretch = Math.max(1, scale);
      const centre = (index + 0.5) * scale;
      const weights = Array.from({ length }, (_, at) =>
        Math.abs(at + 0.5 - centre) < support * stretch ? weight((at + 0.5 - centre) / stretch) : 0,
      );
      const sum = weights.reduce((a, b) => a + b, 0);
      return weights.map((value) => value / sum);
    });
  const byte = (value: number) => Math.min(255, Math.max(0, Math.floor(value + 0.5)));
  const columns = along(picture.width, width);
  const rows = along(picture.height, height);
  const at = (x: number, y: number, c: number) => picture.data[(y * picture.width + x) * 3 + c] ?? 0;
  const across = Array.from({ length: picture.height }, (_, y) =>
    columns.map((taps) => [0, 1, 2].map((c) => byte(taps.reduce((sum, tap, x) => sum + tap * at(x, y, c), 0)))),
  );
  const data = rows.flatMap((taps) =>
    columns.flatMap((_, x) => [0, 1, 2].map((c) => byte(taps.reduce((sum, tap, y) => sum + tap * (across[y]?.[x]?.[c] ?? 0), 0)))),
  );
  return { width, height, data: Uint8Array.from(data) };
}

function worst(a: Picture, b: Picture): number {
  expect([a.width, a.height, a.data.length]).toEqual([b.width, b.height, b.data.length]);
  return a.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (b.data[at] ?? 0))), 0);
}

describe("resizing", () => {
  test("values worked out by hand", () => {
    // Twice as wide: pixel centres at -0.25, 0.25, 0.75 and 1.25 of the old ones, the ends held.
    expect(greys(resize(grey([0, 100]), { width: 4, height: 1, filter: "bilinear" }))).toEqual([[0, 25, 75, 100]]);
    // Half as wide: a triangle of support 2 around x = 1 and x = 3, weights 3, 3, 1 of 7 at the ends.
    expect(greys(resize(grey([0, 70, 140, 210]), { width: 2, height: 1, filter: "bilinear" }))).toEqual([[50, 160]]);
    // The same down the other way.
    expect(greys(resize(grey([0], [70], [140], [210]), { width: 1, height: 2, filter: "bilinear" }))).toEqual([[50], [160]]);
    // Cubic, twice as wide. At 1.75 the step from 0 to 255 has the weights of 0.75 and 1.75: 0.2266 - 0.0234. At 1.25 it
    // undershoots, by 0.0703, and is held to 0.
    expect(greys(resize(grey([0, 0, 255, 255]), { width: 8, height: 1, filter: "bicubic" }))).toEqual([[0, 0, 0, 52, 203, 255, 255, 255]]);
  });

  test("the definition, up and down, in both filters", () => {
    for (const filter of ["bilinear", "bicubic"] as const) {
      for (const [width, height] of [
        [40, 31],
        [17, 13],
        [33, 29],
        [15, 40],
      ] as const) {
        expect(worst(resize(noise(29, 23), { width, height, filter }), byDefinition(noise(29, 23), width, height, filter))).toBeLessThanOrEqual(1);
      }
    }
  });

  test("one colour stays that colour at any size, large reductions included", () => {
    const flat: Picture = { width: 701, height: 523, data: new Uint8Array(701 * 523 * 3).fill(201) };
    for (const filter of ["bilinear", "bicubic"] as const) {
      for (const [width, height] of [
        [1, 1],
        [3, 2],
        [40, 30],
        [350, 523],
        [701, 7],
      ] as const) {
        expect(resize(flat, { width, height, filter }).data.every((value) => value === 201)).toBe(true);
      }
    }
  });

  test("a large reduction by way of the box average stays near the definition", () => {
    const wave: Picture = {
      width: 240,
      height: 180,
      data: Uint8Array.from({ length: 240 * 180 * 3 }, (_, at) => {
        const pixel = Math.floor(at / 3);
        return 128 + 100 * Math.sin((pixel % 240) / 30) * Math.cos(Math.floor(pixel / 240) / 25 + (at % 3));
      }),
    };
    for (const filter of ["bilinear", "bicubic"] as const)
      expect(worst(resize(wave, { width: 24, height: 18, filter }), byDefinition(wave, 24, 18, filter))).toBeLessThanOrEqual(2);
  });

  test("a box average of more rows than a 16-bit lane can hold", () => {
    const tall: Picture = { width: 3, height: 3_000, data: new Uint8Array(9_000 * 3).fill(255) };
    expect([...resize(tall, { width: 3, height: 1, filter: "bilinear" }).data]).toEqual(new Array(9).fill(255));
  });

  test("a window is a part of the whole result", () => {
    for (const [width, height] of [
      [120, 90],
      [30, 40],
      [11, 9],
      [400, 350],
    ] as const) {
      for (const filter of ["bilinear", "bicubic"] as const) {
        const window = { x: Math.floor(width / 3), y: Math.floor(height / 4), width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
        const source = noise(203, 161);
        expect(worst(resize(source, { width, height, filter, window }), crop(resize(source, { width, height, filter }), window))).toBe(0);
      }
    }
  });

  test("a picture of the size already is left alone", () => {
    const picture = noise(12, 9);
    expect(resize(picture, { width: 12, height: 9, filter: "bicubic" })).toBe(picture);
    expect(resize(picture, { width: 12, height: 9, filter: "bicubic", window: { x: 2, y: 1, width: 3, height: 4 } })).toEqual(
      crop(picture, { x: 2, y: 1, width: 3, height: 4 }),
    );
  });

  test("shrinking keeps the ratio and never enlarges", () => {
    expect(shrinkTo(noise(400, 100), 40)).toMatchObject({ width: 40, height: 10 });
    expect(shrinkTo(noise(3, 900), 30)).toMatchObject({ width: 1, height: 30 });
    const small = noise(20, 10);
    expect(shrinkTo(small, 40)).toBe(small);
  });

  test("a crop by ratios covers what it names, and at least a pixel", () => {
    const picture = grey([0, 1, 2, 3], [4, 5, 6, 7]);
    expect(greys(cropTo(picture, { x: 0.25, y: 0.5, w: 0.5, h: 0.5 }))).toEqual([[5, 6]]);
    expect(greys(cropTo(picture, { x: 0.3, y: 0, w: 0.3, h: 1 }))).toEqual([
      [1, 2],
      [5, 6],
    ]);
    expect(greys(cropTo(picture, { x: 1, y: 1, w: 0, h: 0 }))).toEqual([[7]]);
    expect(greys(cropTo(picture, { x: 0, y: 0, w: 1, h: 1 }))).toEqual(greys(picture));
  });
});

describe("turning", () => {
  test("a quarter clockwise", () => {
    expect(greys(turnedQuarter(grey([1, 2, 3], [4, 5, 6])))).toEqual([
      [4, 1],
      [5, 2],
      [6, 3],
    ]);
    const picture = noise(67, 41);
    expect(turnedQuarter(turnedQuarter(turnedQuarter(turnedQuarter(picture))))).toEqual(picture);
  });

  test("a box follows the picture, and comes back", () => {
    const box = { x: 0.1, y: 0.2, w: 0.3, h: 0.4 };
    const close = (a: object, b: object) => {
      for (const [name, value] of Object.entries(b)) expect((a as Record<string, number>)[name]).toBeCloseTo(value, 12);
    };
    close(turnedBox(box, 1), { x: 0.4, y: 0.1, w: 0.4, h: 0.3 });
    close(turnedBox(box, 2), turnedBox(turnedBox(box, 1), 1));
    close(turnedBox(box, 3), turnedBox(turnedBox(box, 2), 1));
    for (const turns of [0, 1, 2, 3] as QuarterTurns[]) close(turnedBox(turnedBox(box, turns), undone(turns)), box);
    // The top left pixel of a turned picture is the crop of the turned box.
    const picture = noise(10, 20);
    const corner = { x: 0, y: 0.9, w: 0.1, h: 0.1 };
    expect(turnedQuarter(cropTo(picture, corner))).toEqual(cropTo(turnedQuarter(picture), turnedBox(corner, 1)));
  });
});

/** The kernels of resizing: they are what their source says, and give to the bit what plain loops give. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import wabt from "wabt";
import type { Picture } from "../../../src/domain/media.ts";
import { crop, type PixelBox, resize, type Resizing } from "../../../src/media/image/resize.ts";
import { SEED } from "../../property/seed.ts";

const KERNELS = new URL("../../../src/media/image/resize.wat", import.meta.url);

/** Bytes without a pattern; or nothing but 0 and 255, where a cubic overshoots. */
function noise(width: number, height: number, { harsh = false, seed = SEED } = {}): Picture {
  let state = seed;
  const data = Uint8Array.from({ length: width * height * 3 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return harsh ? (state >>> 31) * 255 : state >>> 24;
  });
  return { width, height, data };
}

/** The whole result, step by step: boxes, across, down, with a pass over the whole picture for each. */
function byPlainLoops(picture: Picture, { width, height, filter }: Resizing): Picture {
  const boxes = { across: boxOf(picture.width, width), down: boxOf(picture.height, height) };
  const small = averaged(picture, boxes.across, boxes.down);
  const columns = tapsOf(small.width, picture.width / boxes.across / width, width, filter);
  const rows = tapsOf(small.height, picture.height / boxes.down / height, height, filter);
  const across = pixels(width, small.height, (x, y, c) => weighed(columns[x], (at) => small.data[(y * small.width + at) * 3 + c]));
  return pixels(width, height, (x, y, c) => weighed(rows[y], (at) => across.data[(at * width + x) * 3 + c]));
}

function boxOf(from: number, to: number): number {
  return Math.max(1, Math.floor(from / to / 2));
}

function pixels(width: number, height: number, value: (x: number, y: number, c: number) => number): Picture {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at++) data[at] = value(Math.floor(at / 3) % width, Math.floor(at / 3 / width), at % 3);
  return { width, height, data };
}

function averaged(picture: Picture, across: number, down: number): Picture {
  if (across === 1 && down === 1) return picture;
  return pixels(Math.ceil(picture.width / across), Math.ceil(picture.height / down), (x, y, c) => {
    const right = Math.min(picture.width, (x + 1) * across);
    const bottom = Math.min(picture.height, (y + 1) * down);
    let sum = 0;
    for (let row = y * down; row < bottom; row++)
      for (let column = x * across; column < right; column++) sum += picture.data[(row * picture.width + column) * 3 + c] ?? Number.NaN;
    return Math.floor(sum * (1 / ((right - x * across) * (bottom - y * down))) + 0.5);
  });
}

interface Taps {
  first: number;
  weights: number[];
}

function tapsOf(length: number, scale: number, size: number, filter: Resizing["filter"]): Taps[] {
  const stretch = Math.max(1, scale);
  const reach = (filter === "bilinear" ? 1 : 2) * stretch;
  return Array.from({ length: size }, (_, index) => {
    const centre = (index + 0.5) * scale;
    const first = Math.min(length - 1, Math.max(0, Math.trunc(centre - reach + 0.5)));
    const last = Math.max(first + 1, Math.min(length, Math.trunc(centre + reach + 0.5)));
    const raw = Array.from({ length: last - first }, (_none, tap) => weightAt(Math.abs((first + tap - centre + 0.5) / stretch), filter));
    const sum = raw.reduce((total, weight) => total + weight, 0);
    return { first, weights: raw.map((weight) => Math.round((weight / sum) * 2 ** 22)) };
  });
}

function weightAt(x: number, filter: Resizing["filter"]): number {
  if (filter === "bilinear") return Math.max(0, 1 - x);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * -0.5 : 0;
}

function weighed(taps: Taps | undefined, value: (at: number) => number | undefined): number {
  const { first, weights } = taps ?? { first: 0, weights: [Number.NaN] };
  const sum = weights.reduce((total, weight, tap) => total + weight * (value(first + tap) ?? Number.NaN), 2 ** 21);
  return Math.min(255, Math.max(0, Math.floor(sum / 2 ** 22)));
}

function expectSame(picture: Picture, to: Resizing): void {
  const { window, ...size } = to;
  const found = resize(picture, to);
  const whole = picture.width === to.width && picture.height === to.height ? picture : byPlainLoops(picture, size);
  const expected = window === undefined ? whole : crop(whole, window);
  expect([found.width, found.height]).toEqual([expected.width, expected.height]);
  expect(Buffer.compare(found.data, expected.data)).toBe(0);
}

test("resize.wasm is resize.wat assembled", async () => {
  const { parseWat } = await wabt();
  const source = parseWat("resize.wat", await Bun.file(KERNELS).text());
  source.validate();
  const checkedIn = await Bun.file(new URL("resize.wasm", KERNELS)).bytes();
  expect(Buffer.compare(source.toBinary({}).buffer, checkedIn)).toBe(0);
});

describe("the kernels give what plain loops give", () => {
  const side = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 150 }));
  const part = (length: number): fc.Arbitrary<[number, number]> =>
    fc.nat(length - 1).chain((from) => fc.tuple(fc.constant(from), fc.integer({ min: 1, max: length - from })));
  const windows = (width: number, height: number): fc.Arbitrary<PixelBox | undefined> =>
    fc.option(
      fc.tuple(part(width), part(height)).map(([[x, across], [y, down]]) => ({ x, y, width: across, height: down })),
      { nil: undefined },
    );
  const resizings: fc.Arbitrary<Resizing> = fc
    .tuple(side, side, fc.constantFrom("bilinear" as const, "bicubic" as const))
    .chain(([width, height, filter]) =>
      windows(width, height).map((window) => (window === undefined ? { width, height, filter } : { width, height, filter, window })),
    );

  test("for any size and window", () => {
    const property = fc.property(side, side, fc.boolean(), fc.nat(), resizings, (width, height, harsh, seed, to) =>
      expectSame(noise(width, height, { harsh, seed }), to),
    );
    fc.assert(property, { seed: SEED, numRuns: 400 });
  });

  test("for long and thin pictures: more rows than 16 bits can add up, more columns than a strip has room for", () => {
    for (const filter of ["bilinear", "bicubic"] as const) {
      expectSame(noise(3, 3_001, { harsh: true }), { width: 2, height: 1, filter });
      expectSame(noise(3_001, 700), { width: 2, height: 1, filter });
      expectSame(noise(2, 9_000), { width: 5, height: 700, filter, window: { x: 1, y: 600, width: 3, height: 90 } });
      expectSame(noise(32_000, 2), { width: 7, height: 3, filter });
    }
  });

  test("for boxes at the edge that have fewer pixels than the others", () => {
    for (const [width, height] of [
      [101, 64],
      [64, 101],
      [119, 119],
    ] as const)
      expectSame(noise(width, height), { width: 12, height: 12, filter: "bilinear" });
  });
});

test("the longest legal side fits in the kernels' memory, and a small picture after it is right", () => {
  const flat: Picture = { width: 32_000, height: 39, data: new Uint8Array(32_000 * 39 * 3).fill(90) };
  const { data } = resize(flat, { width: 31_999, height: 10, filter: "bicubic" });
  expect(data.length).toBe(31_999 * 10 * 3);
  expect(data.every((value) => value === 90)).toBe(true);
  expectSame(noise(40, 30), { width: 21, height: 9, filter: "bicubic" });
});

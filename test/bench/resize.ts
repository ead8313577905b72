/**
 * The resizing of src/media/image/resize.ts beside that of ImageMagick, the picture decoder's own: the four resizings that
 * extraction makes of a photo, their times, and how far the pixels differ.
 *
 *   bun test/bench/resize.ts
 *
 * ImageMagick is measured twice: from RGB pixels to RGB pixels, as ours is, and its `resize` alone, without the copies in
 * and out. Differences are of 255, against the filter computed in floating point over the whole picture.
 */
import { readFileSync } from "node:fs";
import { FilterType, initializeImageMagick, MagickGeometry, MagickImage, MagickReadSettings } from "@imagemagick/magick-wasm";
import { drawnPicture } from "../../src/cli/bench/media-files.ts";
import type { Picture } from "../../src/domain/media.ts";
import { crop, resize, type ResizeFilter, type Resizing } from "../../src/media/image/resize.ts";

const ROUNDS = 9;
const CASES: [string, Resizing][] = [
  ["classifier", { width: 389, height: 292, filter: "bicubic", window: { x: 64, y: 16, width: 260, height: 260 } }],
  ["OCR", { width: 960, height: 704, filter: "bilinear" }],
  ["layout", { width: 608, height: 800, filter: "bilinear" }],
  ["preview", { width: 1_024, height: 768, filter: "bicubic" }],
];
/** The same filters: a tent, and the cubic with a = -0.5. */
const FILTERS: Record<ResizeFilter, FilterType> = { bilinear: FilterType.Triangle, bicubic: FilterType.Catrom };

await initializeImageMagick(readFileSync("node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm"));

function byMagick({ width, height, data }: Picture, to: Resizing): { picture: Picture; resizeMs: number } {
  const image = MagickImage.create();
  try {
    // magick-wasm has no other way to give raw pixels in.
    image.read(data, new MagickReadSettings({ format: "RGB", width, height, depth: 8 }));
    const size = new MagickGeometry(to.width, to.height);
    size.ignoreAspectRatio = true;
    image.filterType = FILTERS[to.filter];
    const start = performance.now();
    image.resize(size);
    const resizeMs = performance.now() - start;
    const { x, y, ...part } = to.window ?? { x: 0, y: 0, width: to.width, height: to.height };
    const bytes = image.getPixels((pixels) => pixels.toByteArray(x, y, part.width, part.height, "RGB"));
    return { picture: { ...part, data: bytes ?? new Uint8Array() }, resizeMs };
  } finally {
    image.dispose();
  }
}

/** Weights of the source pixels for each of `size` pixels. */
function weights(length: number, size: number, filter: ResizeFilter): { first: number; of: number[] }[] {
  const scale = Math.max(1, length / size);
  const cubic = (x: number) => (x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0);
  const weight = (x: number) => (filter === "bilinear" ? Math.max(0, 1 - x) : cubic(x));
  return Array.from({ length: size }, (_, index) => {
    const centre = ((index + 0.5) * length) / size;
    const first = Math.max(0, Math.floor(centre - 2 * scale));
    const all = Array.from({ length: Math.min(length, Math.ceil(centre + 2 * scale)) - first }, (_none, at) =>
      weight(Math.abs(first + at + 0.5 - centre) / scale),
    );
    const sum = all.reduce((a, b) => a + b, 0);
    return { first, of: all.map((value) => value / sum) };
  });
}

function byDefinition(picture: Picture, to: Resizing): Picture {
  const columns = weights(picture.width, to.width, to.filter);
  const rows = weights(picture.height, to.height, to.filter);
  const wide = new Float32Array(to.width * picture.height * 3);
  for (let y = 0, at = 0; y < picture.height; y += 1)
    for (const { first, of } of columns)
      for (let channel = 0; channel < 3; channel += 1, at += 1)
        for (let tap = 0, from = (y * picture.width + first) * 3 + channel; tap < of.length; tap += 1, from += 3)
          wide[at] = (wide[at] as number) + (of[tap] as number) * (picture.data[from] as number);
  const stride = to.width * 3;
  const data = new Uint8ClampedArray(stride * to.height);
  rows.forEach(({ first, of }, y) => {
    for (let at = 0; at < stride; at += 1)
      data[y * stride + at] = of.reduce((sum, share, tap) => sum + share * (wide[(first + tap) * stride + at] as number), 0);
  });
  return crop(
    { width: to.width, height: to.height, data: new Uint8Array(data.buffer) },
    to.window ?? { x: 0, y: 0, width: to.width, height: to.height },
  );
}

function difference(a: Picture, b: Picture): string {
  const each = a.data.map((value, at) => Math.abs(value - (b.data[at] ?? 255)));
  return `mean ${(each.reduce((sum, value) => sum + value, 0) / each.length).toFixed(2)}, most ${each.reduce((most, value) => Math.max(most, value), 0)}`;
}

function median(values: number[]): string {
  return (values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN).toFixed(1);
}

for (const [width, height] of [
  [4_000, 3_000],
  [1_632, 1_224],
] as const) {
  const picture = drawnPicture(width, height);
  for (const [name, to] of CASES) {
    const times = { ours: [] as number[], magick: [] as number[], alone: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      resize(picture, to);
      const between = performance.now();
      times.alone.push(byMagick(picture, to).resizeMs);
      times.magick.push(performance.now() - between);
      times.ours.push(between - start);
    }
    const exact = byDefinition(picture, to);
    process.stdout.write(
      `${width} x ${height} ${name}: ours ${median(times.ours)} ms (${difference(resize(picture, to), exact)}); ` +
        `ImageMagick ${median(times.magick)} ms, resize alone ${median(times.alone)} ms (${difference(byMagick(picture, to).picture, exact)})\n`,
    );
  }
}

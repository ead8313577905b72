/** Pixels of what is drawn, what a scanner or a careless hand does to them, and picture files of them. */
import { readFileSync } from "node:fs";
import { initializeImageMagick, MagickColor, MagickFormat, MagickImage, MagickReadSettings } from "@imagemagick/magick-wasm";
import type { IMagickImage } from "@imagemagick/magick-wasm";
import wasm from "../../../node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm" with { type: "file" };
import type { Picture } from "../../../src/domain/media.ts";
import { openPdf } from "../../../src/media/document/pdf.ts";
import { type MadePage, makePdf } from "../../unit/media/make-pdf.ts";
import { chance, normal } from "./chance.ts";
import { scratch } from "./tools.ts";

let started: Promise<void> | null = null;

/** Starts the encoder of pictures, once. The service decodes in processes of its own. */
export function startPixels(): Promise<void> {
  started ??= initializeImageMagick(new Uint8Array(readFileSync(wasm)));
  return started;
}

/** A page of PDF operators, `side` pixels long. */
export async function rendered(page: MadePage, side: number): Promise<Picture> {
  const path = scratch("drawn.pdf");
  const bytes = makePdf([page]);
  await Bun.write(path, bytes);
  const pdf = await openPdf(path, bytes.length);
  const opened = pdf.page(0);
  try {
    if (opened === null) throw new Error("a page that was made here can be opened");
    return opened.render(side);
  } finally {
    opened?.close();
    pdf.close();
  }
}

function worked<T>({ width, height, data }: Picture, work: (image: IMagickImage) => T): T {
  const image = MagickImage.create();
  try {
    image.read(data, new MagickReadSettings({ format: MagickFormat.Rgb, width, height, depth: 8 }));
    return work(image);
  } finally {
    image.dispose();
  }
}

function changed(picture: Picture, work: (image: IMagickImage) => void): Picture {
  return worked(picture, (image) => {
    work(image);
    image.resetPage();
    const { width, height } = image;
    const data = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, "RGB"));
    if (data === null) throw new Error("a picture has pixels");
    return { width, height, data: new Uint8Array(data) };
  });
}

const FORMATS = { jpg: MagickFormat.Jpeg, png: MagickFormat.Png, tif: MagickFormat.Tiff, webp: MagickFormat.WebP } as const;
export type Extension = keyof typeof FORMATS;

/** A picture file. `quality`: of JPEG, 1-100. */
export function fileOf(picture: Picture, extension: Extension, quality = 90): Uint8Array {
  return worked(picture, (image) => {
    image.quality = quality;
    // Without the dates: the same file in every run.
    image.strip();
    return image.write(FORMATS[extension], (bytes) => bytes.slice());
  });
}

/** Clockwise; what is left open is filled with the colour of paper. */
export function rotated(picture: Picture, degrees: number, paper: readonly [number, number, number] = [255, 255, 255]): Picture {
  return changed(picture, (image) => {
    image.backgroundColor = new MagickColor(...paper, 255);
    image.rotate(degrees);
  });
}

export function mirrored(picture: Picture): Picture {
  return changed(picture, (image) => image.flop());
}

export function resized(picture: Picture, scale: number): Picture {
  return changed(picture, (image) => image.resize(Math.round(picture.width * scale), Math.round(picture.height * scale)));
}

export function cropped({ width, height, data }: Picture, share: number, corner: boolean): Picture {
  const [w, h] = [Math.round(width * share), Math.round(height * share)];
  const [left, top] = corner ? [0, 0] : [(width - w) >> 1, (height - h) >> 1];
  const out = new Uint8Array(w * h * 3);
  for (let row = 0; row < h; row += 1) {
    const from = ((top + row) * width + left) * 3;
    out.set(data.subarray(from, from + w * 3), row * w * 3);
  }
  return { width: w, height: h, data: out };
}

export function recoloured({ width, height, data }: Picture, of: (value: number) => number): Picture {
  const table = Uint8Array.from({ length: 256 }, (_, value) => Math.max(0, Math.min(255, Math.round(of(value)))));
  return { width, height, data: data.map((value) => table[value] ?? 0) };
}

/** The warm white that a scanner sees, so that its JPEG has colours. */
export function warmed({ width, height, data }: Picture): Picture {
  return { width, height, data: data.map((value, at) => (at % 3 === 2 ? Math.round(value * 0.96) : value)) };
}

/** Light letters on dark paper. */
export function darkened(picture: Picture): Picture {
  return recoloured(picture, (value) => 235 - 0.8 * value);
}

/** As a poor copier gives it back: grey paper, grey letters, and noise of `sigma`. */
export function copied(picture: Picture, seed: number, sigma = 14): Picture {
  const next = chance(seed);
  const { width, height, data } = recoloured(picture, (value) => 96 + (value * 120) / 255);
  const out = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const noise = sigma * normal(next);
    for (let channel = 0; channel < 3; channel += 1) out[at + channel] = Math.max(0, Math.min(255, Math.round((data[at + channel] ?? 0) + noise)));
  }
  return { width, height, data: out };
}

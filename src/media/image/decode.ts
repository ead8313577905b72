/**
 * Owns @imagemagick/magick-wasm: decodes picture files to pixels, and encodes thumbnails. The library runs as WebAssembly,
 * so a hostile file stays in its sandbox; its policy allows the coders of six formats, and no files, delegates or filters.
 */
import type { IMagickImage, MagickError, MagickFormat } from "@imagemagick/magick-wasm";
import wasm from "../../../node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm" with { type: "file" };
import { assert, Fault } from "../../base/fault.ts";
import {
  PICTURE_DECODER_MAX_BYTES,
  PICTURE_FILE_MAX_BYTES,
  PICTURE_MAX_PAGES,
  PICTURE_MAX_PIXELS,
  PICTURE_MAX_SIDE_PIXELS,
  PICTURE_STRIP_BYTES,
} from "../../base/limits.ts";
import { once } from "../../base/once.ts";
import type { Picture } from "../../domain/media.ts";
import { plainPng } from "./png-chunks.ts";
import { firstWebpFrame } from "./webp-frame.ts";

type Magick = typeof import("@imagemagick/magick-wasm");

/** The name for people by MIME type; in capitals it is ImageMagick's coder. */
const FORMATS: Record<string, string> = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "image/gif": "GIF",
  "image/bmp": "BMP",
  "image/tiff": "TIFF",
};
export const PICTURE_MIMES = Object.keys(FORMATS);
export const THUMBNAIL_MIME = "image/jpeg";
const THUMBNAIL_QUALITY = 80;

/** Later lines win. RGB is for raw pixels that become thumbnails; no file is read as RGB. */
const POLICY = `<?xml version="1.0" encoding="UTF-8"?>
<policymap>
  <policy domain="delegate" rights="none" pattern="*" />
  <policy domain="filter" rights="none" pattern="*" />
  <policy domain="coder" rights="none" pattern="*" />
  <policy domain="coder" rights="read | write" pattern="{JPEG,PNG,WEBP,GIF,BMP,TIFF,RGB}" />
  <policy domain="path" rights="none" pattern="*" />
</policymap>
`;

/** The library's messages for a file that ends too early. */
const CUT_SHORT =
  /UnexpectedEndOfFile|InsufficientImageData|premature end|Can ?not read TIFF|fetching directory|Failed to read directory|Read error/i;
/**
 * The warning that means a grey part in the picture. Others are harmless: a missing end marker, stray bytes between two
 * segments of a JPEG.
 */
const GREY_PART = /premature end of data segment/i;
const RESOURCE_SEVERITIES = [400, 445];

/** An opened picture file. Only TIFF has more than one page. */
export interface PictureFile {
  /** The size of each page as it is stored, before it is turned upright. */
  sizes: { width: number; height: number }[];
  /** Decodes page `index`, 0-based. Errors: Fault `bad_request` for a page that is damaged or cut short. */
  page(index: number): Picture;
}

const started = once(start);
let failed = false;

/**
 * True once the library has thrown anything but its own errors: its memory is then in an unknown state, and the process
 * must be replaced. Further calls fail.
 */
export function pictureDecoderFailed(): boolean {
  return failed;
}

/** Starts the library, once: 0.2 s, 110 MB. */
async function start(): Promise<Magick> {
  const magick = await import("@imagemagick/magick-wasm");
  const files = magick.ConfigurationFiles.default;
  files.policy.data = POLICY;
  await magick.initializeImageMagick(await Bun.file(wasm).bytes(), files);
  const { ResourceLimits } = magick;
  // `checkSize` refuses with a message that names the size; these limits hold for files whose headers hide it.
  ResourceLimits.area = BigInt(PICTURE_MAX_PIXELS);
  ResourceLimits.memory = BigInt(PICTURE_DECODER_MAX_BYTES);
  ResourceLimits.disk = 0n;
  ResourceLimits.listLength = BigInt(PICTURE_MAX_PAGES + 1);
  return magick;
}

async function library(): Promise<Magick> {
  assert(!failed, "the picture decoder is not used after it failed");
  return started();
}

/** Runs `work`; errors of the library become Faults about the file. */
function guarded<T>(magick: Magick, name: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    if (!(cause instanceof magick.MagickError)) failed = true;
    throw brokenFile(name, cause);
  }
}

function brokenFile(name: string, cause: unknown): Fault {
  const { severity, relatedErrors = [] } = cause as Partial<MagickError>;
  const said = [cause, ...relatedErrors].map(String).join("\n");
  if (RESOURCE_SEVERITIES.includes(severity ?? 0))
    return new Fault("bad_request", `the ${name} needs more memory than a picture may take: save it smaller`, { cause });
  if (/ExceedsLimit/.test(said))
    return new Fault("bad_request", `the ${name} is larger than any picture that is taken: no side may be over ${PICTURE_MAX_SIDE_PIXELS} pixels`, {
      cause,
    });
  if (CUT_SHORT.test(said)) return cutShort(name, cause);
  return new Fault("bad_request", `the ${name} is damaged and cannot be decoded: export it again`, { cause });
}

function cutShort(name: string, cause: unknown): Fault {
  return new Fault("bad_request", `the ${name} is cut short: part of its data is missing; copy or export it again`, { cause });
}

/** Errors: Fault `bad_request` that names the size and the limit. */
function checkSize({ width, height }: { width: number; height: number }, where: string): void {
  const size = `${width} × ${height} pixels`;
  if (width < 1 || height < 1) throw new Fault("bad_request", `${where} has no pixels (${size})`);
  if (width > PICTURE_MAX_SIDE_PIXELS || height > PICTURE_MAX_SIDE_PIXELS)
    throw new Fault("bad_request", `${where} is ${size}: no side may be over ${PICTURE_MAX_SIDE_PIXELS}; scale it down`);
  if (width * height > PICTURE_MAX_PIXELS)
    throw new Fault("bad_request", `${where} is ${size}: at most ${PICTURE_MAX_PIXELS / 1e6} megapixels are taken; scale it down`);
}

/**
 * Opens a picture file and reads the size of each page, without decoding one. `mime`: of PICTURE_MIMES, as sniffed; the
 * file is read as that and nothing else. The bytes must not change while the file is in use.
 * Errors: Fault `bad_request` for another mime, a file that is too large, damaged or cut short, and for a page of no
 * pixels or of more than the limits allow.
 */
export async function openPicture(bytes: Uint8Array, mime: string): Promise<PictureFile> {
  const format = FORMATS[mime];
  if (format === undefined)
    throw new Fault("bad_request", `${mime} is not a picture format that is read here: use ${Object.values(FORMATS).join(", ")}`);
  const name = `${format} file`;
  const coder = format.toUpperCase() as MagickFormat;
  if (bytes.length === 0) throw new Fault("bad_request", "the picture file is empty");
  if (bytes.length > PICTURE_FILE_MAX_BYTES)
    throw new Fault(
      "bad_request",
      `the ${name} has ${bytes.length} bytes: a picture file may have ${PICTURE_FILE_MAX_BYTES}; save it compressed, or its pages apart`,
    );
  const magick = await library();
  // Without data that the decoder would unpack and not use.
  const content = coder === "WEBP" ? firstWebpFrame(bytes) : coder === "PNG" ? plainPng(bytes) : bytes;
  const sizes = guarded(magick, name, () => pageSizes(magick, content, coder));
  if (sizes.length > PICTURE_MAX_PAGES) throw new Fault("bad_request", `the ${name} has more than ${PICTURE_MAX_PAGES} pages: split it`);
  for (const [index, size] of sizes.entries()) checkSize(size, sizes.length > 1 ? `page ${index + 1} of the ${name}` : `the ${name}`);
  return {
    sizes,
    page: (index) => guarded(magick, name, () => decodePage(magick, content, { coder, name, index })),
  };
}

/** The first page of a picture file, upright. Errors: those of openPicture. */
export async function decodePicture(bytes: Uint8Array, mime: string): Promise<Picture> {
  return (await openPicture(bytes, mime)).page(0);
}

/** By the headers; of an animation, the first frame. Lists up to PICTURE_MAX_PAGES + 1, so that the caller sees the excess. */
function pageSizes(magick: Magick, bytes: Uint8Array, coder: MagickFormat): { width: number; height: number }[] {
  const frameCount = coder === "TIFF" ? PICTURE_MAX_PAGES + 1 : 1;
  const images = magick.MagickImageCollection.create();
  try {
    images.ping(bytes, new magick.MagickReadSettings({ format: coder, frameIndex: 0, frameCount }));
    return images.map(({ width, height }) => ({ width, height }));
  } finally {
    images.dispose();
  }
}

function decodePage(magick: Magick, bytes: Uint8Array, { coder, name, index }: { coder: MagickFormat; name: string; index: number }): Picture {
  const image = magick.MagickImage.create();
  try {
    const warnings: string[] = [];
    image.onWarning = ({ error }) => warnings.push(...[error, ...error.relatedErrors].map(String));
    image.read(bytes, new magick.MagickReadSettings({ format: coder, frameIndex: index, frameCount: 1 }));
    if (warnings.some((warning) => GREY_PART.test(warning))) throw cutShort(name, warnings);
    // Checked again: a file may hold two headers with different sizes.
    checkSize(image, `the ${name}`);
    makePlain(magick, image);
    return { width: image.width, height: image.height, data: pixelsOf(image) };
  } finally {
    image.dispose();
  }
}

/** Turns the image upright, opaque on white and sRGB. Colour profiles are not applied, as in the models' training. */
function makePlain(magick: Magick, image: IMagickImage): void {
  // `autoOrient` copies a picture even when it is upright.
  if (image.orientation > magick.Orientation.TopLeft) image.autoOrient();
  if (image.colorSpace !== magick.ColorSpace.sRGB) image.colorSpace = magick.ColorSpace.sRGB;
  if (!image.hasAlpha) return;
  image.backgroundColor = magick.MagickColors.White;
  image.alpha(magick.AlphaAction.Remove);
}

function pixelsOf(image: IMagickImage): Uint8Array {
  const { width, height } = image;
  const data = new Uint8Array(width * height * 3);
  const rows = Math.max(1, Math.floor(PICTURE_STRIP_BYTES / (width * 3)));
  image.getPixels((pixels) => {
    for (let y = 0; y < height; y += rows) {
      const strip = pixels.toByteArray(0, y, width, Math.min(rows, height - y), "RGB");
      assert(strip !== null, "the decoder gives the pixels of a picture that it has read");
      data.set(strip, y * width * 3);
    }
  });
  return data;
}

/** A JPEG (THUMBNAIL_MIME) of `picture` as it is; shrink it first. */
export async function encodePicture({ width, height, data }: Picture): Promise<Uint8Array> {
  assert(data.length === width * height * 3, "a picture has three bytes for each pixel");
  const magick = await library();
  const image = magick.MagickImage.create();
  try {
    image.read(data, new magick.MagickReadSettings({ format: "RGB", width, height, depth: 8 }));
    image.quality = THUMBNAIL_QUALITY;
    return image.write("JPEG", (written) => written.slice());
  } finally {
    image.dispose();
  }
}

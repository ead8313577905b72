/** Hostile pictures: headers that lie, data that is missing, and a little that stands for a lot. */
import { crc32, deflateSync } from "node:zlib";
import { PNG_GREY, PNG_RGB, PNG_RGBA, png, TIFF_RGB, tiff, withOrientation } from "../unit/media/make-picture.ts";
import { be16, be32, bytesOf, cutTo, le16, le32, noise, patched, type Piece, placeOf, repeated } from "./bytes.ts";
import { type HostileFile, refused, taken, UNSEEN } from "./case.ts";
import { sample } from "./samples.ts";

const HUGE = 60_000;
const CUT = /cut short|damaged|no pixels/;
const TOO_LARGE = /no side may be over 32000|at most 40 megapixels|larger than any picture/;
const DAMAGED = /damaged and cannot be decoded|cut short/;

const PNG_START = "\x89PNG\r\n\x1a\n";

function chunk(type: string, data: Piece, claimed?: number): Uint8Array {
  const body = bytesOf(type, data);
  return bytesOf(be32(claimed ?? body.length - 4), body, be32(crc32(body)));
}

interface PngShape {
  width: number;
  height: number;
  depth?: number;
  colour?: number;
  interlaced?: boolean;
}

function header({ width, height, depth = 8, colour = PNG_RGB, interlaced = false }: PngShape): Uint8Array {
  return chunk("IHDR", [...be32(width), ...be32(height), depth, colour, 0, 0, interlaced ? 1 : 0]);
}

/** `between`: chunks before the pixels, which are zeros of `bytes`. */
function zeroPng(shape: PngShape, bytes: number, between: Uint8Array = new Uint8Array()): Uint8Array {
  return bytesOf(PNG_START, header(shape), between, chunk("IDAT", deflateSync(Buffer.alloc(bytes), { level: 1 })), chunk("IEND", []));
}

/** Rows with a filter byte each, of a picture that is not interlaced. */
function zeroBytes({ width, height, depth = 8 }: PngShape, channels: number): number {
  return height * (1 + Math.ceil((width * depth * channels) / 8));
}

function shapedPng(shape: PngShape, channels: number): Uint8Array {
  return zeroPng(shape, zeroBytes(shape, channels));
}

const SQUARE_40_MEGAPIXELS = 6_324;

/** The seven passes of a square of side `n`, each with its rows of their own. */
function interlacedBytes(n: number, bytesPerPixel: number): number {
  const passes = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
  ] as const;
  return passes.reduce((sum, [x, dx, y, dy]) => sum + Math.ceil((n - y) / dy) * (1 + Math.ceil((n - x) / dx) * bytesPerPixel), 0);
}

const PNGS: HostileFile[] = [
  ["PNG: header only", "a.png", () => bytesOf(PNG_START), refused(CUT)],
  ["PNG: a first chunk and nothing else", "a.png", () => bytesOf(PNG_START, header({ width: 8, height: 8 })), refused(CUT)],
  ["PNG: 60,000 × 60,000", "a.png", () => zeroPng({ width: HUGE, height: HUGE }, 100), refused(TOO_LARGE)],
  ["PNG: 2^31-1 × 2^31-1", "a.png", () => zeroPng({ width: 0x7fffffff, height: 0x7fffffff }, 100), refused(DAMAGED)],
  ["PNG: sides beyond what is signed", "a.png", () => zeroPng({ width: 0xffffffff, height: 0xffffffff }, 100), refused(DAMAGED)],
  ["PNG: no pixels", "a.png", () => zeroPng({ width: 0, height: 0 }, 100), refused(/damaged|no pixels/)],
  ["PNG: 5,000 × 5,000 of which two rows are there", "a.png", () => zeroPng({ width: 5_000, height: 5_000 }, 30_002), refused(CUT)],
  [
    "PNG: 20,000 × 20,000 of one bit in 50 KB",
    "a.png",
    () => shapedPng({ width: 20_000, height: 20_000, depth: 1, colour: PNG_GREY }, 1),
    refused(TOO_LARGE),
  ],
  [
    "PNG: 40 megapixels of one bit in 6 KB",
    "a.png",
    () => shapedPng({ width: SQUARE_40_MEGAPIXELS, height: SQUARE_40_MEGAPIXELS, depth: 1, colour: PNG_GREY }, 1),
    taken("image"),
  ],
  [
    "PNG: 40 megapixels of 16 bits and alpha in 1 MB",
    "a.png",
    () => shapedPng({ width: SQUARE_40_MEGAPIXELS, height: SQUARE_40_MEGAPIXELS, depth: 16, colour: PNG_RGBA }, 4),
    taken("image"),
  ],
  [
    "PNG: 40 megapixels interlaced",
    "a.png",
    () => zeroPng({ width: SQUARE_40_MEGAPIXELS, height: SQUARE_40_MEGAPIXELS, interlaced: true }, interlacedBytes(SQUARE_40_MEGAPIXELS, 3)),
    taken("image"),
  ],
  ["PNG: of two bits", "a.png", () => shapedPng({ width: 64, height: 64, depth: 2, colour: PNG_GREY }, 1), taken("image")],
  ["PNG: a bit depth that there is not", "a.png", () => zeroPng({ width: 8, height: 8, depth: 7 }, 300), refused(DAMAGED)],
  ["PNG: 32 megabytes behind the last pixel", "a.png", () => zeroPng({ width: 64, height: 64 }, 32_000_000), taken("image")],
  [
    "PNG: a colour profile that inflates to 64 MB",
    "a.png",
    () => zeroPng({ width: 64, height: 64 }, 64 * 193, chunk("iCCP", bytesOf("p\0\0", deflateSync(Buffer.alloc(64_000_000))))),
    taken("image"),
  ],
  [
    "PNG: 2,000 texts that inflate to 16 MB each",
    "a.png",
    () => zeroPng({ width: 64, height: 64 }, 64 * 193, repeated(chunk("zTXt", bytesOf("c\0\0", deflateSync(Buffer.alloc(16_000_000)))), 2_000)),
    taken("image"),
  ],
  [
    "PNG: EXIF that is noise, and a profile that is none",
    "a.png",
    () => zeroPng({ width: 64, height: 64 }, 64 * 193, bytesOf(chunk("eXIf", noise(5_000)), chunk("iCCP", noise(300, 2)))),
    taken("image"),
  ],
  [
    "PNG: a chunk of 4 GiB",
    "a.png",
    () => bytesOf(PNG_START, header({ width: 8, height: 8 }), chunk("IDAT", noise(99), 0xffffffff)),
    refused(DAMAGED),
  ],
  ["PNG: a palette that is missing", "a.png", () => zeroPng({ width: 64, height: 64, colour: 3 }, 64 * 65), refused(DAMAGED)],
  ["PNG: the end first", "a.png", () => bytesOf(PNG_START, chunk("IEND", []), header({ width: 8, height: 8 })), refused(DAMAGED)],
  ["PNG: no first chunk", "a.png", () => bytesOf(PNG_START, chunk("IDAT", noise(99)), chunk("IEND", [])), refused(DAMAGED)],
  [
    "PNG: an animation of 2^31-1 frames of which there are 3,000",
    "a.png",
    () => {
      const control = (at: number) => chunk("fcTL", bytesOf(be32(at), be32(64), be32(64), be32(0), be32(0), be16(1), be16(1), [0, 0]));
      const frames = Array.from({ length: 3_000 }, (_, at) => [
        control(2 * at + 1),
        chunk("fdAT", bytesOf(be32(2 * at + 2), deflateSync(Buffer.alloc(12_352)))),
      ]);
      const start = bytesOf(PNG_START, header({ width: 64, height: 64 }), chunk("acTL", bytesOf(be32(0x7fffffff), be32(0))), control(0));
      return bytesOf(start, chunk("IDAT", deflateSync(Buffer.alloc(64 * 193))), ...frames.flat(), chunk("IEND", []));
    },
    taken("image"),
  ],
  [
    "PNG: 100,000 empty chunks before the pixels",
    "a.png",
    () => zeroPng({ width: 64, height: 64 }, 64 * 193, repeated(chunk("teSt", []), 100_000)),
    taken("image"),
  ],
];

/** A GIF of one colour table of two, without its end. */
function gifStart(width: number, height: number): Uint8Array {
  return bytesOf("GIF89a", le16(width), le16(height), [0x80, 0, 0], [0, 0, 0, 255, 255, 255]);
}
const gifFrame = (width: number, height: number, data: Piece = [2, 0x44, 0x01, 0]) =>
  bytesOf(",", le16(0), le16(0), le16(width), le16(height), [0, 2], data);

const GIFS: HostileFile[] = [
  ["GIF: header only", "a.gif", () => bytesOf("GIF89a"), refused(CUT)],
  ["GIF: 60,000 × 60,000", "a.gif", () => bytesOf(gifStart(HUGE, HUGE), gifFrame(HUGE, HUGE), ";"), refused(TOO_LARGE)],
  ["GIF: no pixels", "a.gif", () => bytesOf(gifStart(0, 0), gifFrame(0, 0), ";"), refused(/damaged|no pixels|cut short/)],
  ["GIF: a screen without a picture", "a.gif", () => bytesOf(gifStart(64, 64), ";"), refused(CUT)],
  ["GIF: a frame of 60,000 × 60,000 on a screen of one pixel", "a.gif", () => bytesOf(gifStart(1, 1), gifFrame(HUGE, HUGE), ";"), refused(TOO_LARGE)],
  ["GIF: 100,000 frames", "a.gif", () => bytesOf(gifStart(1, 1), repeated(gifFrame(1, 1), 100_000), ";"), taken("image")],
  [
    "GIF: 60,000 frames of 6,000 × 6,000",
    "a.gif",
    () => bytesOf(gifStart(6_000, 6_000), repeated(gifFrame(6_000, 6_000), 60_000), ";"),
    refused(DAMAGED),
  ],
  ["GIF: comments without end", "a.gif", () => bytesOf(gifStart(64, 64), "!\xfe", repeated(bytesOf([255], noise(255)), 40_000)), refused(CUT)],
  [
    "GIF: a code size that there is not",
    "a.gif",
    () => bytesOf(gifStart(8, 8), ",", le16(0), le16(0), le16(8), le16(8), [0, 200, 1, 1, 0], ";"),
    refused(DAMAGED),
  ],
];

/** `data`: entropy-coded data or segments. A grey baseline JPEG. */
function jpegSize(marker: number, width: number, height: number): Uint8Array {
  return bytesOf([0xff, marker], be16(11), [8], be16(height), be16(width), [1, 1, 0x11, 0]);
}
const QUANTS = bytesOf([0xff, 0xdb], be16(67), [0], repeated([1], 64));
/** Of both classes: one code of one bit, for the symbol 0, and one of two bits for `second`. */
const huffman = (kind: number, second: number) => bytesOf([0xff, 0xc4], be16(21), [kind, 1, 1, ...new Array(14).fill(0), 0, second]);
const scan = (from: number, to: number, data: number[], approximation = 0) =>
  bytesOf([0xff, 0xda], be16(8), [1, 1, 0, from, to, approximation], data);

/** A progressive JPEG: one scan of DC, then scans of AC that each end every block in a few bytes. */
function scanBomb(scans: number, side: number): Uint8Array {
  const blocks = (side / 8) ** 2;
  // A DC difference of 0 is one bit of 0 a block.
  const direct = scan(0, 0, [...new Uint8Array(Math.ceil(blocks / 8))]);
  // EOB14: code "10" and 14 bits: 16,384 blocks and as many more as those bits say, at most 32,767.
  const runs = Math.ceil(blocks / 32_767);
  const data = Array.from({ length: runs }, () => [0xbf, 0xff, 0x00]).flat();
  return bytesOf(
    [0xff, 0xd8],
    QUANTS,
    jpegSize(0xc2, side, side),
    huffman(0, 1),
    huffman(0x10, 0xe0),
    direct,
    repeated(scan(1, 63, data), scans),
    [0xff, 0xd9],
  );
}

const exif = (body: Piece) => bytesOf([0xff, 0xe1], be16(bytesOf(body).length + 8), "Exif\0\0", body);
async function withSegment(segment: Uint8Array): Promise<Uint8Array> {
  const jpeg = await sample("a.jpg");
  return bytesOf(jpeg.subarray(0, 2), segment, jpeg.subarray(2));
}

const JPEGS: HostileFile[] = [
  ["JPEG: header only", "a.jpg", () => bytesOf([0xff, 0xd8, 0xff]), refused(CUT)],
  ["JPEG: start and end and nothing between", "a.jpg", () => bytesOf([0xff, 0xd8, 0xff, 0xd9]), refused(CUT)],
  [
    "JPEG: 60,000 × 60,000",
    "a.jpg",
    () => bytesOf([0xff, 0xd8], QUANTS, jpegSize(0xc0, HUGE, HUGE), huffman(0, 1), huffman(0x10, 1), scan(0, 63, [0, 0]), [0xff, 0xd9]),
    refused(TOO_LARGE),
  ],
  [
    "JPEG: no pixels",
    "a.jpg",
    () => bytesOf([0xff, 0xd8], QUANTS, jpegSize(0xc0, 0, 0), scan(0, 63, [0, 0]), [0xff, 0xd9]),
    refused(/damaged|no pixels|cut short/),
  ],
  ["JPEG: 10,000 scans", "a.jpg", () => scanBomb(10_000, 2_048), refused(DAMAGED)],
  ["JPEG: 10,000 scans of 36 megapixels", "a.jpg", () => scanBomb(10_000, 6_000), refused(DAMAGED)],
  ["JPEG: EXIF that is noise", "a.jpg", () => withSegment(exif(noise(20_000))), taken("image ocr")],
  [
    "JPEG: EXIF whose directory leads to itself",
    "a.jpg",
    () => withSegment(exif(bytesOf("II*\0", le32(8), le16(1), le16(0x8769), le16(4), le32(1), le32(8), le32(8)))),
    taken("image ocr"),
  ],
  ["JPEG: a turn that there is not", "a.jpg", async () => withOrientation(await sample("a.jpg"), 200), taken("image ocr")],
  [
    "JPEG: a colour profile of 255 parts of which one is there",
    "a.jpg",
    () => withSegment(bytesOf([0xff, 0xe2], be16(516), "ICC_PROFILE\0", [1, 255], noise(500))),
    taken("image ocr"),
  ],
  ["JPEG: 16 MB of comments", "a.jpg", () => withSegment(repeated(bytesOf([0xff, 0xfe], be16(65_535), noise(65_533)), 250)), taken("image ocr")],
  ["JPEG: a segment that is longer than the file", "a.jpg", () => withSegment(bytesOf([0xff, 0xe3], be16(65_535))), refused(DAMAGED)],
  ["JPEG: without tables", "a.jpg", () => bytesOf([0xff, 0xd8], jpegSize(0xc0, 64, 64), scan(0, 63, [1, 2, 3]), [0xff, 0xd9]), refused(DAMAGED)],
  ["JPEG: nothing but restart markers", "a.jpg", () => bytesOf([0xff, 0xd8, 0xff], repeated([0xd0, 0xff], 500_000)), refused(DAMAGED)],
];

function bmp(width: number, height: number, { bits = 24, compression = 0, offset = 54, data = [] as Piece } = {}): Uint8Array {
  return bytesOf(
    "BM",
    le32(54),
    le32(0),
    le32(offset),
    le32(40),
    le32(width),
    le32(height),
    le16(1),
    le16(bits),
    le32(compression),
    le32(0),
    le32(0),
    le32(0),
    le32(0),
    le32(0),
    data,
  );
}

const BMPS: HostileFile[] = [
  ["BMP: header only", "a.bmp", () => bmp(8, 8).subarray(0, 26), refused(CUT)],
  ["BMP: 60,000 × 60,000", "a.bmp", () => bmp(HUGE, HUGE, { data: noise(500) }), refused(DAMAGED)],
  ["BMP: no pixels", "a.bmp", () => bmp(0, 0, { data: noise(500) }), refused(/damaged|no pixels/)],
  ["BMP: a height of -2^31", "a.bmp", () => bmp(8, 0x80000000, { data: noise(500) }), refused(/damaged|no side|at most|larger/)],
  ["BMP: pixels behind the end", "a.bmp", () => bmp(64, 64, { offset: 0xfffffff0, data: noise(64 * 192) }), refused(CUT)],
  ["BMP: of no bits", "a.bmp", () => bmp(64, 64, { bits: 0, data: noise(64 * 192) }), refused(DAMAGED)],
  [
    "BMP: 32 megapixels of runs in 20 bytes",
    "a.bmp",
    () => bmp(6_000, 5_500, { bits: 8, compression: 1, offset: 1_078, data: bytesOf(noise(1_024), repeated([255, 1], 4), [0, 1]) }),
    refused(CUT),
  ],
];

/** A little-endian TIFF of one directory at 8. `next`: where it says that the next one is. */
function rawTiff(tags: [number, number, number, number][], next: number, data: Piece = []): Uint8Array {
  return bytesOf(
    "II*\0",
    le32(8),
    le16(tags.length),
    ...tags.map(([tag, type, count, value]) => bytesOf(le16(tag), le16(type), le32(count), le32(value))),
    le32(next),
    data,
  );
}
const SHORT = 3;
const LONG = 4;
const grey = (width: number, height: number, more: [number, number, number, number][] = []) =>
  [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 1, 8],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 1],
    [273, LONG, 1, 200],
    [277, SHORT, 1, 1],
    [278, LONG, 1, height],
    [279, LONG, 1, width * height],
    ...more,
  ] as [number, number, number, number][];
const DEFLATE = 8;

const TIFFS: HostileFile[] = [
  ["TIFF: header only", "a.tiff", () => bytesOf("II*\0"), refused(CUT)],
  ["TIFF: 60,000 × 60,000", "a.tiff", () => rawTiff(grey(HUGE, HUGE), 0, noise(500)), refused(TOO_LARGE)],
  ["TIFF: no pixels", "a.tiff", () => rawTiff(grey(0, 0), 0, noise(500)), refused(/damaged|no pixels|cut short/)],
  ["TIFF: a directory that follows itself", "a.tiff", () => rawTiff(grey(64, 64), 8, noise(5_000)), taken("image")],
  ["TIFF: a directory behind the end", "a.tiff", () => bytesOf("II*\0", le32(0xfffffff0)), refused(CUT)],
  ["TIFF: 65,535 tags of which none is there", "a.tiff", () => bytesOf("II*\0", le32(8), le16(65_535)), refused(CUT)],
  [
    "TIFF: pixels behind the end",
    "a.tiff",
    () =>
      rawTiff(
        grey(64, 64).map((tag) => (tag[0] === 273 ? [273, LONG, 1, 0xffffff00] : tag)),
        0,
        noise(99),
      ),
    refused(CUT),
  ],
  [
    "TIFF: 2^32-1 strips",
    "a.tiff",
    () =>
      rawTiff(
        grey(64, 64).map((tag) => (tag[0] === 273 ? [273, LONG, 0xffffffff, 8] : tag)),
        0,
        noise(5_000),
      ),
    refused(DAMAGED),
  ],
  [
    "TIFF: 65,535 samples a pixel",
    "a.tiff",
    () =>
      rawTiff(
        grey(64, 64).map((tag) => (tag[0] === 277 ? [277, SHORT, 1, 65_535] : tag)),
        0,
        noise(5_000),
      ),
    refused(/damaged|cut short|memory/),
  ],
  [
    "TIFF: tiles of 2^31 pixels",
    "a.tiff",
    () =>
      rawTiff(
        grey(64, 64, [
          [322, LONG, 1, 0x80000000],
          [323, LONG, 1, 0x80000000],
          [324, LONG, 1, 200],
          [325, LONG, 1, 99],
        ]),
        0,
        noise(5_000),
      ),
    refused(/damaged|cut short|memory/),
  ],
  [
    "TIFF: 300 pages",
    "a.tiff",
    () =>
      tiff(
        Array.from({ length: 300 }, () => [1, 2, 3]),
        { width: 2, height: 2, photometric: TIFF_RGB },
      ),
    refused(/more than 200 pages/),
  ],
  [
    "TIFF: 40 megapixels in one deflated strip of 40 KB",
    "a.tiff",
    () => {
      const side = SQUARE_40_MEGAPIXELS;
      const packed = deflateSync(Buffer.alloc(side * side));
      const tags = grey(side, side).map((tag) => (tag[0] === 259 ? [259, SHORT, 1, DEFLATE] : tag[0] === 279 ? [279, LONG, 1, packed.length] : tag));
      return patched(rawTiff(tags as [number, number, number, number][], 0, bytesOf(new Uint8Array(200), packed)), 200, packed);
    },
    taken("image"),
  ],
];

const webpChunk = (name: string, data: Uint8Array, claimed = data.length) => bytesOf(name, le32(claimed), data, data.length % 2 === 1 ? [0] : []);
const webp = (...chunks: Uint8Array[]) => {
  const body = bytesOf("WEBP", ...chunks);
  return bytesOf("RIFF", le32(body.length), body);
};
const le24 = (value: number) => le32(value).slice(0, 3);
const extended = (flags: number, width: number, height: number) => webpChunk("VP8X", bytesOf([flags, 0, 0, 0], le24(width - 1), le24(height - 1)));
/** A lossless header of these sides, and nothing behind it. */
const lossless = (width: number, height: number) =>
  webpChunk("VP8L", bytesOf([0x2f], le32((((height - 1) << 14) | (width - 1)) >>> 0), [0x88, 0x88, 0x08]));
const lossy = (width: number, height: number) => webpChunk("VP8 ", bytesOf([0x30, 1, 0, 0x9d, 1, 0x2a], le16(width), le16(height), noise(40)));
const ANIMATED = 2;

async function stillChunk(): Promise<Uint8Array> {
  return (await sample("a.webp")).subarray(12);
}

const WEBPS: HostileFile[] = [
  ["WebP: header only", "a.webp", () => webp(), refused(CUT)],
  ["WebP: a canvas of 60,000 × 60,000", "a.webp", () => webp(extended(0, HUGE, HUGE), lossy(64, 64)), refused(/damaged|no side|larger|cut short/)],
  ["WebP: 16,383 × 16,383 in 20 bytes", "a.webp", () => webp(lossless(16_383, 16_383)), refused(TOO_LARGE)],
  ["WebP: no pixels", "a.webp", () => webp(lossy(0, 0)), refused(/damaged|no pixels|cut short/)],
  ["WebP: a length of 4 GiB", "a.webp", async () => patched(await sample("a.webp"), 4, le32(0xfffffff0)), refused(DAMAGED)],
  [
    "WebP: an animation of 10,000 frames on 16,384 × 16,384",
    "a.webp",
    async () => {
      const frame = bytesOf(le24(0), le24(0), le24(95), le24(63), le24(1), [0], await stillChunk());
      return webp(extended(ANIMATED, 16_384, 16_384), webpChunk("ANIM", new Uint8Array(6)), repeated(webpChunk("ANMF", frame), 10_000));
    },
    taken("image ocr"),
  ],
  [
    "WebP: an animation whose frame says it is 16,384 × 16,384",
    "a.webp",
    async () => {
      const frame = bytesOf(le24(0), le24(0), le24(16_383), le24(16_383), le24(1), [0], await stillChunk());
      return webp(extended(ANIMATED, 96, 64), webpChunk("ANIM", new Uint8Array(6)), webpChunk("ANMF", frame));
    },
    refused(/damaged|at most 40 megapixels/),
  ],
  ["WebP: an animation without frames", "a.webp", () => webp(extended(ANIMATED, 64, 64), webpChunk("ANIM", new Uint8Array(6))), refused(DAMAGED)],
  [
    "WebP: a frame that says it is longer than the file",
    "a.webp",
    () => webp(extended(ANIMATED, 64, 64), webpChunk("ANMF", noise(60), 0xffffffff)),
    refused(DAMAGED),
  ],
];

const WHOLE = ["a.png", "a.jpg", "a.gif", "a.bmp", "a.tiff", "a.webp"] as const;
const CUTS: HostileFile[] = WHOLE.flatMap((name) =>
  [0.1, 0.5, 0.9].map(
    (share) => [`${name.slice(2).toUpperCase()}: cut to ${share * 100} %`, name, async () => cutTo(await sample(name), share), refused(CUT)] as const,
  ),
);

const ODD: HostileFile[] = [
  [
    "PNG: whole, with a script in a text",
    "a.png",
    async () => {
      const whole = await sample("a.png");
      const at = placeOf(whole, "IDAT") - 4;
      return bytesOf(whole.subarray(0, at), chunk("tEXt", `Comment\0<script>${UNSEEN}</script>`), whole.subarray(at));
    },
    taken("image ocr"),
  ],
  ["PNG: a claim of 32,001 × 1", "a.png", () => png([[0, 0, 0]], { width: 1, colour: PNG_RGB }, [32_001, 1]), refused(/no side may be over 32000/)],
];

export const PICTURES: HostileFile[] = [...CUTS, ...PNGS, ...GIFS, ...JPEGS, ...BMPS, ...TIFFS, ...WEBPS, ...ODD];

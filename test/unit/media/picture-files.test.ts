/** Picture files to pixels: every format, odd ones, bombs, cut and broken ones. The decoder is the real one. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Fault } from "../../../src/base/fault.ts";
import { PICTURE_MAX_PAGES } from "../../../src/base/limits.ts";
import type { Picture } from "../../../src/domain/media.ts";
import { decodePicture, encodePicture, openPicture, PICTURE_MIMES, pictureDecoderFailed } from "../../../src/media/image/decode.ts";
import { recordedBytes } from "../../support/recorded.ts";
import { bytesOf, cmykJpeg, PNG_GREY, PNG_RGB, PNG_RGBA, png, TIFF_CMYK, TIFF_RGB, tiff, withOrientation } from "./make-picture.ts";
import { Random } from "../../property/random.ts";
import { SEED } from "../../property/seed.ts";

setDefaultTimeout(60_000);

const FUZZED_FILES = 60;
const WHITE = [255, 255, 255];
const FORMATS = { jpg: "image/jpeg", png: "image/png", webp: "image/webp", gif: "image/gif", bmp: "image/bmp", tiff: "image/tiff" } as const;
type Extension = keyof typeof FORMATS;
const EXTENSIONS = Object.keys(FORMATS) as Extension[];

const files = {} as Record<Extension, Uint8Array>;

beforeAll(async () => {
  for (const extension of EXTENSIONS) files[extension] = await recordedBytes(`picture/chart.${extension}`);
});

function pixel({ width, data }: Picture, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
}

function expectNear(found: readonly number[], wanted: readonly number[], tolerance: number): void {
  expect(found.length).toBe(wanted.length);
  for (const [index, value] of wanted.entries())
    expect(Math.abs((found[index] ?? Number.NaN) - value), `${found} is not near ${wanted}`).toBeLessThanOrEqual(tolerance);
}

/** Mean difference of two pictures of one size. */
function difference(a: Picture, b: Picture): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  return a.data.reduce((sum, value, index) => sum + Math.abs(value - (b.data[index] ?? 0)), 0) / a.data.length;
}

/** What a file is refused with. */
async function refusal(bytes: Uint8Array, mime: string): Promise<Fault> {
  const error = await decodePicture(bytes, mime).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Fault);
  const fault = error as Fault;
  expect(fault.kind).toBe("bad_request");
  expect(fault.message).not.toMatch(/ \/|\.c\b|@/);
  return fault;
}

describe("formats", () => {
  test("each format gives the same picture, the lossy ones nearly", async () => {
    const original = await decodePicture(files.png, "image/png");
    expect([original.width, original.height, original.data.length]).toEqual([160, 120, 160 * 120 * 3]);
    const lossy: Partial<Record<Extension, number>> = { jpg: 8, gif: 8 };
    for (const extension of EXTENSIONS) {
      const found = difference(await decodePicture(files[extension], FORMATS[extension]), original);
      if (lossy[extension] === undefined) expect(found, extension).toBe(0);
      else expect(found, extension).toBeLessThan(lossy[extension]);
    }
    expect(PICTURE_MIMES.toSorted()).toEqual(Object.values(FORMATS).toSorted());
  });

  test("EXIF orientation is applied, all eight of them", async () => {
    // Red, green, blue and white from the top left to the bottom right, in quarters of 32 x 16.
    const quarters = [[255, 0, 0], [0, 255, 0], [0, 0, 255], WHITE];
    const data = Uint8Array.from({ length: 32 * 16 * 3 }, (_, at) => {
      const [x, y] = [Math.floor(at / 3) % 32, Math.floor(at / 96)];
      return quarters[(y < 8 ? 0 : 2) + (x < 16 ? 0 : 1)]?.[at % 3] ?? 0;
    });
    const jpeg = await encodePicture({ width: 32, height: 16, data });
    // Which quarter is at the top left, top right, bottom left and bottom right once it is upright (EXIF 2.32, tag 0x0112).
    const upright = [
      [0, 1, 2, 3],
      [1, 0, 3, 2],
      [3, 2, 1, 0],
      [2, 3, 0, 1],
      [0, 2, 1, 3],
      [2, 0, 3, 1],
      [3, 1, 2, 0],
      [1, 3, 0, 2],
    ];
    for (const [index, order] of upright.entries()) {
      const picture = await decodePicture(withOrientation(jpeg, index + 1), "image/jpeg");
      const turned = index >= 4;
      expect([picture.width, picture.height]).toEqual(turned ? [16, 32] : [32, 16]);
      const corners = [
        [3, 3],
        [picture.width - 4, 3],
        [3, picture.height - 4],
        [picture.width - 4, picture.height - 4],
      ];
      for (const [corner, [x = 0, y = 0]] of corners.entries()) expectNear(pixel(picture, x, y), quarters[order[corner] ?? 0] ?? [], 60);
    }
  });

  test("alpha is laid onto white", async () => {
    const file = png([[255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 128]], { width: 3, colour: PNG_RGBA });
    const { data } = await decodePicture(file, "image/png");
    expectNear([...data], [...WHITE, 255, 0, 0, 127, 127, 127], 1);
  });

  test("grey, one bit, sixteen bits", async () => {
    expect([...(await decodePicture(png([[0, 100, 255]], { width: 3, colour: PNG_GREY }), "image/png")).data]).toEqual([
      0,
      0,
      0,
      100,
      100,
      100,
      ...WHITE,
    ]);
    const bits = await decodePicture(png([[0b1010_0000]], { width: 3, depth: 1, colour: PNG_GREY }), "image/png");
    expect([...bits.data]).toEqual([...WHITE, 0, 0, 0, ...WHITE]);
    const deep = await decodePicture(png([[0x80, 0x00, 0xff, 0xff, 0x00, 0x10]], { width: 1, depth: 16, colour: PNG_RGB }), "image/png");
    expectNear([...deep.data], [128, 255, 0], 1);
    const deepGrey = await decodePicture(png([[0x40, 0x00]], { width: 1, depth: 16, colour: PNG_GREY }), "image/png");
    expectNear([...deepGrey.data], [64, 64, 64], 1);
  });

  test("CMYK becomes RGB, in TIFF and as Adobe writes it in JPEG", async () => {
    const cyan = await decodePicture(tiff([[255, 0, 0, 0]], { width: 4, height: 4, photometric: TIFF_CMYK }), "image/tiff");
    expectNear(pixel(cyan, 2, 2), [0, 255, 255], 2);
    const black = await decodePicture(tiff([[0, 0, 0, 255]], { width: 4, height: 4, photometric: TIFF_CMYK }), "image/tiff");
    expectNear(pixel(black, 0, 0), [0, 0, 0], 2);
    expectNear(pixel(await decodePicture(cmykJpeg([255, 255, 255, 255]), "image/jpeg"), 4, 4), WHITE, 2);
    expectNear(pixel(await decodePicture(cmykJpeg([255, 0, 255, 255]), "image/jpeg"), 4, 4), [255, 0, 255], 2);
  });

  test("a palette, and the first frame of an animation alone", async () => {
    const palette = await decodePicture(await recordedBytes("picture/palette.png"), "image/png");
    expect(difference(palette, await decodePicture(files.png, "image/png"))).toBeLessThan(8);
    const animation = await openPicture(await recordedBytes("picture/two.gif"), "image/gif");
    expect(animation.sizes).toEqual([{ width: 20, height: 10 }]);
    expectNear(pixel(animation.page(0), 5, 5), [254, 0, 0], 4);
  });

  test("an animated WebP costs its first frame alone, with its alpha", async () => {
    const two = Buffer.from(await recordedBytes("picture/two.webp"));
    const frames = two.subarray(two.indexOf("ANMF"));
    // 100 frames of 2 megapixels: they would take 800 MB.
    const long = Buffer.concat([two.subarray(0, -frames.length), ...new Array(50).fill(frames)]);
    long.writeUInt32LE(long.length - 8, 4);
    const opened = await openPicture(long, "image/webp");
    expect(opened.sizes).toEqual([{ width: 1_920, height: 1_080 }]);
    expect(difference(opened.page(0), await decodePicture(await recordedBytes("picture/still.png"), "image/png"))).toBeLessThan(8);
    for (const lossless of ["0", "1"]) {
      const { width, height, data } = await decodePicture(await recordedBytes(`picture/clear-${lossless}.webp`), "image/webp");
      expect([width, height]).toEqual([40, 20]);
      expectNear([...data.subarray(0, 3)], [255, 127, 127], 4);
    }
  });

  test("the pages of a TIFF, in any order", async () => {
    const colours = [
      [200, 0, 0],
      [0, 200, 0],
      [0, 0, 200],
    ];
    const stack = await openPicture(tiff(colours, { width: 5, height: 3, photometric: TIFF_RGB }), "image/tiff");
    expect(stack.sizes).toEqual(new Array(3).fill({ width: 5, height: 3 }));
    for (const index of [2, 0, 1]) expect(pixel(stack.page(index), 4, 2)).toEqual(colours[index] ?? []);
  });

  test("the thinnest pictures", async () => {
    const dot = await decodePicture(png([[1, 2, 3]], { width: 1, colour: PNG_RGB }), "image/png");
    expect(dot).toEqual({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3) });
    const thread = await decodePicture(
      png(
        Array.from({ length: 32_000 }, (_, y) => [y & 0xff]),
        { width: 1, colour: PNG_GREY },
      ),
      "image/png",
    );
    expect([thread.width, thread.height]).toEqual([1, 32_000]);
    expect(pixel(thread, 0, 31_999)).toEqual(new Array(3).fill(31_999 & 0xff));
  });

  test("a picture of ours becomes a JPEG of the same pixels", async () => {
    const original = await decodePicture(files.png, "image/png");
    const encoded = await encodePicture(original);
    expect(encoded.length).toBeLessThan(original.data.length / 4);
    expect(difference(await decodePicture(encoded, "image/jpeg"), original)).toBeLessThan(8);
  });
});

describe("what is refused", () => {
  test("sizes beyond the limits, by the header alone", async () => {
    const started = performance.now();
    const claim = (width: number, height: number) => png([[0, 0, 0]], { width: 1, colour: PNG_RGB }, [width, height]);
    expect((await refusal(claim(60_000, 60_000), "image/png")).message).toBe(
      "the PNG file is 60000 × 60000 pixels: no side may be over 32000; scale it down",
    );
    expect((await refusal(claim(8_000, 8_000), "image/png")).message).toBe(
      "the PNG file is 8000 × 8000 pixels: at most 40 megapixels are taken; scale it down",
    );
    expect((await refusal(tiff([[1, 2, 3]], { width: 1, height: 1, photometric: TIFF_RGB }, [30_000, 30_000]), "image/tiff")).message).toMatch(
      /30000 × 30000 pixels/,
    );
    const gif = bytesOf(
      "GIF89a",
      [0xff, 0xff, 0xff, 0xff, 0, 0, 0],
      [0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x80],
      [0, 0, 0, 255, 255, 255],
      [2, 2, 0x4c, 1, 0, 0x3b],
    );
    await refusal(gif, "image/gif");
    const bmp = files.bmp.slice();
    new DataView(bmp.buffer).setInt32(18, 50_000, true);
    new DataView(bmp.buffer).setInt32(22, 50_000, true);
    await refusal(bmp, "image/bmp");
    const jpeg = files.jpg.slice();
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0);
    jpeg.set([0xea, 0x60, 0xea, 0x60], frame + 5);
    expect((await refusal(jpeg, "image/jpeg")).message).toMatch(/60000 × 60000 pixels/);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("no pixels, no bytes", async () => {
    await refusal(png([[]], { width: 0, colour: PNG_RGB }), "image/png");
    await refusal(tiff([[1, 2, 3]], { width: 1, height: 1, photometric: TIFF_RGB }, [0, 5]), "image/tiff");
    for (const mime of PICTURE_MIMES) expect((await refusal(bytesOf(), mime)).message).toBe("the picture file is empty");
  });

  test("a TIFF of too many pages, and one whose directory leads back to itself", async () => {
    const page = [1, 2, 3];
    const most = await openPicture(tiff(new Array(PICTURE_MAX_PAGES).fill(page), { width: 1, height: 1, photometric: TIFF_RGB }), "image/tiff");
    expect(most.sizes.length).toBe(PICTURE_MAX_PAGES);
    const fault = await refusal(tiff(new Array(PICTURE_MAX_PAGES + 1).fill(page), { width: 1, height: 1, photometric: TIFF_RGB }), "image/tiff");
    expect(fault.message).toBe(`the TIFF file has more than ${PICTURE_MAX_PAGES} pages: split it`);
    const circle = tiff([page, page], { width: 1, height: 1, photometric: TIFF_RGB });
    // The link of the second directory is its last four bytes before the depths and the pixel.
    const link = circle.findLastIndex((_, at) => at % 2 === 0 && circle.length - at === 6 + 4 + 4);
    new DataView(circle.buffer, circle.byteOffset).setUint32(link, 8);
    expect((await openPicture(circle, "image/tiff")).sizes).toEqual(new Array(2).fill({ width: 1, height: 1 }));
  });

  test("every format, wherever it is cut", async () => {
    for (const extension of EXTENSIONS) {
      const whole = files[extension];
      for (let cut = 1; cut < 16; cut++) await refusal(whole.subarray(0, Math.floor((whole.length * cut) / 16)), FORMATS[extension]);
      for (const length of [1, 4, 12, 26]) await refusal(whole.subarray(0, length), FORMATS[extension]);
    }
  });

  test("a JPEG that lacks its last rows is cut short; one that lacks its end marker is whole", async () => {
    for (const lost of [20, 200, files.jpg.length >> 1])
      expect((await refusal(files.jpg.subarray(0, files.jpg.length - lost), "image/jpeg")).message).toBe(
        "the JPEG file is cut short: part of its data is missing; copy or export it again",
      );
    const whole = await decodePicture(files.jpg, "image/jpeg");
    expect(await decodePicture(files.jpg.subarray(0, files.jpg.length - 2), "image/jpeg")).toEqual(whole);
  });

  test("scripts, documents and other formats, under any of the names", async () => {
    const others = [
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
      "push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 9,9 '/etc/passwd'\npop graphic-context",
      '<?xml version="1.0"?><image><read filename="/etc/passwd"/></image>',
      "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>",
      "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
      "@/etc/passwd",
    ];
    for (const mime of PICTURE_MIMES) {
      for (const other of others) await refusal(bytesOf(other), mime);
      for (const extension of EXTENSIONS) if (FORMATS[extension] !== mime) await refusal(files[extension], mime);
    }
    for (const mime of ["image/svg+xml", "image/x-mvg", "text/plain", "application/pdf", ""])
      expect((await refusal(files.png, mime)).message).toMatch(/is not a picture format/);
  });

  test("changed bytes: a picture or a clear refusal, and the decoder lives on", async () => {
    const random = new Random(SEED);
    for (const extension of EXTENSIONS) {
      for (let round = 0; round < FUZZED_FILES; round++) {
        const changed = files[extension].slice();
        // Headers are hit as often as pixels.
        for (let hit = random.integer(0, 7); hit >= 0; hit--)
          changed[random.integer(0, (round % 2 === 0 ? 64 : changed.length) - 1)] = random.integer(0, 255);
        const outcome = await decodePicture(changed, FORMATS[extension]).catch((error: unknown) => error);
        if (outcome instanceof Fault) expect(outcome.kind).toBe("bad_request");
        else {
          const picture = outcome as Picture;
          expect(picture.data.length).toBe(picture.width * picture.height * 3);
        }
      }
    }
    expect(pictureDecoderFailed()).toBe(false);
    expect((await decodePicture(files.png, "image/png")).width).toBe(160);
  });
});

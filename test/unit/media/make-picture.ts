/** Picture files made byte by byte: the odd ones that no encoder at hand writes. */
import { crc32, deflateSync } from "node:zlib";

export function bytesOf(...parts: (number[] | Uint8Array | string)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
}

function u16(value: number): number[] {
  return [value >> 8, value & 0xff];
}

function u32(value: number): number[] {
  return [...u16(value >>> 16), ...u16(value & 0xffff)];
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = bytesOf(type, data);
  return bytesOf(u32(data.length), body, u32(crc32(body)));
}

export const PNG_GREY = 0;
export const PNG_RGB = 2;
export const PNG_RGBA = 6;

/** `rows`: the samples of each row as bytes, without the filter byte. `claimed`: a size that the header tells instead. */
export function png(
  rows: number[][],
  { width, depth = 8, colour }: { width: number; depth?: number; colour: number },
  claimed?: [number, number],
): Uint8Array {
  const [w, h] = claimed ?? [width, rows.length];
  const pixels = deflateSync(bytesOf(...rows.map((row) => [0, ...row])));
  return bytesOf(
    "\x89PNG\r\n\x1a\n",
    chunk("IHDR", bytesOf(u32(w), u32(h), [depth, colour, 0, 0, 0])),
    chunk("IDAT", pixels),
    chunk("IEND", bytesOf()),
  );
}

/** Photometric interpretations of TIFF. */
export const TIFF_RGB = 2;
export const TIFF_CMYK = 5;

/** A big-endian, uncompressed TIFF of pages of one colour. `claimed`: a size that the directories tell instead. */
export function tiff(
  pages: number[][],
  { width, height, photometric }: { width: number; height: number; photometric: number },
  claimed?: [number, number],
): Uint8Array {
  const [w, h] = claimed ?? [width, height];
  const parts: Uint8Array[] = [bytesOf("MM", u16(42), u32(8))];
  let at = 8;
  for (const [index, colour] of pages.entries()) {
    const entries = 9;
    const directory = 2 + entries * 12 + 4;
    const depths = at + directory;
    const pixels = depths + colour.length * 2;
    const length = width * height * colour.length;
    const next = pixels + length + ((pixels + length) % 2);
    const short = (tag: number, value: number) => [...u16(tag), ...u16(3), ...u32(1), ...u16(value), 0, 0];
    const long = (tag: number, value: number) => [...u16(tag), ...u16(4), ...u32(1), ...u32(value)];
    parts.push(
      bytesOf(
        u16(entries),
        long(256, w),
        long(257, h),
        [...u16(258), ...u16(3), ...u32(colour.length), ...u32(depths)],
        short(259, 1),
        short(262, photometric),
        long(273, pixels),
        short(277, colour.length),
        long(278, h),
        long(279, length),
        u32(index + 1 < pages.length ? next : 0),
        colour.flatMap(() => u16(8)),
        Array.from({ length: width * height }, () => colour).flat(),
        (pixels + length) % 2 === 1 ? [0] : [],
      ),
    );
    at = next;
  }
  return bytesOf(...parts);
}

/** `jpeg` with an EXIF block that holds an orientation (1-8) alone. */
export function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const exif = bytesOf("Exif\0\0MM", u16(42), u32(8), u16(1), u16(0x0112), u16(3), u32(1), u16(orientation), [0, 0], u32(0));
  return bytesOf(jpeg.subarray(0, 2), [0xff, 0xe1], u16(exif.length + 2), exif, jpeg.subarray(2));
}

/**
 * A JPEG of 8 by 8 pixels of one colour in four components, with the marker by which Adobe says that they are CMYK,
 * stored inverted: 255 is no ink.
 */
export function cmykJpeg(components: [number, number, number, number]): Uint8Array {
  const bits: string[] = [];
  for (const value of components) {
    const dc = 8 * (value - 128);
    const size = dc === 0 ? 0 : Math.floor(Math.log2(Math.abs(dc))) + 1;
    // Category in four bits, the value in as many as it needs (negative ones less one), and "end of block" in one.
    bits.push(size.toString(2).padStart(4, "0"));
    if (size > 0) bits.push((dc > 0 ? dc : dc + 2 ** size - 1).toString(2).padStart(size, "0"));
    bits.push("0");
  }
  const stream = bits.join("");
  const padded = stream.padEnd(Math.ceil(stream.length / 8) * 8, "1");
  const data = (padded.match(/.{8}/g) ?? []).flatMap((byte) => (byte === "11111111" ? [255, 0] : [Number.parseInt(byte, 2)]));
  const segment = (marker: number, body: Uint8Array) => bytesOf([0xff, marker], u16(body.length + 2), body);
  const ids = [1, 2, 3, 4];
  return bytesOf(
    [0xff, 0xd8],
    segment(0xee, bytesOf("Adobe", u16(100), u16(0), u16(0), [0])),
    segment(0xdb, bytesOf([0], new Array(64).fill(1))),
    segment(
      0xc0,
      bytesOf(
        [8],
        u16(8),
        u16(8),
        [4],
        ids.flatMap((id) => [id, 0x11, 0]),
      ),
    ),
    segment(
      0xc4,
      bytesOf(
        [0x00],
        [0, 0, 0, 12, ...new Array(12).fill(0)],
        Array.from({ length: 12 }, (_, size) => size),
      ),
    ),
    segment(0xc4, bytesOf([0x10], [1, ...new Array(15).fill(0)], [0])),
    segment(
      0xda,
      bytesOf(
        [4],
        ids.flatMap((id) => [id, 0]),
        [0, 63, 0],
      ),
    ),
    data,
    [0xff, 0xd9],
  );
}

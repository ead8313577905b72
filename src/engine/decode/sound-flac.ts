/**
 * FLAC (RFC 9639). A decoder of our own in plain TypeScript: the package for it looks for the end of a frame by checking
 * a sum over everything so far at each candidate, which a hostile file makes quadratic, and decodes all frames of a piece
 * at once, of which 14 bytes can stand for 2 MB. Here a frame is decoded where it lies: its time and memory are bounded.
 */
import { SOUND_ERRORS_MAX } from "../../base/limits.ts";
import { FlacBits } from "./sound-flac-bits.ts";
import { decodeSubframe } from "./sound-flac-subframe.ts";
import { badSound, type ByteReader, hasText, note, type RawSound, type SoundPromise, type SoundWatch, skipId3, viewOf } from "./sound-source.ts";

/** The largest frame that can be: 65,535 samples of 8 channels at 32 bits, and some. Also the reader's look ahead. */
export const FLAC_FRAME_MAX_BYTES = 4 * 1024 * 1024;
/** A file has a handful of metadata blocks. */
const METADATA_BLOCKS_MAX = 1_000;
const METADATA_HEADER_BYTES = 4;
const STREAMINFO = 0;
const STREAMINFO_BYTES = 34;
/** Of a frame header: sync, codes, number, sizes, sum. */
const FRAME_HEADER_MAX_BYTES = 16;

const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const DEPTHS = [0, 8, 12, -1, 16, 20, 24, 32];

interface StreamInfo {
  rate: number;
  channels: number;
  depth: number;
  /** Of each channel; 0 if it was not known. */
  samples: number;
}

interface FrameHeader {
  blockSize: number;
  rate: number;
  /** 0-7: independent channels less one; 8 left and side, 9 side and right, 10 middle and side. */
  assignment: number;
  depth: number;
}

const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80) === 0 ? crc << 1 : ((crc << 1) ^ 0x07) & 0xff;
  return crc & 0xff;
});
const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : ((crc << 1) ^ 0x8005) & 0xffff;
  return crc & 0xffff;
});

function crc8(bytes: Uint8Array, end: number): number {
  let crc = 0;
  for (let at = 0; at < end; at++) crc = CRC8[crc ^ (bytes[at] ?? 0)] ?? 0;
  return crc;
}

function crc16(bytes: Uint8Array, end: number): number {
  let crc = 0;
  for (let at = 0; at < end; at++) crc = ((crc << 8) ^ (CRC16[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0)) & 0xffff;
  return crc;
}

/** Reads the metadata up to the first frame. */
function readStreamInfo(reader: ByteReader): StreamInfo {
  skipId3(reader);
  if (!hasText(reader.take(4), 0, "fLaC")) throw badSound("the file does not begin like a FLAC file");
  let info: StreamInfo | null = null;
  for (let block = 0; block < METADATA_BLOCKS_MAX; block++) {
    const header = reader.take(METADATA_HEADER_BYTES);
    if (header.length < METADATA_HEADER_BYTES) break;
    const word = viewOf(header).getUint32(0);
    const size = word & 0xff_ffff;
    if (((word >>> 24) & 0x7f) === STREAMINFO && info === null) info = parseStreamInfo(reader.peek(Math.min(size, STREAMINFO_BYTES)));
    reader.skip(size);
    if (word >>> 31 === 0) continue;
    if (info === null) break;
    return info;
  }
  throw badSound("the FLAC file says nothing about its sound: it is damaged or cut short");
}

function parseStreamInfo(bytes: Uint8Array): StreamInfo {
  if (bytes.length < STREAMINFO_BYTES) throw badSound("the FLAC file is cut short in its header");
  const view = viewOf(bytes);
  const word = view.getUint32(10);
  return {
    rate: word >>> 12,
    channels: ((word >>> 9) & 7) + 1,
    depth: ((word >>> 4) & 31) + 1,
    samples: (word & 15) * 2 ** 32 + view.getUint32(14),
  };
}

/** The header of the frame that begins with `bytes`; `bits` then stands behind it. Null if none begins there. */
function frameHeader(bytes: Uint8Array, bits: FlacBits, info: StreamInfo): FrameHeader | null {
  const [sync = 0, second = 0, sizes = 0, kind = 0] = bytes;
  if (bytes.length < 6 || sync !== 0xff || (second & 0xfe) !== 0xf8) return null;
  const [sizeCode, rateCode, assignment, depth] = [sizes >> 4, sizes & 15, kind >> 4, DEPTHS[(kind >> 1) & 7] ?? -1];
  if (sizeCode === 0 || rateCode === 15 || assignment > 10 || depth < 0 || (kind & 1) === 1) return null;
  const number = bytes[4] ?? 0;
  const extra = number < 0x80 ? 0 : Math.clz32(~(number << 24)) - 1;
  if (extra < 0 || extra > 6 || (number >= 0x80 && extra === 0)) return null;
  bits.start(bytes, 5 + extra);
  const blockSize = sizeCode === 6 ? bits.read(8) + 1 : sizeCode === 7 ? bits.read(16) + 1 : blockSizeOf(sizeCode);
  const rate = rateCode === 0 ? info.rate : rateCode === 12 ? bits.read(8) * 1_000 : rateOf(rateCode, bits);
  const end = bits.byte;
  if (crc8(bytes, end) !== bits.read(8)) return null;
  return { blockSize, rate, assignment, depth: depth === 0 ? info.depth : depth };
}

function blockSizeOf(code: number): number {
  if (code === 1) return 192;
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8);
}

function rateOf(code: number, bits: FlacBits): number {
  if (code < 12) return RATES[code] ?? 0;
  return code === 13 ? bits.read(16) : bits.read(16) * 10;
}

/** Turns two channels that were stored as one and a difference into left and right, in place. */
function decorrelate(first: Float64Array, second: Float64Array, assignment: number, length: number): void {
  for (let index = 0; index < length; index++) {
    const a = first[index] ?? 0;
    const b = second[index] ?? 0;
    if (assignment === 8) second[index] = a - b;
    else if (assignment === 9) first[index] = a + b;
    else {
      const middle = a * 2 + (Math.abs(b) % 2);
      first[index] = (middle + b) / 2;
      second[index] = (middle - b) / 2;
    }
  }
}

/** Decodes frames into channels that it keeps from frame to frame. */
class FrameDecoder {
  readonly #bits = new FlacBits();
  #work: Float64Array[] = [];

  /** The frame that `bytes` begin with and its length, or null if it is damaged or not whole. */
  decode(bytes: Uint8Array, info: StreamInfo): { sound: RawSound; length: number } | null {
    const bits = this.#bits;
    const header = frameHeader(bytes, bits, info);
    if (header === null) return null;
    const { assignment, blockSize, depth, rate } = header;
    const count = assignment < 8 ? assignment + 1 : 2;
    if (this.#work.length < count || (this.#work[0]?.length ?? 0) < blockSize) {
      this.#work = Array.from({ length: count }, () => new Float64Array(Math.max(blockSize, this.#work[0]?.length ?? 0)));
    }
    const side = assignment === 9 ? 0 : assignment >= 8 ? 1 : -1;
    for (let channel = 0; channel < count; channel++) {
      const work = this.#work[channel];
      if (work === undefined || !decodeSubframe(bits, work, blockSize, depth + (channel === side ? 1 : 0))) return null;
    }
    const end = bits.align();
    if (end + 2 > bytes.length || crc16(bytes, end) !== bits.read(16)) return null;
    return { sound: this.#sound(assignment, count, blockSize, depth, rate), length: end + 2 };
  }

  #sound(assignment: number, count: number, length: number, depth: number, rate: number): RawSound {
    const [first, second] = this.#work;
    if (assignment >= 8 && first !== undefined && second !== undefined) decorrelate(first, second, assignment, length);
    const scale = 2 ** (1 - depth);
    const channels = this.#work.slice(0, count).map((work) => {
      const samples = new Float32Array(length);
      for (let index = 0; index < length; index++) samples[index] = (work[index] ?? 0) * scale;
      return samples;
    });
    return { rate, channels };
  }
}

/** Goes to the next byte that may begin a frame. False at the end of the file. */
function nextSync(reader: ByteReader): boolean {
  reader.skip(1);
  for (;;) {
    const bytes = reader.peek(64 * 1024);
    if (bytes.length < FRAME_HEADER_MAX_BYTES) return false;
    for (let at = 0; at + 1 < bytes.length; at++) {
      if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) continue;
      reader.skip(at);
      return true;
    }
    reader.skip(bytes.length - 1);
  }
}

/** The sound of a FLAC file. Damaged frames are left out. */
export function* decodeFlac(reader: ByteReader, watch: SoundWatch, promise: (promised: SoundPromise) => void): Generator<RawSound> {
  const info = readStreamInfo(reader);
  if (info.samples > 0) promise({ rate: info.rate, samples: info.samples });
  const decoder = new FrameDecoder();
  let damaged = 0;
  for (;;) {
    const bytes = reader.peek(FLAC_FRAME_MAX_BYTES);
    if (bytes.length === 0 || hasText(bytes, 0, "TAG")) return;
    const frame = decoder.decode(bytes, info);
    if (frame !== null) {
      reader.skip(frame.length);
      yield frame.sound;
      continue;
    }
    damaged++;
    note(watch, "parts of the file are damaged or missing and were left out");
    if (damaged > SOUND_ERRORS_MAX) throw badSound("the FLAC file is damaged: too many of its frames cannot be decoded");
    if (!nextSync(reader)) return;
  }
}

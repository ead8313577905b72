/**
 * Owns @wasm-audio-decoders/flac (libFLAC in WebAssembly). Frames (RFC 9639) are found here and given to it one at a
 * time: its own search takes quadratic time on a hostile file, and it decodes all of a piece at once, of which 14 bytes
 * can stand for 2 MB. A failure leaves its memory in an unknown state, so it is given only frames whose checksum is right,
 * and is replaced after a failure.
 */
import { assert } from "../../base/fault.ts";
import { SOUND_ERRORS_MAX } from "../../base/limits.ts";
import { badSound, type ByteReader, hasText, note, type RawSound, type SoundPromise, type SoundWatch, skipId3, viewOf } from "./decoder.ts";

/** The longest frame, and the reader's look ahead: the package cuts at 65,535 * 8 bytes, and `standAlone` may add 3 to a header. */
export const FLAC_FRAME_MAX_BYTES = 65_535 * 8 - 3;
/** A file has a handful of metadata blocks. */
const METADATA_BLOCKS_MAX = 1_000;
const METADATA_HEADER_BYTES = 4;
const STREAMINFO = 0;
const STREAMINFO_BYTES = 34;
/** Of a frame header: sync, codes, number, sizes, sum. */
const FRAME_HEADER_MAX_BYTES = 16;
const FRAME_FOOTER_BYTES = 2;
const SEARCH_BYTES = 64 * 1024;

const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const DEPTHS = [0, 8, 12, -1, 16, 20, 24, 32];
/** The bit depths that the package scales; at others its samples are only signs. */
const DEPTHS_READ = [8, 16, 24, 32];

interface StreamInfo {
  rate: number;
  channels: number;
  depth: number;
  /** Of each channel; 0 if it was not known. */
  samples: number;
}

interface FrameHeader {
  /** Of itself, in bytes. */
  headerBytes: number;
  blockSize: number;
  /** 0-7: independent channels less one; 8 left and side, 9 side and right, 10 middle and side. */
  assignment: number;
}

interface Frame extends FrameHeader {
  bytes: Uint8Array;
}

/** The CRC table of `width` bits for a polynomial. */
function sumTable(width: 8 | 16, polynomial: number): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ ((sum >> (width - 1)) & 1 ? polynomial : 0);
    return sum & (2 ** width - 1);
  });
}
const CRC8 = sumTable(8, 0x07);
const CRC16 = sumTable(16, 0x8005);

function crc8(bytes: Uint8Array, end: number): number {
  let crc = 0;
  for (let at = 0; at < end; at++) crc = CRC8[crc ^ (bytes[at] ?? 0)] ?? 0;
  return crc;
}

/** The CRC-16 of the bytes before and one more. Over a frame with its checksum at the end it is 0. */
function crc16(crc: number, byte: number): number {
  return ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ byte] ?? 0);
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

/** The frame header at `start` if it fits the stream of `info` and its checksum is right, else null. */
function frameHeader(all: Uint8Array, start: number, info: StreamInfo): FrameHeader | null {
  const kind = all[start + 3] ?? 1;
  if (all[start] !== 0xff || ((all[start + 1] ?? 0) & 0xfe) !== 0xf8 || (kind & 1) === 1) return null;
  const [assignment, depth] = [kind >> 4, DEPTHS[(kind >> 1) & 7]];
  if (depth !== 0 && depth !== info.depth) return null;
  if (assignment > 10 || (assignment < 8 ? assignment + 1 : 2) !== info.channels) return null;
  const bytes = all.subarray(start, start + FRAME_HEADER_MAX_BYTES);
  const [, , sizes = 0, , number = 0] = bytes;
  const [sizeCode, rateCode] = [sizes >> 4, sizes & 15];
  const numberBytes = Math.max(1, Math.clz32(~(number << 24)));
  const sizeAt = 4 + numberBytes;
  const rateAt = sizeAt + (sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0);
  const end = rateAt + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0);
  if (bytes.length <= end || crc8(bytes, end) !== bytes[end]) return null;
  const view = viewOf(bytes);
  const blockSize = sizeCode === 6 ? view.getUint8(sizeAt) + 1 : sizeCode === 7 ? view.getUint16(sizeAt) + 1 : blockSizeOf(sizeCode);
  if (blockSize < 1 || blockSize > 65_535 || rateOf(rateCode, view, rateAt, info) !== info.rate) return null;
  return { headerBytes: end + 1, blockSize, assignment };
}

function blockSizeOf(code: number): number {
  if (code < 2) return code * 192;
  return code < 6 ? 576 << (code - 2) : 256 << (code - 8);
}

/** -1 for the code that means nothing. */
function rateOf(code: number, view: DataView, at: number, info: StreamInfo): number {
  if (code === 0) return info.rate;
  if (code < 12) return RATES[code] ?? -1;
  if (code === 12) return view.getUint8(at) * 1_000;
  return code === 15 ? -1 : view.getUint16(at) * (code === 13 ? 1 : 10);
}

/** True where a file ends, or goes on with a tag of another kind. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  return at === bytes.length || hasText(bytes, at, "TAG") || hasText(bytes, at, "APETAGEX");
}

/** The frame that `bytes` begin with, up to the next one or the end; null if it is damaged or not whole. */
function wholeFrame(bytes: Uint8Array, info: StreamInfo): Frame | null {
  const header = frameHeader(bytes, 0, info);
  if (header === null) return null;
  let sum = 0;
  for (let at = 0; at < bytes.length; ) {
    sum = crc16(sum, bytes[at++] ?? 0);
    const isNext = bytes[at] === 0xff && frameHeader(bytes, at, info) !== null;
    if (sum === 0 && (isNext || isEnd(bytes, at))) return { ...header, bytes: bytes.subarray(0, at) };
    if (isNext) return null;
  }
  return null;
}

/** Moves to the next frame header after this byte. False at the end of the file. */
function nextFrame(reader: ByteReader, info: StreamInfo): boolean {
  reader.skip(1);
  for (;;) {
    const bytes = reader.peek(SEARCH_BYTES);
    if (bytes.length < FRAME_HEADER_MAX_BYTES) return false;
    for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
      if (frameHeader(bytes, at, info) === null) continue;
      reader.skip(at);
      return true;
    }
    reader.skip(bytes.length - FRAME_HEADER_MAX_BYTES + 1);
  }
}

/**
 * `frame` with the header of the first frame of a stream. libFLAC fills gaps between frame numbers with silence, one frame
 * late, so each frame gets number 0; and it needs the rate and depth, which a frame may leave to the metadata. The rate
 * written is 44.1 kHz and not used.
 */
function standAlone({ bytes, headerBytes, blockSize, assignment }: Frame, depth: number): Uint8Array {
  const size = blockSize - 1;
  const header = Uint8Array.of(0xff, 0xf8, 0x79, (assignment << 4) | (DEPTHS.indexOf(depth) << 1), 0, size >> 8, size & 0xff, 0);
  header[7] = crc8(header, 7);
  const alone = new Uint8Array(header.length + bytes.length - headerBytes);
  alone.set(header);
  alone.set(bytes.subarray(headerBytes), header.length);
  const end = alone.length - FRAME_FOOTER_BYTES;
  let sum = 0;
  for (let at = 0; at < end; at++) sum = crc16(sum, alone[at] ?? 0);
  viewOf(alone).setUint16(end, sum);
  return alone;
}

/** Scales to full scale, as the other decoders do: the package divides by the highest sample value instead. In place. */
function rescale(samples: Float32Array, depth: number): Float32Array {
  const scale = 2 ** (depth - 1);
  const divisor = depth === 32 ? scale : scale - 1;
  for (let index = 0; index < samples.length; index++) samples[index] = Math.round((samples[index] ?? 0) * divisor) / scale;
  return samples;
}

/** Opens a decoder for frames of the stream of `info`. After it gives null, for a frame that libFLAC refuses, it must not be used again. */
async function openFrames({ depth, rate }: StreamInfo): Promise<(frame: Frame) => Promise<RawSound | null>> {
  if (!DEPTHS_READ.includes(depth)) throw badSound(`the FLAC file holds samples of ${depth} bits, which cannot be read: save it with 16 or 24 bits`);
  // Imported on first use, with its Worker class: see mp3.ts.
  const { FLACDecoder, FLACDecoderWebWorker } = await import("@wasm-audio-decoders/flac");
  assert(FLACDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new FLACDecoder();
  await decoder.ready;
  // It needs no `free`: it holds nothing but its WebAssembly memory, which is collected with it.
  return async (frame) => {
    const { errors, samplesDecoded, channelData } = await decoder.decodeFrames([standAlone(frame, depth)]);
    if (errors.length > 0 || samplesDecoded !== frame.blockSize) return null;
    return { rate, channels: channelData.map((samples) => rescale(samples, depth)) };
  };
}

/** The sound of a FLAC file. Damaged frames are left out. */
export async function* decodeFlac(reader: ByteReader, watch: SoundWatch, promise: (promised: SoundPromise) => void): AsyncGenerator<RawSound> {
  const info = readStreamInfo(reader);
  if (info.samples > 0) promise({ rate: info.rate, samples: info.samples });
  const wanted = Math.floor(((watch.wantedMs ?? 0) / 1_000) * info.rate);
  let unwanted = wanted;
  let damaged = 0;
  let decode = await openFrames(info);
  for (;;) {
    const bytes = reader.peek(FLAC_FRAME_MAX_BYTES);
    if (isEnd(bytes, 0)) return;
    const frame = wholeFrame(bytes, info);
    if (frame !== null && frame.blockSize <= unwanted) {
      reader.skip(frame.bytes.length);
      unwanted -= frame.blockSize;
      watch.begunMs = ((wanted - unwanted) / info.rate) * 1_000;
      continue;
    }
    unwanted = 0;
    const sound = frame === null ? null : await decode(frame);
    if (frame !== null && sound !== null) {
      reader.skip(frame.bytes.length);
      yield sound;
      continue;
    }
    if (frame !== null) decode = await openFrames(info);
    damaged++;
    note(watch, "parts of the file are damaged or missing and were left out");
    if (damaged > SOUND_ERRORS_MAX) throw badSound("the FLAC file is damaged: too many of its frames cannot be decoded");
    if (!nextFrame(reader, info)) return;
  }
}

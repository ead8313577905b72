/** WAV: uncompressed samples between RIFF chunks. Own code: the packages for it hold the whole file. */
import { SOUND_MAX_CHANNELS, SOUND_MIN_SHARE } from "../../base/limits.ts";
import { badSound, type ByteReader, hasText, note, type RawSound, type SoundPromise, type SoundWatch, viewOf } from "./decoder.ts";

/** Chunks before the samples: a dozen in practice; the limit bounds the walk through a hostile file. */
const CHUNKS_MAX = 1_000;
const CHUNK_HEADER_BYTES = 8;
/** Samples of all channels that are given at once, in bytes. */
const PIECE_BYTES = 64 * 1024;
/** Lengths that programs write when they write to a pipe and cannot know it. */
const UNKNOWN_LENGTHS = [0, 0xffff_ffff, 0x7fff_ffff, 0x7fff_f000, 0xffff_f000];

/** One sample at a byte offset as -1..1. */
type SampleReader = (view: DataView, offset: number) => number;

interface WavFormat {
  rate: number;
  channels: number;
  /** Bytes of one sample of one channel. */
  width: number;
  read: SampleReader;
}

/** By the format tag (PCM, float, and the A-law and mu-law of ITU-T G.711), and the bits of a sample. */
const READERS: Record<number, Record<number, SampleReader>> = {
  1: {
    8: (view, offset) => (view.getUint8(offset) - 128) / 128,
    16: (view, offset) => view.getInt16(offset, true) / 32_768,
    24: (view, offset) => ((view.getInt8(offset + 2) << 16) | view.getUint16(offset, true)) / 8_388_608,
    32: (view, offset) => view.getInt32(offset, true) / 2_147_483_648,
  },
  3: { 32: (view, offset) => view.getFloat32(offset, true), 64: (view, offset) => view.getFloat64(offset, true) },
  6: { 8: (view, offset) => aLaw(view.getUint8(offset)) },
  7: { 8: (view, offset) => muLaw(view.getUint8(offset)) },
};
const EXTENSIBLE = 0xfffe;

function aLaw(code: number): number {
  const value = code ^ 0x55;
  const exponent = (value & 0x70) >> 4;
  const mantissa = ((value & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return ((value & 0x80) === 0 ? -magnitude : magnitude) / 32_768;
}

function muLaw(code: number): number {
  const value = ~code & 0xff;
  const magnitude = ((((value & 0x0f) << 3) + 0x84) << ((value & 0x70) >> 4)) - 0x84;
  return ((value & 0x80) === 0 ? magnitude : -magnitude) / 32_768;
}

function parseFormat(chunk: Uint8Array): WavFormat {
  if (chunk.length < 16) throw badSound("the WAV file has a format chunk that is too short: it is damaged");
  const view = viewOf(chunk);
  const tag = view.getUint16(0, true);
  const kind = tag === EXTENSIBLE && chunk.length >= 26 ? view.getUint16(24, true) : tag;
  const channels = view.getUint16(2, true);
  const rate = view.getUint32(4, true);
  const bits = view.getUint16(14, true);
  const read = READERS[kind]?.[bits];
  if (read === undefined)
    throw badSound(`the WAV file holds samples of kind ${kind} with ${bits} bits, which cannot be read: save it as PCM of 16 bits`);
  if (channels < 1 || channels > SOUND_MAX_CHANNELS)
    throw badSound(`the WAV file says it has ${channels} channels: 1 to ${SOUND_MAX_CHANNELS} can be read`);
  const width = bits / 8;
  if (view.getUint16(12, true) !== width * channels) throw badSound("the WAV file contradicts itself about the size of a sample: it is damaged");
  return { rate, channels, width, read };
}

/** Moves to the samples. Gives their format, and their length in bytes by the header. */
function findSamples(reader: ByteReader): { format: WavFormat; size: number } {
  const head = reader.take(12);
  if (!hasText(head, 0, "RIFF") || !hasText(head, 8, "WAVE")) throw badSound("the file does not begin like a WAV file");
  let format: WavFormat | null = null;
  for (let chunk = 0; chunk < CHUNKS_MAX; chunk++) {
    const header = reader.take(CHUNK_HEADER_BYTES);
    if (header.length < CHUNK_HEADER_BYTES) break;
    const size = viewOf(header).getUint32(4, true);
    if (hasText(header, 0, "data")) {
      if (format === null) throw badSound("the WAV file has its samples before their format: it is damaged");
      return { format, size };
    }
    if (hasText(header, 0, "fmt ")) format = parseFormat(reader.peek(Math.min(size, 40)));
    reader.skip(size + (size % 2));
  }
  throw badSound("the WAV file has no samples");
}

function piece(format: WavFormat, bytes: Uint8Array): RawSound {
  const { width, read } = format;
  const frame = width * format.channels;
  const length = Math.floor(bytes.length / frame);
  const view = viewOf(bytes);
  const channels = Array.from({ length: format.channels }, (_, channel) => {
    const samples = new Float32Array(length);
    for (let index = 0, offset = channel * width; index < length; index++, offset += frame) samples[index] = read(view, offset);
    return samples;
  });
  return { rate: format.rate, channels };
}

/**
 * The sound of a WAV file. `promise` gets the length of the header, or of the file when the header has none. Errors: Fault
 * `bad_request`.
 */
export function* decodeWav(reader: ByteReader, watch: SoundWatch, promise: (promised: SoundPromise) => void): Generator<RawSound> {
  const { format, size: said } = findSamples(reader);
  const frame = format.width * format.channels;
  const known = !UNKNOWN_LENGTHS.includes(said);
  const size = known ? said : reader.left;
  if (known && reader.left < size * SOUND_MIN_SHARE)
    throw badSound("the WAV file is cut short: less than half of the sound that it promises is there");
  promise({ rate: format.rate, samples: Math.floor(size / frame) });
  const step = Math.max(1, Math.floor(PIECE_BYTES / frame)) * frame;
  let left = size;
  const skipped = Math.floor(((watch.wantedMs ?? 0) / 1_000) * format.rate);
  if (skipped > 0) {
    reader.skip(skipped * frame);
    left -= skipped * frame;
    watch.begunMs = (skipped / format.rate) * 1_000;
  }
  while (left >= frame) {
    const bytes = reader.take(Math.min(step, left));
    if (bytes.length >= frame) yield piece(format, bytes);
    if (bytes.length < Math.min(step, left)) break;
    left -= bytes.length;
  }
  if (known && left >= frame) note(watch, "the file is cut short: what is there was taken in");
}

/**
 * Owns mpg123-decoder (mpg123 in WebAssembly). Frames are found here and given to it whole: its own search for a frame in
 * bytes that are none is not bounded in time and memory.
 */
import { assert } from "../../base/fault.ts";
import { SOUND_ERRORS_MAX } from "../../base/limits.ts";
import { badSound, type ByteReader, hasText, note, type RawSound, type SoundPromise, type SoundWatch, skipId3, viewOf } from "./decoder.ts";

/** Frames decoded at once: 3 s of sound at 44.1 kHz. */
const BATCH_FRAMES = 128;
/** The first frame is searched in this much. */
const SEARCH_MAX_BYTES = 1024 * 1024;
const FRAME_MAX_BYTES = 4_096;

/** kbit/s by the four bits of the header: MPEG 1 and MPEG 2, layer III. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATES_1 = [44_100, 48_000, 32_000];

interface Frame {
  /** Bytes with the header. */
  length: number;
  rate: number;
  samples: number;
  /** The header bits that are the same in all frames of a stream: version, layer and rate. */
  kind: number;
  /** Offset of the Xing or Info tag, if the frame has one. */
  tagOffset: number;
}

/** The layer III frame that begins at `offset`, or null. The free bit rate, which tells no length, is not taken. */
export function frameAt(bytes: Uint8Array, offset: number): Frame | null {
  const [a, b, c, d] = bytes.subarray(offset, offset + 4);
  if (a !== 0xff || b === undefined || c === undefined || d === undefined || (b & 0xe6) !== 0xe2) return null;
  const version = (b >> 3) & 3;
  const index = (c >> 2) & 3;
  if (version === 1 || index === 3) return null;
  const first = version === 3;
  const bitrate = (first ? BITRATES_1 : BITRATES_2)[c >> 4] ?? 0;
  if (bitrate === 0) return null;
  const rate = (RATES_1[index] ?? 0) / (first ? 1 : version === 2 ? 2 : 4);
  const samples = first ? 1_152 : 576;
  const length = Math.floor((samples / 8) * ((bitrate * 1_000) / rate)) + ((c >> 1) & 1);
  const mono = d >> 6 === 3;
  const side = first ? (mono ? 17 : 32) : mono ? 9 : 17;
  return { length, rate, samples, kind: (b & 0x1e) | ((c & 0x0c) << 8), tagOffset: 4 + side };
}

/** True for tags that stand behind the frames. */
function isTail(bytes: Uint8Array): boolean {
  return hasText(bytes, 0, "TAG") || hasText(bytes, 0, "APETAGEX") || hasText(bytes, 0, "LYRICSBEGIN") || hasText(bytes, 0, "ID3");
}

/** Moves to the next frame of `kind` (any if null) that another one, or the end of the file, follows. Null if the next `max` bytes have none. */
function findFrame(reader: ByteReader, kind: number | null, max: number): Frame | null {
  for (let searched = 0; searched < max; ) {
    const bytes = reader.peek(2 * FRAME_MAX_BYTES);
    const last = Math.min(bytes.length - 4, FRAME_MAX_BYTES);
    if (last < 0) return null;
    for (let offset = 0; offset <= last; offset++) {
      const frame = frameAt(bytes, offset);
      if (frame === null || (kind !== null && frame.kind !== kind)) continue;
      const next = frameAt(bytes, offset + frame.length);
      if (next?.kind !== frame.kind && offset + frame.length !== bytes.length) continue;
      reader.skip(offset);
      return frame;
    }
    reader.skip(last + 1);
    searched += last + 1;
  }
  return null;
}

/** The number of frames that the encoder wrote into the first one (its Xing or Info tag), or null. */
function promisedFrames(bytes: Uint8Array, frame: Frame): number | null {
  if (!hasText(bytes, frame.tagOffset, "Xing") && !hasText(bytes, frame.tagOffset, "Info")) return null;
  const view = viewOf(bytes);
  if (bytes.length < frame.tagOffset + 12 || (view.getUint32(frame.tagOffset + 4) & 1) === 0) return null;
  return view.getUint32(frame.tagOffset + 8);
}

/** Frames decoded before the wanted time: a frame may use bits of those before it. */
const LEAD_FRAMES = 10;

/** Skips the frames before `watch.wantedMs`, but for LEAD_FRAMES. */
function skipFrames(reader: ByteReader, { kind, samples, rate }: Frame, watch: SoundWatch): void {
  const frames = Math.floor(((watch.wantedMs ?? 0) / 1_000) * (rate / samples)) - LEAD_FRAMES;
  let skipped = 0;
  for (; skipped < frames; skipped++) {
    const frame = frameAt(reader.peek(4), 0);
    if (frame === null || frame.kind !== kind) break;
    reader.skip(frame.length);
  }
  if (skipped > 0) watch.begunMs = ((skipped * samples) / rate) * 1_000;
}

/** Whole frames of one kind, up to `BATCH_FRAMES` at a time, joined. */
function* frameBatches(reader: ByteReader, kind: number, watch: SoundWatch): Generator<Uint8Array> {
  let batch = new Uint8Array(BATCH_FRAMES * FRAME_MAX_BYTES);
  let used = 0;
  let frames = 0;
  for (;;) {
    const bytes = reader.peek(FRAME_MAX_BYTES);
    const frame = frameAt(bytes, 0);
    if (frame === null || frame.kind !== kind) {
      if (bytes.length < 4 || isTail(bytes) || findFrame(reader, kind, Number.POSITIVE_INFINITY) === null) break;
      note(watch, "parts of the file are damaged and were left out");
      continue;
    }
    if (bytes.length < frame.length) {
      note(watch, "the file is cut short: what is there was taken in");
      break;
    }
    batch.set(reader.take(frame.length), used);
    used += frame.length;
    if (++frames < BATCH_FRAMES) continue;
    yield batch.subarray(0, used);
    batch = new Uint8Array(BATCH_FRAMES * FRAME_MAX_BYTES);
    [used, frames] = [0, 0];
  }
  if (used > 0) yield batch.subarray(0, used);
}

/** The sound of an MP3 file (MPEG 1, 2 and 2.5, layer III). */
export async function* decodeMp3(reader: ByteReader, watch: SoundWatch, promise: (promised: SoundPromise) => void): AsyncGenerator<RawSound> {
  skipId3(reader);
  const first = findFrame(reader, null, SEARCH_MAX_BYTES);
  // MP3 has no signature, so files of no known format end here too.
  if (first === null) throw badSound("the file holds no sound that can be read: it may be WAV, MP3, FLAC, Ogg Vorbis or Ogg Opus");
  const frames = promisedFrames(reader.peek(FRAME_MAX_BYTES), first);
  if (frames !== null) promise({ rate: first.rate, samples: frames * first.samples });
  skipFrames(reader, first, watch);
  // Imported on first use: it instantiates WebAssembly while it loads.
  const { MPEGDecoder, MPEGDecoderWebWorker } = await import("mpg123-decoder");
  // The package uses this class while it loads; the bundler drops it unless it is imported.
  assert(MPEGDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  let errors = 0;
  try {
    for (const batch of frameBatches(reader, first.kind, watch)) {
      const decoded = decoder.decode(batch);
      errors += decoded.errors.length;
      if (errors > SOUND_ERRORS_MAX) throw badSound("the MP3 file is damaged: too many of its frames cannot be decoded");
      if (decoded.samplesDecoded > 0) yield { rate: decoded.sampleRate, channels: decoded.channelData };
    }
  } finally {
    decoder.free();
  }
}

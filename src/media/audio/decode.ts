/** Sound files as one stream of samples at 16 kHz: which decoder takes a file, its limits, downmix and rate. */
import { Fault } from "../../base/fault.ts";
import { SOUND_MAX_MS, SOUND_MAX_RATE_HZ, SOUND_MIN_RATE_HZ, SOUND_MIN_SHARE } from "../../base/limits.ts";
import type { SourceFile } from "../../domain/media.ts";
import { SAMPLE_RATE_HZ } from "../models.ts";
import { decodeFlac, FLAC_FRAME_MAX_BYTES } from "./flac.ts";
import { decodeMp3 } from "./mp3.ts";
import { decodeOgg } from "./ogg.ts";
import { Resampler } from "./resample.ts";
import { badSound, ByteReader, hasText, note, type RawSound, type SoundDecoder, type SoundWatch, skipId3 } from "./decoder.ts";
import { decodeWav } from "./wav.ts";

/** The look ahead of the reader: room for an Ogg page and the search for the next one. */
const AHEAD_BYTES = 128 * 1024;
const HOUR_MS = 3_600_000;
/** Silence that encoders add at both ends and decoders remove: 0.28 s in an MP3 of 8 kHz. The length in a header includes it. */
const PADDING_MAX_MS = 500;

/** The decoder by the first bytes behind any ID3 tag, and the look ahead it needs, in bytes. MP3 has no signature: it gets everything else. */
function decoderOf(path: string, watch: SoundWatch): { decoder: SoundDecoder; ahead: number } {
  const reader = new ByteReader(path, AHEAD_BYTES, watch);
  try {
    if (reader.peek(1).length === 0) throw badSound("the file is empty");
    skipId3(reader);
    const head = reader.peek(12);
    if (hasText(head, 0, "RIFF")) return { decoder: decodeWav, ahead: AHEAD_BYTES };
    if (hasText(head, 0, "RF64") || hasText(head, 0, "BW64")) throw badSound("WAV files of more than 4 GiB (RF64) are not taken in");
    if (hasText(head, 0, "OggS")) return { decoder: decodeOgg, ahead: AHEAD_BYTES };
    if (hasText(head, 0, "fLaC")) return { decoder: decodeFlac, ahead: FLAC_FRAME_MAX_BYTES };
    return { decoder: decodeMp3, ahead: AHEAD_BYTES };
  } finally {
    reader.close();
  }
}

/** Clamps `samples` to -1..1, in place; NaN becomes 0. */
function clamped(samples: Float32Array): Float32Array {
  for (let index = 0; index < samples.length; index++) {
    const value = samples[index] ?? 0;
    if (!(value >= -1 && value <= 1)) samples[index] = Number.isNaN(value) ? 0 : Math.sign(value);
  }
  return samples;
}

/** The mean of the channels. */
function downmix({ channels }: RawSound): Float32Array {
  const length = channels[0]?.length ?? 0;
  const mono = new Float32Array(length);
  for (const channel of channels) for (let index = 0; index < length; index++) mono[index] = (mono[index] ?? 0) + (channel[index] ?? 0);
  for (let index = 0; index < length; index++) mono[index] = (mono[index] ?? 0) / channels.length;
  return clamped(mono);
}

function checkRate(rate: number): void {
  if (rate < SOUND_MIN_RATE_HZ || rate > SOUND_MAX_RATE_HZ)
    throw badSound(`the file says it has ${rate} samples a second: ${SOUND_MIN_RATE_HZ} to ${SOUND_MAX_RATE_HZ} can be read`);
}

/** Errors: Fault `bad_request` when `ms` is over SOUND_MAX_MS. */
export function checkSoundLength(ms: number): void {
  if (ms > SOUND_MAX_MS) throw badSound(`the sound is longer than ${SOUND_MAX_MS / HOUR_MS} hours, the most that is taken in: split it`);
}

/** Downmixes and resamples; when the rate changes, as in a chain of Ogg streams, a new resampler begins. */
class Mixer {
  #rate = 0;
  #resampler: Resampler | null = null;

  *push(raw: RawSound): Generator<Float32Array> {
    if ((raw.channels[0]?.length ?? 0) === 0) return;
    checkRate(raw.rate);
    if (this.#resampler === null || raw.rate !== this.#rate) {
      yield* this.end();
      this.#resampler = new Resampler(raw.rate, SAMPLE_RATE_HZ);
      this.#rate = raw.rate;
    }
    // Clamped again: the resampling filter overshoots at steep edges of loud sound.
    yield clamped(this.#resampler.push(downmix(raw)));
  }

  *end(): Generator<Float32Array> {
    if (this.#resampler !== null) yield clamped(this.#resampler.end());
  }
}

/** Turns the plain errors of the decoder packages into Faults about the file. */
async function* faulting(sound: ReturnType<SoundDecoder>): AsyncGenerator<RawSound> {
  try {
    yield* sound;
  } catch (error) {
    throw error instanceof Fault ? error : badSound("the sound cannot be decoded: the file is damaged", error);
  }
}

/**
 * The sound of a file in pieces of 16 kHz mono, -1..1, in memory that does not grow with its length. The format is known
 * by the content: WAV, MP3, FLAC, Ogg Vorbis, Ogg Opus. Damaged or missing parts are left out and noted in `watch`.
 * Errors: Fault `bad_request` that says what is wrong with the file, also when less than half of the promised sound is
 * there; a header that promises more than the limit is refused before the first sample.
 */
export async function* decodeSound(file: SourceFile, watch: SoundWatch = { readBytes: 0, notes: [] }): AsyncGenerator<Float32Array> {
  const { decoder, ahead } = decoderOf(file.path, watch);
  const reader = new ByteReader(file.path, ahead, watch);
  let promisedMs = 0;
  let given = 0;
  const counted = function* (pieces: Generator<Float32Array>) {
    for (const piece of pieces) {
      given += piece.length;
      checkSoundLength((given / SAMPLE_RATE_HZ) * 1_000);
      if (piece.length > 0) yield piece;
    }
  };
  try {
    const mixer = new Mixer();
    const sound = decoder(reader, watch, ({ rate, samples }) => {
      checkRate(rate);
      promisedMs = (samples / rate) * 1_000;
      checkSoundLength(promisedMs);
    });
    for await (const raw of faulting(sound)) yield* counted(mixer.push(raw));
    yield* counted(mixer.end());
  } finally {
    reader.close();
  }
  if (given === 0 && watch.begunMs === undefined) throw badSound("the file holds no sound");
  if (watch.begunMs !== undefined) return;
  const share = promisedMs === 0 ? 1 : ((given / SAMPLE_RATE_HZ) * 1_000) / promisedMs;
  if (share < SOUND_MIN_SHARE) throw badSound("the file is cut short or damaged: less than half of the sound that it promises is there");
  if (share < 1 && promisedMs - (given / SAMPLE_RATE_HZ) * 1_000 > PADDING_MAX_MS)
    note(watch, "the file holds less sound than it promises: what is there was taken in");
}

/** Owns ogg-opus-decoder (libopus in WebAssembly). */
import { assert } from "../../base/fault.ts";
import { SOUND_ERRORS_MAX } from "../../base/limits.ts";
import { badSound, type OggDecoder } from "./sound-source.ts";

/** Opus can be decoded at several rates. This is the one that is wanted in the end, at half the time of 48 kHz. The types do not know of it. */
const OPTIONS: object = { sampleRate: 16_000 };

/** Opens a decoder for one stream of Opus pages. */
export async function openOpus(): Promise<OggDecoder> {
  // Loaded late, and whole: see sound-mp3.ts.
  const { OggOpusDecoder, OggOpusDecoderWebWorker } = await import("ogg-opus-decoder");
  assert(OggOpusDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggOpusDecoder(OPTIONS);
  await decoder.ready;
  let errors = 0;
  const counted = ({ errors: found, sampleRate, channelData }: Awaited<ReturnType<typeof decoder.flush>>) => {
    errors += found.length;
    if (errors > SOUND_ERRORS_MAX) throw badSound("the Ogg file is damaged: too many of its packets cannot be decoded");
    return { rate: sampleRate, channels: channelData };
  };
  return {
    page: async (bytes) => counted(await decoder.decode(bytes)),
    end: async () => counted(await decoder.flush()),
    errors: () => errors,
    free: () => decoder.free(),
  };
}

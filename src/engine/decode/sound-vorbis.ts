/** Owns @wasm-audio-decoders/ogg-vorbis (libvorbis in WebAssembly). */
import { assert } from "../../base/fault.ts";
import { SOUND_ERRORS_MAX } from "../../base/limits.ts";
import { badSound, type OggDecoder } from "./sound-source.ts";

/** Opens a decoder for one stream of Vorbis pages. */
export async function openVorbis(): Promise<OggDecoder> {
  // Loaded late, and whole: see sound-mp3.ts.
  const { OggVorbisDecoder, OggVorbisDecoderWebWorker } = await import("@wasm-audio-decoders/ogg-vorbis");
  assert(OggVorbisDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  let errors = 0;
  const counted = ({ errors: found, sampleRate, channelData }: Awaited<ReturnType<typeof decoder.decode>>) => {
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

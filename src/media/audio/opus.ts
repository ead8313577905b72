/** Owns ogg-opus-decoder (libopus in WebAssembly). */
import { assert } from "../../base/fault.ts";
import { type OggDecoder, oggDecoder } from "./decoder.ts";

/** Opus can be decoded at several rates. This is the one that is wanted in the end, at half the time of 48 kHz. The types do not know of it. */
const OPTIONS: object = { sampleRate: 16_000 };

/** Opens a decoder for one stream of Opus pages. */
export async function openOpus(): Promise<OggDecoder> {
  // Loaded late, and whole: see sound-mp3.ts.
  const { OggOpusDecoder, OggOpusDecoderWebWorker } = await import("ogg-opus-decoder");
  assert(OggOpusDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggOpusDecoder(OPTIONS);
  await decoder.ready;
  return oggDecoder(decoder);
}

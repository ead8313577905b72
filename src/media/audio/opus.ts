/** Owns ogg-opus-decoder (libopus in WebAssembly). */
import { assert } from "../../base/fault.ts";
import { type OggDecoder, oggDecoder } from "./decoder.ts";

/** Opus decodes at several rates. 16 kHz is what the models take, and takes half the time of 48 kHz. The package's types lack the option. */
const OPTIONS: object = { sampleRate: 16_000 };

/** Opens a decoder for one stream of Opus pages. */
export async function openOpus(): Promise<OggDecoder> {
  // Imported on first use, with its Worker class: see mp3.ts.
  const { OggOpusDecoder, OggOpusDecoderWebWorker } = await import("ogg-opus-decoder");
  assert(OggOpusDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggOpusDecoder(OPTIONS);
  await decoder.ready;
  return oggDecoder(decoder);
}

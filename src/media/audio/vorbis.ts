/** Owns @wasm-audio-decoders/ogg-vorbis (libvorbis in WebAssembly). */
import { assert } from "../../base/fault.ts";
import { type OggDecoder, oggDecoder } from "./decoder.ts";

/** Opens a decoder for one stream of Vorbis pages. */
export async function openVorbis(): Promise<OggDecoder> {
  // Imported on first use, with its Worker class: see mp3.ts.
  const { OggVorbisDecoder, OggVorbisDecoderWebWorker } = await import("@wasm-audio-decoders/ogg-vorbis");
  assert(OggVorbisDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  return oggDecoder(decoder);
}

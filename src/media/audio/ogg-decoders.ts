/** Owns ogg-opus-decoder (libopus) and @wasm-audio-decoders/ogg-vorbis (libvorbis), both in WebAssembly. */
import { assert } from "../../base/fault.ts";

/** Decodes one logical Ogg stream: the part of the packages' interfaces that is used. It throws their plain errors. */
export interface OggDecoder {
  /** The sound that a page completes. */
  decode(page: Uint8Array): OggSound | Promise<OggSound>;
  /** The rest, when the stream ends. */
  flush(): OggSound | Promise<OggSound>;
  free(): void;
}

export interface OggSound {
  /** One for each packet that cannot be decoded. */
  errors: readonly unknown[];
  sampleRate: number;
  channelData: Float32Array[];
}

/** Opus decodes at several rates. 16 kHz is what the models take, and takes half the time of 48 kHz. The package's types lack the option. */
const OPUS_OPTIONS: object = { sampleRate: 16_000 };

// The packages are imported on first use, with their Worker classes: see mp3.ts.

/** Opens a decoder for one stream of Opus pages. */
export async function openOpus(): Promise<OggDecoder> {
  const { OggOpusDecoder, OggOpusDecoderWebWorker } = await import("ogg-opus-decoder");
  assert(OggOpusDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggOpusDecoder(OPUS_OPTIONS);
  await decoder.ready;
  return decoder;
}

/** Opens a decoder for one stream of Vorbis pages. */
export async function openVorbis(): Promise<OggDecoder> {
  const { OggVorbisDecoder, OggVorbisDecoderWebWorker } = await import("@wasm-audio-decoders/ogg-vorbis");
  assert(OggVorbisDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  return decoder;
}

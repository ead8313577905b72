/** Owns ogg-opus-decoder (libopus) and @wasm-audio-decoders/ogg-vorbis (libvorbis), both in WebAssembly. */
import { assert } from "../../base/fault.ts";
import { SOUND_ERRORS_MAX } from "../../base/limits.ts";
import { badSound, type RawSound } from "./decoder.ts";

/** Decodes one logical Ogg stream. It throws the plain errors of its package. */
export interface OggDecoder {
  /** The sound that a page completes. */
  page(bytes: Uint8Array): Promise<RawSound>;
  /** The rest, when the stream ends. */
  end(): Promise<RawSound>;
  /** Packets that could not be decoded so far. */
  errors(): number;
  free(): void;
}

/** The part of the Ogg packages' interfaces that is used. */
interface OggPackage {
  decode(bytes: Uint8Array): OggDecoded | Promise<OggDecoded>;
  flush(): OggDecoded | Promise<OggDecoded>;
  free(): void;
}
interface OggDecoded {
  errors: readonly unknown[];
  sampleRate: number;
  channelData: Float32Array[];
}

/** Wraps the decoder of a package. Errors: Fault `bad_request` after SOUND_ERRORS_MAX damaged packets. */
function oggDecoder(decoder: OggPackage): OggDecoder {
  let errors = 0;
  const counted = ({ errors: found, sampleRate, channelData }: OggDecoded) => {
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

/** Opus decodes at several rates. 16 kHz is what the models take, and takes half the time of 48 kHz. The package's types lack the option. */
const OPUS_OPTIONS: object = { sampleRate: 16_000 };

// The packages are imported on first use, with their Worker classes: see mp3.ts.

/** Opens a decoder for one stream of Opus pages. */
export async function openOpus(): Promise<OggDecoder> {
  const { OggOpusDecoder, OggOpusDecoderWebWorker } = await import("ogg-opus-decoder");
  assert(OggOpusDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggOpusDecoder(OPUS_OPTIONS);
  await decoder.ready;
  return oggDecoder(decoder);
}

/** Opens a decoder for one stream of Vorbis pages. */
export async function openVorbis(): Promise<OggDecoder> {
  const { OggVorbisDecoder, OggVorbisDecoderWebWorker } = await import("@wasm-audio-decoders/ogg-vorbis");
  assert(OggVorbisDecoderWebWorker !== undefined, "the package is whole");
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  return oggDecoder(decoder);
}

/** Compares the outputs of the audio models with the fixtures that their cards come with. */
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { mediaModelFile } from "../../runtime/media-models.ts";
import { openVad } from "../audio/vad.ts";
import { openWhisper } from "../audio/whisper.ts";
import { openSoundEvents } from "../audio/yamnet.ts";
import type { Samples } from "../models.ts";
import { near, type SelfTestCheck, wordErrorRate } from "./check.ts";

type Model = "whisper-tiny-en" | "yamnet" | "silero-vad";

const Tolerance = Type.Object({ tolerance: Type.Number({ minimum: 0 }) });
const Segment = Type.Object({ start: Type.Number(), end: Type.Number() });

const VadFixture = Type.Object({ probabilities: Tolerance });
const YamnetFixture = Type.Object({ log_mel: Tolerance, scores: Tolerance, embedding: Tolerance });
const WhisperFixture = Type.Object({
  mel: Type.Object({ tolerance: Type.Number(), shape: Type.Tuple([Type.Integer(), Type.Integer()]), tail: Type.Number() }),
  timestamps: Type.Object({ text: Type.String(), segments: Type.Array(Segment), no_speech: Type.Number(), average_logprob: Type.Number() }),
});

/**
 * Processors with and without int8 dot products (VNNI) round the int8 speech model differently. Where two tokens are nearly
 * as likely, "," and "." for example, another one is chosen, and what follows changes with it: so words are compared without
 * case and punctuation, of which one in 22 may differ, and not tokens or the cut into segments.
 */
const PROBABILITY_TOLERANCE = 0.01;
const WORD_ERROR_RATE_TOLERANCE = 0.05;
const TIME_TOLERANCE_SECONDS = 0.25;
const WAV_HEADER_BYTES = 44;

async function json(model: Model): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await mediaModelFile(model, "fixture/fixture.json")));
}

async function floats(model: Model, file: string): Promise<Float32Array> {
  const bytes = await mediaModelFile(model, `fixture/${file}`);
  return new Float32Array(bytes.slice().buffer);
}

/** Samples of 16 bits behind `skip` bytes of header. */
async function samples(model: Model, file: string, skip: number): Promise<Samples> {
  const bytes = await mediaModelFile(model, `fixture/${file}`);
  return Float32Array.from(new Int16Array(bytes.slice(skip).buffer), (value) => value / 32_768);
}

async function selfTestVad(): Promise<SelfTestCheck[]> {
  const fixture = Value.Parse(VadFixture, await json("silero-vad"));
  const vad = await openVad();
  const probabilities = await vad.probabilities(await samples("silero-vad", "speech.wav", WAV_HEADER_BYTES));
  const expected = await floats("silero-vad", "probabilities.f32");
  return [near("silero-vad", "probabilities", probabilities, expected, fixture.probabilities.tolerance)];
}

async function selfTestYamnet(): Promise<SelfTestCheck[]> {
  const fixture = Value.Parse(YamnetFixture, await json("yamnet"));
  const events = await openSoundEvents();
  const audio = await samples("yamnet", "audio.s16", 0);
  const { scores, embeddings } = await events.patches(audio);
  return [
    near("yamnet", "log-mel", await events.logMel(audio), await floats("yamnet", "log_mel.f32"), fixture.log_mel.tolerance),
    near("yamnet", "scores", scores, await floats("yamnet", "scores.f32"), fixture.scores.tolerance),
    near("yamnet", "embedding", embeddings, await floats("yamnet", "embedding.f32"), fixture.embedding.tolerance),
  ];
}

/** The first `frames` of each band of a mel spectrum, and the largest distance of all later ones from `tail`. */
function headAndTail(mel: Float32Array, bands: number, frames: number, tail: number): { head: Float32Array; tail: number } {
  const width = mel.length / bands;
  const head = new Float32Array(bands * frames);
  let most = 0;
  for (let band = 0; band < bands; band++) {
    head.set(mel.subarray(band * width, band * width + frames), band * frames);
    for (let frame = frames; frame < width; frame++) most = Math.max(most, Math.abs((mel[band * width + frame] ?? 0) - tail));
  }
  return { head, tail: most };
}

async function selfTestWhisper(): Promise<SelfTestCheck[]> {
  const fixture = Value.Parse(WhisperFixture, await json("whisper-tiny-en"));
  const whisper = await openWhisper();
  const audio = await samples("whisper-tiny-en", "jfk.wav", WAV_HEADER_BYTES);
  const { tolerance, shape, tail } = fixture.mel;
  const mel = headAndTail(await whisper.mel(audio), shape[0], shape[1], tail);
  const transcript = await whisper.transcribe(audio);
  const words = transcript.segments.map((segment) => segment.text).join(" ");
  const { text, segments, no_speech, average_logprob } = fixture.timestamps;
  const extent = (of: readonly { start: number; end: number }[]) => [of[0]?.start ?? Number.NaN, of.at(-1)?.end ?? Number.NaN];
  return [
    near("whisper-tiny-en", "mel", mel.head, await floats("whisper-tiny-en", "mel.f32"), tolerance),
    near("whisper-tiny-en", "mel of silence", [mel.tail], [0], tolerance),
    near("whisper-tiny-en", "word error rate", [wordErrorRate(words, text)], [0], WORD_ERROR_RATE_TOLERANCE),
    near("whisper-tiny-en", "start and end", extent(transcript.segments), extent(segments), TIME_TOLERANCE_SECONDS),
    near("whisper-tiny-en", "no-speech", [transcript.noSpeech], [no_speech], PROBABILITY_TOLERANCE),
    near("whisper-tiny-en", "log-probability", [transcript.averageLogProbability], [average_logprob], PROBABILITY_TOLERANCE),
  ];
}

/** Runs the fixtures of the voice, sound and speech models. Errors: those of `mediaModelFile`. */
export async function selfTestAudio(): Promise<SelfTestCheck[]> {
  return [...(await selfTestVad()), ...(await selfTestYamnet()), ...(await selfTestWhisper())];
}

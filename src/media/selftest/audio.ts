/** Compares the outputs of the audio models with the fixtures that their cards come with. */
import { mediaModelFile, mediaModelFloats, mediaModelJson } from "../../runtime/media-models.ts";
import { openVad } from "../audio/vad.ts";
import { openWhisper } from "../audio/whisper.ts";
import { openSoundEvents } from "../audio/yamnet.ts";
import type { Samples } from "../models.ts";
import { near, type SelfTestCheck, wordErrorRate } from "./check.ts";

type Model = "whisper-tiny-en" | "yamnet" | "silero-vad";

/** Tolerances by the name of an output. */
type Tolerances<Output extends string> = Record<Output, { tolerance: number }>;
interface WhisperFixture {
  mel: { tolerance: number; shape: [bands: number, frames: number]; tail: number };
  timestamps: { text: string; segments: { start: number; end: number }[]; no_speech: number; average_logprob: number };
}

/**
 * Processors with and without int8 dot products (VNNI) round the int8 speech model differently. Where two tokens are nearly
 * as likely, "," and "." for example, another one is chosen, and what follows changes with it: so words are compared without
 * case and punctuation, of which one in 22 may differ, and not tokens or the cut into segments.
 */
const PROBABILITY_TOLERANCE = 0.01;
const WORD_ERROR_RATE_TOLERANCE = 0.05;
const TIME_TOLERANCE_SECONDS = 0.25;
const WAV_HEADER_BYTES = 44;

const expected = <T>(model: Model) => mediaModelJson<T>(model, "fixture/fixture.json");
const floats = (model: Model, file: string) => mediaModelFloats(model, `fixture/${file}`);

/** Samples of 16 bits behind `skip` bytes of header. */
async function samples(model: Model, file: string, skip: number): Promise<Samples> {
  const bytes = await mediaModelFile(model, `fixture/${file}`);
  return Float32Array.from(new Int16Array(bytes.slice(skip).buffer), (value) => value / 32_768);
}

async function selfTestVad(): Promise<SelfTestCheck[]> {
  const { probabilities } = await expected<Tolerances<"probabilities">>("silero-vad");
  const vad = await openVad();
  const found = await vad(await samples("silero-vad", "speech.wav", WAV_HEADER_BYTES));
  return [near("silero-vad", "probabilities", found, await floats("silero-vad", "probabilities.f32"), probabilities.tolerance)];
}

async function selfTestYamnet(): Promise<SelfTestCheck[]> {
  const fixture = await expected<Tolerances<"log_mel" | "scores" | "embedding">>("yamnet");
  const events = await openSoundEvents();
  const audio = await samples("yamnet", "audio.s16", 0);
  const { mel, scores, embeddings } = await events(audio);
  return [
    near("yamnet", "log-mel", mel, await floats("yamnet", "log_mel.f32"), fixture.log_mel.tolerance),
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
  const fixture = await expected<WhisperFixture>("whisper-tiny-en");
  const whisper = await openWhisper();
  const audio = await samples("whisper-tiny-en", "jfk.wav", WAV_HEADER_BYTES);
  const { tolerance, shape, tail } = fixture.mel;
  const transcript = await whisper(audio);
  const mel = headAndTail(transcript.mel, shape[0], shape[1], tail);
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

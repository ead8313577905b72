/** Proves the models of hearing against the fixtures that their cards come with. */
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { mediaModelFile } from "../../runtime/media-models.ts";
import { openVad } from "../audio/vad.ts";
import { openWhisper, type Transcript } from "../audio/whisper.ts";
import { openSoundEvents } from "../audio/yamnet.ts";
import type { Samples } from "../models.ts";
import type { SelfTestCheck } from "./check.ts";

type Model = "whisper-tiny-en" | "yamnet" | "silero-vad";

const Tolerance = Type.Object({ tolerance: Type.Number({ minimum: 0 }) });
const Segment = Type.Object({ start: Type.Number(), end: Type.Number(), text: Type.String() });
const Ids = Type.Array(Type.Integer());

const VadFixture = Type.Object({ probabilities: Tolerance });
const YamnetFixture = Type.Object({ log_mel: Tolerance, scores: Tolerance, embedding: Tolerance });
const WhisperFixture = Type.Object({
  mel: Type.Object({ tolerance: Type.Number(), shape: Type.Tuple([Type.Integer(), Type.Integer()]), tail: Type.Number() }),
  timestamps: Type.Object({ ids: Ids, text: Type.String(), segments: Type.Array(Segment), no_speech: Type.Number(), average_logprob: Type.Number() }),
  plain: Type.Object({ ids: Ids, text: Type.String() }),
});

/** int8 arithmetic rounds differently on other processors; the words stay (the card: 0.0000057 to the logits). */
const PROBABILITY_TOLERANCE = 0.01;
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

/** The largest difference; infinite if the lengths differ. */
function deviation(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let index = 0; index < found.length; index++) {
    const difference = Math.abs((found[index] ?? Number.NaN) - (expected[index] ?? Number.NaN));
    most = difference <= most ? most : Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
  }
  return most;
}

function near(model: Model, check: string, found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): SelfTestCheck {
  const difference = deviation(found, expected);
  return { model, check, deviation: difference, tolerance, ok: difference <= tolerance };
}

/** A check that has no distance: 0 if it holds, 1 if not. */
function same(model: Model, check: string, found: unknown, expected: unknown): SelfTestCheck {
  const ok = Bun.deepEquals(found, expected);
  return { model, check, deviation: ok ? 0 : 1, tolerance: 0, ok };
}

async function proveVad(): Promise<SelfTestCheck[]> {
  const fixture = Value.Parse(VadFixture, await json("silero-vad"));
  const vad = await openVad();
  const { probabilities } = await vad.probabilities(await samples("silero-vad", "speech.wav", WAV_HEADER_BYTES));
  const expected = await floats("silero-vad", "probabilities.f32");
  return [near("silero-vad", "probabilities", probabilities, expected, fixture.probabilities.tolerance)];
}

async function proveYamnet(): Promise<SelfTestCheck[]> {
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

async function proveWhisper(): Promise<SelfTestCheck[]> {
  const fixture = Value.Parse(WhisperFixture, await json("whisper-tiny-en"));
  const whisper = await openWhisper();
  const audio = await samples("whisper-tiny-en", "jfk.wav", WAV_HEADER_BYTES);
  const { tolerance, shape, tail } = fixture.mel;
  const mel = headAndTail(await whisper.mel(audio), shape[0], shape[1], tail);
  const timed = await whisper.transcribe(audio);
  const plain = await whisper.transcribe(audio, false);
  const { ids, text, segments, no_speech, average_logprob } = fixture.timestamps;
  const spans = ({ segments: found }: Transcript) => found.map(({ start, end, text: said }) => ({ start, end, text: said }));
  return [
    near("whisper-tiny-en", "mel", mel.head, await floats("whisper-tiny-en", "mel.f32"), tolerance),
    near("whisper-tiny-en", "mel of silence", [mel.tail], [0], tolerance),
    same("whisper-tiny-en", "tokens with times", timed.ids, ids),
    same("whisper-tiny-en", "text with times", timed.text, text),
    same("whisper-tiny-en", "segments", spans(timed), segments),
    near("whisper-tiny-en", "no-speech", [timed.noSpeech], [no_speech], PROBABILITY_TOLERANCE),
    near("whisper-tiny-en", "log-probability", [timed.averageLogProbability], [average_logprob], PROBABILITY_TOLERANCE),
    same("whisper-tiny-en", "tokens without times", plain.ids, fixture.plain.ids),
    same("whisper-tiny-en", "text without times", plain.text, fixture.plain.text),
  ];
}

/** Runs the fixtures of the voice, sound and speech models. Errors: those of `mediaModelFile`. */
export async function proveHearing(): Promise<SelfTestCheck[]> {
  return [...(await proveVad()), ...(await proveYamnet()), ...(await proveWhisper())];
}

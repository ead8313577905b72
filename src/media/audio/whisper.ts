/** Speech recognition: Whisper tiny.en, greedy decoding (its card: models/whisper-tiny-en). */
import { assert } from "../../base/fault.ts";
import { mediaModelFile, mediaModelJson } from "../../runtime/media-models.ts";
import { floats, type Graph, type GraphInput, type GraphOutput, openGraph } from "../../inference/onnx.ts";
import { SAMPLE_RATE_HZ, type Samples } from "../models.ts";
import { applyRules, best, type Generation, loopLength, probabilityOf, segmentsOf, type Token } from "./whisper-rules.ts";
import { tokenDecoder, type TokenizerFile } from "./whisper-tokens.ts";

/** The longest sound that is recognised at once. */
export const WHISPER_WINDOW_SAMPLES = 30 * SAMPLE_RATE_HZ;
const BANDS = 80;
/** Whisper's rule: a window has no speech if that has more than this probability and the words have a lower mean log-probability than that. */
const NO_SPEECH_PROBABILITY = 0.6;
const NO_SPEECH_LOG_PROBABILITY = -1;

/** The text between two times, in seconds from the start of the window. */
export interface TranscriptSegment {
  start: number;
  end: number;
  text: string;
  /** The geometric mean of its tokens' probabilities, 0-1. */
  confidence: number;
}

export interface Transcript {
  /** The log-mel spectrum that the model hears, 80 bands by 3,000 frames. */
  mel: Float32Array;
  /** Empty if Whisper's rule finds no speech. */
  segments: TranscriptSegment[];
  /** The probability that the model gives its token for no speech, 0-1. */
  noSpeech: number;
  /** Mean over the tokens and the end token. */
  averageLogProbability: number;
}

type Tensors = Record<string, GraphInput>;

interface Written extends Omit<Transcript, "mel" | "segments"> {
  tokens: Token[];
}

/** An output as an input of the next graph. */
function fed(output: GraphOutput | undefined): GraphInput {
  return { type: "float32", data: floats(output), dims: output?.dims ?? [] };
}

/** Opens the models, which transcribe the speech in at most 30 s. */
export async function openWhisper(): Promise<(samples: Samples) => Promise<Transcript>> {
  const file = (name: string) => mediaModelFile("whisper-tiny-en", name);
  const rules = await mediaModelJson<Generation>("whisper-tiny-en", "generation.json");
  assert(rules.window_samples === WHISPER_WINDOW_SAMPLES, "the speech model reads 30 s");
  const decode = tokenDecoder(await mediaModelJson<TokenizerFile>("whisper-tiny-en", "tokenizer.json"), rules.eot);
  const front = await openGraph(await file("frontend.onnx"));
  const encoder = await openGraph(await file("encoder.onnx"));
  const decoder = await openGraph(await file("decoder.onnx"));
  return async (samples) => {
    assert(samples.length <= WHISPER_WINDOW_SAMPLES, "a window of speech is at most 30 s");
    const pcm = new Float32Array(WHISPER_WINDOW_SAMPLES);
    pcm.set(samples);
    const mel = floats((await front({ pcm: { type: "float32", data: pcm, dims: [1, pcm.length] } })).mel);
    const outputs = await encoder({ mel: { type: "float32", data: mel, dims: [1, BANDS, mel.length / BANDS] } });
    const cross = Object.entries(outputs).filter(([name]) => name.startsWith("cross_"));
    const written = await write(decoder, Object.fromEntries(cross.map(([name, output]) => [name, fed(output)])), rules);
    return { mel, ...transcriptOf(written, rules, decode, samples.length / SAMPLE_RATE_HZ) };
  };
}

/** Generates tokens until the end token, the limit, or a repeated group, of which one is kept. */
async function write(decoder: Graph, cross: Tensors, rules: Generation): Promise<Written> {
  let past = emptyPast(rules);
  let feed = [rules.sot];
  const tokens: Token[] = [];
  let noSpeech = 0;
  let sum = 0;
  let ended = 0;
  while (tokens.length < rules.max_new_tokens) {
    const ids = { type: "int64", data: BigInt64Array.from(feed, BigInt), dims: [1, feed.length] } as const;
    const outputs = await decoder({ tokens: ids, ...past, ...cross });
    const logits = floats(outputs.logits);
    if (tokens.length === 0) noSpeech = probabilityOf(logits, rules.no_speech);
    const written = tokens.map(({ id }) => id);
    applyRules(logits, written, rules);
    const token = best(logits);
    sum += token.logProbability;
    if (token.id === rules.eot) {
      ended = 1;
      break;
    }
    tokens.push(token);
    const loop = loopLength([...written, token.id], rules.timestamp_begin);
    if (loop > 0) {
      tokens.length -= loop;
      break;
    }
    feed = [token.id];
    past = pastOf(outputs, rules);
  }
  const kept = tokens.reduce((all, { logProbability }) => all + logProbability, 0);
  return { tokens, noSpeech, averageLogProbability: ended === 1 ? sum / (tokens.length + 1) : kept / Math.max(1, tokens.length) };
}

function emptyPast(rules: Generation): Tensors {
  const none = { type: "float32", data: new Float32Array(0), dims: [1, rules.heads, 0, rules.head_size] } as const;
  const names = Array.from({ length: rules.layers }, (_, layer) => [`past_k_${layer}`, `past_v_${layer}`]).flat();
  return Object.fromEntries(names.map((name) => [name, none]));
}

function pastOf(outputs: Record<string, GraphOutput>, rules: Generation): Tensors {
  const names = Object.keys(emptyPast(rules));
  return Object.fromEntries(names.map((name) => [name, fed(outputs[name.replace("past", "present")])]));
}

/** `length`: of the sound, in seconds. A segment that starts behind it is dropped. */
function transcriptOf(written: Written, rules: Generation, decode: (ids: readonly number[]) => string, length: number): Omit<Transcript, "mel"> {
  const { tokens, noSpeech, averageLogProbability } = written;
  const silent = noSpeech > NO_SPEECH_PROBABILITY && averageLogProbability < NO_SPEECH_LOG_PROBABILITY;
  const segments = segmentsOf(tokens, rules, length)
    .filter(({ start }) => start < length)
    .map(({ start, end, tokens: said }) => ({
      start,
      end: Math.min(end, length),
      text: decode(said.map(({ id }) => id)).trim(),
      confidence: Math.exp(said.reduce((sum, { logProbability }) => sum + logProbability, 0) / said.length),
    }))
    .filter(({ text }) => text !== "");
  return { segments: silent ? [] : segments, noSpeech, averageLogProbability };
}

/** Voice activity detection: silero-vad, a probability of speech for each 32 ms (its card: models/silero-vad). */
import { mediaModelFile } from "../../runtime/media-models.ts";
import { floats, openGraph } from "../../inference/onnx.ts";
import { SAMPLE_RATE_HZ, type Samples } from "../models.ts";

const FRAME_SAMPLES = 512;
/** Samples of the frame before, put in front of each. */
const CONTEXT_SAMPLES = 64;
const INPUT_SAMPLES = CONTEXT_SAMPLES + FRAME_SAMPLES;
const STATE_FLOATS = 128;

/** The publisher's thresholds, by the card: a span opens at the first and closes below the second. */
const OPEN = 0.5;
const CLOSE = 0.35;
/** Frames below CLOSE that end a span. */
const PAUSE_FRAMES = 10;
/** A span has at least this many frames at OPEN: by the card 129 of 130 clips of speech have, and 11 of 141 of other sounds. */
const SPEECH_FRAMES_MIN = 4;
/** Sound kept on both sides of a span, for the soft begin and end of words. */
const MARGIN_SAMPLES = 0.2 * SAMPLE_RATE_HZ;

/** Samples `start` to `end` (excluded) hold speech. */
export interface SpeechSpan {
  start: number;
  end: number;
}

/** Opens the model, which gives the probability of speech for each frame of 32 ms; the last one is filled up with zeros. */
export async function openVad(): Promise<(samples: Samples) => Promise<Float32Array>> {
  const graph = await openGraph(await mediaModelFile("silero-vad", "silero_vad_16k_sequence.onnx"));
  return async (samples) => {
    const frames = Math.ceil(samples.length / FRAME_SAMPLES);
    if (frames === 0) return new Float32Array(0);
    const padded = new Float32Array(CONTEXT_SAMPLES + frames * FRAME_SAMPLES);
    padded.set(samples, CONTEXT_SAMPLES);
    const input = new Float32Array(frames * INPUT_SAMPLES);
    for (let frame = 0; frame < frames; frame++) {
      input.set(padded.subarray(frame * FRAME_SAMPLES, frame * FRAME_SAMPLES + INPUT_SAMPLES), frame * INPUT_SAMPLES);
    }
    const state = { type: "float32", data: new Float32Array(STATE_FLOATS), dims: [1, 1, STATE_FLOATS] } as const;
    return floats((await graph({ input: { type: "float32", data: input, dims: [frames, INPUT_SAMPLES] }, h: state, c: state })).speech_probs);
  };
}

/**
 * Spans of speech in a sound of `length` samples: from a frame at 0.5 on until it stays below 0.35 for 0.32 s, with
 * a margin of 0.2 s on both sides. They do not overlap.
 */
export function speechSpans(probabilities: Float32Array, length: number): SpeechSpan[] {
  const spans: SpeechSpan[] = [];
  const add = (first: number, behind: number) => {
    const start = Math.max(0, first * FRAME_SAMPLES - MARGIN_SAMPLES);
    const end = Math.min(length, behind * FRAME_SAMPLES + MARGIN_SAMPLES);
    const last = spans.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else spans.push({ start, end });
  };
  for (let frame = 0; frame < probabilities.length; frame++) {
    if ((probabilities[frame] ?? 0) < OPEN) continue;
    let behind = frame + 1;
    let clear = 1;
    for (let next = behind; next < probabilities.length && next - behind < PAUSE_FRAMES; next++) {
      const probability = probabilities[next] ?? 0;
      if (probability >= OPEN) clear++;
      if (probability >= CLOSE) behind = next + 1;
    }
    if (clear >= SPEECH_FRAMES_MIN) add(frame, behind);
    frame = behind - 1;
  }
  return spans;
}

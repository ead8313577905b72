/** Voice activity detection: silero-vad, a probability of speech for each 32 ms (its card: models/silero-vad). */
import { assert } from "../../base/fault.ts";
import { mediaModelFile } from "../../runtime/media-models.ts";
import { openGraph } from "../../inference/onnx.ts";
import type { Samples } from "../models.ts";
import { SAMPLE_RATE_HZ } from "../models.ts";

const FRAME_SAMPLES = 512;
/** Samples of the frame before, put in front of each. */
const CONTEXT_SAMPLES = 64;
const INPUT_SAMPLES = CONTEXT_SAMPLES + FRAME_SAMPLES;
const STATE_FLOATS = 128;
export const VAD_FRAME_MS = (FRAME_SAMPLES * 1_000) / SAMPLE_RATE_HZ;

/** The publisher's thresholds, by the card: a span opens at the first and closes below the second. */
const OPEN = 0.5;
const CLOSE = 0.35;
/** Frames below CLOSE that end a span. */
const PAUSE_FRAMES = 10;
/** A span has at least this many frames at OPEN: by the card 129 of 130 clips of speech have, and 11 of 141 of other sounds. */
const SPEECH_FRAMES_MIN = 4;
/** Sound kept on both sides of a span, for the soft begin and end of words. */
const MARGIN_MS = 200;

/** Samples `start` to `end` (excluded) hold speech. */
export interface SpeechSpan {
  start: number;
  end: number;
}

/** The model's state between two parts of a sound. */
export interface VadState {
  h: Float32Array;
  c: Float32Array;
  context: Float32Array;
}

export interface Vad {
  /**
   * The probability of speech for each frame of 32 ms; the last one is filled up with zeros. `state`: that of the part
   * before, which must have been whole frames; without one the sound begins here.
   */
  probabilities(samples: Samples, state?: VadState): Promise<{ probabilities: Float32Array; state: VadState }>;
}

function silentState(): VadState {
  return { h: new Float32Array(STATE_FLOATS), c: new Float32Array(STATE_FLOATS), context: new Float32Array(CONTEXT_SAMPLES) };
}

/** Opens the model. */
export async function openVad(): Promise<Vad> {
  const graph = await openGraph(await mediaModelFile("silero-vad", "silero_vad_16k_sequence.onnx"));
  const dims = [1, 1, STATE_FLOATS];
  return {
    async probabilities(samples, state = silentState()) {
      const frames = Math.ceil(samples.length / FRAME_SAMPLES);
      if (frames === 0) return { probabilities: new Float32Array(0), state };
      const padded = new Float32Array(CONTEXT_SAMPLES + frames * FRAME_SAMPLES);
      padded.set(state.context);
      padded.set(samples, CONTEXT_SAMPLES);
      const input = new Float32Array(frames * INPUT_SAMPLES);
      for (let frame = 0; frame < frames; frame++) {
        input.set(padded.subarray(frame * FRAME_SAMPLES, frame * FRAME_SAMPLES + INPUT_SAMPLES), frame * INPUT_SAMPLES);
      }
      const { speech_probs, hn, cn } = await graph.run({
        input: { type: "float32", data: input, dims: [frames, INPUT_SAMPLES] },
        h: { type: "float32", data: state.h, dims },
        c: { type: "float32", data: state.c, dims },
      });
      assert(
        speech_probs?.data instanceof Float32Array && hn?.data instanceof Float32Array && cn?.data instanceof Float32Array,
        "the voice model gives floats",
      );
      return { probabilities: speech_probs.data, state: { h: hn.data, c: cn.data, context: padded.slice(-CONTEXT_SAMPLES) } };
    },
  };
}

/**
 * Spans of speech in a sound of `length` samples: from a frame at 0.5 on until it stays below 0.35 for 0.32 s, with
 * a margin of 0.2 s on both sides. They do not overlap.
 */
export function speechSpans(probabilities: Float32Array, length: number): SpeechSpan[] {
  const spans: SpeechSpan[] = [];
  const margin = (MARGIN_MS / 1_000) * SAMPLE_RATE_HZ;
  const add = (first: number, behind: number) => {
    const start = Math.max(0, first * FRAME_SAMPLES - margin);
    const end = Math.min(length, behind * FRAME_SAMPLES + margin);
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

/**
 * Cuts a stream of sound into segments of at most 30 s, the window of the speech model. A cut falls on the quietest
 * 0.2 s of ten seconds, so that it seldom parts a word, and depends on the samples alone, not on the pieces in which they
 * come. No model is needed to find it, so interrupted work resumes without running the models on the first segments again.
 */
import { type Samples, SAMPLE_RATE_HZ } from "../models.ts";

export const SEGMENT_MAX_SAMPLES = 30 * SAMPLE_RATE_HZ;
/** A cut is searched in this much sound before the limit … */
const SEARCH_SAMPLES = 10 * SAMPLE_RATE_HZ;
/** … and leaves at least as much behind it, so that the last segment is not too short to recognise words in. */
const AHEAD_SAMPLES = SEGMENT_MAX_SAMPLES + SEARCH_SAMPLES;
/** The energy is taken in steps of 20 ms; the quiet moment lasts ten of them. */
const QUIET_STEP_SAMPLES = 0.02 * SAMPLE_RATE_HZ;
const QUIET_STEPS = 10;

export interface SoundSegment {
  samples: Samples;
  /** Where it begins in the sound, in samples. */
  start: number;
  last: boolean;
}

/** The middle of the quietest 0.2 s between `from` and `to`, a sample index; of equals the last. */
function quietest(samples: Samples, from: number, to: number): number {
  const energies = new Float64Array(Math.floor((to - from) / QUIET_STEP_SAMPLES));
  for (let step = 0; step < energies.length; step++) energies[step] = energyOf(samples, from + step * QUIET_STEP_SAMPLES);
  let best = to;
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step + QUIET_STEPS <= energies.length; step++) {
    const energy = energies.subarray(step, step + QUIET_STEPS).reduce((sum, some) => sum + some, 0);
    if (energy > least) continue;
    least = energy;
    best = from + (step + QUIET_STEPS / 2) * QUIET_STEP_SAMPLES;
  }
  return best;
}

/** The sum of squares of one step. */
function energyOf(samples: Samples, from: number): number {
  let energy = 0;
  for (let index = from; index < from + QUIET_STEP_SAMPLES; index++) energy += (samples[index] as number) ** 2;
  return energy;
}

/** The length of the first segment of `held`. `ended`: the sound ends with it. */
function cutOf(held: Samples, ended: boolean): number {
  if (ended && held.length <= SEGMENT_MAX_SAMPLES) return held.length;
  const to = Math.min(SEGMENT_MAX_SAMPLES, held.length - SEARCH_SAMPLES);
  return quietest(held, to - SEARCH_SAMPLES, to);
}

/** The segments of `sound`, in order. At most 40 s are held, and the piece that came last. */
export async function* soundSegments(sound: AsyncIterable<Samples>): AsyncGenerator<SoundSegment> {
  let held = new Float32Array(2 * AHEAD_SAMPLES);
  let used = 0;
  let start = 0;
  const cut = (ended: boolean): SoundSegment => {
    const length = cutOf(held.subarray(0, used), ended);
    const segment = { samples: held.slice(0, length), start, last: ended && length === used };
    held.copyWithin(0, length, used);
    used -= length;
    start += length;
    return segment;
  };
  for await (const piece of sound) {
    if (used + piece.length > held.length) {
      const larger = new Float32Array(used + piece.length);
      larger.set(held.subarray(0, used));
      held = larger;
    }
    held.set(piece, used);
    used += piece.length;
    // Strictly more: whether a segment is the last one is known only when the sound has ended.
    while (used > AHEAD_SAMPLES) yield cut(false);
  }
  while (used > 0) yield cut(true);
}

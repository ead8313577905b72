/** Finds the shots of a video by how much neighbouring frames differ. */
import { SHOT_FRAMES_PER_SECOND, SHOT_MIN_MS } from "../../base/limits.ts";

/** Frames are compared at this size, in pixels. */
export const SHOT_FRAME = { rate: SHOT_FRAMES_PER_SECOND, width: 64, height: 36 } as const;
const PIXELS = SHOT_FRAME.width * SHOT_FRAME.height;
const MIN_FRAMES = (SHOT_MIN_MS / 1_000) * SHOT_FRAME.rate;
/** Steps of each colour in the histogram. */
const STEPS = 4;
const BINS = STEPS ** 3;
/** At a cut at least this share of the pixels changes its place in the histogram; motion in a quarter of a second changes few. */
const CUT_COLOURS = 0.4;
/** Or the mean change of a pixel, 0-1, is at least this: a cut between pictures of the same colours. */
const CUT_PIXELS = 0.2;

/** Frames `first` to `behind` (excluded). */
export interface Shot {
  first: number;
  behind: number;
}

interface FrameSummary {
  pixels: Uint8Array;
  histogram: Float64Array;
}

function summaryOf(frame: Uint8Array): FrameSummary {
  const histogram = new Float64Array(BINS);
  const step = (value: number | undefined) => ((value ?? 0) * STEPS) >> 8;
  for (let at = 0; at < frame.length; at += 3) {
    const bin = (step(frame[at]) * STEPS + step(frame[at + 1])) * STEPS + step(frame[at + 2]);
    histogram[bin] = (histogram[bin] ?? 0) + 1 / PIXELS;
  }
  return { pixels: frame.slice(), histogram };
}

function isCut(before: FrameSummary, after: FrameSummary): boolean {
  let colours = 0;
  for (let bin = 0; bin < BINS; bin++) colours += Math.abs((before.histogram[bin] ?? 0) - (after.histogram[bin] ?? 0)) / 2;
  let pixels = 0;
  for (let at = 0; at < before.pixels.length; at++) pixels += Math.abs((before.pixels[at] ?? 0) - (after.pixels[at] ?? 0));
  return colours > CUT_COLOURS || pixels / before.pixels.length / 255 > CUT_PIXELS;
}

/**
 * The shots of a span of video, in order, without a gap. `frames`: sampled by SHOT_FRAME. A cut less than SHOT_MIN_MS after
 * the one before is ignored.
 */
export async function shotsOf(frames: AsyncIterable<Uint8Array>): Promise<Shot[]> {
  const shots: Shot[] = [];
  let first = 0;
  let next = 0;
  let before: FrameSummary | null = null;
  for await (const frame of frames) {
    const summary = summaryOf(frame);
    if (before !== null && next - first >= MIN_FRAMES && isCut(before, summary)) {
      shots.push({ first, behind: next });
      first = next;
    }
    before = summary;
    next++;
  }
  if (next > first) shots.push({ first, behind: next });
  return shots;
}

/** Where the shots of a video begin and end, by how much its pictures differ. */
import { SHOT_FRAMES_PER_SECOND, SHOT_MIN_MS } from "../../base/limits.ts";

/** Pictures are compared this small. */
export const SHOT_FRAME = { rate: SHOT_FRAMES_PER_SECOND, width: 64, height: 36 } as const;
const PIXELS = SHOT_FRAME.width * SHOT_FRAME.height;
const MIN_FRAMES = (SHOT_MIN_MS / 1_000) * SHOT_FRAME.rate;
/** Each colour has as many steps in the histogram. */
const STEPS = 4;
const BINS = STEPS ** 3;
/** The share of the pixels that change their colour class at a cut. Motion in a quarter of a second moves few of them out of it. */
const CUT_COLOURS = 0.4;
/** The mean change of a pixel, 0-1, at a cut between pictures of the same colours. */
const CUT_PIXELS = 0.2;

/** Numbers of pictures: `first` and those before `behind`. */
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
 * The shots of a stretch of video, in order, without a gap. `frames`: as `SHOT_FRAME` asks for them. A cut less than a
 * second after the one before is none.
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

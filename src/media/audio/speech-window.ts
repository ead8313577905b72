/**
 * Puts the speech of a sound into one window of the speech model, long pauses shortened, and maps times in the window back
 * to the sound.
 *
 * A pause of at most one second stays as it is. Of a longer one half a second stays on each side (0.2 s of it is the margin
 * of the spans): on a second or more without speech the model writes words for music and noise.
 */
import { SAMPLE_RATE_HZ, type Samples } from "../models.ts";
import type { SpeechSpan } from "./vad.ts";

const PAUSE_MAX_SAMPLES = SAMPLE_RATE_HZ;
/** Kept of a long pause beside a span, whose own margin comes on top. */
const PAUSE_SIDE_SAMPLES = 0.3 * SAMPLE_RATE_HZ;

/** Samples `start` to `end` of the sound, which stand at sample `at` of the window. */
interface Piece {
  start: number;
  end: number;
  at: number;
}

export interface SpeechWindow {
  samples: Samples;
  /** The first sample of the sound of a segment that begins at `seconds` in the window. */
  startOf(seconds: number): number;
  /** The sample of the sound behind a segment that ends at `seconds` in the window. */
  endOf(seconds: number): number;
}

function piecesOf(spans: readonly SpeechSpan[]): Piece[] {
  const pieces: Piece[] = [];
  spans.forEach(({ start, end }, index) => {
    const last = pieces.at(-1);
    if (last !== undefined && start - (spans[index - 1]?.end ?? 0) <= PAUSE_MAX_SAMPLES) {
      last.end = end;
      return;
    }
    if (last !== undefined) last.end += PAUSE_SIDE_SAMPLES;
    const at = last === undefined ? 0 : last.at + (last.end - last.start);
    pieces.push({ start: last === undefined ? start : start - PAUSE_SIDE_SAMPLES, end, at });
  });
  return pieces;
}

/** The window of `spans` (at least one) of `sound`: never longer than from the first to the last of them. */
export function speechWindow(sound: Samples, spans: readonly SpeechSpan[]): SpeechWindow {
  const pieces = piecesOf(spans);
  const length = pieces.reduce((sum, { start, end }) => sum + (end - start), 0);
  const samples = new Float32Array(length);
  for (const { start, end, at } of pieces) samples.set(sound.subarray(start, end), at);

  const mapped = (at: number, piece: Piece | undefined) =>
    piece === undefined ? 0 : Math.max(piece.start, Math.min(piece.end, piece.start + (at - piece.at)));
  return {
    samples,
    startOf(seconds) {
      const at = Math.round(seconds * SAMPLE_RATE_HZ);
      const start = mapped(at, pieces.findLast((piece) => piece.at <= at) ?? pieces[0]);
      // A segment that begins in a pause begins with the next span.
      return Math.max(start, spans.find(({ end }) => end > start)?.start ?? start);
    },
    endOf(seconds) {
      const at = Math.round(seconds * SAMPLE_RATE_HZ);
      const end = mapped(at, pieces.findLast((piece) => piece.at < at) ?? pieces[0]);
      return Math.min(end, spans.findLast(({ start }) => start < end)?.end ?? end);
    },
  };
}

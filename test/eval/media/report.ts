/** How each part of the measurement of files comes back. */
import { type Bar, figure } from "../report.ts";

/** One line of the table that holds all figures beside those of the models' cards. */
export interface Line {
  measured: string;
  value: string;
  /** What the card says, and of what; "" when it says nothing like it. */
  card: string;
}

export interface Part {
  title: string;
  /** Markdown. */
  text: string;
  lines: Line[];
  figures: Record<string, unknown>;
  /** What must hold; most figures are reported beside those of other files, which is no bar. */
  bars: Bar[];
}

/** A value that must be what it is asked to be. */
export function exactly(measure: string, value: number, wanted: number): Bar {
  return { measure, value: figure(value), baseline: `${wanted} (exactly)`, met: value === wanted };
}

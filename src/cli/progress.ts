/** One line on a terminal that is drawn over itself; nothing anywhere else. */
import { PROGRESS_INTERVAL_MS } from "../base/limits.ts";
import type { Output } from "./command.ts";

const START_OF_LINE = "\r\x1b[K";

export class Progress {
  private drawnAt = Number.NEGATIVE_INFINITY;
  private shown = false;

  constructor(private readonly output: Output) {}

  /** Shows a line, unless the last one was drawn just now. */
  show(line: string): void {
    if (!this.output.isTerminal || performance.now() - this.drawnAt < PROGRESS_INTERVAL_MS) return;
    this.drawnAt = performance.now();
    this.shown = true;
    this.output.write(`${START_OF_LINE}${line}`);
  }

  /** Takes the line away: call it before anything else is written. */
  clear(): void {
    if (this.shown) this.output.write(START_OF_LINE);
    this.shown = false;
  }
}

const BAR_CELLS = 20;

/** A bar filled to `share`, 0-1. */
export function bar(share: number): string {
  const full = Math.round(share * BAR_CELLS);
  return `[${"#".repeat(full)}${" ".repeat(BAR_CELLS - full)}]`;
}

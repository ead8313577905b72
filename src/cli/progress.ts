/** One line on a terminal that is drawn over itself; nothing anywhere else, where it would only fill a log. */
import { PACE_WINDOW_MS, PROGRESS_INTERVAL_MS } from "../base/limits.ts";
import type { Output } from "./command.ts";
import { duration } from "./format.ts";

const START_OF_LINE = "\r\x1b[K";
const TICK_MS = 1_000;
const SECOND_MS = 1_000;
const MINUTE_S = 60;
const KB = 1_000;
const MB = 1_000_000;

export class Progress {
  private drawnAt = Number.NEGATIVE_INFINITY;
  private shown = false;

  constructor(private readonly output: Output) {}

  /** Shows a line, unless the last one was drawn just now. What does not fit is cut: a second line could not be drawn over. */
  show(line: string): void {
    if (!this.output.isTerminal || performance.now() - this.drawnAt < PROGRESS_INTERVAL_MS) return;
    this.drawnAt = performance.now();
    this.shown = true;
    const { columns } = this.output;
    this.output.write(START_OF_LINE + (columns === undefined ? line : Bun.sliceAnsi(line, 0, columns - 1)));
  }

  /** Shows a line with the time that `work` has taken so far, until it ends. */
  async during<T>(line: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const draw = () => this.show(`${line} (${duration(performance.now() - start)})`);
    draw();
    const timer = setInterval(draw, TICK_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      this.clear();
    }
  }

  /** Takes the line away: call it before anything else is written. */
  clear(): void {
    if (this.shown) this.output.write(START_OF_LINE);
    this.shown = false;
  }
}

/** How fast a number grows, by the last seconds of it. */
export class Pace {
  private readonly samples: { at: number; value: number }[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes note of the number as it is now. Its growth a second; null until a second has passed. */
  of(value: number): number | null {
    const at = this.now();
    const last = this.samples.at(-1);
    if (last === undefined || at - last.at >= SECOND_MS) this.samples.push({ at, value });
    while (at - (this.samples[1]?.at ?? at) > PACE_WINDOW_MS) this.samples.shift();
    const first = this.samples[0];
    if (first === undefined || at - first.at < SECOND_MS) return null;
    return ((value - first.value) * SECOND_MS) / (at - first.at);
  }
}

/** How far work is. */
export interface Step {
  /** 0-1; null where nobody knows how much there is. */
  share: number | null;
  /** What is done so far, in what a person counts. */
  count: number;
  /** The same in words, such as "3 of 9 files". */
  done: string;
  /** What it is at. */
  at?: string;
}

/** Work that is shown with its rate and the time that is left. */
export class Work {
  private readonly counts = new Pace();
  private readonly shares = new Pace();

  /** `rateText`: a rate of `count` a second in words. */
  constructor(
    private readonly progress: Progress,
    private readonly rateText: (perSecond: number) => string = rate,
  ) {}

  show(step: Step): void {
    const perSecond = this.counts.of(step.count);
    const gained = step.share === null ? null : this.shares.of(step.share);
    const leftMs = step.share === null || gained === null || gained <= 0 ? null : ((1 - step.share) / gained) * SECOND_MS;
    this.progress.show(workLine(step, perSecond === null || perSecond <= 0 ? null : this.rateText(perSecond), leftMs));
  }
}

/** `[#####     ]  45 %  3 of 9 files, 1.2 MB/s, 3 min 20 s left: notes.pdf`, without what is not known. */
export function workLine({ share, done, at }: Step, rateText: string | null, leftMs: number | null): string {
  const drawn = share === null ? "" : `${bar(share)} ${String(Math.floor(100 * share)).padStart(3)} %  `;
  const left = leftMs === null ? [] : [`${leftText(leftMs)} left`];
  const facts = [done, ...(rateText === null ? [] : [rateText]), ...left].join(", ");
  return `${drawn}${facts}${at === undefined ? "" : `: ${at}`}`;
}

/** A guess needs no tenths. */
function leftText(ms: number): string {
  return ms < MINUTE_S * SECOND_MS ? `${Math.max(1, Math.round(ms / SECOND_MS))} s` : duration(ms);
}

/** `140/s`, `1.4/s`, `12/min`. */
export function rate(perSecond: number): string {
  if (perSecond >= 10) return `${Math.round(perSecond).toLocaleString("en-US")}/s`;
  return perSecond >= 1 ? `${perSecond.toFixed(1)}/s` : `${Math.round(perSecond * MINUTE_S)}/min`;
}

/** `1.2 MB/s`, `640 kB/s`. */
export function byteRate(perSecond: number): string {
  return perSecond >= MB ? `${(perSecond / MB).toFixed(1)} MB/s` : `${Math.round(perSecond / KB)} kB/s`;
}

export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

const BAR_CELLS = 20;

/** A bar filled to `share`, 0-1. */
function bar(share: number): string {
  const full = Math.round(share * BAR_CELLS);
  return `[${"#".repeat(full)}${" ".repeat(BAR_CELLS - full)}]`;
}

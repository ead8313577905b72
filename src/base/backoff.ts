/** Repeats a failed action after growing pauses (exponential backoff). */
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS } from "./limits.ts";

/** Calls `run` once after `ms`, unless the function that it returns is called before. Injected, so that tests own the time. */
export type Schedule = (ms: number, run: () => void) => () => void;

/** A timer that keeps no process alive. */
export const systemSchedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

/** One pause at a time: BACKOFF_FIRST_MS after the first failure, twice as long after each further one, BACKOFF_MAX_MS at most. */
export class Backoff {
  private failures = 0;
  private cancel: (() => void) | null = null;
  private stopped = false;

  constructor(private readonly schedule: Schedule = systemSchedule) {}

  /** True during a pause. */
  get waiting(): boolean {
    return this.cancel !== null;
  }

  /** Calls `again` after the next pause; during a pause, and after `stop`, it does nothing. */
  retry(again: () => void): void {
    if (this.cancel !== null || this.stopped) return;
    const pause = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** this.failures);
    this.failures += 1;
    this.cancel = this.schedule(pause, () => {
      this.cancel = null;
      again();
    });
  }

  /** The action succeeded: a running pause is cancelled, and the next one is BACKOFF_FIRST_MS long again. */
  succeeded(): void {
    this.failures = 0;
    this.cancel?.();
    this.cancel = null;
  }

  /** Cancels a running pause; from here on `retry` does nothing. */
  stop(): void {
    this.stopped = true;
    this.cancel?.();
    this.cancel = null;
  }
}

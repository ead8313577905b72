/** Time that a test owns: what is scheduled runs when the test says so. */
import type { Schedule } from "../../src/base/backoff.ts";

export class ManualSchedule {
  private readonly waiting = new Set<{ ms: number; run: () => void }>();

  readonly schedule: Schedule = (ms, run) => {
    const entry = { ms, run };
    this.waiting.add(entry);
    return () => void this.waiting.delete(entry);
  };

  /** The pauses that run, in ms. */
  get pauses(): number[] {
    return [...this.waiting].map(({ ms }) => ms);
  }

  /** Ends every pause that runs. */
  elapse(): void {
    for (const entry of [...this.waiting]) {
      this.waiting.delete(entry);
      entry.run();
    }
  }
}

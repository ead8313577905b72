/** Whether an index can be used, by the outcome of its last read and its last write. */
import { Backoff, type Schedule } from "./backoff.ts";

export class Availability {
  private readable = true;
  private writable = true;
  private readonly backoff: Backoff;

  /** `read` is cheap: while reads fail it is repeated in growing pauses, so that the index counts as working again soon after the cause has gone. */
  constructor(
    private readonly read: () => Promise<unknown>,
    schedule: Schedule,
  ) {
    this.backoff = new Backoff(schedule);
  }

  /** From memory; reads nothing. */
  get working(): boolean {
    return this.readable && this.writable;
  }

  async reading<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.readable = true;
      this.backoff.succeeded();
      return value;
    } catch (error) {
      this.readable = false;
      this.backoff.retry(() => void this.probe());
      throw error;
    }
  }

  /** A failed write is not repeated here: its row stays in the outbox, and the indexer writes it again. */
  async writing<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.writable = true;
      return value;
    } catch (error) {
      this.writable = false;
      throw error;
    }
  }

  /** Reads once to learn whether the index can be read. Never rejects. */
  async probe(): Promise<void> {
    await this.reading(this.read).catch(() => {});
  }

  /** Ends the repeated reads. */
  close(): void {
    this.backoff.stop();
  }
}

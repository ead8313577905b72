/** Whether an index can be used, as its last read and its last write went. */
import { Backoff, type Schedule } from "./backoff.ts";

export class Condition {
  private readable = true;
  private writable = true;
  private readonly backoff: Backoff;

  /** `probe` is a cheap read: it is repeated in growing pauses while reads fail, so that the index is well again once the cause has gone. */
  constructor(
    private readonly probe: () => Promise<unknown>,
    schedule: Schedule,
  ) {
    this.backoff = new Backoff(schedule);
  }

  /** From memory: asking costs nothing. */
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
      this.backoff.retry(() => void this.look());
      throw error;
    }
  }

  /** Whoever writes tries again: the outbox keeps what was not written. */
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

  /** Reads once, to know. */
  async look(): Promise<void> {
    await this.reading(this.probe).catch(() => {});
  }

  /** Looks no more. */
  close(): void {
    this.backoff.stop();
  }
}

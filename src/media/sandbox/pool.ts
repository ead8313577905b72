/** The pool of media processes: who may have one, for how much memory, and when an idle one ends. */
import { gone, stopIfGone, unlessGone } from "../../base/abort.ts";
import { Fault } from "../../base/fault.ts";
import { bytesOf, type MemoryBudget, type Share } from "./memory-budget.ts";
import { MediaProcess, type ProcessOptions } from "./process.ts";

interface IdleProcess {
  process: MediaProcess;
  timer: ReturnType<typeof setTimeout>;
  /** Withdraws the offer of its memory from the budget. */
  withdraw: () => void;
}

export interface PoolOptions {
  /** Processes that may work at once. */
  size: number;
  /** Callers that may wait; further ones are refused. */
  waitingMax: number;
  budget: MemoryBudget;
  /** Bytes of the budget that stay free beside a process of this pool. */
  leaveBytes: number;
  /** The longest wait for memory; may be infinite. */
  memoryWaitMs: number;
}

/**
 * A pool of processes, started on demand, and ended when idle for long or when others need their memory. Callers wait in
 * turn for a free place and for memory.
 */
export class MediaProcesses {
  private readonly idle = new Set<IdleProcess>();
  private readonly busy = new Set<MediaProcess>();
  /** Taken places of `size`: busy processes, and callers that wait for memory. */
  private places = 0;
  private readonly queue: PromiseWithResolvers<void>[] = [];
  private readonly closing = new AbortController();

  constructor(
    private readonly pool: PoolOptions,
    private readonly options: ProcessOptions,
  ) {}

  /** Lends a process to `work`. Errors: `unavailable` when too many wait or the service is stopping; those of `work`. */
  async *lend<T>(share: Share, work: (process: MediaProcess) => AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
    const process = await this.take(share);
    try {
      yield* work(process);
    } finally {
      this.giveBack(process);
    }
  }

  /** As lend, for one value. When `signal` is aborted, the process that works on it is killed. */
  async run<T>(share: Share, work: (process: MediaProcess) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const process = await this.take(share, signal);
    const stop = () => process.kill(gone());
    signal?.addEventListener("abort", stop, { once: true });
    try {
      // The signal may have been aborted while the process was taken.
      stopIfGone(signal);
      return await work(process);
    } finally {
      signal?.removeEventListener("abort", stop);
      this.giveBack(process);
    }
  }

  /** Kills all processes and refuses all callers; jobs run again after the next start. */
  close(): void {
    const stopping = new Fault("unavailable", "the service is stopping");
    this.closing.abort(stopping);
    for (const waiter of this.queue.splice(0)) waiter.reject(stopping);
    for (const process of this.busy) process.kill(stopping);
    for (const each of this.idle) this.end(each, stopping);
  }

  private async take(share: Share, signal?: AbortSignal): Promise<MediaProcess> {
    stopIfGone(signal);
    while (!this.closing.signal.aborted && this.places >= this.pool.size) {
      if (this.queue.length >= this.pool.waitingMax) throw new Fault("unavailable", "too many pictures are being looked at; try again in a moment");
      const turn = Promise.withResolvers<void>();
      this.queue.push(turn);
      await unlessGone(turn.promise, signal).catch((fault: unknown) => {
        this.giveUp(turn);
        throw fault;
      });
    }
    this.closing.signal.throwIfAborted();
    this.places += 1;
    try {
      const process = this.idleProcess(share) ?? (await this.startProcess(share, signal));
      this.busy.add(process);
      return process;
    } catch (error) {
      this.leavePlace();
      throw error;
    }
  }

  /** The latest idle process with enough memory, or null. Processes that died while idle are passed over. */
  private idleProcess({ processBytes, ffmpegBytes }: Share): MediaProcess | null {
    const free = [...this.idle].reverse().find(({ process: { alive, share } }) => {
      return alive && share.processBytes >= processBytes && share.ffmpegBytes >= ffmpegBytes;
    });
    if (free === undefined) return null;
    this.forget(free);
    return free.process;
  }

  private async startProcess(share: Share, signal: AbortSignal | undefined): Promise<MediaProcess> {
    const release = await this.memory(share, signal);
    try {
      // `close` may have been called while the memory was granted.
      this.closing.signal.throwIfAborted();
      const process = new MediaProcess(this.options, share);
      void process.exited.then(release);
      return process;
    } catch (error) {
      release();
      throw error;
    }
  }

  private async memory(share: Share, signal: AbortSignal | undefined): Promise<() => void> {
    const { budget, leaveBytes, memoryWaitMs } = this.pool;
    const patience = new AbortController();
    const busy = new Fault("unavailable", "the memory for reading files is in use; try again in a moment");
    const leave = () => patience.abort(gone());
    signal?.addEventListener("abort", leave, { once: true });
    const timer = Number.isFinite(memoryWaitMs) ? setTimeout(() => patience.abort(busy), memoryWaitMs) : undefined;
    try {
      return await budget.take(bytesOf(share), leaveBytes, AbortSignal.any([this.closing.signal, patience.signal]));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Leaves the queue; if the turn has come already, passes it on to the next caller. */
  private giveUp(turn: PromiseWithResolvers<void>): void {
    const at = this.queue.indexOf(turn);
    if (at >= 0) this.queue.splice(at, 1);
    else this.queue.shift()?.resolve();
  }

  private leavePlace(): void {
    this.places -= 1;
    this.queue.shift()?.resolve();
  }

  private giveBack(process: MediaProcess): void {
    this.busy.delete(process);
    // WebAssembly memory never shrinks, and the collector frees a dropped decoder late.
    const { idleMs, keepBytes } = this.options.limits;
    if (process.alive && process.bytes > keepBytes) process.kill(new Fault("unavailable", "it holds too much memory"));
    if (process.alive && !this.closing.signal.aborted) this.keep(process, idleMs);
    this.leavePlace();
  }

  private keep(process: MediaProcess, idleMs: number): void {
    const idle: IdleProcess = {
      process,
      timer: setTimeout(() => this.end(idle, new Fault("unavailable", "it had nothing to do")), idleMs).unref(),
      withdraw: () => {},
    };
    this.idle.add(idle);
    idle.withdraw = this.pool.budget.offer(() => this.end(idle, new Fault("unavailable", "others need its memory")));
  }

  private forget(idle: IdleProcess): void {
    clearTimeout(idle.timer);
    idle.withdraw();
    this.idle.delete(idle);
  }

  /** Ends an idle process; false when it had ended before. */
  private end(idle: IdleProcess, why: Fault): boolean {
    const { alive } = idle.process;
    this.forget(idle);
    idle.process.kill(why);
    return alive;
  }
}

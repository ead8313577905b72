/**
 * Processes for media work. A file is worked on in a process of its own, which is stopped when it takes more memory than
 * it was granted or makes no headway, so that a hostile file costs nothing but itself.
 */
import { readFileSync } from "node:fs";
import type { Subprocess } from "bun";
import { gone, stopIfGone, unlessGone } from "../../base/abort.ts";
import { Fault } from "../../base/fault.ts";
import { MEDIA_IDLE_MS, MEDIA_MEMORY_POLL_MS, MEDIA_PART_MAX_MS, MEDIA_PROCESS_KEEP_BYTES } from "../../base/limits.ts";
import { selfCommand } from "../../runtime/native.ts";
import { bytesOf, type MemoryBudget, type Share } from "./memory-budget.ts";
import { type FromMedia, MEDIA_ARGUMENT, type MediaSetup, type MediaTask, type ToMedia } from "./protocol.ts";

const MIB = 1024 * 1024;
const PAGE_BYTES = 4_096;
/** Memory may double between two looks while a large file is decoded; the decoders' own limits hold it below. */
const STATM_RESIDENT = 1;

export interface ProcessOptions {
  setup: Pick<MediaSetup, "addons" | "nice">;
  /** Path of ffmpeg; null: there is none. */
  ffmpeg: string | null;
  temporary: string;
  /** What is run; by default this program itself. */
  command?: string[];
  limits?: ProcessLimits;
}

export interface ProcessLimits {
  memoryPollMs: number;
  /** The longest wait for a part. */
  stallMs: number;
  /** A process ends when it has had nothing to do for this long, */
  idleMs: number;
  /** and at once when a file has left it with more than this: decoders give no memory back. */
  keepBytes: number;
}

export const LIMITS: ProcessLimits = {
  memoryPollMs: MEDIA_MEMORY_POLL_MS,
  stallMs: MEDIA_PART_MAX_MS,
  idleMs: MEDIA_IDLE_MS,
  keepBytes: MEDIA_PROCESS_KEEP_BYTES,
};

/** One process. It is used by one task at a time, and gone after a failure that is not the file's plain error. */
export class MediaProcess {
  /** Resolves when its memory is free again. */
  readonly exited: Promise<unknown>;
  private readonly child: Subprocess;
  private readonly ready = Promise.withResolvers<void>();
  private readonly memory: ReturnType<typeof setInterval>;
  private readonly limits: ProcessLimits;
  private isReady = false;
  private waiting: PromiseWithResolvers<FromMedia> | null = null;
  private stall: ReturnType<typeof setTimeout> | null = null;
  private ended: Fault | null = null;
  private lastId = 0;
  private patience = 1;

  constructor(
    options: ProcessOptions,
    readonly share: Share,
  ) {
    this.limits = options.limits ?? LIMITS;
    this.child = spawn(options.command ?? selfCommand(MEDIA_ARGUMENT), {
      ipc: (message: FromMedia) => this.receive(message),
      serialization: "advanced",
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      // Neither credentials nor settings of the service are any business of a decoder.
      env: { TMPDIR: options.temporary },
      onExit: (child) => this.end(this.isReady ? lost(child) : unready(howItEnded(child))),
    });
    this.exited = this.child.exited;
    this.ready.promise.catch(() => {});
    this.memory = setInterval(() => this.watchMemory(), this.limits.memoryPollMs);
    const ffmpeg = options.ffmpeg === null ? null : { path: options.ffmpeg, maxBytes: share.ffmpegBytes };
    this.send({ kind: "setup", setup: { ...options.setup, ffmpeg } });
  }

  get alive(): boolean {
    return this.ended === null;
  }

  /** Runs a task to its one value. Errors: Fault as the task's. */
  async value<T>(task: MediaTask): Promise<T> {
    this.patience = 1;
    const message = await this.ask(this.begin(task));
    if (message.kind !== "value") throw new Error(`a media process answered ${message.kind}`);
    return message.value as T;
  }

  /**
   * The parts of an extraction, one ahead of the reader. `patience`: how many times the longest wait for a part is
   * allowed. Errors: Fault as the file's.
   */
  async *parts(task: MediaTask & { kind: "extract" }, patience = 1) {
    this.patience = patience;
    const start = this.begin(task);
    const { id } = start;
    let next = this.ask(start);
    let whole = false;
    try {
      for (;;) {
        const message = await next;
        if (message.kind !== "part") throw new Error(`a media process answered ${message.kind}`);
        if (message.part === null) {
          whole = true;
          return;
        }
        next = this.ask({ kind: "next", id });
        next.catch(() => {});
        yield message.part;
      }
    } catch (error) {
      // A plain error of the file: the process has come to rest and serves the next one.
      whole = error instanceof Fault;
      throw error;
    } finally {
      // Nobody reads on while it is at work: it is not waited for.
      if (!whole) this.kill(new Fault("unavailable", "the work was stopped"));
    }
  }

  /** Memory that it holds. */
  get bytes(): number {
    return residentBytes(this.child.pid);
  }

  kill(why: Fault): void {
    this.end(why);
    this.child.kill("SIGKILL");
  }

  private begin(task: MediaTask): { kind: "task"; id: number; task: MediaTask } {
    this.lastId += 1;
    return { kind: "task", id: this.lastId, task };
  }

  private async ask(message: ToMedia): Promise<FromMedia> {
    const stallMs = this.limits.stallMs * this.patience;
    this.stall ??= setTimeout(() => this.kill(this.isReady ? noHeadway(stallMs) : unready("it said nothing")), stallMs);
    await this.ready.promise;
    if (this.ended !== null) throw this.ended;
    this.waiting = Promise.withResolvers<FromMedia>();
    const { promise } = this.waiting;
    this.send(message);
    return promise;
  }

  private send(message: ToMedia): void {
    this.child.send(message);
  }

  private receive(message: FromMedia): void {
    if (message.kind === "ready") {
      this.isReady = true;
      this.ready.resolve();
      return;
    }
    this.endStall();
    const waiting = this.waiting;
    this.waiting = null;
    if (message.kind !== "failed") {
      waiting?.resolve(message);
      return;
    }
    const cause = message.reason === null ? undefined : new Error(message.reason);
    const fault = new Fault(message.fault, message.detail, { retry: message.retry, cause });
    waiting?.reject(fault);
    if (message.spent === true) this.kill(fault);
  }

  private watchMemory(): void {
    const { processBytes } = this.share;
    if (this.bytes <= processBytes) return;
    this.kill(new Fault("bad_request", `the file needs more than ${Math.floor(processBytes / MIB)} MiB of memory to be read`, { retry: "few" }));
  }

  private end(why: Fault): void {
    if (this.ended !== null) return;
    this.ended = why;
    clearInterval(this.memory);
    this.endStall();
    this.ready.reject(why);
    this.waiting?.reject(why);
    this.waiting = null;
  }

  private endStall(): void {
    if (this.stall !== null) clearTimeout(this.stall);
    this.stall = null;
  }
}

/** Signals that no decoder raises: the kernel that is short of memory, or a person, sent them. */
const FROM_OUTSIDE: readonly unknown[] = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];

function howItEnded({ exitCode, signalCode }: Subprocess): string {
  return `exit ${signalCode ?? exitCode}`;
}

/** A process that ended over a file without a word about it. */
function lost(child: Subprocess): Fault {
  const cause = new Error(howItEnded(child));
  if (FROM_OUTSIDE.includes(child.signalCode)) return new Fault("unavailable", "the process that read the file was ended from outside", { cause });
  return new Fault("bad_request", "the file brought its decoder down: it is damaged or hostile", { retry: "few", cause });
}

function noHeadway(stallMs: number): Fault {
  return new Fault("bad_request", `the file makes no headway: one part of it took longer than ${stallMs / 1000} s`, { retry: "few" });
}

/** Before it was ready it had not seen the file. */
function unready(cause: unknown): Fault {
  const reason = cause instanceof Error ? cause : new Error(String(cause));
  return new Fault("unavailable", "the process that reads files cannot be started", { cause: reason });
}

/** Errors: `unavailable`, as when the system has no memory or no process left to give. */
function spawn(command: string[], options: Parameters<typeof Bun.spawn>[1]): Subprocess {
  try {
    return Bun.spawn(command, options);
  } catch (error) {
    throw unready(error);
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[STATM_RESIDENT]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

interface IdleProcess {
  process: MediaProcess;
  timer: ReturnType<typeof setTimeout>;
  /** Withdraws its memory from those who wait for some. */
  withdraw: () => void;
}

export interface PoolOptions {
  /** Processes that work at once. */
  size: number;
  /** Callers that may wait; beyond them a caller is refused. */
  waitingMax: number;
  budget: MemoryBudget;
  /** What of the budget stays free beside a process of this pool. */
  leaveBytes: number;
  /** The longest wait for memory; infinite: as long as it takes. */
  memoryWaitMs: number;
}

/**
 * Processes that are started on demand and ended when idle, or when others need their memory. Whoever finds none free, or
 * the memory spent, waits in turn.
 */
export class MediaProcesses {
  private readonly idle = new Set<IdleProcess>();
  private readonly busy = new Set<MediaProcess>();
  /** Of `size`: those of busy processes and of callers that wait for memory. */
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

  /** As lend, for one value. Once `signal` has come nobody waits for it: a process that is at work on it is ended. */
  async run<T>(share: Share, work: (process: MediaProcess) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const process = await this.take(share, signal);
    const stop = () => process.kill(gone());
    signal?.addEventListener("abort", stop, { once: true });
    try {
      // It may have come while the process was taken.
      stopIfGone(signal);
      return await work(process);
    } finally {
      signal?.removeEventListener("abort", stop);
      this.giveBack(process);
    }
  }

  /** Stops everything at once: what was being done is done again another time. */
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

  /** One that lives and has the memory: what ended while it had nothing to do is no fault of the next file. */
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
      // The service may have begun to stop in the moment in which the memory was granted.
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

  /** Leaves the queue; a turn that came at the same time goes to the next one. */
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
    // WebAssembly gives no memory back, and the collector is late to notice a decoder that was let go of.
    const { idleMs, keepBytes } = this.options.limits ?? LIMITS;
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

  /** False when it had ended before. */
  private end(idle: IdleProcess, why: Fault): boolean {
    const { alive } = idle.process;
    this.forget(idle);
    idle.process.kill(why);
    return alive;
  }
}

/**
 * Processes for media work. A file is worked on in a process of its own, which is stopped when it takes too much memory
 * or makes no headway, so that a hostile file costs nothing but itself.
 */
import { readFileSync } from "node:fs";
import type { Subprocess } from "bun";
import { Fault } from "../base/fault.ts";
import { MEDIA_IDLE_MS, MEDIA_MEMORY_POLL_MS, MEDIA_PART_MAX_MS, MEDIA_PROCESS_KEEP_BYTES, MEDIA_PROCESS_MAX_BYTES } from "../base/limits.ts";
import { selfCommand } from "../engine/native.ts";
import { type FromMedia, MEDIA_ARGUMENT, type MediaSetup, type MediaTask, type ToMedia } from "./protocol.ts";

const MIB = 1024 * 1024;
const PAGE_BYTES = 4_096;
/** Memory may double between two looks while a large file is decoded; the decoders' own limits hold it below. */
const STATM_RESIDENT = 1;

export interface ProcessOptions {
  setup: MediaSetup;
  temporary: string;
  /** What is run; by default this program itself. */
  command?: string[];
  limits?: ProcessLimits;
}

export interface ProcessLimits {
  memoryBytes: number;
  memoryPollMs: number;
  /** The longest wait for a part. */
  stallMs: number;
  /** A process ends when it has had nothing to do for this long, */
  idleMs: number;
  /** and at once when a file has left it with more than this: decoders give no memory back. */
  keepBytes: number;
}

export const LIMITS: ProcessLimits = {
  memoryBytes: MEDIA_PROCESS_MAX_BYTES,
  memoryPollMs: MEDIA_MEMORY_POLL_MS,
  stallMs: MEDIA_PART_MAX_MS,
  idleMs: MEDIA_IDLE_MS,
  keepBytes: MEDIA_PROCESS_KEEP_BYTES,
};

/** One process. It is used by one task at a time, and gone after a failure that is not the file's plain error. */
export class MediaProcess {
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

  constructor(options: ProcessOptions) {
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
    this.ready.promise.catch(() => {});
    this.memory = setInterval(() => this.watchMemory(), this.limits.memoryPollMs);
    this.send({ kind: "setup", setup: options.setup });
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
    const { memoryBytes } = this.limits;
    if (this.bytes <= memoryBytes) return;
    this.kill(new Fault("bad_request", `the file needs more than ${Math.floor(memoryBytes / MIB)} MiB of memory to be read`, { retry: "few" }));
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

/** Up to `size` processes, started on demand and ended when idle. Whoever finds none free waits, in turn. */
export class MediaProcesses {
  private readonly idle: { process: MediaProcess; timer: ReturnType<typeof setTimeout> }[] = [];
  private readonly busy = new Set<MediaProcess>();
  private readonly queue: PromiseWithResolvers<void>[] = [];
  private closed = false;

  constructor(
    private readonly size: number,
    /** Callers that may wait; beyond them a caller is refused. */
    private readonly waitingMax: number,
    private readonly options: ProcessOptions,
  ) {}

  /** Lends a process to `work`. Errors: `unavailable` when too many wait or the service is stopping; those of `work`. */
  async *lend<T>(work: (process: MediaProcess) => AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
    const process = await this.take();
    try {
      yield* work(process);
    } finally {
      this.giveBack(process);
    }
  }

  async run<T>(work: (process: MediaProcess) => Promise<T>): Promise<T> {
    const process = await this.take();
    try {
      return await work(process);
    } finally {
      this.giveBack(process);
    }
  }

  /** Stops everything at once: what was being done is done again another time. */
  close(): void {
    this.closed = true;
    const stopping = new Fault("unavailable", "the service is stopping");
    for (const waiter of this.queue.splice(0)) waiter.reject(stopping);
    for (const process of this.busy) process.kill(stopping);
    for (const { process, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      process.kill(stopping);
    }
  }

  private async take(): Promise<MediaProcess> {
    while (!this.closed && this.busy.size >= this.size) {
      if (this.queue.length >= this.waitingMax) throw new Fault("unavailable", "too many pictures are being looked at; try again in a moment");
      const turn = Promise.withResolvers<void>();
      this.queue.push(turn);
      await turn.promise;
    }
    if (this.closed) throw new Fault("unavailable", "the service is stopping");
    const process = this.idleProcess() ?? this.startProcess();
    this.busy.add(process);
    return process;
  }

  /** One that lives: what ended while it had nothing to do is no fault of the next file. */
  private idleProcess(): MediaProcess | null {
    for (let free = this.idle.pop(); free !== undefined; free = this.idle.pop()) {
      clearTimeout(free.timer);
      if (free.process.alive) return free.process;
    }
    return null;
  }

  private startProcess(): MediaProcess {
    try {
      return new MediaProcess(this.options);
    } catch (error) {
      // The place stays free for whoever waits.
      this.queue.shift()?.resolve();
      throw error;
    }
  }

  private giveBack(process: MediaProcess): void {
    this.busy.delete(process);
    // WebAssembly gives no memory back, and the collector is late to notice a decoder that was let go of.
    const { idleMs, keepBytes } = this.options.limits ?? LIMITS;
    if (process.alive && process.bytes > keepBytes) process.kill(new Fault("unavailable", "it holds too much memory"));
    if (process.alive && !this.closed) {
      const timer = setTimeout(() => this.retire(process), idleMs);
      timer.unref();
      this.idle.push({ process, timer });
    }
    this.queue.shift()?.resolve();
  }

  private retire(process: MediaProcess): void {
    const at = this.idle.findIndex((each) => each.process === process);
    if (at < 0) return;
    this.idle.splice(at, 1);
    process.kill(new Fault("unavailable", "it had nothing to do"));
  }
}

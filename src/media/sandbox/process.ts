/**
 * A child process for media work, one file at a time. It is killed when it takes more memory than it was granted
 * or makes no progress, so that a hostile file harms no other work.
 */
import type { Subprocess } from "bun";
import { Fault } from "../../base/fault.ts";
import { MEDIA_IDLE_MS, MEDIA_MEMORY_POLL_MS, MEDIA_PART_MAX_MS, MEDIA_PROCESS_KEEP_BYTES } from "../../base/limits.ts";
import { residentBytes } from "../../runtime/memory.ts";
import { selfCommand } from "../../runtime/native.ts";
import type { Share } from "./memory-budget.ts";
import { type FromMedia, MEDIA_ARGUMENT, type MediaSetup, type MediaTask, type ToMedia } from "./protocol.ts";

const MIB = 1024 * 1024;

export interface ProcessOptions {
  setup: Pick<MediaSetup, "addons" | "nice">;
  /** Path of ffmpeg; null without one. */
  ffmpeg: string | null;
  temporary: string;
  /** The command to run; by default this program itself. */
  command?: string[];
  limits?: ProcessLimits;
}

export interface ProcessLimits {
  /** Time between two checks of a process's memory, which may double meanwhile; the decoders' own limits bound it. */
  memoryPollMs: number;
  /** The longest wait for a part. */
  stallMs: number;
  /** A process ends when it has been idle for this long, */
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

/** One process, for one task at a time. It ends after any failure but a Fault about the file. */
export class MediaProcess {
  /** Resolves when the process has ended and its memory is free. */
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
      // Decoders get neither credentials nor settings of the service.
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

  /** Runs a task that gives one value. Errors: the task's Fault. */
  async value<T>(task: MediaTask): Promise<T> {
    this.patience = 1;
    const message = await this.ask(this.begin(task));
    if (message.kind !== "value") throw new Error(`a media process answered ${message.kind}`);
    return message.value as T;
  }

  /**
   * The parts of an extraction, one ahead of the caller. `patience`: multiplies the longest wait for a part. Errors: the
   * task's Fault.
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
      // After a Fault about the file the process is idle and can take the next one.
      whole = error instanceof Fault;
      throw error;
    } finally {
      // The caller has stopped reading while the process works: it is not waited for.
      if (!whole) this.kill(new Fault("unavailable", "the work was stopped"));
    }
  }

  /** Resident memory. */
  get bytes(): number {
    return residentBytes(this.child.pid) ?? 0;
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

/** Signals that no decoder raises: the kernel sends them when memory is short, or a person does. */
const FROM_OUTSIDE: readonly unknown[] = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];

function howItEnded({ exitCode, signalCode }: Subprocess): string {
  return `exit ${signalCode ?? exitCode}`;
}

/** The Fault for a process that ended during a task without an answer. */
function lost(child: Subprocess): Fault {
  const cause = new Error(howItEnded(child));
  if (FROM_OUTSIDE.includes(child.signalCode)) return new Fault("unavailable", "the process that read the file was ended from outside", { cause });
  return new Fault("bad_request", "the file brought its decoder down: it is damaged or hostile", { retry: "few", cause });
}

function noHeadway(stallMs: number): Fault {
  return new Fault("bad_request", `the file makes no headway: one part of it took longer than ${stallMs / 1000} s`, { retry: "few" });
}

/** The Fault for a process that ended before it was ready, and so before it had the file. */
function unready(cause: unknown): Fault {
  const reason = cause instanceof Error ? cause : new Error(String(cause));
  return new Fault("unavailable", "the process that reads files cannot be started", { cause: reason });
}

/** Errors: Fault `unavailable` when the system has no memory or process left. */
function spawn(command: string[], options: Parameters<typeof Bun.spawn>[1]): Subprocess {
  try {
    return Bun.spawn(command, options);
  } catch (error) {
    throw unready(error);
  }
}

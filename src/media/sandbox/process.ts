/**
 * A child process for media work, one file at a time. It is killed when it takes more memory than it was granted
 * or makes no progress, so that a hostile file harms no other work.
 */
import type { Subprocess } from "bun";
import { Fault } from "../../base/fault.ts";
import { MEDIA_IDLE_MS, MEDIA_MEMORY_POLL_MS, MEDIA_PART_MAX_MS, MEDIA_PROCESS_KEEP_BYTES } from "../../base/limits.ts";
import type { ExtractedPart, SourceFile } from "../../domain/media.ts";
import { residentBytes } from "../../runtime/memory.ts";
import { selfCommand } from "../../runtime/native.ts";
import { RpcClient } from "../../runtime/rpc.ts";
import type { Share } from "./memory-budget.ts";
import { MEDIA_ARGUMENT, type MediaCalls, type MediaSetup } from "./protocol.ts";

const MIB = 1024 * 1024;

export interface ProcessOptions {
  setup: Pick<MediaSetup, "addons" | "nice">;
  /** Path of ffmpeg; null without one. */
  ffmpeg: string | null;
  temporary: string;
  /** The command to run; by default this program itself. */
  command?: string[];
  limits: typeof LIMITS;
}

export const LIMITS = {
  /** Time between two checks of a process's memory, which may double meanwhile; the decoders' own limits bound it. */
  memoryPollMs: MEDIA_MEMORY_POLL_MS,
  /** The longest wait for a part. */
  stallMs: MEDIA_PART_MAX_MS,
  /** A process ends when it has been idle for this long, */
  idleMs: MEDIA_IDLE_MS,
  /** and at once when a file has left it with more than this: decoders give no memory back. */
  keepBytes: MEDIA_PROCESS_KEEP_BYTES,
};

/** One process, for one task at a time. It ends after any failure but a Fault about the file. */
export class MediaProcess {
  /** Resolves when the process has ended and its memory is free. */
  readonly exited: Promise<unknown>;
  private readonly child: Subprocess;
  private readonly rpc: RpcClient<MediaCalls>;
  private readonly ready: Promise<void>;
  private readonly memory: ReturnType<typeof setInterval>;
  private isReady = false;
  private stall: ReturnType<typeof setTimeout> | undefined;
  private ended: Fault | null = null;

  constructor(
    private readonly options: ProcessOptions,
    readonly share: Share,
  ) {
    let receive: (message: never) => void = () => {};
    this.rpc = new RpcClient({
      post: (message) => this.child.send(message),
      onMessage: (taker) => {
        receive = taker;
      },
    });
    this.child = spawn(options.command ?? selfCommand(MEDIA_ARGUMENT), {
      ipc: (message) => receive(message as never),
      serialization: "advanced",
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      // Decoders get neither credentials nor settings of the service.
      env: { TMPDIR: options.temporary },
      onExit: (child) => this.end(this.isReady ? lost(child) : unready(howItEnded(child))),
    });
    this.exited = this.child.exited;
    this.memory = setInterval(() => this.watchMemory(), options.limits.memoryPollMs);
    const ffmpeg = options.ffmpeg === null ? null : { path: options.ffmpeg, maxBytes: share.ffmpegBytes };
    this.ready = this.rpc.call("setup", { ...options.setup, ffmpeg }).then(() => {
      this.isReady = true;
    });
    this.ready.catch(() => {});
  }

  get alive(): boolean {
    return this.ended === null;
  }

  /** Calls a method that gives one value. Errors: its Fault. */
  readonly value: RpcClient<MediaCalls>["call"] = (method, ...args) => this.inTime(1, () => this.rpc.call(method, ...args));

  /**
   * The parts of an extraction, one ahead of the caller. `patience`: multiplies the longest wait for a part. Errors: the
   * Fault about the file.
   */
  async *parts(file: SourceFile, from: number, patience = 1): AsyncGenerator<ExtractedPart, void, void> {
    let next = this.inTime(patience, () => this.rpc.call("extract", file, from));
    let whole = false;
    try {
      for (let part = await next; part !== null; part = await next) {
        next = this.inTime(patience, () => this.rpc.call("next"));
        next.catch(() => {});
        yield part;
      }
      whole = true;
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

  private async inTime<T>(patience: number, call: () => Promise<T>): Promise<T> {
    const stallMs = this.options.limits.stallMs * patience;
    this.stall ??= setTimeout(() => this.kill(this.isReady ? noHeadway(stallMs) : unready("it said nothing")), stallMs);
    try {
      await this.ready;
      return await call();
    } catch (error) {
      if (this.alive && !(await this.rpc.call("usable"))) this.kill(error as Fault);
      throw error;
    } finally {
      this.endStall();
    }
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
    this.rpc.end(why);
  }

  private endStall(): void {
    clearTimeout(this.stall);
    this.stall = undefined;
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

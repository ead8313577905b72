/** The memory budget that all media processes share. */
import { Fault } from "../../base/fault.ts";
import { FFMPEG_MAX_BYTES, MEDIA_MIN_BYTES, MEDIA_PROCESS_FIRST_BYTES, MEDIA_PROCESS_MAX_BYTES } from "../../base/limits.ts";
import type { FileFormat } from "../../domain/media.ts";

const MIB = 1024 * 1024;

/** The memory that one process may take, and the ffmpeg that it starts. */
export interface Share {
  processBytes: number;
  ffmpegBytes: number;
}

type Kind = FileFormat["kind"];

/** The share for a file of this kind: what nearly all files need, or with `most` the largest, at most the whole `budget` (bytes). */
export function shareFor(kind: Kind, most: boolean, budget: number): Share {
  const asked: Share = {
    processBytes: most ? MEDIA_PROCESS_MAX_BYTES : MEDIA_PROCESS_FIRST_BYTES,
    ffmpegBytes: kind === "video" ? FFMPEG_MAX_BYTES : 0,
  };
  const part = Math.min(1, budget / bytesOf(asked));
  return { processBytes: Math.floor(asked.processBytes * part), ffmpegBytes: Math.floor(asked.ffmpegBytes * part) };
}

export function bytesOf({ processBytes, ffmpegBytes }: Share): number {
  return processBytes + ffmpegBytes;
}

/** The kinds of files that cannot be extracted within `budget` bytes. */
export function unreadableKinds(budget: number): Kind[] {
  return (Object.keys(MEDIA_MIN_BYTES) as Kind[]).filter((kind) => MEDIA_MIN_BYTES[kind] > budget);
}

/** Errors: Fault `unavailable` for a kind of file that takes more memory than `budget`. */
export function checkReadable(kind: Kind, budget: number): void {
  if (MEDIA_MIN_BYTES[kind] <= budget) return;
  const [needed, allowed] = [MEDIA_MIN_BYTES[kind] / MIB, Math.floor(budget / MIB)];
  throw new Fault(
    "unavailable",
    `to read a ${kind} file takes ${needed} MiB of memory, and this service may use ${allowed} MiB for files (--memory)`,
    {
      retry: "never",
    },
  );
}

interface Waiter {
  bytes: number;
  leave: number;
  turn: PromiseWithResolvers<void>;
}

/** Grants memory, first come first served; callers that leave nothing for others (previews) go first. */
export class MemoryBudget {
  private spent = 0;
  /** Callers with a `leave` of 0 first. */
  private readonly queue: Waiter[] = [];
  private readonly spare = new Set<() => boolean>();

  constructor(readonly bytes: number) {}

  /** True while a caller waits for memory. */
  get crowded(): boolean {
    return this.queue.length > 0;
  }

  /**
   * Resolves when `bytes` (at most the whole budget) are granted; the function gives them back. `leave`: bytes that must stay
   * free beside them, unless nothing else is granted. Errors: what `signal` is aborted with.
   */
  async take(bytes: number, leave = 0, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const waiter: Waiter = { bytes: Math.min(bytes, this.bytes), leave, turn: Promise.withResolvers() };
    const behind = this.queue.findIndex((each) => each.leave > leave);
    this.queue.splice(behind < 0 ? this.queue.length : behind, 0, waiter);
    const giveUp = () => {
      const at = this.queue.indexOf(waiter);
      if (at < 0) return;
      this.queue.splice(at, 1);
      waiter.turn.reject(signal?.reason);
      this.serve();
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    this.serve();
    await waiter.turn.promise.finally(() => signal?.removeEventListener("abort", giveUp));
    let held = waiter.bytes;
    return () => {
      this.spent -= held;
      held = 0;
      this.serve();
    };
  }

  /**
   * Offers memory that is granted and idle: `free` is called when a caller waits for memory, and tells whether it frees some.
   * The function withdraws the offer.
   */
  offer(free: () => boolean): () => void {
    this.spare.add(free);
    this.serve();
    return () => this.spare.delete(free);
  }

  private serve(): void {
    for (let first = this.queue[0]; first !== undefined; first = this.queue[0]) {
      if (this.spent > 0 && this.spent + first.bytes + first.leave > this.bytes) {
        this.reclaim();
        return;
      }
      this.queue.shift();
      this.spent += first.bytes;
      first.turn.resolve();
    }
  }

  /** Frees one offer; its memory comes back when its process has ended, and `serve` runs again. */
  private reclaim(): void {
    for (const free of this.spare) {
      this.spare.delete(free);
      if (free()) return;
    }
  }
}

/** The memory that reading files may take, shared by every process that does. */
import { Fault } from "../../base/fault.ts";
import { FFMPEG_MAX_BYTES, MEDIA_MIN_BYTES, MEDIA_PROCESS_FIRST_BYTES, MEDIA_PROCESS_MAX_BYTES } from "../../base/limits.ts";
import type { FileFormat } from "../../domain/media.ts";

const MIB = 1024 * 1024;

/** What one process may take, and the ffmpeg that it runs beside itself. */
export interface Share {
  processBytes: number;
  ffmpegBytes: number;
}

type Kind = FileFormat["kind"];

/** The share for a file of this kind: what nearly all of them need, or, for one that needed more, the most there is. */
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

/** The kinds of files that cannot be read with so little memory. */
export function unreadableKinds(budget: number): Kind[] {
  return (Object.keys(MEDIA_MIN_BYTES) as Kind[]).filter((kind) => MEDIA_MIN_BYTES[kind] > budget);
}

/** Errors: Fault `unavailable` for a kind of file that takes more memory than there is. */
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

/** Grants memory, first come first served; those for whom somebody waits go before the others. */
export class MemoryBudget {
  private spent = 0;
  /** Those who leave nothing for others first. */
  private readonly queue: Waiter[] = [];
  private readonly spare = new Set<() => boolean>();

  constructor(readonly bytes: number) {}

  /** True while somebody waits. */
  get crowded(): boolean {
    return this.queue.length > 0;
  }

  /**
   * Resolves when so much is granted, at most the whole budget; the function gives it back. `leave`: what must stay free
   * beside it, unless nothing else is granted; who leaves nothing goes first. Errors: what `signal` is aborted with.
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
   * Offers memory that is granted and not used: `free` is called when somebody waits for it, and says whether there is
   * something to free. Returns how to withdraw the offer.
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

  /** One at a time: what it held comes back when its process has ended. */
  private reclaim(): void {
    for (const free of this.spare) {
      this.spare.delete(free);
      if (free()) return;
    }
  }
}

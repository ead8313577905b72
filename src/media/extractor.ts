/** The extractor of the service: detects the format of files, and has child processes extract their Units. */
import { Fault } from "../base/fault.ts";
import {
  MEDIA_NICE,
  MEDIA_PART_MAX_MS,
  PREVIEW_MAX_MS,
  PREVIEW_MEMORY_WAIT_MS,
  PREVIEW_NICE,
  PREVIEW_WAITING_MAX,
  SNIFF_HEAD_BYTES,
  SNIFF_TAIL_BYTES,
} from "../base/limits.ts";
import type { FileFormat } from "../domain/media.ts";
import type { Extractor } from "../domain/port/extractor.ts";
import { defaultMemoryBytes } from "../runtime/memory.ts";
import type { AddonPaths } from "../runtime/native.ts";
import { bytesOf, checkReadable, MemoryBudget, shareFor } from "./sandbox/memory-budget.ts";
import { MediaProcesses } from "./sandbox/pool.ts";
import { LIMITS, type MediaProcess } from "./sandbox/process.ts";
import type { SelfTestCheck } from "./selftest/check.ts";
import { sniff } from "./format.ts";

export interface ExtractorOptions {
  addons: AddonPaths;
  /** Files that are extracted at once. */
  workers: number;
  /** Where libraries may put temporary files. */
  temporary: string;
  /** Path of ffmpeg; null: there is none. */
  ffmpeg: string | null;
  /** Memory that all media processes and their ffmpeg may take together; absent: half of what the machine has. */
  memoryBytes?: number;
}

/** An extractor that can also test its models. */
export interface MediaExtractor extends Extractor {
  /** Compares the outputs of every media model with its fixture. Errors: `unavailable` in a build without them. */
  selfTest(): Promise<SelfTestCheck[]>;
}

export function createExtractor({ addons, workers, temporary, ffmpeg, memoryBytes = defaultMemoryBytes() }: ExtractorOptions): MediaExtractor {
  const budget = new MemoryBudget(memoryBytes);
  const options = (nice: number, stallMs: number) => ({ setup: { addons, nice }, ffmpeg, temporary, limits: { ...LIMITS, stallMs } });
  const forFile = (kind: FileFormat["kind"], most: boolean) => {
    checkReadable(kind, memoryBytes);
    return shareFor(kind, most, memoryBytes);
  };
  const previewShare = shareFor("picture", false, memoryBytes);
  const forEver = Number.POSITIVE_INFINITY;
  // Jobs have their own queue, so they wait here for memory only. They leave the share of one preview free.
  const files = new MediaProcesses(
    { size: workers, waitingMax: forEver, budget, leaveBytes: bytesOf(previewShare), memoryWaitMs: forEver },
    options(MEDIA_NICE, MEDIA_PART_MAX_MS),
  );
  // Previews and queries by example have a process of their own, so that they do not wait behind files.
  const interactive = new MediaProcesses(
    { size: 1, waitingMax: PREVIEW_WAITING_MAX, budget, leaveBytes: 0, memoryWaitMs: PREVIEW_MEMORY_WAIT_MS },
    options(PREVIEW_NICE, PREVIEW_MAX_MS),
  );
  /** Runs `task`; if its process ended over the file, once more with all the memory that a file may have. */
  const runInteractive = async <T>(kind: FileFormat["kind"], task: (process: MediaProcess) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await interactive.run(forFile(kind, false), task, signal);
    } catch (error) {
      if (!(error instanceof Fault) || error.retry !== "few") throw error;
      return interactive.run(forFile(kind, true), task, signal);
    }
  };
  return {
    recognise: async (path, bytes, name) => {
      const file = Bun.file(path);
      const last = Math.max(0, bytes - SNIFF_TAIL_BYTES);
      return sniff(await file.slice(0, SNIFF_HEAD_BYTES).bytes(), await file.slice(last, last + SNIFF_TAIL_BYTES).bytes(), bytes, name);
    },
    async *extract(file, from, losses = 0) {
      yield* files.lend(forFile(file.format.kind, losses > 0), (process) => process.parts(file, from, 2 ** losses));
    },
    preview: (file, of, signal) => runInteractive(file.format.kind, (process) => process.value("preview", file, of), signal),
    describe: (file, signal) => runInteractive(file.format.kind, (process) => process.value("describe", file), signal),
    selfTest: () => interactive.run(shareFor("picture", true, memoryBytes), (process) => process.value("selfTest")),
    crowded: () => budget.crowded,
    close: async () => {
      files.close();
      interactive.close();
    },
  };
}

/** The extractor of the service: tells what files are, and has processes read them. */
import { open } from "node:fs/promises";
import {
  MEDIA_NICE,
  MEDIA_PART_MAX_MS,
  PREVIEW_MAX_MS,
  PREVIEW_NICE,
  PREVIEW_WAITING_MAX,
  SNIFF_HEAD_BYTES,
  SNIFF_TAIL_BYTES,
} from "../base/limits.ts";
import type { Content, SourceFile } from "../domain/media.ts";
import type { Extractor, Preview } from "../domain/ports.ts";
import type { AddonPaths } from "../engine/native.ts";
import type { Measured, Measurement } from "./measure.ts";
import { LIMITS, MediaProcesses } from "./processes.ts";
import type { Proof } from "./prove/proof.ts";
import { sniff } from "./sniff.ts";

export interface ExtractorOptions {
  addons: AddonPaths;
  /** Files that are read at once. */
  workers: number;
  /** Where libraries may put temporary files. */
  temporary: string;
  /** Path of ffmpeg; null: there is none. */
  ffmpeg: string | null;
}

/** An extractor that can also prove and measure its models. */
export interface MediaExtractor extends Extractor {
  /** Holds every media model to its fixture. Errors: `unavailable` in a build without them. */
  prove(): Promise<Proof[]>;
  /** Measures a pipeline beside its bare models in a process that reads files. Errors: as extract. */
  measure(what: Measured, file: SourceFile, rounds: number): Promise<Measurement>;
}

export function createExtractor({ addons, workers, temporary, ffmpeg }: ExtractorOptions): MediaExtractor {
  const processes = (size: number, waitingMax: number, nice: number, stallMs: number) =>
    new MediaProcesses(size, waitingMax, { setup: { addons, nice, ffmpeg }, temporary, limits: { ...LIMITS, stallMs } });
  // Jobs have their own queue, so none of them waits here.
  const files = processes(workers, Number.POSITIVE_INFINITY, MEDIA_NICE, MEDIA_PART_MAX_MS);
  // Somebody waits for a preview: it is not kept waiting behind files.
  const looks = processes(1, PREVIEW_WAITING_MAX, PREVIEW_NICE, PREVIEW_MAX_MS);
  return {
    recognise: async (path, bytes, name) => {
      const { head, tail } = await endsOf(path, bytes);
      return sniff(head, tail, bytes, name);
    },
    extract: (file, from, losses = 0) => files.lend((process) => process.parts({ kind: "extract", file, from }, 2 ** losses)),
    preview: (file, of) => looks.run((process) => process.value<Preview | null>({ kind: "preview", file, of })),
    describe: (file) => looks.run((process) => process.value<Content>({ kind: "describe", file })),
    prove: () => looks.run((process) => process.value<Proof[]>({ kind: "prove" })),
    measure: (what, file, rounds) => files.run((process) => process.value<Measurement>({ kind: "measure", what, file, rounds })),
    close: async () => {
      files.close();
      looks.close();
    },
  };
}

/** The beginning and the end of a file, as far as telling what it is takes. */
async function endsOf(path: string, bytes: number): Promise<{ head: Uint8Array; tail: Uint8Array }> {
  const file = await open(path, "r");
  const read = async (from: number, length: number) => {
    const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  };
  try {
    return { head: await read(0, SNIFF_HEAD_BYTES), tail: await read(Math.max(0, bytes - SNIFF_TAIL_BYTES), SNIFF_TAIL_BYTES) };
  } finally {
    await file.close();
  }
}

/** Files to Units. */
import type { Locator } from "../locator.ts";
import type { Features, ExtractedPart, FileFormat, SourceFile } from "../media.ts";

/** A picture to look at, encoded. */
export interface Preview {
  mime: string;
  bytes: Uint8Array;
}

/** What of a file a preview shows. `locator` null: all of it. */
export interface PreviewOf {
  locator: Locator | null;
  /** Of the longer side. */
  maxSide: number;
}

/** Makes Units of files, in processes of their own: a hostile file takes nothing down but its own work. */
export interface Extractor {
  /** What a file is, by its content; `name` tells kinds of text apart. Errors: `bad_request` for what is not taken in. */
  recognise(path: string, bytes: number, name: string): Promise<FileFormat>;
  /**
   * The parts of a file from part `from` on; `losses`: how often the process that read that part was lost over it, which
   * gives it more time. Errors: `bad_request` for a file that cannot be read, with `retry: "few"` when its process was
   * lost; `unavailable` when the machine was short of something, and with `retry: "never"` when something is missing
   * here (models, ffmpeg).
   */
  extract(file: SourceFile, from: number, losses?: number): AsyncGenerator<ExtractedPart, void, void>;
  /** Null when there is nothing to be seen. Errors: as extract; `unavailable` when `signal` comes. */
  preview(file: SourceFile, of: PreviewOf, signal?: AbortSignal): Promise<Preview | null>;
  /** What a picture shows or a sound sounds like. Errors: as preview; `bad_request` for other kinds of files. */
  describe(file: SourceFile, signal?: AbortSignal): Promise<Features>;
  /** True while a file waits for memory that others have. */
  crowded(): boolean;
  /** Stops what runs and ends the processes. */
  close(): Promise<void>;
}

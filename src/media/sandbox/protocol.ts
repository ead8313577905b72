/** The calls of the service to a media process. */
import type { Features, ExtractedPart, SourceFile } from "../../domain/media.ts";
import type { Preview, PreviewOf } from "../../domain/port/extractor.ts";
import type { Ffmpeg } from "../video/ffmpeg.ts";
import type { AddonPaths } from "../../runtime/native.ts";
import type { SelfTestCheck } from "../selftest/check.ts";

/** The hidden first argument with which the executable runs itself for media work. */
export const MEDIA_ARGUMENT = "__media";
/** And for the measurements of `strata bench`. */
export const MEASURE_ARGUMENT = "__measure";

export interface MediaSetup {
  addons: AddonPaths;
  /** Niceness of the process. */
  nice: number;
  /** Null without one. */
  ffmpeg: Ffmpeg | null;
}

/** The methods of a media process. It runs one at a time. */
export interface MediaCalls {
  /** The first call. */
  setup(setup: MediaSetup): void;
  /** Begins an extraction and gives its first part; null when there is none. */
  extract(file: SourceFile, from: number): Promise<ExtractedPart | null>;
  /** The next part of the extraction that was begun last; null when there are no more. */
  next(): Promise<ExtractedPart | null>;
  preview(file: SourceFile, of: PreviewOf): Promise<Preview | null>;
  describe(file: SourceFile): Promise<Features>;
  selfTest(): Promise<SelfTestCheck[]>;
  /** False when the process must not be given another file. */
  usable(): boolean;
}

/** The messages between the service and a media process, which has one task at a time. */
import type { FaultKind, Retry } from "../../base/fault.ts";
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

export type MediaTask =
  | { kind: "extract"; file: SourceFile; from: number }
  | { kind: "preview"; file: SourceFile; of: PreviewOf }
  | { kind: "describe"; file: SourceFile }
  | { kind: "selfTest" };

/** `next` asks for the next part of a task, so that at most one is ahead. */
export type ToMedia = { kind: "setup"; setup: MediaSetup } | { kind: "task"; id: number; task: MediaTask } | { kind: "next"; id: number };

/** `part: null`: there are no more. `spent`: the process must not be used again. */
export type FromMedia =
  | { kind: "ready" }
  | { kind: "part"; id: number; part: ExtractedPart | null }
  | { kind: "value"; id: number; value: Preview | Features | SelfTestCheck[] | null }
  | { kind: "failed"; id: number; fault: FaultKind; retry: Retry; detail: string; reason: string | null; spent?: boolean };

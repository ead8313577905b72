/** What the encoder and its Workers say to each other. */
import type { Span } from "../domain/hit.ts";
import type { EncodePriority, TextWindow } from "../domain/ports.ts";
import type { AddonPaths } from "./native.ts";

/** The first message to a Worker. */
export interface EncoderSetup {
  addons: AddonPaths;
  model: string;
  tokenizer: string;
  dims: number;
  maxTokens: number;
}

/** A window of a long text with its token ids, [CLS] and [SEP] included. */
export interface PlannedWindow extends Span {
  ids: Int32Array;
}

/** A whole text, or one window of a text that was found to be long. */
export type EncoderTask = { kind: "text"; text: string } | { kind: "window"; window: PlannedWindow };

export interface EncoderRequest {
  id: number;
  priority: EncodePriority;
  task: EncoderTask;
}

/** A vector (of a window, or of a text that is one window), the plan of a long text, or what went wrong. */
export type EncoderOutcome =
  | { kind: "embedded"; window: TextWindow }
  | { kind: "planned"; windows: PlannedWindow[] }
  | { kind: "failed"; error: string };

export type ToEncoderWorker = { kind: "setup"; setup: EncoderSetup } | { kind: "request"; request: EncoderRequest } | { kind: "close" };

export type FromEncoderWorker =
  | { kind: "started" }
  | { kind: "start-failed"; error: string }
  | { kind: "reply"; id: number; outcome: EncoderOutcome }
  | { kind: "closed" };

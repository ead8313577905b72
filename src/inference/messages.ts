/** The messages between the inference pool and its Workers. */
import type { Span } from "../base/span.ts";
import type { TextWindow } from "../domain/port/encoder.ts";
import type { AddonPaths } from "../runtime/native.ts";

/** Most urgent first: a search cannot begin without its query's vector, a caller waits for an answer, ingest runs in the background. */
export const PRIORITIES = ["query", "answer", "ingest"] as const;
export type Priority = (typeof PRIORITIES)[number];

export type PairTaskName = "reranking" | "entailment";
/** The encoder of English, and that of all other languages. */
export type TextModelName = "english" | "multilingual";

export interface InferenceSetup {
  /** Niceness of the thread, 0 to 19. */
  nice: number;
  addons: AddonPaths;
  text: TextModelSetup;
  /** Null: this build has none. */
  multilingual: MultilingualSetup | null;
  pairs: Record<PairTaskName, PairModelSetup>;
}

/** `model` and `tokenizer` are paths. */
export interface TextModelSetup {
  model: string;
  tokenizer: string;
  dims: number;
  maxTokens: number;
}

/** A file with the hash that it must have. */
export interface CheckedFile {
  path: string;
  name: string;
  sha256: string;
}

export interface MultilingualSetup {
  name: string;
  model: CheckedFile;
  vocabulary: CheckedFile;
  dims: number;
  maxTokens: number;
  /** What stands before a text that is a query, and before any other. */
  prefixes: Record<TextKind, string>;
  selfTests: { kind: TextKind; text: string; tokenIds: number[]; begins: number[] }[];
}

export type TextKind = "query" | "passage";

export interface PairModelSetup {
  name: string;
  model: string;
  tokenizer: string;
  /** Logits a pair. */
  outputs: number;
  /** Each part is cut after so many tokens. */
  firstMaxTokens: number;
  secondMaxTokens: number;
  selfTests: PairSelfTest[];
}

export interface Pair {
  first: string;
  second: string;
}

/** A pair with its token ids, and with its logit (of one output) or the index of its greatest logit (of several). */
export interface PairSelfTest extends Pair {
  tokenIds: number[];
  expected: { logit: number } | { greatest: number };
}

/** A window of a long text with its token ids, those that frame it included. */
export interface PlannedWindow extends Span {
  ids: Int32Array;
}

/** A whole text, or one window of a text that needs several. */
export type TextTask = ({ kind: "text"; text: string } | { kind: "window"; window: PlannedWindow }) & { model: TextModelName };
export type PairTask = { kind: "pair"; model: PairTaskName } & Pair;
export type InferenceTask = TextTask | PairTask;

export interface InferenceRequest {
  priority: Priority;
  task: InferenceTask;
}

/** The vector of one window, or the logits of a pair. */
export type InferenceResult = { kind: "embedded"; window: TextWindow } | { kind: "scored"; logits: Float32Array };

/** A result, the windows of a text that needs several, or an error. */
export type InferenceOutcome =
  | InferenceResult
  | { kind: "planned"; model: TextModelName; windows: PlannedWindow[] }
  | { kind: "failed"; error: string };

/** The methods of an inference Worker. */
export interface InferenceCalls {
  /** The first call. */
  start(setup: InferenceSetup): void;
  /** Requests may overlap: the most urgent one that waits runs next. */
  perform(request: InferenceRequest): Promise<InferenceOutcome>;
  /** Resolves when no inference runs and none waits. */
  drain(): Promise<void>;
}

/** The ports of the engines. Each has a conformance suite in test/port that every implementation passes. */
import type { Filter } from "./filter.ts";
import type { Span } from "./hit.ts";
import type { Locator } from "./locator.ts";
import type { Content, ExtractedPart, FileFormat, SourceFile } from "./media.ts";
import type { Plane } from "./plane.ts";
import type { Unit } from "./unit.ts";

/** Access classes a request may see; null: every class of the namespace. Sorted, unique. */
export type ClassSet = readonly number[] | null;

/** What an engine restricts a leg to. `uids` null: no restriction by id. `filter` is native (see isNative). */
export interface Restriction {
  classes: ClassSet;
  filter: Filter;
  uids: readonly number[] | null;
}

/** Part of a text that fits the encoder, with its L2-normalised vector (float32, `dims` long). */
export interface TextWindow extends Span {
  vector: Float32Array;
}

export interface EncoderInfo {
  model: string;
  dims: number;
  maxTokens: number;
}

/** Whose work goes first: a person waits for a query. */
export type EncodePriority = "query" | "ingest";

export interface EncodeOptions {
  /** Whose text it is: tenants take turns, and each has a share of the queue to itself. Absent: one more tenant. */
  tenant?: string;
  /** Comes when nobody waits for it any more: what has not begun is then given up. */
  signal?: AbortSignal | undefined;
}

export interface Encoder {
  readonly info: EncoderInfo;
  /**
   * Overlapping windows over the whole text, at least one; of a query the first alone. Errors: Fault
   * `unavailable` when the queue is full, no worker lives, or `signal` comes.
   */
  encode(text: string, priority: EncodePriority, options?: EncodeOptions): Promise<TextWindow[]>;
  /** True once a fixture text came back with its known vector, and while workers live or start as they are needed. */
  ready(): boolean;
  close(): Promise<void>;
}

/** Scores pairs of a query and a text, one pair at a time: a score depends on its pair alone. */
export interface Reranker {
  readonly model: string;
  /**
   * Logits (higher is more relevant, about -11 to 11), in the order of `texts`. After `withinMs` what has not
   * begun is left out as null. Errors: Fault `unavailable`, as Encoder.encode.
   */
  score(query: string, texts: readonly string[], withinMs?: number, signal?: AbortSignal): Promise<(number | null)[]>;
}

/** Probabilities that sum to 1. */
export interface EntailmentScores {
  entailment: number;
  neutral: number;
  contradiction: number;
}

export interface EntailmentPair {
  /** One to four sentences. */
  premise: string;
  /** One fact. */
  hypothesis: string;
}

/** Says whether a hypothesis follows from a premise, one pair at a time. */
export interface Entailment {
  readonly model: string;
  /** In the order of `pairs`. Errors: Fault `unavailable`, as Encoder.encode. */
  judge(pairs: readonly EntailmentPair[], signal?: AbortSignal): Promise<EntailmentScores[]>;
}

/** One message to a chat model. */
export interface ChatMessage {
  role: "system" | "user";
  content: string;
}

/** A language model that the operator configured. Nothing that it writes is trusted. */
export interface ChatModel {
  readonly model: string;
  /** The text it wrote. Errors: Fault `unavailable` whose message says in a few words what went wrong, also when `signal` comes. */
  complete(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<string>;
}

/** A Unit with what the engines index of it. `windows` is empty when it has no text. */
export interface IndexEntry {
  unit: Unit;
  windows: readonly TextWindow[];
}

export interface VectorHit {
  uid: number;
  version: number;
  /** Index of the best window. */
  window: number;
  /** Cosine similarity, -1..1. */
  similarity: number;
}

export interface RankedHits<T> {
  hits: T[];
  /** True when the engine has nothing further for this restriction. */
  exhausted: boolean;
}

/** A row as an index holds it, for doctor. */
export interface IndexedRow {
  uid: number;
  version: number;
  window: number;
}

/** An index that is looked at and not changed. */
export type Inspected = Pick<VectorIndex, "rows" | "state" | "close">;

export interface IndexState {
  rows: number;
  state: "ok" | "building" | "failing";
}

/** The vectors of one plane of one namespace. */
export interface VectorIndex {
  readonly plane: Plane;
  /** Replaces whatever it holds of these Units. Durable and searchable when it returns; running it twice is harmless. */
  put(entries: readonly IndexEntry[]): Promise<void>;
  remove(uids: readonly number[]): Promise<void>;
  /** The best `limit` Units (each once, by its best window), most similar first. */
  search(vector: Float32Array, limit: number, restriction: Restriction): Promise<RankedHits<VectorHit>>;
  rows(): Promise<IndexedRow[]>;
  state(): Promise<IndexState>;
  /** Whether the last read and the last write went well, from memory: false is tried again in growing pauses. */
  working(): boolean;
  close(): Promise<void>;
}

export interface FullTextHit {
  uid: number;
  version: number;
  /** BM25 with the statistics of the classes of the restriction. */
  score: number;
}

export interface FullTextQuery {
  text: string;
  planes: readonly Plane[];
  limit: number;
  restriction: Restriction;
}

/** The full text of one namespace, all planes. */
export interface FullTextIndex {
  /** As VectorIndex.put. Units without text are removed. */
  put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void>;
  remove(uids: readonly number[]): Promise<void>;
  /** Best first. Text is never syntax: double quotes make a phrase, all else is terms. */
  search(query: FullTextQuery): Promise<RankedHits<FullTextHit>>;
  /** The words of each text that the query's terms match, as UTF-16 spans in order, at most HIGHLIGHTS_MAX a text. */
  highlight(query: string, texts: readonly string[]): Promise<Span[][]>;
  /** The analysed terms of a text, as the index sees them. */
  terms(text: string): Promise<string[]>;
  rows(): Promise<IndexedRow[]>;
  state(): Promise<IndexState>;
  /** Whether the last read and the last write went well, from memory: false is tried again in growing pauses. */
  working(): boolean;
  close(): Promise<void>;
}

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
  describe(file: SourceFile, signal?: AbortSignal): Promise<Content>;
  /** True while a file waits for memory that others have. */
  crowded(): boolean;
  /** Stops what runs and ends the processes. */
  close(): Promise<void>;
}

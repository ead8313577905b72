/** What files are, and what extraction makes of them. */
import type { Locator } from "./locator.ts";
import type { Modality } from "./plane.ts";
import type { Metadata } from "./unit.ts";

/** What a file is, by its content. `mime` is the registered type of the format. */
export interface FileFormat {
  kind: "picture" | "document" | "sound" | "video" | "log";
  mime: string;
}

/** A file on disk, to be read and never written. */
export interface SourceFile {
  path: string;
  bytes: number;
  /** As StoredFile.name. */
  name: string;
  format: FileFormat;
}

/** Pixels from the top left, row by row, three bytes each: red, green, blue. `data` is `width * height * 3` long. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Ratios 0-1 of the picture or page, from the top left. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** One label of a classifier by its index, with a score 0-1. */
export interface LabelScore {
  label: number;
  score: number;
}

/** Labels and embedding of a picture or sound, by which the label legs and similarity find it. */
export interface Features {
  kind: "picture" | "sound";
  /** Best first. */
  labels: LabelScore[];
  /** L2-normalised; as long as the model's embedding. */
  embedding: Float32Array;
}

/** The models that features come from, as the manifest names them. Embeddings of different models cannot be compared. */
export const FEATURE_MODELS = {
  picture: { model: "image-classifier", dims: 1_280 },
  sound: { model: "yamnet", dims: 1_024 },
} as const;

/** A Unit as extraction makes it; the caller adds scope, owner and groups. */
export interface ExtractedUnit {
  modality: Modality;
  /** As UnitIdentity.path; empty: none. */
  path: string[];
  text: string | null;
  locator: Locator | null;
  metadata: Metadata;
  features: Features | null;
}

/**
 * One step of the work on a file: the Units of a page, of a segment of sound, of a shot. The same file always gives
 * the same parts, so interrupted work resumes with the part after the last one that was stored.
 */
export interface ExtractedPart {
  /** 0, 1, 2 … */
  part: number;
  /** 0-1 of the whole file, this part included. */
  progress: number;
  /** What is done next, in a word or two, for people: "pages", "speech". */
  stage: string;
  units: ExtractedUnit[];
  /** What was left out and why, for people. */
  notes: string[];
}

/** What extraction of one kind of file is: from part `from` on. Errors: Fault `bad_request` whose detail says what is wrong with the file. */
export type Extraction = AsyncGenerator<ExtractedPart, void, void>;

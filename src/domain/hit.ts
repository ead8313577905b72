import type { Plane } from "./plane.ts";
import type { Unit } from "./unit.ts";

/** A half-open span of UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
}

/** A leg is a vector search over one plane (`vector:text`) or the full-text search (`fulltext`). */
export type Leg = `vector:${Plane}` | "fulltext";

/** The place of a Unit in one leg. `raw` is cosine similarity (-1..1) or a BM25 score; null when withheld. */
export interface LegScore {
  leg: Leg;
  rank: number;
  raw: number | null;
}

export interface Hit {
  unit: Unit;
  rank: number;
  score: number;
  scores: { fused: number; rerank: number | null; legs: LegScore[] };
  /** A passage of `unit.text`; null when the Unit has none. */
  snippet: string | null;
  /** Matched words as offsets into `unit.text`. */
  highlights: Span[];
  explain?: HitExplanation;
}

/** Why a hit stands where it stands. */
export interface HitExplanation {
  fusion: { leg: Leg; rank: number; contribution: number }[];
  window: Span | null;
  terms: string[];
}

export interface TraceStage {
  name: string;
  ms: number;
  in: number;
  out: number;
}

export interface Trace {
  total_ms: number;
  stages: TraceStage[];
  fusion: { method: "rrf"; k: number };
  planes: Plane[];
  warnings: string[];
}

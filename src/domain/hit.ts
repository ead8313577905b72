import type { Span } from "../base/span.ts";
import type { Plane } from "./plane.ts";
import { shownUnit, type Unit } from "./unit.ts";

/** A span with its relevance to the query, 0-1. */
export interface ScoredSpan extends Span {
  score: number;
}

/**
 * A leg is the vector search over all planes (`vector`), a search by the labels of pictures or sounds (`labels:visual`,
 * `labels:audio`), the full-text search (`fulltext`), or a search by example (`similar`).
 */
export type Leg = "vector" | "labels:visual" | "labels:audio" | "fulltext" | "similar";

/** The place of a Unit in one leg. `raw` is cosine similarity (-1..1), a label score or a BM25 score; null when withheld. */
export interface LegScore {
  leg: Leg;
  rank: number;
  raw: number | null;
}

export interface Hit {
  unit: Unit;
  rank: number;
  score: number;
  /** `rerank`: relevance by the cross-encoder, 0-1; null when it did not read this Unit. */
  scores: { fused: number; rerank: number | null; legs: LegScore[] };
  /** The part of `unit.text` to show; null when the Unit has none. */
  snippet: string | null;
  /** Matched words as offsets into `unit.text`. */
  highlights: Span[];
  /** The sentences of `unit.text` most relevant to the query, best first; only of Units in which an answer looked for evidence. */
  evidence?: ScoredSpan[];
  explain?: HitExplanation;
}

/** What the rank of a hit comes from. */
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

/** One round of retrieve, find evidence, verify and cite. */
export interface TraceRound {
  round: number;
  /** What was searched for. */
  queries: string[];
  /** Units that came back, over all rounds so far. */
  candidates: number;
  /** Sentences that were scored. */
  scored: number;
  /** The best confidence of the part of the question whose evidence is weakest, 0-1; null without evidence. */
  best: number | null;
  ms: number;
  outcome: string;
}

export interface Trace {
  total_ms: number;
  stages: TraceStage[];
  fusion: { method: "rrf"; k: number };
  planes: Plane[];
  warnings: string[];
  /** Of answers only. */
  rounds?: TraceRound[];
}

export function shownHit({ unit, ...hit }: Hit): Record<string, unknown> {
  return { ...shownUnit(unit), ...hit };
}

import type { FacetField } from "./facet.ts";
import type { Filter } from "./filter.ts";
import type { Plane } from "./plane.ts";

export const MODES = ["hybrid", "vector", "fulltext"] as const;
export type Mode = (typeof MODES)[number];

/** What a place in each leg is worth, beside what the leg itself is; 0 leaves it out. `labels`: of pictures and of sounds. */
export interface LegWeights {
  vector: number;
  fulltext: number;
  labels: number;
}

export const EVEN_WEIGHTS: LegWeights = { vector: 1, fulltext: 1, labels: 1 };

/** A search, validated and with its defaults. `planes` is asked ∩ tier. */
export interface SearchQuery {
  q: string;
  top_k: number;
  mode: Mode;
  planes: Plane[];
  /** `filters`, `modalities` and `doc_id` as one tree. */
  filter: Filter;
  group_by: "doc_id" | null;
  /** Hits of one group, at most. */
  group_size: number;
  /** Null: those that fit the form of the query. */
  weights: LegWeights | null;
  /** 0-1: how much hits that are like ones before them fall behind. */
  diversity: number;
  /** Fields whose values are counted over the matches; empty: none. */
  facets: FacetField[];
  min_score: number | null;
  explain: boolean;
  /** Reads the best candidates once more with the cross-encoder. */
  rerank: boolean;
  answer: boolean;
}

/** A search by example, validated: a Unit, or (`unit_id` null) what comes in the body. */
export interface SimilarQuery extends Pick<SearchQuery, "top_k" | "planes" | "filter" | "min_score"> {
  unit_id: string | null;
  warnings: string[];
}

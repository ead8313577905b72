import type { FacetField } from "./facet.ts";
import type { Filter } from "./filter.ts";
import type { Plane } from "./plane.ts";

export const MODES = ["hybrid", "vector", "fulltext"] as const;
export type Mode = (typeof MODES)[number];

/** A search, validated and with its defaults. `planes` is asked ∩ tier. */
export interface SearchQuery {
  q: string;
  top_k: number;
  mode: Mode;
  planes: Plane[];
  /** `filters`, `modalities` and `doc_id` as one tree. */
  filter: Filter;
  group_by: "doc_id" | null;
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

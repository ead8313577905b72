/** Search by the likeness of pictures and sounds. */
import type { Filter } from "../filter.ts";
import type { Features } from "../media.ts";

/** `score`: the cosine of the embeddings, -1..1. */
export interface AlikeUnit {
  uid: number;
  score: number;
}

export interface FeatureRestriction {
  classes: readonly number[];
  filter: Filter;
}

export interface FeatureIndex {
  /**
   * Units by the cosine of their embedding with `vector`, best first and then by uid, at most `limit`, of those that pass the
   * filter and are at least `least` alike. Errors: Fault `unavailable`.
   */
  nearest(
    kind: Features["kind"],
    model: string,
    vector: Float32Array,
    within: FeatureRestriction,
    options: { limit: number; least: number },
  ): Promise<AlikeUnit[]>;
}

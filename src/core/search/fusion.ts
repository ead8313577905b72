import type { Leg, LegScore } from "../../domain/hit.ts";

/** Reciprocal rank fusion's k (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const RRF_K = 60;

/** The result of one leg: Units by descending relevance. `raw` is the leg's own score. */
export interface LegRanking {
  leg: Leg;
  hits: { uid: number; raw: number; window: number | null }[];
}

/** A Unit after fusion. `window` is the best window of its vector leg, null when only full text found it. */
export interface Fused {
  uid: number;
  score: number;
  similarity: number;
  window: number | null;
  legs: LegScore[];
}

/**
 * Weight of a label leg; the others have 1. A text can rank in two legs, vectors and full text, but a picture or sound in the
 * label leg only. Labels have a floor, so Units without a fitting label get nothing from the weight.
 */
const LABEL_WEIGHT = 2;

/** What a rank (from 1) in a leg adds to the fused score. */
export function contribution(leg: Leg, rank: number): number {
  return (leg.startsWith("labels:") ? LABEL_WEIGHT : 1) / (RRF_K + rank);
}

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). Equal scores are common, since
 * every plane has a first place: the more similar Unit goes first, then the smaller `tieOf`.
 */
export function fuse(rankings: readonly LegRanking[], tieOf: (uid: number) => string): Fused[] {
  const byUid = new Map<number, Fused>();
  for (const { leg, hits } of rankings) {
    hits.forEach(({ uid, raw, window }, index) => {
      const fused = byUid.get(uid) ?? { uid, score: 0, similarity: -1, window: null, legs: [] };
      fused.score += contribution(leg, index + 1);
      fused.legs.push({ leg, rank: index + 1, raw });
      if (leg.startsWith("vector:")) Object.assign(fused, { similarity: raw, window });
      // A label above its floor is taken as certain.
      if (leg.startsWith("labels:")) fused.similarity = 1;
      byUid.set(uid, fused);
    });
  }
  return [...byUid.values()].sort((a, b) => b.score - a.score || b.similarity - a.similarity || (tieOf(a.uid) < tieOf(b.uid) ? -1 : 1));
}

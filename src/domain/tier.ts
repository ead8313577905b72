import { FREE_TIER_MAX_UNITS } from "../base/limits.ts";
import { PLANES, type Plane } from "./plane.ts";

export const TIERS = ["free", "pro", "enterprise"] as const;
export type Tier = (typeof TIERS)[number];

/** What a subscription tier allows its namespace. `maxUnits` null: no ceiling. */
export interface TierLimits {
  planes: readonly Plane[];
  answers: boolean;
  rerank: boolean;
  audit: boolean;
  admin: boolean;
  maxUnits: number | null;
}

export const TIER_LIMITS: Record<Tier, TierLimits> = {
  free: { planes: ["text", "doc_visual"], answers: false, rerank: false, audit: false, admin: false, maxUnits: FREE_TIER_MAX_UNITS },
  pro: { planes: PLANES, answers: true, rerank: true, audit: true, admin: false, maxUnits: null },
  enterprise: { planes: PLANES, answers: true, rerank: true, audit: true, admin: true, maxUnits: null },
};

/** Catalog stats: what the caller may read, counted per plane. */
import { type ScopeClamp, splitClasses } from "../../domain/access.ts";
import type { Plane } from "../../domain/plane.ts";
import { FEATURE_MODELS, type Features } from "../../domain/media.ts";
import type { EncoderInfo } from "../../domain/port/encoder.ts";
import type { IndexState } from "../../domain/port/index.ts";
import type { Caller } from "../../domain/principal.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import type { PlaneCount } from "../../domain/port/units.ts";
import type { Tenant } from "../tenant.ts";

export interface PlaneStats {
  plane: Plane;
  model: string;
  dims: number;
  metric: "cosine";
  vectors: number;
  indexed: number;
  lag: number;
  /** Units that an index cannot take, where there are some. */
  quarantined?: number;
  /** What is seen or heard in the Units, beside their text. */
  content?: { model: string; dims: number; metric: "cosine"; vectors: number };
  health: "green" | "yellow" | "red";
}

export interface CatalogStats {
  namespace: string;
  scope: string;
  planes: PlaneStats[];
  queries_per_day: number;
  storage: { object_store_gb: number; catalog_rows: number; vectors: number };
}

const GB = 1e9;
const DAY_MS = 24 * 3_600_000;
/** A lag above this share of the vectors turns a plane yellow. */
const YELLOW_LAG_SHARE = 0.1;

function health({ vectors, pending, quarantined }: PlaneCount, { state }: IndexState): PlaneStats["health"] {
  if (state === "failing") return "red";
  return state === "building" || quarantined > 0 || pending > vectors * YELLOW_LAG_SHARE ? "yellow" : "green";
}

const CONTENT_OF: Partial<Record<Plane, Features["kind"]>> = { visual: "picture", audio: "sound" };

async function contentStats(tenant: Tenant, plane: Plane, classes: readonly number[]): Promise<Pick<PlaneStats, "content">> {
  const kind = CONTENT_OF[plane];
  if (kind === undefined) return {};
  const vectors = await tenant.features.count(kind, FEATURE_MODELS[kind].model, classes);
  return { content: { ...FEATURE_MODELS[kind], metric: "cosine", vectors } };
}

/** Counts over the Units that the caller may read inside the clamp; index states of the planes of the tier. */
export async function catalogStats(tenant: Tenant, encoder: EncoderInfo, caller: Caller, clamp: ScopeClamp, now: number): Promise<CatalogStats> {
  const { visible } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  const inTier = TIER_LIMITS[tenant.namespace.tier].planes;
  const counts = (await tenant.catalog.scans.planeCounts(visible)).filter(({ plane }) => inTier.includes(plane));
  const states = await Promise.all(counts.map(({ plane }) => tenant.vectors[plane].state()));
  const contents = await Promise.all(counts.map(({ plane }) => contentStats(tenant, plane, visible)));
  const planes = counts.map((count, index): PlaneStats => {
    const { plane, vectors, pending, quarantined } = count;
    const state = states[index] ?? { rows: 0, state: "failing" };
    const indexed = vectors - pending;
    const text = { plane, model: encoder.model, dims: encoder.dims, metric: "cosine", vectors, indexed, lag: pending } as const;
    const aside = quarantined > 0 ? { quarantined } : {};
    return { ...text, ...aside, ...contents[index], health: health(count, state) };
  });
  return {
    namespace: tenant.namespace.namespace,
    scope: clamp.requested,
    planes,
    queries_per_day: tenant.ledger.countSince(["search", "answer"], now - DAY_MS),
    storage: {
      // Of files with a Unit that the caller may read; sources elsewhere stay where their `source_uri` points.
      object_store_gb: (await tenant.files.bytesIn(visible)) / GB,
      catalog_rows: counts.reduce((sum, { units }) => sum + units, 0),
      vectors: counts.reduce((sum, { vectors }) => sum + vectors, 0),
    },
  };
}

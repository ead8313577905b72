/** Catalog stats: what the caller may read, counted per plane. */
import { type Static, Type } from "@sinclair/typebox";
import type { Plane } from "../../domain/plane.ts";
import { FEATURE_MODELS, type Features } from "../../domain/media.ts";
import type { EncoderInfo } from "../../domain/port/encoder.ts";
import type { IndexState } from "../../domain/port/index.ts";
import { ENGLISH, type Language, LANGUAGES } from "../../text/language.ts";
import { languageOf, type Namespace } from "../../domain/principal.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import type { PlaneCount } from "../../domain/port/units.ts";
import { type Call, operation, READ } from "../operation.ts";
import { Count, describe, oneOf, Plane as PlaneName, text } from "../schema.ts";
import type { Tenant } from "../tenant.ts";

const Model = text("Model that makes the vectors.");
const Dims = describe(Count, "Length of a vector.");
const Metric = text("How vectors are compared: `cosine`.");

const PlaneStats = Type.Object({
  plane: PlaneName,
  model: Model,
  dims: Dims,
  metric: Metric,
  vectors: describe(Count, "Vectors of Units that the caller may read."),
  indexed: describe(Count, "Those that the index has."),
  lag: describe(Count, "Those that it does not have yet."),
  quarantined: Type.Optional(Type.Integer({ minimum: 1, description: "Units that an index cannot take: `strata doctor` names them." })),
  content: Type.Optional(
    Type.Object(
      { model: Model, dims: Dims, metric: Metric, vectors: describe(Count, "Units that have one.") },
      { description: "What is seen or heard in the Units of the plane, beside their text." },
    ),
  ),
  health: describe(oneOf(["green", "yellow", "red"]), "`yellow`: the index is behind, being built, or cannot take some Units; `red`: it fails."),
});
type PlaneStats = Static<typeof PlaneStats>;

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
  const vectors = await tenant.reader.features.count(kind, FEATURE_MODELS[kind].model, classes);
  return { content: { ...FEATURE_MODELS[kind], metric: "cosine", vectors } };
}

/** Counts over the Units that the view sees; index states of the planes of the tier. */
export const catalogStats = operation({
  name: "stats",
  summary: "Catalog stats over what the caller may read",
  action: "stats",
  access: READ,
  input: null,
  output: Type.Object({
    namespace: text("Namespace that is counted."),
    language: Type.Optional(describe(oneOf(LANGUAGES), "Language of the namespace; absent where it is English.")),
    scope: text("Scope that the request asked for."),
    planes: Type.Array(PlaneStats, { description: "The planes of the tier." }),
    queries_per_day: describe(Count, "Searches and answers of the last 24 hours, of all callers."),
    storage: Type.Object(
      {
        object_store_gb: describe(Type.Number(), "Files of which the caller may read a Unit, in 10^9 bytes."),
        catalog_rows: describe(Count, "Units that the caller may read."),
        vectors: describe(Count, "Vectors of these Units."),
      },
      { description: "What is stored." },
    ),
  }),
  async run({ view, services }: Call<unknown>) {
    const { tenant } = view;
    const { visible } = view.classes;
    const counts = await planeCounts(tenant, visible);
    const planes = await Promise.all(counts.map((count) => planeStats(tenant, (tenant.encoder ?? services.encoder).info, count, visible)));
    return {
      namespace: tenant.namespace.namespace,
      ...languageShown(tenant.namespace),
      scope: view.requested,
      planes,
      queries_per_day: await tenant.reader.ledger.countSince(["search", "answer"], services.now() - DAY_MS),
      storage: {
        // Counts files with a Unit that the caller may read; sources outside of Strata have no object.
        object_store_gb: (await tenant.reader.files.bytesIn(visible)) / GB,
        catalog_rows: counts.reduce((sum, { units }) => sum + units, 0),
        vectors: counts.reduce((sum, { vectors }) => sum + vectors, 0),
      },
    };
  },
});

function languageShown(namespace: Namespace): { language?: Language } {
  const language = languageOf(namespace);
  return language === ENGLISH ? {} : { language };
}

async function planeCounts(tenant: Tenant, classes: readonly number[]): Promise<PlaneCount[]> {
  const inTier = TIER_LIMITS[tenant.namespace.tier].planes;
  return (await tenant.reader.units.counts(classes)).filter(({ plane }) => inTier.includes(plane));
}

async function planeStats(tenant: Tenant, { model, dims }: EncoderInfo, count: PlaneCount, classes: readonly number[]): Promise<PlaneStats> {
  const { plane, vectors, pending, quarantined } = count;
  const [state, content] = await Promise.all([tenant.vectors[plane].state(), contentStats(tenant, plane, classes)]);
  const text = { plane, model, dims, metric: "cosine", vectors, indexed: vectors - pending, lag: pending };
  return { ...text, ...(quarantined > 0 ? { quarantined } : {}), ...content, health: health(count, state) };
}

/** Search by example: Units whose picture, sound or text is most like that of another. */
import { stopwatch } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { type ScopeClamp, splitClasses } from "../../domain/access.ts";
import type { Hit, Trace } from "../../domain/hit.ts";
import { FEATURE_MODELS, type Features } from "../../domain/media.ts";
import type { Plane } from "../../domain/plane.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Caller } from "../../domain/principal.ts";
import type { SimilarQuery } from "../../domain/query.ts";
import type { Unit } from "../../domain/unit.ts";
import { hiddenByAcl } from "./hidden-count.ts";
import { cutWarnings, fill, LiveCheck, restrictionOf, vectorLeg, type View } from "./legs.ts";
import { snippetOf } from "./snippet.ts";
import type { Tenant } from "../tenant.ts";
import { RRF_K } from "./fusion.ts";

/** Cosine of two pictures from which they are near-duplicates: above the 99th percentile of unrelated photos. */
export const NEAR_DUPLICATE_MIN = 0.75;

/** What others are compared with. */
export type QueryExample = { by: "content"; content: Pick<Features, "kind" | "embedding"> } | { by: "text"; vector: Float32Array };

export interface SimilarResult {
  hits: (Hit & { near_duplicate: boolean })[];
  answer: null;
  hidden_by_acl: number;
  trace: Trace;
}

interface Scored {
  unit: Unit;
  score: number;
}

/** The planes on which content of a kind lies. */
const CONTENT_PLANES: Record<Features["kind"], Plane> = { picture: "visual", sound: "audio" };

/** What a Unit is compared by: what is seen or heard in it, else what it says. Errors: `bad_request` when it has neither. */
export function queryExampleOf(tenant: Tenant, encoder: Encoder, unit: Unit): QueryExample {
  const content = tenant.features.embedding(unit.uid);
  if (content !== null) return { by: "content", content };
  const windows =
    unit.content_sha256 === null ? [] : (tenant.catalog.windowsOf([unit.content_sha256], encoder.info.model).get(unit.content_sha256) ?? []);
  const [first] = windows;
  if (first === undefined) throw new Fault("bad_request", "this Unit has no text, picture or sound to compare by", { pointer: "/unit_id" });
  return { by: "text", vector: first.vector };
}

/** The most similar Units that the caller may read, best first. `self`: the example's own Unit, which is no hit. */
export async function similar(
  tenant: Tenant,
  caller: Caller,
  clamp: ScopeClamp,
  query: SimilarQuery,
  example: QueryExample,
  self: number | null,
): Promise<SimilarResult> {
  const time = stopwatch();
  const { visible, hidden } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  const readable = await best(tenant, query, example, visible, self);
  // What is hidden has no share in the times of the trace.
  const ms = time();
  const { hidden_by_acl, warnings } = await hiddenByAcl(caller, hidden, async () => {
    const { scored } = await best(tenant, query, example, [...visible, ...hidden], self);
    return scored.filter(({ unit }) => hidden.includes(unit.classId)).length;
  });
  const pictures = example.by === "content" && example.content.kind === "picture";
  const hits = readable.scored.map(({ unit, score }, index) => hitOf(unit, score, index + 1, pictures && score >= NEAR_DUPLICATE_MIN));
  const trace: Trace = {
    total_ms: ms,
    stages: [{ name: "similar", ms, in: query.top_k, out: hits.length }],
    fusion: { method: "rrf", k: RRF_K },
    planes: query.planes,
    warnings: [...query.warnings, ...readable.warnings, ...warnings],
  };
  return { hits, answer: null, hidden_by_acl, trace };
}

interface BestUnits {
  scored: Scored[];
  /** What a bound cut off. */
  warnings: string[];
}

/** The best `top_k` that these classes hold, without the example's own Unit. */
async function best(tenant: Tenant, query: SimilarQuery, example: QueryExample, classes: readonly number[], self: number | null): Promise<BestUnits> {
  const least = query.min_score ?? Number.NEGATIVE_INFINITY;
  const { hits, warnings } =
    example.by === "content"
      ? await byContent(tenant, query, example.content, classes, least)
      : await byText(tenant, query, example.vector, { classes });
  const units = tenant.catalog.byUids(hits.map(({ uid }) => uid));
  const scored = hits.flatMap(({ uid, score }) => {
    const unit = units.get(uid);
    // Once more, since reading takes its time.
    return unit !== undefined && uid !== self && classes.includes(unit.classId) && score >= least ? [{ unit, score }] : [];
  });
  return { scored: scored.slice(0, query.top_k), warnings };
}

/** The most similar Units: one more than is wanted, since the example's own is most similar of all. */
interface Ranked {
  hits: { uid: number; score: number }[];
  warnings: string[];
}

/** One scan, to which the filter and the least score belong: nothing is asked for twice. */
async function byContent(
  tenant: Tenant,
  { planes, filter, top_k }: SimilarQuery,
  { kind, embedding }: Pick<Features, "kind" | "embedding">,
  classes: readonly number[],
  least: number,
): Promise<Ranked> {
  if (!planes.includes(CONTENT_PLANES[kind]) || classes.length === 0) return { hits: [], warnings: [] };
  const { model } = FEATURE_MODELS[kind];
  return { hits: await tenant.features.nearest(kind, model, embedding, { classes, filter }, { limit: top_k + 1, least }), warnings: [] };
}

/** Scores only fall from hit to hit, so the best of each plane are enough, whatever the least score is. */
async function byText(tenant: Tenant, { planes, filter, top_k }: SimilarQuery, vector: Float32Array, view: View): Promise<Ranked> {
  const check = new LiveCheck(tenant, view, filter);
  const restriction = await restrictionOf(tenant, filter, view);
  const legs = planes.map((plane) => vectorLeg(tenant, plane, vector, restriction));
  const filled = await Promise.all(legs.map((leg) => fill(leg, top_k + 1, [], check)));
  const hits = filled.flatMap((leg) => leg.hits.map(({ uid, raw }) => ({ uid, score: raw })));
  const cut = legs.filter((_, index) => filled[index]?.cut).map(({ leg }) => leg);
  return { hits: hits.sort((a, b) => b.score - a.score || a.uid - b.uid).slice(0, top_k + 1), warnings: cutWarnings(cut) };
}

function hitOf(unit: Unit, score: number, rank: number, near_duplicate: boolean): Hit & { near_duplicate: boolean } {
  const scores: Hit["scores"] = { fused: score, rerank: null, legs: [{ leg: "similar", rank, raw: score }] };
  const snippet = unit.text === null ? null : snippetOf(unit.text, { start: 0, end: unit.text.length }, []).snippet;
  return { unit, rank, score, scores, snippet, highlights: [], near_duplicate };
}

/** Search by example: Units whose picture, sound or text is most like that of another. */
import { stopwatch } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { NEAR_DUPLICATE_MIN, RRF_K } from "../base/limits.ts";
import { type ScopeClamp, splitClasses } from "../domain/access.ts";
import { isNative, matches, MATCH_ALL } from "../domain/filter.ts";
import type { Hit, Trace } from "../domain/hit.ts";
import { CONTENT_MODELS, type Content } from "../domain/media.ts";
import type { Plane } from "../domain/plane.ts";
import type { Encoder } from "../domain/ports.ts";
import type { Caller } from "../domain/principal.ts";
import type { SimilarQuery } from "../domain/query.ts";
import type { Unit } from "../domain/unit.ts";
import { hiddenByAcl } from "./hidden-count.ts";
import { passage } from "./passage.ts";
import type { Tenant } from "./tenant.ts";

/** What others are compared with. */
export type Example = { by: "content"; content: Pick<Content, "kind" | "embedding"> } | { by: "text"; vector: Float32Array };

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
const CONTENT_PLANES: Record<Content["kind"], Plane> = { picture: "visual", sound: "audio" };
/** Deeper, by this factor, when a filter leaves too few. */
const DEEPER = 4;

/** What a Unit is compared by: what is seen or heard in it, else what it says. Errors: `bad_request` when it has neither. */
export function exampleOf(tenant: Tenant, encoder: Encoder, unit: Unit): Example {
  const content = tenant.contents.embedding(unit.uid);
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
  example: Example,
  self: number | null,
): Promise<SimilarResult> {
  const time = stopwatch();
  const { visible, hidden } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  const readable = await best(tenant, query, example, visible, self);
  // What is hidden has no share in the times of the trace.
  const ms = time();
  const { hidden_by_acl, warnings } = await hiddenByAcl(caller, hidden, async () => {
    const all = await best(tenant, query, example, [...visible, ...hidden], self);
    return all.filter(({ unit }) => hidden.includes(unit.classId)).length;
  });
  const pictures = example.by === "content" && example.content.kind === "picture";
  const hits = readable.map(({ unit, score }, index) => hitOf(unit, score, index + 1, pictures && score >= NEAR_DUPLICATE_MIN));
  const trace: Trace = {
    total_ms: ms,
    stages: [{ name: "similar", ms, in: query.top_k, out: hits.length }],
    fusion: { method: "rrf", k: RRF_K },
    planes: query.planes,
    warnings: [...query.warnings, ...warnings],
  };
  return { hits, answer: null, hidden_by_acl, trace };
}

/** Asks for more until enough pass the filter, or there are no more. */
async function best(tenant: Tenant, query: SimilarQuery, example: Example, classes: readonly number[], self: number | null): Promise<Scored[]> {
  if (classes.length === 0) return [];
  for (let limit = 2 * query.top_k; ; limit *= DEEPER) {
    const found = await nearest(tenant, query, example, classes, limit);
    const units = tenant.catalog.byUids(found.map(({ uid }) => uid));
    const passed = found.flatMap(({ uid, score }) => {
      const unit = units.get(uid);
      const wanted = unit !== undefined && uid !== self && classes.includes(unit.classId) && matches(query.filter, unit);
      return wanted && score >= (query.min_score ?? Number.NEGATIVE_INFINITY) ? [{ unit, score }] : [];
    });
    if (passed.length >= query.top_k || found.length < limit) return passed.slice(0, query.top_k);
  }
}

async function nearest(
  tenant: Tenant,
  { planes, filter }: SimilarQuery,
  example: Example,
  classes: readonly number[],
  limit: number,
): Promise<{ uid: number; score: number }[]> {
  if (example.by === "content") {
    const { kind, embedding } = example.content;
    if (!planes.includes(CONTENT_PLANES[kind])) return [];
    return tenant.contents.nearest(kind, CONTENT_MODELS[kind].model, embedding, { classes, uids: null }, limit);
  }
  const restriction = { classes: [...classes].sort((a, b) => a - b), filter: isNative(filter) ? filter : MATCH_ALL, uids: null };
  const found = await Promise.all(planes.map((plane) => tenant.vectors[plane].search(example.vector, limit, restriction)));
  const hits = found.flatMap((ranked) => ranked.hits.map(({ uid, similarity }) => ({ uid, score: similarity })));
  return hits.sort((a, b) => b.score - a.score || a.uid - b.uid).slice(0, limit);
}

function hitOf(unit: Unit, score: number, rank: number, near_duplicate: boolean): Hit & { near_duplicate: boolean } {
  const scores: Hit["scores"] = { fused: score, rerank: null, legs: [{ leg: "similar", rank, raw: score }] };
  const snippet = unit.text === null ? null : passage(unit.text, { start: 0, end: unit.text.length }, []).snippet;
  return { unit, rank, score, scores, snippet, highlights: [], near_duplicate };
}

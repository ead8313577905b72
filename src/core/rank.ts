/**
 * Ranking under one view: runs every leg inside the classes the view may see, checks what comes back
 * against the catalog, refills legs that come back short, fuses, groups and cuts.
 */
import { stopwatch } from "../base/clock.ts";
import { FILTER_IDS_MAX, LEG_DEPTH_MIN, LEG_REFILL_FACTOR } from "../base/limits.ts";
import { type Filter, isNative, MATCH_ALL, matches } from "../domain/filter.ts";
import type { Leg, TraceStage } from "../domain/hit.ts";
import type { Plane } from "../domain/plane.ts";
import type { Restriction } from "../domain/ports.ts";
import type { SearchQuery } from "../domain/query.ts";
import type { LiveUnit } from "../store/catalog.ts";
import type { LabelQuery } from "./content.ts";
import { fuse, type Fused, type LegRanking } from "./fuse.ts";
import type { Meaning } from "./readers.ts";
import type { Tenant } from "./tenant.ts";

/** What one ranking may see. */
export interface View {
  /** Access classes inside the effective scopes that this view may read. */
  classes: readonly number[];
  /** Units that are left out although it may read them, as if they were not there. */
  without?: ReadonlySet<number>;
}

export interface Ranking {
  top: Fused[];
  stages: TraceStage[];
}

interface LegHit {
  uid: number;
  version: number;
  raw: number;
  window: number | null;
}

interface LegRun {
  leg: Leg;
  search: (limit: number) => Promise<{ hits: LegHit[]; exhausted: boolean }>;
}

/**
 * The best `wanted` Units (or groups) that the view may read. `meaning` null: full text alone. The legs go as deep as
 * `query.top_k` asks: more candidates are no reason to fuse deeper.
 */
export async function rank(tenant: Tenant, query: SearchQuery, meaning: Meaning | null, view: View, wanted = query.top_k): Promise<Ranking> {
  const check = new LiveCheck(tenant, view, query.filter);
  const legs = legsOf(tenant, query, meaning, restrictionOf(tenant, query.filter, view), view);
  // Named before they run: stages stand in the order of the legs, not of who was faster.
  const stages = new Map(legs.map(({ leg }): [string, TraceStage] => [leg, { name: leg, ms: 0, in: 0, out: 0 }]));
  for (let depth = Math.max(LEG_DEPTH_MIN, 2 * query.top_k); ; depth *= LEG_REFILL_FACTOR) {
    const filled = await Promise.all(legs.map((leg) => fill(leg, depth, check, stages)));
    const fusing = stopwatch();
    const fused = fuse(filled, (uid) => check.unit_id(uid));
    const top = cut(fused, query, check);
    addStage(
      stages,
      "fuse",
      fusing(),
      filled.reduce((sum, { hits }) => sum + hits.length, 0),
      fused.length,
    );
    if (top.length >= wanted || filled.every(({ exhausted }) => exhausted)) {
      addStage(stages, "acl", check.ms, check.seen, check.passed);
      return { top: atLeast(top.slice(0, wanted), query.min_score), stages: [...stages.values()] };
    }
  }
}

function addStage(stages: Map<string, TraceStage>, name: string, ms: number, incoming: number, outgoing: number): void {
  const before = stages.get(name)?.ms ?? 0;
  stages.set(name, { name, ms: Math.round((before + ms) * 1000) / 1000, in: incoming, out: outgoing });
}

/** Asks a leg for more until `depth` of its hits pass the check or it has no more. */
async function fill(
  { leg, search }: LegRun,
  depth: number,
  check: LiveCheck,
  stages: Map<string, TraceStage>,
): Promise<LegRanking & { exhausted: boolean }> {
  for (let limit = depth; ; limit *= LEG_REFILL_FACTOR) {
    const searching = stopwatch();
    const { hits, exhausted } = await search(limit);
    addStage(stages, leg, searching(), limit, hits.length);
    const passed = check.pass(hits);
    if (passed.length >= depth || exhausted) return { leg, hits: passed.slice(0, depth), exhausted: exhausted && passed.length <= depth };
  }
}

function cut(fused: readonly Fused[], query: SearchQuery, check: LiveCheck): Fused[] {
  if (query.group_by === null) return [...fused];
  const groups = new Set<string>();
  return fused.filter(({ uid }) => {
    const group = check.group(uid);
    return !groups.has(group) && groups.add(group);
  });
}

function atLeast(top: Fused[], minScore: number | null): Fused[] {
  return minScore === null ? top : top.filter(({ score }) => score >= minScore);
}

/**
 * The legs of a query: a vector search for each plane, what is seen and heard on the planes that have it, and full text
 * over the same planes. Planes without Units keep their leg: which legs ran must not tell what the view cannot see.
 */
function legsOf(tenant: Tenant, query: SearchQuery, meaning: Meaning | null, restriction: Restriction | null, view: View): LegRun[] {
  const legs: LegRun[] = [];
  if (meaning !== null) {
    for (const plane of query.planes) legs.push(vectorLeg(tenant, plane, meaning.vector, restriction));
    for (const plane of ["visual", "audio"] as const) {
      if (query.planes.includes(plane)) legs.push(labelLeg(tenant, plane, meaning.labels[plane], restriction, view));
    }
  }
  if (query.mode !== "vector") legs.push(fullTextLeg(tenant, query, restriction));
  return legs;
}

const NOTHING = { hits: [], exhausted: true };

function vectorLeg(tenant: Tenant, plane: Plane, vector: Float32Array, restriction: Restriction | null): LegRun {
  return {
    leg: `vector:${plane}`,
    search: async (limit) => {
      if (restriction === null) return NOTHING;
      const { hits, exhausted } = await tenant.vectors[plane].search(vector, limit, restriction);
      return { hits: hits.map((hit) => ({ ...hit, raw: hit.similarity })), exhausted };
    },
  };
}

const CONTENT_KINDS = { visual: "picture", audio: "sound" } as const;

/** Of the best score. */
const LABEL_SHARE_MIN = 0.1;

/** The catalog answers, which knows nothing of filters: `UNCHECKED` has the hits held to the filter afterwards. */
function labelLeg(tenant: Tenant, plane: "visual" | "audio", labels: LabelQuery, restriction: Restriction | null, view: View): LegRun {
  return {
    leg: `labels:${plane}`,
    search: async (limit) => {
      if (restriction === null || labels.weights.length === 0) return NOTHING;
      const within = { classes: view.classes, uids: restriction.uids };
      const found = tenant.contents.byLabels(CONTENT_KINDS[plane], labels.weights, within, { ...labels, limit });
      // Beside one that shows it clearly, what a label was a faint guess for is noise.
      const clear = found.filter(({ score }) => score >= (found[0]?.score ?? 0) * LABEL_SHARE_MIN);
      const hits = clear.map(({ uid, score }) => ({ uid, version: UNCHECKED, raw: score, window: null }));
      return { hits, exhausted: found.length < limit || clear.length < found.length };
    },
  };
}

/** No Unit has this version, so that the live one is judged. */
const UNCHECKED = -1;

function fullTextLeg(tenant: Tenant, query: SearchQuery, restriction: Restriction | null): LegRun {
  return {
    leg: "fulltext",
    search: async (limit) => {
      if (restriction === null) return NOTHING;
      const { hits, exhausted } = await tenant.fulltext.search({ text: query.q, planes: query.planes, limit, restriction });
      return { hits: hits.map((hit) => ({ ...hit, raw: hit.score, window: null })), exhausted };
    },
  };
}

/**
 * What the engines are told: the view's classes and the filter. A filter they cannot express becomes
 * the list of ids it matches, or, when that is long, its expressible part; the check below does the rest.
 * Null: nothing can match.
 */
function restrictionOf(tenant: Tenant, filter: Filter, view: View): Restriction | null {
  if (view.classes.length === 0) return null;
  const everything = view.classes.length === tenant.catalog.classes().length;
  const classes = everything ? null : [...view.classes].sort((a, b) => a - b);
  if (isNative(filter)) return { classes, filter, uids: null };
  const uids = tenant.catalog.matching(filter, classes, FILTER_IDS_MAX + 1);
  if (uids.length === 0) return null;
  if (uids.length <= FILTER_IDS_MAX) return { classes, filter: MATCH_ALL, uids };
  const native = filter.op === "and" ? { ...filter, of: filter.of.filter(isNative) } : MATCH_ALL;
  return { classes, filter: native, uids: null };
}

/**
 * The second half of "ACL and scope are enforced twice": an id counts only if the catalog's live Unit
 * is in a class of the view. A row of an older version is judged by the live Unit as well.
 */
class LiveCheck {
  private readonly known = new Map<number, LiveUnit | null>();
  private readonly classes: ReadonlySet<number>;
  private readonly without: ReadonlySet<number>;
  private readonly filterInEngines: boolean;
  ms = 0;
  seen = 0;
  passed = 0;

  constructor(
    private readonly tenant: Tenant,
    view: View,
    private readonly filter: Filter,
  ) {
    this.classes = new Set(view.classes);
    this.without = view.without ?? new Set();
    this.filterInEngines = isNative(filter);
  }

  pass(hits: readonly LegHit[]): LegHit[] {
    const checking = stopwatch();
    this.load(hits);
    const passed = hits.filter(({ uid }) => this.known.get(uid));
    this.ms += checking();
    this.seen += hits.length;
    this.passed += passed.length;
    return passed;
  }

  unit_id(uid: number): string {
    return this.known.get(uid)?.unit_id ?? "";
  }

  /** Hits of the same document share a group; a Unit without one is its own. */
  group(uid: number): string {
    const unit = this.known.get(uid);
    return unit?.doc_id ? `doc:${unit.doc_id}` : `unit:${uid}`;
  }

  private load(hits: readonly LegHit[]): void {
    const fresh = hits.filter(({ uid }) => !this.known.has(uid));
    if (fresh.length === 0) return;
    const live = this.tenant.catalog.live(fresh.map(({ uid }) => uid));
    const doubtful: number[] = [];
    for (const { uid, version } of fresh) {
      const unit = live.get(uid);
      const allowed = unit !== undefined && this.classes.has(unit.classId) && !this.without.has(uid);
      this.known.set(uid, allowed ? unit : null);
      if (allowed && !(this.filterInEngines && unit.version === version)) doubtful.push(uid);
    }
    this.recheckFilter(doubtful);
  }

  private recheckFilter(uids: readonly number[]): void {
    if (uids.length === 0) return;
    const units = this.tenant.catalog.byUids(uids);
    for (const uid of uids) {
      const unit = units.get(uid);
      if (!unit || !matches(this.filter, unit)) this.known.set(uid, null);
    }
  }
}

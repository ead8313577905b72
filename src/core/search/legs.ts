/** Legs of a ranking: the restriction that the engines get, the live check of what they return, and the depth to which they are asked. */
import { stopwatch } from "../../base/clock.ts";
import { FILTER_IDS_MAX, FILTER_SCAN_MAX_UNITS, LEG_DEPTH_MAX, LEG_REFILL_FACTOR } from "../../base/limits.ts";
import { ascending, classesAsSet } from "../../domain/access.ts";
import { type Filter, isNative, MATCH_ALL } from "../../domain/filter.ts";
import type { Leg } from "../../domain/hit.ts";
import type { Plane } from "../../domain/plane.ts";
import type { ClassSet, Restriction } from "../../domain/port/index.ts";
import type { LiveUnit, Matches } from "../../domain/port/units.ts";
import type { VectorHit } from "../../domain/port/vector-index.ts";
import type { Tenant } from "../tenant.ts";

/** What one ranking may see. */
export interface Within {
  /** Access classes inside the effective scopes that this view may read. */
  classes: readonly number[];
}

export interface LegHit {
  uid: number;
  version: number;
  /** The leg's own score. */
  raw: number;
  /** How alike the query and what it was compared with are, 0-1: a cosine, or 1 for the name of a label. Null: words were compared. */
  similarity: number | null;
  window: number | null;
}

export interface LegRun {
  leg: Leg;
  /** The best `limit` hits that are in none of the documents `beside`. */
  search: (limit: number, beside: readonly string[]) => Promise<LegFound>;
}

export interface LegFound {
  hits: LegHit[];
  /** There are no more. */
  exhausted: boolean;
  /** Milliseconds of the search; absent: the time until it is there. */
  ms?: number;
}

/** The leg with its first search, to `limit`, under way. `check`: looks at its hits as soon as they are there; null: later. */
export function begun({ leg, search }: LegRun, limit: number, check: LiveCheck | null): LegRun {
  const searching = stopwatch();
  const first = search(limit, []).then(async (found) => {
    const ms = searching();
    await check?.look(found.hits);
    return { ...found, ms };
  });
  // Whoever asks for it gets the failure.
  first.catch(() => {});
  return { leg, search: (asked, beside) => (asked === limit && beside.length === 0 ? first : search(asked, beside)) };
}

/** A version that no Unit has: the live check then applies the filter to the hit. */
export const UNCHECKED = -1;

const NOTHING = { hits: [], exhausted: true };

/**
 * The vectors of these planes in one leg, compared by their cosine with `vector`, so that a plane takes the places that its
 * Units earn. `floor`: what is less alike is no match; null: everything is one.
 */
export function vectorLeg(
  tenant: Tenant,
  planes: readonly Plane[],
  vector: Float32Array,
  restriction: Restriction | null,
  floor: number | null,
): LegRun {
  const isMatch = ({ similarity }: VectorHit) => floor === null || similarity >= floor;
  return {
    leg: "vector",
    search: async (limit, beside) => {
      if (restriction === null) return NOTHING;
      const within = besides(restriction, beside);
      const found = await Promise.all(planes.map((plane) => tenant.vectors[plane].search(vector, limit, within)));
      const hits = found.flatMap((plane) => plane.hits.filter(isMatch)).sort((a, b) => b.similarity - a.similarity || a.uid - b.uid);
      const exhausted = found.every((plane) => plane.exhausted || !plane.hits.every(isMatch));
      return { hits: hits.slice(0, limit).map((hit) => ({ ...hit, raw: hit.similarity })), exhausted: exhausted && hits.length <= limit };
    },
  };
}

/** The restriction without these documents. */
export function besides(restriction: Restriction, documents: readonly string[]): Restriction {
  if (documents.length === 0) return restriction;
  const outside: Filter = { op: "not", of: { op: "in", field: "doc_id", values: [...documents] } };
  return { ...restriction, filter: { op: "and", of: [restriction.filter, outside] } };
}

/**
 * What the engines are told: the view's classes and the filter. A filter they cannot express becomes
 * the list of ids it matches, or, when that is long, its expressible part, and LiveCheck applies the rest.
 * Null: nothing can match.
 */
export async function restrictionOf(tenant: Tenant, filter: Filter, within: Within): Promise<Restriction | null> {
  if (within.classes.length === 0) return null;
  const classes = await classSetOf(tenant, within.classes);
  if (isNative(filter)) return { classes, filter, uids: null };
  const { uids, complete } = await matching(tenant, filter, within.classes);
  if (complete) return uids.length === 0 ? null : { classes, filter: MATCH_ALL, uids };
  const native = filter.op === "and" ? { ...filter, of: filter.of.filter(isNative) } : MATCH_ALL;
  return { classes, filter: native, uids: null };
}

/** Access classes as the engines take them. */
export async function classSetOf({ reader }: Tenant, classes: readonly number[]): Promise<ClassSet> {
  const everything = classes.length === (await reader.access.classes()).length;
  return everything ? null : ascending(classes);
}

/**
 * The scans of a request, by its filter and the classes, since an answer ranks many times with one filter. The filter object
 * belongs to one request, so the scans are forgotten with it.
 */
const matched = new WeakMap<Filter, Map<string, Promise<Matches>>>();

function matching({ reader }: Tenant, filter: Filter, classes: readonly number[]): Promise<Matches> {
  const known = matched.get(filter) ?? new Map<string, Promise<Matches>>();
  matched.set(filter, known);
  const found = known.get(classes.join()) ?? reader.units.matching(filter, classes, FILTER_IDS_MAX, FILTER_SCAN_MAX_UNITS);
  known.set(classes.join(), found);
  return found;
}

/** `cut`: the leg ended at LEG_DEPTH_MAX before it had `depth` hits. `done`: nothing more can be asked for. */
export interface Filled {
  hits: LegHit[];
  done: boolean;
  cut: boolean;
}

/** Asks a leg for more until `depth` of its hits pass the live check, or it has no more, or it is at LEG_DEPTH_MAX. */
export async function fill(
  { search }: Pick<LegRun, "search">,
  depth: number,
  beside: readonly string[],
  check: LiveCheck,
  note: (ms: number, asked: number, found: number) => void = () => {},
): Promise<Filled> {
  for (let limit = depth; ; limit = Math.min(LEG_DEPTH_MAX, limit * LEG_REFILL_FACTOR)) {
    const searching = stopwatch();
    const { hits, exhausted, ms = searching() } = await search(limit, beside);
    note(ms, limit, hits.length);
    const passed = await check.pass(hits);
    const full = passed.length >= depth;
    const cut = !full && !exhausted && limit >= LEG_DEPTH_MAX;
    if (full || exhausted || cut) return { hits: passed.slice(0, depth), done: cut || (exhausted && passed.length <= depth), cut };
  }
}

/** The warning for legs that were cut off at LEG_DEPTH_MAX. */
export function cutWarnings(cut: readonly Leg[]): string[] {
  if (cut.length === 0) return [];
  return [`${cut.join(", ")}: of the best ${LEG_DEPTH_MAX} candidates too few pass the filter, and further ones were not looked at`];
}

/**
 * Checks ids that the engines return against the catalog: one passes only if the live Unit is in a class of the view. The
 * filter is applied again to rows of an older version, and where the engines cannot express it.
 */
export class LiveCheck {
  private readonly known = new Map<number, LiveUnit | null>();
  private readonly classes: ReadonlySet<number>;
  private readonly filterInEngines: boolean;
  ms = 0;
  seen = 0;
  passed = 0;

  constructor(
    private readonly tenant: Tenant,
    { classes }: Within,
    private readonly filter: Filter,
    /** Rows of the catalog as they were read; a Unit that is gone has null. Rankings of one request share them. */
    readonly rows = new Map<number, LiveUnit | null>(),
  ) {
    this.classes = classesAsSet(classes);
    this.filterInEngines = isNative(filter);
  }

  /** Reads what decides about these hits. */
  async look(hits: readonly LegHit[]): Promise<void> {
    const checking = stopwatch();
    await this.load(hits.filter(({ uid }) => !this.known.has(uid)));
    this.ms += checking();
  }

  async pass(hits: readonly LegHit[]): Promise<LegHit[]> {
    await this.look(hits);
    const passed = hits.filter(({ uid }) => this.known.get(uid));
    this.seen += hits.length;
    this.passed += passed.length;
    return passed;
  }

  /** The `unit_id` of a hit that passed. */
  unit_id(uid: number): string {
    return this.known.get(uid)?.unit_id ?? "";
  }

  /** The document of a hit that passed; null for a Unit of none. */
  doc_id(uid: number): string | null {
    return this.known.get(uid)?.doc_id ?? null;
  }

  /** The access class of a hit that passed. */
  classId(uid: number): number | null {
    return this.known.get(uid)?.classId ?? null;
  }

  private async load(fresh: readonly LegHit[]): Promise<void> {
    if (fresh.length === 0) return;
    await this.read(fresh.map(({ uid }) => uid).filter((uid) => !this.rows.has(uid)));
    const allowed = (uid: number) => this.classes.has(this.rows.get(uid)?.classId ?? -1);
    const doubtful = fresh.filter(({ uid, version }) => allowed(uid) && !(this.filterInEngines && this.rows.get(uid)?.version === version));
    const failed = await this.failing(doubtful.map(({ uid }) => uid));
    for (const { uid } of fresh) this.known.set(uid, (allowed(uid) && !failed.has(uid) && this.rows.get(uid)) || null);
  }

  private async read(uids: readonly number[]): Promise<void> {
    if (uids.length === 0) return;
    const live = await this.tenant.reader.units.live(uids);
    for (const uid of uids) this.rows.set(uid, live.get(uid) ?? null);
  }

  private async failing(uids: readonly number[]): Promise<Set<number>> {
    if (uids.length === 0) return new Set();
    const passing = await this.tenant.reader.units.passing(this.filter, uids);
    return new Set(uids.filter((uid) => !passing.has(uid)));
  }
}

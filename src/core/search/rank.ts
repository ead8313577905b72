/** Ranks Units inside the access classes of a view: runs the legs, fuses them, groups, and cuts. */
import { roundMs, stopwatch } from "../../base/clock.ts";
import { GROUP_ROUNDS_MAX, LEG_DEPTH_MAX } from "../../base/limits.ts";
import { once } from "../../base/once.ts";
import type { Leg, LegScore, TraceStage } from "../../domain/hit.ts";
import type { Restriction } from "../../domain/port/index.ts";
import type { Matches } from "../../domain/port/units.ts";
import { EVEN_WEIGHTS, type LegWeights, type SearchQuery } from "../../domain/query.ts";
import { languageOf } from "../../domain/principal.ts";
import { queryForm } from "../../language/language.ts";
import { ENGLISH, type Language } from "../../text/language.ts";
import { isSigns } from "../../text/literals.ts";
import { type QueryTerms, queryTerms } from "../../text/terms.ts";
import { begun, besides, cutWarnings, fill, type Filled, type LegHit, type LegRun, LiveCheck, restrictionOf, UNCHECKED, vectorLeg } from "./legs.ts";
import type { EncodedQuery } from "./models.ts";
import type { Tenant } from "../tenant.ts";

export interface Ranking {
  top: Fused[];
  stages: TraceStage[];
  /** What a limit cut off. */
  warnings: string[];
  /** What the legs found. `complete`: those by likeness and labels have nothing further. */
  matches: Matches;
}

/** A ranking of the Units of some classes, with the search of its words under way: it needs no vector. */
export interface BegunRanking {
  classes: readonly number[];
  /** Of the query. */
  terms: QueryTerms;
  restriction: Restriction | null;
  check: LiveCheck;
  fusion: Fusion;
  /** Candidates of each leg. */
  depth: number;
  /** Null where words count nothing. */
  fulltext: LegRun | null;
}

/**
 * Begins to rank the Units of these classes. `beside`: another ranking of the same request, whose rows of the catalog are used
 * again.
 */
export async function beginRanking(tenant: Tenant, query: SearchQuery, classes: readonly number[], beside?: BegunRanking): Promise<BegunRanking> {
  const fusion = fusionOf(query, languageOf(tenant.namespace));
  // The depth of the legs follows `top_k` and not how many are wanted, since deeper legs measured worse (docs/decision/0004).
  const depth = legDepth(query.top_k, fusion);
  const restriction = await restrictionOf(tenant, query.filter, { classes });
  const usesWords = query.mode !== "vector" && fusion.fulltext > 0;
  const terms = queryTerms(query.q, languageOf(tenant.namespace));
  const check = new LiveCheck(tenant, { classes }, query.filter, beside?.check.rows);
  // What may be hidden is looked at last.
  const fulltext = usesWords ? begun(fullTextLeg(tenant, query, terms, restriction), depth, beside === undefined ? check : null) : null;
  return { classes, terms, restriction, check, fusion, depth, fulltext };
}

/** A query as the encoder gives it, or will; null: full text only. */
export type Encoding = EncodedQuery | null | Promise<EncodedQuery | null>;

/** The best `wanted` Units (or groups). Errors: Fault `unavailable`. */
export async function rank(tenant: Tenant, query: SearchQuery, encoding: Encoding, ranking: BegunRanking, wanted = query.top_k): Promise<Ranking> {
  const { check, fusion } = ranking;
  const stages = new Stages();
  const runs = legsOf(tenant, query, await encoding, ranking);
  // Added before they run, so that stages stand in the order of the legs.
  for (const { leg } of runs) stages.add(leg, 0, 0, 0);
  const legs = runs.map((run): GrowingLeg => ({ run, hits: [], done: false, cut: false }));
  const groups = new Groups(query.group_by === null ? null : query.group_size, check);
  await deepen(legs, groups, wanted, ranking.depth, check, stages);
  const fusing = stopwatch();
  const fused = fuse(
    legs.map(({ run: { leg }, hits }) => ({ leg, hits })),
    (uid) => check.unit_id(uid),
    fusion,
  );
  const top = groups.firstOfEach(fused).slice(0, wanted);
  stages.add("fuse", fusing(), sum(legs.map(({ hits }) => hits.length)), fused.length);
  stages.add("acl", check.ms, check.seen, check.passed);
  return { top: atLeast(top, query.min_score), stages: stages.all(), warnings: warningsOf(legs, groups, wanted), matches: matchesOf(legs) };
}

function matchesOf(legs: readonly GrowingLeg[]): Matches {
  const uids = new Set(legs.flatMap(({ hits }) => hits.map(({ uid }) => uid)));
  return { uids: [...uids], complete: legs.every(({ run: { leg }, done, cut }) => leg === "fulltext" || (done && !cut)) };
}

/** A leg with its hits so far, best first. */
interface GrowingLeg {
  run: LegRun;
  hits: LegHit[];
  done: boolean;
  cut: boolean;
}

/**
 * Fills the legs. Without grouping one round is enough. With it a few documents may take all hits: then each further round
 * searches outside the documents found so far, and finds at least one more if there is one.
 */
async function deepen(legs: readonly GrowingLeg[], groups: Groups, wanted: number, depth: number, check: LiveCheck, stages: Stages): Promise<void> {
  for (let round = 1; round <= GROUP_ROUNDS_MAX; round += 1) {
    const open = legs.filter(({ done }) => !done);
    const known = groups.documents();
    const filled = await Promise.all(
      open.map(({ run }) => fill(run, depth, known, check, (ms, asked, found) => stages.add(run.leg, ms, asked, found))),
    );
    for (const [index, leg] of open.entries()) take(leg, filled[index] as Filled, round === 1 ? null : groups);
    for (const { hits } of open) groups.add(hits);
    if (groups.count >= wanted || legs.every(({ done }) => done)) return;
  }
}

/** Adds the hits of a round to a leg. `known`: the groups of earlier rounds, to which it may add; null in the first round. */
function take(leg: GrowingLeg, { hits, done, cut }: Filled, known: Groups | null): void {
  leg.hits.push(...(known === null ? hits : known.addable(hits, leg.hits)));
  leg.done = done;
  leg.cut ||= cut;
}

/** The groups found so far: documents, and Units that belong to none. Without grouping every Unit is a group. */
class Groups {
  private readonly found = new Map<string, Set<number>>();

  /** `size`: how many hits of a document count; null without grouping. */
  constructor(
    private readonly size: number | null,
    private readonly check: LiveCheck,
  ) {}

  /** How many hits they give. */
  get count(): number {
    return sum([...this.found.values()].map((uids) => Math.min(uids.size, this.room)));
  }

  add(hits: readonly LegHit[]): void {
    for (const { uid } of hits) {
      const group = this.of(uid);
      this.found.set(group, (this.found.get(group) ?? new Set()).add(uid));
    }
  }

  /** The documents among them that have as many hits as count. */
  documents(): string[] {
    const full = [...this.found].filter(([group, uids]) => group.startsWith(DOCUMENT) && uids.size >= this.room);
    return full.map(([group]) => group.slice(DOCUMENT.length));
  }

  /** The best hits of each group that has room for them, without those that a leg has. */
  addable(hits: readonly LegHit[], had: readonly LegHit[]): LegHit[] {
    const known = new Set(had.map(({ uid }) => uid));
    const open = hits.filter(({ uid }) => !known.has(uid) && (this.found.get(this.of(uid))?.size ?? 0) < this.room);
    return this.firstOfEach(open);
  }

  /** The best of each group, in order. */
  firstOfEach<Hit extends { uid: number }>(hits: readonly Hit[]): Hit[] {
    const taken = new Map<string, number>();
    return hits.filter(({ uid }) => {
      const group = this.of(uid);
      const count = (taken.get(group) ?? 0) + 1;
      taken.set(group, count);
      return count <= this.room;
    });
  }

  private get room(): number {
    return this.size ?? 1;
  }

  private of(uid: number): string {
    const document = this.size === null ? null : this.check.doc_id(uid);
    return document === null ? `unit:${uid}` : DOCUMENT + document;
  }
}

const DOCUMENT = "doc:";

/** The stages of a trace, summed by name, in the order in which they were first added. */
class Stages {
  private readonly byName = new Map<string, TraceStage>();

  add(name: string, ms: number, incoming: number, outgoing: number): void {
    const before = this.byName.get(name)?.ms ?? 0;
    this.byName.set(name, { name, ms: roundMs(before + ms), in: incoming, out: outgoing });
  }

  all(): TraceStage[] {
    return [...this.byName.values()];
  }
}

function warningsOf(legs: readonly GrowingLeg[], groups: Groups, wanted: number): string[] {
  const open = groups.count < wanted && legs.some(({ done }) => !done);
  const rounds = open ? [`after ${GROUP_ROUNDS_MAX} rounds there may be documents that were not looked at`] : [];
  return [...cutWarnings(legs.filter(({ cut }) => cut).map(({ run: { leg } }) => leg)), ...rounds];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function atLeast(top: Fused[], minScore: number | null): Fused[] {
  return minScore === null ? top : top.filter(({ score }) => score >= minScore);
}

/**
 * The legs of a query: vectors over its planes, labels of pictures and of sounds, and full text over the same planes. A plane
 * without Units has its labels leg too, since the legs of a trace must not tell what the view cannot see.
 */
function legsOf(
  tenant: Tenant,
  query: SearchQuery,
  encoded: EncodedQuery | null,
  { classes, restriction, fusion, fulltext }: BegunRanking,
): LegRun[] {
  const legs: LegRun[] = [];
  if (encoded !== null) {
    if (fusion.vector > 0) legs.push(vectorLeg(tenant, query.planes, encoded.vector, restriction, encoded.floor));
    for (const plane of ["visual", "audio"] as const) {
      if (encoded.labels !== null && fusion.labels > 0 && query.planes.includes(plane))
        legs.push(labelLeg(tenant, plane, encoded.labels, restriction, classes));
    }
  }
  if (fulltext !== null) legs.push(fulltext);
  return legs;
}

const FEATURE_KINDS = { visual: "picture", audio: "sound" } as const;

/** The least share of the best label score that a hit must have: lower ones are noise. */
export const LABEL_SHARE_MIN = 0.1;

/** Searched in the catalog once, to LEG_DEPTH_MAX, without the filter: `UNCHECKED` makes the live check apply it. */
function labelLeg(
  { reader: { features } }: Tenant,
  plane: "visual" | "audio",
  labelsOf: NonNullable<EncodedQuery["labels"]>,
  restriction: Restriction | null,
  classes: readonly number[],
): LegRun {
  const kind = FEATURE_KINDS[plane];
  const find = once(async () => {
    // A query is compared with every label there is: not for a caller who sees nothing that has one.
    if (restriction === null || !(await features.has(kind, restriction.classes))) return [];
    const { weights, similarity, ...options } = labelsOf(kind);
    if (weights.length === 0) return [];
    const found = await features.byLabels(kind, weights, { classes, uids: restriction.uids }, { ...options, limit: LEG_DEPTH_MAX });
    const least = (found[0]?.score ?? 0) * LABEL_SHARE_MIN;
    return found.filter(({ score }) => score >= least).map((hit) => ({ ...hit, similarity }));
  });
  return {
    leg: `labels:${plane}`,
    search: async (limit, beside) => {
      const found = (await find()).filter(({ doc_id }) => doc_id === null || !beside.includes(doc_id)).slice(0, limit);
      const hits = found.map(({ uid, score, similarity }) => ({ uid, version: UNCHECKED, raw: score, similarity, window: null }));
      return { hits, exhausted: hits.length < limit };
    },
  };
}

function fullTextLeg(tenant: Tenant, query: SearchQuery, terms: QueryTerms, restriction: Restriction | null): LegRun {
  return {
    leg: "fulltext",
    search: async (limit, beside) => {
      if (restriction === null) return { hits: [], exhausted: true };
      const asked = { terms, planes: query.planes, limit, restriction: besides(restriction, beside) };
      const { hits, exhausted } = await tenant.fulltext.search(asked);
      return { hits: hits.map((hit) => ({ ...hit, raw: hit.score, similarity: null, window: null })), exhausted };
    },
  };
}

// --- fusion ----------------------------------------------------------------------------------

/** How the legs of a query are fused. Without weights of the caller's, those of texts have 2 together: scores mean the same whatever is asked. */
export interface Fusion extends LegWeights {
  /** Candidates of each leg: twice `top_k`, and at least this many. */
  depthMin: number;
}

/** Deeper legs are worse where both count the same: a distant place in one should not outweigh a near one in another. */
export const EVEN: Fusion = { depthMin: 20, ...EVEN_WEIGHTS };
/** For statements: of their many words few are what they are about. Chosen on SciFact's training claims (docs/decision/0010). */
const BY_MEANING: Fusion = { depthMin: 50, vector: 4 / 3, fulltext: 2 / 3, labels: 1 };

/**
 * For `-x` or `~=`: encoders take signs for noise and capitals for small letters, and what is near their vector seldom holds them.
 * So little weight lets vectors break ties and fill up, and puts nothing before what full text finds.
 */
const BY_SIGNS: Fusion = { depthMin: 20, vector: 0.02, fulltext: 1.98, labels: 0.02 };

/** The caller's weights, or those that fit the form of the query. */
export function fusionOf({ q, mode, weights }: Pick<SearchQuery, "q" | "mode" | "weights">, language: Language): Fusion {
  if (weights !== null) return { ...EVEN, ...weights };
  if (mode !== "hybrid") return EVEN;
  if (isSigns(q)) return BY_SIGNS;
  return language === ENGLISH && queryForm(q) === "statement" ? BY_MEANING : EVEN;
}

/** How many candidates of each leg are fused for so many hits. */
export function legDepth(topK: number, { depthMin }: Fusion = EVEN): number {
  return Math.max(depthMin, 2 * topK);
}

/** Reciprocal rank fusion's k (Cormack, Clarke and Büttcher, SIGIR 2009). */
export const RRF_K = 60;

/** The result of one leg: Units by descending relevance. */
export interface LegRanking {
  leg: Leg;
  hits: Pick<LegHit, "uid" | "raw" | "similarity" | "window">[];
}

/** A Unit after fusion. `window` is the best window of its vector leg, null when only full text found it. */
export interface Fused {
  uid: number;
  score: number;
  /** The greatest that a leg tells, -1 when none does. */
  similarity: number;
  window: number | null;
  legs: FusedLeg[];
}

/** `contribution`: what the rank adds to the fused score. */
export interface FusedLeg extends LegScore {
  contribution: number;
}

/**
 * Weight of a label leg. A text can rank in two legs, vectors and full text, which have 2 together, but a picture or sound in
 * the label leg only. Labels have a floor, so Units without a fitting label get nothing from the weight. At 2 the first picture
 * and the first text by both its legs are even, and the more similar goes first (docs/decision/0010).
 */
export const LABEL_WEIGHT = 2;

/** The fused score of a text that is the first by its vectors and in full text. */
export const FIRST_IN_BOTH = 2 / (RRF_K + 1);

function weightOf(leg: Leg, { vector, fulltext, labels }: Fusion): number {
  if (leg.startsWith("labels:")) return LABEL_WEIGHT * labels;
  return leg === "fulltext" ? fulltext : vector;
}

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). Equal scores are common, since every leg has a first
 * place: the more similar Unit goes first, then the smaller `tieOf`.
 */
export function fuse(rankings: readonly LegRanking[], tieOf: (uid: number) => string, fusion: Fusion = EVEN): Fused[] {
  const byUid = new Map<number, Fused>();
  for (const { leg, hits } of rankings) {
    const weight = weightOf(leg, fusion);
    hits.forEach(({ uid, raw, similarity, window }, index) => {
      const fused = byUid.get(uid) ?? { uid, score: 0, similarity: -1, window: null, legs: [] };
      const rank = index + 1;
      const contribution = weight / (RRF_K + rank);
      fused.score += contribution;
      fused.legs.push({ leg, rank, raw, contribution });
      fused.similarity = Math.max(fused.similarity, similarity ?? -1);
      fused.window ??= window;
      byUid.set(uid, fused);
    });
  }
  return [...byUid.values()].sort((a, b) => b.score - a.score || b.similarity - a.similarity || (tieOf(a.uid) < tieOf(b.uid) ? -1 : 1));
}

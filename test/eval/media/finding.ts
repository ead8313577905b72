/** Asking for what is shown or heard: the rank of the right file in the whole search and in the leg of labels alone. */
import { LabelIndex } from "../../../src/core/search/features.ts";
import type { Tenant } from "../../../src/core/tenant.ts";
import { contentLabels } from "../../../src/media/labels.ts";
import { mean, share } from "../metrics.ts";
import type { Stand, WireHit } from "../stand.ts";
import { lanes } from "../work.ts";
import { LABEL_SHARE_MIN, LABEL_WEIGHT, legDepth, RRF_K } from "../../../src/core/search/rank.ts";
import { rowsOf } from "../../support/rows.ts";

const TOP = 10;
/** How deep the product's legs go for TOP hits, and how much `explain` is asked to tell. */
const LEG_DEPTH = legDepth(TOP);
const EXPLAINED = 50;
/** What the product has chosen. */
export const CHOSEN = { weight: LABEL_WEIGHT, share: LABEL_SHARE_MIN } as const;

export type Kind = "picture" | "sound";

export interface Ask {
  q: string;
  /** Of which sort the question is, for the tables. */
  sort: string;
  /** Files, by name, that are right. */
  right: ReadonlySet<string>;
}

interface LegPlace {
  leg: string;
  rank: number;
  raw: number | null;
}

export interface ExplainedHit extends WireHit {
  unit_id: string;
  scores: { legs: LegPlace[] };
}

/** A Unit of a leg. */
export interface LegHit {
  unit_id: string;
  file: string;
  score: number;
  /** Of the query and its nearest label. */
  similarity: number;
}

/** What was asked and what came back. Ranks count from 1; 0: not there. */
export interface Asked extends Ask {
  /** In the first ten of the whole search. */
  whole: number;
  /** In the leg alone. */
  alone: number;
  /** Whether the leg gave anything. */
  answered: boolean;
  /** What fusion can be done again from. */
  hits: ExplainedHit[];
  legs: Record<Kind, LegHit[]>;
}

/** The legs of labels as the service runs them, without what cuts them short: for trying other cuts. */
export class LabelLegs {
  private constructor(
    private readonly stand: Stand,
    private readonly index: LabelIndex,
    private readonly tenant: Tenant,
    private readonly visible: readonly number[],
  ) {}

  static async open(stand: Stand, scope: string): Promise<LabelLegs> {
    const known = await contentLabels();
    if (known === null) throw new Error("this build has no models for pictures and sound");
    const { tenant, visible } = await stand.view(scope);
    return new LabelLegs(stand, new LabelIndex(known), tenant, visible);
  }

  /** Every Unit over the floor, best first. Null: the query matches no label. */
  async leg(kind: Kind, q: string): Promise<LegHit[] | null> {
    const { weights, similarity, floor, logarithmic } = this.index.query(kind, q, await this.stand.vectorOf(q));
    if (weights.length === 0) return null;
    return (await this.scored(kind, weights, floor, logarithmic)).map((hit) => ({ ...hit, similarity }));
  }

  async scored(kind: Kind, weights: { label: number; score: number }[], floor: number, logarithmic: boolean): Promise<Omit<LegHit, "similarity">[]> {
    const within = { classes: this.visible, uids: null };
    const found = await rowsOf(this.tenant).features.byLabels(kind, weights, within, { floor, logarithmic, limit: 1_000 });
    const units = rowsOf(this.tenant).catalog.byUids(found.map(({ uid }) => uid));
    return found.flatMap(({ uid, score }) => {
      const unit = units.get(uid);
      return unit === undefined ? [] : [{ unit_id: unit.unit_id, file: unit.doc_id ?? "", score }];
    });
  }
}

/** What is left of a leg beside its best. */
export function cutTo(leg: readonly LegHit[], least: number): LegHit[] {
  return leg.filter(({ score }) => score >= (leg[0]?.score ?? 0) * least).slice(0, LEG_DEPTH);
}

function rankOf(files: readonly string[], right: ReadonlySet<string>): number {
  return files.findIndex((file) => right.has(file)) + 1;
}

/** What fusion can be done again from: the hits of the other legs, and the legs of labels. */
export async function legsOf(stand: Stand, labels: LabelLegs, scope: string, q: string): Promise<{ explained: ExplainedHit[]; legs: Asked["legs"] }> {
  const { hits } = await stand.search(scope, { q, top_k: EXPLAINED, explain: true });
  const [picture, sound] = [await labels.leg("picture", q), await labels.leg("sound", q)];
  return { explained: hits as ExplainedHit[], legs: { picture: picture ?? [], sound: sound ?? [] } };
}

/** Asks everything, in the whole search over all planes, and of the leg of its kind. */
export async function askAll(stand: Stand, scope: string, kind: Kind, asks: readonly Ask[]): Promise<Asked[]> {
  const labels = await LabelLegs.open(stand, scope);
  return lanes(`asking for ${kind}s`, asks, async (ask) => {
    const { hits } = await stand.search(scope, { q: ask.q, top_k: TOP });
    const { explained, legs } = await legsOf(stand, labels, scope, ask.q);
    const alone = cutTo(legs[kind], CHOSEN.share).map(({ file }) => file);
    const whole = hits.map(({ doc_id }) => doc_id);
    return {
      ...ask,
      whole: rankOf(whole, ask.right),
      alone: rankOf(alone, ask.right),
      answered: alone.length > 0,
      hits: explained,
      legs,
    };
  });
}

export interface Fused {
  file: string;
  score: number;
  similarity: number;
  unit_id: string;
}

export interface Fusion {
  /** Of the legs of labels. */
  weight: number;
  /** What a leg of labels keeps, by its best. */
  share: number;
}

/**
 * The first hits when the legs of labels count `weight` and keep what has `share` of their best, from what `explain` tells
 * of the other legs: reciprocal rank fusion as in src/core/search/rank.ts.
 */
export function fusedAgain({ hits, legs }: Pick<Asked, "hits" | "legs">, { weight, share: least }: Fusion): Fused[] {
  const units = new Map<string, Fused>();
  const add = (unit_id: string, file: string, rank: number, counts: number, similarity: number | null) => {
    const one = units.get(unit_id) ?? { file, score: 0, similarity: -1, unit_id };
    units.set(unit_id, { ...one, score: one.score + counts / (RRF_K + rank), similarity: Math.max(one.similarity, similarity ?? -1) });
  };
  for (const { unit_id, doc_id, scores } of hits) {
    for (const { leg, rank, raw } of scores.legs) {
      if (leg.startsWith("labels:") || rank > LEG_DEPTH) continue;
      add(unit_id, doc_id, rank, 1, leg === "vector" ? raw : null);
    }
  }
  for (const kind of ["picture", "sound"] as const) {
    cutTo(legs[kind], least).forEach(({ unit_id, file, similarity }, at) => {
      add(unit_id, file, at + 1, weight, similarity);
    });
  }
  const order = [...units.values()].sort((a, b) => b.score - a.score || b.similarity - a.similarity || (a.unit_id < b.unit_id ? -1 : 1));
  return order.slice(0, TOP);
}

/** The rank of the right file in what is fused again. */
export function refused(asked: Pick<Asked, "hits" | "legs" | "right">, fusion: Fusion): number {
  return rankOf(
    fusedAgain(asked, fusion).map(({ file }) => file),
    asked.right,
  );
}

export interface Ranks {
  n: number;
  r1: number;
  r5: number;
  mrr: number;
}

export function ranks(all: readonly number[]): Ranks {
  return {
    n: all.length,
    r1: share(all, (rank) => rank === 1),
    r5: share(all, (rank) => rank >= 1 && rank <= 5),
    mrr: mean(all.map((rank) => (rank === 0 ? 0 : 1 / rank))),
  };
}

/** How often the fusion that is done again here gives the rank that the service gave: what the tables of it are worth. */
export function fidelity(asked: readonly Asked[]): number {
  return share(asked, (one) => refused(one, CHOSEN) === one.whole);
}

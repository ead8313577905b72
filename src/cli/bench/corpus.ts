/** Texts, vectors and Units to measure on: made from the sentences of the demo, the same in every run. */
import { randomUUID } from "node:crypto";
import { sha256Hex } from "../../base/hash.ts";
import { demoData } from "../../core/demo/demo.ts";
import { indexesOf, storeDrafts, weightOf } from "../../core/units/store.ts";
import { roundToStored } from "../../core/units/vectors.ts";
import { commit, type Tenant } from "../../core/tenant.ts";
import { PLANES, type Plane } from "../../domain/plane.ts";
import type { Encoder, TextWindow } from "../../domain/port/encoder.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import { unitId, type UnitDraft } from "../../domain/unit.ts";

export const SCOPE = "bench";
export const OWNER = "bench-admin";
/** Units carry one of these groups each; a reader in the first seven sees 70 %. */
export const GROUPS = Array.from({ length: 10 }, (_, index) => `group-${index}`);

const SENTENCES_PER_UNIT = 3;
const STORE_BATCH_UNITS = 1_000;
/** Keeps vectors of texts that share sentences apart. */
const NOISE = 0.15;

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export async function sentences(): Promise<string[]> {
  const { units } = await demoData();
  const all = units.flatMap(({ text }) => (text ?? "").split(/(?<=[.!?])\s+/)).map((sentence) => sentence.trim());
  return [...new Set(all.filter((sentence) => sentence.split(" ").length >= 5))];
}

function pick<T>(list: readonly T[], next: () => number): T {
  return list[Math.floor(next() * list.length)] as T;
}

/** Texts of about `words` words. A text stands in no other run: nothing of it is in any cache. */
export async function freshTexts(count: number, words: number, seed: number): Promise<string[]> {
  const pool = await sentences();
  const next = random(seed);
  const run = randomUUID().slice(0, 8);
  return Array.from({ length: count }, (_, index) => {
    const parts = [`${run} ${index}.`];
    for (let length = 2; length < words; ) {
      const sentence = pick(pool, next);
      parts.push(sentence);
      length += sentence.split(" ").length;
    }
    return parts.join(" ").split(" ").slice(0, words).join(" ");
  });
}

/** Questions of six words out of the same sentences. */
export async function questions(count: number, seed: number): Promise<string[]> {
  const words = (await sentences()).join(" ").split(/\s+/);
  const next = random(seed);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(next() * (words.length - 6));
    return `${words.slice(at, at + 6).join(" ")} ${index}`;
  });
}

/** What `storeUnits` makes. */
export interface Filling {
  /** Of these, one after another; absent: of all. */
  planes?: readonly Plane[];
  modality?: "text" | "chunk";
  /** As many are stored already. */
  from?: number;
}

/**
 * Stores Units up to `count` over the planes and all groups. Encoding each would take minutes: the sentences are
 * encoded, and a Unit's vector is the mean of its sentences' with some noise.
 */
export async function storeUnits(
  tenant: Tenant,
  encoder: Encoder,
  count: number,
  onProgress: (units: number) => void,
  { planes = PLANES, modality = "text", from = 0 }: Filling = {},
): Promise<void> {
  const pool = await sentences();
  const vectors = await Promise.all(pool.map(async (text) => (await encoder.encode(text, "ingest"))[0]?.vector ?? new Float32Array()));
  const next = random(count + from);
  // A batch is made and stored while the one before it is being indexed.
  let before: Promise<unknown> = Promise.resolve();
  for (let done = from; done < count; ) {
    const size = Math.min(STORE_BATCH_UNITS, count - done);
    const units = Array.from({ length: size }, (_, index) => {
      const plane = planes[(done + index) % planes.length] ?? "text";
      return unitOf(tenant, { plane, modality }, pool, vectors, done + index, next);
    });
    const windows = new Map(units.map(({ draft, window }) => [sha256Hex(draft.text ?? ""), roundToStored([window])]));
    const drafts = units.map(({ draft }) => draft);
    const store = (tx: NamespaceTransactor) => storeDrafts(tx, tenant.namespace.tier, drafts, windows);
    const stored = commit(tenant, store, { bytes: weightOf(drafts, windows), indexes: indexesOf(drafts) });
    await before;
    before = stored;
    done += size;
    onProgress(done);
  }
  await before;
}

function unitOf(
  tenant: Tenant,
  kind: { plane: Plane; modality: "text" | "chunk" },
  pool: readonly string[],
  vectors: readonly Float32Array[],
  index: number,
  next: () => number,
) {
  const chosen = Array.from({ length: SENTENCES_PER_UNIT }, () => Math.floor(next() * pool.length));
  const text = `${chosen.map((at) => pool[at]).join(" ")} ${index}`;
  const identity = {
    namespace: tenant.namespace.namespace,
    scope: SCOPE,
    acl_owner: OWNER,
    doc_id: `doc-${Math.floor(index / 10)}`,
    path: null,
    source_uri: null,
    locator: null,
    ...kind,
    text,
  };
  const groups = [GROUPS[Math.floor(next() * GROUPS.length)] ?? "group-0"];
  const draft: UnitDraft = { ...identity, unit_id: unitId(identity), acl_groups: groups, mime: null, metadata: { part: index % 100 } };
  const window: TextWindow = {
    start: 0,
    end: text.length,
    vector: mixed(
      chosen.map((at) => vectors[at] as Float32Array),
      next,
    ),
  };
  return { draft, window };
}

function mixed(parts: readonly Float32Array[], next: () => number): Float32Array {
  const sum = new Float32Array(parts[0]?.length ?? 0);
  for (let i = 0; i < sum.length; i += 1) {
    for (const part of parts) sum[i] = (sum[i] ?? 0) + (part[i] ?? 0);
    sum[i] = (sum[i] ?? 0) + (next() - 0.5) * NOISE;
  }
  const norm = Math.hypot(...sum);
  return sum.map((value) => value / norm);
}

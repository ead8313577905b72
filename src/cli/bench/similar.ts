/** Search by example among many pictures. The catalog, which compares all of them, answers the same questions. */
import { indexesOf, storeDrafts } from "../../core/units/store.ts";
import { commit } from "../../core/tenant.ts";
import { MATCH_ALL } from "../../domain/filter.ts";
import { FEATURE_MODELS } from "../../domain/media.ts";
import { type UnitDraft, unitId } from "../../domain/unit.ts";
import { count } from "../format.ts";
import { sendApart } from "./clients.ts";
import { GROUPS, OWNER, random, SCOPE } from "./corpus.ts";
import { atLeast, atMost, type Figure, percentile, timed } from "./measure.ts";
import { steady } from "./served.ts";
import type { Asker, Stand } from "./stand.ts";

const { model, dims } = FEATURE_MODELS.picture;
const STORE_BATCH_UNITS = 1_000;
/** What pictures show: each shows two of them. */
const MOTIFS = 500;
/** How much what all pictures have in common counts beside what a motif has of its own: half of the components are then zeros, as a picture's are. */
const COMMON = 0.6;
const NOISE = 0.4;
const LIMIT = 10;
/** Comparing all takes half a second. */
const EXACT_QUERIES = 40;
/** Of the stand's reader, who sees 70 %. */
const READERS_GROUPS = 7;
const P50_MAX_MS = 12;
const RECALL_MIN_PERCENT = 99;

interface StoredPicture {
  uid: number;
  unit_id: string;
}

export async function benchSimilar(stand: Stand, pictures: number, queries: number): Promise<Figure[]> {
  // Those that both askers may read.
  const stored = (await storePictures(stand, pictures)).filter((_, index) => index % GROUPS.length < READERS_GROUPS);
  const asked = (from: number, some: number) =>
    Array.from({ length: some }, (_, at) => stored[((from + at) * 7_919) % stored.length] as StoredPicture);
  await similar(stand, asked(0, 1), ["admin"]);
  await steady(process.pid);
  await similar(stand, asked(1, queries), ["admin"]);
  const { each } = await similar(stand, asked(queries, 2 * queries), ["admin", "reader"]);
  const [admin, reader] = [0, 1].map((which) =>
    percentile(
      each.filter((_, index) => index % 2 === which),
      0.5,
    ),
  ) as [number, number];
  const { exactMs, recall } = await besideExact(stand, asked(3 * queries, EXACT_QUERIES));
  const name = `similar among ${count(pictures)} pictures, 1 client`;
  return [
    atMost(P50_MAX_MS, { name: `${name}, p50`, value: admin, unit: "ms", baseline: { name: "the catalog comparing all", value: exactMs } }),
    {
      name: `${name}, caller who may read 70 %, p50`,
      value: reader,
      unit: "ms",
      baseline: { name: "in turn with one who may read all", value: admin },
    },
    atLeast(RECALL_MIN_PERCENT, { name: `similar among ${count(pictures)} pictures, recall@${LIMIT}`, value: recall, unit: "%" }),
  ];
}

/** Each names a picture by its Unit. */
function similar(stand: Stand, pictures: readonly StoredPicture[], askers: readonly Asker[]) {
  const requests = pictures.map(({ unit_id }, index) => {
    const token = stand.tokens[askers[index % askers.length] ?? "admin"];
    return { token, path: "/v1/similar", body: { unit_id, top_k: LIMIT } };
  });
  return sendApart({ url: stand.url, clients: 1, requests });
}

/** The median of comparing all, and percent of what that finds that the index finds. */
async function besideExact({ tenant }: Stand, pictures: readonly StoredPicture[]): Promise<{ exactMs: number; recall: number }> {
  const { features, access } = tenant.reader;
  const within = { classes: (await access.classes()).map(({ classId }) => classId), filter: MATCH_ALL };
  const wanted = { limit: LIMIT, least: -1 };
  const [embeddings, exact] = [await features.embeddings(pictures.map(({ uid }) => uid)), new Map<number, number[]>()];
  const vectorOf = (uid: number) => embeddings.get(uid)?.embedding ?? new Float32Array(dims);
  const { each } = await timed(pictures, 1, async ({ uid }) => {
    const all = await features.nearest("picture", model, vectorOf(uid), within, wanted);
    exact.set(
      uid,
      all.map((hit) => hit.uid),
    );
  });
  let found = 0;
  for (const [uid, nearest] of exact) {
    const hits = await tenant.features.nearest("picture", model, vectorOf(uid), within, wanted);
    found += hits.filter((hit) => nearest.includes(hit.uid)).length;
  }
  return { exactMs: percentile(each, 0.5), recall: (100 * found) / (LIMIT * exact.size) };
}

async function storePictures({ tenant }: Stand, pictures: number): Promise<StoredPicture[]> {
  const next = random(pictures);
  const common = Float32Array.from({ length: dims }, () => COMMON * normal(next));
  const motifs = Array.from({ length: MOTIFS }, () => common.map((value) => Math.max(0, value + normal(next))));
  const motif = () => motifs[Math.floor(next() * MOTIFS)] as Float32Array;
  const stored: StoredPicture[] = [];
  while (stored.length < pictures) {
    const size = Math.min(STORE_BATCH_UNITS, pictures - stored.length);
    const drafts = Array.from({ length: size }, (_, index) => draftOf(tenant.namespace.namespace, stored.length + index));
    const upserted = await commit(
      tenant,
      async (tx) => {
        const units = await storeDrafts(tx, tenant.namespace.tier, drafts, new Map());
        for (const { uid } of units) await tx.features.put(uid, model, { kind: "picture", labels: [], embedding: picture(motif(), motif(), next) });
        return units;
      },
      { indexes: indexesOf(drafts) },
    );
    stored.push(...upserted);
  }
  return stored;
}

function draftOf(namespace: string, index: number): UnitDraft {
  const file = { doc_id: `picture-${index}`, source_uri: `bench:picture-${index}`, path: null, text: null, locator: null };
  const identity = { namespace, scope: SCOPE, acl_owner: OWNER, ...file, modality: "image", plane: "visual" } as const;
  return { ...identity, unit_id: unitId(identity), acl_groups: [GROUPS[index % GROUPS.length] ?? ""], mime: "image/png", metadata: null };
}

/** The embedding of a picture that shows two motifs: of length 1, and no component below zero, as the classifier's are. */
function picture(one: Float32Array, other: Float32Array, next: () => number): Float32Array {
  const share = next();
  const sum = one.map((value, at) => Math.max(0, share * value + (1 - share) * (other[at] as number)) * Math.max(0, 1 + NOISE * normal(next)));
  const norm = Math.hypot(...sum);
  return sum.map((value) => value / norm);
}

/** About normal, with deviation 1. */
function normal(next: () => number): number {
  return (next() + next() + next() + next() - 2) * Math.sqrt(3);
}

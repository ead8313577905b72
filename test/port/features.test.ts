/** What every FeatureIndex promises, tried on the catalogs, which compare all, and on vectors in memory over each of them. */
import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { MemoryStore } from "../../src/adapter/memory/namespace-store.ts";
import { ResidentFeatureIndex } from "../../src/adapter/resident/feature-index.ts";
import { createCheckpointSigner } from "../../src/adapter/sqlite/checkpoint.ts";
import { openSqliteStore } from "../../src/adapter/sqlite/namespace-store.ts";
import { type Log, silentLog } from "../../src/base/log.ts";
import { MemoryShare } from "../../src/base/memory-share.ts";
import { type Filter, MATCH_ALL, parseFilter } from "../../src/domain/filter.ts";
import type { Features } from "../../src/domain/media.ts";
import type { FeatureIndex } from "../../src/domain/port/feature-index.ts";
import type { NamespaceReader, NamespaceStore } from "../../src/domain/port/store.ts";
import type { UnitDraft } from "../../src/domain/unit.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { draftOf } from "./store-conformance.ts";

const DIMS = 40;
const MODEL = "eye";
const ENOUGH_BYTES = 64 * 1024 * 1024;
const signer = createCheckpointSigner(generateKeyPairSync("ed25519").privateKey);

type OpenStore = () => { store: NamespaceStore; remove(): void };

const stores: Record<string, OpenStore> = {
  SQLite: () => {
    const root = temporaryDirectory();
    const paths = { path: `${root}/catalog.db`, checkpointPath: `${root}/audit.note` };
    const store = openSqliteStore({ ...paths, namespace: "n", now: Date.now, model: "m", signer, log: silentLog });
    return { store, remove: () => rmSync(root, { recursive: true }) };
  },
  memory: () => ({ store: new MemoryStore({ namespace: "n", now: Date.now, model: "m" }), remove: () => {} }),
};

interface World {
  store: NamespaceStore;
  index: FeatureIndex;
  /** Resolves when nothing is read in the background any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

function plain(open: OpenStore): World {
  const { store, remove } = open();
  return { store, index: store.reader.features, settled: async () => {}, close: () => store.close().then(remove) };
}

function resident(
  open: OpenStore,
  { bytes = ENOUGH_BYTES, log = silentLog } = {},
): World & { fullScans: () => number; failReads(times: number): void } {
  const { store, remove } = open();
  const counted = countScans(store.reader);
  const index = new ResidentFeatureIndex(counted.reader, { memory: new MemoryShare(bytes), log });
  store.watch((uids) => index.changed(uids));
  const close = async () => {
    await index.close();
    await store.close();
    remove();
  };
  return { store, index, settled: () => index.loaded(), close, ...counted };
}

/** The reader, counting when all embeddings are compared. `failReads`: the next reads of embeddings fail. */
function countScans({ units, features }: NamespaceReader) {
  let scans = 0;
  let failures = 0;
  const overridden: Partial<NamespaceReader["features"]> = {
    nearest: (kind, model, vector, within, wanted) => {
      scans += Number(within.uids === undefined);
      return features.nearest(kind, model, vector, within, wanted);
    },
    embeddings: async (uids) => {
      if (failures-- > 0) throw new Error("a disk that cannot be read");
      return features.embeddings(uids);
    },
  };
  const get = (_: object, name: keyof typeof features) => overridden[name] ?? features[name];
  const reader = { units, features: new Proxy(features, { get } as ProxyHandler<typeof features>) };
  return {
    reader,
    fullScans: () => scans,
    failReads: (times: number) => {
      failures = times;
    },
  };
}

const vector = (...values: number[]) => Float32Array.from({ length: DIMS }, (_, at) => values[at] ?? 0);
const ask = (world: World, { classes, filter = MATCH_ALL, limit = 10, least = -2, by = vector(1) }: Partial<Asked> = {}) =>
  allClasses(world).then((all) => world.index.nearest("picture", MODEL, by, { classes: classes ?? all, filter }, { limit, least }));

interface Asked {
  classes: readonly number[];
  filter: Filter;
  limit: number;
  least: number;
  by: Float32Array;
}

async function allClasses({ store }: World): Promise<number[]> {
  return (await store.reader.access.classes()).map(({ classId }) => classId);
}

/** Stores a Unit with a picture, or another kind of content; its uid. */
async function put(
  { store }: World,
  name: string,
  embedding: Float32Array,
  more: Partial<UnitDraft> = {},
  kind: Features["kind"] = "picture",
  model = MODEL,
) {
  const draft = draftOf(null, { source_uri: name, plane: "visual", modality: "image", ...more });
  const { value } = await store.transact(async (tx) => {
    const [{ uid } = { uid: 0 }] = await tx.units.upsert([draft], new Map());
    await tx.features.put(uid, model, { kind, labels: [], embedding });
    return uid;
  });
  return value;
}

const worlds = Object.entries(stores).flatMap(([name, open]): [string, () => World][] => [
  [name, () => plain(open)],
  [`vectors in memory over ${name}`, () => resident(open)],
  [`vectors without memory over ${name}`, () => resident(open, { bytes: 0 })],
]);

describe.each(worlds)("features in %s", (_, open) => {
  let world: World;
  beforeEach(async () => {
    world = open();
    // So that what follows reaches vectors that are in memory.
    await ask(world);
    await world.settled();
  });
  afterEach(() => world.close());

  test("are found by their cosine, the best first and then by uid, of one kind and model", async () => {
    const uids = [
      await put(world, "a", vector(1)),
      await put(world, "b", vector(1, 1)),
      await put(world, "c", vector(2)),
      await put(world, "d", vector(-1)),
    ];
    await put(world, "e", vector(1), {}, "sound");
    await put(world, "f", vector(1), {}, "picture", "another");
    const [a, b, c, d] = uids as [number, number, number, number];
    const found = await ask(world);
    expect(found.map(({ uid }) => uid)).toEqual([a, c, b, d]);
    expect(found.map(({ score }) => score)).toEqual([1, 1, expect.closeTo(Math.SQRT1_2, 3), -1]);
    expect((await ask(world, { limit: 2 })).map(({ uid }) => uid)).toEqual([a, c]);
    expect((await ask(world, { limit: 3, least: 0.8 })).map(({ uid }) => uid)).toEqual([a, c]);
    expect((await ask(world, { least: -0.5 })).map(({ uid }) => uid)).toEqual([a, c, b]);
  });

  test("are those of the classes and of the filter, whatever it compares", async () => {
    const mine = await put(world, "mine", vector(1), { metadata: { size: 5 } });
    const page = await put(world, "page", vector(1, 0.1), { plane: "doc_visual", modality: "doc_page", metadata: { size: 7 } });
    const hers = await put(world, "hers", vector(1, 0.2), { acl_owner: "eve", doc_id: "d" });
    const [first = 0, second = 0] = await allClasses(world);
    const uids = async (asked: Partial<Asked>) => (await ask(world, asked)).map(({ uid }) => uid);
    expect(await uids({ classes: [second] })).toEqual([hers]);
    expect(await uids({ classes: [second, first] })).toEqual([mine, page, hers]);
    expect(await uids({ classes: [] })).toEqual([]);
    for (let twice = 0; twice < 2; twice += 1) {
      expect(await uids({ filter: parseFilter({ doc_id: "d" }) })).toEqual([hers]);
      expect(await uids({ filter: parseFilter({ plane: "doc_visual" }) })).toEqual([page]);
      expect(await uids({ filter: parseFilter({ $not: { plane: { $prefix: "doc" } } }) })).toEqual([mine, hers]);
      expect(await uids({ filter: parseFilter({ "metadata.size": { $gt: 5 } }) })).toEqual([page]);
      expect(await uids({ filter: parseFilter({ modality: "image" }), classes: [first] })).toEqual([mine]);
      await world.settled();
    }
  });

  test("are what they are after each commit", async () => {
    const moved = await put(world, "moved", vector(1));
    const other = await put(world, "other", vector(1, 1));
    const seen = async (classes: readonly number[]) => (await ask(world, { classes })).map(({ uid }) => uid);
    const [first = 0] = await allClasses(world);
    const draft = draftOf(null, { source_uri: "moved", plane: "visual", modality: "image" });
    await world.store.transact((tx) => tx.units.upsert([{ ...draft, acl_groups: ["staff"] }], new Map()));
    const second = (await allClasses(world)).find((id) => id !== first) ?? 0;
    expect([await seen([first]), await seen([second])]).toEqual([[other], [moved]]);
    await world.store.transact((tx) => tx.features.put(other, MODEL, { kind: "picture", labels: [], embedding: vector(0, 1) }));
    expect((await ask(world, { by: vector(0, 1) })).map(({ uid }) => uid)).toEqual([other, moved]);
    await world.store.transact((tx) => tx.units.remove([moved]));
    expect((await ask(world)).map(({ uid }) => uid)).toEqual([other]);
    const undone = world.store.transact(async (tx) => {
      await tx.units.remove([other]);
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    expect((await ask(world)).map(({ uid }) => uid)).toEqual([other]);
  });
});

/** Some that are the same, some that nearly are, and classes that change. */
class Changes {
  private readonly names = new Map<string, number>();
  private readonly pool: Float32Array[];

  constructor(
    private readonly random: Random,
    private readonly world: World,
  ) {
    this.pool = Array.from({ length: 12 }, () => this.sparse());
  }

  /** As embeddings of pictures are: half zeros, and nothing below. */
  sparse(): Float32Array {
    return Float32Array.from({ length: DIMS }, () => Math.max(0, this.random.normal()));
  }

  embedding(): Float32Array {
    const base = this.random.pick(this.pool);
    return this.random.chance(0.5) ? base : base.map((value) => value * (1 + 0.02 * this.random.normal()));
  }

  async make(): Promise<void> {
    const { random, world } = this;
    const name = `unit ${random.integer(0, 150)}`;
    const known = this.names.get(name);
    const more = { acl_groups: random.some(["a", "b"], 0.5), metadata: { part: random.integer(0, 2) } };
    if (known !== undefined && random.chance(0.3)) {
      await world.store.transact((tx) => tx.units.remove([known]));
      this.names.delete(name);
    } else if (known !== undefined && random.chance(0.5)) {
      const draft = draftOf(null, { source_uri: name, plane: "visual", modality: "image", ...more });
      await world.store.transact((tx) => tx.units.upsert([draft], new Map()));
    } else this.names.set(name, await put(world, name, this.embedding(), more, random.chance(0.9) ? "picture" : "sound"));
  }

  async question(): Promise<Asked> {
    const { random } = this;
    const classes = random.some(await allClasses(this.world), 0.7);
    const filter = random.pick([
      MATCH_ALL,
      MATCH_ALL,
      parseFilter({ "metadata.part": random.integer(0, 2) }),
      parseFilter({ "metadata.part": { $gt: 0 } }),
    ]);
    return { classes, filter, limit: random.pick([1, 5, 30]), least: random.pick([-2, -2, 0.6]), by: this.embedding() };
  }
}

test("vectors in memory give what the catalog gives, after any changes, also while they are being read", async () => {
  const world = resident(stores.SQLite as OpenStore);
  const random = new Random(SEED);
  const changes = new Changes(random, world);
  for (let step = 0; step < 200; step += 1) await changes.make();
  for (let step = 0; step < 300; step += 1) {
    if (step === 20) await world.settled();
    await changes.make();
    const { by, limit, least, ...within } = await changes.question();
    const exact = await world.store.reader.features.nearest("picture", MODEL, by, within, { limit, least });
    expect(await world.index.nearest("picture", MODEL, by, within, { limit, least })).toEqual(exact);
  }
  await world.settled();
  const scans = world.fullScans();
  expect((await ask(world)).length).toBe(10);
  expect((await ask(world, { filter: parseFilter({ "metadata.part": 1 }) })).length).toBe(10);
  expect(world.fullScans()).toBe(scans);
  await world.close();
});

test("of more rows than are all compared, hardly one is missed", async () => {
  const world = resident(stores.SQLite as OpenStore);
  const random = new Random(SEED);
  const changes = new Changes(random, world);
  const common = changes.sparse();
  const kinds = Array.from({ length: 60 }, () => changes.sparse().map((value, at) => value + (common[at] ?? 0)));
  const one = () => random.pick(kinds).map((value) => Math.max(0, value + 0.4 * random.normal()));
  await world.store.transact(async (tx) => {
    const drafts = Array.from({ length: 9_000 }, (_, at) => draftOf(null, { source_uri: `${at}`, plane: "visual", modality: "image" }));
    for (const { uid } of await tx.units.upsert(drafts, new Map()))
      await tx.features.put(uid, MODEL, { kind: "picture", labels: [], embedding: one() });
  });
  await ask(world);
  await world.settled();
  const scans = world.fullScans();
  let found = 0;
  const questions = Array.from({ length: 60 }, one);
  for (const by of questions) {
    const classes = await allClasses(world);
    const exact = await world.store.reader.features.nearest("picture", MODEL, by, { classes, filter: MATCH_ALL }, { limit: 11, least: -2 });
    const told = new Map((await ask(world, { by, limit: 11 })).map(({ uid, score }) => [uid, score]));
    found += exact.filter(({ uid, score }) => told.get(uid) === score).length;
  }
  expect(found / (11 * questions.length)).toBeGreaterThanOrEqual(0.99);
  expect(world.fullScans()).toBe(scans);
  await world.close();
});

test("without memory every search compares all, and says so once", async () => {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warned.push(message) };
  const world = resident(stores.memory as OpenStore, { bytes: 1_000, log });
  const uid = await put(world, "a", vector(1));
  await ask(world);
  await world.settled();
  const scans = world.fullScans();
  for (let round = 1; round <= 3; round += 1) {
    expect(await ask(world)).toEqual([{ uid, score: 1 }]);
    expect(world.fullScans()).toBe(scans + round);
  }
  expect(warned).toEqual(["there is no memory left for vectors: they are searched on disk"]);
  await world.close();
});

test("when a change cannot be read, all is read again", async () => {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => warned.push(message) };
  const world = resident(stores.memory as OpenStore, { log });
  const first = await put(world, "a", vector(1));
  await ask(world);
  await world.settled();
  world.failReads(1);
  const second = await put(world, "b", vector(1, 1));
  for (let twice = 0; twice < 2; twice += 1) {
    expect((await ask(world)).map(({ uid }) => uid)).toEqual([first, second]);
    await world.settled();
  }
  expect(warned).toEqual(["changed pictures and sounds could not be read: all are read again"]);
  const scans = world.fullScans();
  expect((await ask(world)).map(({ uid }) => uid)).toEqual([first, second]);
  expect(world.fullScans()).toBe(scans);
  await world.close();
});

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import wabt from "wabt";
import { silentLog } from "../../src/base/log.ts";
import { MemoryShare } from "../../src/base/memory-share.ts";
import { MATCH_ALL } from "../../src/domain/filter.ts";
import type { VectorTable } from "../../src/domain/port/vector-index.ts";
import { MemoryVectorIndex } from "../../src/adapter/memory/vector-index.ts";
import { attributeRows } from "../../src/adapter/resident/attributes.ts";
import { BestRows } from "../../src/base/best-rows.ts";
import { KernelMemory } from "../../src/adapter/resident/kernel.ts";
import { ResidentVectorIndex } from "../../src/adapter/resident/vector-index.ts";
import { VectorCodes } from "../../src/adapter/resident/vector-codes.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

const KERNEL = new URL("../../src/adapter/resident/scan.wat", import.meta.url);
const EVERYTHING = { classes: null, filter: MATCH_ALL, uids: null };

test("scan.wasm is scan.wat assembled", async () => {
  const { parseWat } = await wabt();
  const source = parseWat("scan.wat", await Bun.file(KERNEL).text(), { simd: true, relaxed_simd: true });
  source.validate();
  const checkedIn = await Bun.file(new URL("scan.wasm", KERNEL)).bytes();
  expect(Buffer.compare(source.toBinary({}).buffer, checkedIn)).toBe(0);
});

test("the best rows are those that a sort puts first, and a tie with the last of them is told", () => {
  // Whole numbers tie often. A zero has no sign here.
  const score = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 5 })).map((value) => value + 0);
  fc.assert(
    fc.property(fc.array(score), fc.integer({ min: 1, max: 20 }), (scores, limit) => {
      const best = new BestRows(limit);
      for (const [row, score] of scores.entries()) best.offer(row, score);
      const kept = best.rows().sort((a, b) => b.score - a.score);
      const sorted = [...scores].sort((a, b) => b - a);
      expect(kept.map(({ score }) => score)).toEqual(sorted.slice(0, limit));
      expect(kept.every(({ row, score }) => scores[row] === score)).toBe(true);
      expect(best.tied).toBe(sorted.length > limit && sorted[limit] === sorted[limit - 1] ? (sorted[limit] as number) : null);
    }),
    { seed: SEED },
  );
});

test("the kernel's cut is the least distance up to which there are enough rows, in whatever order they stand", () => {
  const farthest = 60;
  const memory = new KernelMemory();
  const distances = memory.allocate(2 * 240);
  const classes = memory.allocate(4 * 240);
  const allowed = memory.allocate(1);
  const histogram = memory.allocate(4 * (farthest + 1));
  const state = memory.allocate(8);
  memory.bytes[allowed] = 1;
  const count = fc.integer({ min: 1, max: 30 }).map((groups) => 8 * groups);
  const given = count.chain((count) => fc.array(fc.integer({ min: 0, max: farthest }), { minLength: count, maxLength: count }));
  fc.assert(
    fc.property(given, fc.integer({ min: 1, max: 240 }), (each, wanted) => {
      new Uint16Array(memory.kernel.memory.buffer, distances, each.length).set(each);
      memory.words.fill(0, histogram / 4, histogram / 4 + farthest + 1);
      memory.words.set([0, farthest], state / 4);
      memory.kernel.tally(distances, each.length, classes, allowed, 0, wanted, histogram, state);
      const cut = each.sort((a, b) => a - b)[wanted - 1] ?? farthest;
      expect(memory.words[state / 4 + 1]).toBe(cut);
      expect(memory.words[state / 4]).toBe(each.filter((distance) => distance <= cut).length);
    }),
    { seed: SEED },
  );
});

describe("a kernel's memory", () => {
  test("has zeros where parts were given back, and grows by none that take their place", () => {
    const memory = new KernelMemory(false);
    const kept = memory.allocate(64);
    memory.bytes.fill(7, kept, kept + 64);
    const sizes = [64, 100, 5_000, 40_000, 3_000_000];
    const first = sizes.map((bytes) => memory.allocate(bytes));
    const total = memory.bytes.length;
    for (const [index, at] of first.entries()) {
      const bytes = sizes[index] as number;
      memory.bytes.fill(7, at, at + bytes);
      memory.free(at, bytes);
    }
    expect(sizes.map((bytes) => memory.allocate(bytes))).toEqual(first);
    expect(memory.bytes.length).toBe(total);
    const others = memory.bytes.slice();
    others.fill(0, kept, kept + 64);
    expect(others.every((byte) => byte === 0)).toBe(true);
    expect(memory.bytes.subarray(kept, kept + 64).every((byte) => byte === 7)).toBe(true);
  });

  test("is shared by small indexes, each with its own rows, and left by one that grows", async () => {
    const random = new Random(SEED);
    const dims = 16;
    const own = () => new VectorCodes(dims);
    const [one, other] = [own(), own()];
    const all = vectors(random, 20_000, dims);
    const add = (codes: VectorCodes, uid: number, vector: Float32Array) => codes.add({ uid, version: 1, classId: 0, window: 0, vector });
    for (const [uid, vector] of all.slice(0, 4_000).entries()) {
      add(one, uid, vector);
      add(
        other,
        uid,
        vector.map((value) => -value),
      );
    }
    const [query] = vectors(random, 1, dims) as [Float32Array];
    const best = async (codes: VectorCodes) => (await codes.search(query, 5, null, null)).hits.map(({ uid }) => uid);
    const nearest = (sign: number, count: number) =>
      all
        .slice(0, count)
        .map((vector, uid) => ({ uid, score: sign * cosine(query, vector) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 5)
        .map(({ uid }) => uid);
    expect([await best(one), await best(other)]).toEqual([nearest(1, 4_000), nearest(-1, 4_000)]);
    for (const [uid, vector] of all.entries()) if (uid >= 4_000) add(one, uid, vector);
    expect([await best(one), await best(other)]).toEqual([nearest(1, 20_000), nearest(-1, 4_000)]);
    // What is given back while it is searched is not given to another before.
    const searching = best(other);
    other.release();
    const third = own();
    for (const [uid, vector] of all.slice(0, 4_000).entries()) add(third, uid, vector);
    expect(await searching).toEqual(nearest(-1, 4_000));
    expect(await best(third)).toEqual(nearest(1, 4_000));
  });
});

function vectors(random: Random, count: number, dims: number): Float32Array[] {
  return Array.from({ length: count }, () => Float32Array.from({ length: dims }, () => random.normal()));
}

function cosine(a: Float32Array, b: Float32Array): number {
  const sums = { ab: 0, aa: 0, bb: 0 };
  for (let i = 0; i < a.length; i += 1) {
    const [x, y] = [a[i] as number, b[i] as number];
    sums.ab += x * y;
    sums.aa += x * x;
    sums.bb += y * y;
  }
  return sums.ab / Math.sqrt(sums.aa * sums.bb);
}

describe("vectors in memory", () => {
  test("give the cosines of full precision, whatever the length and number of components", async () => {
    const random = new Random(SEED);
    for (const dims of [1, 15, 16, 17, 384, 1_024]) {
      const codes = new VectorCodes(dims);
      const all = vectors(random, 40, dims);
      for (const [uid, vector] of all.entries())
        codes.add({ uid, version: 1, classId: 0, window: 0, vector: vector.map((value) => value * (uid + 1)) });
      const [query] = vectors(random, 1, dims) as [Float32Array];
      const { hits } = await codes.search(query, 40, null, null);
      expect(hits.length).toBe(40);
      for (const { uid, similarity } of hits) expect(similarity).toBeCloseTo(cosine(query, all[uid] as Float32Array), 3);
    }
  });

  test("zeros are like nothing", async () => {
    const codes = new VectorCodes(16);
    codes.add({ uid: 1, version: 1, classId: 0, window: 0, vector: new Float32Array(16) });
    expect(await codes.search(new Float32Array(16).fill(1), 5, null, null)).toEqual({
      hits: [{ uid: 1, version: 1, window: 0, similarity: 0 }],
      exhausted: true,
    });
  });

  test("a search that others interrupt gives no row of what was removed, and none to a class that may not see it", async () => {
    const random = new Random(SEED);
    const codes = new VectorCodes(16);
    // All the same, so that bits leave none out.
    const [vector] = vectors(random, 1, 16) as [Float32Array];
    for (let uid = 0; uid < 70_000; uid += 1) codes.add({ uid, version: 1, classId: uid % 2, window: 0, vector });
    let ended = false;
    const searching = codes.search(vector, 50, [0], null).finally(() => {
      ended = true;
    });
    // Were it not interrupted, it would end among these.
    for (let turn = 0; turn < 20; turn += 1) await null;
    expect(ended).toBe(false);
    for (let uid = 0; uid < 2_000; uid += 2) codes.remove(uid);
    for (let uid = 0; uid < 1_000; uid += 1) codes.add({ uid: 100_000 + uid, version: 1, classId: 1, window: 0, vector });
    const { hits } = await searching;
    expect(hits.length).toBe(50);
    expect(hits.every(({ uid }) => uid < 70_000 && uid % 2 === 0 && uid >= 2_000)).toBe(true);
  });
});

/** More rows than one block has: bits choose those that are compared. */
describe("many vectors in memory", () => {
  const DIMS = 384;
  const ROWS = 12_000;
  /** Twice what 12 bits a component may move a cosine by. */
  const ROUNDING = 1e-4;
  const random = new Random(SEED);
  const [common, ...topics] = vectors(random, 301, DIMS) as [Float32Array, ...Float32Array[]];
  const near = (vector: Float32Array, spread: number) => vector.map((value) => value + spread * random.normal());
  /** As sentences are: all have a direction in common. Every other row is a copy of the one before, but for a fiftieth. */
  const sentence = () => near(random.pick(topics), 0.8).map((value, i) => value + 1.5 * (common[i] ?? 0));
  const rows: Float32Array[] = [];
  while (rows.length < ROWS) {
    const one = sentence();
    rows.push(one, near(one, 0.2));
  }
  // Classes hold 89 %, 10 %, 1 % and 0.1 % of the rows.
  const classOf = (uid: number) => (uid % 1_000 === 0 ? 4 : uid % 100 === 1 ? 3 : uid % 10 === 2 ? 2 : 1);
  const queries = Array.from({ length: 15 }, (_, i) => (i % 2 === 0 ? sentence() : near(random.pick(rows), 0.2)));
  const filled = (uids: readonly number[]) => {
    const codes = new VectorCodes(DIMS);
    for (const uid of uids) codes.add({ uid, version: 1, classId: classOf(uid), window: 0, vector: rows[uid] as Float32Array });
    return codes;
  };
  const everyUid = rows.map((_, uid) => uid);
  const codes = filled(everyUid);

  test("are found as an exact comparison finds them, also copies, and under every restriction", async () => {
    const sets = { everything: [1, 2, 3, 4], "10 %": [2], "1 %": [3], "0.1 %": [4] };
    const found = new Map<string, number>();
    for (const query of queries) {
      const alike = rows.map((row) => cosine(query, row));
      for (const [name, classes] of Object.entries(sets)) {
        const inside = everyUid.filter((uid) => classes.includes(classOf(uid)));
        const least = inside.map((uid) => alike[uid] as number).sort((a, b) => b - a)[9] as number;
        const count = (name: string, hits: readonly { uid: number }[]) => {
          expect(hits.length).toBe(10);
          const right = hits.filter(({ uid }) => (alike[uid] as number) > least - ROUNDING);
          found.set(name, (found.get(name) ?? 0) + right.length / hits.length / queries.length);
        };
        const mask = new Uint8Array(ROWS);
        for (const row of codes.rowsOf(inside)) mask[row] = 1;
        count(`${name} by class`, (await codes.search(query, 10, classes, null)).hits);
        count(`${name} by mask`, (await codes.search(query, 10, null, mask)).hits);
        count(`${name} by list`, (await codes.search(query, 10, null, codes.rowsOf(inside))).hits);
      }
    }
    for (const [name, recall] of found) expect({ name, enough: recall >= 0.99, recall }).toEqual({ name, enough: true, recall });
  });

  test("are ranked without a trace of rows that may not be seen", async () => {
    const seen = everyUid.filter((uid) => uid < 4_096 || classOf(uid) !== 1);
    const alone = filled(seen);
    for (const query of queries) expect(await codes.search(query, 20, [2, 3, 4], null)).toEqual(await alone.search(query, 20, [2, 3, 4], null));
  });

  test("are found by searches at the same time as by each of them alone", async () => {
    const even = Uint8Array.from(everyUid, (uid) => (uid % 2 === 0 ? 1 : 0));
    const asked = queries.flatMap((query, index) => [
      { query, limit: 10 + index, classes: null, mask: null },
      { query, limit: 5, classes: [2, 3], mask: null },
      { query, limit: 20, classes: null, mask: even },
    ]);
    const search = ({ query, limit, classes, mask }: (typeof asked)[number]) => codes.search(query, limit, classes, mask);
    const alone: Awaited<ReturnType<typeof search>>[] = [];
    for (const one of asked) alone.push(await search(one));
    // More than a pass takes, and others than those that it knows the distances of.
    expect(await Promise.all([...asked].reverse().map(search))).toEqual(alone.reverse());
  });

  test("are found as they stand when the search's turn comes", async () => {
    const changing = filled(everyUid.slice(0, 6_000));
    const [query] = queries as [Float32Array];
    const { hits } = await changing.search(query, 5, null, null);
    const searches = Promise.all([changing.search(query, 4, null, null), changing.search(queries[1] as Float32Array, 4, null, null)]);
    changing.remove(hits[0]?.uid ?? -1);
    changing.add({ uid: 50_000, version: 1, classId: 2, window: 0, vector: query });
    const [first] = await searches;
    expect(first.hits.map(({ uid }) => uid)).toEqual([50_000, ...hits.slice(1, 4).map(({ uid }) => uid)]);
  });

  test("are the lowest ids of those that are equally similar, in whatever order they stand", async () => {
    const uids = everyUid.slice(0, 6_000).reverse();
    const [vector] = rows as [Float32Array];
    const same = new VectorCodes(DIMS);
    for (const uid of uids) same.add({ uid, version: 1, classId: classOf(uid), window: 0, vector });
    const lowest = (classes: readonly number[]) => everyUid.filter((uid) => classes.includes(classOf(uid))).slice(0, 20);
    for (const classes of [[1, 2, 3, 4], [2]]) {
      const listed = same.rowsOf(uids.filter((uid) => classes.includes(classOf(uid))));
      for (const found of [await same.search(vector, 20, classes, null), await same.search(vector, 20, null, listed)]) {
        expect(found.hits.map(({ uid }) => uid)).toEqual(lowest(classes));
      }
    }
  });

  test("are found by a query that was asked before, as they are now", async () => {
    const changing = filled(everyUid.slice(0, 6_000));
    const [query] = queries as [Float32Array];
    const before = await changing.search(query, 5, [2], null);
    expect(await changing.search(query, 5, [1, 2, 3, 4], null)).toEqual(await filled(everyUid.slice(0, 6_000)).search(query, 5, null, null));
    changing.remove(before.hits[0]?.uid ?? -1);
    expect((await changing.search(query, 4, [2], null)).hits).toEqual(before.hits.slice(1));
    changing.add({ uid: 50_000, version: 1, classId: 2, window: 0, vector: query });
    expect((await changing.search(query, 1, [2], null)).hits.map(({ uid }) => uid)).toEqual([50_000]);
  });
});

/** A table in memory, which a gate holds up while its vectors are read. */
class GatedTable extends MemoryVectorIndex implements VectorTable {
  readonly gate = Promise.withResolvers<void>();

  async *vectors() {
    const rows = [...this.entries.values()].flatMap(({ unit: { uid, version, classId }, windows }) =>
      windows.map(({ vector }, window) => ({ uid, version, classId, window, vector })),
    );
    await this.gate.promise;
    yield* rows;
  }

  async *attributes() {
    yield attributeRows([...this.entries.values()].map(({ unit }) => unit));
  }
}

describe("an index in front of its table", () => {
  const entry = (uid: number, vector: Float32Array, classId = 1) =>
    ({ unit: { uid, version: 1, classId }, windows: [{ start: 0, end: 1, vector }] }) as never;
  const axis = (at: number) => Float32Array.from({ length: 16 }, (_, i) => (i === at ? 1 : 0));
  const open = (bytes: number, awaitedMaxRows?: number) => {
    const table = new GatedTable("text");
    const options = { dims: 16, memory: new MemoryShare(bytes), log: silentLog, ...(awaitedMaxRows !== undefined && { awaitedMaxRows }) };
    return { table, index: new ResidentVectorIndex(table, options) };
  };
  const uids = async (index: ResidentVectorIndex, vector: Float32Array) => (await index.search(vector, 9, EVERYTHING)).hits.map(({ uid }) => uid);

  test("what changes while the vectors are read is not lost, and a large table answers until then", async () => {
    const { table, index } = open(2 ** 30, 2);
    await table.put([entry(1, axis(0)), entry(2, axis(1)), entry(3, axis(2))]);
    const loaded = index.loaded();
    await index.remove([2]);
    await index.put([entry(3, axis(5)), entry(4, axis(0))]);
    expect((await uids(index, axis(0))).slice(0, 2)).toEqual([1, 4]);
    table.gate.resolve();
    await loaded;
    table.entries.clear();
    expect((await uids(index, axis(5)))[0]).toBe(3);
    expect((await uids(index, axis(0))).sort()).toEqual([1, 3, 4]);
  });

  test("the vectors of a small table are waited for", async () => {
    const { table, index } = open(2 ** 30);
    await table.put([entry(1, axis(0))]);
    const searching = index.search(axis(0), 5, EVERYTHING);
    await Bun.sleep(5);
    table.gate.resolve();
    await Bun.sleep(5);
    table.entries.clear();
    expect((await searching).hits.map(({ uid }) => uid)).toEqual([1]);
    expect(await uids(index, axis(0))).toEqual([1]);
  });

  test("without memory the table answers, then and later", async () => {
    const { table, index } = open(1_000);
    table.gate.resolve();
    await index.put([entry(1, axis(0))]);
    await index.loaded();
    await index.put([entry(2, axis(0))]);
    expect(await uids(index, axis(0))).toEqual([1, 2]);
    table.entries.clear();
    expect(await uids(index, axis(0))).toEqual([]);
  });

  test("closing gives the memory back", async () => {
    const memory = new MemoryShare(VectorCodes.rowBytes(16) * 4_096);
    for (let round = 0; round < 3; round += 1) {
      const table = new GatedTable("text");
      table.gate.resolve();
      const index = new ResidentVectorIndex(table, { dims: 16, memory, log: silentLog });
      await index.loaded();
      await index.put([entry(1, axis(0))]);
      table.entries.clear();
      expect(await uids(index, axis(0))).toEqual([1]);
      await index.close();
    }
  });
});

/** What every VectorIndex promises, tried on the real one. Another implementation joins by its factory. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { connect } from "@lancedb/lancedb";
import { silentLog } from "../../src/base/log.ts";
import { MemoryShare } from "../../src/base/memory-share.ts";
import { isNative, MATCH_ALL, matches } from "../../src/domain/filter.ts";
import type { IndexEntry, Restriction } from "../../src/domain/port/index.ts";
import type { VectorIndex } from "../../src/domain/port/vector-index.ts";
import type { Unit } from "../../src/domain/unit.ts";
import { MemoryVectorIndex } from "../../src/adapter/memory/vector-index.ts";
import { ResidentVectorIndex } from "../../src/adapter/resident/vector-index.ts";
import { createVectorEngine } from "../../src/adapter/lancedb/vector-index.ts";
import { SCALAR_INDEXES } from "../../src/adapter/lancedb/rows.ts";
import { PREFIXES, randomFilter, randomUnit, unitOf } from "../property/filters.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { VECTOR_EXACT_MAX_ROWS } from "../../src/adapter/lancedb/wear.ts";

setDefaultTimeout(180_000);

interface Implementation {
  name: string;
  open(directory: string, dims: number): Promise<VectorIndex>;
  /** True once the index in the directory no longer answers by an exact scan. */
  isBuilt(directory: string): boolean;
}

const engine = createVectorEngine({ log: silentLog });
const lance: Implementation = {
  name: "LanceDB",
  open: (directory, dims) => engine.open(directory, "text", { model: "m", dims }),
  isBuilt: (directory) => (readdirSync(directory, { recursive: true }) as string[]).some((path) => path.includes("_indices/")),
};

const EVERYTHING: Restriction = { classes: null, filter: MATCH_ALL, uids: null };

function normalised(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  // What an index stores is half precision: the reference must see the same numbers.
  return Float32Array.from(new Float16Array(vector.map((value) => value / norm)));
}

function similarity(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let left = 0;
  let right = 0;
  for (let i = 0; i < a.length; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    dot += x * y;
    left += x * x;
    right += y * y;
  }
  return dot / Math.sqrt(left * right);
}

function entry(unit: Unit, ...vectors: Float32Array[]): IndexEntry {
  return { unit, windows: vectors.map((vector, index) => ({ start: index * 10, end: index * 10 + 10, vector })) };
}

function randomVector(random: Random, dims: number): Float32Array {
  return normalised(Float32Array.from({ length: dims }, () => random.normal()));
}

function basics(implementation: Omit<Implementation, "isBuilt">): void {
  describe(`${implementation.name} as a VectorIndex`, () => {
    let directory: string;
    let index: VectorIndex;
    const DIMS = 8;
    const axis = (position: number, tilt = 0) =>
      normalised(Float32Array.from({ length: DIMS }, (_, i) => (i === position ? 1 : i === (position + 1) % DIMS ? tilt : 0)));

    beforeEach(async () => {
      directory = temporaryDirectory();
      index = await implementation.open(directory, DIMS);
    });
    afterEach(async () => {
      await index.close();
      rmSync(directory, { recursive: true, force: true });
    });
    const reopen = async () => {
      await index.close();
      index = await implementation.open(directory, DIMS);
    };
    const uids = async (vector: Float32Array, limit: number, restriction: Partial<Restriction> = {}) =>
      (await index.search(vector, limit, { ...EVERYTHING, ...restriction })).hits.map(({ uid }) => uid);

    test("holds nothing at first", async () => {
      for (const classes of [null, [1, 3]]) expect(await index.search(axis(0), 5, { ...EVERYTHING, classes })).toEqual({ hits: [], exhausted: true });
      expect(await index.rows()).toEqual([]);
      expect(await index.state()).toEqual({ rows: 0, state: "ok" });
    });

    test("finds what was put, most similar first, and tells how similar", async () => {
      await index.put([entry(unitOf(1), axis(0, 0.1)), entry(unitOf(2), axis(0)), entry(unitOf(3), axis(3))]);
      const { hits, exhausted } = await index.search(axis(0), 10, EVERYTHING);
      expect(hits.map(({ uid }) => uid)).toEqual([2, 1, 3]);
      expect(exhausted).toBe(true);
      expect(hits[0]?.similarity).toBeCloseTo(1, 3);
      expect(hits[2]?.similarity).toBeCloseTo(0, 3);
    });

    test("a Unit put again is replaced, and putting it twice changes nothing", async () => {
      await index.put([entry(unitOf(1), axis(0)), entry(unitOf(2), axis(1))]);
      await index.put([entry(unitOf(1, { version: 2, classId: 9 }), axis(0))]);
      await index.put([entry(unitOf(1, { version: 2, classId: 9 }), axis(0))]);
      expect((await index.rows()).sort((a, b) => a.uid - b.uid)).toEqual([
        { uid: 1, version: 2, window: 0 },
        { uid: 2, version: 1, window: 0 },
      ]);
      expect(await uids(axis(0), 5, { classes: [9] })).toEqual([1]);
      expect(await uids(axis(0), 5, { classes: [1] })).toEqual([2]);
    });

    test("removed Units are gone; removing unknown ones or none is harmless", async () => {
      await index.put([entry(unitOf(1), axis(0)), entry(unitOf(2), axis(1))]);
      await index.remove([1, 77]);
      await index.remove([]);
      expect(await uids(axis(0), 5)).toEqual([2]);
      await index.put([entry(unitOf(1), axis(0))]);
      expect(await uids(axis(0), 1)).toEqual([1]);
    });

    test("a Unit of several windows is one hit, by its best window", async () => {
      await index.put([entry(unitOf(1), axis(0), axis(2), axis(4)), entry(unitOf(2), axis(2, 0.3)), entry(unitOf(3))]);
      const { hits } = await index.search(axis(2), 5, EVERYTHING);
      expect(hits.map(({ uid, window }) => [uid, window])).toEqual([
        [1, 1],
        [2, 0],
      ]);
      expect((await index.state()).rows).toBe(4);
    });

    test("windows of one Unit never crowd out others", async () => {
      const many = Array.from({ length: 60 }, (_, window) => axis(0, window / 1_000));
      await index.put([entry(unitOf(1), ...many), ...Array.from({ length: 5 }, (_, i) => entry(unitOf(2 + i), axis(0, 1 + i)))]);
      expect(await uids(axis(0), 6)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test("is exhausted exactly when there is nothing further", async () => {
      await index.put(Array.from({ length: 6 }, (_, i) => entry(unitOf(i + 1, { classId: i < 2 ? 2 : 1 }), axis(i), axis(7))));
      expect((await index.search(axis(0), 3, EVERYTHING)).exhausted).toBe(false);
      expect((await index.search(axis(0), 7, EVERYTHING)).exhausted).toBe(true);
      expect((await index.search(axis(0), 3, { ...EVERYTHING, classes: [2] })).exhausted).toBe(true);
      expect((await index.search(axis(0), 1, { ...EVERYTHING, classes: [2] })).exhausted).toBe(false);
    });

    test("restrictions by class and by id hold, also empty ones", async () => {
      await index.put(Array.from({ length: 6 }, (_, i) => entry(unitOf(i + 1, { classId: i % 3 }), axis(i))));
      expect((await uids(axis(0), 9, { classes: [0, 2] })).sort()).toEqual([1, 3, 4, 6]);
      expect((await uids(axis(0), 9, { uids: [2, 3, 99] })).sort()).toEqual([2, 3]);
      expect((await uids(axis(0), 9, { classes: [1], uids: [2, 3] })).sort()).toEqual([2]);
      expect(await uids(axis(0), 9, { classes: [] })).toEqual([]);
      expect(await uids(axis(0), 9, { uids: [] })).toEqual([]);
    });

    test("keeps everything when it is opened again, and still knows what is new", async () => {
      await index.put([entry(unitOf(5), axis(0), axis(1)), entry(unitOf(9), axis(2))]);
      await reopen();
      await index.put([entry(unitOf(5, { version: 2 }), axis(0), axis(1)), entry(unitOf(7), axis(3))]);
      expect((await index.rows()).length).toBe(4);
      expect(await uids(axis(1), 1)).toEqual([5]);
    });

    test("writes that come at once leave each Unit once", async () => {
      const put = (version: number) => index.put(Array.from({ length: 30 }, (_, i) => entry(unitOf(i + 1, { version }), axis(i % DIMS))));
      await Promise.all([put(1), put(2), index.remove([500]), put(3), put(4)]);
      const rows = await index.rows();
      expect(rows.length).toBe(30);
      expect(new Set(rows.map(({ uid }) => uid)).size).toBe(30);
      expect(new Set(rows.map(({ version }) => version))).toEqual(new Set([4]));
    });

    // Only an index that is built in the background has maintenance to be closed during.
    if ("isBuilt" in implementation) {
      test("close during maintenance neither hangs nor loses rows", async () => {
        const random = new Random(7);
        const rows = VECTOR_EXACT_MAX_ROWS + 300;
        await index.put(Array.from({ length: rows }, (_, i) => entry(unitOf(i + 1), randomVector(random, DIMS))));
        while ((await index.state()).state !== "building") await Bun.sleep(5);
        await reopen();
        expect((await index.rows()).length).toBe(rows);
        expect((await index.search(axis(0), 5, EVERYTHING)).hits.length).toBe(5);
      });
    }
  });
}

/** Of an index that no longer scans all rows once it has many. */
function conformance(implementation: Implementation): void {
  basics(implementation);

  describe(`${implementation.name}: filters mean what matches() says`, () => {
    for (const [size, built] of [
      [400, false],
      [VECTOR_EXACT_MAX_ROWS + 400, true],
    ] as const) {
      test(`over ${size} Units, ${built ? "with" : "without"} an index`, async () => {
        const random = new Random(SEED);
        const directory = temporaryDirectory();
        const index = await implementation.open(directory, 8);
        const units = Array.from({ length: size }, (_, i) => randomUnit(random, i + 1));
        const windows = () => Array.from({ length: random.chance(0.1) ? 2 : 1 }, () => randomVector(random, 8));
        await index.put(units.map((unit) => entry(unit, ...windows())));
        if (built) await untilBuilt(implementation, index, directory);
        const query = randomVector(random, 8);
        for (let round = 0; round < 150; round += 1) {
          const filter = PREFIXES[round] ?? randomFilter(random, 3);
          expect(isNative(filter)).toBe(true);
          const classes = random.chance(0.3) ? [1, 3, 4] : null;
          const expected = units
            .filter((unit) => matches(filter, unit) && (classes === null || classes.includes(unit.classId)))
            .map(({ uid }) => uid);
          const { hits, exhausted } = await index.search(query, size + 1, { classes, filter, uids: null });
          expect({ filter, uids: hits.map(({ uid }) => uid).sort((a, b) => a - b) }).toEqual({ filter, uids: expected });
          expect(exhausted).toBe(true);
        }
        await index.close();
        rmSync(directory, { recursive: true, force: true });
      });
    }
  });

  test(`${implementation.name}: recall of the built index, with and without filters`, async () => {
    const DIMS = 384;
    const ROWS = VECTOR_EXACT_MAX_ROWS + 1_000;
    const random = new Random(SEED);
    const directory = temporaryDirectory();
    const index = await implementation.open(directory, DIMS);
    const centres = Array.from({ length: 40 }, () => randomVector(random, DIMS));
    const near = (spread: number) => {
      const centre = random.pick(centres);
      return normalised(centre.map((value) => value + (spread * random.normal()) / Math.sqrt(DIMS)));
    };
    // Classes hold 89 %, 10 %, 1 % and 0.1 % of the rows.
    const classOf = (i: number) => (i % 1_000 === 0 ? 4 : i % 100 === 1 ? 3 : i % 10 === 2 ? 2 : 1);
    const entries = Array.from({ length: ROWS }, (_, i) => entry(unitOf(i + 1, { classId: classOf(i) }), near(0.8)));
    for (let at = 0; at < ROWS; at += 1_000) await index.put(entries.slice(at, at + 1_000));
    await untilBuilt(implementation, index, directory);
    for (const classes of [null, [2], [3], [4]]) {
      let right = 0;
      let wanted = 0;
      for (let round = 0; round < 40; round += 1) {
        const query = near(0.8);
        const inside = entries.filter(({ unit }) => classes === null || classes.includes(unit.classId));
        const ranked = inside.map(({ unit, windows }) => ({ uid: unit.uid, alike: similarity(query, windows[0]?.vector ?? query) }));
        const best = new Set(
          ranked
            .sort((a, b) => b.alike - a.alike)
            .slice(0, 10)
            .map(({ uid }) => uid),
        );
        const { hits } = await index.search(query, 10, { ...EVERYTHING, classes });
        expect(hits.length).toBe(best.size);
        right += hits.filter(({ uid }) => best.has(uid)).length;
        wanted += best.size;
      }
      process.stderr.write(`recall@10 in ${classes ?? "all"}: ${(right / wanted).toFixed(4)}\n`);
      expect(right / wanted).toBeGreaterThanOrEqual(0.98);
    }
    // Rows that came after the index was built are found beside it.
    const late = near(0.1);
    await index.put([entry(unitOf(ROWS + 1), late)]);
    expect((await index.search(late, 1, EVERYTHING)).hits[0]?.uid).toBe(ROWS + 1);
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  });
}

async function untilBuilt(implementation: Implementation, index: VectorIndex, directory: string): Promise<void> {
  while (!implementation.isBuilt(directory) || (await index.state()).state === "building") await Bun.sleep(20);
}

/** The columns of a table with an index. */
async function indexedColumns(directory: string): Promise<string[]> {
  const connection = await connect(directory);
  const table = await connection.openTable("windows");
  const columns = (await table.listIndices()).flatMap((index) => index.columns);
  table.close();
  connection.close();
  return columns.sort();
}

test("indexes that a crash kept from being built are built after the next start", async () => {
  const directory = temporaryDirectory();
  const first = await lance.open(directory, 8);
  const random = new Random(1);
  await first.put(Array.from({ length: VECTOR_EXACT_MAX_ROWS + 1 }, (_, i) => entry(unitOf(i + 1), randomVector(random, 8))));
  await untilBuilt(lance, first, directory);
  await first.close();
  const all = await indexedColumns(directory);
  expect(all).toEqual(["vector", ...Object.keys(SCALAR_INDEXES)].sort());
  // As if the process had ended after the index of vectors.
  const table = await (await connect(directory)).openTable("windows");
  for (const { name, columns } of await table.listIndices()) if (columns[0] !== "vector") await table.dropIndex(name);
  table.close();
  expect(await indexedColumns(directory)).toEqual(["vector"]);
  const second = await lance.open(directory, 8);
  while ((await indexedColumns(directory)).length < all.length) await Bun.sleep(20);
  await second.close();
  expect(await indexedColumns(directory)).toEqual(all);
  rmSync(directory, { recursive: true, force: true });
});

test("a table that rests gives nothing back before searches that are under way have ended, and answers again", async () => {
  const directory = temporaryDirectory();
  const table = await engine.open(directory, "text", { model: "m", dims: 8 });
  const random = new Random(1);
  const [query, ...vectors] = Array.from({ length: 201 }, () => randomVector(random, 8)) as [Float32Array, ...Float32Array[]];
  await table.put(vectors.map((vector, i) => entry(unitOf(i + 1), vector)));
  const search = () => table.search(query, 5, { classes: null, filter: MATCH_ALL, uids: null });
  const before = await search();
  const during = Promise.all([search(), search()]);
  table.rest?.();
  Bun.gc(true);
  expect(await during).toEqual([before, before]);
  await table.remove([before.hits[0]?.uid ?? 0]);
  expect((await search()).hits.slice(0, 4)).toEqual(before.hits.slice(1));
  await table.close();
  rmSync(directory, { recursive: true, force: true });
});

conformance(lance);

const resident: Implementation = {
  ...lance,
  name: "resident",
  async open(directory, dims) {
    const table = await engine.open(directory, "text", { model: "m", dims });
    const index = new ResidentVectorIndex(table, { dims, memory: new MemoryShare(2 ** 30), log: silentLog });
    await index.loaded();
    table.search = () => Promise.reject(new Error("the table was asked"));
    return index;
  },
};
conformance(resident);

const opened = new Map<string, MemoryVectorIndex>();
basics({
  name: "memory",
  async open(directory) {
    const index = new MemoryVectorIndex("text", opened.get(directory)?.entries);
    opened.set(directory, index);
    return index;
  },
});

/** Upkeep of vector tables goes by what has changed, and what is gone is held by nothing: no memory, no file, no handle. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@lancedb/lancedb";
import { VECTOR_INDEX_CACHE_BYTES, VECTOR_METADATA_CACHE_BYTES } from "../../src/base/limits.ts";
import { type Log, silentLog } from "../../src/base/log.ts";
import { MATCH_ALL } from "../../src/domain/filter.ts";
import type { IndexEntry } from "../../src/domain/port/index.ts";
import type { VectorIndex } from "../../src/domain/port/vector-index.ts";
import { createVectorEngine } from "../../src/adapter/lancedb/vector-index.ts";
import { Random } from "../property/random.ts";
import { ManualSchedule } from "../support/schedule.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import {
  VECTOR_COMMITS_MAX,
  VECTOR_EXACT_MAX_ROWS,
  VECTOR_INDEX_PARTS_MAX,
  VECTOR_PAUSE_COMMITS,
  VECTOR_PAUSE_INDEX_PARTS_MAX,
  VECTOR_PAUSE_MS,
  VECTOR_PAUSE_UNINDEXED_ROWS,
  VECTOR_ROWS_PER_COMMIT,
  VECTOR_STALE_MAX_SHARE,
  VECTOR_STALE_MIN_ROWS,
  VECTOR_UNINDEXED_MAX_ROWS,
} from "../../src/adapter/lancedb/wear.ts";

setDefaultTimeout(180_000);

const DIMS = 64;
/** Later than any write here by more than old versions are kept. */
const LATER_MS = 3_600_000;

interface Round {
  commits: number;
  unindexed: number;
  stale: number;
  files: number;
  cached_bytes: number;
}

describe("upkeep of a vector table", () => {
  let directory: string;
  let index: VectorIndex;
  let rounds: Round[];
  let random: Random;
  let time: ManualSchedule;

  const open = () => {
    const log: Log = { ...silentLog, debug: (_, fields) => rounds.push(fields as unknown as Round) };
    return createVectorEngine({ log, now: () => Date.now() + LATER_MS, schedule: time.schedule }).open(directory, "text", { model: "m", dims: DIMS });
  };
  beforeEach(async () => {
    directory = temporaryDirectory();
    rounds = [];
    random = new Random(19);
    time = new ManualSchedule();
    index = await open();
  });
  afterEach(async () => {
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const vector = () => Float32Array.from({ length: DIMS }, () => random.normal());
  const entryOf = (uid: number): IndexEntry => ({
    unit: { uid, version: 1, classId: 1, created_at: uid, modality: "text", scope: "a", acl_owner: "me", plane: "text" } as IndexEntry["unit"],
    windows: [{ start: 0, end: 1, vector: vector() }],
  });
  const put = (first: number, count: number) => index.put(Array.from({ length: count }, (_, i) => entryOf(first + i)));
  const search = () => index.search(vector(), 10, { classes: [1], filter: MATCH_ALL, uids: null });
  /** Waits until no upkeep runs. */
  async function settled(): Promise<void> {
    while ((await index.state()).state === "building") await Bun.sleep(1);
  }
  const files = () =>
    (readdirSync(directory, { recursive: true }) as string[]).map((path) => join(directory, path)).filter((path) => statSync(path).isFile());
  const versions = () => files().filter((path) => path.includes("/_versions/"));
  const handles = () => readdirSync("/proc/self/fd").length;

  for (const [writes, first] of [
    [1_400, 1],
    [600, VECTOR_EXACT_MAX_ROWS + 1],
  ] as const) {
    const commitsMax = VECTOR_COMMITS_MAX + Math.floor(first / VECTOR_ROWS_PER_COMMIT);
    test(`${writes} small writes after one of ${first}: a round for every ${commitsMax}, and what is gone is forgotten`, async () => {
      await put(1, first);
      await settled();
      const indexed = first > VECTOR_EXACT_MAX_ROWS;
      expect(rounds.length).toBe(indexed ? 1 : 0);
      rounds = [];
      const before = handles();
      for (let i = 1; i <= writes; i += 1) {
        await put(first + i, 1);
        await settled();
        if (i % commitsMax === 1) expect((await search()).hits.length).toBeGreaterThan(1);
      }
      await settled();
      const commits = writes + (indexed ? 0 : 1);
      expect(rounds.map((round) => round.commits)).toEqual(Array.from({ length: Math.floor(commits / commitsMax) }, () => commitsMax));
      expect((await index.state()).rows).toBe(first + writes);
      // Versions and files: those since the last round, and what that made.
      expect(versions().length).toBeLessThan(2 * VECTOR_COMMITS_MAX);
      expect(rounds.at(-1)?.files).toBeLessThan(6 * VECTOR_COMMITS_MAX);
      // The caches are the ones that were given limits. A round leaves a part of an index open, until it falls out of them.
      expect(rounds.at(-1)?.cached_bytes).toBeGreaterThan(100_000);
      for (const { cached_bytes } of rounds) expect(cached_bytes).toBeLessThan(1.1 * (VECTOR_INDEX_CACHE_BYTES + VECTOR_METADATA_CACHE_BYTES));
      expect(handles() - before).toBeLessThanOrEqual(indexed ? rounds.length : 0);
    });
  }

  test("fewer changes start nothing, also when the table is opened again between them", async () => {
    for (let uid = 1; uid < VECTOR_COMMITS_MAX; uid += 1) await put(uid, 1);
    await settled();
    expect(rounds).toEqual([]);
    await index.close();
    index = await open();
    await put(VECTOR_COMMITS_MAX, 1);
    await settled();
    expect(rounds.map(({ commits }) => commits)).toEqual([VECTOR_COMMITS_MAX]);
  });

  test("a table that sees only deletes is written again without them", async () => {
    const total = 3_000;
    const step = 100;
    await put(1, total);
    const whole = dataBytes();
    let gone = 0;
    while (gone <= Math.max(VECTOR_STALE_MIN_ROWS, VECTOR_STALE_MAX_SHARE * (total - gone))) {
      await settled();
      expect(rounds).toEqual([]);
      await index.remove(Array.from({ length: step }, (_, i) => gone + i + 1));
      gone += step;
    }
    await settled();
    expect(rounds.map(({ stale }) => stale)).toEqual([gone]);
    expect(dataBytes()).toBeLessThan(whole * (1 - VECTOR_STALE_MAX_SHARE / 2));
    expect((await index.rows()).length).toBe(total - gone);
  });

  test("what was deleted before a restart counts after it", async () => {
    await put(1, 2_000);
    await index.remove(Array.from({ length: VECTOR_STALE_MIN_ROWS }, (_, i) => i + 1));
    await index.close();
    index = await open();
    await index.remove([VECTOR_STALE_MIN_ROWS + 1]);
    await settled();
    expect(rounds.map(({ stale }) => stale)).toEqual([VECTOR_STALE_MIN_ROWS + 1]);
  });

  test("rows beside the index are added to it before they are many", async () => {
    await put(1, VECTOR_EXACT_MAX_ROWS + 1);
    await put(VECTOR_EXACT_MAX_ROWS + 2, VECTOR_UNINDEXED_MAX_ROWS);
    await settled();
    expect(rounds.length).toBe(1);
    await put(VECTOR_EXACT_MAX_ROWS + VECTOR_UNINDEXED_MAX_ROWS + 2, 1);
    await settled();
    expect(rounds.map(({ unindexed }) => unindexed)).toEqual([VECTOR_EXACT_MAX_ROWS + 1, VECTOR_UNINDEXED_MAX_ROWS + 1]);
  });

  /** Writes nothing, ends the pause after it, and waits for what that makes due. */
  async function pause(): Promise<void> {
    await index.put([]);
    await settled();
    expect(time.pauses).toEqual([VECTOR_PAUSE_MS]);
    time.elapse();
    await settled();
  }

  test("a pause in writing brings one round after enough changes, and none without", async () => {
    let uid = 0;
    for (let round = 1; round <= 3; round += 1) {
      for (let commit = 1; commit <= VECTOR_PAUSE_COMMITS; commit += 1) {
        expect(rounds.length).toBe(round - 1);
        uid += 1;
        await put(uid, 1);
        await pause();
      }
      expect(rounds.at(-1)?.commits).toBe(VECTOR_PAUSE_COMMITS);
      await pause();
      expect(rounds.length).toBe(round);
    }
  });

  test("rows beside the index join it in a pause before they are many, and a small table has none", async () => {
    await put(1, VECTOR_EXACT_MAX_ROWS);
    await pause();
    expect(rounds).toEqual([]);
    await put(VECTOR_EXACT_MAX_ROWS + 1, 1);
    await settled();
    await put(VECTOR_EXACT_MAX_ROWS + 2, VECTOR_PAUSE_UNINDEXED_ROWS - 1);
    await pause();
    expect(rounds.length).toBe(1);
    await put(VECTOR_EXACT_MAX_ROWS + 1 + VECTOR_PAUSE_UNINDEXED_ROWS, 1);
    await pause();
    expect(rounds.map(({ unindexed }) => unindexed)).toEqual([VECTOR_EXACT_MAX_ROWS + 1, VECTOR_PAUSE_UNINDEXED_ROWS]);
  });

  test("the pause after a burst leaves an index in few parts and the fragments folded", async () => {
    let uid = 1;
    const burst = async (writes: number, rows: number) => {
      for (let i = 0; i < writes; i += 1, uid += rows) {
        await put(uid, rows);
        await settled();
      }
    };
    await burst(VECTOR_INDEX_PARTS_MAX, VECTOR_EXACT_MAX_ROWS / 2);
    expect((await extent()).parts).toBeGreaterThan(VECTOR_PAUSE_INDEX_PARTS_MAX);
    await burst(1, VECTOR_PAUSE_UNINDEXED_ROWS);
    await pause();
    expect(await extent()).toEqual({ parts: 1, unindexed: 0, fragments: 1 });
    // What is little beside the rest is appended: building the index whole costs as much as the rest.
    for (let round = 1; round <= VECTOR_PAUSE_INDEX_PARTS_MAX; round += 1) {
      await burst(VECTOR_PAUSE_COMMITS, 1);
      await pause();
      expect((await extent()).parts).toBe(1 + round);
    }
    expect((await search()).hits.length).toBe(10);
  });

  test("no write waits for the end of a round, and what is written, replaced and removed meanwhile is kept", async () => {
    const live = new Set<number>();
    const building = async () => (await index.state()).state === "building";
    let last = 0;
    const write = async (first: number, count: number) => {
      await put(first, count);
      for (let uid = first; uid < first + count; uid += 1) live.add(uid);
      last = Math.max(last, first + count - 1);
    };
    let beside = 0;
    for (let burst = 1; burst <= 4; burst += 1) {
      await write(last + 1, 2 * VECTOR_EXACT_MAX_ROWS);
      for (let i = 0; i < 20 && (await building()); i += 1) {
        await write(last + 1, 1);
        await write(random.integer(1, last), 1);
        const gone = random.integer(1, last);
        await index.remove([gone]);
        live.delete(gone);
        if (await building()) beside += 1;
      }
    }
    expect(beside).toBeGreaterThan(0);
    await pause();
    const rows = await index.rows();
    expect(rows.length).toBe(live.size);
    expect(new Set(rows.map(({ uid }) => uid))).toEqual(live);
    expect((await extent()).unindexed).toBeLessThan(VECTOR_PAUSE_UNINDEXED_ROWS);
  });

  async function extent(): Promise<{ parts: number; unindexed: number; fragments: number }> {
    const table = await (await connect(directory)).openTable("windows");
    const index = await table.indexStats("vector_idx");
    const { fragmentStats } = await table.stats();
    table.close();
    return { parts: index?.numIndices ?? 0, unindexed: index?.numUnindexedRows ?? 0, fragments: fragmentStats.numFragments };
  }

  function dataBytes(): number {
    return files()
      .filter((path) => path.includes("/data/"))
      .reduce((sum, path) => sum + statSync(path).size, 0);
  }
});

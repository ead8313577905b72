/** How indexes follow the catalog: what they cannot take is set aside, and what they do not take now comes later. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { Fault } from "../../src/base/fault.ts";
import { BACKOFF_FIRST_MS, INDEX_ATTEMPTS_ALONE_MAX } from "../../src/base/limits.ts";
import { commit } from "../../src/core/tenant.ts";
import { indexesOf } from "../../src/core/units/store.ts";
import { openRowWorld, type RowIndex, type RowWorld } from "../support/row-index.ts";
import { ManualSchedule } from "../support/schedule.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { rowsOf } from "../support/rows.ts";

const POISON = "poison";
const settle = () => Bun.sleep(1);
let root: string;
let world: RowWorld;
let time: ManualSchedule;
beforeEach(() => {
  root = temporaryDirectory();
  time = new ManualSchedule();
  world = openRowWorld(root, time.schedule);
});
afterEach(() => {
  world.close();
  rmSync(root, { recursive: true, force: true });
});

/** The texts that an index holds, in the order in which they were stored. */
function textsIn(index: RowIndex): (string | null)[] {
  const units = rowsOf(world.tenant).catalog.byUids(index.held.map(({ uid }) => uid));
  return [...new Set(index.held.map(({ uid }) => uid))].sort((a, b) => a - b).map((uid) => units.get(uid)?.text ?? null);
}

/** Starts a replay and ends the process, so to say, when the index does not come back from what it has in hand. */
async function dieReplaying(): Promise<string[]> {
  const hands: string[] = [];
  let died = false;
  world.words.taking = (texts) => {
    hands.push(texts.join());
    if (!texts.includes(POISON)) return;
    died = true;
    return new Promise(() => {});
  };
  void world.tenant.indexer.replay().catch(() => {});
  while (!died) await settle();
  world = world.restart();
  return hands;
}

describe("a Unit that ends the process", () => {
  const texts = ["one", "two", POISON, "three"];

  test("is found in three starts, set aside, and the rest goes on", async () => {
    world.store(texts);
    // With all of its batch, then each of the batch alone, and once more.
    expect(await dieReplaying()).toEqual([texts.join()]);
    expect(await dieReplaying()).toEqual(["one", "two", POISON]);
    expect(await dieReplaying()).toEqual([POISON]);
    world.words.taking = (taken) => expect(taken).not.toContain(POISON);
    await world.tenant.indexer.replay();
    expect(textsIn(world.words)).toEqual(["one", "two", "three"]);
    expect(textsIn(world.planes.text)).toEqual(texts);
    const { catalog } = rowsOf(world.tenant);
    expect(catalog.outbox.waiting()).toEqual([]);
    expect(catalog.outbox.taken("fulltext")).toBeNull();
    expect(catalog.outbox.quarantined("fulltext")).toMatchObject([{ uid: 3, reason: expect.stringContaining("the process ended") }]);
    expect(catalog.outbox.quarantined("text")).toEqual([]);
  });

  test("stays aside at later starts, and when the index is built anew", async () => {
    world.store(texts);
    for (let death = 0; death <= INDEX_ATTEMPTS_ALONE_MAX; death += 1) await dieReplaying();
    world.words.taking = (taken) => expect(taken).not.toContain(POISON);
    await world.tenant.indexer.replay();
    world = world.restart();
    expect(await world.tenant.indexer.replay()).toBe(0);
    world.words.held = [];
    expect(await world.tenant.indexer.replay()).toBe(3);
    expect(textsIn(world.words)).toEqual(["one", "two", "three"]);
  });

  test("is not one that was in hand once when the process was killed", async () => {
    world.store(texts);
    await dieReplaying();
    await dieReplaying();
    world.words.taking = () => {};
    await world.tenant.indexer.replay();
    expect(textsIn(world.words)).toEqual(texts);
    expect(rowsOf(world.tenant).catalog.outbox.quarantined("fulltext")).toEqual([]);
  });
});

describe("a Unit that an index refuses", () => {
  beforeEach(() => {
    world.words.taking = (texts) => {
      if (texts.includes(POISON)) throw new Fault("unavailable", "not available", { cause: new Error("no such field") });
    };
  });

  test("is set aside with the reason, and the others of its batch are taken", async () => {
    world.store(["one", POISON, "two"]);
    await world.tenant.indexer.replay();
    expect(textsIn(world.words)).toEqual(["one", "two"]);
    expect(rowsOf(world.tenant).catalog.outbox.quarantined("fulltext")).toMatchObject([{ uid: 2, reason: "no such field" }]);
  });

  test("turns its plane yellow and lags in the counts of those who may read it", async () => {
    world.planes.text.taking = world.words.taking;
    world.store(["one", POISON]);
    await world.tenant.indexer.replay();
    const { catalog } = rowsOf(world.tenant);
    const readable = catalog.classes().map(({ classId }) => classId);
    expect((await world.tenant.reader.units.counts(readable))[0]).toEqual({ plane: "text", units: 2, vectors: 4, pending: 2, quarantined: 1 });
    expect((await world.tenant.reader.units.counts([]))[0]).toMatchObject({ pending: 0, quarantined: 0 });
  });

  test("is tried again when it changes, and goes with its Unit", async () => {
    world.store([POISON, `${POISON} too`]);
    world.words.taking = () => {
      throw new Error("no such field");
    };
    await world.tenant.indexer.replay();
    const { catalog, ledger } = rowsOf(world.tenant);
    expect(catalog.outbox.quarantined("fulltext").length).toBe(2);
    world.words.taking = () => {};
    const [first, second] = catalog.unitsAfter(0, 2).map(({ unit }) => unit);
    ledger.transact(() => {
      if (first) catalog.upsert({ ...first, mime: "text/plain" }, 2);
      if (second) catalog.remove([second.uid]);
    });
    await world.tenant.indexer.replay();
    expect(catalog.outbox.quarantined("fulltext")).toEqual([]);
    expect(textsIn(world.words)).toEqual([POISON]);
  });
});

describe("an index that takes nothing", () => {
  const refuse = (message: string) => () => {
    throw new Fault("unavailable", "not available", { cause: new Error(message) });
  };

  test("sets nothing aside, for want of descriptors or for whatever reason, and the others follow", async () => {
    world.store(["one", "two"]);
    for (const message of ["Too many open files (os error 24)", "gone"]) {
      world.words.taking = refuse(message);
      world.words.removing = refuse(message);
      await expect(world.tenant.indexer.replay()).rejects.toMatchObject({ cause: { message } });
      expect(rowsOf(world.tenant).catalog.outbox.quarantined("fulltext")).toEqual([]);
      expect(rowsOf(world.tenant).catalog.outbox.taken("fulltext")).toBeNull();
      expect(textsIn(world.planes.text)).toEqual(["one", "two"]);
    }
  });

  test("is tried again in growing pauses, without a write, until it takes what waits", async () => {
    world.store(["one"]);
    world.words.taking = refuse("Too many open files (os error 24)");
    await expect(world.tenant.indexer.replay()).rejects.toThrow();
    expect(time.pauses).toEqual([BACKOFF_FIRST_MS]);
    time.elapse();
    while (time.pauses.length === 0) await settle();
    expect(time.pauses).toEqual([2 * BACKOFF_FIRST_MS]);
    world.words.taking = () => {};
    time.elapse();
    while (rowsOf(world.tenant).catalog.outbox.waiting().length > 0) await settle();
    expect(textsIn(world.words)).toEqual(["one"]);
    await world.tenant.indexer.close();
    expect(time.pauses).toEqual([]);
  });

  test("holds up only the jobs that concern it", async () => {
    world.planes.audio.taking = refuse("Too many open files (os error 24)");
    const { store, indexer } = world.tenant;
    const write = (plane: "text" | "audio") => {
      const identity = {
        namespace: "main",
        scope: "a",
        acl_owner: "p",
        doc_id: null,
        path: null,
        source_uri: plane,
        locator: null,
        text: plane,
      } as const;
      const draft = { ...identity, unit_id: plane, modality: "text", plane, acl_groups: [] as string[], mime: null, metadata: null } as const;
      return commit(world.tenant, (tx) => tx.units.upsert([draft], new Map()).then(() => plane), { indexes: indexesOf([draft]) });
    };
    const searchable = async () => indexer.caughtUp(await store.reader.revision(), null);
    const [audio, text] = await Promise.allSettled([write("audio"), write("text")]);
    expect(audio).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
    expect(text).toMatchObject({ status: "fulfilled", value: "text" });
    expect((await Promise.allSettled([searchable()]))[0]).toMatchObject({ status: "rejected" });
    world.planes.audio.taking = () => {};
    await searchable();
  });
});

describe("those who let others' commits join theirs", () => {
  const ASIDE_MS = 500;
  let writes: (string | null)[][];
  beforeEach(() => {
    writes = [];
    world.words.taking = (texts) => void writes.push(texts);
  });
  const follow = async (withinMs: number) => world.tenant.indexer.caughtUp(await world.tenant.reader.revision(), null, withinMs);

  test("share one write, which begins when the first of them has waited long enough", async () => {
    world.store(["one"]);
    const first = follow(ASIDE_MS);
    await settle();
    world.store(["two"]);
    const second = follow(ASIDE_MS);
    await settle();
    expect({ writes, pauses: time.pauses }).toEqual({ writes: [], pauses: [ASIDE_MS] });
    time.elapse();
    await Promise.all([first, second]);
    expect({ writes, pauses: time.pauses }).toEqual({ writes: [["one", "two"]], pauses: [] });
  });

  test("are served with one who does not wait", async () => {
    world.store(["one"]);
    const patient = follow(ASIDE_MS);
    await settle();
    world.store(["two"]);
    await follow(0);
    await patient;
    expect({ writes, pauses: time.pauses }).toEqual({ writes: [["one", "two"]], pauses: [] });
  });

  test("and come while a write runs, wait for one of their own", async () => {
    const gate = Promise.withResolvers<void>();
    world.words.taking = async (texts) => {
      writes.push(texts);
      await gate.promise;
    };
    world.store(["one"]);
    const running = follow(0);
    while (writes.length === 0) await settle();
    world.store(["two"]);
    const patient = follow(ASIDE_MS);
    gate.resolve();
    await running;
    await settle();
    expect({ writes, pauses: time.pauses }).toEqual({ writes: [["one"]], pauses: [ASIDE_MS] });
    time.elapse();
    await patient;
    expect(textsIn(world.words)).toEqual(["one", "two"]);
  });

  test("are told when the service ends first, and what they wait for is written at the next start", async () => {
    world.store(["one"]);
    const patient = follow(ASIDE_MS).catch((error: unknown) => error);
    await settle();
    await world.tenant.indexer.close();
    expect(await patient).toMatchObject({ kind: "unavailable" });
    expect({ writes, pauses: time.pauses }).toEqual({ writes: [], pauses: [] });
    world = world.restart();
    await world.tenant.indexer.replay();
    expect(textsIn(world.words)).toEqual(["one"]);
  });
});

/** What doctor finds wrong with an index, and mends. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { examineOpen, isSound, repair } from "../../src/core/index/check.ts";
import { openRowWorld, type RowWorld } from "../support/row-index.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { rowsOf } from "../support/rows.ts";

let root: string;
let world: RowWorld;
beforeEach(() => {
  root = temporaryDirectory();
  world = openRowWorld(root);
});
afterEach(() => {
  world.close();
  rmSync(root, { recursive: true, force: true });
});

test("names gaps, orphans, stale rows and duplicates, and mends them", async () => {
  const { tenant, planes, words } = world;
  world.store(["one", "two", "three", null]);
  await tenant.indexer.replay();
  expect((await examineOpen(tenant)).every(isSound)).toBe(true);

  const [first, second, third] = rowsOf(tenant)
    .catalog.unitsAfter(0, 3)
    .map(({ unit }) => unit);
  planes.text.held = planes.text.held.filter(({ uid, window }) => uid !== first?.uid || window !== 1);
  planes.text.held = planes.text.held.map((row) => (row.uid === second?.uid ? { ...row, version: 0 } : row));
  planes.text.held.push({ uid: third?.uid ?? 0, version: 1, window: 0 }, { uid: 999, version: 1, window: 0 });
  // A row of a Unit that belongs to another plane is of no Unit of this one.
  planes.audio.held.push({ uid: first?.uid ?? 0, version: 1, window: 0 });
  words.held = words.held.slice(1);

  const [text, , audio, , fulltext] = await examineOpen(tenant);
  expect(text).toMatchObject({ index: "text", expected: 6, found: 7 });
  expect(text?.faults).toEqual({
    gap: { rows: 1, samples: [first?.unit_id ?? ""] },
    stale: { rows: 2, samples: [second?.unit_id ?? ""] },
    duplicate: { rows: 1, samples: [third?.unit_id ?? ""] },
    orphan: { rows: 1, samples: ["uid 999"] },
  });
  expect(audio?.faults.orphan.rows).toBe(1);
  expect(fulltext?.faults.gap).toEqual({ rows: 1, samples: [first?.unit_id ?? ""] });

  expect((await repair(tenant)).every(isSound)).toBe(true);
  expect([planes.text.held.length, planes.audio.held.length, words.held.length]).toEqual([6, 0, 3]);
  expect(rowsOf(tenant).catalog.outbox.waiting()).toEqual([]);
});

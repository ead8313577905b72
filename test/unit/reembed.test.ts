/** Vectors of another model are never read as this one's, and are made again. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/base/fault.ts";
import { REEMBED_BATCH_TEXTS } from "../../src/base/limits.ts";
import { reembed } from "../../src/core/index/reembed.ts";
import type { Encoder } from "../../src/domain/port/encoder.ts";
import { givenKey } from "../../src/domain/unit.ts";
import { openRowWorld, type RowWorld } from "../support/row-index.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { rowsOf } from "../support/rows.ts";

const TEXTS = Array.from({ length: REEMBED_BATCH_TEXTS + 1 }, (_, index) => `text ${index}`);
let root: string;
let world: RowWorld;
beforeEach(async () => {
  root = temporaryDirectory();
  world = openRowWorld(root);
  world.store(TEXTS);
  await world.tenant.indexer.replay();
  world = withOlderModel();
});
afterEach(() => {
  world.close();
  rmSync(root, { recursive: true, force: true });
});

/** As a build with another model left it. */
function withOlderModel(): RowWorld {
  return world.restart(() => {
    const db = new Database(join(root, "namespaces/main/catalog.db"));
    for (const table of ["embedding", "embedding_model"]) db.run(`UPDATE ${table} SET model = 'older'`);
    db.close();
  });
}

/** Gives each text one window; refuses after `most` texts. */
function encoder(most = Number.POSITIVE_INFINITY): Encoder {
  let encoded = 0;
  return {
    info: { model: "m", dims: 2, maxTokens: 8, floor: null },
    ready: () => true,
    close: async () => {},
    encode: async (text) => {
      encoded += 1;
      if (encoded > most) throw new Fault("unavailable", "no worker");
      return [{ start: 0, end: text.length, vector: new Float32Array([0, 1]) }];
    },
  };
}

function windowsOf({ tenant }: RowWorld): number[][] {
  return rowsOf(tenant)
    .catalog.unitsAfter(0, 1_000)
    .map(({ windows }) => windows.flatMap(({ vector }) => [...vector]));
}

test("vectors of another model are not read", () => {
  const { catalog } = rowsOf(world.tenant);
  expect(catalog.embeddings.foreign()).toBe(true);
  expect(windowsOf(world).flat()).toEqual([]);
  expect(catalog.outbox.waiting()).toEqual([]);
});

test("they are made again, a batch at a time, and the tables of the planes follow", async () => {
  const progress: number[] = [];
  const { catalog } = rowsOf(world.tenant);
  await reembed(world.tenant.store, encoder(), (texts) => progress.push(texts));
  expect(progress).toEqual([REEMBED_BATCH_TEXTS, TEXTS.length]);
  expect(catalog.embeddings.foreign()).toBe(false);
  expect(windowsOf(world)).toEqual(TEXTS.map(() => [0, 1]));
  expect(catalog.outbox.waiting()).toEqual(["text"]);
  world.planes.text.held = [];
  await world.tenant.indexer.replay();
  expect(world.planes.text.held.length).toBe(TEXTS.length);
  const classes = catalog.classes().map(({ classId }) => classId);
  expect((await world.tenant.reader.units.counts(classes))[0]).toMatchObject({ units: TEXTS.length, vectors: TEXTS.length });
});

test("broken off, it goes on where it was", async () => {
  const { catalog } = rowsOf(world.tenant);
  await expect(reembed(world.tenant.store, encoder(REEMBED_BATCH_TEXTS), () => {})).rejects.toMatchObject({ kind: "unavailable" });
  expect(catalog.embeddings.foreign()).toBe(true);
  await reembed(world.tenant.store, encoder(1), () => {});
  expect(catalog.embeddings.foreign()).toBe(false);
  expect(windowsOf(world)).toEqual(TEXTS.map(() => [0, 1]));
});

test("a vector that came with its Unit goes with its model: the text is encoded", async () => {
  await reembed(world.tenant.store, encoder(), () => {});
  const [unit] = [...(await world.tenant.reader.units.byUids([1])).values()];
  const given = new Map([[givenKey(unit?.unit_id ?? ""), [{ start: 0, end: 6, vector: Float32Array.of(1, 0) }]]]);
  await world.tenant.store.transact((tx) => tx.units.upsert(unit === undefined ? [] : [unit], given));
  expect(windowsOf(world)[0]).toEqual([1, 0]);
  world = withOlderModel();
  await reembed(world.tenant.store, encoder(), () => {});
  expect(windowsOf(world)).toEqual(TEXTS.map(() => [0, 1]));
  expect(rowsOf(world.tenant).catalog.embeddings.missing(1)).toEqual([]);
});

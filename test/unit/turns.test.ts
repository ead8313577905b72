/** Long loops over Units give way: in one turn of the event loop the catalog reads few rows, however many there are. */
import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { FILTER_IDS_MAX, UNITS_BEFORE_YIELD } from "../../src/base/limits.ts";
import { inTurns, takeRoom } from "../../src/base/turns.ts";
import { LabelIndex } from "../../src/core/search/features.ts";
import { search } from "../../src/core/search/search.ts";
import { nearest } from "../../src/core/search/similar.ts";
import { catalogStats } from "../../src/core/stats/stats.ts";
import { parseFilter } from "../../src/domain/filter.ts";
import { FEATURE_MODELS } from "../../src/domain/media.ts";
import { countingEncoder, searchModelsOf } from "../support/search-models.ts";
import { fillStore, queryOf, scriptedSearch } from "../support/scripted.ts";
import { callIn, closeSmall, smallOn, type SmallTenant } from "../support/small-tenant.ts";
import { QueryEncoder, type SearchModels } from "../../src/core/search/models.ts";
import { resolveView } from "../../src/core/access/view.ts";
import type { SearchQuery } from "../../src/domain/query.ts";
import { type DataDirectory, openDataDirectory } from "../../src/adapter/sqlite/data-directory.ts";
import { openNamespaceStore } from "../../src/app/data.ts";
import { temporaryDirectory } from "../support/scratch.ts";

const UNITS = 4_300;
const PEOPLE = ["owner", "ann", "bo"];
/** Beside its loop a request reads its hits, and little else. */
const BESIDES = 150;
const LABEL = 0;

let data: DataDirectory;
let world: SmallTenant;
let rows: ReturnType<typeof rowsPerTurn>;

beforeEach(async () => {
  ticking = true;
  data = openDataDirectory(temporaryDirectory(), Date.now);
  world = smallOn(openNamespaceStore(data, "small", { model: "fake" }));
  const { tenant } = world;
  const owner = (index: number) => ({ acl_owner: PEOPLE[index % PEOPLE.length] as string });
  const uids = await fillStore(tenant, UNITS, (index) => ({ plane: "visual", modality: "image", metadata: { n: index }, ...owner(index) }));
  const embedding = (index: number) => Float32Array.of(Math.cos(index / UNITS), Math.sin(index / UNITS));
  await tenant.store.transact(async (tx) => {
    for (const [index, uid] of uids.entries()) {
      const features = { kind: "picture" as const, labels: [{ label: LABEL, score: 0.5 }], embedding: embedding(index) };
      await tx.features.put(uid, FEATURE_MODELS.picture.model, features);
    }
  });
  const script = await scriptedSearch(tenant, uids.slice(0, 50));
  Object.assign(world.fulltext, script.fulltext);
  for (const index of Object.values(tenant.vectors)) Object.assign(index, { search: async () => ({ hits: [], exhausted: true }) });
  rows = rowsPerTurn((tenant.store as unknown as { connections: { reader: Database } }).connections.reader);
});
afterEach(async () => {
  ticking = false;
  await closeSmall();
  data.close();
});

let ticking = true;

/** Until the test ends. */
function everyTurn(tick: () => void): void {
  tick();
  if (ticking) setImmediate(() => everyTurn(tick));
}

/** Counts the rows that statements of `db` give back, in all and at most in one turn of the event loop. */
function rowsPerTurn(db: Database) {
  const seen = { all: 0, most: 0 };
  let now = 0;
  everyTurn(() => {
    now = 0;
  });
  const count = (given: number) => {
    now += given;
    seen.all += given;
    seen.most = Math.max(seen.most, now);
  };
  for (const method of ["query", "prepare"] as const) {
    const original = db[method].bind(db);
    Object.assign(db, {
      [method]: (sql: string) => {
        const statement = original(sql);
        return {
          run: statement.run.bind(statement),
          get: (...values: never[]) => {
            count(1);
            return statement.get(...values);
          },
          all: (...values: never[]) => {
            const given = statement.all(...values);
            count(given.length);
            return given;
          },
        };
      },
    });
  }
  return seen;
}

/** What a request reads of the Units, and that it never reads many at once. */
async function readsInTurns(work: () => Promise<unknown>, atLeast: number): Promise<void> {
  // From here on turns begin where the counter's do.
  await new Promise((resolve) => setImmediate(resolve));
  await work();
  expect(rows.all).toBeGreaterThanOrEqual(atLeast);
  expect(rows.most).toBeLessThanOrEqual(UNITS_BEFORE_YIELD + BESIDES);
}

const ask = async (models: SearchModels, query: SearchQuery) => search.run(await callIn(world, { query, warnings: [] }, { models }));

test("filters over metadata", async () => {
  const matching = (filter: object) => ask(searchModelsOf({}), queryOf({ planes: ["visual"], filter: parseFilter(filter) }));
  await readsInTurns(() => matching({ "metadata.n": { $gt: -1 } }), FILTER_IDS_MAX);
  await readsInTurns(() => matching({ $not: { "metadata.n": { $lte: UNITS - 3 } } }), UNITS);
});

test("similarity to a picture, with a least score that nobody reaches and with a filter that nothing matches", async () => {
  const example = { by: "features" as const, features: { kind: "picture" as const, embedding: Float32Array.of(1, 0) } };
  const ask = async (more: object) =>
    nearest(
      await resolveView(world.tenant, world.caller, null),
      { unit_id: null, top_k: 10, planes: ["visual"], filter: parseFilter({}), min_score: null, warnings: [], ...more },
      example,
      null,
    );
  await readsInTurns(async () => expect((await ask({})).hits).toHaveLength(10), UNITS);
  const once = rows.all;
  await readsInTurns(async () => expect((await ask({ min_score: 2 })).hits).toEqual([]), UNITS);
  await readsInTurns(async () => expect((await ask({ filter: parseFilter({ doc_id: "nowhere" }) })).hits).toEqual([]), UNITS);
  // One scan each, and not one for each depth.
  expect(rows.all).toBeLessThanOrEqual(3 * once);
});

test("labels of pictures", async () => {
  const index = new LabelIndex({
    dims: 4,
    picture: { labels: [{ name: "lamp", synonyms: [], hypernyms: [] }], vectors: Float32Array.of(1, 0, 0, 0) },
    sound: { labels: [], vectors: new Float32Array() },
  });
  const models = { ...searchModelsOf({}), queries: new QueryEncoder(countingEncoder(), async () => index) };
  const found = () => ask(models, queryOf({ q: "lamp", mode: "vector", planes: ["visual"] }));
  await readsInTurns(async () => expect((await found()).hits).toHaveLength(10), UNITS);
});

test("listing, counting and stats", async () => {
  const { access, units } = world.tenant.reader;
  const own = (await access.classes()).filter(({ owner }) => owner !== "bo");
  const classes = own.map(({ classId }) => classId);
  const readable = Math.ceil((UNITS * 2) / 3);
  await readsInTurns(async () => expect(await units.list(classes, 100, 2_500)).toHaveLength(100), 2_600);
  await readsInTurns(async () => expect(await units.list(classes, 100, readable)).toEqual([]), readable);
  const before = rows.all;
  expect(await units.count(classes)).toBe(readable);
  // Units are counted by class as they are written: no Unit is read.
  expect(rows.all - before).toBeLessThan(UNITS / 10);
  await readsInTurns(async () => {
    const stats = await catalogStats.run(await callIn(world, {}, { encoder: countingEncoder(), now: () => 0 }));
    expect(stats.storage.catalog_rows).toBe(UNITS);
  }, UNITS);
});

test("loops that run at once share a turn", async () => {
  let inTurn = 0;
  let most = 0;
  const loop = async () => {
    for await (const piece of inTurns(Array.from({ length: UNITS }))) {
      inTurn += piece.length;
      most = Math.max(most, inTurn);
    }
  };
  everyTurn(() => {
    inTurn = 0;
  });
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([loop(), loop(), loop()]);
  expect(most).toBe(UNITS_BEFORE_YIELD);
});

test("a turn that is full is waited for, and no longer", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  expect(await takeRoom()).toBe(UNITS_BEFORE_YIELD);
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  expect(await takeRoom(10)).toBe(10);
  expect(await takeRoom()).toBe(UNITS_BEFORE_YIELD - 10);
  await new Promise((resolve) => setImmediate(resolve));
  expect(turned).toBe(true);
});

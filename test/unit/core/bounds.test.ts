/** Loops that go deeper end: by what they have found, or at a bound, and then the trace says so. */
import { afterEach, describe, expect, test } from "bun:test";
import { FILTER_IDS_MAX, LEG_DEPTH_MAX } from "../../../src/base/limits.ts";
import { answerQuestion } from "../../../src/core/answer/question.ts";
import { resolveView } from "../../../src/core/access/view.ts";
import { beginRanking, EVEN, rank } from "../../../src/core/search/rank.ts";
import { search } from "../../../src/core/search/search.ts";
import { nearest } from "../../../src/core/search/similar.ts";
import type { Tenant } from "../../../src/core/tenant.ts";
import { parseFilter } from "../../../src/domain/filter.ts";
import type { SearchQuery, SimilarQuery } from "../../../src/domain/query.ts";
import { searchModelsOf } from "../../support/search-models.ts";
import { fillStore, queryOf, scriptedSearch } from "../../support/scripted.ts";
import { callIn, closeSmall, openSmall, type SmallTenant } from "../../support/small-tenant.ts";

afterEach(closeSmall);

/** A namespace whose full text, and whose vectors of text, rank its Units in the order of their uids, or as said. */
async function ranked(count: number, of?: Parameters<typeof fillStore>[2], order: (uids: number[]) => number[] = (uids) => uids) {
  const small = openSmall();
  const uids = await fillStore(small.tenant, count, of);
  const script = await scriptedSearch(small.tenant, order(uids));
  Object.assign(small.fulltext, script.fulltext);
  Object.assign(small.text, script.vector);
  return { ...small, uids, asked: script.asked };
}

const classesOf = async ({ reader }: Tenant) => (await reader.access.classes()).map(({ classId }) => classId);
const idsOf = async ({ tenant }: SmallTenant, uids: readonly number[]) => {
  const units = await tenant.reader.units.byUids(uids);
  return uids.map((uid) => units.get(uid)?.unit_id as string);
};
const ask = async (world: SmallTenant, query: SearchQuery) =>
  search.run(await callIn(world, { query, warnings: [] }, { models: searchModelsOf({}), answerQuestion }));
const rankIn = async ({ tenant }: SmallTenant, query: SearchQuery) =>
  rank(tenant, query, null, await beginRanking(tenant, query, await classesOf(tenant)));

/** Matches the last Units of `count`: more of them than become a list of ids. */
const RARE = FILTER_IDS_MAX + 100;
const rare = (count: number) => ({ metadata: (index: number) => ({ n: index }), filter: parseFilter({ "metadata.n": { $gte: count - RARE } }) });

describe("a leg", () => {
  test("that a filter leaves too little goes on to LEG_DEPTH_MAX and no further; the trace says so", async () => {
    const count = LEG_DEPTH_MAX + RARE + 500;
    const { metadata, filter } = rare(count);
    const world = await ranked(count, (index) => ({ metadata: metadata(index) }));
    const { top, warnings } = await rankIn(world, queryOf({ filter }));
    expect(top).toEqual([]);
    expect(world.asked).toEqual([20, 80, 320, 1_280, LEG_DEPTH_MAX]);
    expect(warnings).toEqual([expect.stringContaining(`fulltext: of the best ${LEG_DEPTH_MAX} candidates too few pass`)]);
    const found = await ask(world, queryOf({ filter }));
    expect(found.trace.warnings).toEqual(warnings);
  });

  test("finds what lies within the bound, and warns of nothing", async () => {
    const count = RARE + 2_000;
    const { metadata, filter } = rare(count);
    const world = await ranked(count, (index) => ({ metadata: metadata(index) }));
    const { top, warnings } = await rankIn(world, queryOf({ filter }));
    expect(top.map(({ uid }) => uid)).toEqual(world.uids.slice(2_000, 2_010));
    expect(warnings).toEqual([]);
  });

  test("is asked once, or not at all, where a range over metadata matches little or nothing", async () => {
    const world = await ranked(3_000, (index) => ({ metadata: { n: index } }));
    const few = await rankIn(world, queryOf({ filter: parseFilter({ "metadata.n": { $gte: 2_997 } }) }));
    expect(few.top).toHaveLength(3);
    expect(world.asked).toEqual([EVEN.depthMin]);
    const none = await rankIn(world, queryOf({ filter: parseFilter({ "metadata.n": { $gt: 5_000 } }) }));
    expect([none.top.length, world.asked.length]).toEqual([0, 1]);
  });
});

test("an answer that ranks many times scans once for its filter", async () => {
  const world = await ranked(300, (index) => ({ metadata: { n: index } }));
  const { units } = world.tenant.reader;
  let scanned = 0;
  const matching: typeof units.matching = (...values) => {
    scanned += 1;
    return units.matching(...values);
  };
  const counted = new Proxy(units, { get: (target, name) => (name === "matching" ? matching : Reflect.get(target, name)) });
  Object.assign(world, { tenant: { ...world.tenant, reader: { ...world.tenant.reader, units: counted } } });
  const query = queryOf({ q: "who is it? when was it built?", answer: true, filter: parseFilter({ "metadata.n": { $lt: 200 } }) });
  await ask(world, query);
  expect(world.asked.length).toBeGreaterThan(1);
  expect(scanned).toBe(1);
});

describe("groups", () => {
  const document = (size: number) => (index: number) => ({ doc_id: `d${Math.floor(index / size)}` });
  const grouped = (top_k: number) => queryOf({ group_by: "doc_id", top_k });

  test("fewer documents than are wanted: the legs end when there is nothing beside them", async () => {
    const world = await ranked(3_000, document(1_000));
    const { top, warnings } = await rankIn(world, grouped(10));
    expect(top.map(({ uid }) => uid)).toEqual([0, 1_000, 2_000].map((index) => world.uids[index] as number));
    expect(warnings).toEqual([]);
    expect(Math.max(...world.asked)).toBe(EVEN.depthMin);
    expect(world.asked).toHaveLength(4);
  });

  test("as many documents as are wanted are found behind long ones, each by its best Unit", async () => {
    const world = await ranked(6_000, document(300));
    const { top, warnings } = await rankIn(world, grouped(12));
    expect(top.map(({ uid }) => uid)).toEqual(Array.from({ length: 12 }, (_, index) => world.uids[300 * index] as number));
    expect(new Set(top.map(({ score }) => score)).size).toBe(12);
    expect(warnings).toEqual([]);
    expect(Math.max(...world.asked)).toBe(24);
  });

  test("Units of no document are groups of their own", async () => {
    const world = await ranked(400, (index) => (index < 390 ? { doc_id: "long" } : {}));
    const { top } = await rankIn(world, grouped(20));
    expect(top.map(({ uid }) => uid)).toEqual(
      [0, ...Array.from({ length: 10 }, (_, index) => 390 + index)].map((index) => world.uids[index] as number),
    );
  });
});

describe("similar", () => {
  const ask = async (world: Awaited<ReturnType<typeof ranked>>, more: Partial<SimilarQuery>) => {
    const { tenant, caller } = world;
    const query: SimilarQuery = { unit_id: "u", top_k: 10, planes: ["text"], filter: parseFilter({}), min_score: null, warnings: [], ...more };
    return nearest(await resolveView(tenant, caller, null), query, { by: "text", vector: Float32Array.of(1, 0, 0, 0) }, world.uids[0] ?? null);
  };

  test("asks once, whatever min_score nobody reaches and whatever filter nothing matches", async () => {
    const world = await ranked(3_000, (index) => ({ metadata: { n: index } }));
    expect((await ask(world, {})).hits.map(({ unit_id }) => unit_id)).toEqual(await idsOf(world, world.uids.slice(1, 11)));
    expect((await ask(world, { min_score: 2 })).hits).toEqual([]);
    expect((await ask(world, { filter: parseFilter({ doc_id: "nowhere" }) })).hits).toEqual([]);
    expect(world.asked).toEqual([11, 11, 11]);
    expect((await ask(world, { filter: parseFilter({ "metadata.n": { $lt: 0 } }) })).hits).toEqual([]);
    expect(world.asked).toHaveLength(3);
  });

  test("says what the bound of a leg cut off", async () => {
    const count = LEG_DEPTH_MAX + RARE + 500;
    const { metadata, filter } = rare(count);
    const world = await ranked(count, (index) => ({ metadata: metadata(index) }));
    const { hits, trace } = await ask(world, { filter });
    expect(hits).toEqual([]);
    expect(trace.warnings).toEqual([expect.stringContaining(`vector: of the best ${LEG_DEPTH_MAX} candidates`)]);
  });
});

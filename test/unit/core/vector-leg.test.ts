/** The vectors of all planes are one leg, compared by their cosine. */
import { expect, test } from "bun:test";
import { vectorLeg } from "../../../src/core/search/legs.ts";
import type { Tenant } from "../../../src/core/tenant.ts";
import { MATCH_ALL } from "../../../src/domain/filter.ts";
import type { Plane } from "../../../src/domain/plane.ts";

const ALL = { classes: null, filter: MATCH_ALL, uids: null };

/** A tenant whose planes hold Units with these cosines, by uid. */
function tenantWith(planes: Partial<Record<Plane, [uid: number, similarity: number][]>>): Tenant {
  const index = (held: [number, number][]) => ({
    search: async (_vector: Float32Array, limit: number) => ({
      hits: held.slice(0, limit).map(([uid, similarity]) => ({ uid, version: 1, window: 0, similarity })),
      exhausted: held.length <= limit,
    }),
  });
  return { vectors: Object.fromEntries(Object.entries(planes).map(([plane, held]) => [plane, index(held)])) } as unknown as Tenant;
}

const WORLD = tenantWith({
  text: [
    [1, 0.9],
    [2, 0.8],
    [3, 0.7],
  ],
  audio: [
    [4, 0.75],
    [5, 0.4],
  ],
  visual: [[6, 0.3]],
});
const PLANES: Plane[] = ["text", "audio", "visual"];

async function uids(limit: number, floor: number | null, planes = PLANES): Promise<[number[], boolean]> {
  const { leg, search } = vectorLeg(WORLD, planes, Float32Array.of(1), ALL, floor);
  expect(leg).toBe("vector");
  const { hits, exhausted } = await search(limit, []);
  for (const { raw } of hits) expect(raw).toBeGreaterThanOrEqual(floor ?? -1);
  return [hits.map(({ uid }) => uid), exhausted];
}

test("a plane takes the places that its Units earn", async () => {
  expect(await uids(3, null)).toEqual([[1, 2, 4], false]);
  expect(await uids(6, null)).toEqual([[1, 2, 4, 3, 5, 6], true]);
  expect(await uids(9, null, ["audio"])).toEqual([[4, 5], true]);
});

test("what is below the floor is no match, and nothing is left to ask for once it is reached", async () => {
  expect(await uids(2, 0.5)).toEqual([[1, 2], false]);
  expect(await uids(3, 0.72)).toEqual([[1, 2, 4], true]);
  expect(await uids(9, 0.5)).toEqual([[1, 2, 4, 3], true]);
  expect(await uids(9, 0.95)).toEqual([[], true]);
});

test("without a restriction that anything passes there is nothing", async () => {
  expect(await vectorLeg(WORLD, PLANES, Float32Array.of(1), null, null).search(5, [])).toEqual({ hits: [], exhausted: true });
});

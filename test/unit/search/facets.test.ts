/** Facets over the reference adapters: which Units count, and when the counts are exact. */
import { expect, test } from "bun:test";
import { FACETS_MAX_FIELDS, FACET_VALUES_MAX } from "../../../src/base/limits.ts";
import type { Fault } from "../../../src/base/fault.ts";
import { memoryWorld, person } from "../../support/memory-tenant.ts";

const texts = (count: number, text: string) => Array.from({ length: count }, (_, index) => ({ text: `${text} ${index}`, doc_id: `d${index % 3}` }));

test("counts every Unit that full text finds, beyond the hits", async () => {
  const world = memoryWorld();
  await world.put([...texts(40, "lantern"), { text: "a barge", doc_id: "d9" }]);
  const { hits, facets, trace } = await world.search({ q: "lantern", mode: "fulltext", top_k: 3, facets: ["doc_id", "modality"] });
  expect(hits).toHaveLength(3);
  expect(facets).toEqual({
    doc_id: {
      values: [
        { value: "d0", count: 14 },
        { value: "d1", count: 13 },
        { value: "d2", count: 13 },
      ],
      exact: true,
    },
    modality: { values: [{ value: "text", count: 40 }], exact: true },
  });
  expect(trace.stages.find(({ name }) => name === "facets")).toMatchObject({ in: 40, out: 40 });
});

test("under the filter", async () => {
  const world = memoryWorld();
  await world.put(texts(9, "lantern").map((unit, n) => ({ ...unit, metadata: { n } })));
  const { facets } = await world.search({ q: "lantern", mode: "fulltext", facets: ["metadata.n"], filters: { "metadata.n": { $gte: 6 } } });
  expect(facets?.["metadata.n"]?.values.map(({ value }) => value)).toEqual([6, 7, 8]);
});

test("with vectors, counts are exact only where the vector leg has nothing further", async () => {
  const world = memoryWorld();
  await world.put([...texts(30, "lantern"), ...texts(30, "barge").map(({ text }) => ({ text, doc_id: "other" }))]);
  const count = async (body: Record<string, unknown>) => (await world.search({ q: "lantern", facets: ["doc_id"], ...body })).facets?.doc_id;
  const hybrid = await count({});
  expect(hybrid?.exact).toBe(false);
  // All that hold the word, and of the others what is among the nearest.
  expect(hybrid?.values.filter(({ value }) => value !== "other").reduce((sum, { count }) => sum + count, 0)).toBe(30);
  expect((await count({ top_k: 50 }))?.exact).toBe(true);
  expect((await count({ mode: "vector" }))?.exact).toBe(false);
  expect(await count({ filters: { doc_id: "d0" } })).toEqual({ values: [{ value: "d0", count: 10 }], exact: true });
});

test("tells the most frequent values alone", async () => {
  const world = memoryWorld();
  const many = FACET_VALUES_MAX + 5;
  await world.put(Array.from({ length: many + 1 }, (_, n) => ({ text: `lantern ${n}`, metadata: { n: n % many } })));
  const { facets } = await world.search({ q: "lantern", mode: "fulltext", facets: ["metadata.n"] });
  const values = facets?.["metadata.n"]?.values ?? [];
  expect([values.length, values[0]]).toEqual([FACET_VALUES_MAX, { value: 0, count: 2 }]);
});

test("only when asked for, and never of what the caller may not read", async () => {
  const world = memoryWorld();
  await world.put([...texts(4, "lantern"), { text: "lantern of the elders", doc_id: "secret", acl_owner: "elder" }]);
  expect(await world.search({ q: "lantern" })).not.toHaveProperty("facets");
  expect(await world.search({ q: "lantern", facets: [] })).not.toHaveProperty("facets");
  const counted = async (principal_id: string) =>
    (await world.search({ q: "lantern", facets: ["acl_owner"] }, person({ principal_id }))).facets?.acl_owner?.values;
  expect(await counted("owner")).toEqual([{ value: "owner", count: 4 }]);
  expect(await counted("elder")).toEqual([{ value: "elder", count: 1 }]);
  expect(await counted("nobody")).toEqual([]);
});

test("a field without facets, and too many fields, are named", async () => {
  const world = memoryWorld();
  const refusal = (facets: unknown) =>
    world.search({ q: "x", facets }).then(
      () => "none",
      (error: Fault) => error.message,
    );
  expect(await refusal(["modality", "created_at"])).toStartWith("/facets/1: has no facets");
  expect(await refusal(["metadata."])).toStartWith("/facets/0: has no facets");
  expect(await refusal(["metadata.__proto__"])).toStartWith("/facets/0: has no facets");
  expect(await refusal(Array.from({ length: FACETS_MAX_FIELDS + 1 }, (_, n) => `metadata.k${n}`))).toStartWith("/facets: must be an array of");
  expect(await refusal(["modality", "modality"])).toBe("none");
});

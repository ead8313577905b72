/** Typo tolerance over the reference adapters. */
import { expect, test } from "bun:test";
import { memoryWorld, person } from "../../support/memory-tenant.ts";

const told = ({ trace }: { trace: { warnings: string[] } }) => trace.warnings;
const instead = (typed: string, word: string) => `nothing here has the word "${typed}": searched for "${word}" instead`;

async function harbour() {
  const world = memoryWorld();
  const [turbine] = await world.put([
    { text: "The turbines stand in the estuary" },
    { text: "a barge at the quay" },
    { text: "the elders' sextant", acl_owner: "elder" },
  ]);
  return { world, turbine };
}

test("a word that nothing has is read as the nearest one, and the trace says so", async () => {
  const { world, turbine } = await harbour();
  for (const mode of ["fulltext", "hybrid"]) {
    const found = await world.search({ q: "Trubines, please!", mode });
    expect(found.hits[0]).toMatchObject({ unit_id: turbine, highlights: [{ start: 4, end: 12 }] });
    expect(told(found)).toEqual([instead("Trubines", "turbines")]);
    expect(found.trace.stages[0]).toMatchObject({ name: "spelling", out: 1 });
  }
});

test("not in quotes, not with digits or symbols, not short words, not by vectors alone, and not where nothing is near", async () => {
  const { world } = await harbour();
  for (const q of ['"trubines"', "trubines7", "-trubines", "quya", "quai", "zymurgy"]) {
    const found = await world.search({ q, mode: "fulltext" });
    expect({ q, hits: found.hits, told: told(found), stages: found.trace.stages[0]?.name }).toEqual({ q, hits: [], told: [], stages: "embed" });
  }
  expect(told(await world.search({ q: "trubines", mode: "vector" }))).toEqual([]);
});

test("a word that some Unit has stays, however rare", async () => {
  const { world } = await harbour();
  await world.put([{ text: "turbinea", source_uri: "rare" }]);
  const found = await world.search({ q: "turbinea", mode: "fulltext" });
  expect([found.hits.length, told(found)]).toEqual([1, []]);
});

test("a hidden word is neither found nor told", async () => {
  const { world } = await harbour();
  const asked = async (q: string, principal_id: string) => {
    const { hits, trace } = await world.search({ q, mode: "fulltext" }, person({ principal_id }));
    return [hits.length, trace.warnings];
  };
  expect(await asked("sexntant", "elder")).toEqual([1, [instead("sexntant", "sextant")]]);
  expect(await asked("sexntant", "owner")).toEqual([0, []]);
  // A word that is hidden is missing: it is read as one that may be read.
  await world.put([{ text: "sextans", source_uri: "visible" }]);
  expect(await asked("sextant", "owner")).toEqual([1, [instead("sextant", "sextans")]]);
});

test("a word whose Unit was closed to the caller a moment ago is not told", async () => {
  const world = memoryWorld();
  const [unit_id = ""] = await world.put([{ text: "the turbines", acl_groups: ["crew"] }]);
  const sailor = person({ principal_id: "sailor", groups: ["crew"] });
  const ask = async () => told(await world.search({ q: "trubines", mode: "fulltext" }, sailor));
  expect(await ask()).toEqual([instead("trubines", "turbines")]);
  const { store, reader } = world.tenant;
  const unit = (await reader.units.byIds([unit_id])).get(unit_id);
  if (unit === undefined) throw new Error("it was stored");
  // The index does not follow here: it has the Unit's old class.
  await store.transact((tx) => tx.units.upsert([{ ...unit, acl_groups: ["elders"] }], new Map()));
  expect(await ask()).toEqual([]);
});

test("words of the path count, and an answer is to what was written", async () => {
  const { world } = await harbour();
  await world.put([{ text: "chapter", path: ["Lanterns"], source_uri: "path" }]);
  expect(told(await world.search({ q: "lantenrs", mode: "fulltext" }))).toEqual([instead("lantenrs", "lanterns")]);
  expect(told(await world.search({ q: "lantenrs", mode: "fulltext", answer: true }))).toEqual([]);
});

test("the count of what is hidden is that of the query without the ACL, where the word is there", async () => {
  const { world } = await harbour();
  await world.put([{ text: "sextans", source_uri: "visible" }]);
  const found = await world.search({ q: "sextant", mode: "fulltext" }, person({ principal_id: "owner" }));
  expect([found.hits.length, told(found), found.hidden_by_acl]).toEqual([1, [instead("sextant", "sextans")], 1]);
});

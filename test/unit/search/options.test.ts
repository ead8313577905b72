/** What orders and groups the hits of a search: weights of legs, diversity, hits of each document. */
import { describe, expect, test } from "bun:test";
import { LEG_WEIGHT_MAX } from "../../../src/base/limits.ts";
import { memoryWorld, NOW, type SearchAnswer } from "../../support/memory-tenant.ts";

/** What tests look at of a hit. */
interface Ranked {
  score: number;
  scores: { legs: { leg: string; rank: number }[] };
  explain?: { fusion: { contribution: number }[] };
}
const ranked = ({ hits }: SearchAnswer) => hits as unknown as Ranked[];
const texts = ({ hits }: SearchAnswer) => hits.map(({ text }) => text);
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: Error) => error.message,
  );

describe("weights", () => {
  async function world() {
    const made = memoryWorld();
    // The words of the first are those of the query, with many others: full text ranks it by a rare one, vectors do not.
    await made.put([{ text: "lantern quay rope tide oyster pilot mooring" }, { text: "lantern lantern" }, { text: "lantern barge" }]);
    return made;
  }

  test("a leg of 0 is left out of the ranking and of the trace", async () => {
    const { search } = await world();
    for (const [weights, legs] of [
      [{ vector: 0, labels: 0 }, ["fulltext"]],
      [{ fulltext: 0 }, ["vector"]],
    ] as const) {
      const found = await search({ q: "lantern", weights });
      const { trace } = found;
      expect([...new Set(ranked(found).flatMap(({ scores }) => scores.legs.map(({ leg }) => leg)))]).toEqual([...legs]);
      for (const leg of ["vector", "fulltext"]) expect(trace.stages.some(({ name }) => name === leg)).toBe((legs as readonly string[]).includes(leg));
    }
  });

  test("a place counts for as much as its leg weighs, in the score and in what explains it", async () => {
    const { search } = await world();
    const found = await search({ q: "lantern", weights: { vector: 3, fulltext: 0.5 }, explain: true });
    for (const { score, scores, explain } of ranked(found)) {
      const expected = scores.legs.map(({ leg, rank }) => (leg === "vector" ? 3 : 0.5) / (60 + rank));
      expect(score).toBeCloseTo(
        expected.reduce((sum, one) => sum + one, 0),
        12,
      );
      expect(explain?.fusion.map(({ contribution }) => contribution)).toEqual(expected);
    }
  });

  test("even weights change nothing", async () => {
    const { search } = await world();
    const plain = await search({ q: "lantern barge" });
    expect((await search({ q: "lantern barge", weights: { vector: 1 } })).hits).toEqual(plain.hits);
  });

  test("what they may be", async () => {
    const { search } = await world();
    expect(await refusal(search({ q: "x", weights: { vector: -1 } }))).toStartWith("/weights/vector: must be a number of 0 to");
    expect(await refusal(search({ q: "x", weights: { fulltext: LEG_WEIGHT_MAX + 1 } }))).toStartWith("/weights/fulltext");
    expect(await refusal(search({ q: "x", weights: { words: 1 } }))).toStartWith("/weights/words");
    expect(await refusal(search({ q: "x", weights: { vector: 0, fulltext: 0, labels: 0 } }))).toBe("/weights: leaves no leg of the mode hybrid");
    expect(await refusal(search({ q: "x", mode: "fulltext", weights: { fulltext: 0 } }))).toBe("/weights: leaves no leg of the mode fulltext");
    expect(await refusal(search({ q: "x", mode: "vector", weights: { fulltext: 0 } }))).toBe("none");
  });
});

describe("diversity", () => {
  async function world() {
    const made = memoryWorld();
    const same = Array.from({ length: 6 }, (_, n) => ({ text: "lantern on the quay", source_uri: `same/${n}` }));
    await made.put([...same, { text: "lantern in a storm far out" }, { text: "an old lantern keeper" }]);
    return made;
  }

  test("0 is the order without it", async () => {
    const { search } = await world();
    expect((await search({ q: "lantern quay", diversity: 0 })).hits).toEqual((await search({ q: "lantern quay" })).hits);
  });

  test("hits that are like one before them fall behind; the first stays", async () => {
    const { search } = await world();
    const plain = await search({ q: "lantern quay", top_k: 3 });
    expect(new Set(texts(plain)).size).toBe(1);
    const diverse = await search({ q: "lantern quay", top_k: 3, diversity: 0.7 });
    expect(new Set(texts(diverse)).size).toBe(3);
    expect(diverse.hits[0]?.unit_id).toBe(plain.hits[0]?.unit_id as string);
    expect(diverse.hits.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });

  test("is 0 to 1", async () => {
    const { search } = await world();
    for (const diversity of [-0.1, 1.1, "much"])
      expect(await refusal(search({ q: "x", diversity }))).toStartWith("/diversity: must be a number of 0 to 1");
  });
});

describe("hits of each document", () => {
  async function world() {
    const made = memoryWorld();
    const long = Array.from({ length: 200 }, (_, n) => ({ text: `lantern ${n}`, doc_id: n < 120 ? "long" : "other" }));
    await made.put([
      ...long,
      ...Array.from({ length: 3 }, (_, n) => ({ text: `a lantern far out in the sea ${n}`, doc_id: `short${n}` })),
      { text: "no document has this lantern" },
    ]);
    return made;
  }
  const counted = ({ hits }: SearchAnswer) => {
    const counts: Record<string, number> = {};
    for (const { doc_id = "none" } of hits) counts[doc_id as string] = (counts[doc_id as string] ?? 0) + 1;
    return counts;
  };

  test.each(["fulltext", "hybrid", "vector"])("at most group_size, and as many as there are (%s)", async (mode) => {
    const { search } = await world();
    const one = await search({ q: "lantern", mode, group_by: "doc_id", top_k: 20 });
    expect(counted(one)).toEqual({ long: 1, other: 1, short0: 1, short1: 1, short2: 1, none: 1 });
    expect((await search({ q: "lantern", mode, group_by: "doc_id", group_size: 1, top_k: 20 })).hits).toEqual(one.hits);
    expect(counted(await search({ q: "lantern", mode, group_by: "doc_id", group_size: 3, top_k: 20 }))).toEqual({
      long: 3,
      other: 3,
      short0: 1,
      short1: 1,
      short2: 1,
      none: 1,
    });
    expect((await search({ q: "lantern", mode, group_by: "doc_id", group_size: 30, top_k: 50 })).hits).toHaveLength(50);
  });

  test("changes nothing without group_by", async () => {
    const { search } = await world();
    expect((await search({ q: "lantern", group_size: 2 })).hits).toEqual((await search({ q: "lantern" })).hits);
  });
});

test("relative times are counted from the service's clock", async () => {
  const { search, put } = memoryWorld();
  await put([{ text: "lantern" }]);
  const found = async (bounds: object) => (await search({ q: "lantern", filters: { created_at: bounds } })).hits.length;
  expect([await found({ $gte: "-1m" }), await found({ $lt: "now" }), await found({ $lte: "now" })]).toEqual([1, 0, 1]);
  expect(await found({ $gte: new Date(NOW).toISOString() })).toBe(1);
});

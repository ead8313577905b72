import { expect, test } from "bun:test";
import { EVEN, FIRST_IN_BOTH, fuse, fusionOf, legDepth, type LegRanking } from "../../src/core/search/rank.ts";

const leg = (name: LegRanking["leg"], ...hits: [uid: number, raw: number][]): LegRanking => ({
  leg: name,
  hits: hits.map(([uid, raw]) => ({ uid, raw, similarity: null, window: null, ...(name !== "fulltext" && { similarity: raw, window: uid * 10 }) })),
});
const byNumber = (uid: number) => String(uid).padStart(4, "0");

test("adds 1 / (60 + rank) over the legs", () => {
  const fused = fuse([leg("vector", [1, 0.9], [2, 0.8]), leg("fulltext", [2, 7], [3, 6])], byNumber);
  expect(fused.map(({ uid }) => uid)).toEqual([2, 1, 3]);
  expect(fused[0]?.score).toBe(1 / 62 + 1 / 61);
  expect(fused[0]?.legs).toEqual([
    { leg: "vector", rank: 2, raw: 0.8, contribution: 1 / 62 },
    { leg: "fulltext", rank: 1, raw: 7, contribution: 1 / 61 },
  ]);
});

test("of equal scores the more similar goes first, then the smaller key; full text alone is least similar", () => {
  const rankings = [leg("vector", [6, 0.7], [5, 0.4]), leg("fulltext", [1, 99], [4, 98])];
  expect(fuse(rankings, byNumber).map(({ uid }) => uid)).toEqual([6, 1, 5, 4]);
  expect(fuse([...rankings].reverse(), byNumber).map(({ uid }) => uid)).toEqual([6, 1, 5, 4]);
  expect(fuse([leg("labels:visual", [7, 1]), leg("labels:audio", [3, 1])], byNumber).map(({ uid }) => uid)).toEqual([3, 7]);
});

test("labels count twice: a first text by both its legs is even, and the more similar goes first", () => {
  const firstBeside = (similarity: number) =>
    fuse([leg("vector", [1, 0.8]), leg("labels:visual", [2, similarity]), leg("fulltext", [1, 9])], byNumber).map(({ uid, score }) => [uid, score]);
  const [text, picture] = [
    [1, 2 / 61],
    [2, 2 / 61],
  ];
  expect(firstBeside(0.72)).toEqual([text, picture]);
  expect(firstBeside(1)).toEqual([picture, text]);
  const [, , third] = fuse([leg("labels:audio", [1, 0.9], [2, 0.8], [3, 0.7])], byNumber);
  expect(third?.score).toBe(2 / 63);
});

test("of a statement in English vectors count twice as much as words, in deeper legs; scores keep their range", () => {
  const statement = { q: "Turbines rest at slack water.", mode: "hybrid", weights: null } as const;
  const fusion = fusionOf(statement, "en");
  const [first, second, third] = fuse([leg("vector", [1, 0.9], [2, 0.8]), leg("fulltext", [1, 9], [3, 8])], byNumber, fusion);
  expect([first?.uid, second?.uid, third?.uid]).toEqual([1, 2, 3]);
  expect(first?.score).toBeCloseTo(FIRST_IN_BOTH, 12);
  expect(second?.score).toBeCloseTo(2 * (third?.score ?? 0), 12);
  expect([legDepth(10, fusion), legDepth(40, fusion), legDepth(10)]).toEqual([50, 80, 20]);
  const others = [fusionOf({ ...statement, q: "do turbines rest at slack water" }, "en"), fusionOf({ ...statement, q: "slack water" }, "en")];
  expect([...others, fusionOf({ ...statement, mode: "vector" }, "en"), fusionOf(statement, "de")]).toEqual(Array(4).fill(EVEN));
  expect(fusionOf({ ...statement, weights: { vector: 1, fulltext: 3, labels: 0 } }, "en")).toEqual({ ...EVEN, fulltext: 3, labels: 0 });
});

test("of signs without a word full text has nearly all weight", () => {
  const asked = { mode: "hybrid", weights: null } as const;
  for (const q of ["~=", "%n", "-x", '"-x" -X', "-x | %n"]) {
    for (const language of ["en", "de"] as const) {
      expect(fusionOf({ ...asked, q }, language)).toEqual({ depthMin: EVEN.depthMin, vector: 0.02, fulltext: 1.98, labels: 0.02 });
    }
    expect(fusionOf({ ...asked, q, mode: "vector" }, "en")).toEqual(EVEN);
    expect(fusionOf({ ...asked, q, weights: EVEN }, "en")).toEqual(EVEN);
  }
  for (const q of ["-x file", "-x 文件", "x -y", "--extract", "core.pager", "C++", "x", "…"]) expect(fusionOf({ ...asked, q }, "en")).toEqual(EVEN);
});

test("keeps the window of the vector leg, whichever leg comes first", () => {
  for (const rankings of [
    [leg("vector", [3, 0.5]), leg("fulltext", [3, 2])],
    [leg("fulltext", [3, 2]), leg("vector", [3, 0.5])],
  ]) {
    expect(fuse(rankings, byNumber)[0]).toMatchObject({ window: 30, similarity: 0.5 });
  }
  expect(fuse([leg("fulltext", [3, 2])], byNumber)[0]?.window).toBeNull();
});

test("of nothing comes nothing", () => {
  expect(fuse([], byNumber)).toEqual([]);
  expect(fuse([leg("fulltext")], byNumber)).toEqual([]);
});

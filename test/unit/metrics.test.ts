/** The evaluation's counting, against values worked out by hand. */
import { expect, test } from "bun:test";
import { auc, balancedAccuracy, bestSplit, confusion, mean, ndcg, percentile, randomHit, recall, reciprocalRank, share } from "../eval/metrics.ts";

const relevant = (...ids: string[]) => new Set(ids);

test("nDCG discounts by place and divides by the best ranking there is", () => {
  expect(ndcg(["a", "b"], relevant("a"), 10)).toBe(1);
  expect(ndcg(["x", "a"], relevant("a"), 10)).toBeCloseTo(1 / Math.log2(3), 12);
  // Places 1 and 3 of two: (1 + 1/2) / (1 + 1/log2(3)).
  expect(ndcg(["a", "x", "b"], relevant("a", "b"), 10)).toBeCloseTo(1.5 / (1 + 0.6309297535714575), 12);
  expect(ndcg(["x", "a"], relevant("a"), 1)).toBe(0);
  // Two found of three that are relevant, where only two places count.
  expect(ndcg(["a", "b"], relevant("a", "b", "c"), 2)).toBe(1);
  expect(ndcg(["a"], relevant(), 10)).toBe(0);
});

test("recall and reciprocal rank look at the first k", () => {
  expect(recall(["a", "x", "b"], relevant("a", "b", "c", "d"), 10)).toBe(0.5);
  expect(recall(["a", "x", "b"], relevant("a", "b"), 2)).toBe(0.5);
  expect(reciprocalRank(["x", "y", "a"], relevant("a"), 10)).toBeCloseTo(1 / 3, 12);
  expect(reciprocalRank(["x", "y", "a"], relevant("a"), 2)).toBe(0);
});

test("means, shares and percentiles", () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBe(0);
  expect(share([1, 2, 3, 4], (n) => n > 3)).toBe(0.25);
  expect(percentile([30, 10, 20, 40], 50)).toBe(20);
  expect(percentile([30, 10, 20, 40], 95)).toBe(40);
  expect(percentile([], 50)).toBe(0);
});

test("AUC counts the pairs that are in order, ties as half", () => {
  // Positives 0.9 and 0.4 against 0.5 and 0.1: three of four pairs.
  expect(auc([0.9, 0.5, 0.4, 0.1], [true, false, true, false])).toBe(0.75);
  // 0.5 twice: one pair is tied, one is won.
  expect(auc([0.5, 0.5, 0.1], [true, false, false])).toBe(0.75);
  expect(auc([1, 1, 1], [true, false, true])).toBe(0.5);
  expect(auc([1, 2], [true, true])).toBe(0.5);
});

test("the best split is the threshold that gets most rows right", () => {
  expect(bestSplit([0.9, 0.8, 0.3, 0.2], ["yes", "yes", "no", "no"])).toEqual({ threshold: 0.8, above: "yes", below: "no", accuracy: 1 });
  // From 0.3 on is yes: the second row is wrong.
  expect(bestSplit([0.9, 0.8, 0.3, 0.2], ["yes", "no", "yes", "no"])?.accuracy).toBe(0.75);
  // Ties cannot be told apart.
  expect(bestSplit([0.5, 0.5], ["yes", "no"])?.accuracy).toBe(0.5);
  expect(bestSplit([], [])).toBeNull();
});

test("drawing at random", () => {
  expect(randomHit(4, 1, 1)).toBe(0.25);
  // Three of five with two good ones: 1 - C(3,3)/C(5,3).
  expect(randomHit(5, 2, 3)).toBeCloseTo(0.9, 12);
  expect(randomHit(2, 1, 3)).toBe(1);
  expect(randomHit(0, 0, 1)).toBe(0);
});

test("balanced accuracy and the confusion table", () => {
  expect(balancedAccuracy(0.8, 0.6)).toBeCloseTo(0.7, 12);
  const table = confusion([
    { truth: "a", predicted: "a" },
    { truth: "a", predicted: "b" },
    { truth: "a", predicted: "b" },
  ]);
  expect(table.get("a")?.get("b")).toBe(2);
  expect(table.get("a")?.get("a")).toBe(1);
});

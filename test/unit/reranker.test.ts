/** The memory of the cross-encoder: asked once for a pair, and never for another's benefit. */
import { describe, expect, test } from "bun:test";
import { type Passage, probability, CachedReranker } from "../../src/core/search/models.ts";
import type { Unit } from "../../src/domain/unit.ts";

function unit(classId: number, namespace = "n"): Unit {
  return { namespace, classId } as Unit;
}

/** The logits that somebody gets. */
async function logits(
  reranker: CachedReranker,
  query: string,
  passages: readonly Passage[],
  withinMs?: number,
  owner = "ann",
): Promise<(number | null)[]> {
  return (await reranker.score(owner, query, passages, withinMs)).map(({ logit }) => logit);
}

/** Gives a text its length as its logit; null from the `within`-th on. Tells what it was asked. */
function counting(within = Number.POSITIVE_INFINITY) {
  const asked: string[][] = [];
  const times: (number | undefined)[] = [];
  const reranker = {
    model: "counting",
    score: async (query: string, texts: readonly string[], withinMs?: number) => {
      asked.push(texts.map((text) => `${query} ${text}`));
      times.push(withinMs);
      return texts.map((text, index) => (index < within ? text.length : null));
    },
  };
  return { asked, times, reranker: new CachedReranker(reranker) };
}

describe("scores of the cross-encoder", () => {
  test("asks once for a pair, in whatever order it comes", async () => {
    const { asked, reranker } = counting();
    expect(
      await logits(reranker, "q", [
        { unit: unit(1), text: "a" },
        { unit: unit(1), text: "bb" },
      ]),
    ).toEqual([1, 2]);
    expect(
      await logits(reranker, "q", [
        { unit: unit(1), text: "bb" },
        { unit: unit(1), text: "ccc" },
        { unit: unit(1), text: "a" },
      ]),
    ).toEqual([2, 3, 1]);
    expect(await logits(reranker, "q", [{ unit: unit(1), text: "a" }])).toEqual([1]);
    expect(asked).toEqual([["q a", "q bb"], ["q ccc"]]);
  });

  test("asks once for a text that two passages of a class share", async () => {
    const { asked, reranker } = counting();
    expect(
      await logits(reranker, "q", [
        { unit: unit(1), text: "aa" },
        { unit: unit(1), text: "aa" },
      ]),
    ).toEqual([2, 2]);
    expect(asked).toEqual([["q aa"]]);
  });

  test("asks again for another query, another class and another namespace", async () => {
    const { asked, reranker } = counting();
    const text = "a";
    for (const [query, of] of [
      ["q", unit(1)],
      ["r", unit(1)],
      ["q", unit(2)],
      ["q", unit(1, "m")],
    ] as const) {
      expect(await logits(reranker, query, [{ unit: of, text }])).toEqual([1]);
    }
    expect(
      await logits(reranker, "q", [
        { unit: unit(3), text },
        { unit: unit(4), text },
      ]),
    ).toEqual([1, 1]);
    expect(asked).toEqual([["q a"], ["r a"], ["q a"], ["q a"], ["q a", "q a"]]);
  });

  test("asks again for somebody else, and says what it was spared", async () => {
    const { asked, reranker } = counting();
    const passages = [{ unit: unit(1), text: "a" }];
    expect(await reranker.score("ann", "q", passages)).toMatchObject([{ logit: 1, savedMs: 0 }]);
    expect(await reranker.score("bo", "q", passages)).toMatchObject([{ logit: 1, savedMs: 0 }]);
    const [again] = await reranker.score("ann", "q", passages);
    expect(again?.savedMs).toBeGreaterThan(0);
    expect(asked).toEqual([["q a"], ["q a"]]);
  });

  test("does not remember what was left out for lack of time", async () => {
    const { asked, times, reranker } = counting(1);
    const passages = [
      { unit: unit(1), text: "a" },
      { unit: unit(1), text: "bb" },
    ];
    expect(await logits(reranker, "q", passages, 50)).toEqual([1, null]);
    expect(await logits(reranker, "q", passages, 60)).toEqual([1, 2]);
    expect({ asked, times }).toEqual({ asked: [["q a", "q bb"], ["q bb"]], times: [50, 60] });
  });

  test("of nothing asks nothing, and a failure is not remembered", async () => {
    const { asked, reranker } = counting();
    expect(await logits(reranker, "q", [])).toEqual([]);
    expect(asked).toEqual([]);
    let fails = true;
    const flaky = new CachedReranker({
      model: "flaky",
      score: async (_query, texts) => {
        if (fails) throw new Error("no");
        return texts.map(() => 7);
      },
    });
    await expect(logits(flaky, "q", [{ unit: unit(1), text: "a" }])).rejects.toThrow("no");
    fails = false;
    expect(await logits(flaky, "q", [{ unit: unit(1), text: "a" }])).toEqual([7]);
  });

  test("a logit as a probability", () => {
    expect(probability(0)).toBe(0.5);
    expect(probability(Math.log(3))).toBeCloseTo(0.75, 12);
    expect(probability(-30) > 0 && probability(30) <= 1).toBe(true);
  });
});

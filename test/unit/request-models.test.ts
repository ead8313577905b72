/** What is remembered of queries, for whom, and that a trace does not tell it. */
import { describe, expect, test } from "bun:test";
import { CachedReranker, QueryEncoder, RequestModels, type SearchModels } from "../../src/core/search/models.ts";
import type { Caller } from "../../src/domain/principal.ts";
import type { Unit } from "../../src/domain/unit.ts";
import { callerOf, countingEncoder } from "../support/search-models.ts";

const SLOW_MS = 20;
/** Times are rounded to the microsecond. */
const ROUNDING_MS = 0.01;

/** Models that take their time, and the memories of one process. */
function slowModels() {
  const encoder = countingEncoder(() => Bun.sleep(SLOW_MS));
  const read: string[] = [];
  const reranker = {
    model: "slow",
    score: async (_query: string, texts: readonly string[]) => {
      read.push(...texts);
      await Bun.sleep(SLOW_MS);
      return texts.map(() => 1);
    },
  };
  const entailment = { model: "none", judge: async () => [] };
  const models: SearchModels = { queries: new QueryEncoder(encoder), reranker: new CachedReranker(reranker), entailment, chat: null };
  return { encoded: encoder.encoded, read, models };
}

describe("the memory of queries", () => {
  test("belongs to one caller in one namespace", async () => {
    const { encoded, models } = slowModels();
    const ask = (caller: Caller) => new RequestModels(models, caller).encode("tide tables");
    await ask(callerOf("ann"));
    await ask(callerOf("ann"));
    expect(encoded).toHaveLength(1);
    for (const other of [callerOf("bo"), callerOf("ann", "m"), callerOf("ann", "m", "n")]) await ask(other);
    expect(encoded).toHaveLength(4);
    await ask(callerOf("ann", "m"));
    expect(encoded).toHaveLength(4);
  });

  test("a failure is not remembered", async () => {
    let fails = true;
    const encoder = countingEncoder(async () => {
      if (fails) throw new Error("no");
    });
    const queries = new QueryEncoder(encoder);
    await expect(queries.encode("ann", "q")).rejects.toThrow("no");
    fails = false;
    expect((await queries.encode("ann", "q")).encoded.vector).toHaveLength(4);
  });
});

describe("the time that a trace tells", () => {
  test("of a remembered query is what reading it took", async () => {
    const { encoded, models } = slowModels();
    await new RequestModels(models, callerOf("ann")).encode("tide tables");
    const requested = new RequestModels(models, callerOf("ann"));
    const time = requested.stopwatch();
    await requested.encode("tide tables");
    expect(encoded).toHaveLength(1);
    expect(time()).toBeGreaterThanOrEqual(SLOW_MS - 1);
  });

  test("of remembered scores likewise, once a request", async () => {
    const { read, models } = slowModels();
    const passages = ["a", "b"].map((text) => ({ unit: { namespace: "n", classId: 1 } as Unit, text }));
    const first = await models.reranker.score(JSON.stringify(["n", "n", "ann"]), "q", passages);
    const again = await models.reranker.score(JSON.stringify(["n", "n", "ann"]), "q", passages);
    const took = again.reduce((sum, { savedMs }) => sum + savedMs, 0);
    expect(first.every(({ savedMs }) => savedMs === 0)).toBe(true);
    const requested = new RequestModels(models, callerOf("ann"));
    const time = requested.stopwatch();
    expect(await requested.score("q", passages)).toEqual([1, 1]);
    expect(read).toEqual(["a", "b"]);
    expect(time()).toBeGreaterThanOrEqual(took - ROUNDING_MS);
    const real = performance.now();
    const second = requested.stopwatch();
    await requested.score("q", passages);
    const counted = second();
    expect(counted).toBeLessThanOrEqual(performance.now() - real + ROUNDING_MS);
  });
});

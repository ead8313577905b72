/** A trace tells of the work on what its reader may see, and of nobody else's requests. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Restriction } from "../../src/domain/port/index.ts";
import type { Tenant } from "../../src/core/tenant.ts";
import { callWith } from "../support/engines.ts";
import { type Answer, type Harness, openHarness } from "../support/harness.ts";
import { START_MS } from "../support/seeded.ts";

setDefaultTimeout(60_000);

const READER = "strata_demo_reader";
const HOUR_MS = 3_600_000;

let h: Harness;
let demo: Tenant;
beforeAll(async () => {
  h = await openHarness();
  demo = await h.app.tenant({ namespace: "demo", tier: "enterprise" });
}, START_MS);
afterAll(() => h.close());

/** Runs a request by a clock that stands still, but for an hour that each look of `plane` at more than `visible` classes takes. */
async function withSlowHidden(visible: number, ask: () => Promise<Answer>): Promise<{ answer: Answer; looks: number }> {
  const { now } = performance;
  let at = now.call(performance);
  let looks = 0;
  const index = demo.vectors.text;
  const search = index.search.bind(index);
  Object.assign(index, {
    search: (vector: Float32Array, limit: number, restriction: Restriction) => {
      if (restriction.classes === null || restriction.classes.length > visible) {
        looks += 1;
        at += HOUR_MS;
      }
      return search(vector, limit, restriction);
    },
  });
  performance.now = () => at;
  try {
    return { answer: await ask(), looks };
  } finally {
    performance.now = now;
    Object.assign(index, { search });
  }
}

/** How many classes a request of the reader may look at. */
async function visibleClasses(ask: () => Promise<Answer>): Promise<number> {
  const seen: number[] = [];
  const index = demo.vectors.text;
  const search = index.search.bind(index);
  Object.assign(index, {
    search: (vector: Float32Array, limit: number, restriction: Restriction) => {
      seen.push(restriction.classes?.length ?? Number.POSITIVE_INFINITY);
      return search(vector, limit, restriction);
    },
  });
  await ask();
  Object.assign(index, { search });
  return seen[0] ?? 0;
}

describe("times cover what the caller may see", () => {
  const q = "turbine bearing temperature";
  const requests: [string, () => Promise<Answer>][] = [
    ["search", () => h.call("POST", "/v1/search", { token: READER, body: { q, mode: "vector" } })],
    ["a reranked search", () => h.call("POST", "/v1/search", { token: READER, body: { q, mode: "vector", rerank: true } })],
    ["answer", () => h.call("POST", "/v1/answer", { token: READER, body: { q, mode: "vector", answer: true } })],
    [
      "similar",
      async () => {
        const { body } = await h.call("POST", "/v1/search", { token: READER, body: { q, planes: ["text"], mode: "fulltext" } });
        return h.call("POST", "/v1/similar", { token: READER, body: { unit_id: body.hits[0].unit_id, planes: ["text"] } });
      },
    ],
  ];
  for (const [name, ask] of requests) {
    test(`${name}: the ranking with what is hidden is in no time of the trace`, async () => {
      const { answer, looks } = await withSlowHidden(await visibleClasses(ask), ask);
      expect(answer.status).toBe(200);
      expect(looks).toBeGreaterThan(0);
      const { total_ms, stages } = answer.body.trace;
      expect(Math.max(total_ms, ...stages.map(({ ms }: { ms: number }) => ms))).toBeLessThan(HOUR_MS);
    });
  }
});

describe("the memory of queries", () => {
  test("one namespace's question is encoded again for another, and for another principal", async () => {
    const asked: string[] = [];
    const { encoder } = h.app.services;
    const call = callWith(h, {
      encoder: {
        info: encoder.info,
        ready: () => true,
        close: async () => {},
        encode: (text, priority) => {
          asked.push(text);
          return encoder.encode(text, priority);
        },
      },
    });
    const body = { q: "who greases the yaw ring" };
    for (const token of [READER, READER, "strata_tier_pro", "strata_demo_admin", "strata_tier_pro"]) {
      expect((await call("POST", "/v1/search", { token, body })).status).toBe(200);
    }
    expect(asked).toHaveLength(3);
  });
});

/** A server listens before its namespaces are open: who asks waits for one, and one that does not open harms no other. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Harness } from "../support/harness.ts";
import { openHarness } from "../support/harness.ts";
import { temporaryDirectory } from "../support/scratch.ts";

setDefaultTimeout(120_000);

const QUERY = { q: "why did turbine 7 stop?" };

let data: string;
let harness: Harness;
beforeEach(async () => {
  data = temporaryDirectory();
  await (await openHarness({ data })).close();
});
afterEach(async () => {
  await harness.close();
  rmSync(data, { recursive: true, force: true });
});

async function begin(): Promise<void> {
  harness = await openHarness({ data, seed: false, begun: true });
}

const search = (token: string) => harness.call("POST", "/v1/search", { token, body: QUERY });

test("first requests wait for their namespace and the encoder, and open it once", async () => {
  await begin();
  const before = await harness.call("GET", "/v1/health", { token: null });
  expect(before.body).toMatchObject({ status: "degraded", bindings: { inference: false } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => search("strata_demo_admin")));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body.hits.length).toBeGreaterThan(0);
  }
  expect(await harness.app.finishStart()).toEqual([]);
  const after = await harness.call("GET", "/v1/health", { token: null });
  expect(after.body).toMatchObject({ status: "ok", bindings: { inference: true } });
});

test("a namespace that does not open answers 503 alone, and is tried again", async () => {
  const format = join(data, "namespaces/pro/fulltext/strata-index.json");
  const known = readFileSync(format, "utf8");
  writeFileSync(format, '{"version":99}');
  const catalog = join(data, "namespaces/free/catalog.db");
  const whole = readFileSync(catalog);
  writeFileSync(catalog, whole.toString("latin1").replace("SQLite", "strata"), "latin1");
  await begin();
  expect(await harness.app.finishStart()).toHaveLength(2);
  for (const token of ["strata_tier_pro", "strata_tier_free"]) {
    const refused = await search(token);
    expect(refused).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(refused.text).not.toContain(data);
  }
  expect((await search("strata_demo_admin")).status).toBe(200);
  writeFileSync(format, known);
  writeFileSync(catalog, whole);
  for (const token of ["strata_tier_pro", "strata_tier_free"]) expect((await search(token)).status).toBe(200);
});

test("a stop while namespaces open closes them", async () => {
  await begin();
  const starting = harness.app.finishStart();
  await harness.close();
  await starting.catch(() => {});
  await begin();
  expect((await search("strata_demo_admin")).status).toBe(200);
});

/** A catalog with damaged pages: what needs them is refused with the reason, and doctor names it and checks the others. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDataDirectory } from "../../src/adapter/sqlite/data-directory.ts";
import { openHarness } from "../support/harness.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { runStrata } from "../support/strata.ts";
import { faultsOf, fill, NAMESPACE, openWorld, TOKEN, unit } from "./small-world.ts";

setDefaultTimeout(120_000);

const OTHER = "whole";
let data: string;

beforeEach(async () => {
  data = temporaryDirectory();
  const harness = await openWorld(data);
  await fill(
    harness,
    Array.from({ length: 600 }, (_, index) => unit(index)),
  );
  // Its name stands behind the damaged one's.
  await harness.app.data.directory.transact((tx) => tx.putNamespace(OTHER, "enterprise"));
  await harness.app.services.withTenant({ namespace: OTHER, tier: "enterprise" }, async () => {});
  expect(await faultsOf(harness)).toEqual([]);
  await harness.close();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Overwrites a part of the catalog, from a share of its length on. */
function damage(share: number, bytes: number, path = join(data, "namespaces", NAMESPACE.namespace, "catalog.db")): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, Math.floor(fstatSync(file).size * share));
  closeSync(file);
}

describe("doctor", () => {
  for (const [what, share, bytes] of [
    ["pages in the middle", 0.3, 256 * 1024],
    ["its header", 0, 100],
  ] as const) {
    test(`names a catalog that is damaged in ${what}, and checks the other namespaces`, async () => {
      damage(share, bytes);
      const { status, out } = await runStrata(["doctor", "--data", data]);
      expect(out).toMatch(/^fault: catalog DAMAGED: .+ Restore the data directory from a backup$/m);
      expect(out).toContain("whole: catalog whole, audit chain intact");
      expect(status).toBe(3);
      const repaired = await runStrata(["doctor", "--repair", "--json", "--data", data]);
      expect(repaired.status).toBe(3);
      expect(JSON.parse(repaired.out).namespaces).toMatchObject([
        { namespace: NAMESPACE.namespace, sound: false, audit: null },
        { namespace: OTHER, sound: true },
      ]);
    });
  }

  test("names a catalog that is gone", async () => {
    rmSync(join(data, "namespaces", NAMESPACE.namespace, "catalog.db"));
    const { status, out } = await runStrata(["doctor", "--data", data]);
    expect(out).toMatch(/^fault: catalog DAMAGED: the catalog of namespace fault is missing/m);
    expect(out).toContain("whole: catalog whole, audit chain intact");
    expect(status).toBe(3);
  });

  test("mends the indexes of the others", async () => {
    damage(0, 100);
    rmSync(join(data, "namespaces", OTHER, "fulltext"), { recursive: true });
    const { status, out } = await runStrata(["doctor", "--repair", "--data", data]);
    expect(out).toContain("whole: before the repair: fulltext is damaged or missing");
    expect({ status, left: out.includes("whole: fulltext is damaged") }).toEqual({ status: 3, left: false });
  });
});

describe("the service", () => {
  /** `before`: damage is done before the service starts. */
  async function answers(
    before: boolean,
    harm: () => void,
  ): Promise<{ units: { status: number; error: string; detail: string }; health: string; catalog: string }> {
    if (before) harm();
    const harness = await openHarness({ data, seed: false, begun: true });
    try {
      await harness.app.finishStart();
      if (!before) harm();
      const { status, body } = await harness.call("GET", "/v1/units?limit=100", { token: TOKEN });
      const { body: health } = await harness.call("GET", "/v1/health", { token: null });
      return { units: { status, error: body.error, detail: body.detail }, health: health.status, catalog: health.bindings.catalog };
    } finally {
      await harness.close();
    }
  }

  test("refuses what needs damaged pages, says what to do, and is degraded", async () => {
    expect(await answers(false, () => damage(0.3, 256 * 1024))).toEqual({
      units: { status: 503, error: "unavailable", detail: expect.stringMatching(/damaged.*restore the data directory from a backup/) },
      health: "degraded",
      catalog: "bun:sqlite (a catalog is damaged)",
    });
  });

  test("is degraded while a catalog cannot be opened", async () => {
    expect(await answers(true, () => damage(0, 100))).toEqual({
      units: { status: 503, error: "unavailable", detail: expect.stringMatching(/cannot be opened: .*damaged.*restore the data directory/) },
      health: "degraded",
      catalog: "bun:sqlite (a namespace cannot be opened)",
    });
  });
});

test("a service makes no catalog anew, and uploads stay", async () => {
  const upload = join(data, "namespaces", NAMESPACE.namespace, "objects/ab/abcd");
  mkdirSync(dirname(upload), { recursive: true });
  writeFileSync(upload, "an upload");
  const catalog = join(data, "namespaces", NAMESPACE.namespace, "catalog.db");
  const whole = readFileSync(catalog);
  rmSync(catalog);
  const harness = await openHarness({ data, seed: false, begun: true });
  await harness.app.finishStart();
  const answer = await harness.call("GET", "/v1/units", { token: TOKEN });
  expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
  expect(answer.text).not.toContain(data);
  expect([existsSync(catalog), existsSync(upload)]).toEqual([false, true]);
  writeFileSync(catalog, whole);
  expect((await harness.call("GET", "/v1/units", { token: TOKEN })).status).toBe(200);
  await harness.close();
});

test("a damaged directory of principals and tokens is said in the same way", async () => {
  const own = temporaryDirectory();
  const open = () => openDataDirectory(own, () => 0);
  const first = open();
  await first.directory.transact(async (tx) => {
    await tx.putNamespace("n", "enterprise");
    const principal_id = "p".repeat(1_000);
    for (let index = 0; index < 500; index += 1) {
      const owner = { namespace: "n", principal_id: `${principal_id}${index}`, active_scope: "here", groups: [] };
      await tx.putPrincipal({ ...owner, perms: ["read"], scopes: ["*"], read_only: false, super_admin: false });
      await tx.putToken({ ...owner, name: "t", secret: `secret ${index}`, seeded: false });
    }
  });
  first.close();
  damage(0.3, 512 * 1024, join(own, "system.db"));
  const { directory, close } = open();
  const refusal = { kind: "unavailable", message: expect.stringContaining("system.db is damaged; stop the service") };
  await expect(directory.tokens(null)).rejects.toMatchObject(refusal);
  await expect(directory.transact((tx) => tx.tokens(null))).rejects.toMatchObject(refusal);
  close();
  rmSync(own, { recursive: true, force: true });
});

/** Seeding writes five databases. Killed between any two of its commits, it is whole after the next start. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/base/fault.ts";
import { silentLog } from "../../src/base/log.ts";
import { demoData } from "../../src/core/demo/demo.ts";
import { SEED_NAMESPACES } from "../../src/core/demo/principals.ts";
import { FIRST_RUN, seed } from "../../src/core/demo/seed.ts";
import type { Tenant, WithTenant } from "../../src/core/tenant.ts";
import { type Harness, openHarness } from "../support/harness.ts";
import { auditRows, brokenChains } from "../support/people.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { openSeeded, seededData, START_MS } from "../support/seeded.ts";
import { promised, spoil } from "./seed-world.ts";

setDefaultTimeout(START_MS);

let whole: Awaited<ReturnType<typeof promised>>;
beforeAll(async () => {
  const reference = await openSeeded();
  whole = await promised(reference.app);
  await reference.close();
  expect(whole.begun).toBeNull();
});

/** Runs the child on a data directory until it is killed at `when`. */
async function crash(data: string, when: string): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "seed-crash-child.ts"), data, when], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  expect({ stdout, stderr, signal: child.signalCode }).toEqual({ stdout: "", stderr: "", signal: "SIGKILL" });
}

/** Opens a data directory as the next start does. */
async function afterwards(data: string, check: (h: Harness) => Promise<void>): Promise<void> {
  const h = await openHarness({ data, seed: false });
  try {
    await check(h);
    expect(await brokenChains(h)).toEqual([]);
  } finally {
    await h.close();
  }
}

describe("the first run", () => {
  const data = temporaryDirectory();
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test("killed before it begins: nothing is there, and the first run is still open", async () => {
    await crash(data, "before");
    await afterwards(data, async ({ app }) => {
      expect(app.data.tables.begunSeeding()).toBeNull();
      expect(app.data.tables.namespaces()).toEqual([]);
      expect(app.data.tables.hasTokens()).toBe(false);
    });
  });

  test("killed after two of its commits: the next start makes the rest, and the first run is closed", async () => {
    await crash(data, "2");
    await afterwards(data, async (h) => {
      expect(await promised(h.app)).toEqual(whole);
      expect((await h.call("POST", "/v1/admin/seed", { token: null })).status).toBe(401);
      const found = await h.call("POST", "/v1/search", { token: "strata_demo_reader", body: { q: "why did turbine 7 stop?" } });
      expect(found.body.hits.length).toBe(10);
      for (const { namespace } of SEED_NAMESPACES) {
        const [row] = await auditRows(h, namespace, 1);
        expect(row).toMatchObject(
          namespace === "demo" ? { action: "search" } : { action: "seed", principal_id: "first-run", detail: { resumed: true } },
        );
      }
    });
  });
});

describe("seeding again", () => {
  test.each([0, 1, 2, 3, 4])("killed after %d of its commits in catalogs, it is whole after the next start", async (commits) => {
    const data = await seededData();
    await crash(data, String(commits));
    await afterwards(data, async ({ app }) => expect(await promised(app)).toEqual(whole));
    rmSync(data, { recursive: true, force: true });
  });

  test("a failure on the way is finished by the next seeding, or by the next start", async () => {
    const data = await seededData();
    const failing = async ({ app }: Harness) => {
      await spoil(app);
      let left = 2;
      const doomed = (tenant: Tenant): Tenant => {
        const { store } = tenant;
        const transact: Tenant["store"]["transact"] = (work, bytes) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Fault("unavailable", "the disk is full")) : store.transact(work, bytes);
        };
        return { ...tenant, store: Object.assign(Object.create(store) as Tenant["store"], { transact }) };
      };
      const withTenant: WithTenant = (namespace, work) => app.services.withTenant(namespace, (tenant) => work(doomed(tenant)));
      const options = { directory: app.data.directory, withTenant, encoder: app.services.encoder, data: await demoData() };
      await expect(seed(options, FIRST_RUN)).rejects.toMatchObject({ kind: "unavailable" });
      expect(app.data.tables.begunSeeding()).toEqual(FIRST_RUN);
      expect(await promised(app)).not.toEqual(whole);
    };
    await afterwards(data, async (h) => {
      await failing(h);
      // By an admin of the demo, who alone could not restore the super-admin: what had begun with it is finished with it.
      expect((await h.call("POST", "/v1/admin/seed")).status).toBe(200);
      expect(await promised(h.app)).toEqual(whole);
      await failing(h);
    });
    await afterwards(data, async ({ app }) => expect(await promised(app)).toEqual(whole));
    rmSync(data, { recursive: true, force: true });
  });

  test("one that cannot be finished keeps nobody from the rest, and writes nothing", async () => {
    const data = await seededData();
    const db = new Database(join(data, "system.db"));
    db.run("INSERT INTO seeding VALUES (1, 'first-run', 1)");
    db.run("UPDATE principal SET super_admin = 0 WHERE principal_id = 'super-admin'");
    db.close();
    const errors: string[] = [];
    const log = { ...silentLog, error: (message: string) => errors.push(message) };
    const h = await openHarness({ data, seed: false, log });
    try {
      expect(errors).toEqual(["a seeding that was cut short cannot be finished"]);
      expect((await h.call("GET", "/v1/context")).status).toBe(200);
      expect(h.app.data.tables.begunSeeding()).toEqual(FIRST_RUN);
      for (const { namespace } of SEED_NAMESPACES) expect((await auditRows(h, namespace)).map(({ action }) => action)).toEqual(["seed"]);
    } finally {
      await h.close();
      rmSync(data, { recursive: true, force: true });
    }
  });
});

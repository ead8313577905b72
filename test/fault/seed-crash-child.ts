/**
 * Seeds a data directory and is killed on the way, exactly where its arguments say: `before` anything is written, or
 * after so many commits. The reseeding of a seeded directory first spoils what seeding restores.
 */
import { demoData } from "../../src/core/demo/demo.ts";
import { FIRST_RUN, seed } from "../../src/core/demo/seed.ts";
import type { Tenant, WithTenant } from "../../src/core/tenant.ts";
import type { Encoder } from "../../src/domain/port/encoder.ts";
import { openHarness } from "../support/harness.ts";
import { spoil } from "./seed-world.ts";

const [data = "", when = ""] = process.argv.slice(2);
const { app } = await openHarness({ data, seed: false });
if (app.data.tables.hasTokens()) await spoil(app);

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("SIGKILL was survived");
}

const last = when === "before" ? Number.POSITIVE_INFINITY : Number(when);
let commits = 0;
const mortal = (tenant: Tenant): Tenant => {
  const { store } = tenant;
  const transact: Tenant["store"]["transact"] = async (work, bytes) => {
    if (last === 0) die();
    const committed = await store.transact(work, bytes);
    commits += 1;
    if (commits === last) die();
    return committed;
  };
  return { ...tenant, store: Object.assign(Object.create(store) as Tenant["store"], { transact }) };
};
const { encoder } = app.services;
const deadEncoder: Encoder = { info: encoder.info, ready: () => true, encode: () => die(), close: async () => {} };

const options = {
  directory: app.data.directory,
  withTenant: ((namespace, work) => app.services.withTenant(namespace, (tenant) => work(mortal(tenant)))) satisfies WithTenant,
  encoder: when === "before" ? deadEncoder : encoder,
  data: await demoData(),
};
await seed(options, FIRST_RUN);
process.stdout.write("alive\n");
process.exit(1);

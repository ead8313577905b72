/** A start that runs out of file descriptors is refused or goes through; either way no index is deleted. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NAMESPACES_OPEN_MIN } from "../../src/base/limits.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { faultsOf, fill, fingerprint, openWorld, unit } from "./small-world.ts";

setDefaultTimeout(240_000);

/** With the one of the world, as many as are opened under the smallest limit. */
const NAMESPACES = NAMESPACES_OPEN_MIN - 1;
/** From too few for Bun itself to more than a start takes, close together where a store is the first that has too few. */
const LIMITS = [24, 32, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 64, 80, 160];
const START = `
  import { App } from ${JSON.stringify(join(import.meta.dir, "../../src/app/app.ts"))};
  import { silentLog } from ${JSON.stringify(join(import.meta.dir, "../../src/base/log.ts"))};
  try {
    const app = await App.open({ data: process.argv[1], log: silentLog });
    await app.close();
    console.log("started");
  } catch (error) {
    console.log(error.name + ": " + error.message);
  }
  process.exit(0);`;

let data: string;
beforeAll(async () => {
  data = temporaryDirectory();
  const harness = await openWorld(data);
  const units = Array.from({ length: 40 }, (_, index) => unit(index));
  await fill(harness, units);
  // So many stores that a limit which is enough for the models is not enough for them.
  for (let index = 0; index < NAMESPACES; index += 1) {
    const namespace = { namespace: `other-${index}`, tier: "enterprise" } as const;
    harness.app.data.tables.putNamespace(namespace.namespace, namespace.tier);
    await harness.app.tenant(namespace);
  }
  await harness.close();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

function startWith(limit: number, directory: string): string {
  const command = ["sh", "-c", `ulimit -n ${limit} && exec "$@"`, "sh", process.execPath, "-e", START, directory];
  return Bun.spawnSync(command, { stdout: "pipe", stderr: "ignore" }).stdout.toString();
}

test("whatever the limit", async () => {
  const indexes = Object.entries(fingerprint(data)).filter(([path]) => /\/(vectors|fulltext)\//.test(path));
  expect(indexes.length).toBeGreaterThan(10);
  const outcomes: string[] = [];
  for (const limit of LIMITS) {
    const directory = temporaryDirectory();
    cpSync(data, directory, { recursive: true });
    outcomes.push(startWith(limit, directory));
    expect({ limit, ...fingerprint(directory) }).toMatchObject({ limit, ...Object.fromEntries(indexes) });
    rmSync(directory, { recursive: true });
  }
  // The limits reach from what is refused, in one line of words, to what is enough.
  expect(outcomes.at(-1)).toBe("started\n");
  expect(outcomes.filter((text) => /^StartError: .*too many open files/.test(text)).length).toBeGreaterThan(0);
  for (const text of outcomes) expect(text.trim().split("\n").length).toBe(1);
});

test("and the next start finds everything", async () => {
  const harness = await openWorld(data);
  expect(await faultsOf(harness)).toEqual([]);
  await harness.close();
});

/** Many more namespaces than may be open at once: all of them are served, and nothing is lost while they push each other out. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { descriptorsOpen } from "../../src/base/descriptors.ts";
import { NAMESPACE_DESCRIPTORS } from "../../src/base/limits.ts";
import type { Namespace } from "../../src/domain/principal.ts";
import { type Answer, type Harness, openHarness } from "../support/harness.ts";
import { rowsOf } from "../support/rows.ts";
import { temporaryDirectory } from "../support/scratch.ts";

setDefaultTimeout(240_000);

const OPEN_MAX = 4;
const NAMES = Array.from({ length: 24 }, (_, index) => `n${index}`);
/** Besides those of namespaces: sockets of processes, files that are being read, Workers on their way. */
const OTHER_DESCRIPTORS = 40;

let data: string;
let harness: Harness;
/** Descriptors before any namespace was opened, and the most since. */
let atFirst = 0;
let most = 0;

beforeAll(async () => {
  data = temporaryDirectory();
  harness = await openHarness({ data, seed: false, namespacesOpen: OPEN_MAX });
  await harness.app.data.directory.transact(async (tx) => {
    for (const namespace of NAMES) {
      const owner = { namespace, principal_id: "owner", active_scope: "here", groups: [] };
      await tx.putNamespace(namespace, "enterprise");
      await tx.putPrincipal({ ...owner, perms: ["read", "write", "admin"], scopes: ["*"], read_only: false, super_admin: false });
      await tx.putToken({ ...owner, name: "t", secret: `token-${namespace}`, seeded: false });
    }
  });
  atFirst = descriptorsOpen();
});
afterAll(async () => {
  await harness.close();
  rmSync(data, { recursive: true, force: true });
});

async function call(name: string, method: string, path: string, body?: unknown, type = "application/json"): Promise<Answer> {
  const answer = await harness.call(method, path, { token: `token-${name}`, body, headers: { "content-type": type } });
  most = Math.max(most, descriptorsOpen());
  return answer;
}

const write = (name: string, count = 1, about = "pump") => {
  const units = Array.from({ length: count }, (_, index) => ({ modality: "text", text: `${about} ${index} of ${name} leaks`, doc_id: about }));
  return call(name, "POST", "/v1/ingest", { units });
};

/** The texts that a namespace finds. */
async function found(name: string, q = "pump leaks"): Promise<string[]> {
  const { status, body } = await call(name, "POST", "/v1/search", { q, top_k: 50 });
  if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
  return body.hits.map(({ text }: { text: string }) => text);
}

function opened(): number {
  return harness.app.descriptors() / NAMESPACE_DESCRIPTORS;
}

/** Threads that watch the files of an index. */
function indexThreads(): number {
  const names = readdirSync("/proc/self/task").map((task) => {
    try {
      return readFileSync(`/proc/self/task/${task}/comm`, "utf8");
    } catch {
      return "";
    }
  });
  return names.filter((name) => name.startsWith("thread-tantivy")).length;
}

test("all of them are written to and searched, at once and in turn", async () => {
  const written = await Promise.all(NAMES.map((name) => write(name)));
  expect(written.filter(({ status }) => status !== 200)).toEqual([]);
  expect(opened()).toBe(OPEN_MAX);
  for (const name of NAMES) expect(await found(name)).toEqual([`pump 0 of ${name} leaks`]);
  expect(await Promise.all(NAMES.map((name) => found(name)))).toEqual(NAMES.map((name) => [`pump 0 of ${name} leaks`]));
  expect(opened()).toBe(OPEN_MAX);
  // The thread of each index ends soon after it is closed, in both Workers.
  while (indexThreads() > 2 * OPEN_MAX) await Bun.sleep(50);
  expect(most - atFirst).toBeLessThan(OPEN_MAX * NAMESPACE_DESCRIPTORS + OTHER_DESCRIPTORS);
});

test("a write goes on while others want its place", async () => {
  const large = write("n0", 300, "valve");
  const others = NAMES.slice(1, 10).map((name) => found(name));
  expect((await large).body).toMatchObject({ created: 300 });
  await Promise.all(others);
  await harness.app.services.withTenant(namespaceOf("n0"), async (tenant) => {
    expect(await tenant.reader.units.count(null)).toBe(301);
  });
  expect((await found("n0", "valve leaks")).length).toBe(50);
});

test("files are read in more namespaces than may be open, and who waits for one holds no place", async () => {
  const names = NAMES.slice(0, 3 * OPEN_MAX);
  const read = await Promise.all(
    names.map((name) => call(name, "POST", "/v1/files?name=a.txt&wait=true", `The gauge of ${name} broke.`, "text/plain")),
  );
  expect(read.map(({ status, body }) => ({ status, state: body.job?.state }))).toEqual(names.map(() => ({ status: 200, state: "done" })));
  for (const name of names) expect((await found(name, "which gauge broke?")).join()).toContain(`The gauge of ${name} broke.`);
});

test("a start finds the jobs that were not finished, and opens nothing else", async () => {
  const names = ["n3", "n20"];
  for (const name of names) {
    await harness.app.services.withTenant(namespaceOf(name), async (tenant) => {
      const accepted = await call(name, "POST", "/v1/files?name=b.txt&wait=true", `The dial of ${name} stuck.`, "text/plain");
      rowsOf(tenant).db.run("UPDATE job SET state = 'running', lease = 'gone' WHERE job_id = ?", [accepted.body.job.id]);
    });
  }
  await harness.close();
  harness = await openHarness({ data, seed: false, begun: true, namespacesOpen: OPEN_MAX });
  expect(await harness.app.finishStart()).toEqual([]);
  expect(opened()).toBe(names.length);
  for (const name of names) {
    const active = () => harness.app.services.withTenant(namespaceOf(name), ({ reader }) => reader.jobs.activeCount());
    while ((await active()) > 0) await Bun.sleep(20);
    expect((await found(name, "which dial stuck?")).join()).toContain(`The dial of ${name} stuck.`);
  }
});

function namespaceOf(namespace: string): Namespace {
  return { namespace, tier: "enterprise" };
}

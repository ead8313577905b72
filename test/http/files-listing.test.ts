/** The listing of files: who sees which, in which order, with what of their jobs. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { CLOCK, FILES, openWorld, put, type World } from "../support/files.ts";
import { auditRows, hire } from "../support/people.ts";
import { START_MS } from "../support/seeded.ts";

setDefaultTimeout(60_000);

interface Listed {
  file_id: string;
  name: string;
  unit_count: number;
  created_at: number;
  job: { state: string; counts: { units: number; created: number }; notes: string[]; error: { error: string } | null };
}

let world: World;
const sent: Record<string, string> = {};

beforeAll(async () => {
  world = await openWorld();
  const send = async (name: string, content: string | Uint8Array, token: string, query: Record<string, string> = {}) => {
    sent[name] = (await put(world.h, content, { token, name, query })).body.file_id;
  };
  await send("one.txt", "The ferry left at noon.\n", world.ann);
  await send("two.md", "# Tide\n\nThe tide turned.\n\n# Moon\n\nThe moon rose.\n", world.ann, { acl_groups: "crew" });
  await send("broken.png", CLOCK.subarray(0, 900), world.ann);
  await send("secret.txt", "Nobody else may know of this.\n", world.admin, { scope: "town", acl_groups: "elders" });
}, START_MS);

afterAll(() => world.h.close());

const list = async (token: string, query = ""): Promise<{ files: Listed[]; next_cursor: number | null }> => {
  const { status, body } = await world.h.call("GET", `/v1/files${query}`, { token });
  expect(status).toBe(200);
  return body;
};
const names = ({ files }: { files: Listed[] }) => files.map(({ name }) => name);

test("shows the files of which the caller may read something, newest first, and no others", async () => {
  expect(names(await list(world.admin, "?scope=*"))).toEqual(["secret.txt", "broken.png", "two.md", "one.txt"]);
  expect(names(await list(world.ann))).toEqual(["broken.png", "two.md", "one.txt"]);
  const crew = hire(world.h, "listed-crew", { namespace: FILES, groups: ["crew"], scopes: ["town"], active_scope: "town" });
  expect(names(await list(crew))).toEqual(["two.md"]);
  const nobody = hire(world.h, "listed-nobody", { namespace: FILES, scopes: ["town"], active_scope: "town" });
  expect(await list(nobody)).toMatchObject({ files: [], next_cursor: null });
  expect(names(await list(world.ann, "?scope=nowhere"))).toEqual([]);
});

test("is what the file's own route shows, with a count in place of the ids of its Units", async () => {
  for (const { unit_count, ...shown } of (await list(world.ann)).files) {
    const { units, ...file } = (await world.h.call("GET", `/v1/files/${shown.file_id}`, { token: world.ann })).body;
    expect(shown as unknown).toEqual(file);
    expect(unit_count).toBe(units.length);
  }
});

test("keeps those whose last job is in a state", async () => {
  expect(names(await list(world.ann, "?state=failed"))).toEqual(["broken.png"]);
  expect(names(await list(world.ann, "?state=done"))).toEqual(["two.md", "one.txt"]);
  expect(names(await list(world.ann, "?state=queued"))).toEqual([]);
  const wrong = await world.h.call("GET", "/v1/files?state=lost", { token: world.ann });
  expect([wrong.status, wrong.body.detail]).toEqual([400, "/state: must be one of queued, running, done, failed"]);
});

test("pages by offset over what the caller may read alone", async () => {
  const seen: string[] = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const page = await list(world.ann, `?limit=1&cursor=${cursor}`);
    expect(page.files.length).toBe(1);
    seen.push(...names(page));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(["broken.png", "two.md", "one.txt"]);
});

test("tells somebody who reads a part of a file of that part alone", async () => {
  const [one = ""] = (await world.h.call("GET", `/v1/files/${sent["two.md"]}`, { token: world.ann })).body.units;
  const crew = hire(world.h, "part-reader", { namespace: FILES, groups: ["crew"], scopes: ["town"], active_scope: "town" });
  const whole = (await list(crew)).files[0] as Listed;
  expect(whole.unit_count).toBeGreaterThan(1);
  await world.h.call("DELETE", `/v1/units/${one}`, { token: world.ann });
  const [part] = (await list(crew)).files as [Listed];
  expect([part.unit_count, part.job.counts.units, part.job.notes]).toEqual([whole.unit_count - 1, whole.unit_count - 1, []]);
});

test("leaves a row in the audit chain", async () => {
  await list(world.ann, "?state=done&limit=2");
  const [row] = await auditRows(world.h, FILES, 1);
  expect(row).toMatchObject({ principal_id: "ann", action: "files.list", outcome: "ok", detail: { limit: 2, cursor: 0, state: "done" } });
});

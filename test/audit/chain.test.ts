/** Any reader can recompute the chain from what the service publishes, with nothing of the service's own code. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { type Harness, openHarness } from "../support/harness.ts";

setDefaultTimeout(120_000);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Row = { [key: string]: Json } & { seq: number; prev_hash: string; row_hash: string; detail: { [key: string]: Json } };

/** RFC 8785 for what rows hold: members sorted by UTF-16 code units, no white space, ECMAScript numbers and strings. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(",")}}`;
}

let harness: Harness;
const token = "chain-token";

beforeAll(async () => {
  harness = await openHarness({ seed: false });
  const { directory } = harness.app.data;
  directory.transact(() => {
    directory.putNamespace("chain", "enterprise");
    const shared = { namespace: "chain", scopes: ["*"], active_scope: "é/x", groups: [], read_only: false, super_admin: false };
    directory.putPrincipal({ ...shared, principal_id: 'Zoë "Z" \\ \u2028 😀', perms: ["read", "write", "admin"] });
    directory.putPrincipal({ ...shared, principal_id: "reader", perms: ["read"] });
    directory.putToken({ name: "t", secret: token, namespace: "chain", principal_id: 'Zoë "Z" \\ \u2028 😀', seeded: false });
    directory.putToken({ name: "r", secret: "chain-reader", namespace: "chain", principal_id: "reader", seeded: false });
  });
  const units = [{ text: "a crane", modality: "text", scope: "a" }];
  for (let round = 0; round < 45; round += 1) {
    await harness.call("POST", "/v1/search?scope=odd%20%EF%BF%BD%20scope", { token, body: { q: `crane ${round % 3}`, mode: "fulltext" } });
    await harness.call("GET", `/v1/units/nothing-${round}`, { token });
    await harness.call("POST", "/v1/ingest", { token: "chain-reader", body: { units } });
  }
  const { status } = await harness.call("POST", "/v1/ingest?scope=a", { token, body: { units } });
  expect(status).toBe(200);
});
afterAll(() => harness.close());

async function allRows(): Promise<Row[]> {
  const rows = new Map<number, Row>();
  // Reading the log is written to the log: rows move on by one with each page.
  for (let cursor: number | null = 0; cursor !== null; ) {
    const { status, body } = await harness.call("GET", `/v1/audit?limit=50&cursor=${cursor}`, { token });
    expect(status).toBe(200);
    expect(body.count).toBe(body.rows.length);
    const seqs = body.rows.map(({ seq }: Row) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => b - a));
    for (const row of body.rows as Row[]) rows.set(row.seq, row);
    cursor = body.next_cursor;
  }
  return [...rows.values()].sort((a, b) => a.seq - b.seq);
}

test("the rows are numbered without gaps, and each hash follows from the row and the one before", async () => {
  const rows = await allRows();
  expect(rows.length).toBeGreaterThan(130);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  let before = "0".repeat(64);
  for (const { row_hash, ...content } of rows) {
    expect(content.prev_hash).toBe(before);
    expect(Object.keys(content).sort()).toEqual([
      "action",
      "detail",
      "namespace",
      "outcome",
      "prev_hash",
      "principal_id",
      "scope",
      "seq",
      "target",
      "ts",
    ]);
    expect(createHash("sha256").update(canonical(content)).digest("hex")).toBe(row_hash);
    before = row_hash;
  }
  const { body } = await harness.call("GET", "/v1/audit/verify", { token });
  expect(body).toMatchObject({ namespace: "chain", intact: true, break_at: null, reason: null });
  expect(body.checked).toBe(body.head_seq);
  const head = (await allRows()).find(({ seq }) => seq === body.head_seq);
  expect(head?.row_hash).toBe(body.head_hash);
});

test("every use and every denial is there, and no query text", async () => {
  const rows = await allRows();
  const kinds = new Set(rows.map(({ action, outcome }) => `${action} ${outcome}`));
  expect([...kinds]).toEqual(expect.arrayContaining(["search ok", "unit.get ok", "ingest ok", "ingest denied", "audit.list ok"]));
  expect(JSON.stringify(rows)).not.toContain("crane");
  const search = rows.find(({ action }) => action === "search");
  expect(search?.detail.q_sha256).toBe(createHash("sha256").update("crane 0").digest("hex"));
  // What is no scope path is text of the caller, and is kept as its digest too.
  expect(search?.scope).toBe(createHash("sha256").update("odd \ufffd scope").digest("hex"));
});

/** Any reader can recompute the chain from what the service publishes, with nothing of the service's own code (test/support/audit-check.ts). */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isWhole } from "../../src/domain/audit.ts";
import { chainFault, CONTENT, hashOf, type Row, withoutContent } from "../support/audit-check.ts";
import { type Harness, openHarness } from "../support/harness.ts";

setDefaultTimeout(120_000);

let harness: Harness;
const token = "chain-token";

beforeAll(async () => {
  harness = await openHarness({ seed: false });
  const { tables: directory } = harness.app.data;
  directory.putNamespace("chain", "enterprise");
  const shared = { namespace: "chain", scopes: ["*"], active_scope: "é/x", groups: [], read_only: false, super_admin: false };
  directory.putPrincipal({ ...shared, principal_id: 'Zoë "Z" \\ \u2028 😀', perms: ["read", "write", "admin"] });
  directory.putPrincipal({ ...shared, principal_id: "reader", perms: ["read"] });
  directory.putToken({ name: "t", secret: token, namespace: "chain", principal_id: 'Zoë "Z" \\ \u2028 😀', seeded: false });
  directory.putToken({ name: "r", secret: "chain-reader", namespace: "chain", principal_id: "reader", seeded: false });
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

async function allRows(by = token): Promise<Row[]> {
  const rows = new Map<number, Row>();
  // Reading the log is written to the log: rows move on by one with each page.
  for (let cursor: number | null = 0; cursor !== null; ) {
    const { status, body } = await harness.call("GET", `/v1/audit?limit=50&cursor=${cursor}`, { token: by });
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
  expect(chainFault(rows)).toBeNull();
  for (const row of rows) {
    expect(Object.keys(row).sort()).toEqual([
      "action",
      "content_hash",
      "detail",
      "namespace",
      "outcome",
      "prev_hash",
      "principal_id",
      "row_hash",
      "salt",
      "scope",
      "seq",
      "target",
      "ts",
      "v",
    ]);
  }
  const { body } = await harness.call("GET", "/v1/audit/verify", { token });
  expect(body).toMatchObject({ namespace: "chain", intact: true, break_at: null, reason: null });
  expect(body.checked).toBe(body.head_seq);
  const head = (await allRows()).find(({ seq }) => seq === body.head_seq);
  expect(head?.row_hash).toBe(body.head_hash);
});

test("somebody who sees the content of no other's rows recomputes the same chain", async () => {
  const rows = await allRows("chain-reader");
  expect(rows.filter(({ principal_id }) => principal_id === null).length).toBeGreaterThan(90);
  expect(rows.filter(({ principal_id }) => principal_id === "reader").length).toBeGreaterThanOrEqual(45);
  expect(chainFault(rows)).toBeNull();
  expect(JSON.stringify(rows)).not.toContain("Zoë");
});

test("every use and every denial is there, and no query text", async () => {
  const rows = await allRows();
  const kinds = new Set(rows.map(({ action, outcome }) => `${action} ${outcome}`));
  expect([...kinds]).toEqual(expect.arrayContaining(["search ok", "unit.get ok", "ingest ok", "ingest denied", "audit.list ok"]));
  expect(JSON.stringify(rows)).not.toContain("crane");
  const search = rows.find(({ action }) => action === "search");
  expect(search?.detail).toMatchObject({ q_sha256: createHash("sha256").update("crane 0").digest("hex") });
  // What is no scope path is text of the caller, and is kept as its digest too.
  expect(search?.scope).toBe(createHash("sha256").update("odd \ufffd scope").digest("hex"));
});

describe("the rows that docs/audit.md publishes", () => {
  const documented = readFileSync(join(import.meta.dir, "../../docs/audit.md"), "utf8");
  const rows = JSON.parse(/```json\n(.*?)```/s.exec(documented)?.[1] ?? "") as Row[];
  const [first, second] = rows as [Row, Row];

  test("are of both forms, and whole with and without their content", () => {
    expect(rows.map(({ v }) => v ?? null)).toEqual([null, 2, 2]);
    expect(chainFault(rows)).toBeNull();
    expect(chainFault(rows.map(withoutContent))).toBeNull();
  });

  test("are hashed as the texts beside them say", () => {
    const [content, place] = /```\n(\{"detail".*)\n(\{"action".*)\n```/.exec(documented)?.slice(1) ?? [];
    const sha = (text = "") => createHash("sha256").update(text).digest("hex");
    expect([sha(content), sha(place)]).toEqual([second.content_hash as string, second.row_hash]);
    expect(hashOf(second, [...CONTENT, "salt"])).toBe(sha(content));
  });

  test("are wrong once anything in them is changed", () => {
    const changed = (row: Row, members: Partial<Row>) => chainFault(rows.map((one) => (one === row ? ({ ...one, ...members } as Row) : one)));
    expect(changed(first, { scope: "harbour" })).toBe("1: row_hash");
    expect(changed(second, { target: null })).toBe("2: content_hash");
    expect(changed(second, { salt: "AAECAwQFBgcICQoLDA0ODg" })).toBe("2: content_hash");
    expect(changed(second, { outcome: "denied" })).toBe("2: row_hash");
    expect(changed(second, { content_hash: first.row_hash })).toBe("2: row_hash");
  });

  test("are what the service recomputes", () => {
    expect(rows.map((row) => isWhole(row as never))).toEqual([true, true, true]);
    expect(isWhole({ ...second, principal_id: "anna" } as never)).toBe(false);
  });
});

/** Scopes as they are made and removed: the default one, paths that climb, the bound, and DELETE /v1/scopes/PATH. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { NAMESPACE_MAX_SCOPES } from "../../src/base/limits.ts";
import { type Harness, openHarness } from "../support/harness.ts";
import { auditRows, hire } from "../support/people.ts";
import { rowsOf } from "../support/rows.ts";

let h: Harness;
/** An admin whose active scope is `*`, a writer with one scope, and an admin of one scope. */
let admin: string;
let writer: string;
let local: string;

beforeAll(async () => {
  h = await openHarness({ seed: false });
  h.app.data.tables.putNamespace("yard", "enterprise");
  const everywhere = { namespace: "yard", scopes: ["*"], active_scope: "*" };
  admin = hire(h, "admin", { ...everywhere, perms: ["read", "write", "admin"] });
  writer = hire(h, "writer", { namespace: "yard", scopes: ["yard"], active_scope: "yard" });
  local = hire(h, "local", { namespace: "yard", scopes: ["yard"], active_scope: "yard", perms: ["read", "write", "admin"] });
}, 60_000);

afterAll(async () => {
  await h.close();
});

const unit = (more: object = {}) => ({ units: [{ modality: "chunk", source_uri: `shelf/${crypto.randomUUID()}`, ...more }] });
const ingest = (body: object, options: { token?: string; headers?: Record<string, string> } = {}) =>
  h.call("POST", "/v1/ingest", { token: admin, ...options, body });
const scopes = async (token = admin): Promise<string[]> =>
  (await h.call("GET", "/v1/scopes", { token })).body.scopes.map(({ scope }: { scope: string }) => scope);
const drop = (path: string, token = admin) => h.call("DELETE", `/v1/scopes/${path}`, { token });

describe("the scope default", () => {
  test("takes the Units of a caller whose active scope is *, and is registered when first used", async () => {
    expect(await scopes()).not.toContain("default");
    const { status, body } = await ingest(unit());
    expect(status).toBe(200);
    expect(await scopes()).toContain("default");
    const { body: stored } = await h.call("GET", `/v1/units/${body.units[0].unit_id}`, { token: admin });
    expect(stored.scope).toBe("default");
    const named = await ingest(unit(), { headers: { "x-svc-scope": "*" } });
    expect(named.status).toBe(200);
  });

  test("takes the files of such a caller", async () => {
    const { status, body } = await h.call("POST", "/v1/files?name=a.txt&wait=true", { token: admin, body: "A line in a file." });
    expect(status).toBe(200);
    const { body: file } = await h.call("GET", `/v1/files/${body.file_id}`, { token: admin });
    expect(file.scope).toBe("default");
  });

  test("is no way around a grant", async () => {
    const { status } = await ingest(unit({ scope: "default" }), { token: writer });
    expect(status).toBe(403);
  });
});

describe("a segment . or ..", () => {
  const CLIMBING = [".", "..", "../etc", "yard/..", "yard/./bay"];

  test.each(CLIMBING)("%p is no scope to write to", async (scope) => {
    const before = await scopes();
    for (const [body, headers] of [
      [unit({ scope }), {}],
      [unit(), { "x-svc-scope": scope }],
    ] as const) {
      const { status, body: fault } = await ingest(body, { headers });
      expect([status, fault.error]).toEqual([400, "bad_request"]);
      expect(fault.detail).toContain("/units/0/scope");
    }
    expect(await scopes()).toEqual(before);
  });

  test.each(CLIMBING)("%p is clamped to nothing where it is read", async (scope) => {
    const { status, body } = await h.call("GET", "/v1/units", { token: admin, headers: { "x-svc-scope": scope } });
    expect([status, body.units, body.context.effective_scopes]).toEqual([200, [], []]);
  });
});

describe("DELETE /v1/scopes/PATH", () => {
  test("removes an empty scope, with a row", async () => {
    const { body } = await ingest(unit(), { headers: { "x-svc-scope": "yard/old/bay" } });
    expect((await drop("yard/old/bay")).body).toMatchObject({ error: "conflict", status: 409 });
    expect((await drop("yard/old")).body).toMatchObject({ error: "conflict", status: 409 });
    expect((await h.call("DELETE", `/v1/units/${body.units[0].unit_id}`, { token: admin })).status).toBe(200);
    expect(await drop("yard/old/bay")).toMatchObject({ status: 200, body: { removed: 1 } });
    expect(await drop("yard%2Fold")).toMatchObject({ status: 200, body: { removed: 1 } });
    expect((await scopes()).filter((scope) => scope.startsWith("yard/old"))).toEqual([]);
    const [row] = await auditRows(h, "yard", 100).then((rows) => rows.filter(({ action }) => action === "scope.delete"));
    expect(row).toMatchObject({ principal_id: "admin", outcome: "ok", scope: "yard/old", target: "yard/old" });
  });

  test("is refused while a file lies in it, whatever became of the file's Units", async () => {
    const { body } = await h.call("POST", "/v1/files?name=b.txt&wait=true&scope=yard/files", { token: admin, body: "Another line in a file." });
    expect((await drop("yard/files")).status).toBe(409);
    expect((await h.call("DELETE", `/v1/files/${body.file_id}`, { token: admin })).status).toBe(200);
    expect((await drop("yard/files")).status).toBe(200);
  });

  test("an unknown scope and one that the caller may not use answer the same", async () => {
    await ingest(unit(), { headers: { "x-svc-scope": "elsewhere" } });
    const unknown = await drop("nowhere", local);
    expect(unknown.status).toBe(404);
    for (const path of ["elsewhere", "yard/nothing", "*"]) expect((await drop(path, local)).text).toBe(unknown.text);
    expect(await scopes()).toContain("elsewhere");
  });

  test("a scope that was removed is registered anew by what is written to it", async () => {
    const { body } = await ingest(unit(), { headers: { "x-svc-scope": "yard/again" } });
    await h.call("DELETE", `/v1/units/${body.units[0].unit_id}`, { token: admin });
    expect((await drop("yard/again")).status).toBe(200);
    expect((await ingest(unit(), { headers: { "x-svc-scope": "yard/again" } })).status).toBe(200);
    expect(await scopes()).toContain("yard/again");
  });
});

test("a namespace holds NAMESPACE_MAX_SCOPES scopes; one more is a conflict and stores nothing", async () => {
  h.app.data.tables.putNamespace("full", "enterprise");
  const token = hire(h, "filler", { namespace: "full", scopes: ["*"], active_scope: "*", perms: ["read", "write", "admin"] });
  const known = h.app.data.tables.namespace("full");
  if (known === null) throw new Error("the namespace was made above");
  const { catalog, ledger } = rowsOf(await h.app.tenant(known));
  ledger.transact(() => {
    for (let index = 0; index < NAMESPACE_MAX_SCOPES - 1; index += 1) catalog.registerScope(`s${index}`, ["text"]);
  });
  const into = (scope: string) => ingest(unit(), { token, headers: { "x-svc-scope": scope } });
  const refused = await into("a/b");
  expect([refused.status, refused.body.error]).toEqual([409, "conflict"]);
  expect(refused.body.detail).toContain("DELETE /v1/scopes/PATH");
  expect([catalog.unitCount(), catalog.registry().length]).toEqual([0, NAMESPACE_MAX_SCOPES - 1]);
  expect((await into("a")).status).toBe(200);
  expect((await into("b")).status).toBe(409);
  expect((await drop("s7", token)).status).toBe(200);
  expect((await into("b")).status).toBe(200);
}, 60_000);

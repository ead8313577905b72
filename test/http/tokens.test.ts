/** Tokens while the service runs: made, listed and revoked by admins, never with more than they have, each act with its row. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { superAdmin } from "../../src/domain/principal.ts";
import { type Answer, type Harness, HOST, openHarness } from "../support/harness.ts";
import { ADMIN, auditRows, brokenChains, cookieOf, ENTERPRISE, hire, READER, SUPER } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

const SECRET = /^strata_[A-Za-z0-9_-]{32}$/;
const ID = /^t_[A-Za-z0-9_-]{20}$/;
const UNKNOWN_ID = `t_${"a".repeat(20)}`;

interface Entry {
  id: string;
  name: string;
  principal_id: string;
  seeded: boolean;
  revoked_at: number | null;
}

let h: Harness;
/** Admins of the demo: of everything, of one scope, and one who may do nothing but administer. */
let local: string;
let bare: string;
beforeAll(async () => {
  h = await openSeeded();
  local = hire(h, "local-admin", { perms: ["read", "write", "admin"] });
  bare = hire(h, "bare-admin", { perms: ["admin"], scopes: ["*"], active_scope: "*" });
}, START_MS);
afterAll(() => h.close());

const outcome = ({ status, body }: Answer): string => (status === 200 ? "200" : `${status} ${body.error}`);
const create = (body: object, token = ADMIN, headers: Record<string, string> = {}) => h.call("POST", "/v1/admin/tokens", { token, body, headers });
const list = async (token = ADMIN, headers: Record<string, string> = {}): Promise<Entry[]> =>
  (await h.call("GET", "/v1/admin/tokens", { token, headers })).body.tokens;
const revoke = (id: string, token = ADMIN, headers: Record<string, string> = {}) => h.call("DELETE", `/v1/admin/tokens/${id}`, { token, headers });
const context = (token: string, headers: Record<string, string> = {}) => h.call("GET", "/v1/context", { token, headers });
const newest = async (namespace = "demo") => (await auditRows(h, namespace, 1))[0];

describe("making", () => {
  test("a token with its principal: what was asked, and the defaults of the command line", async () => {
    const asked = { perms: ["write", "read"], scopes: ["harbour/ops"], groups: ["ops", "hr", "ops"], read_only: false };
    const { status, body } = await create({ name: "robot", principal_id: "robot", ...asked });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(ID),
      name: "robot",
      token: expect.stringMatching(SECRET),
      namespace: "demo",
      principal_id: "robot",
      perms: ["read", "write"],
      scopes: ["harbour/ops"],
      groups: ["hr", "ops"],
      read_only: false,
      created_at: expect.any(Number),
    });
    const known = await context(body.token);
    expect(known.body).toMatchObject({ active_scope: "harbour/ops", perms: ["read", "write"], principal: { groups: ["hr", "ops"] } });
    const plain = await create({ name: "plain", principal_id: "plain" });
    expect(plain.body).toMatchObject({ perms: ["read"], scopes: ["*"], groups: [], read_only: false });
    expect((await context(plain.body.token)).body).toMatchObject({ active_scope: "*", perms: ["read"] });
    const aimed = await create({ name: "aimed", principal_id: "aimed", active_scope: "harbour/archive", read_only: true, perms: ["read", "write"] });
    expect((await context(aimed.body.token)).body).toMatchObject({ active_scope: "harbour/archive", perms: ["read"] });
  });

  test("for a principal that exists, as it is; a token changes none", async () => {
    const again = await create({ name: "robot-2", principal_id: "robot", groups: ["ops", "hr"] });
    expect(again.body).toMatchObject({ perms: ["read", "write"], scopes: ["harbour/ops"], groups: ["hr", "ops"] });
    for (const other of [{ perms: ["read"] }, { scopes: ["*"] }, { groups: [] }, { read_only: true }, { active_scope: "*" }]) {
      const refused = await create({ name: "robot-3", principal_id: "robot", ...other });
      expect(outcome(refused)).toBe("409 conflict");
      expect(refused.body.detail).toContain(`exists with other ${Object.keys(other)[0]}`);
    }
    expect((await context(again.body.token)).body).toMatchObject({ perms: ["read", "write"], active_scope: "harbour/ops" });
  });

  test("also for one whose tier has become too low for what it has", async () => {
    const { tables: directory } = h.app.data;
    directory.putNamespace("lowered", "enterprise");
    hire(h, "boss", { namespace: "lowered", perms: ["read", "admin"] });
    directory.putNamespace("lowered", "pro");
    const made = await create({ name: "boss-2", principal_id: "boss" }, SUPER, { "x-svc-namespace": "lowered" });
    expect((await context(made.body.token)).body.perms).toEqual(["read"]);
  });

  test("a name is taken while its token lives", async () => {
    const { body } = await create({ name: "once", principal_id: "robot" });
    expect(outcome(await create({ name: "once", principal_id: "new-one" }))).toBe("409 conflict");
    expect(h.app.data.tables.principal("demo", "new-one")).toBeNull();
    await revoke(body.id);
    expect(outcome(await create({ name: "once", principal_id: "robot" }))).toBe("200");
  });

  const BODIES: [string, unknown, string][] = [
    ["none", undefined, "a JSON body is required"],
    ["no name", { principal_id: "x" }, "/name"],
    ["no principal", { name: "x" }, "/principal_id"],
    ["a name with a space", { name: "a b", principal_id: "x" }, "/name"],
    ["a name that is too long", { name: "x".repeat(257), principal_id: "x" }, "/name"],
    ["a principal that steers a terminal", { name: "x", principal_id: "x\u001b[2J" }, "/principal_id"],
    ["a permission nobody knows", { name: "x", principal_id: "x", perms: ["root"] }, "/perms/0"],
    ["a path that is none", { name: "x", principal_id: "x", scopes: ["ok", "a//b"] }, "/scopes/1"],
    ["a path that climbs", { name: "x", principal_id: "x", scopes: ["../etc"] }, "/scopes/0"],
    ["an active scope that is none", { name: "x", principal_id: "x", active_scope: "/" }, "/active_scope"],
    ["a group with a space", { name: "x", principal_id: "x", groups: ["a b"] }, "/groups/0"],
    ["too many groups", { name: "x", principal_id: "x", groups: Array.from({ length: 65 }, (_, at) => `g${at}`) }, "/groups"],
    ["too many scopes", { name: "x", principal_id: "x", scopes: Array.from({ length: 65 }, (_, at) => `s${at}`) }, "/scopes"],
    ["read_only that is no boolean", { name: "x", principal_id: "x", read_only: "no" }, "/read_only"],
    ["a member nobody knows, which might have been meant to narrow", { name: "x", principal_id: "x", scope: ["harbour/ops"] }, "/scope"],
    ["super_admin", { name: "x", principal_id: "x", super_admin: true }, "/super_admin"],
  ];
  test.each(BODIES)("400 for %s", async (_name, body, detail) => {
    const before = h.app.data.tables.tokens().length;
    const answer = await h.call("POST", "/v1/admin/tokens", { body });
    expect([outcome(answer), answer.body.detail]).toEqual(["400 bad_request", expect.stringContaining(detail)]);
    expect(h.app.data.tables.tokens().length).toBe(before);
  });
});

describe("never with more than the admin has", () => {
  const REFUSED: [string, () => string, object][] = [
    ["all scopes, by default", () => local, { principal_id: "wide" }],
    ["all scopes", () => local, { principal_id: "wide", scopes: ["*"] }],
    ["the scope above", () => local, { principal_id: "wide", scopes: ["harbour"] }],
    ["a scope that only begins alike", () => local, { principal_id: "wide", scopes: ["harbour/opsx"] }],
    ["one scope too many", () => local, { principal_id: "wide", scopes: ["harbour/ops/a", "harbour/archive"] }],
    ["reading, which it may not itself", () => bare, { principal_id: "wide" }],
    ["writing", () => bare, { principal_id: "wide", perms: ["admin", "write"] }],
    ["a principal that exists and has more", () => local, { principal_id: "demo-admin" }],
    ["one with another permission", () => bare, { principal_id: "demo-reader" }],
  ];
  test.each(REFUSED)("403 for %s", async (_name, who, fields) => {
    const before = h.app.data.tables.tokens().length;
    expect(outcome(await create({ name: "wide", ...fields }, who()))).toBe("403 forbidden");
    expect(h.app.data.tables.tokens().length).toBe(before);
    expect(h.app.data.tables.principal("demo", "wide")).toBeNull();
    expect(await newest()).toMatchObject({ action: "token.create", outcome: "denied", detail: { error: "forbidden" } });
  });

  test("and what a principal has beyond the caller's knowledge is not told", async () => {
    hire(h, "keeper", { scopes: ["harbour/vault"], active_scope: "harbour/vault" });
    for (const fields of [{}, { scopes: ["harbour/ops"] }]) {
      const refused = await create({ name: "x", principal_id: "keeper", ...fields }, local);
      expect(refused.body).toEqual({ error: "forbidden", detail: "principal keeper has more than you", status: 403 });
    }
  });

  test("200 for what it has: scopes below its own, its permissions, any group of a namespace whose Units it reads", async () => {
    const fields = { perms: ["read", "write", "admin"], scopes: ["harbour/ops", "harbour/ops/pumps"], groups: ["finance"] };
    expect(outcome(await create({ name: "below", principal_id: "below", ...fields }, local))).toBe("200");
    expect(outcome(await create({ name: "nothing", principal_id: "nothing", perms: ["admin"] }, bare))).toBe("200");
  });

  test("a tier without admins has none, whoever asks", async () => {
    const asked = { name: "boss", principal_id: "boss", perms: ["admin"] };
    expect(outcome(await create(asked, SUPER, { "x-svc-namespace": "free" }))).toBe("402 upgrade_required");
    expect(h.app.data.tables.principal("free", "boss")).toBeNull();
  });
});

describe("no way to a super-admin", () => {
  test("not for the seeded one, by an admin, a session or the super-admin itself", async () => {
    const cookie = await cookieOf(h, ADMIN);
    const body = { name: "crown", principal_id: "super-admin" };
    const answers = [
      await create(body),
      await create({ ...body, perms: ["read", "write", "admin"], scopes: ["*"] }),
      await h.call("POST", "/v1/admin/tokens", { token: null, body, headers: { cookie, origin: `http://${HOST}` } }),
      await create(body, SUPER),
    ];
    for (const answer of answers) {
      expect(outcome(answer)).toBe("403 forbidden");
      expect(answer.body.detail).toContain("strata token create --super");
    }
    expect(h.app.data.tables.tokens("demo").filter(({ principal_id }) => principal_id === "super-admin").length).toBe(1);
  });

  test("nor for another namespace's, nor by a principal of its name", async () => {
    const { tables: directory } = h.app.data;
    directory.putPrincipal(superAdmin("enterprise", "root"));
    expect(outcome(await create({ name: "x", principal_id: "root" }, ENTERPRISE))).toBe("403 forbidden");
    // The same name in a namespace where it means nothing is an ordinary one.
    const { body } = await create({ name: "x", principal_id: "super-admin" }, ENTERPRISE);
    expect(directory.principal("enterprise", "super-admin")?.super_admin).toBe(false);
    expect((await context(body.token, { "x-svc-namespace": "demo" })).body.principal.namespace).toBe("enterprise");
  });
});

describe("listing", () => {
  test("live and revoked ones, with their rights and without their secrets", async () => {
    const { body: made } = await create({ name: "listed", principal_id: "robot" });
    await revoke(made.id);
    const answer = await h.call("GET", "/v1/admin/tokens");
    const entry = (answer.body.tokens as Entry[]).find(({ id }) => id === made.id);
    expect(entry).toEqual({
      id: made.id,
      name: "listed",
      namespace: "demo",
      principal_id: "robot",
      perms: ["read", "write"],
      scopes: ["harbour/ops"],
      groups: ["hr", "ops"],
      read_only: false,
      seeded: false,
      created_at: made.created_at,
      revoked_at: expect.any(Number),
    } as never);
    expect(answer.body.tokens).toContainEqual(expect.objectContaining({ name: "demo_reader", seeded: true, revoked_at: null }));
    expect(answer.text).not.toMatch(/strata_/);
    expect(new Set((answer.body.tokens as Entry[]).map(({ id }) => id)).size).toBe(answer.body.tokens.length);
  });

  test("of one's own namespace alone; the super-admin names one", async () => {
    const names = (entries: Entry[]) => entries.map(({ principal_id }) => principal_id);
    expect(names(await list(ENTERPRISE))).not.toContain("demo-admin");
    expect(names(await list(ENTERPRISE, { "x-svc-namespace": "demo" }))).toEqual(names(await list(ENTERPRISE)));
    expect(names(await list(SUPER, { "x-svc-namespace": "pro" }))).toEqual(["pro-owner"]);
  });

  test("a super-admin's is the super-admin's to see", async () => {
    const seen = async (token: string) => (await list(token)).some(({ principal_id }) => principal_id === "super-admin");
    expect([await seen(ADMIN), await seen(SUPER)]).toEqual([false, true]);
  });

  test("an admin of one scope sees those of its scope", async () => {
    const own = (await list(local)).map(({ principal_id }) => principal_id);
    expect(own).toContain("local-admin");
    expect(own).toContain("demo-reader");
    expect(own).not.toContain("demo-admin");
    expect(own).not.toContain("plain");
  });
});

describe("revoking", () => {
  test("ends the token and its sessions at once, and those of no other", async () => {
    const [one, other] = [(await create({ name: "one", principal_id: "robot" })).body, (await create({ name: "other", principal_id: "robot" })).body];
    const [cookie, otherCookie] = [await cookieOf(h, one.token), await cookieOf(h, other.token)];
    const answer = await revoke(one.id);
    expect(answer.body).toMatchObject({ id: one.id, name: "one", principal_id: "robot", revoked_at: expect.any(Number) });
    expect(answer.text).not.toContain(one.token);
    expect((await context(one.token)).status).toBe(401);
    expect((await h.call("GET", "/v1/context", { token: null, headers: { cookie } })).status).toBe(401);
    expect((await h.call("POST", "/v1/session", { token: null, body: { token: one.token } })).status).toBe(401);
    expect((await context(other.token)).status).toBe(200);
    expect((await h.call("GET", "/v1/context", { token: null, headers: { cookie: otherCookie } })).status).toBe(200);
  });

  test("what is not there, was revoked, or is not the caller's to know answers the same, and is written down", async () => {
    const idOf = async (principal: string, token = SUPER, headers = {}) =>
      (await list(token, headers)).find(({ principal_id, revoked_at }) => principal_id === principal && revoked_at === null)?.id ?? "";
    const gone = (await create({ name: "gone", principal_id: "robot" })).body.id;
    await revoke(gone);
    const CASES: [string, string][] = [
      [UNKNOWN_ID, ADMIN],
      [gone, ADMIN],
      [await idOf("super-admin"), ADMIN],
      [await idOf("pro-owner", SUPER, { "x-svc-namespace": "pro" }), ADMIN],
      [await idOf("demo-admin"), local],
    ];
    for (const [id, token] of CASES) {
      const answer = await revoke(id, token);
      expect(answer.body).toEqual({ error: "not_found", detail: "no such token", status: 404 });
      expect(await newest()).toMatchObject({ action: "token.revoke", outcome: "denied", target: id, detail: { error: "not_found" } });
    }
    for (const token of [SUPER, ADMIN]) expect((await context(token)).status).toBe(200);
    expect(outcome(await revoke("../x%2f"))).toBe("404 not_found");
  });

  test("the super-admin ends any, also a super-admin's, and seeding brings none back", async () => {
    const entry = (await list(SUPER)).find(({ name }) => name === "demo_reader");
    expect(outcome(await revoke(entry?.id ?? "", SUPER))).toBe("200");
    expect((await context(READER)).status).toBe(401);
    const seeded = await h.call("POST", "/v1/admin/seed");
    expect(seeded.body.tokens.map(({ token }: { token: string }) => token)).not.toContain(READER);
    expect((await context(READER)).status).toBe(401);
    const crown = (await list(SUPER)).find(({ principal_id }) => principal_id === "super-admin");
    expect(outcome(await revoke(crown?.id ?? "", SUPER))).toBe("200");
    expect((await context(SUPER)).status).toBe(401);
  });
});

describe("what is written down", () => {
  test("each act with the token's id, and never the secret", async () => {
    const { body } = await create({ name: "noted", principal_id: "noted", perms: ["read"] });
    expect(await newest()).toMatchObject({
      principal_id: "demo-admin",
      action: "token.create",
      outcome: "ok",
      target: body.id,
      detail: { name: "noted", principal: "noted", change: "made", perms: "read", super_admin: false },
    });
    await list();
    expect(await newest()).toMatchObject({ action: "token.list", outcome: "ok", target: null });
    await revoke(body.id);
    expect(await newest()).toMatchObject({ action: "token.revoke", outcome: "ok", target: body.id });
    expect(JSON.stringify(await auditRows(h, "demo", 1_000))).not.toContain(body.token);
  });

  test("nothing is made that cannot be written down", async () => {
    const tenant = await h.app.tenant({ namespace: "demo", tier: "enterprise" });
    const { transact } = tenant.store;
    const before = h.app.data.tables.tokens();
    tenant.store.transact = () => Promise.reject(new Error("the disk is full"));
    try {
      expect(outcome(await create({ name: "unwritten", principal_id: "unwritten" }))).toBe("503 unavailable");
      const live = before.find(({ principal_id, revoked_at }) => principal_id === "robot" && revoked_at === null);
      expect(outcome(await revoke(live?.id ?? ""))).toBe("503 unavailable");
    } finally {
      tenant.store.transact = transact;
    }
    expect(h.app.data.tables.tokens()).toEqual(before);
    expect(h.app.data.tables.principal("demo", "unwritten")).toBeNull();
  });

  test("every chain is whole", async () => {
    expect(await brokenChains(h)).toEqual([]);
  });
});

test("a private super-admin works where there is no demo, and reaches every namespace", async () => {
  const own = await openHarness({ seed: false });
  try {
    const { tables: directory } = own.app.data;
    for (const namespace of ["main", "other"]) directory.putNamespace(namespace, "enterprise");
    directory.putPrincipal(superAdmin("main", "root"));
    const token = directory.createToken({ name: "root", namespace: "main", principal_id: "root" }).secret;
    const where = async (headers: Record<string, string> = {}) =>
      (await own.call("GET", "/v1/context", { token, headers })).body.principal?.namespace;
    expect([await where(), await where({ "x-svc-namespace": "other" }), await where({ "x-svc-namespace": "demo" })]).toEqual([
      "main",
      "other",
      undefined,
    ]);
    const session = await own.call("POST", "/v1/session", { token: null, body: { token } });
    expect(session.body).toMatchObject({ principal_id: "root", namespace: "main" });
    const made = await own.call("POST", "/v1/admin/tokens", {
      token,
      body: { name: "a", principal_id: "a" },
      headers: { "x-svc-namespace": "other" },
    });
    expect(made.body.namespace).toBe("other");
  } finally {
    await own.close();
  }
});

/** Seeding: what it answers, what it restores, what it leaves alone, and who may. Starts from an empty directory. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { PERMS } from "../../src/domain/principal.ts";
import { type Answer, type Harness, openHarness } from "../support/harness.ts";
import { ADMIN, auditRows, brokenChains, ENTERPRISE, FREE, hire, PRO, READER, SUPER, unitCount } from "../support/people.ts";
import { seededData, START_MS } from "../support/seeded.ts";
import { revokeNamed } from "../support/tokens.ts";
import { rowsOf } from "../support/rows.ts";

interface DemoUnit {
  modality: string;
  plane?: string;
  scope: string;
  text?: string;
  acl_groups?: string[];
}
const lines = (await Bun.file(`${import.meta.dir}/../../data/demo.ndjson`).text()).split("\n").filter((line) => line !== "");
const UNITS = lines.map((line) => JSON.parse(line) as DemoUnit);
/** The Units of the demo's files, which the namespace demo alone has. */
const FILES = (await Bun.file(`${import.meta.dir}/../../data/files.json`).json()) as { scope: string; acl_groups: string[]; units: DemoUnit[] }[];
const DEMO_UNITS = [...UNITS, ...FILES.flatMap(({ scope, acl_groups, units }) => units.map((unit) => ({ ...unit, scope, acl_groups })))];
const SCOPES = (await Bun.file(`${import.meta.dir}/../../data/scopes.json`).json()) as {
  scope: string;
  planes: string[];
  read_only_agents: boolean;
}[];

/** By hand, from the contract. */
const PLANE: Record<string, string> = {
  text: "text",
  chunk: "text",
  caption: "text",
  log_template: "text",
  ocr: "doc_visual",
  doc_page: "doc_visual",
  image: "visual",
  image_region: "visual",
  video_shot: "visual",
  detection: "visual",
  asr: "audio",
  audio_utterance: "audio",
};
const planeOf = (unit: DemoUnit) => unit.plane ?? PLANE[unit.modality] ?? "?";
const FREE_UNITS = UNITS.filter((unit) => ["text", "doc_visual"].includes(planeOf(unit)));
const STORED = [...DEMO_UNITS, ...UNITS, ...UNITS, ...FREE_UNITS];
const NAMESPACES = ["demo", "enterprise", "free", "pro"];

function tally(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Whoever may open the data directory. */
const SOMEBODY = {
  principal_id: "operator",
  namespace: "demo",
  perms: [...PERMS],
  scopes: ["*"],
  active_scope: "*",
  groups: [],
  read_only: false,
  super_admin: false,
};

let h: Harness;
let first: Answer;

beforeAll(async () => {
  h = await openHarness({ seed: false });
}, START_MS);

afterAll(async () => {
  await h.close();
});

/** Everything that seeding could touch, without the audit chains. */
async function world() {
  const { tables: directory } = h.app.data;
  const spaces = await Promise.all(
    directory.namespaces().map(async (namespace) => {
      const { catalog } = rowsOf(await h.app.tenant(namespace));
      const units = catalog.unitsAfter(0, 10_000).map(({ unit }) => unit);
      return { namespace, registry: catalog.registry(), units };
    }),
  );
  return { spaces, tokens: directory.tokens() };
}

describe("the open first run", () => {
  test("before it nobody is known", async () => {
    for (const token of [null, ADMIN, SUPER]) expect((await h.call("GET", "/v1/context", { token })).status).toBe(401);
    expect(h.app.data.tables.namespaces()).toEqual([]);
  });

  test("it needs no credential, but takes none that is not live", async () => {
    for (const authorization of ["garbage", "", "Basic eA==", "Bearer", `Bearer ${ADMIN}`]) {
      const answer = await h.call("POST", "/v1/admin/seed", { token: null, headers: { authorization } });
      expect([authorization, answer.status]).toEqual([authorization, 401]);
    }
    expect(h.app.data.tables.hasTokens()).toBe(false);
    for (const path of ["/v1/health", "/v1/openapi.json"]) {
      expect((await h.call("GET", path, { token: null, headers: { authorization: "garbage" } })).status).toBe(200);
    }
  });

  test(
    "two at once: one seeds, the other needs an admin",
    async () => {
      const both = await Promise.all([
        h.call("POST", "/v1/admin/seed", { token: null }),
        h.call("POST", "/v1/admin/seed", { token: null, body: {} }),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
      first = both.find(({ status }) => status === 200) as Answer;
    },
    START_MS,
  );

  test("then it is closed", async () => {
    expect((await h.call("POST", "/v1/admin/seed", { token: null })).status).toBe(401);
  });

  test("it answers with what it made", () => {
    expect(Object.keys(first.body).sort()).toEqual(["counts", "namespaces", "principals", "scopes", "tokens"]);
    expect(first.body.namespaces).toEqual([
      { namespace: "demo", tier: "enterprise" },
      { namespace: "free", tier: "free" },
      { namespace: "pro", tier: "pro" },
      { namespace: "enterprise", tier: "enterprise" },
    ]);
    const tokens = Object.fromEntries(first.body.tokens.map((one: { token: string }) => [one.token, one]));
    expect(tokens).toEqual({
      [ADMIN]: { name: "demo_admin", token: ADMIN, principal_id: "demo-admin", namespace: "demo" },
      [READER]: { name: "demo_reader", token: READER, principal_id: "demo-reader", namespace: "demo" },
      [FREE]: { name: "tier_free", token: FREE, principal_id: "free-owner", namespace: "free" },
      [PRO]: { name: "tier_pro", token: PRO, principal_id: "pro-owner", namespace: "pro" },
      [ENTERPRISE]: { name: "tier_enterprise", token: ENTERPRISE, principal_id: "enterprise-owner", namespace: "enterprise" },
      [SUPER]: { name: "super_admin", token: SUPER, principal_id: "super-admin", namespace: "demo" },
    });
    const principals = Object.fromEntries(first.body.principals.map(({ principal_id, ...rest }: { principal_id: string }) => [principal_id, rest]));
    expect(principals["demo-admin"]).toEqual({
      namespace: "demo",
      perms: ["read", "write", "admin"],
      scopes: ["*"],
      groups: ["engineering", "finance", "hr", "ops"],
      read_only: false,
    });
    expect(principals["demo-reader"]).toEqual({ namespace: "demo", perms: ["read"], scopes: ["harbour/ops"], groups: ["ops"], read_only: true });
    for (const [tier, perms] of [
      ["free", ["read", "write"]],
      ["pro", ["read", "write"]],
      ["enterprise", ["read", "write", "admin"]],
    ] as const) {
      expect(principals[`${tier}-owner`]).toMatchObject({ namespace: tier, perms: [...perms], scopes: ["*"], read_only: false });
    }
    expect(Object.keys(principals).length).toBe(6);
  });

  test("it counts what it made", () => {
    expect(first.body.counts).toEqual({
      units: STORED.length,
      scopes: 4 * SCOPES.length,
      principals: 6,
      tokens: 6,
      by_plane: tally(STORED.map(planeOf)),
      by_modality: tally(STORED.map(({ modality }) => modality)),
    });
    const expected = NAMESPACES.flatMap((namespace) => SCOPES.map(({ scope }) => `${namespace} ${scope}`)).sort();
    expect(first.body.scopes.map((one: { namespace: string; scope: string }) => `${one.namespace} ${one.scope}`).sort()).toEqual(expected);
    expect(Object.keys(first.body.counts.by_modality).length).toBe(12);
    expect(Object.keys(first.body.counts.by_plane).length).toBe(4);
  });

  test("what it says is so", async () => {
    for (const [namespace, units] of [
      ["demo", DEMO_UNITS],
      ["pro", UNITS],
      ["enterprise", UNITS],
      ["free", FREE_UNITS],
    ] as const) {
      expect(await unitCount(h, namespace)).toBe(units.length);
      const { body } = await h.call("GET", "/v1/scopes", { token: SUPER, headers: { "x-svc-namespace": namespace } });
      const planes = (all: string[]) => (namespace === "free" ? all.filter((plane) => ["text", "doc_visual"].includes(plane)) : all);
      const shown = body.scopes.map(({ scope, planes: own, read_only_agents }: (typeof SCOPES)[number]) => ({
        scope,
        planes: own,
        read_only_agents,
      }));
      expect(shown).toEqual(SCOPES.map((entry) => ({ ...entry, planes: planes(entry.planes) })).sort((a, b) => (a.scope < b.scope ? -1 : 1)));
    }
  });

  test("the reader sees strictly fewer Units than the admin, everywhere it may look", async () => {
    const inScope = (scope: string) => DEMO_UNITS.filter((unit) => unit.scope === scope || unit.scope.startsWith(`${scope}/`));
    const ops = inScope("harbour/ops");
    const readable = ops.filter(({ acl_groups = [] }) => acl_groups.includes("ops"));
    const { body } = await h.call("GET", "/v1/units?limit=1", { token: READER });
    expect(body.hidden_by_acl).toBe(ops.length - readable.length);
    expect(body.hidden_by_acl).toBeGreaterThan(20);
    const admin = await h.call("GET", "/v1/units?limit=1", { token: ADMIN, headers: { "x-svc-scope": "harbour/ops" } });
    expect(admin.body.hidden_by_acl).toBe(0);
  });

  test("the README's first example hides something", async () => {
    const { body } = await h.call("POST", "/v1/search", { token: READER, body: { q: "why did turbine 7 stop?" } });
    expect(body.hits.length).toBe(10);
    expect(body.hidden_by_acl).toBeGreaterThan(0);
  });
});

describe("seeding again", () => {
  const reseed = (token = ADMIN, body: unknown = {}) => h.call("POST", "/v1/admin/seed", { token, body });

  test("changes nothing when nothing changed, and answers the same", async () => {
    const before = await world();
    const again = await reseed();
    expect(again.text).toBe(first.text);
    expect(await world()).toEqual(before);
  });

  test("other members of the body are ignored", async () => {
    const before = await world();
    expect((await reseed(ADMIN, { namespace: "x", reset: true, tokens: ["y"] })).status).toBe(200);
    expect((await h.call("POST", "/v1/admin/seed", { token: ADMIN })).status).toBe(200);
    expect(await world()).toEqual(before);
  });

  test("appends to every chain and resets none", async () => {
    const heads = await Promise.all(NAMESPACES.map(async (namespace) => (await auditRows(h, namespace, 1))[0]));
    await reseed();
    for (const [index, namespace] of NAMESPACES.entries()) {
      const rows = await auditRows(h, namespace, 2);
      expect(rows[0]).toMatchObject({ action: "seed", outcome: "ok", principal_id: "demo-admin", seq: (heads[index]?.seq ?? 0) + 1 });
      expect(rows[1]).toEqual(heads[index] as never);
    }
    const demo = await auditRows(h, "demo", 1_000);
    expect(demo.at(-1)).toMatchObject({ seq: 1, action: "seed", principal_id: "first-run" });
  });

  test("restores what was changed and touches nothing else", async () => {
    const { tables: directory } = h.app.data;
    const before = await world();
    const victim = before.spaces[0]?.units.find(({ acl_groups }) => acl_groups.includes("ops"));
    if (victim === undefined) throw new Error("the demo has a Unit for ops");
    const { text, modality, plane, scope, source_uri, locator, doc_id } = victim;
    const given = Object.fromEntries(
      Object.entries({ text, modality, plane, scope, source_uri, locator, doc_id }).filter(([, value]) => value !== null),
    );
    // A demo Unit gets other groups, another type and other metadata.
    const changed = await h.call("POST", "/v1/ingest", {
      body: { units: [{ ...given, acl_groups: ["finance"], mime: "x/y", metadata: { changed: true } }] },
    });
    expect(changed.body.units[0]).toMatchObject({ unit_id: victim.unit_id, status: "updated" });
    expect((await h.call("GET", `/v1/units/${victim.unit_id}`, { token: READER })).status).toBe(404);
    // A Unit, a scope, a principal, a token and a namespace that are not the demo's.
    const own = await h.call("POST", "/v1/ingest", { body: { units: [{ text: "my own quince", modality: "text", scope: "harbour/mine" }] } });
    expect(own.status).toBe(200);
    directory.putNamespace("guest", "pro");
    const guest = hire(h, "guest", { namespace: "guest", scopes: ["*"], active_scope: "*" });
    expect(
      (await h.call("POST", "/v1/ingest", { token: guest, body: { units: [{ text: "a guest", modality: "text", scope: "room" }] } })).status,
    ).toBe(200);
    // The demo's own principals and scopes.
    const reader = directory.principal("demo", "demo-reader");
    if (reader === null) throw new Error("the demo has a reader");
    directory.putPrincipal({ ...reader, perms: ["read", "write"], scopes: ["*"], groups: ["finance"], read_only: false });
    directory.putNamespace("free", "enterprise");
    const { catalog, ledger } = rowsOf(await h.app.tenant({ namespace: "demo", tier: "enterprise" }));
    ledger.transact(() => {
      catalog.putScope({ scope: "harbour/archive", planes: ["text"], read_only_agents: false });
      catalog.putScope({ scope: "harbour/ops", planes: [], read_only_agents: true });
    });
    expect((await h.call("GET", "/v1/context", { token: READER })).body.principal.groups).toEqual(["finance"]);

    const again = await reseed();
    expect(again.status).toBe(200);
    const after = await world();

    const restored = await h.call("GET", `/v1/units/${victim.unit_id}`, { token: READER });
    expect(restored.body).toMatchObject({ unit_id: victim.unit_id, acl_groups: victim.acl_groups, created_at: victim.created_at });
    expect(restored.body.mime).toBe(victim.mime ?? undefined);
    expect(restored.body.metadata).toEqual((victim.metadata ?? undefined) as never);
    expect(directory.principal("demo", "demo-reader")).toEqual(reader);
    expect((await h.call("GET", "/v1/context", { token: READER })).body.perms).toEqual(["read"]);
    expect(directory.namespace("free")).toMatchObject({ namespace: "free", tier: "free" });
    const registry = catalog.registry();
    expect(registry.find(({ scope }) => scope === "harbour/archive")).toMatchObject({
      read_only_agents: true,
      planes: ["text", "visual", "audio", "doc_visual"],
    });
    expect(registry.find(({ scope }) => scope === "harbour/ops")).toMatchObject({ read_only_agents: false });

    // Everything else is as it was before the seeding, to the version and the millisecond.
    const others = (state: typeof after) =>
      state.spaces.flatMap(({ namespace, units }) =>
        units.filter(({ unit_id }) => unit_id !== victim.unit_id || namespace.namespace !== "demo").map((unit) => ({ ...unit })),
      );
    const known = new Set(others(before).map((unit) => `${unit.namespace} ${unit.unit_id}`));
    expect(others(after).filter((unit) => known.has(`${unit.namespace} ${unit.unit_id}`))).toEqual(others(before));
    expect(
      others(after)
        .filter((unit) => !known.has(`${unit.namespace} ${unit.unit_id}`))
        .map(({ text: words }) => words)
        .sort(),
    ).toEqual(["a guest", "my own quince"]);
    expect((await h.call("GET", "/v1/context", { token: guest })).status).toBe(200);
    expect(registry.some(({ scope }) => scope === "harbour/mine")).toBe(true);
    expect(await auditRows(h, "guest", 1)).toMatchObject([{ action: "ingest" }]);

    // And a search finds the restored Unit again as the reader.
    const found = await h.call("POST", "/v1/search", { token: READER, body: { q: text ?? "", filters: { doc_id: victim.doc_id ?? "" }, top_k: 50 } });
    expect(found.body.hits.map((hit: { unit_id: string }) => hit.unit_id)).toContain(victim.unit_id);
  });

  test("its answer names the demo's scopes only", async () => {
    const { body } = await reseed();
    expect(body.scopes.map(({ scope }: { scope: string }) => scope)).not.toContain("harbour/mine");
    expect(body.counts.scopes).toBe(4 * SCOPES.length);
  });

  const WHO: [string, string | null, number][] = [
    ["nobody", null, 401],
    ["the reader", READER, 403],
    ["the Free tier", FREE, 403],
    ["the Pro tier", PRO, 403],
    ["the Enterprise tier's admin", ENTERPRISE, 403],
    ["the demo's admin", ADMIN, 200],
    ["the super-admin", SUPER, 200],
  ];
  test.each(WHO)("%s", async (_name, token, status) => {
    expect((await h.call("POST", "/v1/admin/seed", { token })).status).toBe(status);
  });

  const LESS: [string, Parameters<typeof hire>[2], string][] = [
    ["in one scope", { perms: [...PERMS] }, "the scope *"],
    ["that may not read", { perms: ["admin"], scopes: ["*"] }, "the read permission"],
  ];
  test.each(LESS)("an admin of the demo %s gives itself no more by published tokens", async (name, fields, excess) => {
    const token = hire(h, `admin ${name}`, fields);
    const { status, body } = await h.call("POST", "/v1/admin/seed", { token });
    expect({ status, detail: body.detail }).toEqual({ status: 403, detail: `seeding makes demo-admin, and you have not ${excess} yourself` });
  });

  test("an admin of another namespace is refused before its body is read, and the refusal is written down", async () => {
    const chains = () => Promise.all(NAMESPACES.map(async (namespace) => (await auditRows(h, namespace, 1))[0]?.seq ?? 0));
    const [demo, enterprise, free, pro] = await chains();
    const answer = await h.call("POST", "/v1/admin/seed", { token: ENTERPRISE, body: "{" });
    expect(answer.body).toMatchObject({ error: "forbidden", detail: expect.stringContaining("namespace demo") });
    const [row] = await auditRows(h, "enterprise", 1);
    expect(row).toMatchObject({ principal_id: "enterprise-owner", action: "seed", outcome: "denied", detail: { error: "forbidden" } });
    expect(await chains()).toEqual([demo ?? 0, (enterprise ?? 0) + 1, free ?? 0, pro ?? 0]);
  });

  test("a token that was revoked stays so, whoever seeds, and the answer does not name it", async () => {
    const { tables: directory } = h.app.data;
    revokeNamed(directory, "demo", "demo_reader");
    revokeNamed(directory, "demo", "super_admin");
    const operator = {
      principal: { ...SOMEBODY, super_admin: true },
      credential: "token",
      namespace: { namespace: "demo", tier: "enterprise" },
    } as const;
    const reports = [(await reseed()).body, await h.app.services.seeding.run(operator)];
    for (const report of reports) {
      expect(report.tokens.map(({ token }: { token: string }) => token)).toEqual([ADMIN, FREE, PRO, ENTERPRISE]);
      expect(report.counts).toMatchObject({ principals: 6, tokens: 4 });
    }
    for (const token of [READER, SUPER]) {
      expect((await h.call("GET", "/v1/context", { token })).status).toBe(401);
      expect((await h.call("POST", "/v1/session", { token: null, body: { token } })).status).toBe(401);
    }
  });

  test("once tokens existed the route stays closed, also when all are revoked", async () => {
    const { tables: directory } = h.app.data;
    for (const { namespace, name, revoked_at } of directory.tokens()) if (revoked_at === null) revokeNamed(directory, namespace, name);
    for (const token of [null, ADMIN]) expect((await h.call("POST", "/v1/admin/seed", { token })).status).toBe(401);
  });

  test("every chain is whole", async () => {
    expect(await brokenChains(h)).toEqual([]);
  });
});

test("a namespace that was not made by seeding gets no published tokens, and keeps its tier", async () => {
  const own = await openHarness({ seed: false });
  const { tables: directory } = own.app.data;
  for (const namespace of ["demo", "pro"]) directory.putNamespace(namespace, "enterprise");
  const token = hire(own, "operator", { perms: [...PERMS], scopes: ["*"] });
  const { status, body } = await own.call("POST", "/v1/admin/seed", { token });
  expect({ status, detail: body.detail }).toEqual({ status: 409, detail: expect.stringContaining("namespace pro was not made by seeding") });
  expect(directory.namespace("pro")?.tier).toBe("enterprise");
  expect(directory.tokens().map(({ name }) => name)).toEqual(["operator"]);
  await own.close();
});

describe("the super-admin is no admin's to make", () => {
  let own: Harness;

  /** A deployment that has the demo and no super-admin: what belongs to it is taken out by hand. */
  beforeAll(async () => {
    const data = await seededData();
    const db = new Database(`${data}/system.db`);
    db.run("DELETE FROM token WHERE principal_id = 'super-admin'");
    db.run("DELETE FROM principal WHERE principal_id = 'super-admin'");
    db.close();
    own = await openHarness({ data, seed: false });
  }, START_MS);
  afterAll(() => own.close());

  const everyNamespace = () => Promise.all(NAMESPACES.map(async (namespace) => (await auditRows(own, namespace, 1))[0]));

  test("seeding by an admin of the demo makes none", async () => {
    const { status, body } = await own.call("POST", "/v1/admin/seed");
    expect(status).toBe(200);
    expect(body.principals.map(({ principal_id }: { principal_id: string }) => principal_id)).not.toContain("super-admin");
    expect(body.tokens.map(({ token }: { token: string }) => token)).toEqual([ADMIN, READER, FREE, PRO, ENTERPRISE]);
    expect(body.counts).toMatchObject({ principals: 5, tokens: 5 });
    expect(own.app.data.tables.principal("demo", "super-admin")).toBeNull();
    expect((await own.call("GET", "/v1/context", { token: SUPER })).status).toBe(401);
  });

  test("an ordinary principal of its name is made none either: nothing is seeded then", async () => {
    const { tables: directory } = own.app.data;
    directory.putPrincipal({ ...SOMEBODY, principal_id: "super-admin", perms: ["read"] });
    const token = directory.createToken({ name: "quiet", namespace: "demo", principal_id: "super-admin" }).secret;
    const before = await everyNamespace();
    const operator = {
      principal: { ...SOMEBODY, super_admin: true },
      credential: "token",
      namespace: { namespace: "demo", tier: "enterprise" },
    } as const;
    await expect(own.app.services.seeding.run(operator)).rejects.toMatchObject({ kind: "conflict" });
    expect(await everyNamespace()).toEqual(before);
    expect((await own.call("GET", "/v1/context", { token, headers: { "x-svc-namespace": "pro" } })).body.principal.namespace).toBe("demo");
    expect(() => directory.putPrincipal({ ...SOMEBODY, principal_id: "super-admin", super_admin: true })).toThrow("stays what it is");
  });
});

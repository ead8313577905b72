/**
 * Every route × every kind of caller, against expectations written by hand from the contract. A route
 * that is not in EXPECTED, or is not in the access table, or is not registered, fails a test.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { consoleFiles } from "../../src/http/console-files.ts";
import { CONSOLE, isRoute, NAMES, ofPages, PAGES, type RouteName, TABLE } from "../support/routes.ts";
import type { Answer, CallOptions, Harness } from "../support/harness.ts";
import { ADMIN, auditRows, brokenChains, cookieOf, ENTERPRISE, FREE, hire, PRO, READER, SUPER } from "../support/people.ts";
import { revokeNamed } from "../support/tokens.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

const HOST = "127.0.0.1:4700";
const ORIGIN = { host: HOST, origin: `http://${HOST}` };
const UNKNOWN_ID = `u_${"a".repeat(32)}`;
const UNKNOWN_FILE = `f_${"a".repeat(32)}`;

let tokensMade = 0;
/** A request to each route that is right in every respect but, perhaps, its caller. */
const REQUESTS: Record<RouteName, { path?: string; body?: unknown; headers?: Record<string, string> }> = {
  health: {},
  openapi: {},
  ...ofPages(() => ({})),
  "/console/:file": { path: Object.keys(await consoleFiles()).find((path) => path.endsWith(".js")) ?? "" },
  context: {},
  scopes: {},
  removeScope: { path: "/v1/scopes/matrix/none" },
  search: { body: { q: "turbine", top_k: 1, mode: "fulltext" } },
  answer: { body: { q: "turbine", answer: true } },
  units: { path: "/v1/units?limit=1" },
  unit: { path: `/v1/units/${UNKNOWN_ID}` },
  removeUnit: { path: `/v1/units/${UNKNOWN_ID}` },
  preview: { path: `/v1/units/${UNKNOWN_ID}/preview` },
  similar: { body: { unit_id: UNKNOWN_ID } },
  putFile: { path: "/v1/files?name=matrix.txt&wait=true", body: "one line of the access matrix" },
  files: { path: "/v1/files?limit=1" },
  file: { path: `/v1/files/${UNKNOWN_FILE}` },
  fileContent: { path: `/v1/files/${UNKNOWN_FILE}/content` },
  removeFile: { path: `/v1/files/${UNKNOWN_FILE}` },
  job: { path: `/v1/jobs/j_${"a".repeat(20)}` },
  stats: {},
  models: {},
  audit: { path: "/v1/audit?limit=1" },
  verify: {},
  ingest: { body: { units: [{ modality: "chunk", source_uri: "matrix/1" }] } },
  seed: {},
  get createToken() {
    // A name is taken once; nobody's own rights are too few for a principal without any.
    tokensMade += 1;
    return { body: { name: `matrix-${tokensMade}`, principal_id: "matrix", perms: [], scopes: [] } };
  },
  tokens: {},
  reread: { body: { after: `f_${"z".repeat(32)}` } },
  revokeToken: { path: "/v1/admin/tokens/t_aaaaaaaaaaaaaaaaaaaa" },
  openSession: { body: { token: ADMIN } },
  closeSession: {},
  mcp: { body: { jsonrpc: "2.0", id: 1, method: "ping" }, headers: { accept: "application/json, text/event-stream" } },
  mcpListen: {},
  mcpEnd: {},
};

const UNAUTHORIZED = "401 unauthorized";
const FORBIDDEN = "403 forbidden";
const UPGRADE = "402 upgrade_required";

const STRANGERS = ["none", "malformed", "unknown", "revoked", "badTokenGoodCookie", "jwtOnly", "badCookie"] as const;
const KNOWN = [
  "admin",
  "reader",
  "free",
  "pro",
  "enterprise",
  "superAdmin",
  "cookie",
  "cookieWithoutOrigin",
  "readOnly",
  "guarded",
  "guardedCookie",
  "powerless",
  "auditor",
] as const;
type Stranger = (typeof STRANGERS)[number];
type Known = (typeof KNOWN)[number];

/** What everybody with credentials gets, and who gets something else. */
type Row = { everyone: string; strangers?: string } & Partial<Record<Known | Stranger, string>>;
const open: Row = { everyone: "200", strangers: "200" };
const reading = { powerless: FORBIDDEN, auditor: FORBIDDEN };
const writing = { reader: FORBIDDEN, cookieWithoutOrigin: FORBIDDEN, readOnly: FORBIDDEN, guarded: FORBIDDEN, guardedCookie: FORBIDDEN, ...reading };
/** The auditor of this matrix is an admin and nothing else. */
const { auditor: _admin, ...administering } = { ...writing, free: FORBIDDEN, pro: FORBIDDEN };
const HIDDEN = "404 not_found";
const NO_METHOD = "405 method_not_allowed";
/** Cookies are not looked at. */
const tokenAlone = { cookie: UNAUTHORIZED, cookieWithoutOrigin: UNAUTHORIZED, guardedCookie: UNAUTHORIZED };
const EXPECTED: Record<string, Row> = {
  "GET /v1/health": open,
  "GET /v1/openapi.json": open,
  ...Object.fromEntries([...PAGES, ...CONSOLE].map((path) => [`GET ${path}`, open])),
  "GET /v1/context": { everyone: "200" },
  "GET /v1/scopes": { everyone: "200", ...reading },
  "DELETE /v1/scopes/*": {
    everyone: HIDDEN,
    reader: FORBIDDEN,
    free: FORBIDDEN,
    pro: FORBIDDEN,
    cookieWithoutOrigin: FORBIDDEN,
    readOnly: FORBIDDEN,
    guarded: FORBIDDEN,
    guardedCookie: FORBIDDEN,
    powerless: FORBIDDEN,
  },
  "POST /v1/search": { everyone: "200", ...reading },
  "POST /v1/answer": { everyone: "200", free: UPGRADE, ...reading },
  "GET /v1/units": { everyone: "200", ...reading },
  "GET /v1/units/:id": { everyone: HIDDEN, ...reading },
  "GET /v1/catalog/stats": { everyone: "200", ...reading },
  "GET /v1/models": { everyone: "200" },
  "GET /v1/audit": { everyone: "200", free: UPGRADE, powerless: FORBIDDEN },
  "GET /v1/audit/verify": { everyone: "200", powerless: FORBIDDEN },
  "POST /v1/ingest": { everyone: "200", ...writing },
  "POST /v1/files": { everyone: "200", ...writing },
  "GET /v1/files": { everyone: "200", ...reading },
  "GET /v1/files/:id": { everyone: HIDDEN, ...reading },
  "GET /v1/files/:id/content": { everyone: HIDDEN, ...reading },
  "DELETE /v1/files/:id": { everyone: HIDDEN, ...writing },
  "GET /v1/jobs/:id": { everyone: HIDDEN, ...reading },
  "DELETE /v1/units/:id": { everyone: HIDDEN, ...writing },
  "GET /v1/units/:id/preview": { everyone: HIDDEN, ...reading },
  "POST /v1/similar": { everyone: HIDDEN, ...reading },
  "POST /v1/admin/seed": {
    everyone: "200",
    reader: FORBIDDEN,
    free: FORBIDDEN,
    pro: FORBIDDEN,
    enterprise: FORBIDDEN,
    // Admins with less than the published one.
    cookie: FORBIDDEN,
    auditor: FORBIDDEN,
    cookieWithoutOrigin: FORBIDDEN,
    readOnly: FORBIDDEN,
    guarded: FORBIDDEN,
    guardedCookie: FORBIDDEN,
    powerless: FORBIDDEN,
  },
  "POST /v1/admin/reread": { everyone: "200", ...administering },
  "POST /v1/admin/tokens": { everyone: "200", ...administering },
  "GET /v1/admin/tokens": { everyone: "200", ...administering, cookieWithoutOrigin: "200" },
  "DELETE /v1/admin/tokens/:id": { everyone: HIDDEN, ...administering },
  // None is needed, but one that is sent must be live.
  "POST /v1/session": { ...open, malformed: UNAUTHORIZED, unknown: UNAUTHORIZED, revoked: UNAUTHORIZED, badTokenGoodCookie: UNAUTHORIZED },
  "DELETE /v1/session": { everyone: "200", cookieWithoutOrigin: FORBIDDEN },
  "POST /v1/mcp": { everyone: "200", ...tokenAlone },
  "GET /v1/mcp": { everyone: NO_METHOD, ...tokenAlone },
  "DELETE /v1/mcp": { everyone: NO_METHOD, ...tokenAlone },
};

let h: Harness;
let made: Record<"revoked" | "readOnly" | "guarded" | "powerless" | "auditor" | "console" | "freeReader" | "freePowerless", string>;

beforeAll(async () => {
  h = await openSeeded();
  const archive = { scopes: ["harbour/archive"], active_scope: "harbour/archive" };
  made = {
    revoked: hire(h, "revoked"),
    readOnly: hire(h, "read-only", { perms: ["read", "write", "admin"], read_only: true }),
    // The demo's harbour/archive has read_only_agents.
    guarded: hire(h, "guarded", archive),
    powerless: hire(h, "powerless", { perms: [] }),
    auditor: hire(h, "auditor", { perms: ["admin"] }),
    console: hire(h, "console", { perms: ["read", "write", "admin"] }),
    freeReader: hire(h, "free-reader", { namespace: "free", perms: ["read"] }),
    freePowerless: hire(h, "free-powerless", { namespace: "free", perms: [] }),
  };
  revokeNamed(h.app.data.tables, "demo", "revoked");
}, START_MS);

afterAll(async () => {
  await h.close();
});

const cookie = async (token: string, headers: Record<string, string> = ORIGIN): Promise<CallOptions> => ({
  token: null,
  headers: { ...headers, cookie: await cookieOf(h, token) },
});

const CREDENTIALS: Record<Stranger | Known, () => CallOptions | Promise<CallOptions>> = {
  none: () => ({ token: null }),
  malformed: () => ({ token: null, headers: { authorization: "Basic c3RyYXRhX2RlbW9fYWRtaW4=" } }),
  unknown: () => ({ token: "strata_nobody" }),
  revoked: () => ({ token: made.revoked }),
  badTokenGoodCookie: async () => ({ ...(await cookie(made.console)), token: "strata_nobody" }),
  jwtOnly: () => ({ token: null, headers: { "x-access-jwt-assertion": ADMIN } }),
  badCookie: () => ({ token: null, headers: { ...ORIGIN, cookie: "console.session_token=AAAA" } }),
  admin: () => ({ token: ADMIN }),
  reader: () => ({ token: READER }),
  free: () => ({ token: FREE, headers: { "x-svc-scope": "harbour" } }),
  pro: () => ({ token: PRO, headers: { "x-svc-scope": "harbour" } }),
  enterprise: () => ({ token: ENTERPRISE, headers: { "x-svc-scope": "harbour" } }),
  superAdmin: () => ({ token: SUPER, headers: { "x-svc-scope": "harbour" } }),
  cookie: () => cookie(made.console),
  cookieWithoutOrigin: () => cookie(made.console, { host: HOST }),
  readOnly: () => ({ token: made.readOnly }),
  guarded: () => ({ token: made.guarded }),
  guardedCookie: () => cookie(made.guarded),
  powerless: () => ({ token: made.powerless }),
  auditor: () => ({ token: made.auditor }),
};

async function request(route: RouteName, who: CallOptions): Promise<Answer> {
  const { method, path } = TABLE[route];
  const { path: concrete = path, body, headers: own } = REQUESTS[route];
  // An admin without an active scope has to name one to write; every caller here may write below its own.
  const headers = who.token === ADMIN ? { "x-svc-scope": "harbour" } : {};
  return h.call(method, concrete, { ...who, headers: { ...headers, ...own, ...who.headers }, body });
}

function outcome({ status, body }: Answer): string {
  return status === 200 ? "200" : `${status} ${body.error}`;
}

function expectErrorBody({ status, body, headers }: Answer): void {
  expect(Object.keys(body).sort()).toEqual(["detail", "error", "status"]);
  expect(body.status).toBe(status);
  expect(body.detail.length).toBeGreaterThan(3);
  expect(headers.get("content-type")).toStartWith("application/json");
}

describe("the access table", () => {
  const keys = NAMES.map((name) => [name, `${TABLE[name].method} ${TABLE[name].path}`] as const);

  test("the table, the registered routes and the expectations name the same routes", () => {
    const declared = keys.map(([, key]) => key).sort();
    expect(Object.keys(EXPECTED).sort()).toEqual(declared);
    expect(h.http.routes().sort()).toEqual(declared);
  });

  for (const [route, key] of keys) {
    test(`${key}: callers without credentials`, async () => {
      for (const stranger of STRANGERS) {
        const expected = EXPECTED[key]?.[stranger] ?? EXPECTED[key]?.strangers ?? UNAUTHORIZED;
        const answer = await request(route, await CREDENTIALS[stranger]());
        expect(`${stranger}: ${outcome(answer)}`).toBe(`${stranger}: ${expected}`);
        if (answer.status === 200) continue;
        expectErrorBody(answer);
        expect(answer.headers.get("www-authenticate")).toStartWith("Bearer");
      }
    });

    test(`${key}: callers with credentials`, async () => {
      const row = EXPECTED[key] as Row;
      for (const name of KNOWN) {
        const answer = await request(route, await CREDENTIALS[name]());
        expect(`${name}: ${outcome(answer)}`).toBe(`${name}: ${row[name] ?? row.everyone}`);
        if (answer.status !== 200) expectErrorBody(answer);
      }
    });
  }

  const malformed = [
    "",
    "Bearer",
    "Bearer ",
    "Bearer  two",
    `Bearer ${ADMIN} x`,
    `Token ${ADMIN}`,
    ADMIN,
    `Bearer\t${ADMIN}`,
    `Bearer ${"x".repeat(513)}`,
  ];
  test.each(malformed.map((header) => [header.slice(0, 40), header] as const))("Authorization %p is a hard 401", async (_shown, authorization) => {
    const answer = await h.call("GET", "/v1/context", { token: null, headers: { authorization } });
    expect(outcome(answer)).toBe(UNAUTHORIZED);
  });

  test("the scheme of a bearer token has no case", async () => {
    const answer = await h.call("GET", "/v1/context", { token: null, headers: { authorization: `bEARER ${READER}` } });
    expect(answer.body.principal.principal_id).toBe("demo-reader");
  });
});

describe("order of checks", () => {
  const OTHER_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];
  const concrete = (path: string) => path.replace(":id", UNKNOWN_ID);

  test("a known path with another method is 404, with and without a token", async () => {
    for (const path of new Set(Object.values(TABLE).map((spec) => spec.path))) {
      for (const method of OTHER_METHODS) {
        if (isRoute(method, concrete(path))) continue;
        for (const token of [null, ADMIN, "strata_nobody"]) {
          const answer = await h.call(method, concrete(path), { token });
          expect(`${method} ${path} ${outcome(answer)}`).toBe(`${method} ${path} 404 not_found`);
        }
      }
    }
  });

  const UNKNOWN = [
    ...["grants", "principals", "namespaces", "sources/abc", "sources"].map((reserved) => `/v1/${reserved}`),
    ...[
      "/console",
      "/console/",
      "/v1",
      "/v1/",
      "/v2/health",
      "/health",
      "/v1/health/",
      "//v1/health",
      "/V1/health",
      "/v1/Health",
      "/v1/unit%73",
      "/v1/units/",
    ],
    ...["/v1/units/a/b", "/v1/audit/verify/x", "/v1/admin", "/v1/admin/seed/", "/openapi", "/v1/openapi", "/openapi/json", "/v1/catalog"],
    "/v1/units/../health",
    "/v1/health%3Fx=1",
    "/v1/health;x",
  ];
  test.each(UNKNOWN)("GET %p is 404 whoever asks", async (path) => {
    // A URL that climbs is resolved by the parser: what is left names health, which is known.
    const climbs = new URL(`http://x${path}`).pathname;
    const expected = climbs === "/v1/health" ? "200" : "404 not_found";
    for (const token of [null, READER, ADMIN, SUPER]) {
      const answer = await h.call("GET", path, { token });
      expect(outcome(answer)).toBe(expected);
      if (answer.status !== 200) expectErrorBody(answer);
    }
  });

  test("the 404 of a reserved route is the 404 of any unknown route", async () => {
    const unknown = await h.call("GET", "/v1/nothing", { token: ADMIN });
    for (const reserved of ["grants", "principals", "namespaces", "sources/x"]) {
      expect((await h.call("GET", `/v1/${reserved}`, { token: ADMIN })).text).toBe(unknown.text);
    }
  });

  const gated = NAMES.filter((name) => ["caller", "first-run"].includes(TABLE[name].admission) && TABLE[name].method === "POST");
  test.each(gated)("%s: 401 before anything about the body", async (name) => {
    const bodies: CallOptions[] = [
      { body: "{" },
      { body: "{}", headers: { "content-type": "text/plain" } },
      { body: "{}", headers: { "content-encoding": "gzip" } },
      { body: "{}", headers: { "content-length": String(64 * 1024 * 1024) } },
      { body: '{"units":[{"text":5}],"q":"","answer":false}' },
    ];
    const plain = await h.call("POST", TABLE[name].path, { token: null, body: {} });
    for (const options of bodies) {
      const answer = await h.call("POST", `${TABLE[name].path}?%zz`, { ...options, token: null });
      expect(answer.text).toBe(plain.text);
      expect(answer.status).toBe(401);
    }
  });

  const CASES: [string, () => Promise<Answer>, string][] = [
    ["403 before 400 (body)", () => h.call("POST", "/v1/ingest", { token: READER, body: "{" }), FORBIDDEN],
    ["403 before 400 (query string)", () => h.call("GET", "/v1/units?limit=x&%zz", { token: made.powerless }), FORBIDDEN],
    ["403 before 413", () => h.call("POST", "/v1/ingest", { token: READER, body: "{}", headers: { "content-length": "99999999" } }), FORBIDDEN],
    ["403 before 402", () => h.call("GET", "/v1/audit", { token: made.freePowerless }), FORBIDDEN],
    ["403 before 402 on answer", () => h.call("POST", "/v1/answer", { token: made.freePowerless, body: "{" }), FORBIDDEN],
    ["402 before 400 (body)", () => h.call("POST", "/v1/answer", { token: FREE, body: "{" }), UPGRADE],
    ["402 before 400 (query string)", () => h.call("GET", "/v1/audit?limit=0&%zz", { token: FREE }), UPGRADE],
    ["402 for a free reader", () => h.call("GET", "/v1/audit", { token: made.freeReader }), UPGRADE],
    ["400 for an admin", () => h.call("POST", "/v1/ingest", { token: ADMIN, body: "{" }), "400 bad_request"],
    [
      "404 of a namespace before 400",
      () => h.call("POST", "/v1/search", { token: SUPER, body: "{", headers: { "x-svc-namespace": "nowhere" } }),
      "404 not_found",
    ],
    [
      "the header is ignored from everybody else",
      () => h.call("GET", "/v1/context", { token: READER, headers: { "x-svc-namespace": "nowhere" } }),
      "200",
    ],
  ];
  test.each(CASES)("%s", async (_name, ask, expected) => {
    expect(outcome(await ask())).toBe(expected);
  });
});

describe("too much at once", () => {
  test("beyond its share of the 512 requests in work a namespace gets 429, with Retry-After, and afterwards all is well", async () => {
    const answers = await Promise.all(Array.from({ length: 600 }, () => h.call("GET", "/v1/units?limit=1", { token: READER })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBe(600 - 384);
    for (const answer of refused) {
      expect([outcome(answer), Number(answer.headers.get("retry-after")) >= 1]).toEqual(["429 rate_limited", true]);
      expectErrorBody(answer);
    }
    expect(outcome(await h.call("GET", "/v1/context"))).toBe("200");
  });
});

describe("request ids", () => {
  const SANE = ["a", "req-1", "A.b_c:d-9", "x".repeat(128)];
  test.each(SANE)("%p is echoed", async (id) => {
    for (const path of ["/v1/health", "/v1/nothing", "/v1/context"]) {
      const answer = await h.call("GET", path, { token: null, headers: { "x-request-id": id } });
      expect(answer.headers.get("x-request-id")).toBe(id);
    }
  });

  test.each(["", "two words", "x".repeat(129), "a/b", "<script>", '"', "ä"])("%p is replaced", async (id) => {
    const answer = await h.call("GET", "/v1/health", { token: null, headers: { "x-request-id": id } });
    expect(answer.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9_-]{16}$/);
  });

  test("made ids differ", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await h.call("GET", "/v1/health", { token: null })).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe("denials in the audit chain", () => {
  type Denial = [string, string, () => Promise<Answer>, { principal_id: string; action: string; error: string; scope?: string }];
  const DENIALS: Denial[] = [
    [
      "a missing permission",
      "demo",
      () => h.call("POST", "/v1/ingest", { token: READER, body: {} }),
      { principal_id: "demo-reader", action: "ingest", error: "forbidden" },
    ],
    [
      "seed without admin",
      "demo",
      () => h.call("POST", "/v1/admin/seed", { token: READER }),
      { principal_id: "demo-reader", action: "seed", error: "forbidden" },
    ],
    [
      "reading without read, with the scope asked for",
      "demo",
      () => h.call("GET", "/v1/units?scope=town", { token: made.powerless }),
      { principal_id: "powerless", action: "units.list", error: "forbidden", scope: "town" },
    ],
    [
      "stats",
      "demo",
      () => h.call("GET", "/v1/catalog/stats", { token: made.powerless }),
      { principal_id: "powerless", action: "stats", error: "forbidden" },
    ],
    [
      "scopes",
      "demo",
      () => h.call("GET", "/v1/scopes", { token: made.powerless }),
      { principal_id: "powerless", action: "scopes.list", error: "forbidden" },
    ],
    [
      "a cookie without Origin",
      "demo",
      async () => h.call("DELETE", "/v1/session", await cookie(made.console, { host: HOST })),
      { principal_id: "console", action: "session.delete", error: "forbidden" },
    ],
    [
      "answer on Free",
      "free",
      () => h.call("POST", "/v1/answer", { token: FREE, body: {} }),
      { principal_id: "free-owner", action: "answer", error: "upgrade_required" },
    ],
    [
      "audit on Free",
      "free",
      () => h.call("GET", "/v1/audit", { token: FREE }),
      { principal_id: "free-owner", action: "audit.list", error: "upgrade_required" },
    ],
    [
      "a scope that is not the caller's",
      "demo",
      () => h.call("POST", "/v1/ingest", { token: made.console, body: { units: [{ modality: "text", text: "x", scope: "town" }] } }),
      { principal_id: "console", action: "ingest", error: "forbidden" },
    ],
    [
      "a plane outside the tier",
      "free",
      () => h.call("POST", "/v1/ingest", { token: FREE, body: { units: [{ modality: "asr", text: "x", scope: "harbour" }] } }),
      { principal_id: "free-owner", action: "ingest", error: "upgrade_required" },
    ],
  ];
  test.each(DENIALS)("%s", async (_name, namespace, ask, expected) => {
    const before = (await auditRows(h, namespace, 1))[0]?.seq ?? 0;
    const answer = await ask();
    expect(answer.body.error).toBe(expected.error);
    const fresh = (await auditRows(h, namespace)).filter((row) => row.seq > before && row.action !== "session.create");
    expect(fresh).toMatchObject([
      {
        principal_id: expected.principal_id,
        action: expected.action,
        outcome: "denied",
        detail: { error: expected.error },
        scope: expected.scope ?? null,
      },
    ]);
  });

  describe("of a DELETE", () => {
    const inOps = { modality: "text", scope: "harbour/ops" };
    let remover: string;
    let hiddenUnit: string;
    let hiddenFile: string;
    beforeAll(async () => {
      remover = hire(h, "remover");
      const { body } = await h.call("POST", "/v1/ingest", { body: { units: [{ ...inOps, source_uri: "secret/1", acl_groups: ["finance"] }] } });
      hiddenUnit = body.units[0].unit_id;
      const headers = { "content-type": "text/markdown" };
      const path = "/v1/files?name=secret.md&acl_groups=finance&scope=harbour/ops&wait=true";
      const upload = await h.call("POST", path, { body: "# A heading\n\nNobody may know this.", headers });
      expect(upload.status).toBe(200);
      hiddenFile = upload.body.file_id;
    });

    /** What a DELETE is answered, and the rows that it leaves without what no two rows share. */
    async function remove(path: string, token: string) {
      const before = (await auditRows(h, "demo", 1))[0]?.seq ?? 0;
      const { status, text } = await h.call("DELETE", path, { token });
      const rows = (await auditRows(h, "demo")).filter(({ seq }) => seq > before);
      return {
        status,
        text,
        rows: rows.map(({ principal_id, action, outcome, scope, target, detail }) => ({ principal_id, action, outcome, scope, target, detail })),
      };
    }

    test.each([
      ["units", "unit.delete", () => hiddenUnit, `u_${"a".repeat(32)}`],
      ["files", "file.delete", () => hiddenFile, `f_${"a".repeat(32)}`],
    ])("%s: a hidden id and an unknown one are answered and written down alike", async (kind, action, hiddenId, unknown) => {
      const row = { principal_id: "remover", action, outcome: "denied" as const, scope: "harbour/ops", detail: { error: "not_found" } };
      for (const id of [hiddenId(), unknown]) {
        const found = await remove(`/v1/${kind}/${id}?scope=harbour/ops`, remover);
        expect(found).toMatchObject({ status: 404, rows: [{ ...row, target: id }] });
        expect(found.rows).toHaveLength(1);
        expect(found.text).toBe((await h.call("DELETE", `/v1/${kind}/nothing`, { token: remover })).text);
      }
      const [undecodable] = (await remove(`/v1/${kind}/%ff`, remover)).rows;
      expect(undecodable).toMatchObject({ outcome: "denied", scope: null, target: createHash("sha256").update("%ff").digest("hex") });
    });

    test("a token in the place of an id is not written down", async () => {
      const { rows } = await remove(`/v1/units/${remover}`, remover);
      expect(rows).toMatchObject([{ outcome: "denied", target: createHash("sha256").update(remover).digest("hex") }]);
    });

    test("refused administration: a scope that is not there, one that is not empty, and one that is not the caller's business", async () => {
      const denied = (error: string, target: string) => [{ action: "scope.delete", outcome: "denied", target, detail: { error } }];
      expect(await remove("/v1/scopes/no/such", ADMIN)).toMatchObject({ status: 404, rows: denied("not_found", "no/such") });
      expect(await remove("/v1/scopes/harbour/ops", ADMIN)).toMatchObject({ status: 409, rows: denied("conflict", "harbour/ops") });
      expect(await remove("/v1/scopes/harbour/ops", remover)).toMatchObject({ status: 403, rows: denied("forbidden", "harbour/ops") });
    });
  });

  test("nobody in particular leaves no row", async () => {
    const before = await auditRows(h, "demo", 1);
    await h.call("POST", "/v1/ingest", { token: null, body: {} });
    await h.call("POST", "/v1/ingest", { token: "strata_nobody", body: {} });
    await h.call("GET", "/v1/nothing");
    expect(await auditRows(h, "demo", 1)).toEqual(before);
  });

  test("every chain is whole", async () => {
    expect(await brokenChains(h)).toEqual([]);
  });
});

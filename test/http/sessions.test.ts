/** The console session: exchange, cookie, origin rule, precedence, expiry, end; and listeners that others can reach. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, CallOptions, Harness } from "../support/harness.ts";
import { openHarness } from "../support/harness.ts";
import { ADMIN, auditRows, brokenChains, cookieOf, ENTERPRISE, FREE, hire, PRO, READER, sessionCookie, SUPER, unitCount } from "../support/people.ts";
import { revokeNamed } from "../support/tokens.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOST = "127.0.0.1:4700";
const SECRET = /^console\.session_token=[A-Za-z0-9_-]{43}$/;

let h: Harness;
let skew = 0;

beforeAll(async () => {
  h = await openSeeded({ now: () => Date.now() + skew });
}, START_MS);

afterAll(async () => {
  await h.close();
});

const by = (cookie: string, headers: Record<string, string> = {}): CallOptions => ({ token: null, headers: { cookie, host: HOST, ...headers } });
const context = (options: CallOptions) => h.call("GET", "/v1/context", options);
const who = ({ status, body }: Answer): string => (status === 200 ? body.principal.principal_id : `${status} ${body.error}`);
const exchange = (token: unknown, headers: Record<string, string> = {}) => h.call("POST", "/v1/session", { token: null, body: { token }, headers });

describe("exchange", () => {
  test("a token becomes a cookie", async () => {
    const answer = await exchange(READER);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(["expires_at", "namespace", "principal_id"]);
    expect(answer.body).toMatchObject({ principal_id: "demo-reader", namespace: "demo" });
    expect(Math.abs(answer.body.expires_at - (Date.now() + 7 * DAY_MS))).toBeLessThan(60_000);
    const [pair, ...flags] = (answer.headers.get("set-cookie") ?? "").split("; ");
    expect(pair).toMatch(SECRET);
    expect(flags.sort()).toEqual(["HttpOnly", `Max-Age=${7 * 86_400}`, "Path=/", "SameSite=Strict"]);
    expect(answer.text).not.toContain((pair ?? "").split("=")[1] ?? "-");
    expect(who(await context(by(pair ?? "")))).toBe("demo-reader");
  });

  test("behind TLS the cookie is Secure, also when it is taken back", async () => {
    const tls = h.front({ secureCookies: true });
    const made = await tls.call("POST", "/v1/session", { token: null, body: { token: READER } });
    expect((made.headers.get("set-cookie") ?? "").split("; ")).toContain("Secure");
    const ended = await tls.call("DELETE", "/v1/session", by(sessionCookie(made), { origin: `https://${HOST}` }));
    expect(ended.status).toBe(200);
    expect((ended.headers.get("set-cookie") ?? "").split("; ")).toContain("Secure");
  });

  test("sessions are unlike each other and unlike the token", async () => {
    const cookies = await Promise.all(Array.from({ length: 10 }, () => cookieOf(h, ADMIN)));
    expect(new Set(cookies).size).toBe(10);
    for (const cookie of cookies) expect(who(await context({ token: cookie.split("=")[1] ?? "" }))).toBe("401 unauthorized");
  });

  test("only the hash is stored", async () => {
    const secret = (await cookieOf(h, ADMIN)).split("=")[1] ?? "";
    const files = readdirSync(h.data).filter((name) => name.startsWith("system.db"));
    expect(files).toContain("system.db");
    for (const file of files) expect({ file, holds: readFileSync(join(h.data, file)).includes(secret) }).toEqual({ file, holds: false });
  });

  test.each(["strata_nobody", ADMIN.toUpperCase(), ` ${ADMIN}`, `${ADMIN} `, `Bearer ${ADMIN}`, "' OR 1=1 --"])("%p is no token", async (token) => {
    const answer = await exchange(token);
    expect(who(answer)).toBe("401 unauthorized");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("a revoked token opens nothing, and its sessions end", async () => {
    const token = hire(h, "leaver");
    const cookie = await cookieOf(h, token);
    expect(who(await context(by(cookie)))).toBe("leaver");
    revokeNamed(h.app.data.tables, "demo", "leaver");
    expect(who(await context(by(cookie)))).toBe("401 unauthorized");
    expect(who(await exchange(token))).toBe("401 unauthorized");
  });

  test("opening and ending are written down", async () => {
    const cookie = await cookieOf(h, READER);
    await h.call("DELETE", "/v1/session", by(cookie, { origin: `http://${HOST}` }));
    const rows = await auditRows(h, "demo", 2);
    expect(rows.map(({ action, outcome, principal_id }) => [action, outcome, principal_id])).toEqual([
      ["session.delete", "ok", "demo-reader"],
      ["session.create", "ok", "demo-reader"],
    ]);
  });

  test("the super-admin's session still chooses its namespace", async () => {
    const cookie = await cookieOf(h, SUPER);
    expect((await context(by(cookie))).body.principal.namespace).toBe("demo");
    expect((await context(by(cookie, { "x-svc-namespace": "pro" }))).body.principal.namespace).toBe("pro");
  });
});

describe("who is asking", () => {
  const CASES: [string, (cookie: string) => CallOptions, string][] = [
    ["a token beats a cookie", (cookie) => ({ token: READER, headers: { cookie } }), "demo-reader"],
    ["a bad token is not saved by a good cookie", (cookie) => ({ token: "strata_nobody", headers: { cookie } }), "401 unauthorized"],
    ["nor a malformed header", (cookie) => by(cookie, { authorization: "Basic eA==" }), "401 unauthorized"],
    ["nor an empty one", (cookie) => by(cookie, { authorization: "" }), "401 unauthorized"],
    ["an assertion is ignored beside a cookie", (cookie) => by(cookie, { "x-access-jwt-assertion": "a.b.c" }), "demo-admin"],
    ["an assertion is ignored beside a token", (cookie) => ({ token: READER, headers: { cookie, "x-access-jwt-assertion": ADMIN } }), "demo-reader"],
    ["an assertion alone is nobody", () => ({ token: null, headers: { "x-access-jwt-assertion": "eyJhbGciOiJub25lIn0.e30." } }), "401 unauthorized"],
    ["other cookies beside it", (cookie) => by(`a=b; ${cookie}; c=d`), "demo-admin"],
    ["another name", (cookie) => by(cookie.replace("console.", "console_")), "401 unauthorized"],
    ["a longer name", (cookie) => by(`x${cookie}`), "401 unauthorized"],
    ["a changed secret", (cookie) => by(`${cookie.slice(0, -2)}${cookie.endsWith("A") ? "BB" : "AA"}`), "401 unauthorized"],
    ["an empty secret", () => by("console.session_token="), "401 unauthorized"],
    ["a token as cookie", () => by(`console.session_token=${ADMIN}`), "401 unauthorized"],
  ];
  test.each(CASES)("%s", async (_name, options, expected) => {
    expect(who(await context(options(await cookieOf(h, ADMIN))))).toBe(expected);
  });
});

describe("the origin rule", () => {
  const body = { units: [{ modality: "text", source_uri: "origin/1", scope: "harbour" }] };
  const ORIGINS: [string, Record<string, string>, number][] = [
    ["the same origin", { origin: `http://${HOST}` }, 200],
    ["none", {}, 403],
    ["null", { origin: "null" }, 403],
    ["another host", { origin: "http://evil.example" }, 403],
    ["another port", { origin: "http://127.0.0.1:4701" }, 403],
    ["no port", { origin: "http://127.0.0.1" }, 403],
    ["a longer host", { origin: `http://${HOST}.evil.example` }, 403],
    ["a user in front", { origin: `http://${HOST}@evil.example` }, 403],
    ["no scheme", { origin: HOST }, 403],
    ["an extension", { origin: `chrome-extension://${HOST}` }, 403],
    ["rubbish", { origin: "http://[" }, 403],
    ["a referer instead", { referer: `http://${HOST}/` }, 403],
  ];
  test.each(ORIGINS)("ingest by cookie with %s", async (_name, headers, status) => {
    const cookie = await cookieOf(h, ADMIN);
    const before = await unitCount(h);
    const answer = await h.call("POST", "/v1/ingest", { ...by(cookie, headers), body });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await unitCount(h)).toBe(before);
  });

  test("it binds seeding and ending too, and not reading", async () => {
    const cookie = await cookieOf(h, ADMIN);
    expect((await h.call("POST", "/v1/admin/seed", by(cookie))).status).toBe(403);
    expect((await h.call("DELETE", "/v1/session", by(cookie))).status).toBe(403);
    expect((await context(by(cookie))).status).toBe(200);
    expect((await h.call("POST", "/v1/search", { ...by(cookie), body: { q: "turbine", top_k: 1 } })).status).toBe(200);
  });

  test("a token needs none", async () => {
    expect((await h.call("POST", "/v1/ingest", { body })).status).toBe(200);
  });

  test("behind TLS the origin is https", async () => {
    const tls = h.front({ secureCookies: true });
    const cookie = await cookieOf(tls, ADMIN);
    const ingest = (origin: string) => tls.call("POST", "/v1/ingest", { ...by(cookie, { origin }), body });
    expect((await ingest(`https://${HOST}`)).status).toBe(200);
    expect((await ingest(`http://${HOST}`)).status).toBe(403);
  });
});

describe("time", () => {
  async function at<T>(ms: number, work: () => Promise<T>): Promise<T> {
    skew += ms;
    return work();
  }

  test("a session slides for 12 hours at a time", async () => {
    const cookie = await cookieOf(h, READER);
    expect(who(await at(12 * HOUR_MS - 60_000, () => context(by(cookie))))).toBe("demo-reader");
    expect(who(await at(12 * HOUR_MS - 60_000, () => context(by(cookie))))).toBe("demo-reader");
    expect(who(await at(12 * HOUR_MS + 1_000, () => context(by(cookie))))).toBe("401 unauthorized");
    expect(who(await at(-HOUR_MS, () => context(by(cookie))))).toBe("demo-reader");
  });

  test("a refused request does not keep it alive", async () => {
    const cookie = await cookieOf(h, READER);
    await at(11 * HOUR_MS, () => h.call("GET", "/v1/nothing", by(cookie)));
    await context({ token: "strata_nobody", headers: { cookie } });
    expect(who(await at(2 * HOUR_MS, () => context(by(cookie))))).toBe("401 unauthorized");
  });

  test("it ends after 7 days whatever happens", async () => {
    const cookie = await cookieOf(h, READER);
    for (let used = 0; used < 16; used += 1) {
      expect(`${used} ${who(await at(10 * HOUR_MS, () => context(by(cookie))))}`).toBe(`${used} demo-reader`);
    }
    expect(who(await at(8 * HOUR_MS + 1_000, () => context(by(cookie))))).toBe("401 unauthorized");
  });

  test("it ends when it is ended, and only it", async () => {
    const [mine, other] = [await cookieOf(h, READER), await cookieOf(h, READER)];
    const ended = await h.call("DELETE", "/v1/session", by(mine, { origin: `http://${HOST}` }));
    expect(ended.body).toEqual({ ended: true });
    expect(ended.headers.get("set-cookie")).toBe("console.session_token=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
    expect(who(await context(by(mine)))).toBe("401 unauthorized");
    expect((await h.call("DELETE", "/v1/session", by(mine, { origin: `http://${HOST}` }))).status).toBe(401);
    expect(who(await context(by(other)))).toBe("demo-reader");
  });

  test("a token has no session to end", async () => {
    expect((await h.call("DELETE", "/v1/session", { token: READER })).body).toEqual({ ended: false });
  });
});

describe("a session remembers what it was made from", () => {
  test("read_only_agents binds a token, and a cookie that was exchanged for one", async () => {
    const token = hire(h, "archivist", { scopes: ["harbour/archive"], active_scope: "harbour/archive" });
    const cookie = await cookieOf(h, token);
    const body = { units: [{ modality: "text", source_uri: "archive/1" }] };
    expect((await h.call("POST", "/v1/ingest", { token, body })).status).toBe(403);
    expect((await context({ token })).body.perms).toEqual(["read"]);
    expect((await context(by(cookie))).body.perms).toEqual(["read"]);
    const refused = await h.call("POST", "/v1/ingest", { ...by(cookie, { origin: `http://${HOST}` }), body });
    expect(who(refused)).toBe("403 forbidden");
    // Outside such a scope both write.
    const elsewhere = hire(h, "elsewhere");
    const own = await cookieOf(h, elsewhere);
    expect((await h.call("POST", "/v1/ingest", { ...by(own, { origin: `http://${HOST}` }), body })).status).toBe(200);
  });
});

describe("a listener that others can reach", () => {
  const SEEDED = [ADMIN, READER, FREE, PRO, ENTERPRISE, SUPER];

  test.each(SEEDED)("%s is refused, as token and for a session", async (token) => {
    const { call } = h.front({ trustSeeded: false });
    expect(who(await call("GET", "/v1/context", { token }))).toBe("401 unauthorized");
    const answer = await call("POST", "/v1/session", { token: null, body: { token } });
    expect(who(answer)).toBe("401 unauthorized");
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(who(await call("POST", "/v1/admin/seed", { token }))).toBe("401 unauthorized");
  });

  test("so is a session that a demo token opened on loopback", async () => {
    const cookie = await cookieOf(h, ADMIN);
    const { call } = h.front({ trustSeeded: false });
    expect(who(await call("GET", "/v1/context", by(cookie)))).toBe("401 unauthorized");
    expect(who(await context(by(cookie)))).toBe("demo-admin");
  });

  test("an operator's own token works there", async () => {
    const { call } = h.front({ trustSeeded: false });
    expect(who(await call("GET", "/v1/context", { token: hire(h, "operator", { perms: ["read", "write", "admin"] }) }))).toBe("operator");
  });

  test("the first run is closed there and open on loopback", async () => {
    const fresh = await openHarness({ seed: false, trustSeeded: false });
    try {
      for (const token of [null, ADMIN, SUPER]) expect(who(await fresh.call("POST", "/v1/admin/seed", { token }))).toBe("401 unauthorized");
      expect(fresh.app.data.tables.hasTokens()).toBe(false);
      expect(fresh.app.data.tables.namespaces()).toEqual([]);
      expect((await fresh.call("GET", "/v1/health", { token: null })).status).toBe(200);
    } finally {
      await fresh.close();
    }
  });
});

test("every chain is whole", async () => {
  expect(await brokenChains(h)).toEqual([]);
});

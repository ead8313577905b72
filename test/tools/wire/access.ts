/** Every route asked by every kind of caller, and by its wrong names. */
import { ADMIN, byCookie, ENTERPRISE, FREE, type People, PRO, READER, signIn, SUPER } from "./people.ts";
import type { Recorder, SendOptions } from "./recorder.ts";

export const UNKNOWN_UNIT = `u_${"a".repeat(32)}`;
export const UNKNOWN_FILE = `f_${"a".repeat(32)}`;
export const UNKNOWN_JOB = `j_${"a".repeat(20)}`;
export const UNKNOWN_TOKEN = `t_${"a".repeat(20)}`;

interface Right {
  method: string;
  target: string;
  body?: unknown;
  warm?: true;
}

/** A request to each route that is right but, perhaps, for its caller. `serial` makes what is made once a new one. */
function routes(serial: number): Right[] {
  return [
    { method: "GET", target: "/v1/health" },
    { method: "GET", target: "/v1/openapi.json" },
    { method: "GET", target: "/v1/context" },
    { method: "GET", target: "/v1/scopes" },
    { method: "DELETE", target: "/v1/scopes/matrix/none" },
    { method: "POST", target: "/v1/search", body: { q: "turbine", top_k: 1, mode: "fulltext" } },
    { method: "POST", target: "/v1/answer", body: { q: "which zeppelin moored at noon?", answer: true, top_k: 1 }, warm: true },
    { method: "GET", target: "/v1/units?limit=1&cursor=100000" },
    { method: "GET", target: `/v1/units/${UNKNOWN_UNIT}` },
    { method: "DELETE", target: `/v1/units/${UNKNOWN_UNIT}` },
    { method: "GET", target: `/v1/units/${UNKNOWN_UNIT}/preview` },
    { method: "POST", target: "/v1/similar", body: { unit_id: UNKNOWN_UNIT } },
    { method: "POST", target: "/v1/files?name=matrix.txt&wait=true", body: "one line of the access matrix" },
    { method: "GET", target: "/v1/files?limit=1" },
    { method: "GET", target: `/v1/files/${UNKNOWN_FILE}` },
    { method: "DELETE", target: `/v1/files/${UNKNOWN_FILE}` },
    { method: "GET", target: `/v1/files/${UNKNOWN_FILE}/content` },
    { method: "GET", target: `/v1/jobs/${UNKNOWN_JOB}` },
    { method: "GET", target: "/v1/catalog/stats" },
    { method: "GET", target: "/v1/audit?limit=1" },
    { method: "GET", target: "/v1/audit/verify" },
    { method: "POST", target: "/v1/ingest", body: { units: [{ modality: "chunk", source_uri: "matrix/1" }] } },
    { method: "POST", target: "/v1/admin/tokens", body: { name: `matrix-${serial}`, principal_id: "matrix", perms: [], scopes: [] } },
    { method: "GET", target: "/v1/admin/tokens" },
    { method: "DELETE", target: `/v1/admin/tokens/${UNKNOWN_TOKEN}` },
    { method: "POST", target: "/v1/session", body: { token: READER } },
    { method: "POST", target: "/v1/admin/seed", body: {} },
  ];
}

/** Routes that cost a caller with credentials seconds: asked by these alone, and by everybody whom they refuse. */
const DEAR: Record<string, readonly string[]> = {
  "/v1/admin/seed": ["reader", "free", "pro", "enterprise", "cookieWithoutOrigin", "readOnly", "guarded", "powerless", "auditor"],
};

/** Before anything is there: whom the open first run lets in, and to what. */
export async function recordFirstRun(r: Recorder): Promise<void> {
  r.begin("first run");
  for (const { method, target, body } of routes(0)) {
    if (target === "/v1/admin/seed") continue;
    for (const token of [null, ADMIN]) await r.send(method, target, { token, body });
  }
  for (const body of ["[]", "null", "1", '"x"', "{", "{}x"]) await r.send("POST", "/v1/admin/seed", { token: null, body });
  const seed = (options: SendOptions, what: string) => r.send("POST", "/v1/admin/seed", options, what);
  await seed({ token: ADMIN }, "a token that is not there yet");
  await seed({ token: null, headers: { Origin: "http://evil.example" } }, "a page of another site");
  await seed({ token: null, host: "evil.example" }, "another host");
  await seed({ token: null, body: "x".repeat(20_000) }, "too long");
  await seed({ token: null, body: { anything: "goes" } }, "open");
  await seed({ token: null }, "closed");
  await seed({ token: ADMIN }, "again by an admin");
  await seed({ token: SUPER, headers: { "X-Svc-Namespace": "pro" } }, "again by the super-admin, from another namespace");
}

export async function recordMatrix(r: Recorder, people: People): Promise<void> {
  r.begin("matrix");
  const consoleCookie = await signIn(r, people.console);
  const guardedCookie = await signIn(r, people.guarded);
  const at = (token: string): SendOptions => ({ token, headers: { "X-Svc-Scope": "harbour" } });
  const wrong = byCookie(r, consoleCookie);
  const callers: Record<string, SendOptions> = {
    none: { token: null },
    malformed: { token: null, headers: { Authorization: "Basic c3RyYXRhX2RlbW9fYWRtaW4=" } },
    unknown: { token: "strata_nobody" },
    revoked: { token: people.revoked },
    badTokenGoodCookie: { ...wrong, token: "strata_nobody" },
    jwtOnly: { token: null, headers: { "X-Access-Jwt-Assertion": ADMIN } },
    badCookie: byCookie(r, "console.session_token=AAAA"),
    admin: at(ADMIN),
    reader: { token: READER },
    writer: { token: people.writer },
    free: at(FREE),
    pro: at(PRO),
    enterprise: at(ENTERPRISE),
    superAdmin: at(SUPER),
    superAdminElsewhere: { token: SUPER, headers: { "X-Svc-Scope": "harbour", "X-Svc-Namespace": "free" } },
    superAdminNowhere: { token: SUPER, headers: { "X-Svc-Namespace": "atlantis" } },
    adminElsewhere: { token: ADMIN, headers: { "X-Svc-Scope": "harbour", "X-Svc-Namespace": "pro" } },
    cookie: byCookie(r, consoleCookie),
    cookieWithoutOrigin: byCookie(r, consoleCookie, false),
    cookieOfAnotherSite: { token: null, headers: { Cookie: consoleCookie, Origin: "http://evil.example" } },
    readOnly: { token: people.readOnly },
    guarded: { token: people.guarded },
    guardedCookie: byCookie(r, guardedCookie),
    powerless: { token: people.powerless },
    auditor: { token: people.auditor },
  };
  let serial = 0;
  for (const [name, caller] of Object.entries(callers)) {
    const known = Object.keys(callers).indexOf(name) >= Object.keys(callers).indexOf("admin");
    for (const { method, target, body, warm } of routes(serial++)) {
      if (known && DEAR[target]?.includes(name) === false) continue;
      await r.send(method, target, { ...caller, body, ...(known && warm ? { warm } : {}) }, name);
    }
  }
  for (const [name, caller] of Object.entries(callers).slice(0, 7)) await r.send("DELETE", "/v1/session", caller, name);
}

/** What the gate looks at: the names of routes, the host, the origin, and the form of credentials. */
export async function recordPaths(r: Recorder): Promise<void> {
  r.begin("paths");
  const gets = ["/", "/v1", "/v1/", "/v2/health", "/v1/nothing", "/v1/grants", "/v1/principals", "/v1/namespaces", "/v1/sources/x", "/health"];
  const near = ["/v1/health/", "/V1/health", "/v1//health", "/v1/Health", "/v1/context/", "/v1/units/", "/v1/units//", "/v1/audit/", "/v1/jobs/"];
  const climbing = ["/v1/units/../health", "/v1/./health", "/v1/units/..%2fhealth", "/v1/units/..%2f..%2faudit", "/v1/%68ealth", "/v1/health%20"];
  const odd = [
    "/v1/health#x",
    "/v1/units/a#x",
    "/v1/units/\x80\xff",
    "http://x/v1/health",
    "/v1/health?%zz&limit=x",
    "*",
    "/v1/health;a=b",
    "/v1\\health",
  ];
  for (const target of [...gets, ...near, ...climbing, ...odd]) await r.send("GET", target);
  for (const target of ["/v1/nothing", "/v1/grants", "/v1/health/"]) await r.send("GET", target, { token: null }, "nobody");
  const ids = [
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "%zz",
    "%",
    "%c0%af",
    "%00",
    "%ff",
    "u_x",
    "'%20OR%201=1--",
    "%F0%9F%98%80",
    "a%2Fb",
    "%3F",
    "%23",
    ":id",
    "*",
  ];
  for (const id of [...ids, "x".repeat(5_000)]) {
    for (const path of ["/v1/units/", "/v1/files/", "/v1/jobs/"]) await r.send("GET", path + id);
  }
  for (const id of ["..%2fx", "%zz", "a%2Fb", "*", "u_x"]) {
    for (const path of ["/v1/units/", "/v1/files/", "/v1/scopes/", "/v1/admin/tokens/"]) await r.send("DELETE", path + id);
    await r.send("GET", `/v1/units/${id}/preview`);
    await r.send("GET", `/v1/files/${id}/content`);
  }
  r.begin("methods");
  const paths = [
    "/v1/health",
    "/v1/context",
    "/v1/search",
    "/v1/units?cursor=100000",
    "/v1/units/u_x",
    "/v1/ingest",
    "/v1/session",
    "/v1/files",
    "/v1/nothing",
  ];
  for (const target of paths) {
    for (const method of ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "GET", "POST"]) await r.send(method, target);
  }
  await recordSites(r);
}

async function recordSites(r: Recorder): Promise<void> {
  r.begin("hosts");
  const hosts = [
    "localhost",
    "LOCALHOST:1",
    "127.0.0.1",
    "[::1]:4700",
    "[0:0:0:0:0:0:0:1]",
    "x",
    "ab",
    "api",
    "[::2]",
    "x:1",
    "localhost.",
    "x@localhost",
  ];
  for (const host of [...hosts, "evil.example", "127.0.0.1.evil.example", "localhost:4700:1", "localhost, evil.example", ""]) {
    await r.send("GET", "/v1/context", { host });
  }
  await r.send("GET", "/v1/context", { host: null }, "no Host at all");
  await r.send("PUT", "/v1/nothing", { host: "evil.example" });
  r.begin("origins");
  const origins = ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:1", "http://localhost", "nonsense", ""];
  for (const Origin of [...origins, `http://127.0.0.1:${r.port}`, `https://127.0.0.1:${r.port}`]) {
    await r.send("POST", "/v1/ingest", { headers: { Origin }, body: { units: [] } });
    await r.send("POST", "/v1/search", { headers: { Origin }, body: {} });
    await r.send("PUT", "/v1/nothing", { headers: { Origin } });
  }
  r.begin("credentials");
  const values = ["", "Bearer", "Bearer ", "Bearer  two", `Bearer ${ADMIN} x`, `Token ${ADMIN}`, ADMIN, `bearer ${ADMIN}`, `BEARER ${ADMIN}`];
  for (const Authorization of [...values, `Bearer\t${ADMIN}`, `Bearer ${"x".repeat(513)}`, "Bearer \u00e9"]) {
    await r.send("GET", "/v1/context", { token: null, headers: { Authorization } });
  }
  for (const Cookie of ["", "x=1", "console.session_token=", "console.session_token", "console.session_token=A; console.session_token=B"]) {
    await r.send("GET", "/v1/context", { token: null, headers: { Cookie } });
  }
  r.begin("request ids");
  for (const id of ["mine", "a.b:c_d-e", "x".repeat(128), "x".repeat(129), "with space", "", "é"]) {
    await r.send("GET", "/v1/health", { token: null, headers: { "X-Request-Id": id } });
    await r.send("GET", "/v1/nothing", { headers: { "X-Request-Id": id } });
  }
}

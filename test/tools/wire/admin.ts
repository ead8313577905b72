/** Tokens and sessions, from their making to their end. */
import { ADMIN, byCookie, ENTERPRISE, PRO, type People, READER, signIn, SUPER } from "./people.ts";
import type { Recorder, SendOptions } from "./recorder.ts";

export async function recordTokens(r: Recorder, people: People): Promise<void> {
  r.begin("tokens");
  const create = (body: object, options: SendOptions = {}, what = "") => r.send("POST", "/v1/admin/tokens", { ...options, body }, what);
  const context = (token: string) => r.send("GET", "/v1/context", { token });
  const robot = {
    name: "robot",
    principal_id: "robot",
    perms: ["write", "read"],
    scopes: ["harbour/ops"],
    groups: ["ops", "hr", "ops"],
    read_only: false,
  };
  const { json } = await create(robot);
  await context(json.token);
  const plain = await create({ name: "plain", principal_id: "plain" });
  await context(plain.json.token);
  const aimed = await create({ name: "aimed", principal_id: "aimed", active_scope: "harbour/archive", read_only: true, perms: ["read", "write"] });
  await context(aimed.json.token);
  await create({ name: "robot-2", principal_id: "robot", groups: ["ops", "hr"] }, {}, "for one that exists");
  for (const other of [{ perms: ["read"] }, { scopes: ["*"] }, { groups: [] }, { read_only: true }, { active_scope: "*" }]) {
    await create({ name: "robot-3", principal_id: "robot", ...other }, {}, "other than it is");
  }
  await create({ name: "robot", principal_id: "other" }, {}, "a name that is taken");
  const local = { token: people.localAdmin };
  const more = [{}, { scopes: ["*"] }, { scopes: ["harbour/ops"], groups: ["finance"] }, { scopes: ["harbour/ops/quay"], perms: ["read", "admin"] }];
  for (const [at, fields] of more.entries())
    await create({ name: `local-${at}`, principal_id: `local-${at}`, ...fields }, local, "by an admin of a scope");
  for (const token of [people.auditor, PRO, ENTERPRISE, READER])
    await create({ name: "by-others", principal_id: "by-others" }, { token }, "by others");
  await create({ name: "root-2", principal_id: "super-admin" }, {}, "for the super-admin");
  for (const namespace of ["free", "pro", "atlantis"]) {
    const options = { token: SUPER, headers: { "X-Svc-Namespace": namespace } };
    await create({ name: "boss", principal_id: "boss", perms: ["read", "admin"] }, options, namespace);
    await create({ name: "clerk", principal_id: "clerk", perms: ["read"] }, options, namespace);
    await r.send("GET", "/v1/admin/tokens", options, namespace);
  }
  for (const token of [ADMIN, SUPER, people.localAdmin, people.auditor, ENTERPRISE]) await r.send("GET", "/v1/admin/tokens", { token });
  r.begin("revoking");
  const cookie = await signIn(r, json.token);
  for (const token of [people.localAdmin, ENTERPRISE, READER])
    await r.send("DELETE", `/v1/admin/tokens/${plain.json.id}`, { token }, "not by this one");
  await r.send("DELETE", `/v1/admin/tokens/${json.id}`);
  await r.send("DELETE", `/v1/admin/tokens/${json.id}`, {}, "again");
  await context(json.token);
  await r.send("GET", "/v1/context", byCookie(r, cookie), "its session");
  await r.send("POST", "/v1/session", { token: null, body: { token: json.token } });
  await create(robot, {}, "the name is free again");
}

/** Reading stored files again. */
export async function recordReread(r: Recorder, people: People): Promise<void> {
  r.begin("reading again");
  for (const token of [ADMIN, SUPER, people.localAdmin, people.auditor, READER, PRO, ENTERPRISE]) await r.send("POST", "/v1/admin/reread", { token });
  for (const body of [{}, { after: `f_${"a".repeat(32)}`, with_deleted: true }, { after: 1 }, { after: "" }, { with_deleted: "yes" }, []])
    await r.send("POST", "/v1/admin/reread?scope=harbour/ops", { body });
}

export async function recordSessions(r: Recorder, people: People): Promise<void> {
  r.begin("sessions");
  for (const token of [READER, SUPER, "strata_nobody", people.revoked]) await r.send("POST", "/v1/session", { token: null, body: { token } });
  await r.send("POST", "/v1/session", { token: READER, body: { token: ADMIN } }, "with a live token beside it");
  await r.send("POST", "/v1/session", { token: "strata_nobody", body: { token: ADMIN } }, "with a dead one");
  const cookie = await signIn(r, people.keeper);
  for (const own of [true, false]) {
    for (const target of ["/v1/context", "/v1/scopes", "/v1/units?limit=1&scope=wire/pages", "/v1/admin/tokens"])
      await r.send("GET", target, byCookie(r, cookie, own));
    await r.send("POST", "/v1/search", { ...byCookie(r, cookie, own), body: { q: "turbine", top_k: 1 } });
    await r.send("POST", "/v1/ingest", {
      ...byCookie(r, cookie, own),
      body: { units: [{ modality: "text", source_uri: "wire/cookie", scope: "wire" }] },
    });
  }
  await r.send("GET", "/v1/context", { token: READER, headers: { Cookie: cookie } }, "a token beats it");
  await r.send("GET", "/v1/context", { token: null, headers: { Cookie: `a=1; ${cookie}; b=2` } }, "among others");
  await r.send("GET", "/v1/context", { token: null, headers: { Cookie: cookie, "X-Access-Jwt-Assertion": ADMIN } });
  await r.send("GET", "/v1/context?scope=harbour", { ...byCookie(r, cookie), token: null });
  await r.send("DELETE", "/v1/session", byCookie(r, cookie, false));
  await r.send("DELETE", "/v1/session", byCookie(r, cookie));
  await r.send("DELETE", "/v1/session", byCookie(r, cookie), "again");
  await r.send("GET", "/v1/context", byCookie(r, cookie), "ended");
  await r.send("DELETE", "/v1/session", { token: READER }, "without one");
}

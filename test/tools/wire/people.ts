/** Who calls: the published tokens of the demo, and principals that the recording makes over the API. */
import { ADMIN, type Recorder, type SendOptions } from "./recorder.ts";

export { ADMIN };
export const READER = "strata_demo_reader";
export const FREE = "strata_tier_free";
export const PRO = "strata_tier_pro";
export const ENTERPRISE = "strata_tier_enterprise";
export const SUPER = "strata_super_admin";

const MADE = {
  revoked: { perms: ["read", "write"] },
  writer: { perms: ["read", "write"], scopes: ["harbour/ops"], groups: ["ops"] },
  console: { perms: ["read", "write", "admin"] },
  /** A second one, whose session another chapter ends. */
  keeper: { perms: ["read", "write", "admin"], groups: ["ops", "hr"] },
  readOnly: { perms: ["read", "write", "admin"], read_only: true },
  /** The demo's harbour/archive lets nobody but admins write. */
  guarded: { perms: ["read", "write"], scopes: ["harbour/archive"], active_scope: "harbour/archive" },
  powerless: { perms: [] },
  auditor: { perms: ["admin"] },
  localAdmin: { perms: ["read", "write", "admin"], scopes: ["harbour/ops"], active_scope: "harbour/ops", groups: ["ops"] },
  wanderer: { perms: ["read", "write"], scopes: ["wire", "town"], active_scope: "wire", groups: ["engineering"] },
  stranger: { perms: ["read", "write"], scopes: ["wire"], active_scope: "wire" },
} satisfies Record<string, object>;

export type Made = keyof typeof MADE;
export type People = Record<Made, string>;

/** Makes them all; the one named `revoked` is revoked at once. */
export async function hire(r: Recorder): Promise<People> {
  r.begin("people");
  const people: Partial<People> = {};
  for (const [name, fields] of Object.entries(MADE) as [Made, object][]) {
    const { json } = await r.send("POST", "/v1/admin/tokens", { body: { name, principal_id: `p-${name}`, ...fields } });
    people[name] = json.token;
    if (name === "revoked") await r.send("DELETE", `/v1/admin/tokens/${json.id}`);
  }
  return people as People;
}

/** The cookie of a new session, as a request carries it. */
export async function signIn(r: Recorder, token: string): Promise<string> {
  const { headers } = await r.send("POST", "/v1/session", { token: null, body: { token } });
  const header = headers.find(([name]) => name.toLowerCase() === "set-cookie")?.[1] ?? "";
  return header.split(";")[0] ?? "";
}

/** A request with a cookie alone; `own`: from a page of the service. */
export function byCookie(r: Recorder, cookie: string, own = true): SendOptions {
  return { token: null, headers: { Cookie: cookie, ...(own ? { Origin: `http://127.0.0.1:${r.port}` } : {}) } };
}

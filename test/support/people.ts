/** Callers for tests: the seeded ones by name, and more made on the spot. */
import type { Principal } from "../../src/domain/principal.ts";
import type { Answer, Harness } from "./harness.ts";
import { rowsOf } from "./rows.ts";

export const ADMIN = "strata_demo_admin";
export const READER = "strata_demo_reader";
export const FREE = "strata_tier_free";
export const PRO = "strata_tier_pro";
export const ENTERPRISE = "strata_tier_enterprise";
export const SUPER = "strata_super_admin";

/** Makes a principal (by default a writer of the demo's `harbour/ops`, in no group) and returns a token for it. */
export function hire(h: Harness, principal_id: string, more: Partial<Principal> = {}): string {
  const { tables: directory } = h.app.data;
  const principal: Principal = {
    principal_id,
    namespace: "demo",
    perms: ["read", "write"],
    scopes: ["harbour/ops"],
    active_scope: "harbour/ops",
    groups: [],
    read_only: false,
    super_admin: false,
    ...more,
  };
  directory.putPrincipal(principal);
  return directory.createToken({ name: principal_id, namespace: principal.namespace, principal_id }).secret;
}

/** Opens a session for a token and returns its cookie as a request sends it. */
export async function cookieOf(h: Pick<Harness, "call">, token: string): Promise<string> {
  const answer = await h.call("POST", "/v1/session", { token: null, body: { token } });
  return sessionCookie(answer);
}

export function sessionCookie(answer: Answer): string {
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

/** The newest rows of the chain of a namespace, newest first, without adding to it. */
export async function auditRows(h: Harness, namespace = "demo", limit = 100) {
  const known = h.app.data.tables.namespace(namespace);
  if (known === null) throw new Error(`no namespace ${namespace}`);
  return rowsOf(await h.app.tenant(known)).ledger.page(limit, 0);
}

/** Units stored in a namespace. */
export async function unitCount(h: Harness, namespace = "demo"): Promise<number> {
  const known = h.app.data.tables.namespace(namespace);
  if (known === null) throw new Error(`no namespace ${namespace}`);
  return rowsOf(await h.app.tenant(known)).catalog.unitCount();
}

/** Namespaces whose chain is broken, with the reason: what a test sent must never break one. */
export async function brokenChains(h: Harness): Promise<string[]> {
  const broken: string[] = [];
  for (const namespace of h.app.data.tables.namespaces()) {
    const { intact, reason } = await rowsOf(await h.app.tenant(namespace)).ledger.verify();
    if (!intact) broken.push(`${namespace.namespace}: ${reason}`);
  }
  return broken;
}

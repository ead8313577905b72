/**
 * The gate: everything that is checked before a request's body is looked at, in one place and in this
 * order: `Host` (400), foreign `Origin` (403), known route (404), authentication (401), permission (403),
 * tier (402). Validation (400), quota (402) and the work itself come after it, in the route.
 */
import { Fault, FAULT_STATUS } from "../base/fault.ts";
import { TOKEN_MAX_CHARS } from "../base/limits.ts";
import { DEMO_NAMESPACE } from "../core/demo/seed.ts";
import type { Service } from "../core/service.ts";
import { homeOf } from "../core/tokens/tokens.ts";
import type { AuditAction } from "../domain/audit.ts";
import type { Caller, Credential, Perm, Principal } from "../domain/principal.ts";
import { TIER_LIMITS, type Tier } from "../domain/tier.ts";
import type { Directory } from "../adapter/sqlite/directory.ts";
import { queryParameters, rawQuery } from "./requests.ts";
import { answersTo, fromForeignOrigin, fromOwnOrigin, type HostNames } from "./site.ts";

/** What a route asks of its caller. One entry a route; a route without one does not exist. */
export interface RouteAccess {
  method: "GET" | "POST" | "DELETE";
  /** A parameter is written `:id`; `*` at the end takes the rest of the path, slashes included. */
  path: string;
  action: AuditAction | null;
  /**
   * `public`: no credentials are looked at. `token-in-body`, and `first-run` while no token exists: none are needed, but
   * a token that is sent must be live.
   */
  auth: "public" | "caller" | "token-in-body" | "first-run";
  /** Any one of these; empty: authentication alone. */
  needs: readonly Perm[];
  /** Callers of this namespace alone, and the super-admin. */
  within?: string;
  /** The tier feature that the route belongs to. */
  feature: "answers" | "audit" | null;
  /** Changes state: no page of another site may ask for it, and a cookie counts only with our own origin. */
  mutates: boolean;
}

const open = { action: null, auth: "public", needs: [], feature: null, mutates: false } as const;
const read = { auth: "caller", needs: ["read"], feature: null, mutates: false } as const;
const write = { auth: "caller", needs: ["write"], feature: null, mutates: true } as const;

export const ROUTES = {
  health: { ...open, method: "GET", path: "/v1/health" },
  openapi: { ...open, method: "GET", path: "/v1/openapi.json" },
  context: { ...read, method: "GET", path: "/v1/context", action: "context", needs: [] },
  scopes: { ...read, method: "GET", path: "/v1/scopes", action: "scopes.list" },
  removeScope: { ...write, method: "DELETE", path: "/v1/scopes/*", action: "scope.delete", needs: ["admin"] },
  search: { ...read, method: "POST", path: "/v1/search", action: "search" },
  answer: { ...read, method: "POST", path: "/v1/answer", action: "answer", feature: "answers" },
  units: { ...read, method: "GET", path: "/v1/units", action: "units.list" },
  unit: { ...read, method: "GET", path: "/v1/units/:id", action: "unit.get" },
  removeUnit: { ...write, method: "DELETE", path: "/v1/units/:id", action: "unit.delete" },
  preview: { ...read, method: "GET", path: "/v1/units/:id/preview", action: "unit.preview" },
  similar: { ...read, method: "POST", path: "/v1/similar", action: "similar" },
  putFile: { ...write, method: "POST", path: "/v1/files", action: "ingest" },
  file: { ...read, method: "GET", path: "/v1/files/:id", action: "file.get" },
  removeFile: { ...write, method: "DELETE", path: "/v1/files/:id", action: "file.delete" },
  fileContent: { ...read, method: "GET", path: "/v1/files/:id/content", action: "file.content" },
  job: { ...read, method: "GET", path: "/v1/jobs/:id", action: "job.get" },
  stats: { ...read, method: "GET", path: "/v1/catalog/stats", action: "stats" },
  audit: { ...read, method: "GET", path: "/v1/audit", action: "audit.list", needs: ["read", "admin"], feature: "audit" },
  verify: { ...read, method: "GET", path: "/v1/audit/verify", action: "audit.verify", needs: ["read", "admin"] },
  ingest: { ...write, method: "POST", path: "/v1/ingest", action: "ingest" },
  seed: { ...write, method: "POST", path: "/v1/admin/seed", action: "seed", auth: "first-run", needs: ["admin"], within: DEMO_NAMESPACE },
  createToken: { ...write, method: "POST", path: "/v1/admin/tokens", action: "token.create", needs: ["admin"] },
  tokens: { ...read, method: "GET", path: "/v1/admin/tokens", action: "token.list", needs: ["admin"] },
  revokeToken: { ...write, method: "DELETE", path: "/v1/admin/tokens/:id", action: "token.revoke", needs: ["admin"] },
  openSession: { ...open, method: "POST", path: "/v1/session", action: "session.create", auth: "token-in-body", mutates: true },
  closeSession: { ...read, method: "DELETE", path: "/v1/session", action: "session.delete", needs: [], mutates: true },
} as const satisfies Record<string, RouteAccess>;

export type RouteName = keyof typeof ROUTES;

/** A request that passed the gate. `caller` is null on public routes and on the open first run. */
export interface Admitted {
  route: RouteName;
  caller: Caller | null;
  /** The scope that the header or, without one, the query string names; null when neither does. */
  scope: string | null;
  parameters: URLSearchParams;
  /** What stands in the path for `:id` or `*`, decoded. */
  id: string;
  /** The session's secret, when the caller came with one. */
  session: string | null;
}

export const SESSION_COOKIE = "console.session_token";

export interface GateOptions {
  service: Service;
  directory: Directory;
  hosts: HostNames;
  /** False on a listener that others can reach: published tokens and the open seed are refused there. */
  trustSeeded: boolean;
  /** True when clients reach the service over TLS: our own origin is then `https` alone. */
  secureCookies: boolean;
}

interface Identity {
  principal: Principal;
  credential: Credential;
  session: string | null;
}

const UNKNOWN_ROUTE = "no such route";

/** The route of a method and path, or null. */
export function matchRoute(method: string, path: string): { route: RouteName; id: string } | null {
  for (const [name, spec] of Object.entries(ROUTES)) {
    if (spec.method !== method) continue;
    if (spec.path === path) return { route: name as RouteName, id: "" };
    const [before, after] = spec.path.split(/:id|\*/);
    if (before === undefined || after === undefined || !path.startsWith(before) || !path.endsWith(after)) continue;
    const id = path.slice(before.length, path.length - after.length);
    if (id !== "" && (spec.path.endsWith("*") || !id.includes("/"))) return { route: name as RouteName, id };
  }
  return null;
}

/** True when any one of the permissions a route needs is there, or it needs none. */
export function permits(needs: readonly Perm[], perms: readonly Perm[]): boolean {
  return needs.length === 0 || needs.some((perm) => perms.includes(perm));
}

/** The refusal (`forbidden`) of a caller without the permission, or of another namespace than the route's; null when it may. */
function permissionFault({ needs, within }: RouteAccess, { principal, namespace }: Caller, perms: readonly Perm[]): Fault | null {
  if (!permits(needs, perms)) return new Fault("forbidden", `this needs the ${needs.join(" or ")} permission`);
  if (within === undefined || principal.super_admin || namespace.namespace === within) return null;
  return new Fault("forbidden", `this needs an admin of the namespace ${within}, or the super-admin`);
}

/** The refusal (`upgrade_required`) of a feature that a tier has not; null when it has it, or the route needs none. */
export function tierFault(feature: RouteAccess["feature"], tier: Tier): Fault | null {
  return feature === null || TIER_LIMITS[tier][feature] ? null : new Fault("upgrade_required", `the ${tier} tier has no ${feature}`);
}

/** Methods that change nothing on any route, known or not. */
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Refuses what a web page of another site may not ask for through a visitor's browser, whoever that visitor is here. */
function refuseOtherSites({ hosts, secureCookies }: GateOptions, request: Request, matched: ReturnType<typeof matchRoute>): void {
  if (!answersTo(hosts, request.headers.get("host"))) {
    throw new Fault("bad_request", "the Host header names no address of this service; --allowed-host adds the names it is reached by");
  }
  const mutates = matched === null ? !SAFE_METHODS.includes(request.method) : ROUTES[matched.route].mutates;
  if (mutates && fromForeignOrigin(request, secureCookies)) {
    throw new Fault("forbidden", "the Origin header names another site, and pages of other sites may change nothing here");
  }
}

/** The caller, in the namespace that the request runs in: its own, or the one that the super-admin chooses. */
function bind(directory: Directory, { principal, credential }: Identity, request: Request): Caller {
  const asked = principal.super_admin ? request.headers.get("x-svc-namespace") : null;
  const namespace = asked === null ? homeOf(directory, principal) : directory.namespace(asked);
  if (namespace === null) throw new Fault("not_found", "no such namespace");
  return { principal, credential, namespace, signal: request.signal };
}

export function createGate(options: GateOptions) {
  const { service, directory, trustSeeded, secureCookies } = options;
  function trusted(found: { principal: Principal; seeded: boolean } | null): Principal {
    if (found === null) throw new Fault("unauthorized", "the token is not valid");
    if (found.seeded && !trustSeeded) {
      throw new Fault("unauthorized", "demo tokens are published, so this listener refuses them; make one with `strata token create`");
    }
    return found.principal;
  }

  /** Token first, then cookie; whichever is present decides alone. `X-Access-Jwt-Assertion` is never read. */
  function authenticate(request: Request): Identity {
    const header = request.headers.get("authorization");
    if (header !== null) {
      const secret = new RegExp(`^Bearer ([\\x21-\\x7e]{1,${TOKEN_MAX_CHARS}})$`, "i").exec(header)?.[1];
      if (secret === undefined) throw new Fault("unauthorized", "the Authorization header is not a bearer token");
      return { principal: trusted(directory.byToken(secret)), credential: "token", session: null };
    }
    const session = cookie(request, SESSION_COOKIE);
    if (session === null) throw new Fault("unauthorized", "send a token in the Authorization header");
    const found = directory.bySession(session);
    if (found === null) throw new Fault("unauthorized", "the session has ended; send a token");
    return { principal: trusted(found), credential: found.credential, session };
  }

  async function permit(admitted: Admitted & { caller: Caller }, request: Request): Promise<void> {
    const { caller, scope, session } = admitted;
    const spec: RouteAccess = ROUTES[admitted.route];
    const { perms } = await service.clamp(caller, scope);
    const refuse = async (fault: Fault) => {
      await recordDenial(service, admitted, fault);
      throw fault;
    };
    const lacking = permissionFault(spec, caller, perms);
    if (lacking !== null) await refuse(lacking);
    if (session !== null && spec.mutates && !fromOwnOrigin(request, secureCookies)) {
      await refuse(new Fault("forbidden", "a request with a session cookie must carry the Origin of this service"));
    }
    const fault = tierFault(spec.feature, caller.namespace.tier);
    if (fault !== null) await refuse(fault);
  }

  /** Admits a request or throws the Fault that it is answered with. */
  return async function admit(request: Request): Promise<Admitted> {
    const path = rawPath(request.url);
    const matched = matchRoute(request.method, path);
    refuseOtherSites(options, request, matched);
    if (matched === null) throw new Fault("not_found", UNKNOWN_ROUTE);
    const spec: RouteAccess = ROUTES[matched.route];
    const open = spec.auth === "public" || spec.auth === "token-in-body" || (spec.auth === "first-run" && trustSeeded && !directory.hasTokens());
    if (open) {
      if (spec.auth !== "public" && request.headers.has("authorization")) authenticate(request);
      return { route: matched.route, caller: null, scope: null, parameters: new URLSearchParams(), id: "", session: null };
    }
    const identity = authenticate(request);
    const caller = bind(directory, identity, request);
    // A query string that cannot be read names no scope here; the route's validation refuses it after the gate.
    const parameters = new URLSearchParams(rawQuery(request.url));
    const scope = request.headers.get("x-svc-scope") ?? parameters.get("scope");
    const admitted = { route: matched.route, caller, scope, parameters, id: decodedId(matched.id), session: identity.session };
    await permit(admitted, request);
    return { ...admitted, parameters: queryParameters(request.url) };
  };
}

/** Administration, and a DELETE: whoever names what is not there, or not there for him, has tried the same. */
function isDenial(route: RouteName, { kind }: Fault): boolean {
  const spec: RouteAccess = ROUTES[route];
  const administers = spec.method === "DELETE" || (spec.needs.length === 1 && spec.needs[0] === "admin");
  return kind === "forbidden" || FAULT_STATUS[kind] === 402 || (administers && (kind === "not_found" || kind === "conflict"));
}

/** Writes down that a request was denied, if that is what happened to it. Every denial of a known caller comes by here. */
export async function recordDenial(service: Service, { route, caller, scope, id }: Admitted, failure: unknown): Promise<void> {
  const { action } = ROUTES[route];
  if (caller === null || action === null || !(failure instanceof Fault) || !isDenial(route, failure)) return;
  await service.denied(caller, action, scope, id === "" ? null : id, failure);
}

/** The path as the router sees it: a raw `#`, which no URL of a client carries, is part of it. */
export function rawPath(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  return path.split("?")[0] ?? "/";
}

/** What does not decode stays as it was sent: no id has a "%". */
function decodedId(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

function cookie(request: Request, name: string): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const cut = pair.indexOf("=");
    if (cut > 0 && pair.slice(0, cut).trim() === name) return pair.slice(cut + 1).trim() || null;
  }
  return null;
}

/**
 * Who may do what: the one pure place where access is decided. The engines get its outcome as a set
 * of access classes, and the ids that come back are checked against it again.
 */
import { onceFor } from "../base/once.ts";
import type { Caller, Perm, Principal } from "./principal.ts";
import { ALL_SCOPES, covers, isScopePath, type ScopeEntry } from "./scope.ts";
import { TIER_LIMITS } from "./tier.ts";

/** What decides who may read a Unit. Units with the same scope, owner and groups share a class. */
export interface AccessClass {
  classId: number;
  scope: string;
  owner: string;
  groups: readonly string[];
}

/** The resolved scopes of one request. */
export interface ScopeClamp {
  requested: string;
  /** Registered scopes the principal may use, sorted. */
  allowed: string[];
  /** Registered scopes this request runs against, sorted; empty when it asked for what it may not use. */
  effective: string[];
}

function mayUse(principal: Principal, scope: string): boolean {
  return principal.super_admin || principal.scopes.some((grant) => covers(grant, scope));
}

/** Clamps the scope a request asked for (null: none) to what the principal may use. */
export function clampScope(principal: Principal, requested: string | null, registry: readonly ScopeEntry[]): ScopeClamp {
  const asked = requested ?? principal.active_scope;
  const allowed = registry
    .map((entry) => entry.scope)
    .filter((scope) => mayUse(principal, scope))
    .sort();
  return {
    requested: asked,
    allowed,
    effective: asked === ALL_SCOPES || isScopePath(asked) ? allowed.filter((scope) => covers(asked, scope)) : [],
  };
}

/**
 * The permissions a caller has in a scope. A read-only principal keeps `read` everywhere; in a scope
 * with `read_only_agents`, so does a caller with an API token, or a session exchanged for one, that is no admin.
 */
export function permsIn(caller: Caller, scope: string, registry: readonly ScopeEntry[]): Perm[] {
  const { principal } = caller;
  if (principal.super_admin) return [...principal.perms];
  const perms = principal.perms.filter((perm) => perm !== "admin" || TIER_LIMITS[caller.namespace.tier].admin);
  const guarded =
    caller.credential === "token" &&
    !perms.includes("admin") &&
    scope !== ALL_SCOPES &&
    registry.some((entry) => entry.read_only_agents && covers(entry.scope, scope));
  return principal.read_only || guarded ? perms.filter((perm) => perm === "read") : perms;
}

/** True when the caller may store Units under `scope`, registered or not. */
export function mayWrite(caller: Caller, scope: string, registry: readonly ScopeEntry[]): boolean {
  return mayUse(caller.principal, scope) && permsIn(caller, scope, registry).includes("write");
}

/**
 * In words, the first permission or scope that a principal has in the caller's namespace beyond the caller's own; null for
 * none. Groups do not count, since an admin of a namespace reads every Unit in its scopes.
 */
export function excessOf(caller: Caller, { perms, scopes }: Principal): string | null {
  const own = permsIn(caller, ALL_SCOPES, []);
  const perm = perms.find((each) => !own.includes(each));
  if (perm !== undefined) return `the ${perm} permission`;
  const scope = scopes.find((each) => !mayUse(caller.principal, each));
  return scope === undefined ? null : `the scope ${scope}`;
}

/** True when the caller, who administers the namespace, may know of the tokens of a principal and end them. */
export function mayAdminister(caller: Caller, principal: Principal): boolean {
  return caller.principal.super_admin || (!principal.super_admin && principal.scopes.every((scope) => mayUse(caller.principal, scope)));
}

/** True when the per-Unit ACL does not bind this caller: the super-admin and admins of the namespace. */
export function bypassesAcl(caller: Caller): boolean {
  return caller.principal.super_admin || permsIn(caller, ALL_SCOPES, []).includes("admin");
}

/** True when the ACL lets the caller read Units of this class: its owner, a group it shares, or a bypass. */
export function aclAllows(caller: Caller, acl: Pick<AccessClass, "owner" | "groups">): boolean {
  return bypassesAcl(caller) || aclNames(caller, acl);
}

/** True when the caller owns Units of this class, or shares a group with it. */
function aclNames(caller: Caller, acl: Pick<AccessClass, "owner" | "groups">): boolean {
  return acl.owner === caller.principal.principal_id || acl.groups.some((group) => caller.principal.groups.includes(group));
}

/** The classes inside the effective scopes: those the caller may read, and those the ACL hides. */
export interface ClassSplit {
  readonly visible: readonly number[];
  readonly hidden: readonly number[];
}

export function splitClasses(caller: Caller, effectiveScopes: readonly string[], classes: readonly AccessClass[]): ClassSplit {
  const scopes = new Set(effectiveScopes);
  const bypasses = bypassesAcl(caller);
  const split = { visible: [] as number[], hidden: [] as number[] };
  for (const acl of classes) {
    if (!scopes.has(acl.scope)) continue;
    (bypasses || aclNames(caller, acl) ? split.visible : split.hidden).push(acl.classId);
  }
  return split;
}

/** All classes of a split. */
export const bothOf = onceFor(({ visible, hidden }: ClassSplit): readonly number[] => [...visible, ...hidden]);

/** Classes in the order in which the engines take them. */
export const ascending = onceFor((classes: readonly number[]): readonly number[] => [...classes].sort((a, b) => a - b));

/** Classes as a set: a namespace may have thousands, and each request asks whether Units are of them. */
export const classesAsSet = onceFor((classes: readonly number[]): ReadonlySet<number> => new Set(classes));

/** The classes whose texts a caller may know: those it owns in every scope it may use, and with `read` all that are visible to it. */
export function knownClasses(caller: Caller, registry: readonly ScopeEntry[], classes: readonly AccessClass[]): number[] {
  const { allowed } = clampScope(caller.principal, ALL_SCOPES, registry);
  const visible = classesAsSet(splitClasses(caller, allowed, classes).visible);
  const reads = permsIn(caller, ALL_SCOPES, registry).includes("read");
  const known = classes.filter(({ classId, owner }) => visible.has(classId) && (reads || owner === caller.principal.principal_id));
  return known.map(({ classId }) => classId);
}

/** The classes of Units that one of these principals owns. */
export function classesOf(owners: ReadonlySet<string>, classes: readonly AccessClass[]): number[] {
  return classes.filter(({ owner }) => owners.has(owner)).map(({ classId }) => classId);
}

// --- hidden_by_acl, as exact as the namespace chooses

/** The count that `coarse` gives for this many and more. */
const MANY = 10;
const UNTOLD = "hidden_by_acl is always 0 here: this namespace does not tell how many Units its access lists hide";

/** Whether there is anything to count. `hidden`: the access classes that the ACL hides. */
export function countsHidden({ namespace }: Caller, hidden: readonly number[]): boolean {
  return hidden.length > 0 && namespace.hidden_count !== "none";
}

/** The count and its warning for the trace. `count` is called only when countsHidden. */
export async function hiddenByAcl(
  caller: Caller,
  hidden: readonly number[],
  count: () => number | Promise<number>,
): Promise<{ hidden_by_acl: number; warnings: string[] }> {
  const told = caller.namespace.hidden_count ?? "exact";
  if (told === "none") return { hidden_by_acl: 0, warnings: [UNTOLD] };
  const exact = countsHidden(caller, hidden) ? await count() : 0;
  return { hidden_by_acl: told === "exact" ? exact : coarse(exact), warnings: [] };
}

/** 0 for none, 1 for fewer than MANY, else MANY. */
function coarse(count: number): number {
  if (count === 0) return 0;
  return count < MANY ? 1 : MANY;
}

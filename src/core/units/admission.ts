/**
 * What may be stored. A batch is judged whole, in this order: what the caller may write (403), what the tier holds (402),
 * and the form of its Units (400: the schema at the edge, then `draftUnits`). The first two read Units as they were sent,
 * whatever their form; a member that cannot be read, since it is of another type, is left to the third.
 */
import { badField, Fault } from "../../base/fault.ts";
import { bypassesAcl, mayWrite } from "../../domain/access.ts";
import { defaultPlane, MODALITIES, type Modality, PLANES, type Plane } from "../../domain/plane.ts";
import type { Caller, Principal } from "../../domain/principal.ts";
import { ALL_SCOPES, DEFAULT_SCOPE, isScopePath, SCOPE_RULE, type ScopeEntry } from "../../domain/scope.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";

/** Errors: `forbidden`, with a pointer, when the caller may not write one of the Units. */
export function checkPermissions(caller: Caller, registry: readonly ScopeEntry[], requestScope: string | null, sent: readonly unknown[]): void {
  for (const [index, unit] of sent.entries()) {
    const pointer = `/units/${index}`;
    const { scope, acl_owner, acl_groups, vector } = membersOf(unit);
    const target = targetScope(caller.principal, requestScope, scope);
    if (typeof target === "string" && isScopePath(target)) checkScope(caller, target, registry, pointer);
    if (typeof acl_owner === "string") checkOwner(caller, acl_owner, pointer);
    if (Array.isArray(acl_groups)) checkGroups(caller, acl_groups, pointer);
    if (vector !== undefined && !bypassesAcl(caller)) {
      throw new Fault("forbidden", "a vector of its own needs the admin permission", { pointer: `${pointer}/vector` });
    }
  }
}

/** Errors: `upgrade_required`, with a pointer, when one of the Units is in a plane that the tier has not. */
export function checkPlanes(tier: Tier, sent: readonly unknown[]): void {
  for (const [index, unit] of sent.entries()) {
    const plane = planeOf(membersOf(unit));
    if (plane === null || TIER_LIMITS[tier].planes.includes(plane)) continue;
    throw new Fault("upgrade_required", `the ${tier} tier has no ${plane} plane`, { pointer: `/units/${index}/plane` });
  }
}

/**
 * The scope to write to: that of the request, else the Unit's own, else the caller's active one; `*` stands for
 * DEFAULT_SCOPE. Errors: `bad_request` for what is no scope.
 */
export function scopeOf(principal: Principal, requestScope: string | null, ownScope: string | undefined, pointer: string): string {
  const target = targetScope(principal, requestScope, ownScope);
  if (typeof target !== "string" || !isScopePath(target)) throw badField(`${pointer}/scope`, `must be ${SCOPE_RULE}`);
  return target;
}

/** As scopeOf, for a caller who may write there. Errors: `bad_request`, `forbidden`. */
export function writableScope(
  caller: Caller,
  requestScope: string | null,
  ownScope: string | undefined,
  registry: readonly ScopeEntry[],
  pointer: string,
): string {
  const scope = scopeOf(caller.principal, requestScope, ownScope, pointer);
  checkScope(caller, scope, registry, pointer);
  return scope;
}

/** Errors: `forbidden` for a group that the caller is not in, unless it is an admin. */
export function checkGroups(caller: Caller, groups: readonly unknown[], pointer: string): void {
  const foreign = groups.findIndex((group) => typeof group === "string" && !caller.principal.groups.includes(group));
  if (foreign < 0 || bypassesAcl(caller)) return;
  throw new Fault("forbidden", "a group that you are not in needs the admin permission", { pointer: `${pointer}/acl_groups/${foreign}` });
}

function checkScope(caller: Caller, scope: string, registry: readonly ScopeEntry[], pointer: string): void {
  if (!mayWrite(caller, scope, registry)) throw new Fault("forbidden", "you may not write to this scope", { pointer: `${pointer}/scope` });
}

function checkOwner(caller: Caller, owner: string, pointer: string): void {
  if (owner === caller.principal.principal_id || bypassesAcl(caller)) return;
  throw new Fault("forbidden", "another owner than yourself needs the admin permission", { pointer: `${pointer}/acl_owner` });
}

function targetScope(principal: Principal, requestScope: string | null, ownScope: unknown): unknown {
  const named = requestScope !== null && requestScope !== ALL_SCOPES ? requestScope : ownScope === undefined ? principal.active_scope : ownScope;
  return named === ALL_SCOPES ? DEFAULT_SCOPE : named;
}

function membersOf(sent: unknown): Record<string, unknown> {
  return typeof sent === "object" && sent !== null ? (sent as Record<string, unknown>) : {};
}

/** Null when it cannot be read. */
function planeOf({ plane, modality }: Record<string, unknown>): Plane | null {
  if (plane !== undefined) return PLANES.find((one) => one === plane) ?? null;
  return MODALITIES.includes(modality as Modality) ? defaultPlane(modality as Modality) : null;
}

/** What one request may do and see: resolved once, passed down. */
import { VIEWS_MAX_ITEMS } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";
import { type AccessClass, clampScope, type ClassSplit, permsIn, type ScopeClamp, splitClasses } from "../../domain/access.ts";
import type { Caller, Perm } from "../../domain/principal.ts";
import type { ScopeEntry } from "../../domain/scope.ts";
import type { Tenant } from "../tenant.ts";

/** The resolved enforcement context, as every data route reports it. */
export interface EnforcementContext {
  principal: { principal_id: string; namespace: string; read_only: boolean; groups: string[] };
  active_scope: string;
  requested_scope: string;
  effective_scopes: readonly string[];
  allowed_scopes: readonly string[];
  perms: readonly Perm[];
  folders_visible: number;
  folders_total: number;
}

export interface View {
  readonly caller: Caller;
  /** The stores and indexes of the caller's namespace. */
  readonly tenant: Tenant;
  /** The scope that the request names; null: none. */
  readonly scope: string | null;
  /** The same, or without one the caller's active scope. */
  readonly requested: string;
  /** Registered scopes that the caller may use, sorted. */
  readonly allowed: readonly string[];
  /** Those of them that the request runs against. */
  readonly effective: readonly string[];
  readonly registry: readonly ScopeEntry[];
  /** Permissions of the caller in the requested scope. */
  readonly perms: readonly Perm[];
  /** Access classes inside the effective scopes: those that the caller may read, and those that the ACL hides. */
  readonly classes: ClassSplit;
  /** How responses show it. */
  readonly context: EnforcementContext;
  /** A view of the same request by the current scopes and access classes, for work that took long. */
  renewed(): Promise<View>;
}

/** `scope` null: the caller's active scope. */
export async function resolveView(tenant: Tenant, caller: Caller, scope: string | null): Promise<View> {
  return viewOf(tenant, caller, scope, await readAccess(tenant));
}

/** What follows from who asks for which scope, by the scopes and classes that there are. */
interface Resolved {
  clamp: ScopeClamp;
  /** Split on first use, since operations that only write need none. */
  classes: ClassSplit | null;
}

/** The lists are the same arrays until something changes. */
const resolvedBy = new WeakMap<readonly AccessClass[], { registry: readonly ScopeEntry[]; callers: LruMap<string, Resolved> }>();

function resolved({ principal, credential, namespace: { tier } }: Caller, scope: string | null, [registry, all]: AccessLists): Resolved {
  let known = resolvedBy.get(all);
  if (known?.registry !== registry) known = { registry, callers: new LruMap(VIEWS_MAX_ITEMS, () => 1 + registry.length + all.length) };
  resolvedBy.set(all, known);
  const key = JSON.stringify([principal, credential, tier, scope]);
  const found = known.callers.get(key) ?? { clamp: clampScope(principal, scope, registry), classes: null };
  known.callers.set(key, found);
  return found;
}

type AccessLists = readonly [registry: readonly ScopeEntry[], classes: readonly AccessClass[]];

function readAccess({ reader: { access } }: Tenant): Promise<AccessLists> {
  return Promise.all([access.scopes(), access.classes()]);
}

function viewOf(tenant: Tenant, caller: Caller, scope: string | null, lists: AccessLists): View {
  const [registry, all] = lists;
  const known = resolved(caller, scope, lists);
  const { clamp } = known;
  const view: View = {
    caller,
    tenant,
    scope,
    requested: clamp.requested,
    allowed: clamp.allowed,
    effective: clamp.effective,
    registry,
    perms: permsIn(caller, clamp.requested, registry),
    get classes() {
      known.classes ??= splitClasses(caller, clamp.effective, all);
      return known.classes;
    },
    // The store lists the same arrays until something changes: the view is then still the right one.
    async renewed() {
      const current = await readAccess(tenant);
      return current[0] === registry && current[1] === all ? view : viewOf(tenant, caller, scope, current);
    },
    get context() {
      return contextOf(view);
    },
  };
  return view;
}

function contextOf({ caller, requested, effective, allowed, perms, registry }: Omit<View, "context">): EnforcementContext {
  const { principal_id, read_only, groups, active_scope } = caller.principal;
  return {
    principal: { principal_id, namespace: caller.namespace.namespace, read_only, groups },
    active_scope,
    requested_scope: requested,
    effective_scopes: effective,
    allowed_scopes: allowed,
    perms,
    folders_visible: allowed.length,
    folders_total: registry.length,
  };
}

import type { Perm } from "../../domain/principal.ts";
import { AUTHENTICATED, type Call, operation } from "../operation.ts";
import { Context } from "../schema.ts";
import type { View } from "./view.ts";

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

export function contextOf({ caller, requested, effective, allowed, perms, registry }: View): EnforcementContext {
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

export const getContext = operation({
  name: "context",
  summary: "The resolved enforcement context",
  action: "context",
  access: AUTHENTICATED,
  input: null,
  output: Context,
  run: async ({ view }: Call<unknown>) => contextOf(view),
});

/** Removing a scope. Scopes are registered by what is stored in them (core/units/ingest.ts, core/files/files.ts). */
import { Fault } from "../../base/fault.ts";
import type { ScopeClamp } from "../../domain/access.ts";
import type { Caller } from "../../domain/principal.ts";
import type { Tenant } from "../tenant.ts";

export const NO_SCOPE = "no such scope";

/**
 * Removes an empty scope, with its audit row. Errors: `not_found`, the same for an unknown scope and for one that the
 * caller may not use; `conflict` while anything lies in it.
 */
export async function removeScope(tenant: Tenant, caller: Caller, { allowed }: ScopeClamp, scope: string): Promise<void> {
  if (!allowed.includes(scope)) throw new Fault("not_found", NO_SCOPE);
  const { catalog, ledger, writer } = tenant;
  await writer.submit(1, () => {
    const registered = catalog.registry().some((entry) => entry.scope === scope);
    if (!registered) throw new Fault("not_found", NO_SCOPE);
    const content = catalog.contentOf(scope);
    if (content !== null) throw new Fault("conflict", `there are ${content} in this scope; remove them first`);
    catalog.removeScope(scope);
    const { principal_id } = caller.principal;
    ledger.appendIn({ principal_id, action: "scope.delete", outcome: "ok", scope, target: scope, detail: {} });
    return { value: null, changed: [] };
  });
}

import { Type } from "@sinclair/typebox";
import { Fault } from "../../base/fault.ts";
import { SCOPE_RULE } from "../../domain/scope.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import { ADMINISTER, type Call, operation } from "../operation.ts";
import { Removed } from "../schema.ts";
import { commit } from "../tenant.ts";

export const NO_SCOPE = "no such scope";

/**
 * Removes an empty scope, with its audit row. Scopes are registered by what is stored in them. Errors: `not_found`, the
 * same for an unknown scope and for one that the caller may not use; `conflict` while anything lies in it.
 */
export const removeScope = operation({
  name: "removeScope",
  summary: "Removes an empty scope",
  action: "scope.delete",
  access: ADMINISTER,
  input: Type.Object({ path: Type.String({ description: `Scope path: ${SCOPE_RULE}. Slashes may stand as they are.` }) }),
  faults: ["conflict"],
  output: Removed,
  async run({ view, input: { path } }: Call<{ path: string }>) {
    if (!view.allowed.includes(path)) throw new Fault("not_found", NO_SCOPE);
    const work = async ({ access, ledger }: NamespaceTransactor) => {
      const registered = (await access.scopes()).some((entry) => entry.scope === path);
      if (!registered) throw new Fault("not_found", NO_SCOPE);
      const content = await access.contentOf(path);
      if (content !== null) throw new Fault("conflict", `there are ${content} in this scope; remove them first`);
      await access.remove(path);
      const { principal_id } = view.caller.principal;
      await ledger.append({ principal_id, action: "scope.delete", outcome: "ok", scope: path, target: path, detail: {} });
    };
    await commit(view.tenant, work, { bytes: 1 });
    return { removed: 1 };
  },
});

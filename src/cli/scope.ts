/** Changing what may be done in a scope, with a row in the audit chain of its namespace. */
import { StartError } from "../base/fault.ts";
import { isScopePath, SCOPE_RULE } from "../domain/scope.ts";
import { TIER_LIMITS } from "../domain/tier.ts";
import { withData, withStore } from "../app/data.ts";
import { defineCommand, EXIT, UsageError, value } from "./command.ts";
import { configOf, DATA, DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, oneOf } from "./flags.ts";
import { json } from "./format.ts";

const AGENTS = ["read", "write"] as const;

export const scopeSet = defineCommand({
  purpose:
    "Says whether callers with an API token who are no admins may write in a scope and all below it, or only read. A scope that \
is not there yet is made. The server must not be running.",
  operands: [{ name: "SCOPE", help: "path of the scope" }],
  flags: {
    agents: value("MAY", "what they may do in it", { choices: AGENTS }),
    namespace: NAMESPACE_FLAG,
    ...DATA,
    ...JSON_OUTPUT,
  },
  examples: [
    ["let agents read manuals and change none", "strata scope set plant/manuals --agents read --namespace acme"],
    ["let them write again", "strata scope set plant/manuals --agents write --namespace acme"],
  ],
  async run({ io, env }, flags, [scope = ""]) {
    if (!isScopePath(scope)) throw new UsageError(`SCOPE must be ${SCOPE_RULE}; it is "${scope}"`);
    if (flags.agents === undefined) throw new UsageError("nothing to set: name --agents");
    const agents = oneOf("agents", flags.agents, AGENTS);
    const name = namespaceOf(flags.namespace ?? DEFAULT_NAMESPACE);
    const { data: path } = configOf({ data: flags.data }, env);
    await withData(path, { alone: true }, async (data) => {
      const namespace = data.tables.namespace(name);
      if (namespace === null) throw new StartError(`no namespace ${name} in ${data.root}; strata namespace list shows them`);
      const event = { principal_id: "operator", action: "scope.set", outcome: "ok", scope, target: scope, detail: { agents } } as const;
      await withStore(data, name, (store) =>
        store.transact(async (tx) => {
          await tx.access.register(scope, TIER_LIMITS[namespace.tier].planes);
          const entry = (await tx.access.scopes()).find((one) => one.scope === scope);
          if (entry !== undefined) await tx.access.put({ ...entry, read_only_agents: agents === "read" });
          await tx.ledger.append(event);
        }),
      );
    });
    if (flags.json) io.stdout.write(json({ namespace: name, scope, read_only_agents: agents === "read" }));
    else io.stderr.write(`scope ${scope} of namespace ${name}: agents may ${agents === "read" ? "only read" : "read and write"}\n`);
    return EXIT.done;
  },
});

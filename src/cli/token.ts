/** Listing and revoking API tokens. Neither ever sees a secret. */
import { StartError } from "../base/fault.ts";
import type { TokenInfo } from "../store/directory.ts";
import { defineCommand, EXIT } from "./command.ts";
import { withData } from "./data.ts";
import { configOf, DATA, DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf } from "./flags.ts";
import { counted, json, table } from "./format.ts";

export const tokenList = defineCommand({
  purpose:
    "Lists the API tokens of a data directory, revoked ones too. Secrets are kept as hashes and cannot be shown. The server must not be running.",
  operands: [],
  flags: {
    namespace: {
      ...NAMESPACE_FLAG,
      help: "only this namespace",
      default: "all",
    },
    ...DATA,
    ...JSON_OUTPUT,
  },
  examples: [
    { about: "all tokens", call: "strata token list" },
    {
      about: "those of one namespace, as JSON",
      call: "strata token list --namespace main --json",
    },
  ],
  async run({ io, env }, flags) {
    const only = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const { data: path } = configOf({ data: flags.data }, env);
    const all = await withData(path, { alone: true }, ({ directory }) => directory.tokens());
    const tokens = all.filter(({ namespace }) => only === null || namespace === only);
    io.stdout.write(flags.json ? json({ tokens }) : tokensText(tokens));
    return EXIT.done;
  },
});

function tokensText(tokens: readonly TokenInfo[]): string {
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
  const state = ({ revoked_at, seeded }: TokenInfo) => (revoked_at !== null ? `revoked ${time(revoked_at)}` : seeded ? "live, published" : "live");
  return table(
    ["NAME", "NAMESPACE", "PRINCIPAL", "CREATED (UTC)", "STATE"],
    tokens.map((token) => [token.name, token.namespace, token.principal_id, time(token.created_at), state(token)]),
  );
}

export const tokenRevoke = defineCommand({
  purpose: "Ends the live token of this name, and the console sessions opened with it. The principal stays. The server must not be running.",
  operands: [{ name: "NAME", help: "name of the token" }],
  flags: { namespace: NAMESPACE_FLAG, ...DATA },
  examples: [
    {
      about: "a token of namespace main",
      call: "strata token revoke agent-1 --namespace main",
    },
    {
      about: "a published token of the demo",
      call: "strata token revoke demo_admin",
    },
  ],
  async run({ io, env }, flags, [name = ""]) {
    const namespace = namespaceOf(flags.namespace ?? DEFAULT_NAMESPACE);
    const { data: path } = configOf({ data: flags.data }, env);
    const revoked = await withData(path, { alone: true }, ({ directory }) => directory.revokeToken(namespace, name));
    if (revoked === 0) throw new StartError(`no live token ${name} in namespace ${namespace}; strata token list shows them`);
    io.stderr.write(`${counted(revoked, "token")} revoked\n`);
    return EXIT.done;
  },
});

/** Listing and revoking API tokens. Neither ever sees a secret. */
import { StartError } from "../base/fault.ts";
import type { TokenView } from "../core/tokens/tokens.ts";
import { defineCommand, EXIT } from "./command.ts";
import { DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, TARGET, targetOf } from "./flags.ts";
import { counted, json, table } from "./format.ts";
import { operatorOf, withLocalTokens, withRemoteTokens } from "./token-store.ts";

type Listed = Pick<TokenView, "id" | "name" | "namespace" | "principal_id" | "seeded" | "created_at" | "revoked_at">;

export const tokenList = defineCommand({
  purpose:
    "Lists the API tokens of a data directory that no server holds, or of a namespace of a running server, revoked ones too. Secrets are kept as \
hashes and cannot be shown. Each listing is an entry of the audit chain.",
  operands: [],
  flags: {
    namespace: {
      ...NAMESPACE_FLAG,
      help: "only this namespace; of a server, another than the token's is for the super-admin",
      default: "all; with --url, the token's",
    },
    ...TARGET,
    ...JSON_OUTPUT,
  },
  examples: [
    ["all tokens", "strata token list"],
    ["those of a running server, as its admin", "strata token list --url http://127.0.0.1:4700 --token-file token.txt --json"],
  ],
  async run(context, flags) {
    const only = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const target = targetOf(flags, context.env);
    const tokens =
      target.kind === "data"
        ? await listLocal(target.path, only)
        : await withRemoteTokens(context, target, only, async (backend) => ((await backend.call("tokens", {})) as { tokens: Listed[] }).tokens);
    context.io.stdout.write(flags.json ? json({ tokens }) : tokensText(tokens));
    return EXIT.done;
  },
});

async function listLocal(path: string, only: string | null): Promise<Listed[]> {
  const { listTokens } = await import("../core/tokens/tokens.ts");
  return withLocalTokens(path, {}, async ({ directory, of }) => {
    const names = only === null ? (await directory.namespaces()).map(({ namespace }) => namespace) : [only];
    const listed: Listed[] = [];
    for (const name of names) listed.push(...(await listTokens(of(name), await operatorOf(directory, name))));
    return listed;
  });
}

function tokensText(tokens: readonly Listed[]): string {
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
  const state = ({ revoked_at, seeded }: Listed) => (revoked_at !== null ? `revoked ${time(revoked_at)}` : seeded ? "live, published" : "live");
  return table(
    ["NAME", "NAMESPACE", "PRINCIPAL", "CREATED (UTC)", "STATE"],
    tokens.map((token) => [token.name, token.namespace, token.principal_id, time(token.created_at), state(token)]),
  );
}

export const tokenRevoke = defineCommand({
  purpose:
    "Ends the live token of this name, and the console sessions opened with it, in a data directory that no server holds or on a running server. \
The principal stays. Seeding does not bring it back.",
  operands: [{ name: "NAME", help: "name of the token, or its id as token list --json shows it" }],
  flags: { namespace: { ...NAMESPACE_FLAG, default: `${DEFAULT_NAMESPACE}; with --url, the token's` }, ...TARGET, ...JSON_OUTPUT },
  examples: [
    ["a token of namespace main", "strata token revoke agent-1 --namespace main"],
    ["a published token of the demo, while the server runs", "strata token revoke demo_admin --url http://127.0.0.1:4700 --token-file token.txt"],
  ],
  async run(context, flags, [name = ""]) {
    const target = targetOf(flags, context.env);
    const given = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const revoked =
      target.kind === "data"
        ? await revokeLocal(target.path, given ?? DEFAULT_NAMESPACE, name)
        : await withRemoteTokens(context, target, given, async (backend) => {
            const { tokens } = (await backend.call("tokens", {})) as { tokens: Listed[] };
            const meant = named(tokens, name, given);
            for (const { id } of meant) await backend.call("revokeToken", { input: { id } });
            return meant.length;
          });
    if (flags.json) context.io.stdout.write(json({ revoked }));
    else context.io.stderr.write(`${counted(revoked, "token")} revoked\n`);
    return EXIT.done;
  },
});

async function revokeLocal(path: string, namespace: string, name: string): Promise<number> {
  const { revokeToken } = await import("../core/tokens/tokens.ts");
  return withLocalTokens(path, {}, async ({ directory, of }) => {
    const meant = named(await directory.tokens(namespace), name, namespace);
    for (const { id } of meant) await revokeToken(of(namespace), await operatorOf(directory, namespace), id);
    return meant.length;
  });
}

/** The live tokens of this name or id. Errors: StartError when there is none. */
function named<T extends Pick<Listed, "id" | "name" | "revoked_at">>(tokens: readonly T[], name: string, namespace: string | null): T[] {
  const meant = tokens.filter((token) => token.revoked_at === null && (token.name === name || token.id === name));
  const where = namespace === null ? "the token's namespace" : `namespace ${namespace}`;
  if (meant.length === 0) throw new StartError(`no live token ${name} in ${where}; strata token list shows them`);
  return meant;
}

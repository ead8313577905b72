/** Making API tokens, on a data directory or a running server. */
import type { DirectoryTransactor } from "../domain/port/directory.ts";
import { StartError } from "../base/fault.ts";
import { GRANTS_MAX, GROUPS_MAX } from "../base/limits.ts";
import type { TokenRequest } from "../core/tokens/tokens.ts";
import { IDENTIFIER_RULE, isIdentifier, operatorIn, PERMS, type Perm, type PrincipalFields } from "../domain/principal.ts";
import { ALL_SCOPES, isScopePath, SCOPE_RULE } from "../domain/scope.ts";
import { TIERS, type Tier } from "../domain/tier.ts";
import { type Context, defineCommand, EXIT, type FlagValues, UsageError, toggle, value } from "./command.ts";
import { DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, oneOf, TARGET, type Target, targetOf } from "./flags.ts";
import { json } from "./format.ts";
import { recordingDenial, withLocalTokens, withRemoteTokens } from "./token-store.ts";

interface Plan extends TokenRequest {
  /** Null: the default of a data directory, the token's own of a server. */
  namespace: string | null;
  tier: Tier | null;
  update: boolean;
  super_admin: boolean;
}

/** What was made, for the operator: the secret, and a line each. */
interface Made {
  secret: string;
  namespace: string;
  lines: string[];
}

/** What a new principal may do. */
const PRINCIPAL = {
  perms: value("LIST", `permissions of a new principal: ${PERMS.join(",")}`, { default: "read" }),
  scopes: value("LIST", "scopes that a new principal may use, each with all below it", { default: ALL_SCOPES }),
  "active-scope": value("SCOPE", "scope of requests that name none", { default: "the one of --scopes, else *" }),
  groups: value("LIST", "groups whose Units a new principal may read"),
  "read-only": toggle("keep a new principal to reading, whatever its permissions"),
};

export const tokenCreate = defineCommand({
  purpose:
    "Makes an API token and prints its secret once, alone on stdout. A principal that does not exist is made with it, and with --tier the \
namespace too. On a running server (--url) an admin makes tokens of its own namespace, with no more than it has itself. The admin permission \
exists on the enterprise tier. A super-admin reaches every namespace: it is made with --super, on the data directory alone.",
  operands: [
    {
      name: "NAME",
      help: "name of the token, by which it is listed and revoked",
    },
  ],
  flags: {
    principal: value("ID", "principal that the token stands for (required, but with --super)", { default: "with --super, NAME" }),
    namespace: { ...NAMESPACE_FLAG, default: `${DEFAULT_NAMESPACE}; with --url, the token's` },
    tier: value("TIER", "make the namespace with this tier", { choices: TIERS }),
    ...PRINCIPAL,
    update: toggle("let the flags change a principal, or the tier of a namespace, that exists"),
    super: toggle("make a super-admin's token: every permission, in every namespace"),
    ...TARGET,
    ...JSON_OUTPUT,
  },
  examples: [
    [
      "the first admin of a deployment of your own",
      "strata token create admin --principal admin --namespace main --tier enterprise --perms read,write,admin",
    ],
    [
      "an agent that reads one scope and the Units of one group, while the server runs",
      "strata token create agent-1 --principal agent --scopes office/minutes --groups staff --url http://127.0.0.1:4700 --token-file token.txt",
    ],
  ],
  async run(context, flags, [name = ""]) {
    const principal = flags.principal ?? (flags.super ? name : undefined);
    if (principal === undefined) throw new UsageError("--principal ID is missing: whom does the token stand for?");
    const plan: Plan = {
      name: identifier("NAME", name),
      namespace: flags.namespace === undefined ? null : namespaceOf(flags.namespace),
      principal_id: identifier(flags.principal === undefined ? "NAME" : "--principal", principal),
      tier: flags.tier === undefined ? null : oneOf("tier", flags.tier, TIERS),
      fields: fieldsOf(flags),
      update: flags.update,
      super_admin: flags.super,
    };
    if (plan.super_admin && (plan.update || Object.keys(plan.fields).length > 0)) {
      throw new UsageError("--super goes with --principal, --namespace and --tier alone: a super-admin has everything");
    }
    const { secret, namespace, lines } = await make(context, targetOf(flags, context.env), plan);
    const { principal_id } = plan;
    context.io.stdout.write(flags.json ? json({ token: secret, name, namespace, principal_id }) : `${secret}\n`);
    for (const line of [...lines, "the secret is shown this once and kept as a hash only"]) context.io.stderr.write(`${line}\n`);
    return EXIT.done;
  },
});

function make(context: Context, target: Target, plan: Plan): Promise<Made> {
  if (target.kind === "data") return makeLocal(target.path, plan);
  if (plan.tier !== null || plan.update || plan.super_admin) throw new UsageError("--tier, --update and --super work on the data directory alone");
  const { name, principal_id, fields } = plan;
  return withRemoteTokens(context, target, plan.namespace, async (backend) => {
    const made = (await backend.call("createToken", { input: { name, principal_id, ...fields } })) as { token: string; namespace: string };
    return { secret: made.token, namespace: made.namespace, lines: [madeLine(plan, made.namespace)] };
  });
}

function madeLine({ name, principal_id }: Plan, namespace: string): string {
  return `token ${name} of ${principal_id} in namespace ${namespace} is made`;
}

/** Everything in one transaction: a token that cannot be made leaves no principal and no namespace behind. */
async function makeLocal(path: string, plan: Plan): Promise<Made> {
  const { createTokenIn, differences } = await import("../core/tokens/tokens.ts");
  const { principal_id, fields } = plan;
  const namespace = plan.namespace ?? DEFAULT_NAMESPACE;
  return withLocalTokens(path, { create: true, alone: plan.super_admin }, (tokens) => {
    const work = async (directory: DirectoryTransactor) => {
      const spaceLine = await putNamespace(directory, namespace, plan);
      const before = await directory.principal(namespace, principal_id);
      const caller = operatorIn({ namespace, tier: (await directory.namespace(namespace))?.tier ?? "free" });
      const { secret } = await createTokenIn(directory, tokens.of(namespace).record, caller, plan, plan);
      const other = before === null ? [] : differences(before, fields);
      const principalLine = before === null ? `principal ${principal_id} is made` : `principal ${principal_id} has other ${other.join(", ")} now`;
      const lines = [spaceLine, before === null || other.length > 0 ? principalLine : null, madeLine(plan, namespace)];
      return { secret, namespace, lines: lines.filter((line) => line !== null) };
    };
    return recordingDenial(tokens, namespace, "token.create", () => tokens.directory.transact(work));
  });
}

function fieldsOf(flags: FlagValues<typeof PRINCIPAL>): PrincipalFields {
  return {
    ...(flags.perms === undefined ? {} : { perms: permsOf(flags.perms) }),
    ...(flags.scopes === undefined ? {} : { scopes: scopesOf(flags.scopes) }),
    ...(flags["active-scope"] === undefined ? {} : { active_scope: scopePath("--active-scope", flags["active-scope"]) }),
    ...(flags.groups === undefined ? {} : { groups: groupsOf(flags.groups) }),
    ...(flags["read-only"] ? { read_only: true } : {}),
  };
}

/** In the order of PERMS, each once. */
function permsOf(text: string): Perm[] {
  const asked = listOf(text).map((perm) => oneOf("perms", perm, PERMS));
  return PERMS.filter((perm) => asked.includes(perm));
}

function scopesOf(text: string): string[] {
  const scopes = [...new Set(listOf(text).map((scope) => scopePath("--scopes", scope)))];
  if (scopes.length > GRANTS_MAX) throw new UsageError(`--scopes takes at most ${GRANTS_MAX}`);
  return scopes;
}

function groupsOf(text: string): string[] {
  const groups = [...new Set(listOf(text).map((group) => identifier("--groups", group)))].sort();
  if (groups.length > GROUPS_MAX) throw new UsageError(`--groups takes at most ${GROUPS_MAX}`);
  return groups;
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function scopePath(flag: string, scope: string): string {
  if (scope !== ALL_SCOPES && !isScopePath(scope)) throw new UsageError(`${flag} takes ${SCOPE_RULE}, or *; "${scope}" is neither`);
  return scope;
}

function identifier(what: string, text: string): string {
  if (!isIdentifier(text)) throw new UsageError(`${what} takes ${IDENTIFIER_RULE}; "${text}" does not fit`);
  return text;
}

async function putNamespace(directory: DirectoryTransactor, namespace: string, { tier, update }: Plan): Promise<string | null> {
  const known = await directory.namespace(namespace);
  if (known === null && tier === null) throw new StartError(`no namespace ${namespace}; --tier ${TIERS.join("|")} makes it`);
  if (tier === null || known?.tier === tier) return null;
  if (known !== null && !update) throw new StartError(`namespace ${namespace} has the ${known.tier} tier; --update changes it`);
  await directory.putNamespace(namespace, tier);
  return known === null ? `namespace ${namespace} is made with the ${tier} tier` : `namespace ${namespace} has the ${tier} tier now`;
}

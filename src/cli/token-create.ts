import { StartError } from "../base/fault.ts";
import { GROUPS_MAX, ID_MAX_CHARS } from "../base/limits.ts";
import { PERMS, type Perm, type Principal } from "../domain/principal.ts";
import { ALL_SCOPES, isScopePath, SCOPE_RULE } from "../domain/scope.ts";
import { TIERS, type Tier } from "../domain/tier.ts";
import type { Directory } from "../store/directory.ts";
import { defineCommand, EXIT, UsageError } from "./command.ts";
import { withData } from "./data.ts";
import { configOf, DATA, DEFAULT_NAMESPACE, NAMESPACE_FLAG, namespaceOf, oneOf } from "./flags.ts";

/** What the flags say about the principal; undefined where they say nothing. */
type PrincipalChanges = Partial<Pick<Principal, "perms" | "scopes" | "active_scope" | "groups" | "read_only">>;

interface Plan {
  name: string;
  namespace: string;
  principal_id: string;
  tier: Tier | null;
  changes: PrincipalChanges;
  update: boolean;
}

export const tokenCreate = defineCommand({
  purpose:
    "Makes an API token and prints its secret once, alone on stdout. A principal that does not exist is made with it, and with --tier the \
namespace too. The server must not be running. The admin permission exists on the enterprise tier.",
  operands: [
    {
      name: "NAME",
      help: "name of the token, by which it is listed and revoked",
    },
  ],
  flags: {
    principal: {
      kind: "value",
      placeholder: "ID",
      help: "principal that the token stands for (required)",
    },
    namespace: NAMESPACE_FLAG,
    tier: {
      kind: "value",
      placeholder: "TIER",
      help: `make the namespace with this tier: ${TIERS.join(", ")}`,
    },
    perms: {
      kind: "value",
      placeholder: "LIST",
      help: `permissions of a new principal: ${PERMS.join(",")}`,
      default: "read",
    },
    scopes: {
      kind: "value",
      placeholder: "LIST",
      help: "scopes that a new principal may use, each with all below it",
      default: ALL_SCOPES,
    },
    "active-scope": {
      kind: "value",
      placeholder: "SCOPE",
      help: "scope of requests that name none",
      default: "the one of --scopes, else *",
    },
    groups: {
      kind: "value",
      placeholder: "LIST",
      help: "groups whose Units a new principal may read",
    },
    "read-only": {
      kind: "switch",
      help: "keep a new principal to reading, whatever its permissions",
    },
    update: {
      kind: "switch",
      help: "let the flags change a principal, or the tier of a namespace, that exists",
    },
    ...DATA,
  },
  examples: [
    {
      about: "the first admin of a deployment of your own",
      call: "strata token create admin --principal admin --namespace main --tier enterprise --perms read,write,admin",
    },
    {
      about: "an agent that reads one scope and the Units of one group",
      call: "strata token create agent-1 --principal agent --namespace main --scopes office/minutes --groups staff",
    },
  ],
  async run({ io, env }, flags, [name = ""]) {
    if (flags.principal === undefined) throw new UsageError("--principal ID is missing: whom does the token stand for?");
    const plan: Plan = {
      name: identifier("NAME", name),
      namespace: namespaceOf(flags.namespace ?? DEFAULT_NAMESPACE),
      principal_id: identifier("--principal", flags.principal),
      tier: flags.tier === undefined ? null : oneOf("tier", flags.tier, TIERS),
      changes: changesOf(flags),
      update: flags.update,
    };
    const { data: path } = configOf({ data: flags.data }, env);
    const { secret, made } = await withData(path, { create: true, alone: true }, ({ directory }) =>
      directory.transact(() => create(directory, plan)),
    );
    io.stdout.write(`${secret}\n`);
    for (const line of made) io.stderr.write(`${line}\n`);
    io.stderr.write("the secret is shown this once and kept as a hash only\n");
    return EXIT.done;
  },
});

interface PrincipalFlags {
  perms: string | undefined;
  scopes: string | undefined;
  "active-scope": string | undefined;
  groups: string | undefined;
  "read-only": boolean;
}

function changesOf(flags: PrincipalFlags): PrincipalChanges {
  return {
    ...(flags.perms === undefined ? {} : { perms: permsOf(flags.perms) }),
    ...(flags.scopes === undefined
      ? {}
      : {
          scopes: listOf(flags.scopes).map((scope) => scopePath("--scopes", scope)),
        }),
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

/** A name as it may stand in Units, logs and audit rows: printable, without spaces around it. */
function identifier(what: string, text: string): string {
  const fits = text.length <= ID_MAX_CHARS && /^[\p{L}\p{N}][\p{L}\p{N}._@:+-]*$/u.test(text);
  if (!fits)
    throw new UsageError(`${what} takes 1-${ID_MAX_CHARS} letters, digits or any of . _ @ : + -, a letter or digit first; "${text}" does not fit`);
  return text;
}

/** Everything in the caller's transaction: a token that cannot be made leaves no principal behind. */
function create(directory: Directory, plan: Plan): { secret: string; made: string[] } {
  const { name, namespace, principal_id } = plan;
  const made = [putNamespace(directory, plan), putPrincipal(directory, plan)].filter((line) => line !== null);
  const secret = directory.createToken({ name, namespace, principal_id });
  return {
    secret,
    made: [...made, `token ${name} of ${principal_id} in namespace ${namespace} is made`],
  };
}

function putNamespace(directory: Directory, { namespace, tier, update }: Plan): string | null {
  const known = directory.namespace(namespace);
  if (known === null && tier === null) throw new StartError(`no namespace ${namespace}; --tier ${TIERS.join("|")} makes it`);
  if (tier === null || known?.tier === tier) return null;
  if (known !== null && !update) throw new StartError(`namespace ${namespace} has the ${known.tier} tier; --update changes it`);
  directory.putNamespace(namespace, tier);
  return known === null ? `namespace ${namespace} is made with the ${tier} tier` : `namespace ${namespace} has the ${tier} tier now`;
}

function putPrincipal(directory: Directory, { namespace, principal_id, changes, update }: Plan): string | null {
  const known = directory.principal(namespace, principal_id);
  if (known === null) {
    directory.putPrincipal(newPrincipal(namespace, principal_id, changes));
    return `principal ${principal_id} is made`;
  }
  const changed = Object.entries(changes).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key as keyof Principal]));
  if (changed.length === 0) return null;
  const names = changed.map(([key]) => key).join(", ");
  if (!update) throw new StartError(`principal ${principal_id} exists with other ${names}; --update changes it, for all its tokens`);
  directory.putPrincipal({ ...known, ...changes });
  return `principal ${principal_id} has other ${names} now`;
}

function newPrincipal(namespace: string, principal_id: string, changes: PrincipalChanges): Principal {
  const scopes = changes.scopes ?? [ALL_SCOPES];
  const [only = ALL_SCOPES] = scopes;
  return {
    namespace,
    principal_id,
    perms: changes.perms ?? ["read"],
    scopes,
    active_scope: changes.active_scope ?? (scopes.length === 1 ? only : ALL_SCOPES),
    groups: changes.groups ?? [],
    read_only: changes.read_only ?? false,
    super_admin: false,
  };
}

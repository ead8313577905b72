/**
 * API tokens: made, listed and revoked, over HTTP and on a data directory alike. Nobody makes a token that may do more
 * than its maker, and a super-admin's is made on the data directory alone. Each act has its row in the audit chain of the
 * namespace, durable before the act itself.
 */
import { Fault } from "../../base/fault.ts";
import { excessOf, mayAdminister } from "../../domain/access.ts";
import type { AuditAction, AuditDetail, AuditEvent } from "../../domain/audit.ts";
import { type Caller, type Namespace, newPrincipal, type Principal, type PrincipalFields, superAdmin } from "../../domain/principal.ts";
import type { Directory, DirectoryReader, DirectoryTransactor, TokenInfo } from "../../domain/port/directory.ts";
import type { NamespaceStore } from "../../domain/port/store.ts";
import type { View } from "../access/view.ts";
import { append } from "../audit/record.ts";
import { DEMO_NAMESPACE, SEED_PRINCIPALS } from "../demo/principals.ts";

export const NO_TOKEN = "no such token";

/** A token to make. A principal that exists is used as it is: `fields` may say nothing else of it. */
export interface TokenRequest {
  name: string;
  principal_id: string;
  fields: PrincipalFields;
}

/** What the operator of a data directory may ask for beside, and nobody else. */
export interface OperatorOptions {
  /** Lets `fields` change a principal that exists, for all its tokens. */
  update: boolean;
  super_admin: boolean;
}

const NOT_OPERATOR: OperatorOptions = { update: false, super_admin: false };

/** A token as it is shown, with its principal's rights; its secret is never among it. */
export interface TokenView extends TokenInfo, Pick<Principal, "perms" | "scopes" | "groups" | "read_only"> {}

/** Where tokens are kept, and what writes an event of their namespace down, durably, before it returns. */
export interface TokenOptions {
  directory: Directory;
  record: (event: AuditEvent) => Promise<void>;
}

/** Writes an event to a chain before what it tells of. Errors: `unavailable`. */
export function recordIn(store: NamespaceStore): TokenOptions["record"] {
  return (event) => append(store, event, "the audit log cannot be written; nothing was done");
}

/** The tokens of a view's namespace. */
export function tokensOf(directory: Directory, { tenant }: View): TokenOptions {
  return { directory, record: recordIn(tenant.store) };
}

/**
 * Makes a token in the caller's namespace, and its principal when it is new. Returns the secret, which is shown this once.
 * Errors: `forbidden` for more than the caller has and for a super-admin's; `conflict` for a name that is taken and for a
 * principal that is another; `upgrade_required` for what the tier has not.
 */
export function createToken(
  { directory, record }: TokenOptions,
  caller: Caller,
  request: TokenRequest,
  operator = NOT_OPERATOR,
): Promise<{ view: TokenView; secret: string }> {
  // The row is durable within this transaction: a token that cannot be made leaves none, and none is made without it.
  return directory.transact((tx) => createTokenIn(tx, record, caller, request, operator));
}

/** As createToken, as part of a transaction. */
export async function createTokenIn(
  directory: DirectoryTransactor,
  record: TokenOptions["record"],
  caller: Caller,
  request: TokenRequest,
  operator: OperatorOptions,
): Promise<{ view: TokenView; secret: string }> {
  const { name, principal_id } = request;
  const { namespace } = caller.namespace;
  const known = await directory.principal(namespace, principal_id);
  const principal = principalFor(known, caller, request, operator);
  if (principal !== known) await directory.putPrincipal(principal);
  const { id, secret } = await directory.createToken({ name, namespace, principal_id });
  const change = known === null ? "made" : principal === known ? "none" : "changed";
  const detail = { name, principal: principal_id, change, perms: principal.perms.join(","), super_admin: principal.super_admin };
  await record(eventOf(caller, "token.create", id, detail));
  return { view: { ...shown(await directory.token(id)), ...rightsOf(principal) }, secret };
}

/** Tokens of the caller's namespace, live and revoked, the oldest first: those of whose principals the caller may know. */
export async function listTokens({ directory, record }: TokenOptions, caller: Caller): Promise<TokenView[]> {
  const found: TokenView[] = [];
  for (const token of await directory.tokens(caller.namespace.namespace)) {
    const principal = await administered(directory, caller, token);
    if (principal !== null) found.push({ ...token, ...rightsOf(principal) });
  }
  await record(eventOf(caller, "token.list", null, { count: found.length }));
  return found;
}

/** Revokes a live token and ends the sessions made from it. Errors: `not_found`, the same for one that the caller may not know of. */
export function revokeToken({ directory, record }: TokenOptions, caller: Caller, id: string): Promise<TokenView> {
  return directory.transact(async (tx) => {
    const token = await tx.token(id);
    const principal = token === null || token.revoked_at !== null ? null : await administered(tx, caller, token);
    if (principal === null) throw new Fault("not_found", NO_TOKEN);
    await tx.revokeTokenById(id);
    await record(eventOf(caller, "token.revoke", id, { principal: principal.principal_id }));
    return { ...shown(await tx.token(id)), ...rightsOf(principal) };
  });
}

/** The namespace of a request that names none: the principal's own; the super-admin's is the demo's, where there is one. */
export async function homeOf(directory: DirectoryReader, principal: Principal): Promise<Namespace | null> {
  const demo = principal.super_admin ? await directory.namespace(DEMO_NAMESPACE) : null;
  return demo ?? directory.namespace(principal.namespace);
}

/** The principal that a token is asked for, as it is to be: `known` itself where nothing changes. Errors: as createToken. */
function principalFor(known: Principal | null, caller: Caller, { principal_id, fields }: TokenRequest, operator: OperatorOptions): Principal {
  const { namespace } = caller.namespace;
  if (operator.super_admin || known?.super_admin || isReserved(namespace, principal_id)) {
    return superAdminFor(known, namespace, principal_id, operator);
  }
  const asked = known ?? newPrincipal(namespace, principal_id, fields);
  const excess = excessOf(caller, asked);
  // What a principal that exists has beyond the caller is not the caller's to know.
  if (excess !== null)
    throw new Fault("forbidden", known === null ? `you have not ${excess} yourself` : `principal ${principal_id} has more than you`);
  return known === null ? asked : changed(known, fields, operator);
}

function superAdminFor(known: Principal | null, namespace: string, principal_id: string, operator: OperatorOptions): Principal {
  if (!operator.super_admin) {
    throw new Fault(
      "forbidden",
      `principal ${principal_id} is a super-admin: its tokens are made with strata token create --super on the data directory alone`,
    );
  }
  if (known !== null && !known.super_admin) throw new Fault("conflict", `principal ${principal_id} exists and is no super-admin; choose another`);
  return known ?? superAdmin(namespace, principal_id);
}

/** The names that seeding gives to super-admins: an ordinary principal of that name would be taken for one. */
function isReserved(namespace: string, principal_id: string): boolean {
  return SEED_PRINCIPALS.some((seeded) => seeded.super_admin && seeded.namespace === namespace && seeded.principal_id === principal_id);
}

function changed(known: Principal, fields: PrincipalFields, { update }: OperatorOptions): Principal {
  const names = differences(known, fields);
  if (names.length === 0) return known;
  if (!update) {
    const how = "--update of strata token create on the data directory changes it, for all its tokens";
    throw new Fault("conflict", `principal ${known.principal_id} exists with other ${names.join(", ")}; ${how}`);
  }
  return { ...known, ...fields };
}

/** The fields that say something else of a principal than is so. */
export function differences(known: Principal, fields: PrincipalFields): string[] {
  const text = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
  const said = Object.entries(fields) as [keyof PrincipalFields, unknown][];
  return said.filter(([name, value]) => text(value) !== text(known[name])).map(([name]) => name);
}

/** The principal of a token of the caller's namespace, if the caller may know of it. */
async function administered(directory: DirectoryReader, caller: Caller, token: TokenInfo): Promise<Principal | null> {
  const own = token.namespace === caller.namespace.namespace;
  const principal = own ? await directory.principal(token.namespace, token.principal_id) : null;
  return principal !== null && mayAdminister(caller, principal) ? principal : null;
}

function rightsOf({ perms, scopes, groups, read_only }: Principal): Pick<TokenView, "perms" | "scopes" | "groups" | "read_only"> {
  return { perms, scopes, groups, read_only };
}

function shown(token: TokenInfo | null): TokenInfo {
  if (token === null) throw new Error("a token that was just written is gone");
  return token;
}

function eventOf({ principal }: Caller, action: AuditAction, target: string | null, detail: AuditDetail): AuditEvent {
  return { principal_id: principal.principal_id, action, outcome: "ok", scope: null, target, detail };
}

import { ID_MAX_CHARS } from "../base/limits.ts";
import { ALL_SCOPES } from "./scope.ts";
import { ENGLISH, type Language } from "../text/language.ts";
import type { Tier } from "./tier.ts";

export const PERMS = ["read", "write", "admin"] as const;
export type Perm = (typeof PERMS)[number];

/** Somebody who may call. `scopes` are grants (`*`: all); `active_scope` is used when a request names none. */
export interface Principal {
  principal_id: string;
  namespace: string;
  perms: Perm[];
  scopes: string[];
  active_scope: string;
  groups: string[];
  read_only: boolean;
  /** Reaches every namespace, bypasses per-Unit ACL, is never coerced. */
  super_admin: boolean;
}

/** How much `hidden_by_acl` tells: the number; 0 for none, 1 for fewer than ten, 10 for more; always 0. */
export const HIDDEN_COUNTS = ["exact", "coarse", "none"] as const;
export type HiddenCount = (typeof HIDDEN_COUNTS)[number];

/** What can be chosen when a principal is made or changed. */
export type PrincipalFields = Partial<Pick<Principal, "perms" | "scopes" | "active_scope" | "groups" | "read_only">>;

export const IDENTIFIER_RULE = `1-${ID_MAX_CHARS} letters, digits or any of . _ @ : + -, a letter or digit first`;

/** True for a name as it may stand in Units, logs and audit rows: printable, without spaces around it. */
export function isIdentifier(text: string): boolean {
  return text.length <= ID_MAX_CHARS && /^[\p{L}\p{N}][\p{L}\p{N}._@:+-]*$/u.test(text);
}

/** A principal with the given fields. Defaults: `read` in all scopes, no groups. */
export function newPrincipal(namespace: string, principal_id: string, fields: PrincipalFields): Principal {
  const { scopes = [ALL_SCOPES] } = fields;
  const [only = ALL_SCOPES] = scopes;
  return {
    namespace,
    principal_id,
    perms: fields.perms ?? ["read"],
    scopes,
    active_scope: fields.active_scope ?? (scopes.length === 1 ? only : ALL_SCOPES),
    groups: fields.groups ?? [],
    read_only: fields.read_only ?? false,
    super_admin: false,
  };
}

/** A principal with all permissions in every namespace. */
export function superAdmin(namespace: string, principal_id: string): Principal {
  return { ...newPrincipal(namespace, principal_id, { perms: [...PERMS] }), super_admin: true };
}

export interface Namespace {
  namespace: string;
  tier: Tier;
  /** Absent: exact. */
  hidden_count?: HiddenCount;
  /** Chosen when it is made, and never changed. Absent: English. */
  language?: Language;
}

export function languageOf({ language }: Namespace): Language {
  return language ?? ENGLISH;
}

/** How a caller authenticated: with an API token, or a session exchanged for one (`token`), or by a person's own sign-in (`person`). */
export type Credential = "token" | "person";

/** An authenticated principal, bound to the namespace that this request runs in. */
export interface Caller {
  principal: Principal;
  credential: Credential;
  namespace: Namespace;
  /** Aborts when the caller hangs up, and ends work that is done for it alone. Absent for callers that cannot hang up. */
  signal?: AbortSignal;
  /** The secret of the console session that it came with; null or absent: it came without one. */
  session?: string | null;
}

/** The caller of commands that work on the data directory itself: whoever may open it may do everything in it. */
export function operatorIn(namespace: Namespace): Caller {
  return { principal: superAdmin(namespace.namespace, "operator"), credential: "token", namespace };
}

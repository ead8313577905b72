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

export interface Namespace {
  namespace: string;
  tier: Tier;
}

/** How a caller proved who it is: an API token (an agent) or a console session (a person). */
export type Credential = "token" | "session";

/** An authenticated principal, bound to the namespace that this request runs in. */
export interface Caller {
  principal: Principal;
  credential: Credential;
  namespace: Namespace;
}

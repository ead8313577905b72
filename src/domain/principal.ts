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

export interface Namespace {
  namespace: string;
  tier: Tier;
  /** Absent: exact. */
  hidden_count?: HiddenCount;
}

/** What a caller proved who it is with: an API token (an agent), also through a session exchanged for one; or a person's own sign-in. */
export type Credential = "token" | "person";

/** An authenticated principal, bound to the namespace that this request runs in. */
export interface Caller {
  principal: Principal;
  credential: Credential;
  namespace: Namespace;
}

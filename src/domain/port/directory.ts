/** Who may call: namespaces, principals, tokens and sessions, in a store of their own. Secrets are kept as SHA-256 only. */
import type { Credential, HiddenCount, Namespace, Principal } from "../principal.ts";
import type { Language } from "../../text/language.ts";
import type { Tier } from "../tier.ts";

export interface TokenInfo {
  /** Opaque, and the token's for good. */
  id: string;
  name: string;
  namespace: string;
  principal_id: string;
  seeded: boolean;
  created_at: number;
  revoked_at: number | null;
}

export interface NewToken {
  name: string;
  secret: string;
  namespace: string;
  principal_id: string;
  seeded: boolean;
}

/** Whom a secret stands for. `seeded` tells a public listener to refuse it. */
export interface Identified {
  principal: Principal;
  seeded: boolean;
  credential: Credential;
}

/** Who seeds, and whether the super-admin is among what is made. */
export type Seeding = Pick<Principal, "principal_id" | "super_admin">;

export interface DirectoryReader {
  /** By name. */
  namespaces(): Promise<Namespace[]>;
  namespace(name: string): Promise<Namespace | null>;
  principal(namespace: string, principal_id: string): Promise<Principal | null>;
  /** True when a token was ever made. */
  hasTokens(): Promise<boolean>;
  /** Whom a live token stands for. */
  byToken(secret: string): Promise<Identified | null>;
  /** Tokens, live and revoked, of one namespace or of all (null), the oldest first. */
  tokens(namespace: string | null): Promise<TokenInfo[]>;
  /** A token by its id, live or revoked. */
  token(id: string): Promise<TokenInfo | null>;
  /** The seeding that has begun and not ended. */
  begunSeeding(): Promise<Seeding | null>;
}

export interface DirectoryTransactor extends DirectoryReader {
  /**
   * Makes a namespace or changes it; without `hidden_count` a new one tells the exact count, and a known one what it told.
   * `language` is of a new one, English when it is absent: a known one keeps its own.
   */
  putNamespace(namespace: string, tier: Tier, hidden_count?: HiddenCount, language?: Language): Promise<void>;
  /** Makes a principal or changes it. Errors: `not_found` without its namespace, `upgrade_required`, `conflict` for what would make or unmake a super-admin of a known one. */
  putPrincipal(principal: Principal): Promise<void>;
  /** Stores a token as its hash; of a live token with the same secret the rest is restored. What was revoked stays revoked. */
  putToken(token: NewToken): Promise<void>;
  /**
   * Makes a token with a random secret, which is returned once and never stored. Errors: `conflict` when a live token of
   * the namespace has the name, or it has NAMESPACE_MAX_TOKENS of them.
   */
  createToken(token: Omit<NewToken, "secret" | "seeded">): Promise<{ id: string; secret: string }>;
  /** Revokes a token with its sessions; what was revoked before stays as it is. */
  revokeTokenById(id: string): Promise<void>;
  /** Notes that seeding has begun. What an earlier one was to make and did not, this one is to make too: returns both as one. */
  beginSeeding(seeding: Seeding): Promise<Seeding>;
  endSeeding(): Promise<void>;
}

export interface Directory extends DirectoryReader {
  /** The principal of a live session with what it was made from; using a session keeps it alive. */
  bySession(secret: string): Promise<Identified | null>;
  /** Opens a session for a live token, with which it ends; returns its secret and when it ends at the latest (ms). */
  openSession(tokenSecret: string): Promise<{ secret: string; expires_at: number }>;
  closeSession(secret: string): Promise<void>;
  /**
   * One transaction, isolated from reads outside it. `work` awaits nothing but `tx` and, for an audit row that must be
   * durable before the act it tells of, a namespace's store; a store's transaction never waits for the directory. Durable when
   * it resolves; what `work` throws undoes it.
   */
  transact<T>(work: (tx: DirectoryTransactor) => Promise<T>): Promise<T>;
}

/** The directory in memory. A transaction works on a copy, which takes the place of the whole when it is done. */
import { Fault } from "../../base/fault.ts";
import { randomToken, sha256Hex } from "../../base/hash.ts";
import { NAMESPACE_MAX_TOKENS, SESSION_IDLE_MS, SESSION_MAX_MS } from "../../base/limits.ts";
import { promised } from "../../base/promised.ts";
import type { Directory, DirectoryTransactor, Identified, NewToken, Seeding, TokenInfo } from "../../domain/port/directory.ts";
import type { HiddenCount, Namespace, Principal } from "../../domain/principal.ts";
import { ENGLISH, type Language } from "../../text/language.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";

interface State {
  namespaces: Map<string, Namespace>;
  /** By namespace and id. */
  principals: Map<string, Principal>;
  /** By hash. */
  tokens: Map<string, TokenInfo>;
  sessions: Map<string, { token: string; created_at: number; used_at: number }>;
  seeding: Seeding | null;
}

const keyOf = (namespace: string, principal_id: string) => JSON.stringify([namespace, principal_id]);

function readsOf(state: () => State, now: () => number) {
  const identified = (hash: string | undefined): Identified | null => {
    const token = state().tokens.get(hash ?? "");
    const principal = token?.revoked_at === null ? tables.principal(token.namespace, token.principal_id) : null;
    return token === undefined || principal === null ? null : { principal, seeded: token.seeded, credential: "token" };
  };
  const tables = {
    namespaces: () => [...state().namespaces.values()].sort((a, b) => (a.namespace < b.namespace ? -1 : 1)),
    namespace: (name: string) => state().namespaces.get(name) ?? null,
    principal: (namespace: string, principal_id: string) => state().principals.get(keyOf(namespace, principal_id)) ?? null,
    hasTokens: () => state().tokens.size > 0,
    byToken: (secret: string) => identified(sha256Hex(secret)),
    tokens: (namespace: string | null) =>
      [...state().tokens.values()]
        .filter((token) => namespace === null || token.namespace === namespace)
        .sort((a, b) => a.created_at - b.created_at || (a.name < b.name ? -1 : 1)),
    token: (id: string) => [...state().tokens.values()].find((token) => token.id === id) ?? null,
    begunSeeding: () => state().seeding,
    bySession(secret: string): Identified | null {
      const session = state().sessions.get(sha256Hex(secret));
      if (session === undefined || session.used_at <= now() - SESSION_IDLE_MS || session.created_at <= now() - SESSION_MAX_MS) return null;
      state().sessions.set(sha256Hex(secret), { ...session, used_at: now() });
      return identified(session.token);
    },
    openSession(tokenSecret: string) {
      const secret = randomToken(32);
      state().sessions.set(sha256Hex(secret), { token: sha256Hex(tokenSecret), created_at: now(), used_at: now() });
      return { secret, expires_at: now() + SESSION_MAX_MS };
    },
    closeSession(secret: string) {
      state().sessions.delete(sha256Hex(secret));
    },
  };
  return tables;
}

function tablesOf(state: () => State, now: () => number) {
  const tables = {
    ...readsOf(state, now),
    putNamespace(namespace: string, tier: Tier, hidden_count?: HiddenCount, language: Language = ENGLISH) {
      const known = tables.namespace(namespace);
      const told = hidden_count ?? known?.hidden_count ?? "exact";
      state().namespaces.set(namespace, { namespace, tier, hidden_count: told, language: known?.language ?? language });
    },
    putPrincipal(principal: Principal) {
      const { namespace, principal_id, perms, super_admin } = principal;
      const tier = tables.namespace(namespace)?.tier;
      if (tier === undefined) throw new Fault("not_found", `no namespace ${namespace}`);
      if (perms.includes("admin") && !super_admin && !TIER_LIMITS[tier].admin) {
        throw new Fault("upgrade_required", `the ${tier} tier has no admin permission`);
      }
      const known = tables.principal(namespace, principal_id);
      if (known !== null && known.super_admin !== super_admin) throw new Fault("conflict", `principal ${principal_id} stays what it is`);
      state().principals.set(keyOf(namespace, principal_id), principal);
    },
    putToken({ secret, ...token }: NewToken) {
      const hash = sha256Hex(secret);
      const known = state().tokens.get(hash);
      if (known !== undefined && known.revoked_at !== null) return;
      if (tables.principal(token.namespace, token.principal_id) === null) throw new Error("a token is some principal's");
      const { name, namespace, principal_id, seeded } = token;
      const kept = { id: known?.id ?? `t_${randomToken(15)}`, created_at: known?.created_at ?? now(), revoked_at: null };
      state().tokens.set(hash, { ...kept, name, namespace, principal_id, seeded });
    },
    createToken(token: Omit<NewToken, "secret" | "seeded">) {
      const { namespace, name } = token;
      const live = tables.tokens(namespace).filter(({ revoked_at }) => revoked_at === null);
      if (live.some((one) => one.name === name)) throw new Fault("conflict", `a live token named ${name} exists in namespace ${namespace}`);
      if (live.length >= NAMESPACE_MAX_TOKENS) throw new Fault("conflict", `namespace ${namespace} has no room for more tokens`);
      const secret = `strata_${randomToken(24)}`;
      tables.putToken({ ...token, secret, seeded: false });
      return { id: state().tokens.get(sha256Hex(secret))?.id ?? "", secret };
    },
    revokeTokenById(id: string) {
      for (const [hash, token] of state().tokens) {
        if (token.id !== id || token.revoked_at !== null) continue;
        state().tokens.set(hash, { ...token, revoked_at: now() });
        for (const [key, session] of state().sessions) if (session.token === hash) state().sessions.delete(key);
      }
    },
    beginSeeding({ principal_id, super_admin }: Seeding): Seeding {
      const both = { principal_id, super_admin: super_admin || state().seeding?.super_admin === true };
      state().seeding = both;
      return both;
    },
    endSeeding() {
      state().seeding = null;
    },
  };
  return tables;
}

function copyOf({ namespaces, principals, tokens, sessions, seeding }: State): State {
  return { namespaces: new Map(namespaces), principals: new Map(principals), tokens: new Map(tokens), sessions: new Map(sessions), seeding };
}

export function memoryDirectory(now: () => number): Directory {
  let state: State = { namespaces: new Map(), principals: new Map(), tokens: new Map(), sessions: new Map(), seeding: null };
  let last: Promise<unknown> = Promise.resolve();
  const committed = promised(tablesOf(() => state, now));
  const { namespaces, namespace, principal, hasTokens, byToken, tokens, token, begunSeeding, bySession, openSession, closeSession } = committed;
  const reads = { namespaces, namespace, principal, hasTokens, byToken, tokens, token, begunSeeding };
  return {
    ...reads,
    bySession,
    openSession,
    closeSession,
    transact<T>(work: (tx: DirectoryTransactor) => Promise<T>): Promise<T> {
      const run = last.then(async () => {
        const copy = copyOf(state);
        let ended = false;
        const usable = () => {
          if (ended) throw new Error("a transaction is used after its end");
        };
        try {
          const value = await work(
            promised(
              tablesOf(() => copy, now),
              usable,
            ),
          );
          state = copy;
          return value;
        } finally {
          ended = true;
        }
      });
      last = run.catch(() => {});
      return run;
    },
  };
}

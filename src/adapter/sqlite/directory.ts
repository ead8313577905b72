/** `system.db`: namespaces, principals, API tokens and console sessions. Secrets are kept as SHA-256 only. */
import type { Database } from "bun:sqlite";
import { Fault } from "../../base/fault.ts";
import { randomToken, sha256Hex } from "../../base/hash.ts";
import { NAMESPACE_MAX_TOKENS, SESSION_IDLE_MS, SESSION_MAX_MS, SESSION_TOUCH_MS } from "../../base/limits.ts";
import type { Identified, NewToken, Seeding, TokenInfo } from "../../domain/port/directory.ts";
import type { Credential, HiddenCount, Namespace, Perm, Principal } from "../../domain/principal.ts";
import { ENGLISH, type Language } from "../../text/language.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import { inTransaction, type Schema } from "./database.ts";

export const DIRECTORY_SCHEMA: Schema = {
  name: "system.db",
  migrations: [
    `
CREATE TABLE namespace (
  namespace TEXT PRIMARY KEY,
  tier TEXT NOT NULL
) STRICT;

CREATE TABLE principal (
  namespace TEXT NOT NULL REFERENCES namespace,
  principal_id TEXT NOT NULL,
  perms TEXT NOT NULL,
  scopes TEXT NOT NULL,
  active_scope TEXT NOT NULL,
  groups TEXT NOT NULL,
  read_only INTEGER NOT NULL,
  super_admin INTEGER NOT NULL,
  PRIMARY KEY (namespace, principal_id)
) STRICT;

-- Seeded tokens are the same on every deployment, so a public listener refuses them.
CREATE TABLE token (
  token_sha256 TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  namespace TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  seeded INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  FOREIGN KEY (namespace, principal_id) REFERENCES principal
) STRICT;

CREATE TABLE session (
  session_sha256 TEXT PRIMARY KEY,
  token_sha256 TEXT NOT NULL REFERENCES token,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;
`,
    `
-- How much hidden_by_acl tells: exact, coarse or none.
ALTER TABLE namespace ADD COLUMN hidden_count TEXT NOT NULL DEFAULT 'exact';
`,
    `
-- What the session was made from, a Credential. Every one so far was exchanged for an API token.
ALTER TABLE session ADD COLUMN credential TEXT NOT NULL DEFAULT 'token';
`,
    `
-- A seeding that has begun: it writes several databases, and a crash between them is finished on the next start.
CREATE TABLE seeding (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  principal_id TEXT NOT NULL,
  super_admin INTEGER NOT NULL
) STRICT;
`,
    `
-- What a token is called in routes and audit rows, live or revoked: not its hash, which is made of the secret.
ALTER TABLE token ADD COLUMN token_id TEXT NOT NULL DEFAULT '';
UPDATE token SET token_id = 't_' || lower(hex(randomblob(10)));
CREATE UNIQUE INDEX token_by_id ON token (token_id);
`,
    `
-- The id of the key that signs the audit chains, so that another one in its place is noticed.
CREATE TABLE audit_key (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  key_id TEXT NOT NULL
) STRICT;
`,
    `
-- The language of its texts, which says how they are analysed and which model encodes them. Never changed.
ALTER TABLE namespace ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
`,
    `
-- The latest format that a catalog may have here: that of the latest build which opened this directory.
CREATE TABLE catalog_format (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  format INTEGER NOT NULL
) STRICT;
INSERT INTO catalog_format (only_row, format) VALUES (1, 0);
`,
  ],
};

interface PrincipalRow extends Omit<Principal, "perms" | "scopes" | "groups" | "read_only" | "super_admin"> {
  perms: string;
  scopes: string;
  groups: string;
  read_only: number;
  super_admin: number;
}

const SESSION_SECRET_BYTES = 32;
const TOKEN_SECRET_BYTES = 24;
const TOKEN_ID_BYTES = 15;

const TOKEN_SQL = "SELECT token_id AS id, name, namespace, principal_id, seeded, created_at, revoked_at FROM token";
type TokenRow = Omit<TokenInfo, "seeded"> & { seeded: number };

/** The methods of the port, at once: for the connection that holds the file. */
export class DirectoryTables {
  constructor(
    private readonly db: Database,
    private readonly now: () => number,
  ) {}

  // --- namespaces and principals -------------------------------------------------------------

  namespaces(): Namespace[] {
    return this.db.query("SELECT namespace, tier, hidden_count, language FROM namespace ORDER BY namespace").all() as Namespace[];
  }

  namespace(name: string): Namespace | null {
    return this.db.query("SELECT namespace, tier, hidden_count, language FROM namespace WHERE namespace = ?").get(name) as Namespace | null;
  }

  putNamespace(namespace: string, tier: Tier, hidden_count?: HiddenCount, language: Language = ENGLISH): void {
    const told = hidden_count ?? this.namespace(namespace)?.hidden_count ?? "exact";
    this.db
      .query(
        `INSERT INTO namespace (namespace, tier, hidden_count, language) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (namespace) DO UPDATE SET tier = ?2, hidden_count = ?3`,
      )
      .run(namespace, tier, told, language);
  }

  principal(namespace: string, principal_id: string): Principal | null {
    const row = this.db.query("SELECT * FROM principal WHERE namespace = ? AND principal_id = ?").get(namespace, principal_id);
    return row === null ? null : principalOf(row as PrincipalRow);
  }

  putPrincipal(principal: Principal): void {
    const { namespace, principal_id, perms, super_admin } = principal;
    const tier = this.namespace(namespace)?.tier;
    if (tier === undefined) throw new Fault("not_found", `no namespace ${namespace}`);
    if (perms.includes("admin") && !super_admin && !TIER_LIMITS[tier].admin) {
      throw new Fault("upgrade_required", `the ${tier} tier has no admin permission`);
    }
    const known = this.principal(namespace, principal_id);
    if (known !== null && known.super_admin !== super_admin) {
      throw new Fault("conflict", `principal ${principal_id} is ${known.super_admin ? "a" : "no"} super-admin, and stays what it is`);
    }
    this.db
      .query(
        `INSERT INTO principal (namespace, principal_id, perms, scopes, active_scope, groups, read_only, super_admin)
         VALUES ($namespace, $principal_id, $perms, $scopes, $active_scope, $groups, $read_only, $super_admin)
         ON CONFLICT (namespace, principal_id) DO UPDATE SET perms = excluded.perms, scopes = excluded.scopes,
           active_scope = excluded.active_scope, groups = excluded.groups, read_only = excluded.read_only,
           super_admin = excluded.super_admin`,
      )
      .run({ ...principal, perms: JSON.stringify(perms), scopes: JSON.stringify(principal.scopes), groups: JSON.stringify(principal.groups) });
  }

  // --- tokens --------------------------------------------------------------------------------

  hasTokens(): boolean {
    return this.db.query("SELECT 1 FROM token LIMIT 1").get() !== null;
  }

  byToken(secret: string): Identified | null {
    return this.byTokenHash(sha256Hex(secret), "token");
  }

  tokens(namespace: string | null = null): TokenInfo[] {
    const rows = this.db.query(`${TOKEN_SQL} WHERE ?1 IS NULL OR namespace = ?1 ORDER BY created_at, name`).all(namespace);
    return (rows as TokenRow[]).map(tokenOf);
  }

  token(id: string): TokenInfo | null {
    const row = this.db.query(`${TOKEN_SQL} WHERE token_id = ?`).get(id) as TokenRow | null;
    return row && tokenOf(row);
  }

  putToken(token: NewToken): void {
    this.store(token);
  }

  /** Returns the id of a token that is new. */
  private store(token: NewToken): string {
    const id = `t_${randomToken(TOKEN_ID_BYTES)}`;
    this.db
      .query(
        `INSERT INTO token (token_sha256, token_id, name, namespace, principal_id, seeded, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (token_sha256) DO UPDATE SET name = excluded.name, namespace = excluded.namespace,
           principal_id = excluded.principal_id, seeded = excluded.seeded WHERE revoked_at IS NULL`,
      )
      .run(sha256Hex(token.secret), id, token.name, token.namespace, token.principal_id, token.seeded ? 1 : 0, this.now());
    return id;
  }

  createToken(token: Omit<NewToken, "secret" | "seeded">): { id: string; secret: string } {
    const { namespace, name } = token;
    if (this.liveTokens(namespace, name).length > 0) {
      throw new Fault("conflict", `a live token named ${name} exists in namespace ${namespace}; revoke it or choose another name`);
    }
    if (this.liveTokens(namespace).length >= NAMESPACE_MAX_TOKENS) {
      throw new Fault("conflict", `namespace ${namespace} has ${NAMESPACE_MAX_TOKENS} live tokens, and no room for more; revoke some`);
    }
    const secret = `strata_${randomToken(TOKEN_SECRET_BYTES)}`;
    return { id: this.store({ ...token, secret, seeded: false }), secret };
  }

  revokeTokenById(id: string): void {
    inTransaction(this.db, () => {
      this.db.query("DELETE FROM session WHERE token_sha256 = (SELECT token_sha256 FROM token WHERE token_id = ?)").run(id);
      this.db.query("UPDATE token SET revoked_at = ? WHERE token_id = ? AND revoked_at IS NULL").run(this.now(), id);
    });
  }

  /** Ids of the live tokens of a namespace, of this name or of any (null). */
  private liveTokens(namespace: string, name: string | null = null): string[] {
    const sql = "SELECT token_id FROM token WHERE namespace = ?1 AND (?2 IS NULL OR name = ?2) AND revoked_at IS NULL";
    return (this.db.query(sql).all(namespace, name) as { token_id: string }[]).map(({ token_id }) => token_id);
  }

  // --- seeding -------------------------------------------------------------------------------

  beginSeeding({ principal_id, super_admin }: Seeding): Seeding {
    const both = { principal_id, super_admin: super_admin || this.begunSeeding()?.super_admin === true };
    this.db
      .query("INSERT OR REPLACE INTO seeding (only_row, principal_id, super_admin) VALUES (1, ?, ?)")
      .run(principal_id, both.super_admin ? 1 : 0);
    return both;
  }

  begunSeeding(): Seeding | null {
    const row = this.db.query("SELECT principal_id, super_admin FROM seeding").get() as { principal_id: string; super_admin: number } | null;
    return row && { ...row, super_admin: row.super_admin === 1 };
  }

  endSeeding(): void {
    this.db.run("DELETE FROM seeding");
  }

  // --- sessions ------------------------------------------------------------------------------

  openSession(tokenSecret: string): { secret: string; expires_at: number } {
    const secret = randomToken(SESSION_SECRET_BYTES);
    const now = this.now();
    inTransaction(this.db, () => {
      this.db.query("DELETE FROM session WHERE used_at <= ? OR created_at <= ?").run(now - SESSION_IDLE_MS, now - SESSION_MAX_MS);
      this.db
        .query("INSERT INTO session (session_sha256, token_sha256, credential, created_at, used_at) VALUES (?, ?, 'token', ?, ?)")
        .run(sha256Hex(secret), sha256Hex(tokenSecret), now, now);
    });
    return { secret, expires_at: now + SESSION_MAX_MS };
  }

  bySession(secret: string): Identified | null {
    const hash = sha256Hex(secret);
    const now = this.now();
    const session = this.db
      .query("SELECT token_sha256, credential, used_at FROM session WHERE session_sha256 = ? AND used_at > ? AND created_at > ?")
      .get(hash, now - SESSION_IDLE_MS, now - SESSION_MAX_MS) as { token_sha256: string; credential: Credential; used_at: number } | null;
    if (session === null) return null;
    if (now - session.used_at > SESSION_TOUCH_MS) {
      this.db.query("UPDATE session SET used_at = ? WHERE session_sha256 = ?").run(now, hash);
    }
    return this.byTokenHash(session.token_sha256, session.credential);
  }

  closeSession(secret: string): void {
    this.db.query("DELETE FROM session WHERE session_sha256 = ?").run(sha256Hex(secret));
  }

  // --- the key of the audit chains -----------------------------------------------------------

  /** Id of the key that signs the audit chains; null before there was one. */
  auditKeyId(): string | null {
    const row = this.db.query("SELECT key_id FROM audit_key").get() as { key_id: string } | null;
    return row?.key_id ?? null;
  }

  rememberAuditKey(key_id: string): void {
    this.db.query("INSERT OR REPLACE INTO audit_key (only_row, key_id) VALUES (1, ?)").run(key_id);
  }

  // --- the catalogs --------------------------------------------------------------------------

  /** The latest format that a catalog may have; 0 when no build has said. */
  catalogFormat(): number {
    return (this.db.query("SELECT format FROM catalog_format").get() as { format: number }).format;
  }

  setCatalogFormat(format: number): void {
    this.db.query("UPDATE catalog_format SET format = ?").run(format);
  }

  private byTokenHash(hash: string, credential: Credential): Identified | null {
    const row = this.db
      .query(
        `SELECT principal.*, token.seeded FROM token JOIN principal USING (namespace, principal_id)
         WHERE token_sha256 = ? AND revoked_at IS NULL`,
      )
      .get(hash) as (PrincipalRow & { seeded: number }) | null;
    if (row === null) return null;
    const { seeded, ...principal } = row;
    return { principal: principalOf(principal), seeded: seeded === 1, credential };
  }
}

function tokenOf(row: TokenRow): TokenInfo {
  return { ...row, seeded: row.seeded === 1 };
}

function principalOf(row: PrincipalRow): Principal {
  return {
    ...row,
    perms: JSON.parse(row.perms) as Perm[],
    scopes: JSON.parse(row.scopes) as string[],
    groups: JSON.parse(row.groups) as string[],
    read_only: row.read_only === 1,
    super_admin: row.super_admin === 1,
  };
}

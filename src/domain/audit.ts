import { canonicalJson, randomToken, sha256Hex } from "../base/hash.ts";
import { bypassesAcl } from "./access.ts";
import type { Caller } from "./principal.ts";

/** Context, scopes and stats are written down only when they are denied. */
export const AUDIT_ACTIONS = [
  "seed",
  "ingest",
  "search",
  "answer",
  "context",
  "scopes.list",
  "scope.delete",
  "scope.set",
  "namespace.create",
  "namespace.set",
  "unit.get",
  "unit.delete",
  "unit.preview",
  "units.list",
  "similar",
  "files.list",
  "file.get",
  "file.content",
  "file.delete",
  "files.reread",
  "job.get",
  "stats",
  "audit.list",
  "audit.verify",
  "audit.rekey",
  "session.create",
  "session.delete",
  "token.create",
  "token.list",
  "token.revoke",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
export type AuditOutcome = "ok" | "denied" | "error";
export type AuditDetail = Record<string, string | number | boolean | null>;

/** What a row records, before it has a place in the chain. */
export interface AuditEvent {
  principal_id: string;
  action: AuditAction;
  outcome: AuditOutcome;
  scope: string | null;
  target: string | null;
  detail: AuditDetail;
}

/** The part of a row that not every caller with `read` may see. */
export type AuditContent = Pick<AuditEvent, "principal_id" | "scope" | "target" | "detail">;

/** Where a row stands. `seq` counts from 1 without gaps; `ts` in ms; hashes are 64 lower-case hex digits. */
interface AuditPlace {
  seq: number;
  ts: number;
  namespace: string;
  prev_hash: string;
  row_hash: string;
}

/** A row of the first form: its hash covers the whole row, so only a caller who sees all of it can recompute it. */
export interface FirstFormRow extends AuditEvent, AuditPlace {
  v?: never;
}

/**
 * A row of the second form: the chain covers a salted hash of its content, so that it can be recomputed without the content,
 * and the content cannot be guessed from the hash. `salt`: AUDIT_SALT_BYTES as base64url.
 */
export interface SaltedRow extends AuditEvent, AuditPlace {
  v: typeof AUDIT_VERSION;
  salt: string;
  content_hash: string;
}

/** One row of a namespace's chain. */
export type AuditRow = FirstFormRow | SaltedRow;

/** A row without its content, as every caller with `read` sees it. */
type HiddenRow<R extends AuditRow> = Omit<R, keyof AuditContent | "salt"> & { [K in keyof AuditContent]: null };

/** A row as one caller sees it. */
export type ShownRow = AuditRow | HiddenRow<FirstFormRow> | HiddenRow<SaltedRow>;

export const AUDIT_VERSION = 2;
const AUDIT_SALT_BYTES = 16;

/** `prev_hash` of row 1. */
export const GENESIS_HASH = "0".repeat(64);

/** SHA-256 over the canonical JSON (RFC 8785) of a row's content and its salt. */
export function contentHash(salt: string, { principal_id, scope, target, detail }: AuditContent): string {
  const ordered = inOrder(detail);
  if (ordered === null) return sha256Hex(canonicalJson({ detail, principal_id, salt, scope, target }));
  // Members in the order of their names are canonical JSON as JSON.stringify writes them, in a sixth of the time.
  return sha256Hex(JSON.stringify({ detail: ordered, principal_id, salt, scope, target }));
}

/** An object puts a name of digits before all others, and takes `__proto__` for no member. */
const STAYS_IN_ORDER = /^[a-z]/;

/**
 * The same members in the order of their names; null where an object cannot hold them so, or one of them has members itself.
 * Null too of what is no object, which a changed row may hold: a list without members must not be taken for an object without.
 */
function inOrder(detail: AuditDetail): AuditDetail | null {
  if (Object.getPrototypeOf(detail) !== Object.prototype) return null;
  const ordered: AuditDetail = {};
  for (const name of Object.keys(detail).sort()) {
    const value = detail[name] ?? null;
    if (!STAYS_IN_ORDER.test(name) || (typeof value === "object" && value !== null)) return null;
    ordered[name] = value;
  }
  return ordered;
}

/** SHA-256 over the canonical JSON (RFC 8785) of the row without `row_hash`; of a salted row, without its content and salt too. */
export function rowHash(row: Omit<FirstFormRow, "row_hash"> | Omit<SaltedRow, "row_hash">): string {
  const { action, namespace, outcome, prev_hash, seq, ts } = row;
  if (row.v === AUDIT_VERSION) {
    const { content_hash, v } = row;
    return sha256Hex(JSON.stringify({ action, content_hash, namespace, outcome, prev_hash, seq, ts, v }));
  }
  const { principal_id, scope, target, detail } = row;
  return sha256Hex(canonicalJson({ action, namespace, outcome, prev_hash, seq, ts, principal_id, scope, target, detail }));
}

/** The row of an event at its place, under a fresh salt. */
export function sealRow(event: AuditEvent, place: Omit<AuditPlace, "row_hash">): SaltedRow {
  const salt = randomToken(AUDIT_SALT_BYTES);
  const unsealed = { v: AUDIT_VERSION, ...place, ...event, salt, content_hash: contentHash(salt, event) } as const;
  return { ...unsealed, row_hash: rowHash(unsealed) };
}

/** True when the hashes of a row are those of what it says. */
export function isWhole(row: AuditRow): boolean {
  const content = row.v === undefined || contentHash(row.salt, row) === row.content_hash;
  return content && rowHash(row) === row.row_hash;
}

/** The row as a caller may see it: with its content for admins of the namespace, the super-admin and the principal who acted. */
export function shownTo(caller: Caller, row: AuditRow): ShownRow {
  if (bypassesAcl(caller) || row.principal_id === caller.principal.principal_id) return row;
  const hidden = { principal_id: null, scope: null, target: null, detail: null };
  if (row.v === undefined) return { ...row, ...hidden };
  const { salt: _, ...unsalted } = row;
  return { ...unsalted, ...hidden };
}

/** A row of a chain by its hash; of the empty chain, row 0 with GENESIS_HASH. */
export interface RowMark {
  seq: number;
  row_hash: string;
}
export const GENESIS: RowMark = { seq: 0, row_hash: GENESIS_HASH };

/** A part of a chain: at most `limit` rows after one that whoever asks vouches for. */
export interface ChainPart {
  after: RowMark;
  limit: number;
}
export const WHOLE_CHAIN: ChainPart = { after: GENESIS, limit: Number.POSITIVE_INFINITY };

/** The outcome of checking a chain, or a part of it. `break_at` is the first broken row. */
export interface VerificationReport {
  namespace: string;
  intact: boolean;
  checked: number;
  head_seq: number;
  head_hash: string;
  break_at: number | null;
  reason: string | null;
  /** The row after which the check began: nothing is said of it and those before. Absent: it began at the first. */
  after?: number;
  /** There are rows behind the last one that was checked. */
  more?: true;
}

import { canonicalJson, sha256Hex } from "../base/hash.ts";

/** Context, scopes and stats are written down only when they are denied. */
export const AUDIT_ACTIONS = [
  "seed",
  "ingest",
  "search",
  "answer",
  "context",
  "scopes.list",
  "scope.delete",
  "namespace.create",
  "namespace.set",
  "unit.get",
  "unit.delete",
  "unit.preview",
  "units.list",
  "similar",
  "file.get",
  "file.content",
  "file.delete",
  "job.get",
  "stats",
  "audit.list",
  "audit.verify",
  "session.create",
  "session.delete",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
export type AuditOutcome = "ok" | "denied" | "error";
export type AuditDetail = Record<string, string | number | boolean | null>;

/** What happened, before it has a place in the chain. */
export interface AuditEvent {
  principal_id: string;
  action: AuditAction;
  outcome: AuditOutcome;
  scope: string | null;
  target: string | null;
  detail: AuditDetail;
}

/** One row of a namespace's chain. `seq` counts from 1 without gaps; `ts` in ms; hashes are 64 hex digits. */
export interface AuditRow extends AuditEvent {
  seq: number;
  ts: number;
  namespace: string;
  prev_hash: string;
  row_hash: string;
}

/** `prev_hash` of row 1. */
export const GENESIS_HASH = "0".repeat(64);

/** SHA-256 over the canonical JSON (RFC 8785) of the row without `row_hash`. */
export function rowHash(row: Omit<AuditRow, "row_hash">): string {
  const { seq, ts, namespace, principal_id, action, outcome, scope, target, detail, prev_hash } = row;
  return sha256Hex(canonicalJson({ seq, ts, namespace, principal_id, action, outcome, scope, target, detail, prev_hash }));
}

/** The outcome of checking a chain. `break_at` is the first broken row. */
export interface VerificationReport {
  namespace: string;
  intact: boolean;
  checked: number;
  head_seq: number;
  head_hash: string;
  break_at: number | null;
  reason: string | null;
}

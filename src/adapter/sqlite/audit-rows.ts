/** Rows of the audit chain as they lie in the table `audit`: written in one way only, so that every changed byte is seen. */
import type { Database } from "bun:sqlite";
import { AUDIT_VERSION, type AuditRow, isWhole, type SaltedRow } from "../../domain/audit.ts";

/**
 * `scope`, `target` and `detail` are JSON text: SQLite reads several different bytes as the same NULL. A row of the first
 * form has `v` 1 and neither salt nor content hash.
 */
export interface StoredRow {
  seq: number;
  ts: number;
  principal_id: string;
  action: AuditRow["action"];
  outcome: AuditRow["outcome"];
  scope: string;
  target: string;
  detail: string;
  prev_hash: string;
  row_hash: string;
  v: number;
  salt: string;
  content_hash: string;
}

const FIRST_FORM = 1;
const JSON_COLUMNS = ["scope", "target", "detail"] as const;
const TEXT_COLUMNS = ["principal_id", "action", "outcome", ...JSON_COLUMNS, "prev_hash", "row_hash", "salt", "content_hash"] as const;
const COLUMNS = ["seq", "ts", ...TEXT_COLUMNS, "v"] as const;

/** Decoding replaces bytes that are no UTF-8, so the verifier reads the texts as bytes too. */
export type StoredBytes = StoredRow & Record<`${(typeof TEXT_COLUMNS)[number]}_bytes`, Uint8Array>;
/** Every row as StoredBytes, in the table's own order and not by key: a damaged key must not hide the rows behind it. */
export const ALL_BYTES_SQL = `SELECT *, ${TEXT_COLUMNS.map((name) => `CAST(${name} AS BLOB) AS ${name}_bytes`).join(", ")} FROM audit`;

const INSERT_SQL = `INSERT INTO audit (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;

export function insertRow(db: Database, row: SaltedRow): void {
  const stored: StoredRow = {
    ...row,
    scope: JSON.stringify(row.scope),
    target: JSON.stringify(row.target),
    detail: JSON.stringify(row.detail),
  };
  db.query(INSERT_SQL).run(...COLUMNS.map((name) => stored[name]));
}

/** Throws when the JSON of a column is damaged. */
export function readRow(namespace: string, stored: StoredRow): AuditRow {
  const { seq, ts, principal_id, action, outcome, prev_hash, row_hash, salt, content_hash } = stored;
  const scope = JSON.parse(stored.scope) as AuditRow["scope"];
  const target = JSON.parse(stored.target) as AuditRow["target"];
  const detail = JSON.parse(stored.detail) as AuditRow["detail"];
  const row = { seq, ts, namespace, principal_id, action, outcome, scope, target, detail };
  if (stored.v === FIRST_FORM) return { ...row, prev_hash, row_hash };
  return { v: AUDIT_VERSION, ...row, salt, content_hash, prev_hash, row_hash };
}

/** True when a row says what its hashes were made of, written as the service writes it. */
export function isUntouched(namespace: string, stored: StoredBytes): boolean {
  try {
    const row = readRow(namespace, stored);
    // Bytes or JSON that read as the same value but are written differently are a changed row all the same.
    const written = TEXT_COLUMNS.every((name) => Buffer.from(stored[name]).equals(stored[`${name}_bytes`]));
    const sameJson = JSON_COLUMNS.every((name) => JSON.stringify(row[name]) === stored[name]);
    return written && sameJson && hasOneForm(stored) && isWhole(row);
  } catch {
    return false;
  }
}

function hasOneForm({ v, salt, content_hash }: StoredRow): boolean {
  return v === AUDIT_VERSION || (v === FIRST_FORM && salt === "" && content_hash === "");
}

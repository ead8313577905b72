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

/** The texts of a row as the bytes that they are in the file. */
export type StoredBytes = Record<(typeof TEXT_COLUMNS)[number], Uint8Array>;
/** Every row, in the table's own order and not by key: a damaged key must not hide the rows behind it. */
export const ALL_ROWS_SQL = "SELECT * FROM audit";
/** The rows behind one: a damaged key there is seen as a gap. */
export const ROWS_AFTER_SQL = "SELECT * FROM audit WHERE seq > ? ORDER BY seq";
/** The StoredBytes of a row. */
export const BYTES_SQL = `SELECT ${TEXT_COLUMNS.map((name) => `CAST(${name} AS BLOB) AS ${name}`).join(", ")} FROM audit WHERE seq = ?`;

/** Stands for bytes that are no UTF-8 in a text that was decoded. */
const REPLACED = "\ufffd";

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
  if (stored.v === FIRST_FORM) return { seq, ts, namespace, principal_id, action, outcome, scope, target, detail, prev_hash, row_hash };
  return { v: AUDIT_VERSION, seq, ts, namespace, principal_id, action, outcome, scope, target, detail, salt, content_hash, prev_hash, row_hash };
}

/** True when a row says what its hashes were made of, written as the service writes it. `bytesOf` reads its texts as bytes. */
export function isUntouched(namespace: string, stored: StoredRow, bytesOf: (seq: number) => StoredBytes | null): boolean {
  try {
    const row = readRow(namespace, stored);
    // Bytes or JSON that read as the same value but are written differently are a changed row all the same.
    const sameJson = JSON_COLUMNS.every((name) => JSON.stringify(row[name]) === stored[name]);
    return sameJson && hasOneForm(stored) && isWhole(row) && isWrittenSo(stored, bytesOf);
  } catch {
    return false;
  }
}

/** True when the bytes of each text are those that it reads as. Only where a text holds REPLACED may they be others. */
function isWrittenSo(stored: StoredRow, bytesOf: (seq: number) => StoredBytes | null): boolean {
  if (!TEXT_COLUMNS.every((name) => typeof stored[name] === "string")) return false;
  if (!TEXT_COLUMNS.some((name) => stored[name].includes(REPLACED))) return true;
  const bytes = bytesOf(stored.seq);
  return bytes !== null && TEXT_COLUMNS.every((name) => Buffer.from(stored[name]).equals(bytes[name]));
}

function hasOneForm({ v, salt, content_hash }: StoredRow): boolean {
  return v === AUDIT_VERSION || (v === FIRST_FORM && salt === "" && content_hash === "");
}

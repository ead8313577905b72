/**
 * The audit chain of one namespace. Rows are only appended; appends that arrive together share one
 * transaction and one fsync, so auditing every read costs a busy server little.
 */
import type { Database } from "bun:sqlite";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { assert, Fault } from "../base/fault.ts";
import { AUDIT_VERIFY_CHUNK_ROWS } from "../base/limits.ts";
import { type AuditEvent, type AuditRow, GENESIS_HASH, rowHash, type VerificationReport } from "../domain/audit.ts";
import type { AuditHead, NoteSigner } from "./note.ts";
import { inTransaction, openReader } from "./sqlite.ts";

interface StoredRow extends Omit<AuditRow, "namespace" | "detail"> {
  detail: string;
}

interface Pending {
  event: AuditEvent;
  resolve: (row: AuditRow) => void;
  reject: (error: unknown) => void;
}

export interface LedgerOptions {
  db: Database;
  /** File of `db`, for the verifier's own connection. */
  path: string;
  /** File of the note kept outside the database. */
  notePath: string;
  namespace: string;
  now: () => number;
  signer: NoteSigner;
}

const GENESIS: AuditHead = { seq: 0, row_hash: GENESIS_HASH };
/** The note outside the database is written at most this often; the one inside, with every commit. */
const NOTE_FILE_INTERVAL_MS = 1_000;

export class Ledger {
  private readonly pending: Pending[] = [];
  private head: AuditHead;
  private noteTimer: ReturnType<typeof setTimeout> | null = null;
  /** True when the signed heads found at start contradict the table: they are evidence, and are kept. */
  private readonly tampered: boolean;

  constructor(private readonly options: LedgerOptions) {
    this.head = this.readHead();
    this.tampered = this.signedHeads().some(({ head }) => head === null || this.hashAt(head.seq) !== head.row_hash);
  }

  /** Appends one row. Resolves once it is durable; rows of the same turn share a commit. */
  append(event: AuditEvent): Promise<AuditRow> {
    return new Promise((resolve, reject) => {
      this.pending.push({ event, resolve, reject });
      if (this.pending.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Appends inside a transaction that the caller holds open; durable when that commits. */
  appendIn(event: AuditEvent): AuditRow {
    assert(this.options.db.inTransaction, "appendIn needs an open transaction");
    const { namespace, now, db } = this.options;
    const unsealed = { seq: this.head.seq + 1, ts: now(), namespace, ...event, prev_hash: this.head.row_hash };
    const row: AuditRow = { ...unsealed, row_hash: rowHash(unsealed) };
    db.query(
      `INSERT INTO audit (seq, ts, principal_id, action, outcome, scope, target, detail, prev_hash, row_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      row.seq,
      row.ts,
      row.principal_id,
      row.action,
      row.outcome,
      row.scope,
      row.target,
      JSON.stringify(row.detail),
      row.prev_hash,
      row.row_hash,
    );
    this.head = { seq: row.seq, row_hash: row.row_hash };
    return row;
  }

  /** Seals the head as the last act of a transaction that appended rows. */
  private seal(): void {
    if (this.tampered) return;
    const note = this.options.signer.sign(this.options.namespace, this.head);
    this.options.db.query("INSERT OR REPLACE INTO audit_head (only_row, note) VALUES (1, ?)").run(note);
    this.noteTimer ??= setTimeout(() => this.writeNoteFile(), NOTE_FILE_INTERVAL_MS);
  }

  /** Runs `work` in a transaction that may append rows; memory follows the file when it fails. */
  transact<T>(work: () => T): T {
    const before = this.head;
    try {
      return inTransaction(this.options.db, () => {
        const result = work();
        if (this.head !== before) this.seal();
        return result;
      });
    } catch (error) {
      this.head = before;
      throw error;
    }
  }

  /** Runs part of a transaction so that it can fail alone. */
  savepoint<T>(work: () => T): T {
    assert(this.options.db.inTransaction, "a savepoint needs an open transaction");
    const before = this.head;
    try {
      return this.options.db.transaction(work)();
    } catch (error) {
      this.head = before;
      throw error;
    }
  }

  /** Rows newest first. */
  page(limit: number, offset: number): AuditRow[] {
    const sql = "SELECT * FROM audit ORDER BY seq DESC LIMIT ? OFFSET ?";
    return (this.options.db.query(sql).all(limit, offset) as StoredRow[]).map((row) => this.row(row));
  }

  get length(): number {
    return this.head.seq;
  }

  /** Rows of these actions since `since` (ms), counted. */
  countSince(actions: readonly string[], since: number): number {
    const sql = "SELECT count(*) AS n FROM audit WHERE ts >= ? AND outcome = 'ok' AND action IN (SELECT value FROM json_each(?))";
    return (this.options.db.query(sql).get(since, JSON.stringify(actions)) as { n: number }).n;
  }

  /** Recomputes the chain from row 1 and compares its end with the signed heads. Yields between chunks. */
  async verify(): Promise<VerificationReport> {
    this.flush();
    const heads = this.signedHeads();
    const reader = openReader(this.options.path);
    try {
      return await this.check(reader, heads);
    } finally {
      reader.close();
    }
  }

  close(): void {
    this.flush();
    if (this.noteTimer !== null) clearTimeout(this.noteTimer);
    this.writeNoteFile();
  }

  private async check(reader: Database, heads: { head: AuditHead | null; where: string }[]): Promise<VerificationReport> {
    let last: AuditHead = GENESIS;
    const broken = (reason: string): VerificationReport => ({
      namespace: this.options.namespace,
      intact: false,
      checked: last.seq,
      head_seq: last.seq,
      head_hash: last.row_hash,
      break_at: last.seq + 1,
      reason,
    });
    try {
      // In the table's own order, not by key: a damaged key must not hide the rows behind it.
      for (const row of reader.query("SELECT * FROM audit").iterate() as Iterable<StoredRow>) {
        const fault = this.faultOf(row, last, heads);
        if (fault !== null) return broken(fault);
        last = { seq: row.seq, row_hash: row.row_hash };
        if (last.seq % AUDIT_VERIFY_CHUNK_ROWS === 0) await Bun.sleep(0);
      }
    } catch {
      return broken("the row cannot be read from the database file");
    }
    for (const { head, where } of heads) {
      if (head === null) return broken(`the signed head ${where} is missing or its signature does not match`);
      if (head.seq > last.seq) return broken(`rows up to ${head.seq} were signed ${where}, but the chain ends before`);
    }
    return { ...broken(""), intact: true, break_at: null, reason: null };
  }

  private faultOf(row: StoredRow, last: AuditHead, heads: { head: AuditHead | null; where: string }[]): string | null {
    if (row.seq !== last.seq + 1) return "the sequence number does not follow the row before";
    if (row.prev_hash !== last.row_hash) return "prev_hash is not the hash of the row before";
    if (!this.hashMatches(row)) return "row hash does not match its content";
    const signed = heads.find(({ head }) => head?.seq === row.seq && head.row_hash !== row.row_hash);
    return signed ? `row hash differs from the head signed ${signed.where}` : null;
  }

  private hashMatches(stored: StoredRow): boolean {
    try {
      const row = this.row(stored);
      // JSON that parses to the same value but is written differently is a changed row all the same.
      return JSON.stringify(row.detail) === stored.detail && rowHash(row) === row.row_hash;
    } catch {
      return false;
    }
  }

  /** The heads to compare with; an empty chain needs none. The one in memory is the newest of all. */
  private signedHeads(): { head: AuditHead | null; where: string }[] {
    const heads: { head: AuditHead | null; where: string }[] = [{ head: this.head, where: "when it was last written" }];
    const { namespace, signer, db, notePath } = this.options;
    const stored = db.query("SELECT note FROM audit_head").get() as { note: string } | null;
    if (stored !== null || this.head.seq > 0) heads.push({ head: stored && signer.open(namespace, stored.note), where: "in the database" });
    if (existsSync(notePath)) heads.push({ head: signer.open(namespace, readFileSync(notePath, "utf8")), where: "in audit.note" });
    return heads;
  }

  private flush(): void {
    const batch = this.pending.splice(0);
    if (batch.length === 0) return;
    try {
      const rows = this.transact(() => batch.map(({ event }) => this.appendIn(event)));
      batch.forEach(({ resolve }, index) => {
        resolve(rows[index] as AuditRow);
      });
    } catch (cause) {
      const fault = new Fault("unavailable", "the audit log cannot be written; nothing was returned", { cause });
      for (const { reject } of batch) reject(fault);
    }
  }

  /** Best effort: the head inside the database is the one that every commit carries. */
  private writeNoteFile(): void {
    this.noteTimer = null;
    if (this.head.seq === 0 || this.tampered) return;
    const { notePath, namespace, signer } = this.options;
    try {
      writeFileSync(`${notePath}.tmp`, signer.sign(namespace, this.head), { mode: 0o600 });
      renameSync(`${notePath}.tmp`, notePath);
    } catch {
      // A full disk fails the next append with a clear error; here nothing was acknowledged.
    }
  }

  private hashAt(seq: number): string | null {
    if (seq === 0) return GENESIS_HASH;
    const row = this.options.db.query("SELECT row_hash FROM audit WHERE seq = ?").get(seq) as { row_hash: string } | null;
    return row && row.row_hash;
  }

  private readHead(): AuditHead {
    const row = this.options.db.query("SELECT seq, row_hash FROM audit ORDER BY seq DESC LIMIT 1").get();
    return (row as AuditHead | null) ?? GENESIS;
  }

  private row(stored: StoredRow): AuditRow {
    const { seq, ts, principal_id, action, outcome, scope, target, prev_hash, row_hash } = stored;
    const detail = JSON.parse(stored.detail) as AuditRow["detail"];
    const { namespace } = this.options;
    return { seq, ts, namespace, principal_id, action, outcome, scope, target, detail, prev_hash, row_hash };
  }
}

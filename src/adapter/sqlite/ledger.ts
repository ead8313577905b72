/** The audit chain of one namespace. Rows are only appended, in transactions of the namespace's store. */
import { type Database, SQLiteError } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { replaceFile, writeDurably } from "../../base/durable-files.ts";
import { assert } from "../../base/fault.ts";
import { AUDIT_VERIFY_CHUNK_ROWS } from "../../base/limits.ts";
import { type AuditEvent, type AuditRow, type ChainPart, GENESIS, sealRow, type VerificationReport, WHOLE_CHAIN } from "../../domain/audit.ts";
import { ALL_ROWS_SQL, BYTES_SQL, ROWS_AFTER_SQL, insertRow, isUntouched, readRow, type StoredBytes, type StoredRow } from "./audit-rows.ts";
import { type TreeHead, unverifiedHead, type CheckpointSigner } from "./checkpoint.ts";
import { inTransaction, openReader } from "./database.ts";

/** A head that a signature vouches for. `head` null: there is a checkpoint, or there should be one, and it vouches for nothing. */
interface SignedTreeHead {
  head: TreeHead | null;
  where: string;
}

/** What rows are compared with. `vouched`: the last row that a signature vouches for. */
interface Evidence {
  heads: readonly SignedTreeHead[];
  vouched: number;
  bytesOf: (seq: number) => StoredBytes | null;
}

export interface LedgerOptions {
  /** The writer's connection. */
  db: Database;
  /** Sees committed rows only. */
  reader: Database;
  /** File of `db`, for the verifier's own connection. */
  path: string;
  /** File of the checkpoint kept outside the database. */
  checkpointPath: string;
  namespace: string;
  now: () => number;
  signer: CheckpointSigner;
}

const IN_DATABASE = "in the database";
const BESIDE = "in audit.note";
const CHECKPOINT_MODE = 0o600;

/** The checkpoint outside the database is written at most this often; the one inside, with every commit. */
const CHECKPOINT_FILE_INTERVAL_MS = 1_000;

/** How far a chain has come: its newest row, and how many it has. */
export interface ChainEnd {
  head: TreeHead;
  rows: number;
}

export class Ledger {
  /** With the rows of the open transaction, if there is one. */
  private end: ChainEnd;
  private committed: ChainEnd;
  private checkpointTimer: ReturnType<typeof setTimeout> | null = null;
  /** The last verification that was asked for. */
  private verifying: Promise<unknown> = Promise.resolve();
  /** Those that have not begun, by their part. */
  private readonly waiting = new Map<string, Promise<VerificationReport>>();
  /**
   * True when the checkpoints found at start contradict the table. They are evidence then: none is written
   * again, and new rows follow the newest head that was signed, so that a cut tail stays a gap.
   */
  private readonly tampered: boolean;

  constructor(private readonly options: LedgerOptions) {
    const last = this.lastRow();
    this.end = { head: last ?? GENESIS, rows: 0 };
    this.committed = this.end;
    const checkpoints = this.checkpoints();
    this.tampered =
      last === null ||
      checkpoints.some(({ head }) => head === null || this.hashAt(head.seq) !== head.row_hash) ||
      this.isUnsigned(last.seq, checkpoints);
    const head = this.tampered ? newest([this.end.head, ...checkpoints.flatMap(({ head }) => head ?? [])]) : this.end.head;
    // An untouched chain has a row for each number: its rows are counted only where it is not.
    this.end = { head, rows: (this.tampered ? this.count() : null) ?? head.seq };
    this.committed = this.end;
  }

  /** Appends inside a transaction that the caller holds open; durable when that commits. */
  append(event: AuditEvent): AuditRow {
    assert(this.options.db.inTransaction, "a row is appended in a transaction");
    const { namespace, now, db } = this.options;
    const { head, rows } = this.end;
    const row = sealRow(event, { seq: head.seq + 1, ts: now(), namespace, prev_hash: head.row_hash });
    insertRow(db, row);
    this.end = { head: { seq: row.seq, row_hash: row.row_hash }, rows: rows + 1 };
    return row;
  }

  /** How far the open transaction has come, for `restore`. */
  position(): ChainEnd {
    return this.end;
  }

  /** After a rollback to a savepoint: the rows since then are gone. */
  restore(end: ChainEnd): void {
    this.end = end;
  }

  /** Signs the head as the last act of a transaction that appended rows. */
  seal(): void {
    if (this.tampered || this.end === this.committed) return;
    this.keepInDatabase(this.end.head);
    this.checkpointTimer ??= setTimeout(() => this.writeCheckpointFile(), CHECKPOINT_FILE_INTERVAL_MS);
  }

  private keepInDatabase(head: TreeHead): void {
    const checkpoint = this.options.signer.sign(this.options.namespace, head);
    this.options.db.query("INSERT OR REPLACE INTO audit_head (only_row, note) VALUES (1, ?)").run(checkpoint);
  }

  /** Follows the end of a transaction. */
  settle(outcome: "committed" | "rolled back"): void {
    if (outcome === "committed") this.committed = this.end;
    else this.end = this.committed;
  }

  private transact<T>(work: () => T): T {
    try {
      const value = inTransaction(this.options.db, () => {
        const result = work();
        this.seal();
        return result;
      });
      this.settle("committed");
      return value;
    } catch (error) {
      this.settle("rolled back");
      throw error;
    }
  }

  /**
   * Begins an epoch under the signer's key, with a row that names the head and the key before it, unless it has begun.
   * `intact`: what verify says of the chain so far. What the checkpoints of a broken chain vouch for is only signed again: it
   * is the evidence, and the chain stays broken.
   */
  beginEpoch(principal_id: string, intact: boolean): void {
    const { signer, namespace, checkpointPath } = this.options;
    const vouched = new Map(this.checkpoints().map(({ where, head }) => [where, head]));
    const old_key_id = unverifiedHead(namespace, this.storedCheckpoint() ?? "")?.keyId ?? null;
    if (old_key_id !== signer.keyId) {
      const { seq: old_seq, row_hash: old_hash } = this.committed.head;
      const detail = { intact, old_seq, old_hash, old_key_id, new_key: signer.verifierKey };
      this.transact(() => {
        this.append({ principal_id, action: "audit.rekey", outcome: "ok", scope: null, target: null, detail });
        const kept = vouched.get(IN_DATABASE);
        if (this.tampered && kept) this.keepInDatabase(kept);
      });
    }
    const beside = this.tampered ? vouched.get(BESIDE) : this.committed.head;
    if (beside) writeDurably(checkpointPath, signer.sign(namespace, beside), CHECKPOINT_MODE);
  }

  page(limit: number, offset: number): AuditRow[] {
    const { namespace, reader } = this.options;
    // In a chain without gaps the offset tells the key.
    const rows = this.tampered
      ? reader.query("SELECT * FROM audit ORDER BY seq DESC LIMIT ? OFFSET ?").all(limit, offset)
      : reader.query("SELECT * FROM audit WHERE seq <= ? ORDER BY seq DESC LIMIT ?").all(this.committed.head.seq - offset, limit);
    return (rows as StoredRow[]).map((row) => readRow(namespace, row));
  }

  length(): number {
    return this.committed.rows;
  }

  countSince(actions: readonly string[], since: number): number {
    const sql = "SELECT count(*) AS n FROM audit WHERE seq >= ? AND ts >= ? AND outcome = 'ok' AND action IN (SELECT value FROM json_each(?))";
    return (this.options.reader.query(sql).get(this.firstSince(since), since, JSON.stringify(actions)) as { n: number }).n;
  }

  /** The first row at or after a time, by halving: rows are appended in the order of time. */
  private firstSince(since: number): number {
    const next = this.options.reader.query("SELECT ts FROM audit WHERE seq >= ? ORDER BY seq LIMIT 1");
    let low = 1;
    let high = this.committed.head.seq + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = next.get(middle) as { ts: number } | null;
      if (row !== null && row.ts < since) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** One at a time: whoever asks meanwhile waits, and all who wait for the same part share it. It sees what was there when they asked. */
  verify(part: ChainPart = WHOLE_CHAIN): Promise<VerificationReport> {
    const key = JSON.stringify(part);
    const shared = this.waiting.get(key);
    if (shared !== undefined) return shared;
    const begin = () => {
      this.waiting.delete(key);
      return this.verified(part);
    };
    const report = this.verifying.then(begin, begin);
    this.waiting.set(key, report);
    this.verifying = report;
    return report;
  }

  private async verified(part: ChainPart): Promise<VerificationReport> {
    const heads = [{ head: this.committed.head, where: "when it was last written" }, ...this.checkpoints()];
    const { after } = part;
    const { namespace } = this.options;
    const from = after.seq === 0 ? {} : { after: after.seq };
    const unknown = after.seq === 0 ? null : this.markFault(after, heads);
    if (unknown !== null)
      return { namespace, intact: false, checked: 0, head_seq: after.seq, head_hash: after.row_hash, break_at: after.seq, reason: unknown, ...from };
    const { head, fault, more } = await this.check(part, heads);
    const { seq, row_hash } = head;
    const reason = fault ?? (more ? null : this.endFault(head, heads));
    const intact = reason === null;
    const found = { checked: seq - after.seq, head_seq: seq, head_hash: row_hash, break_at: intact ? null : seq + 1, reason };
    return { namespace, intact, ...found, ...from, ...(more && { more }) };
  }

  close(): void {
    if (this.checkpointTimer === null) return;
    clearTimeout(this.checkpointTimer);
    this.writeCheckpointFile();
  }

  /**
   * The last row before the first fault, if there is one, or before the rest of the chain. `heads` begins with the one in memory, which
   * vouches for rows only when the checkpoints found at start agreed. Reads one snapshot, from the turn of the call, and
   * yields between chunks.
   */
  private async check({ after, limit }: ChainPart, heads: readonly SignedTreeHead[]): Promise<{ head: TreeHead; fault: string | null; more?: true }> {
    const vouched = newest(heads.slice(this.tampered ? 1 : 0).flatMap(({ head }) => head ?? [])).seq;
    const reader = openReader(this.options.path);
    let last: TreeHead = after;
    try {
      const bytesOf = (seq: number) => reader.query(BYTES_SQL).get(seq) as StoredBytes | null;
      const rows = after.seq === 0 ? reader.query(ALL_ROWS_SQL).iterate() : reader.query(ROWS_AFTER_SQL).iterate(after.seq);
      for (const row of rows as Iterable<StoredRow>) {
        if (last.seq - after.seq === limit) return { head: last, fault: null, more: true };
        const fault = this.faultOf(row, last, { heads, vouched, bytesOf });
        if (fault !== null) return { head: last, fault };
        last = { seq: row.seq, row_hash: row.row_hash };
        if (last.seq % AUDIT_VERIFY_CHUNK_ROWS === 0) await Bun.sleep(0);
      }
      return { head: last, fault: null };
    } catch {
      return { head: last, fault: "the row cannot be read from the database file" };
    } finally {
      reader.close();
    }
  }

  private faultOf(row: StoredRow, last: TreeHead, { heads, vouched, bytesOf }: Evidence): string | null {
    if (row.seq !== last.seq + 1) return "the sequence number does not follow the row before";
    if (row.prev_hash !== last.row_hash) return "prev_hash is not the hash of the row before";
    if (!isUntouched(this.options.namespace, row, bytesOf)) return "row hash does not match its content";
    const signed = heads.find(({ head }) => head?.seq === row.seq && head.row_hash !== row.row_hash);
    if (signed) return `row hash differs from the head signed ${signed.where}`;
    return row.seq > vouched ? "no signed head vouches for this row" : null;
  }

  /** What speaks against the row that a check is to go on from. */
  private markFault(after: TreeHead, heads: readonly SignedTreeHead[]): string | null {
    if (this.hashAt(after.seq) !== after.row_hash) return "the chain does not hold the row that the check was to go on from";
    const signed = heads.find(({ head }) => head?.seq === after.seq && head.row_hash !== after.row_hash);
    return signed === undefined ? null : `row hash differs from the head signed ${signed.where}`;
  }

  private endFault(last: TreeHead, heads: readonly SignedTreeHead[]): string | null {
    const cut = heads.find(({ head }) => head !== null && head.seq > last.seq);
    if (cut) return `rows up to ${cut.head?.seq} were signed ${cut.where}, but the chain ends before`;
    const bad = heads.find(({ head }) => head === null);
    if (bad) return `the signed head ${bad.where} is missing or its signature does not match`;
    return this.isUnsigned(last.seq, heads) ? `the head signed ${IN_DATABASE} is older than the chain` : null;
  }

  /** The checkpoints that vouch for the chain, in the database and beside it; an empty chain needs none. */
  private checkpoints(): SignedTreeHead[] {
    const { namespace, signer, checkpointPath } = this.options;
    const checkpoints: SignedTreeHead[] = [];
    const stored = this.storedCheckpoint();
    if (stored !== null || this.committed.head.seq > 0)
      checkpoints.push({ head: stored === null ? null : signer.open(namespace, stored), where: IN_DATABASE });
    if (existsSync(checkpointPath)) checkpoints.push({ head: signer.open(namespace, readFileSync(checkpointPath, "utf8")), where: BESIDE });
    return checkpoints;
  }

  private storedCheckpoint(): string | null {
    const row = this.readable(() => this.options.db.query("SELECT note FROM audit_head").get() as { note: string } | null);
    return row?.note ?? null;
  }

  /** True when the checkpoint in the database, which every commit rewrites, is older than the last row. */
  private isUnsigned(lastSeq: number, checkpoints: readonly SignedTreeHead[]): boolean {
    return checkpoints.some(({ head, where }) => where === IN_DATABASE && head !== null && head.seq < lastSeq);
  }

  /** Best effort: the head inside the database is the one that every commit carries. */
  private writeCheckpointFile(): void {
    this.checkpointTimer = null;
    const { checkpointPath, namespace, signer } = this.options;
    try {
      // Flushed before it takes its name: an empty checkpoint after a power cut would look like tampering.
      replaceFile(checkpointPath, signer.sign(namespace, this.committed.head), CHECKPOINT_MODE);
    } catch {
      // A full disk fails the next append with a clear error; here nothing was acknowledged.
    }
  }

  private hashAt(seq: number): string | null {
    if (seq === 0) return GENESIS.row_hash;
    return this.readable(() => {
      const row = this.options.db.query("SELECT row_hash FROM audit WHERE seq = ?").get(seq) as { row_hash: string } | null;
      return row?.row_hash ?? null;
    });
  }

  /** The head of an empty chain too; null when the newest row cannot be read. */
  private lastRow(): TreeHead | null {
    const sql = "SELECT seq, row_hash FROM audit ORDER BY seq DESC LIMIT 1";
    const last = this.readable(() => (this.options.db.query(sql).get() as TreeHead | null) ?? GENESIS);
    // A damaged record may hold values of any type.
    return last !== null && Number.isSafeInteger(last.seq) && typeof last.row_hash === "string" ? last : null;
  }

  private count(): number | null {
    return this.readable(() => (this.options.db.query("SELECT count(*) AS n FROM audit").get() as { n: number }).n);
  }

  /** Null when the rows are damaged: the service still starts, so that verify can say where. */
  private readable<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_CORRUPT")) return null;
      throw error;
    }
  }
}

function newest(heads: readonly TreeHead[]): TreeHead {
  return heads.reduce((most, head) => (head.seq > most.seq ? head : most), GENESIS);
}

/** A namespace store with an audit chain, opened and closed at will, without engines. */
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AuditEvent, GENESIS_HASH, rowHash, type ChainPart, type VerificationReport } from "../../src/domain/audit.ts";
import { CATALOG_SCHEMA } from "../../src/adapter/sqlite/catalog-schema.ts";
import { type DataDirectory, type NamespacePaths, openDataDirectory, prepareNamespace } from "../../src/adapter/sqlite/data-directory.ts";
import { openDatabase } from "../../src/adapter/sqlite/database.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { openRows } from "../support/rows.ts";

export const NAMESPACE = "audited";
const FIRST_MS = 1_767_225_600_000;

export function event(index: number, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    principal_id: `person-${index % 3}`,
    action: index % 2 === 0 ? "search" : "unit.get",
    outcome: index % 7 === 0 ? "denied" : "ok",
    scope: index % 4 === 0 ? null : `team/project-${index % 5}`,
    target: index % 2 === 0 ? null : `u_${"a".repeat(32)}`,
    detail: { index, note: `row ${index}`, share: index / 8, last: index % 2 === 0, nothing: null },
    ...more,
  };
}

export class ChainFixture {
  readonly root = temporaryDirectory();
  readonly data: DataDirectory;
  readonly paths: NamespacePaths;
  private clock = FIRST_MS;

  constructor() {
    this.data = openDataDirectory(this.root, () => this.clock);
    this.paths = this.data.namespacePaths(NAMESPACE);
  }

  open(): ReturnType<typeof openRows> {
    return openRows(this.data, NAMESPACE, { now: () => (this.clock += 7) });
  }

  /** Appends rows, closes the store, and leaves one file without a log beside it. */
  async build(events: readonly AuditEvent[]): Promise<void> {
    const store = this.open();
    for (const one of events) await store.ledger.append(one);
    await store.close();
    if (existsSync(`${this.paths.catalog}-wal`)) throw new Error("the log was not folded into the file");
  }

  /** Writes rows of the first form into a catalog as it was when there was no other, with their head signed. */
  buildFirstForm(events: readonly AuditEvent[]): void {
    prepareNamespace(this.paths);
    const before = CATALOG_SCHEMA.migrations.findIndex((sql) => sql.includes("content_hash"));
    const db = openDatabase(this.paths.catalog, { name: "an old catalog", migrations: CATALOG_SCHEMA.migrations.slice(0, before) });
    let head = { seq: 0, row_hash: GENESIS_HASH };
    for (const one of events) {
      this.clock += 7;
      const unsealed = { seq: head.seq + 1, ts: this.clock, namespace: NAMESPACE, ...one, prev_hash: head.row_hash };
      const { seq, ts, principal_id, action, outcome, scope, target, detail, prev_hash } = unsealed;
      head = { seq, row_hash: rowHash(unsealed) };
      const json = [scope, target, detail].map((value) => JSON.stringify(value)) as [string, string, string];
      db.query("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
        seq,
        ts,
        principal_id,
        action,
        outcome,
        ...json,
        prev_hash,
        head.row_hash,
      );
    }
    db.query("INSERT INTO audit_head VALUES (1, ?)").run(this.data.signer.sign(NAMESPACE, head));
    db.close();
  }

  /** Runs SQL behind the service's back, without the triggers. */
  tamper(...statements: readonly string[]): void {
    const db = new Database(this.paths.catalog, { strict: true });
    const triggers = db.query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as { name: string; sql: string }[];
    for (const { name } of triggers) db.run(`DROP TRIGGER ${name}`);
    for (const sql of statements) db.run(sql);
    for (const { sql } of triggers) db.run(sql);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
  }

  async verify(part?: ChainPart): Promise<VerificationReport> {
    const store = this.open();
    try {
      return await store.ledger.verify(part);
    } finally {
      await store.close();
    }
  }

  read(): Buffer {
    return readFileSync(this.paths.catalog);
  }

  /** Puts a file in place of the catalog; nothing of the old one stays. */
  replace(file: Buffer): void {
    for (const suffix of ["-wal", "-shm"]) rmSync(`${this.paths.catalog}${suffix}`, { force: true });
    writeFileSync(this.paths.catalog, file);
  }

  copyNote(to: string): void {
    copyFileSync(this.paths.checkpoint, to);
  }

  close(): void {
    this.data.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/**
 * A namespace's store on SQLite: one connection writes, another reads what is committed (WAL). Transactions that wait share a
 * commit, each in a savepoint of its own, so that it fails alone; one fsync makes all of them durable.
 */
import { Database, SQLiteError } from "bun:sqlite";
import { Fault } from "../../base/fault.ts";
import { COMMIT_MAX_BYTES, INGEST_QUEUE_MAX_BYTES } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { machineFault } from "../../base/machine.ts";
import type { StorageFailure } from "../../domain/health.ts";
import type { Outbox } from "../../domain/port/outbox.ts";
import type { Committed, NamespaceReader, NamespaceStore, NamespaceTransactor } from "../../domain/port/store.ts";
import { promised } from "../../base/promised.ts";
import { CATALOG_SCHEMA } from "./catalog-schema.ts";
import { AFTER_DAMAGE, explainSqlite, isDamage, openDatabase, openReader } from "./database.ts";
import { ACTIVE } from "./files.ts";
import { Ledger, type LedgerOptions } from "./ledger.ts";
import { type CatalogOptions, revisionOf, type Tables, tablesOf } from "./tables.ts";

interface Waiting {
  bytes: number;
  work: (tx: NamespaceTransactor) => Promise<unknown>;
  resolve: (committed: Committed<unknown>) => void;
  reject: (error: unknown) => void;
}

export interface SqliteStoreOptions extends CatalogOptions, Omit<LedgerOptions, "db" | "reader"> {
  log: Log;
  /** Neither makes the file nor brings it to this version. */
  asItIs?: boolean;
  /** Told of each failure of the file, and of each transaction that was stored. */
  noted?: (state: StorageFailure | "stored") => void;
}

interface Connections {
  db: Database;
  /** Sees committed rows only. */
  reader: Database;
  ledger: Ledger;
}

/** What the catalog of a namespace is called in messages. */
export function catalogName(namespace: string): string {
  return `the catalog of namespace ${namespace}`;
}

/** Opens the catalog of a namespace. Errors: StartError. */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { path, namespace, asItIs = false } = options;
  const name = catalogName(namespace);
  const db = openDatabase(path, { name, ...CATALOG_SCHEMA }, { asItIs });
  let reader: Database | null = null;
  try {
    reader = openReader(path);
    const store = new SqliteStore(options, { db, reader, ledger: new Ledger({ ...options, db, reader }) });
    // Whoever had a lease is gone: this process holds the data directory.
    if (!asItIs) db.run(`UPDATE job SET lease = NULL, lease_until = NULL WHERE ${ACTIVE} AND lease IS NOT NULL`);
    return store;
  } catch (error) {
    reader?.close();
    db.close();
    throw explainSqlite(error, name);
  }
}

/** Whether the catalog at `path` has jobs that are not finished. Errors: those of SQLite. */
export function hasActiveJobs(path: string): boolean {
  // A connection that may write leaves no files of the log behind.
  const db = new Database(path, { readwrite: true, strict: true });
  try {
    return db.query(`SELECT 1 FROM job WHERE ${ACTIVE} LIMIT 1`).get() !== null;
  } finally {
    db.close();
  }
}

const MIB = 1024 * 1024;
const DAMAGED = `the catalog of the namespace is damaged, and this needs a part that cannot be read; ${AFTER_DAMAGE}`;

export class SqliteStore implements NamespaceStore {
  readonly namespace: string;
  readonly reader: NamespaceReader;
  readonly outbox: Outbox;
  private readonly tables: Tables;
  private readonly queue: Waiting[] = [];
  private queuedBytes = 0;
  private running: Promise<void> | null = null;
  private closed = false;
  private readonly explainRead = (error: unknown) => this.explain(error, "read");
  private changed: (uids: readonly number[]) => void = () => {};

  constructor(
    private readonly options: Pick<SqliteStoreOptions, "namespace" | "now" | "model" | "log" | "noted">,
    private readonly connections: Connections,
  ) {
    this.namespace = options.namespace;
    this.tables = tablesOf(connections.db, options);
    const committed = tablesOf(connections.reader, options);
    this.reader = this.view(committed, connections.reader);
    this.outbox = this.outboxOf(committed);
  }

  transact<T>(work: (tx: NamespaceTransactor) => Promise<T>, bytes = 0): Promise<Committed<T>> {
    if (this.closed) return Promise.reject(new Fault("unavailable", "the service is stopping"));
    if (bytes > 0 && this.queuedBytes > 0 && this.queuedBytes + bytes > INGEST_QUEUE_MAX_BYTES) {
      const limit = `more than ${INGEST_QUEUE_MAX_BYTES / MIB} MiB wait to be written; send it again in a moment`;
      return Promise.reject(new Fault("unavailable", limit));
    }
    return new Promise<Committed<T>>((resolve, reject) => {
      this.queue.push({ bytes, work, resolve: resolve as Waiting["resolve"], reject });
      this.queuedBytes += bytes;
      this.start();
    });
  }

  watch(changed: (uids: readonly number[]) => void): void {
    this.changed = changed;
  }

  /** As Ledger.beginEpoch, for whoever works alone. */
  beginEpoch(principal_id: string, intact: boolean): void {
    this.connections.ledger.beginEpoch(principal_id, intact);
  }

  async close(): Promise<void> {
    this.closed = true;
    while (this.running !== null) await this.running;
    const { db, reader, ledger } = this.connections;
    ledger.close();
    reader.close();
    db.close();
  }

  /** A transaction may arrive between the last look at the queue and the end of the loop: it starts the next one. */
  private start(): void {
    this.running ??= this.drain().finally(() => {
      this.running = null;
      if (this.queue.length > 0) this.start();
    });
  }

  private async drain(): Promise<void> {
    // Transactions of the same turn of the event loop share the first commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.queue.length > 0) await this.commit(this.take());
  }

  private take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const waiting of this.queue) {
      if (count > 0 && bytes + waiting.bytes > COMMIT_MAX_BYTES) break;
      bytes += waiting.bytes;
      count += 1;
    }
    this.queuedBytes -= bytes;
    return this.queue.splice(0, count);
  }

  private async commit(batch: readonly Waiting[]): Promise<void> {
    const { db, ledger } = this.connections;
    const { log, namespace } = this.options;
    const answers: (() => void)[] = [];
    let stored = false;
    try {
      db.run("BEGIN IMMEDIATE");
      for (const { work, resolve, reject } of batch) {
        const { value, error } = await this.apart(work);
        stored ||= error === undefined;
        answers.push(error === undefined ? () => resolve({ value, revision }) : () => reject(error.cause));
      }
      const revision = revisionOf(db);
      ledger.seal();
      db.run("COMMIT");
      ledger.settle("committed");
    } catch (cause) {
      if (db.inTransaction) db.run("ROLLBACK");
      ledger.settle("rolled back");
      this.tables.access.forget();
      log.error("a transaction failed; nothing was stored", { namespace, error: cause });
      const fault = isDamage(cause) ? this.explain(cause, "written") : this.failed(cause, "written");
      for (const { reject } of batch) reject(fault);
      return;
    }
    if (this.tables.touched.size > 0) this.changed([...this.tables.touched]);
    this.tables.touched.clear();
    if (stored) this.options.noted?.("stored");
    for (const answer of answers) answer();
  }

  /** Runs one transaction of a batch; what it throws undoes it alone. */
  private async apart(work: Waiting["work"]): Promise<{ value?: unknown; error?: { cause: unknown } }> {
    const { db, ledger } = this.connections;
    const before = ledger.position();
    let ended = false;
    const usable = () => {
      if (ended) throw new Error("a transaction is used after its end");
    };
    db.run("SAVEPOINT one");
    try {
      const value = await work(this.view(this.tables, db, usable));
      db.run("RELEASE one");
      return { value };
    } catch (cause) {
      // After some failures of the disk SQLite has undone everything by itself, and no savepoint is left.
      if (!db.inTransaction) throw cause;
      db.run("ROLLBACK TO one");
      db.run("RELEASE one");
      ledger.restore(before);
      this.tables.access.forget();
      return { error: { cause: this.explain(cause, "written") } };
    } finally {
      ended = true;
    }
  }

  /** What an error of SQLite is to whoever asked: `unavailable`, with the reason, for damage and what the machine lacks. */
  private explain(cause: unknown, what: "read" | "written"): unknown {
    if (!(cause instanceof SQLiteError)) return cause;
    if (!isDamage(cause)) return machineFault(cause) === null ? cause : this.failed(cause, what);
    const { log, namespace, noted } = this.options;
    log.error("the catalog is damaged", { namespace, error: cause });
    noted?.("damaged");
    return new Fault("unavailable", DAMAGED, { cause });
  }

  private failed(cause: unknown, what: "read" | "written"): Fault {
    this.options.noted?.(what === "read" ? "not read" : "not written");
    const lack = machineFault(cause);
    const reason = `the catalog cannot be ${what}${lack === null ? "" : `: ${lack}`}`;
    return new Fault("unavailable", what === "read" ? reason : `${reason}; nothing was stored`, { cause });
  }

  /** All tables as the ports show them. */
  private view(tables: Tables, db: Database, usable?: () => void): NamespaceTransactor {
    const explain = usable === undefined ? this.explainRead : undefined;
    return {
      units: promised(tables.units, usable, explain),
      embeddings: promised(tables.embeddings, usable, explain),
      features: promised(tables.features, usable, explain),
      access: promised(tables.access, usable, explain),
      files: promised(tables.files, usable, explain),
      jobs: promised(tables.jobs, usable, explain),
      idempotency: promised(tables.idempotency, usable, explain),
      ledger: promised(this.connections.ledger, usable, explain),
      revision: promised({ revision: () => revisionOf(db) }, usable, explain).revision,
    };
  }

  private outboxOf(committed: Tables): Outbox {
    const { outbox } = this.tables;
    type Write = "take" | "putBack" | "done" | "removed" | "again" | "setAside";
    const write =
      (name: Write) =>
      async (...args: unknown[]) => {
        await this.transact(async () => (outbox[name] as (...all: unknown[]) => void).apply(outbox, args));
      };
    const { waiting, pendingUids, removals, taken, quarantined, settledRows } = promised(committed.outbox, undefined, this.explainRead);
    const reads = {
      waiting,
      pending: promised(committed.units, undefined, this.explainRead).pending,
      pendingUids,
      removals,
      taken,
      quarantined,
      settledRows,
    };
    const writes = { take: write("take"), putBack: write("putBack"), done: write("done"), removed: write("removed") };
    return { ...reads, ...writes, again: write("again"), setAside: write("setAside") };
  }
}

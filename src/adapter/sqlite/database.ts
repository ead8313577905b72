/** Opens SQLite files the one way this service uses them: WAL, synced commits, a checked version. */
import { Database, SQLiteError } from "bun:sqlite";
import { HeldError, LostError, StartError } from "../../base/fault.ts";

/** "Stra" in ASCII: tells our files from other SQLite files. */
const APPLICATION_ID = 0x53747261;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 16_384;
/** Statements that a connection keeps compiled: the catalog's writer has 52. Bun keeps 20. */
Database.MAX_QUERY_CACHE_SIZE = 128;

export interface Schema {
  /** What the file is, in messages for the operator. */
  name: string;
  /** SQL that leads from version n to n + 1; the number of entries is the current version. */
  migrations: readonly string[];
}

function pragma(db: Database, name: string): unknown {
  return Object.values(db.query(`PRAGMA ${name}`).get() as Record<string, unknown>)[0];
}

/** The version of a file that is ours, 0 when it is new. Errors: StartError, before anything is written. */
function versionOf(db: Database, schema: Schema): number {
  const version = pragma(db, "user_version") as number;
  const isNew = version === 0 && db.query("SELECT 1 FROM sqlite_schema LIMIT 1").get() === null;
  if (!isNew && pragma(db, "application_id") !== APPLICATION_ID) {
    throw new StartError(`${schema.name} is a SQLite file of another program; nothing was changed.`);
  }
  refuseNewer(schema, version);
  return version;
}

/** Errors: StartError for a version that this build does not know. */
export function refuseNewer(schema: Schema, version: number): void {
  const current = schema.migrations.length;
  if (version <= current) return;
  throw new StartError(
    `${schema.name} was written by a newer strata (format ${version}, this one knows ${current}); nothing was changed. Use the newer executable.`,
  );
}

function damaged(name: string, cause?: unknown): StartError {
  return new StartError(`${name} is damaged; nothing was changed. Restore the data directory from a backup.`, { cause });
}

function migrate(db: Database, schema: Schema, version: number): void {
  if (version === schema.migrations.length) return;
  db.transaction(() => {
    for (const sql of schema.migrations.slice(version)) db.run(sql);
    db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.run(`PRAGMA user_version = ${schema.migrations.length}`);
  }).immediate();
}

function refuseOlder(schema: Schema, version: number): void {
  const current = schema.migrations.length;
  if (version === current) return;
  throw new StartError(`${schema.name} has format ${version}; nothing was changed. The next start of strata serve brings it to format ${current}.`);
}

/** What to do about a damaged file, in answers of a running service. */
export const AFTER_DAMAGE = "stop the service, see strata doctor, and restore the data directory from a backup";

/** Whether `error`, or what caused it, is damage to a file of SQLite, or its loss. */
export function isDamage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = cause instanceof SQLiteError ? (cause.code ?? "") : "";
    if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB" || cause instanceof LostError) return true;
  }
  return false;
}

/** What went wrong with a file, in words an operator can act on. */
export function explainSqlite(error: unknown, name: string): StartError {
  if (error instanceof StartError) return error;
  const code = error instanceof SQLiteError ? (error.code ?? "") : ((error as NodeJS.ErrnoException)?.code ?? "");
  const say = (what: string) => new StartError(`${name} ${what}`, { cause: error });
  if (isDamage(error)) return damaged(name, error);
  if (code.startsWith("SQLITE_BUSY") || code === "SQLITE_LOCKED") return new HeldError(`${name} is held by another process.`, { cause: error });
  if (code === "SQLITE_FULL" || code === "ENOSPC") return say("cannot be written: the disk is full. Free some space and start again.");
  if (code.startsWith("SQLITE_READONLY") || code === "EROFS" || code === "EACCES" || code === "EPERM") {
    return say("cannot be written: no permission, or the disk is read-only.");
  }
  if (code.startsWith("SQLITE_CANTOPEN") || code.startsWith("SQLITE_IOERR")) {
    return say("cannot be opened: the data directory may be read-only, full or on a failing disk.");
  }
  return say(`cannot be used: ${error instanceof Error ? error.message : String(error)}`);
}

/**
 * Opens (and makes) the file at `path` for writing. Commits are synced (`synchronous=FULL`). `asItIs`: neither makes it nor
 * brings it to this version.
 * Errors: StartError when it is damaged, locked, read-only or from a newer version.
 */
export function openDatabase(path: string, schema: Schema, options: { exclusive?: boolean; asItIs?: boolean } = {}): Database {
  try {
    const db = new Database(path, { create: !options.asItIs, readwrite: true, strict: true });
    try {
      db.run(`PRAGMA busy_timeout = ${options.exclusive ? 0 : BUSY_TIMEOUT_MS}`);
      if (options.exclusive) db.run("PRAGMA locking_mode = EXCLUSIVE");
      const version = versionOf(db, schema);
      if (options.asItIs) refuseOlder(schema, version);
      db.run("PRAGMA journal_mode = WAL");
      db.run("PRAGMA synchronous = FULL");
      db.run("PRAGMA foreign_keys = ON");
      db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
      migrate(db, schema, version);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw explainSqlite(error, schema.name);
  }
}

/** A second, read-only connection to a file that is open for writing: long scans leave the writer alone. */
export function openReader(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true });
  db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/** Runs `work` in one synchronous transaction that takes the write lock at once. */
export function inTransaction<T>(db: Database, work: () => T): T {
  return db.transaction(work).immediate();
}

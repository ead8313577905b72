/**
 * The directory as its port shows it. `system.db` is held exclusively, so that there is one connection: while a transaction
 * is open, whoever else asks waits for its end, and sees what it committed.
 */
import type { Database } from "bun:sqlite";
import { Fault } from "../../base/fault.ts";
import { promised } from "../../base/promised.ts";
import type { Directory, DirectoryTransactor } from "../../domain/port/directory.ts";
import { AFTER_DAMAGE, isDamage } from "./database.ts";
import type { DirectoryTables } from "./directory.ts";

export function directoryOf(db: Database, tables: DirectoryTables): Directory {
  /** The transaction that is open. */
  let open: Promise<unknown> | null = null;
  const waiting = new Proxy(tables, {
    get:
      (target, name) =>
      async (...args: unknown[]) => {
        while (open !== null) await open;
        try {
          return await (Reflect.get(target, name) as (...args: unknown[]) => unknown).apply(target, args);
        } catch (error) {
          throw explain(error);
        }
      },
  });
  return Object.assign(Object.create(waiting as object) as Omit<Directory, "transact">, {
    async transact<T>(work: (tx: DirectoryTransactor) => Promise<T>): Promise<T> {
      while (open !== null) await open;
      const run = transact(db, tables, work);
      open = run.then(
        () => (open = null),
        () => (open = null),
      );
      return run;
    },
  });
}

/** Damage is said with what to do; what the machine lacks is explained above. */
function explain(cause: unknown): unknown {
  return isDamage(cause) ? new Fault("unavailable", `system.db is damaged; ${AFTER_DAMAGE}`, { cause }) : cause;
}

async function transact<T>(db: Database, tables: DirectoryTables, work: (tx: DirectoryTransactor) => Promise<T>): Promise<T> {
  let ended = false;
  const usable = () => {
    if (ended) throw new Error("a transaction is used after its end");
  };
  db.run("BEGIN IMMEDIATE");
  try {
    const value = await work(promised(tables, usable));
    db.run("COMMIT");
    return value;
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    throw explain(error);
  } finally {
    ended = true;
  }
}

/**
 * The directory as its port shows it. `system.db` is held exclusively, so that there is one connection: while a transaction
 * is open, whoever else asks waits for its end, and sees what it committed.
 */
import type { Database } from "bun:sqlite";
import { promised } from "../../base/promised.ts";
import type { Directory as DirectoryPort, DirectoryTransactor } from "../../domain/port/directory.ts";
import type { Directory as DirectoryTables } from "./directory.ts";

/** Waits in turns: `alone` runs when nothing else does. */
class Turns {
  private open: Promise<unknown> | null = null;

  async idle(): Promise<void> {
    while (this.open !== null) await this.open;
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.idle();
    const run = work();
    this.open = run.catch(() => {}).finally(() => {
      this.open = null;
    });
    return run;
  }
}

export function directoryOf(db: Database, tables: DirectoryTables): DirectoryPort {
  const turns = new Turns();
  const waiting = new Proxy(tables, {
    get: (target, name) => async (...args: unknown[]) => {
      await turns.idle();
      return (Reflect.get(target, name) as (...args: unknown[]) => unknown).apply(target, args);
    },
  });
  return Object.assign(Object.create(waiting as object) as Omit<DirectoryPort, "transact">, {
    transact: <T>(work: (tx: DirectoryTransactor) => Promise<T>) => turns.alone(() => transact(db, tables, work)),
  });
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
    throw error;
  } finally {
    ended = true;
  }
}

/** Opening a data directory for commands that need no engines. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { HeldError, StartError } from "../base/fault.ts";
import { type DataDirectory, openDataDirectory } from "../adapter/sqlite/data-directory.ts";

export type { SqliteStore } from "../adapter/sqlite/namespace-store.ts";
export { beginEpoch, finishEpoch } from "../adapter/sqlite/audit-key.ts";
export type { DataDirectory };

/** Refuses a directory without strata data, which opening it would make: a mistyped path is no new deployment. */
export function requireData(path: string): void {
  if (existsSync(join(path, "system.db"))) return;
  throw new StartError(`no strata data in ${resolve(path)}; name the data directory with --data, or make it with strata serve or strata seed`);
}

export interface DataOptions {
  /** Makes the directory when there is none. */
  create?: boolean;
  /** True for a command that a server cannot be asked for. */
  alone?: boolean;
  /** Where the key of the audit chains comes from, instead of `audit.key`. */
  openKey?: Parameters<typeof openDataDirectory>[2];
}

/** Opens, works and closes, whatever the work does. Errors: StartError. */
export async function withData<T>(path: string, options: DataOptions, work: (data: DataDirectory) => T | Promise<T>): Promise<T> {
  if (!options.create) requireData(path);
  const data = options.alone ? openAlone(path, options.openKey) : openDataDirectory(path, systemClock, options.openKey);
  try {
    return await work(data);
  } finally {
    data.close();
  }
}

function openAlone(path: string, openKey: DataOptions["openKey"]): DataDirectory {
  try {
    return openDataDirectory(path, systemClock, openKey);
  } catch (error) {
    throw explainAlone(path, error);
  }
}

/** The advice to use --url leads nowhere for a command that has no such flag. */
export function explainAlone(path: string, error: unknown): unknown {
  if (!(error instanceof HeldError)) return error;
  return new StartError(`data directory ${resolve(path)} is in use by another strata process, and this command needs it alone: stop that first`, {
    cause: error,
  });
}

/** Opening a data directory for commands that need no engines. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { HeldError, LostError, StartError } from "../base/fault.ts";
import { type Log, silentLog } from "../base/log.ts";
import { type DataDirectory, type NamespacePaths, openDataDirectory, prepareNamespace } from "../adapter/sqlite/data-directory.ts";
import { explainHeld, forgetServer, holdingServer, serverText } from "./server-file.ts";
import { catalogName, hasActiveJobs, openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "../adapter/sqlite/namespace-store.ts";
import { languageOf } from "../domain/principal.ts";
import { modelFor, modelManifest, type MultilingualEntry, type TextEmbeddingEntry } from "../runtime/model-manifest.ts";
import { ENGLISH, type Language } from "../text/language.ts";

export { beginEpoch, finishEpoch } from "../adapter/sqlite/audit-key.ts";
export type { DataDirectory, SqliteStore };

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
  const data = options.alone ? openAlone(path, options.openKey) : openUnserved(path, systemClock, options.openKey);
  try {
    return await work(data);
  } finally {
    data.close();
  }
}

/** Opens and locks a data directory, where no server listens then. Errors: StartError that says which server holds it. */
export function openUnserved(path: string, now: () => number, openKey?: DataOptions["openKey"]): DataDirectory {
  let data: DataDirectory;
  try {
    data = openDataDirectory(path, now, openKey);
  } catch (error) {
    throw explainHeld(path, error);
  }
  try {
    forgetServer(data.root);
    return data;
  } catch (error) {
    data.close();
    throw error;
  }
}

function openAlone(path: string, openKey: DataOptions["openKey"]): DataDirectory {
  try {
    return openUnserved(path, systemClock, openKey);
  } catch (error) {
    throw explainAlone(path, error);
  }
}

/** The advice to use --url leads nowhere for a command that has no such flag. */
export function explainAlone(path: string, error: unknown): unknown {
  if (!(error instanceof HeldError)) return error;
  const server = holdingServer(path);
  const holder = server === null ? "in use by another strata process" : `held by ${serverText(server)}`;
  return new StartError(`data directory ${resolve(path)} is ${holder}, and this command needs it alone: stop that first`, { cause: error });
}

export interface StoreOptions {
  now?: () => number;
  log?: Log;
  /** Of the vectors, those of this model are read and written: by default this build's for the language of the namespace. */
  model?: string;
  /** As openDataDirectory. */
  asItIs?: boolean;
  /** As SqliteStoreOptions. */
  noted?: NonNullable<SqliteStoreOptions["noted"]>;
}

/** False when the catalog of a namespace has no job to go on with; true for one that cannot tell, which opening it will. */
export function hasJobs(path: string): boolean {
  try {
    return existsSync(path) && hasActiveJobs(path);
  } catch {
    return true;
  }
}

/** The encoder of a language, by the manifest. */
export function modelOf(language: Language): TextEmbeddingEntry | MultilingualEntry {
  return modelFor(modelManifest(), language === ENGLISH ? "text-embedding" : "multilingual-embedding");
}

/**
 * A catalog that is gone is not made anew: everything else in its folder would count as left over, uploads too. A namespace that
 * was never opened has neither a signed note nor uploads. Errors: LostError.
 */
function refuseLost({ root, catalog, checkpoint, objects }: NamespacePaths, namespace: string): void {
  const uploads = () => existsSync(objects) && readdirSync(objects).length > 0;
  if (existsSync(catalog) || !(existsSync(checkpoint) || uploads())) return;
  const lost = `${catalogName(namespace)} is missing, and what is stored beside it stays as it is.`;
  throw new LostError(`${lost} Put catalog.db back from a backup, or move ${root} away to begin the namespace anew.`);
}

/** Opens what SQLite keeps of a namespace. Errors: StartError. */
export function openNamespaceStore(data: DataDirectory, namespace: string, options: StoreOptions = {}): SqliteStore {
  const paths = data.namespacePaths(namespace);
  refuseLost(paths, namespace);
  if (!options.asItIs) prepareNamespace(paths);
  const { catalog: path, checkpoint: checkpointPath } = paths;
  const model = options.model ?? modelOf(languageOf(data.tables.namespace(namespace) ?? { namespace, tier: "free" })).name;
  return openSqliteStore({ now: systemClock, log: silentLog, ...options, model, path, checkpointPath, namespace, signer: data.signer });
}

/** Opens the store of a namespace, works and closes, whatever the work does. Errors: StartError. */
export async function withStore<T>(
  data: DataDirectory,
  namespace: string,
  work: (store: SqliteStore) => Promise<T>,
  options?: StoreOptions,
): Promise<T> {
  const store = openNamespaceStore(data, namespace, options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

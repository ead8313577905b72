/**
 * The layout of a data directory, and its lock: `system.db` is held exclusively by one process, and
 * the kernel lets go of it however that process ends.
 *
 *     system.db  audit.key  server.json  runtime/  tmp/
 *     namespaces/<name>/  catalog.db  audit.note  vectors/  fulltext/  objects/
 */
import type { Database } from "bun:sqlite";
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { HeldError, StartError } from "../../base/fault.ts";
import { openAuditKey } from "./audit-key.ts";
import type { Directory } from "../../domain/port/directory.ts";
import { DIRECTORY_SCHEMA, DirectoryTables } from "./directory.ts";
import { directoryOf } from "./directory-store.ts";
import type { CheckpointSigner } from "./checkpoint.ts";
import { CATALOG_SCHEMA } from "./catalog-schema.ts";
import { explainSqlite, openDatabase, refuseNewer } from "./database.ts";

const PRIVATE_MODE = 0o700;

export interface NamespacePaths {
  root: string;
  catalog: string;
  checkpoint: string;
  vectors: string;
  fulltext: string;
  objects: string;
}

export interface DataDirectory {
  readonly root: string;
  readonly directory: Directory;
  /** The same, for whoever works alone. */
  readonly tables: DirectoryTables;
  readonly signer: CheckpointSigner;
  namespacePaths(namespace: string): NamespacePaths;
  close(): void;
}

export function runtimeDirectory(root: string): string {
  return join(resolve(root), "runtime");
}

/** Where libraries may put temporary files; `TMPDIR` of the process points here. */
export function temporaryDirectory(root: string): string {
  return join(resolve(root), "tmp");
}

/**
 * Removes what is in `tmp/`: whoever holds the lock is the only one to use it, and has not begun. A link in its place is left
 * alone, since what it leads to may be somebody else's. Errors: those of the file system.
 */
export function clearTemporary(root: string): void {
  const folder = temporaryDirectory(root);
  if (!lstatSync(folder).isDirectory()) return;
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

function refuse(root: string, what: string, cause?: unknown): never {
  throw new StartError(`data directory ${root} ${what}`, { cause });
}

/** A directory without `system.db` is made ours when it is empty, or has what an executable unpacked and nothing else of ours. */
function refuseWithout(root: string, found: ReadonlySet<string>): void {
  if (["namespaces", "audit.key"].some((name) => found.has(name)))
    refuse(root, "has lost system.db, which says whose namespaces and tokens these are; put it back from a backup");
  if (found.size > 0 && !found.has("runtime")) refuse(root, "is not empty and holds no strata data; name another one with --data");
}

/** Makes the directory with mode 0700 when it is missing, unless it stays as it is; refuses what is not ours or not writable. */
function prepareDataDirectory(path: string, asItIs: boolean): string {
  const root = resolve(path);
  try {
    if (asItIs || existsSync(root)) {
      if (!existsSync(join(root, "system.db"))) refuseWithout(root, new Set(readdirSync(root)));
      accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
    } else {
      mkdirSync(root, { recursive: true, mode: PRIVATE_MODE });
      chmodSync(root, PRIVATE_MODE);
    }
    if (!asItIs) mkdirSync(temporaryDirectory(root), { recursive: true, mode: PRIVATE_MODE });
    return root;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOSPC") refuse(root, "cannot be written: the disk is full. Free some space and start again", error);
    if (code === "ENOTDIR" || code === "EEXIST") refuse(root, "is not a directory", error);
    return refuse(root, "cannot be written: no permission, or the disk is read-only", error);
  }
}

function openLocked(root: string, asItIs: boolean): Database {
  try {
    return openDatabase(join(root, "system.db"), DIRECTORY_SCHEMA, { exclusive: true, asItIs });
  } catch (error) {
    if (!(error instanceof HeldError)) throw error;
    throw new HeldError(`data directory ${root} is in use by another strata process; stop it, or reach it with --url and --token`, { cause: error });
  }
}

/** The lock lasts as long as its handle, so no handle may be collected before it is closed. */
const held = new Set<Database>();

/**
 * Opens and locks the data directory, with the key that `openKey` finds or makes. `asItIs`: makes nothing that is missing
 * and migrates nothing. Errors: StartError, one line, nothing changed.
 */
export function openDataDirectory(path: string, now: () => number, openKey = openAuditKey, { asItIs = false } = {}): DataDirectory {
  const root = prepareDataDirectory(path, asItIs);
  const db = openLocked(root, asItIs);
  held.add(db);
  const close = () => {
    held.delete(db);
    db.close();
  };
  try {
    const tables = new DirectoryTables(db, now);
    noteCatalogFormat(root, tables, asItIs);
    return {
      root,
      directory: directoryOf(db, tables),
      tables,
      signer: openKey(root, tables),
      namespacePaths: (namespace) => namespacePaths(root, namespace),
      close,
    };
  } catch (error) {
    close();
    throw explainSqlite(error, "data directory");
  }
}

/**
 * One number in `system.db` stands for the versions of all catalogs, so that a start of an older build is refused without
 * looking at each. Errors: StartError.
 */
function noteCatalogFormat(root: string, tables: DirectoryTables, asItIs: boolean): void {
  const known = CATALOG_SCHEMA.migrations.length;
  const format = tables.catalogFormat();
  refuseNewer({ name: `data directory ${root}`, ...CATALOG_SCHEMA }, format);
  if (!asItIs && format < known) tables.setCatalogFormat(known);
}

function namespacePaths(root: string, namespace: string): NamespacePaths {
  const base = join(root, "namespaces", namespace);
  return {
    root: base,
    catalog: join(base, "catalog.db"),
    checkpoint: join(base, "audit.note"),
    vectors: join(base, "vectors"),
    fulltext: join(base, "fulltext"),
    objects: join(base, "objects"),
  };
}

/** Makes the directories of a namespace that are missing. */
export function prepareNamespace({ vectors, fulltext, objects }: NamespacePaths): void {
  for (const directory of [vectors, fulltext, objects]) mkdirSync(directory, { recursive: true, mode: PRIVATE_MODE });
}

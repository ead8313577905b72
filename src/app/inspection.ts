/** The composition root of `strata doctor`: opens a data directory to look at it, and makes, mends and replays nothing. */
import { join } from "node:path";
import { modelOf, withStore } from "./data.ts";
import { systemClock } from "../base/clock.ts";
import { LostError } from "../base/fault.ts";
import { silentLog } from "../base/log.ts";
import { examine, type IndexReport } from "../core/index/check.ts";
import type { IndexName } from "../domain/port/index.ts";
import type { ObjectStore } from "../domain/port/objects.ts";
import type { NamespaceStore } from "../domain/port/store.ts";
import { languageOf, type Namespace } from "../domain/principal.ts";
import { borrowAssets } from "../runtime/assets.ts";
import { Objects } from "../adapter/disk/objects.ts";
import { FullTextEngine } from "../adapter/tantivy/full-text-index.ts";
import { createVectorEngine, type VectorModel } from "../adapter/lancedb/vector-index.ts";
import { provideAddons, setNativeEnvironment } from "../runtime/native.ts";
import { isDamage, openReader } from "../adapter/sqlite/database.ts";
import { openDataDirectory, runtimeDirectory, temporaryDirectory } from "../adapter/sqlite/data-directory.ts";

/** A namespace as it lies on the disk. */
export interface NamespaceInspection {
  store: NamespaceStore;
  objects: ObjectStore;
  /** What SQLite finds wrong with the catalog; empty when it is whole. */
  catalogFaults(): string[];
  /** Compares every index with the catalog. Errors: Fault `unavailable` for what the machine refuses. */
  indexes(): Promise<IndexReport[]>;
}

export interface Inspection {
  namespaces: Namespace[];
  /** What `work` finds, or `damaged` of what SQLite finds where a damaged catalog ends it. Errors: those of `work` otherwise; StartError. */
  inspect<T>(namespace: Namespace, work: (found: NamespaceInspection) => Promise<T>, damaged: (catalogFaults: string[]) => T): Promise<T>;
  close(): Promise<void>;
}

/** `runtime`: as AppOptions. Errors: StartError, as App.open, and for a directory of an older format. */
export async function openInspection(path: string, runtime: string | null): Promise<Inspection> {
  const data = openDataDirectory(path, systemClock, undefined, { asItIs: true });
  const borrowed = await borrowAssets(runtime ?? runtimeDirectory(data.root), temporaryDirectory(data.root)).catch((error: unknown) => {
    data.close();
    throw error;
  });
  setNativeEnvironment("TMPDIR", temporaryDirectory(data.root));
  provideAddons(borrowed.paths.addons);
  const fulltext = new FullTextEngine({ addonPath: borrowed.paths.addons.tantivy, log: silentLog });
  const vectors = createVectorEngine({ log: silentLog });
  return {
    namespaces: data.tables.namespaces(),
    async inspect(known, work, damaged) {
      const { namespace } = known;
      const { name, dims } = modelOf(languageOf(known));
      const model: VectorModel = { model: name, dims };
      const paths = data.namespacePaths(namespace);
      const objects = new Objects(paths.objects);
      const indexOf = (target: IndexName) =>
        target === "fulltext" ? fulltext.inspect(paths.fulltext, languageOf(known)) : vectors.inspect(join(paths.vectors, target), target, model);
      const look = (store: NamespaceStore) =>
        work({ store, objects, catalogFaults: () => quickCheck(paths.catalog), indexes: () => examine(store, indexOf) });
      try {
        return await withStore(data, namespace, look, { asItIs: true });
      } catch (error) {
        if (!isDamage(error)) throw error;
        const found = error instanceof LostError ? [error.message] : quickCheck(paths.catalog);
        return damaged(found.length > 0 ? found : ["a part of it cannot be read"]);
      }
    },
    async close() {
      await fulltext.close();
      await borrowed.release();
      data.close();
    },
  };
}

/** What `PRAGMA quick_check` finds; empty when the file is whole. */
function quickCheck(path: string): string[] {
  const reader = openReader(path);
  try {
    const rows = reader.query("PRAGMA quick_check").values() as [string][];
    return rows.map(([line]) => line).filter((line) => line !== "ok");
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    reader.close();
  }
}

/** The namespaces that are open: opened on first use, a bounded number of them, those in use and those used last. */
import { rmSync } from "node:fs";
import { DamageFault, Fault } from "../base/fault.ts";
import { KeptOpen } from "../base/kept-open.ts";
import { NAMESPACE_WAIT_MS } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { machineFault } from "../base/machine.ts";
import { Indexer } from "../core/index/indexer.ts";
import { reembed } from "../core/index/reembed.ts";
import type { Tenant, WithTenant } from "../core/tenant.ts";
import type { StorageFailure } from "../domain/health.ts";
import { PLANES, type Plane } from "../domain/plane.ts";
import type { Encoder, EncoderInfo } from "../domain/port/encoder.ts";
import type { IndexName } from "../domain/port/index.ts";
import type { NamespaceReader, NamespaceStore } from "../domain/port/store.ts";
import type { VectorIndex } from "../domain/port/vector-index.ts";
import { languageOf, type Namespace } from "../domain/principal.ts";
import { AFTER_DAMAGE, isDamage } from "../adapter/sqlite/database.ts";
import { Objects } from "../adapter/disk/objects.ts";
import { ResidentFeatureIndex } from "../adapter/resident/feature-index.ts";
import { ResidentVectorIndex } from "../adapter/resident/vector-index.ts";
import type { DataDirectory } from "../adapter/sqlite/data-directory.ts";
import { multilingualEntry, WITHOUT_MULTILINGUAL } from "../runtime/multilingual-model.ts";
import { ENGLISH } from "../text/language.ts";
import type { Engines } from "./engines.ts";
import { openNamespaceStore } from "./data.ts";

export interface TenantsOptions {
  data: DataDirectory;
  engines: Engines;
  log: Log;
  now: () => number;
  onReplay: (namespace: string, units: number) => void;
  /** Told of each namespace before anybody works in it. */
  opened: (tenant: Tenant) => Promise<void>;
  /** How many may be open at once. */
  max: number;
}

/** Says what the operator can mend. Why a namespace did not open otherwise is its cause, which the log has. */
export class NotOpened extends Fault {
  constructor(cause: unknown) {
    const lack = isDamage(cause) ? `its catalog is damaged; ${AFTER_DAMAGE}` : machineFault(cause);
    super("unavailable", `the namespace cannot be opened${lack === null ? "; the log of the service says why" : `: ${lack}`}`, { cause });
  }
}

interface OpenTenant {
  tenant: Tenant;
  close(): Promise<void>;
}

export class Tenants {
  private readonly kept: KeptOpen<OpenTenant>;
  /** Namespaces whose objects were swept: what needs it was left by an earlier process. */
  private readonly swept = new Set<string>();

  /** What failed last in a namespace, also in one that is not open now. */
  private readonly failures = new Map<string, StorageFailure>();

  constructor(private readonly options: TenantsOptions) {
    this.kept = new KeptOpen({ max: options.max, waitMs: NAMESPACE_WAIT_MS });
  }

  /** As WithTenant. Errors: NotOpened; `unavailable` when too many are in use; those of `work`. */
  readonly during: WithTenant = (namespace, work) =>
    this.kept.during(
      namespace.namespace,
      () => this.openLogged(namespace),
      ({ tenant }) => work(asAsked(tenant, namespace)),
    );

  /** A namespace that stays open until all are closed. Errors: as `during`. */
  async keep(namespace: Namespace): Promise<Tenant> {
    const { tenant } = await this.kept.keep(namespace.namespace, () => this.openLogged(namespace));
    return asAsked(tenant, namespace);
  }

  /** Those that are open. */
  values(): Tenant[] {
    return this.kept.values().map(({ tenant }) => tenant);
  }

  /** What is wrong with the storage of some namespace; null: nothing that is known. */
  get failure(): StorageFailure | null {
    return this.failures.values().next().value ?? null;
  }

  /** How many are open. */
  get size(): number {
    return this.kept.size;
  }

  get max(): number {
    return this.kept.max;
  }

  /** Closes all of them, and opens none any more. */
  close(): Promise<void> {
    return this.kept.close();
  }

  /** Remembers a failure until the same works again. Damage stays: what else can be read and written says nothing about it. */
  private note(namespace: string, state: StorageFailure | "opened" | "stored"): void {
    const before = this.failures.get(namespace);
    if (state === "stored" || state === "opened") {
      const mended = before !== "damaged" && (state === "stored" || before !== "not written");
      if (mended) this.failures.delete(namespace);
    } else if (before !== "damaged" || state === "not opened") this.failures.set(namespace, state);
  }

  /** Errors: NotOpened. */
  private async openLogged(namespace: Namespace): Promise<OpenTenant> {
    try {
      const opened = await this.open(namespace);
      this.note(namespace.namespace, "opened");
      return opened;
    } catch (error) {
      this.note(namespace.namespace, "not opened");
      this.options.log.error("a namespace cannot be opened; the next request for it tries again", { namespace: namespace.namespace, error });
      throw new NotOpened(error);
    }
  }

  private async open(asked: Namespace): Promise<OpenTenant> {
    const { data, engines, log, now, onReplay } = this.options;
    await engines.verified();
    const namespace = data.tables.namespace(asked.namespace) ?? asked;
    const language = languageOf(namespace);
    const encoder = language === ENGLISH ? engines.inference.encoder : (engines.inference.multilingual ?? WITHOUT_ENCODER);
    const store = openNamespaceStore(data, namespace.namespace, { now, log, noted: (state) => this.note(namespace.namespace, state) });
    const parts: { close(): Promise<void> }[] = [store];
    const close = async () => {
      for (const part of parts.toReversed()) {
        await part.close().catch((error: unknown) => log.warn("a part of a namespace cannot be closed", { namespace: namespace.namespace, error }));
      }
    };
    try {
      const paths = data.namespacePaths(namespace.namespace);
      await this.replaceForeignVectors(store, encoder, paths.vectors);
      const fulltext = await this.openIndex("fulltext", store, paths.fulltext, (directory) => engines.fulltext.open(directory, language));
      parts.push(fulltext);
      const vectors: Partial<Record<Plane, VectorIndex>> = {};
      for (const plane of PLANES) {
        const index = await this.openPlane(store, encoder.info, paths.vectors, plane);
        vectors[plane] = index;
        parts.push(index);
      }
      const indexes = { vectors: vectors as Record<Plane, VectorIndex>, fulltext };
      const { reader } = store;
      const features = new ResidentFeatureIndex(reader, { memory: engines.vectorMemory, log });
      store.watch((uids) => features.changed(uids));
      parts.push(features);
      const indexer = new Indexer({ store, ...indexes, log });
      parts.push(indexer);
      await indexer.replay((units) => onReplay(namespace.namespace, units));
      const objects = new Objects(paths.objects);
      if (!this.swept.has(namespace.namespace)) parts.push(this.sweep(namespace.namespace, objects, reader));
      const tenant: Tenant = { namespace, store, reader, objects, ...indexes, features, indexer, ...(language === ENGLISH ? {} : { encoder }) };
      await this.options.opened(tenant);
      return { tenant, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Removes objects that no file has, beside everything else; closing ends it. */
  private sweep(namespace: string, objects: Objects, { files }: NamespaceReader): { close(): Promise<void> } {
    const stop = new AbortController();
    const swept = objects
      .sweep((sha256) => files.usesObject(sha256), stop.signal)
      .then(() => stop.signal.aborted || this.swept.add(namespace))
      .catch((error: unknown) => this.options.log.warn("objects without a file cannot be removed", { namespace, error }));
    const close = async () => {
      stop.abort();
      await swept;
    };
    return { close };
  }

  /** Vectors of another model than this build's are made again, with their tables: they have nothing to do with each other. */
  private async replaceForeignVectors(store: NamespaceStore, encoder: Encoder, directory: string): Promise<void> {
    const { namespace, reader } = store;
    if (!(await reader.embeddings.foreign())) return;
    this.options.log.warn("vectors of another model are made again", { namespace, model: encoder.info.model });
    for (const plane of PLANES) rmSync(`${directory}/${plane}`, { recursive: true, force: true });
    await reembed(store, encoder, (texts) => this.options.onReplay(namespace, texts));
  }

  private async openPlane(store: NamespaceStore, model: EncoderInfo, directory: string, plane: Plane): Promise<VectorIndex> {
    const { vectorMemory: memory } = this.options.engines;
    const vectors = await this.options.engines.vectors();
    const table = await this.openIndex(plane, store, `${directory}/${plane}`, (path) => vectors.open(path, plane, model));
    return new ResidentVectorIndex(table, { dims: model.dims, memory, log: this.options.log });
  }

  /**
   * Opens an index; one that is damaged is thrown away and built again from the catalog, which holds everything it needs.
   * Errors: StartError for a newer version; Fault `unavailable` for what the machine refuses: nothing was changed.
   */
  private async openIndex<T>(target: IndexName, store: NamespaceStore, directory: string, open: (path: string) => Promise<T>): Promise<T> {
    try {
      return await open(directory);
    } catch (error) {
      if (!(error instanceof DamageFault)) throw error;
      this.options.log.warn("an index is damaged and is built again", { namespace: store.namespace, index: target, error: error.cause });
      rmSync(directory, { recursive: true, force: true });
      await store.outbox.again(target, "all");
      return open(directory);
    }
  }
}

/** In place of the multilingual encoder in a build without it: its namespaces open, and full text goes on. */
const { name: model, dims, max_tokens: maxTokens } = multilingualEntry();
const WITHOUT_ENCODER: Encoder = {
  info: { model, dims, maxTokens, floor: null },
  encode: () => Promise.reject(new Fault("unavailable", WITHOUT_MULTILINGUAL, { retry: "never" })),
  ready: () => true,
  close: async () => {},
};

/** The tier is the caller's: it may have changed since the namespace was opened. */
function asAsked(tenant: Tenant, namespace: Namespace): Tenant {
  return { ...tenant, namespace: { ...namespace, language: languageOf(tenant.namespace) } };
}

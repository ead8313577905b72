/** The composition root: builds the stores, the engines and the use cases, and takes them down in reverse. */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { systemClock } from "../base/clock.ts";
import { DamageFault, Fault, StartError } from "../base/fault.ts";
import {
  FULLTEXT_MEMORY_SHARE,
  FULLTEXT_POSTINGS_BYTES,
  HEAPS_MIN,
  MEDIA_PROCESSES_MAX,
  NAMESPACE_DESCRIPTORS,
  OPENING_MAX,
  VECTOR_MEMORY_SHARE,
} from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { machineFault } from "../base/machine.ts";
import { once } from "../base/once.ts";
import { VERSION } from "../base/version.ts";
import { demoData } from "../core/demo/demo.ts";
import { type Health, healthOf } from "../domain/health.ts";
import { CachedReranker, QueryEncoder } from "../core/search/models.ts";
import { Indexer } from "../core/index/indexer.ts";
import { reembed } from "../core/index/reembed.ts";
import { answerQuestion } from "../core/answer/question.ts";
import { SeedRuns } from "../core/demo/seed-runs.ts";
import type { Services } from "../core/services.ts";
import type { Tenant } from "../core/tenant.ts";
import { PLANES, type Plane } from "../domain/plane.ts";
import type { NamespaceReader, NamespaceStore } from "../domain/port/store.ts";
import type { VectorIndex } from "../domain/port/vector-index.ts";
import type { Encoder, EncoderInfo } from "../domain/port/encoder.ts";
import { languageOf, type Namespace } from "../domain/principal.ts";
import { ENGLISH } from "../text/language.ts";
import { prepareAssets } from "../runtime/assets.ts";
import type { ChatEndpoint } from "../domain/port/chat-model.ts";
import { createChat } from "../adapter/chat/chat-endpoint.ts";
import { FullTextEngine } from "../adapter/tantivy/full-text-index.ts";
import { type Inference, startInference } from "../inference/inference.ts";
import { contentLabels } from "../media/labels.ts";
import { LabelIndex } from "../core/search/features.ts";
import { unreadableKinds } from "../media/sandbox/memory-budget.ts";
import { createExtractor, type MediaExtractor } from "../media/extractor.ts";
import { JobRunner } from "../core/jobs/runner.ts";
import { Objects } from "../adapter/disk/objects.ts";
import { createVectorEngine, type VectorEngine } from "../adapter/lancedb/vector-index.ts";
import { ResidentVectorIndex, VectorMemory } from "../adapter/resident/vector-index.ts";
import { defaultMemoryBytes } from "../runtime/memory.ts";
import { modelManifest } from "../runtime/model-manifest.ts";
import { modelCards } from "./models.ts";
import { multilingualEntry, WITHOUT_MULTILINGUAL } from "../runtime/multilingual-model.ts";
import { limitHeaps, provideAddons, setNativeEnvironment } from "../runtime/native.ts";
import type { IndexName } from "../domain/port/index.ts";
import { clearTemporary, type DataDirectory, runtimeDirectory, temporaryDirectory } from "../adapter/sqlite/data-directory.ts";
import { openNamespaceStore, openUnserved, refuseCatalog } from "./data.ts";

export { findFfmpeg } from "../media/video/ffmpeg.ts";

export interface AppOptions {
  data: string;
  log: Log;
  now?: () => number;
  /** Progress of bringing indexes up to the catalog, in Units of one namespace. */
  onReplay?: (namespace: string, units: number) => void;
  /** The chat endpoint that may write answers; null or absent: none. */
  llm?: ChatEndpoint | null;
  /** Path of ffmpeg; null or absent: there is none, and video is refused. */
  ffmpeg?: string | null;
  /** Bytes that reading files may take, with previews and ffmpeg; null or absent: half of what the machine has. */
  memory?: number | null;
  /** Where the native libraries and the models are unpacked, or lie already; null or absent: in the data directory. */
  runtime?: string | null;
  /** False for all but a server: jobs that were not finished, and copies of other builds, wait for the next one. */
  resumeJobs?: boolean;
}

/** What holds where AppOptions say nothing. */
const DEFAULTS = { now: systemClock, onReplay: () => {}, llm: null, ffmpeg: null, memory: null, runtime: null, resumeJobs: true };

interface Engines {
  /** Resolves once the libraries and models are known to be those of this build: nothing of them is loaded before. Errors: StartError. */
  verified(): Promise<void>;
  inference: Inference;
  /** Loads LanceDB. */
  vectors(): Promise<VectorEngine>;
  vectorMemory: VectorMemory;
  fulltext: FullTextEngine;
  extractor: MediaExtractor;
}

interface OpenTenant {
  tenant: Tenant;
  close(): Promise<void>;
}

/** The running service, with or without a listener in front of it. */
export class App {
  private readonly tenants = new Map<string, Promise<OpenTenant>>();
  /** Those of `tenants` that are open. */
  private readonly open = new Set<Tenant>();
  private closing = false;
  readonly jobs: JobRunner;
  /** What operations work with. A listener that others can reach trusts no published token. */
  readonly services: Services;

  private constructor(
    readonly data: DataDirectory,
    readonly engines: Engines,
    private readonly options: Required<AppOptions>,
  ) {
    const { encoder, reranker, entailment } = engines.inference;
    const { extractor } = engines;
    this.jobs = new JobRunner({ extractor, encoder, log: options.log, workers: mediaWorkers() });
    const openTenant = (namespace: Namespace) => this.tenant(namespace).catch((error: unknown) => this.notOpened(namespace, error));
    const { directory } = data;
    this.services = {
      version: VERSION,
      directory,
      encoder,
      models: {
        queries: new QueryEncoder(encoder, once(labelIndex)),
        reranker: new CachedReranker(reranker),
        entailment,
        chat: options.llm === null ? null : createChat(options.llm),
      },
      modelCards: modelCards(),
      extractor,
      jobs: this.jobs,
      seeding: new SeedRuns({ directory, openTenant, encoder }, demoData),
      answerQuestion,
      trustSeeded: true,
      now: options.now,
      health: () => this.health(),
      openTenant,
    };
  }

  /** Locks the data directory, starts the engines and brings every index up to its catalog. Errors: StartError. */
  static async open(given: AppOptions): Promise<App> {
    const app = await App.begin(given);
    try {
      const [failed] = await app.finishStart();
      if (failed !== undefined) throw startError(failed);
      return app;
    } catch (error) {
      await app.close();
      throw error;
    }
  }

  /**
   * Locks the data directory and looks at the head of every catalog: requests can be taken, and wait for the engines and the
   * namespace that they need. A seeding that was cut short is finished here, since nobody is to see half of one. `finishStart`
   * does the rest. Errors: StartError.
   */
  static async begin(given: AppOptions): Promise<App> {
    const options = { ...DEFAULTS, ...given };
    const data = lock(options);
    let app: App;
    try {
      for (const { namespace } of data.tables.namespaces()) refuseCatalog(data.namespacePaths(namespace).catalog, namespace);
      app = new App(data, await startEngines(data, options), options);
    } catch (error) {
      data.close();
      throw error;
    }
    await app.finishSeeding();
    return app;
  }

  /**
   * Checks the engines, and opens every namespace, which goes on with its work. Returns why namespaces did not open: they are
   * tried again when somebody asks for them. Errors: StartError when the engines are not those of this build, or fail.
   */
  async finishStart(): Promise<unknown[]> {
    await this.engines.verified();
    const namespaces = await this.data.directory.namespaces();
    const opening = someAtOnce(namespaces, OPENING_MAX, (namespace) => this.tenant(namespace));
    const [opened] = await Promise.all([opening, this.engines.inference.selfTested()]);
    return opened.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  }

  /** Errors: Fault `unavailable`. */
  private notOpened({ namespace }: Namespace, error: unknown): never {
    this.options.log.error("a namespace cannot be opened", { namespace, error });
    throw new Fault("unavailable", "the namespace cannot be opened; the log of the service says why", { cause: error });
  }

  /** A demo that cannot be finished, on a full disk for one, keeps nobody from the rest: it is tried again on the next start. */
  private async finishSeeding(): Promise<void> {
    const { log } = this.options;
    try {
      if (await this.services.seeding.finish()) log.info("a seeding that was cut short is finished");
    } catch (error) {
      log.error("a seeding that was cut short cannot be finished", { error });
    }
  }

  /** The store of a namespace, opened once. */
  async tenant(namespace: Namespace): Promise<Tenant> {
    if (this.closing) throw new Fault("unavailable", "the service is stopping");
    let opening = this.tenants.get(namespace.namespace);
    if (opening === undefined) {
      opening = this.openTenant(namespace);
      this.tenants.set(namespace.namespace, opening);
      opening.catch(() => this.tenants.delete(namespace.namespace));
    }
    // The tier is the caller's: it may have changed since the store was opened.
    const { tenant } = await opening;
    return { ...tenant, namespace: { ...namespace, language: languageOf(tenant.namespace) } };
  }

  /** Asks no engine: it answers whatever else is going on. */
  private health(): Health {
    const tenants = [...this.open];
    return healthOf({
      inference: this.services.encoder.ready(),
      planes: PLANES.filter((plane) => tenants.every(({ vectors }) => vectors[plane].working())),
      fulltext: this.engines.fulltext.ready() && tenants.every(({ fulltext }) => fulltext.working()),
    });
  }

  /** About how many descriptors the open namespaces have. */
  descriptors(): number {
    return this.tenants.size * NAMESPACE_DESCRIPTORS;
  }

  /** Finishes what is queued, closes the stores, lets go of the lock. */
  async close(): Promise<void> {
    this.closing = true;
    // First of all, since what they read ends with them: their jobs go on at the next start.
    await Promise.all([this.jobs.close(), this.engines.extractor.close()]);
    for (const opening of this.tenants.values()) await opening.then((open) => open.close()).catch(() => {});
    await Promise.all([this.engines.fulltext.close(), this.engines.inference.close()]);
    this.data.close();
  }

  private async openTenant(asked: Namespace): Promise<OpenTenant> {
    const { log, now } = this.options;
    await this.engines.verified();
    const namespace = this.data.tables.namespace(asked.namespace) ?? asked;
    const language = languageOf(namespace);
    const encoder = language === ENGLISH ? this.services.encoder : (this.engines.inference.multilingual ?? WITHOUT_ENCODER);
    const store = openNamespaceStore(this.data, namespace.namespace, { now, log });
    const parts: { close(): Promise<void> }[] = [store];
    const close = async () => {
      for (const part of parts.toReversed()) await part.close();
    };
    try {
      const paths = this.data.namespacePaths(namespace.namespace);
      await this.replaceForeignVectors(store, encoder, paths.vectors);
      const fulltext = await this.openIndex("fulltext", store, paths.fulltext, (directory) => this.engines.fulltext.open(directory, language));
      parts.push(fulltext);
      const vectors: Partial<Record<Plane, VectorIndex>> = {};
      for (const plane of PLANES) {
        const index = await this.openPlane(store, encoder.info, paths.vectors, plane);
        vectors[plane] = index;
        parts.push(index);
      }
      const indexes = { vectors: vectors as Record<Plane, VectorIndex>, fulltext };
      const indexer = new Indexer({ store, ...indexes, log });
      parts.push(indexer);
      await indexer.replay((units) => this.options.onReplay(namespace.namespace, units));
      const { reader } = store;
      const objects = new Objects(paths.objects);
      parts.push(this.sweep(namespace.namespace, objects, reader));
      const tenant: Tenant = { namespace, store, reader, objects, ...indexes, indexer, ...(language === ENGLISH ? {} : { encoder }) };
      this.open.add(tenant);
      if (this.options.resumeJobs) await this.jobs.resume(tenant);
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
    const { vectorMemory: memory } = this.engines;
    const vectors = await this.engines.vectors();
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

/** Opens the data directory and clears away what a process left there that was killed while it held the lock. Errors: StartError. */
function lock({ data: path, now, log }: Required<AppOptions>): DataDirectory {
  const data = openUnserved(path, now);
  try {
    clearTemporary(data.root);
  } catch (error) {
    log.warn("what earlier processes left in tmp/ cannot be removed", { error });
  }
  return data;
}

/** In place of the multilingual encoder in a build without it: its namespaces open, and full text goes on. */
const { name: model, dims, max_tokens: maxTokens } = multilingualEntry();
const WITHOUT_ENCODER: Encoder = {
  info: { model, dims, maxTokens, floor: null },
  encode: () => Promise.reject(new Fault("unavailable", WITHOUT_MULTILINGUAL, { retry: "never" })),
  ready: () => true,
  close: async () => {},
};

/** What an operator reads when an index does not open, or the catalog cannot be brought into it. */
function startError(error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  const reason = machineFault(error) ?? (error.cause instanceof Error ? error.cause.message : "no reason is known");
  return new StartError(`${error.message}: ${reason}`.replaceAll(/\s+/g, " "), { cause: error });
}

/** Works on these, some at a time. */
async function someAtOnce<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = [];
  for (let at = 0; at < items.length; at += atOnce) results.push(...(await Promise.allSettled(items.slice(at, at + atOnce).map(work))));
  return results;
}

/** Files that are read at once. */
function mediaWorkers(): number {
  return Math.min(availableParallelism(), MEDIA_PROCESSES_MAX);
}

async function startEngines(data: DataDirectory, { log, ffmpeg, memory, runtime, resumeJobs }: Required<AppOptions>): Promise<Engines> {
  const memoryBytes = memory ?? defaultMemoryBytes();
  limitHeaps(Math.max(HEAPS_MIN, availableParallelism()));
  // For native code; what JavaScript assigns to process.env does not reach it.
  setNativeEnvironment("TMPDIR", temporaryDirectory(data.root));
  setNativeEnvironment("LANCE_INCLUDE_VECTOR_CENTROIDS", "false");
  // What other builds unpacked into the data directory goes; a folder of the operator's is theirs.
  const { paths, verify: verified } = await prepareAssets(runtime ?? runtimeDirectory(data.root), { removeOthers: resumeJobs && runtime === null });
  provideAddons(paths.addons);
  const inference = startInference({ paths, verified, manifest: modelManifest(), workers: availableParallelism(), log });
  const extractor = createExtractor({ addons: paths.addons, workers: mediaWorkers(), temporary: temporaryDirectory(data.root), ffmpeg, memoryBytes });
  const unreadable = unreadableKinds(memoryBytes);
  if (unreadable.length > 0) log.warn("there is too little memory to read some kinds of files", { memory_bytes: memoryBytes, kinds: unreadable });
  const fulltext = new FullTextEngine({
    addonPath: paths.addons.tantivy,
    postingsBytes: Math.min(FULLTEXT_POSTINGS_BYTES, memoryBytes * FULLTEXT_MEMORY_SHARE),
    log,
  });
  const vectors = once(async () => createVectorEngine({ log }));
  return { verified, inference, vectors, vectorMemory: new VectorMemory(memoryBytes * VECTOR_MEMORY_SHARE), fulltext, extractor };
}

/** The labels of pictures and sounds; null in a build without their models. */
async function labelIndex(): Promise<LabelIndex | null> {
  const labels = await contentLabels();
  return labels && new LabelIndex(labels);
}

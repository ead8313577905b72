/** The composition root: builds the stores, the engines and the use cases, and takes them down in reverse. */
import { systemClock } from "../base/clock.ts";
import { Fault, StartError } from "../base/fault.ts";
import { NAMESPACE_DESCRIPTORS, OPENING_MAX } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { machineFault } from "../base/machine.ts";
import { once } from "../base/once.ts";
import { VERSION } from "../base/version.ts";
import { demoData } from "../core/demo/demo.ts";
import { type Health, healthOf } from "../domain/health.ts";
import { CachedReranker, QueryEncoder } from "../core/search/models.ts";
import { answerQuestion } from "../core/answer/question.ts";
import { SeedRuns } from "../core/demo/seed-runs.ts";
import type { Services } from "../core/services.ts";
import type { Tenant } from "../core/tenant.ts";
import { PLANES } from "../domain/plane.ts";
import type { Namespace } from "../domain/principal.ts";
import type { ChatEndpoint } from "../domain/port/chat-model.ts";
import { createChat } from "../adapter/chat/chat-endpoint.ts";
import { contentLabels } from "../media/labels.ts";
import { LabelIndex } from "../core/search/features.ts";
import { JobRunner } from "../core/jobs/runner.ts";
import { modelCards } from "./models.ts";
import { clearTemporary, type DataDirectory } from "../adapter/sqlite/data-directory.ts";
import { hasJobs, openUnserved } from "./data.ts";
import { type Engines, mediaWorkers, startEngines } from "./engines.ts";
import { NotOpened, Tenants } from "./tenants.ts";

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
  /** Namespaces that may be open at once; null or absent: as many as the machine has room for. */
  namespacesOpen?: number | null;
  /** False for all but a server: jobs that were not finished, and copies of other builds, wait for the next one. */
  resumeJobs?: boolean;
}

/** What holds where AppOptions say nothing. */
const DEFAULTS = {
  now: systemClock,
  onReplay: () => {},
  llm: null,
  ffmpeg: null,
  memory: null,
  runtime: null,
  namespacesOpen: null,
  resumeJobs: true,
};

/** The running service, with or without a listener in front of it. */
export class App {
  private readonly tenants: Tenants;
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
    const opened = async (tenant: Tenant) => {
      if (options.resumeJobs) await this.jobs.resume(tenant);
    };
    const { log, now, onReplay } = options;
    this.tenants = new Tenants({ data, engines, log, now, onReplay, opened, max: options.namespacesOpen ?? engines.namespacesMax });
    const { during: withTenant } = this.tenants;
    this.jobs = new JobRunner({ withTenant, extractor, encoder, log, workers: mediaWorkers() });
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
      seeding: new SeedRuns({ directory, withTenant, encoder }, demoData),
      answerQuestion,
      trustSeeded: true,
      now,
      health: () => this.health(),
      withTenant,
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
   * Locks the data directory: requests can be taken, and wait for the engines and the namespace that they need. A seeding that
   * was cut short is finished here, since nobody is to see half of one. `finishStart` does the rest. Errors: StartError.
   */
  static async begin(given: AppOptions): Promise<App> {
    const options = { ...DEFAULTS, ...given };
    const data = lock(options);
    let app: App;
    try {
      app = new App(data, await startEngines(data, options), options);
    } catch (error) {
      data.close();
      throw error;
    }
    await app.finishSeeding();
    return app;
  }

  /**
   * Checks the engines, and opens the namespaces, which go on with their work; where there are more than may be open at once,
   * those alone that have jobs. Returns why namespaces did not open: they are tried again when somebody asks for them. Errors:
   * StartError when the engines are not those of this build, or fail.
   */
  async finishStart(): Promise<unknown[]> {
    await this.engines.verified();
    const all = await this.data.directory.namespaces();
    const due = all.length <= this.tenants.max ? all : await this.withJobs(all);
    const opening = someAtOnce(due, OPENING_MAX, (namespace) => this.tenants.during(namespace, async () => {}));
    const [opened] = await Promise.all([opening, this.engines.inference.selfTested()]);
    return opened.flatMap((one) => (one.status === "rejected" ? [one.reason instanceof NotOpened ? one.reason.cause : one.reason] : []));
  }

  /** Those of these namespaces with jobs to go on with. */
  private async withJobs(namespaces: readonly Namespace[]): Promise<Namespace[]> {
    if (!this.options.resumeJobs) return [];
    const found: Namespace[] = [];
    for (const namespace of namespaces) {
      // Each takes about a millisecond.
      await Bun.sleep(0);
      if (hasJobs(this.data.namespacePaths(namespace.namespace).catalog)) found.push(namespace);
    }
    return found;
  }

  /** A namespace that stays open until the end, for whoever works alone. Errors: as opening it. */
  tenant(namespace: Namespace): Promise<Tenant> {
    return this.tenants.keep(namespace);
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

  /** Asks no engine: it answers whatever else is going on. */
  private health(): Health {
    const tenants = this.tenants.values();
    return healthOf({
      inference: this.services.encoder.ready(),
      planes: PLANES.filter((plane) => tenants.every(({ vectors }) => vectors[plane].working())),
      catalog: this.tenants.failure,
      fulltext: this.engines.fulltext.ready() && tenants.every(({ fulltext }) => fulltext.working()),
    });
  }

  /** About how many descriptors the open namespaces have. */
  descriptors(): number {
    return this.tenants.size * NAMESPACE_DESCRIPTORS;
  }

  /** Finishes what is queued, closes the stores, lets go of the lock. */
  async close(): Promise<void> {
    // First of all, since what they read ends with them: their jobs go on at the next start.
    await Promise.all([this.jobs.close(), this.engines.extractor.close()]);
    await this.tenants.close();
    await Promise.all([this.engines.fulltext.close(), this.engines.inference.close()]);
    this.data.close();
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

/** The labels of pictures and sounds; null in a build without their models. */
async function labelIndex(): Promise<LabelIndex | null> {
  const labels = await contentLabels();
  return labels && new LabelIndex(labels);
}

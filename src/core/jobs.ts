/**
 * Works on files: a queue for each namespace, in turn, as many files at once as there are processes for it. What is
 * stored of a file and how far its job is are one transaction, so that a job goes on where it was, whatever ended it.
 */
import { stopwatch } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { FILE_BATCH_MS, FILE_BATCH_UNITS, JOB_NOTES_MAX } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { isActive, type Job, type StoredFile } from "../domain/file.ts";
import type { ExtractedPart, ExtractedUnit } from "../domain/media.ts";
import { defaultPlane, type Plane } from "../domain/plane.ts";
import type { Encoder, Extractor } from "../domain/ports.ts";
import { TIER_LIMITS, type Tier } from "../domain/tier.ts";
import type { UnitDraft } from "../domain/unit.ts";
import { draftOf, keepWith, sourceOf } from "./files.ts";
import { knownToOwners, refuseOverQuota, storeDrafts, weightOf, windowsFor } from "./ingest.ts";
import type { Tenant } from "./tenant.ts";

export interface JobRunnerOptions {
  extractor: Extractor;
  encoder: Encoder;
  log: Log;
  /** Files that are worked on at once. */
  workers: number;
}

interface Entry {
  tenant: Tenant;
  job_id: string;
  file_id: string;
}

function stopping(): Fault {
  return new Fault("unavailable", "the service is stopping; the job goes on at its next start");
}

/** The job is gone: its file was deleted while it was worked on. */
class Cancelled extends Error {}

/** A store that fails for a moment is tried again; what a file lacks is not. */
const STORE_TRIES = 5;
const STORE_PAUSE_MS = 2_000;

export class JobRunner {
  private readonly queues = new Map<string, Entry[]>();
  private readonly running = new Map<string, { file_id: string; work: Promise<void> }>();
  private readonly waiting = new Map<string, PromiseWithResolvers<void>>();
  private closed = false;

  constructor(private readonly options: JobRunnerOptions) {}

  /** Takes up what was not finished when the namespace was last closed. */
  resume(tenant: Tenant): void {
    for (const { job_id } of tenant.files.activeJobs()) this.start(tenant, job_id);
  }

  /** Queues a job once. */
  start(tenant: Tenant, job_id: string): void {
    const { namespace } = tenant.namespace;
    const queue = this.queues.get(namespace) ?? [];
    const file_id = tenant.files.job(job_id)?.file_id;
    if (file_id === undefined || this.running.has(job_id) || queue.some((entry) => entry.job_id === job_id)) return;
    this.queues.set(namespace, [...queue, { tenant, job_id, file_id }]);
    this.next();
  }

  /** Resolves when the job is finished. Errors: `unavailable` when the service stops first, `not_found` when its file was deleted. */
  async finished(tenant: Tenant, job_id: string): Promise<Job> {
    const before = tenant.files.job(job_id);
    if (before !== null && isActive(before)) {
      if (this.closed) throw stopping();
      const waiter = this.waiting.get(job_id) ?? Promise.withResolvers<void>();
      this.waiting.set(job_id, waiter);
      await waiter.promise;
    }
    const job = tenant.files.job(job_id);
    if (job === null) throw new Fault("not_found", "the file was deleted while it was worked on");
    return job;
  }

  /** Stops taking up jobs. Those that run go on at the next start; the extractor is closed first, which ends them. */
  async close(): Promise<void> {
    this.closed = true;
    this.queues.clear();
    await Promise.allSettled([...this.running.values()].map(({ work }) => work));
    for (const waiter of this.waiting.values()) {
      waiter.promise.catch(() => {});
      waiter.reject(stopping());
    }
  }

  /** The namespaces take turns: the one that was served goes to the end. */
  private next(): void {
    while (!this.closed && this.running.size < this.options.workers) {
      const entry = this.take();
      if (entry === null) return;
      const { job_id, file_id } = entry;
      const work = this.run(entry).finally(() => {
        this.running.delete(job_id);
        this.waiting.get(job_id)?.resolve();
        this.waiting.delete(job_id);
        this.next();
      });
      this.running.set(job_id, { file_id, work });
    }
  }

  /** Two jobs of one file run one after the other: the Units are in the end what the later upload says. */
  private take(): Entry | null {
    const busy = new Set([...this.running.values()].map(({ file_id }) => file_id));
    for (const [namespace, queue] of this.queues) {
      const entry = queue.find(({ file_id }) => !busy.has(file_id));
      if (entry === undefined) continue;
      const rest = queue.filter((each) => each !== entry);
      this.queues.delete(namespace);
      if (rest.length > 0) this.queues.set(namespace, rest);
      return entry;
    }
    return null;
  }

  /** Never rejects: a file that fails says why and holds nobody up. */
  private async run({ tenant, job_id }: Entry): Promise<void> {
    const job = tenant.files.job(job_id);
    const file = job === null ? null : tenant.files.file(job.file_id);
    if (job === null || file === null || !isActive(job)) return;
    try {
      await this.work(tenant, file, job);
    } catch (error) {
      if (this.closed || error instanceof Cancelled) return;
      await this.fail(tenant, file, job_id, error).catch((cause: unknown) =>
        this.options.log.error("a failed job cannot be written down; it is tried again at the next start", { job: job_id, error: cause }),
      );
    }
  }

  private async work(tenant: Tenant, file: StoredFile, job: Job): Promise<void> {
    let parts: ExtractedPart[] = [];
    let since = stopwatch();
    await this.store(tenant, file, job.job_id, { parts: [], done: false });
    for await (const part of this.options.extractor.extract(sourceOf(tenant, file), job.next_part)) {
      parts.push(part);
      const units = parts.reduce((sum, each) => sum + each.units.length, 0);
      if (units < FILE_BATCH_UNITS && since() < FILE_BATCH_MS) continue;
      await this.store(tenant, file, job.job_id, { parts, done: false });
      parts = [];
      since = stopwatch();
    }
    if (parts.length > 0) await this.store(tenant, file, job.job_id, { parts, done: false });
    // On its own, so that a job that says it is done has Units that can be found.
    await this.store(tenant, file, job.job_id, { parts: [], done: true });
    if (!tenant.files.usesObject(file.sha256)) tenant.objects.remove(file.sha256);
  }

  private async store(tenant: Tenant, file: StoredFile, job_id: string, step: { parts: readonly ExtractedPart[]; done: boolean }): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.storeOnce(tenant, file, job_id, step);
      } catch (error) {
        const passing = error instanceof Fault && error.kind === "unavailable";
        if (!passing || this.closed || attempt >= STORE_TRIES) throw error;
        await Bun.sleep(STORE_PAUSE_MS * attempt);
      }
    }
  }

  /** One transaction: Units, their contents, and how far the job is. */
  private async storeOnce(
    tenant: Tenant,
    file: StoredFile,
    job_id: string,
    { parts, done }: { parts: readonly ExtractedPart[]; done: boolean },
  ): Promise<void> {
    const { encoder } = this.options;
    const { units, leftOut } = withinTier(tenant.namespace.tier, parts);
    const drafts = units.map((unit) => draftOf(tenant.namespace.namespace, file, unit));
    const windows = await windowsFor([knownToOwners(tenant, drafts)], encoder, drafts);
    await tenant.writer.submit(weightOf(drafts, windows), () => {
      const job = tenant.files.job(job_id);
      if (job === null || !isActive(job)) throw new Cancelled("the job is gone");
      refuseOverQuota(tenant, drafts);
      const { written, changed } = storeDrafts(tenant, drafts, windows, encoder.info.model);
      for (const [index, unit] of units.entries()) keepWith(tenant, file.file_id, drafts[index] as UnitDraft, unit);
      const created = written.filter(({ status }) => status === "created").length;
      const counted = progressed(job, parts, { units: written.length, created });
      const after = { ...counted, notes: withLeftOut(counted.notes, tenant.namespace.tier, leftOut) };
      tenant.files.updateJob(done ? { ...after, state: "done", stage: "done", progress: 1 } : after);
      if (done) appendRow(tenant, file, after, null);
      return { value: null, changed, removed: done && removeOutdated(tenant, file) };
    });
  }

  /** A file that was never whole leaves no Unit; one that was keeps what it had. */
  private async fail(tenant: Tenant, file: StoredFile, job_id: string, error: unknown): Promise<void> {
    const fault = error instanceof Fault ? error : new Fault("internal_error", "an internal error; the log says more");
    if (!(error instanceof Fault) || error.kind === "internal_error") this.options.log.error("a job failed", { job: job_id, error });
    else
      this.options.log.info("a file could not be taken in", {
        job: job_id,
        detail: fault.message,
        cause: fault.cause instanceof Error ? fault.cause.message : undefined,
      });
    await tenant.writer.submit(0, () => {
      const job = tenant.files.job(job_id);
      if (job === null) return { value: null, changed: [] };
      const keep = tenant.files.wasDone(file.file_id);
      const removed = keep ? 0 : tenant.catalog.remove(tenant.files.uids(file.file_id));
      const failed: Job = {
        ...job,
        state: "failed",
        stage: "failed",
        error: { kind: fault.kind, detail: fault.message },
        ...(keep ? {} : { units: 0, created: 0 }),
      };
      tenant.files.updateJob(failed);
      appendRow(tenant, file, failed, fault);
      return { value: null, changed: [], removed: removed > 0 };
    });
    if (!tenant.files.usesObject(file.sha256)) tenant.objects.remove(file.sha256);
  }
}

/** The job after these parts were stored. */
function progressed(job: Job, parts: readonly ExtractedPart[], count: { units: number; created: number }): Job {
  const last = parts.at(-1);
  return {
    ...job,
    state: "running",
    stage: last?.stage ?? job.stage,
    progress: Math.max(job.progress, Math.min(1, last?.progress ?? 0)),
    next_part: last === undefined ? job.next_part : last.part + 1,
    units: job.units + count.units,
    created: job.created + count.created,
    notes: [...job.notes, ...parts.flatMap((part) => part.notes)].slice(0, JOB_NOTES_MAX),
  };
}

/** Under another name a file may be of another kind, of which other Units are made: those that no longer are go. */
function removeOutdated({ catalog, files }: Tenant, { file_id, name, mime }: StoredFile): boolean {
  const units = [...catalog.byUids(files.uids(file_id)).values()];
  const outdated = units.filter(({ metadata }) => metadata?.file_name !== name || metadata.mime !== mime);
  return catalog.remove(outdated.map(({ uid }) => uid)) > 0;
}

function appendRow({ ledger }: Tenant, file: StoredFile, job: Job, fault: Fault | null): void {
  ledger.appendIn({
    principal_id: file.acl_owner,
    action: "ingest",
    outcome: fault === null ? "ok" : "error",
    scope: file.scope,
    target: file.file_id,
    detail: { job: job.job_id, ...(fault === null ? {} : { error: fault.kind }) },
  });
}

/** The Units of planes that the tier has, and how many there are of each of the others. */
function withinTier(tier: Tier, parts: readonly ExtractedPart[]): { units: ExtractedUnit[]; leftOut: Map<Plane, number> } {
  const leftOut = new Map<Plane, number>();
  const units = parts
    .flatMap((part) => part.units)
    .filter(({ modality }) => {
      const plane = defaultPlane(modality);
      const has = TIER_LIMITS[tier].planes.includes(plane);
      if (!has) leftOut.set(plane, (leftOut.get(plane) ?? 0) + 1);
      return has;
    });
  return { units, leftOut };
}

/** Notes that tell what the tier leaves out. A job that was cut goes on counting from what its notes say. */
function withLeftOut(notes: readonly string[], tier: Tier, leftOut: ReadonlyMap<Plane, number>): string[] {
  let told = [...notes];
  for (const [plane, count] of leftOut) {
    const why = `left out: the ${tier} tier has no ${plane} plane`;
    const before = told.find((note) => note.endsWith(why));
    const total = count + Number.parseInt(before ?? "0", 10);
    // First of all: further notes beyond the limit are not kept.
    told = [`${total} ${plane} Unit${total === 1 ? "" : "s"} ${why}`, ...told.filter((note) => note !== before)];
  }
  return told.slice(0, JOB_NOTES_MAX);
}

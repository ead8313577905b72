/**
 * Runs jobs: a queue for each namespace, and a slot for each file that is worked on at a time. The Units of a step and the
 * progress of its job are one transaction, so a job that was cut goes on after its last stored part.
 *
 * A job leaves its slot before its end in two cases. When the machine lacked something, it is paused and tried again, without
 * an end. When its namespace has more slots than one that waits, it yields between two parts, or while parts wait to be encoded.
 */
import { unlessGone } from "../../base/abort.ts";
import { stopwatch } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import {
  FILE_BATCH_MS,
  FILE_BATCH_UNITS,
  JOB_LEASE_MS,
  JOB_LOSSES_MAX,
  JOB_NOTES_MAX,
  JOB_PAUSE_MAX_MS,
  JOB_PAUSE_MS,
  JOB_TURN_MS,
} from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { isActive, type Job, type StoredFile } from "../../domain/file.ts";
import type { ExtractedPart, ExtractedUnit } from "../../domain/media.ts";
import { defaultPlane, type Plane } from "../../domain/plane.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Extractor } from "../../domain/port/extractor.ts";
import type { Lease } from "../../domain/port/files.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import { draftOf, keepWith, sourceOf } from "../files/drafts.ts";
import { refuseOverQuota } from "../units/drafts.ts";
import { indexesOf, storeDrafts, weightOf } from "../units/store.ts";
import { knownToOwners, windowsFor } from "../units/vectors.ts";
import { commit, type Tenant } from "../tenant.ts";

export interface JobRunnerOptions {
  extractor: Extractor;
  encoder: Encoder;
  log: Log;
  /** Slots: files that are worked on at a time. */
  workers: number;
  /** Milliseconds that a job keeps its slot, from its first part on, while a namespace with fewer slots waits. */
  turnMs?: number;
  /** Milliseconds of the pause after a number of failures in a row. */
  pauseMs?: (failures: number) => number;
}

interface ScheduledJob {
  tenant: Tenant;
  job_id: string;
  file_id: string;
  /** Taken with the first step that is stored, and held until the job ends or the process does. */
  lease: Lease | null;
  /** Milliseconds since its first part in this slot; null before that. */
  turn: (() => number) | null;
  /** Failures in a row that may be tried again. */
  failures: number;
  /** How many media processes were lost while they read this part. */
  losses: { part: number; count: number };
}

interface Step {
  parts: readonly ExtractedPart[];
  done: boolean;
}

function stopping(): Fault {
  return new Fault("unavailable", "the service is stopping; the job goes on at its next start");
}

/** The job is gone, since its file was deleted while it was worked on, or somebody else's. */
class Cancelled extends Error {}

function backOff(failures: number): number {
  return Math.min(JOB_PAUSE_MAX_MS, JOB_PAUSE_MS * 2 ** (failures - 1));
}

/** How often a job that waits for its parts to be stored checks whether its slot is wanted. */
const TURN_CHECK_MS = 250;
/** Tries to store a step before the job is paused. */
const STORE_TRIES = 5;

export class JobRunner {
  /** By namespace, in the order in which they were served last. */
  private readonly queues = new Map<string, ScheduledJob[]>();
  private readonly running = new Map<ScheduledJob, Promise<void>>();
  /** Running jobs that have a slot; a job may give it up while its last parts are still being stored. */
  private readonly held = new Set<ScheduledJob>();
  private readonly paused = new Map<ScheduledJob, ReturnType<typeof setTimeout>>();
  /** Ids of jobs that are queued, running or paused. */
  private readonly known = new Set<string>();
  private readonly waiting = new Map<string, PromiseWithResolvers<void>>();
  private readonly ending = Promise.withResolvers<void>();
  private closed = false;

  constructor(private readonly options: JobRunnerOptions) {}

  /** Queues the jobs of a namespace that were not finished when it was last closed. */
  async resume(tenant: Tenant): Promise<void> {
    for (const job of await tenant.reader.jobs.active()) this.start(tenant, job);
  }

  /** Queues a job that is not queued yet. */
  start(tenant: Tenant, { job_id, file_id }: Pick<Job, "job_id" | "file_id">): void {
    if (this.closed || this.known.has(job_id)) return;
    this.known.add(job_id);
    this.queueOf(tenant).push({ tenant, job_id, file_id, lease: null, turn: null, failures: 0, losses: { part: 0, count: 0 } });
    this.next();
  }

  /**
   * Resolves when the job is finished. Errors: `unavailable` when the service stops or `signal` aborts first, `not_found` when
   * its file was deleted.
   */
  async finished(tenant: Tenant, job_id: string, signal?: AbortSignal): Promise<Job> {
    // Before the job is looked at: it may end meanwhile.
    const waiter = this.waiting.get(job_id) ?? Promise.withResolvers<void>();
    this.waiting.set(job_id, waiter);
    const before = await tenant.reader.jobs.byId(job_id);
    if (before !== null && isActive(before)) {
      if (this.closed) throw stopping();
      await unlessGone(waiter.promise, signal);
    } else this.waiting.delete(job_id);
    const job = await tenant.reader.jobs.byId(job_id);
    if (job === null) throw new Fault("not_found", "the file was deleted while it was worked on");
    return job;
  }

  /** Starts no more jobs and waits for those that run; the extractor must be closed first, which ends them. They go on at the next start. */
  async close(): Promise<void> {
    this.closed = true;
    this.ending.resolve();
    this.queues.clear();
    for (const timer of this.paused.values()) clearTimeout(timer);
    await Promise.allSettled(this.running.values());
    for (const waiter of this.waiting.values()) {
      waiter.promise.catch(() => {});
      waiter.reject(stopping());
    }
  }

  private queueOf({ namespace: { namespace } }: Tenant): ScheduledJob[] {
    const queue = this.queues.get(namespace) ?? [];
    this.queues.set(namespace, queue);
    return queue;
  }

  private next(): void {
    while (!this.closed && this.held.size < this.options.workers) {
      const entry = this.take();
      if (entry === null) return;
      this.held.add(entry);
      const work = this.run(entry).then((after) => {
        this.running.delete(entry);
        this.held.delete(entry);
        if (after === "ended") this.settle(entry);
        else if (after === "paused") this.pause(entry);
        else this.putBack(entry);
        this.next();
      });
      this.running.set(entry, work);
    }
  }

  /** Puts a job at the front of its namespace's queue, and the namespace behind all others. */
  private putBack(entry: ScheduledJob): void {
    const queue = this.queueOf(entry.tenant);
    const { namespace } = entry.tenant.namespace;
    this.queues.delete(namespace);
    this.queues.set(namespace, [entry, ...queue]);
  }

  /** Forgets a job that ended, and tells those who wait for it. When the service stops, `close` tells them. */
  private settle({ job_id }: ScheduledJob): void {
    if (this.closed) return;
    this.known.delete(job_id);
    this.waiting.get(job_id)?.resolve();
    this.waiting.delete(job_id);
  }

  private pause(entry: ScheduledJob): void {
    if (this.closed) return;
    const { pauseMs = backOff } = this.options;
    const again = () => {
      this.paused.delete(entry);
      this.putBack(entry);
      this.next();
    };
    this.paused.set(entry, setTimeout(again, pauseMs(entry.failures)));
  }

  /** Takes the next job of the namespace with the fewest slots; of several, of the one that was served longest ago. */
  private take(): ScheduledJob | null {
    const [found] = this.startable().toSorted((a, b) => this.slotsOf(a.namespace) - this.slotsOf(b.namespace));
    if (found === undefined) return null;
    const rest = (this.queues.get(found.namespace) ?? []).filter((each) => each !== found.entry);
    this.queues.delete(found.namespace);
    if (rest.length > 0) this.queues.set(found.namespace, rest);
    return found.entry;
  }

  /** The next job of each namespace. A file with a running job is skipped, so that the Units are in the end those of the later upload. */
  private startable(): { namespace: string; entry: ScheduledJob }[] {
    const busy = new Set([...this.running.keys(), ...this.paused.keys()].map(({ file_id }) => file_id));
    return [...this.queues].flatMap(([namespace, queue]) => {
      const entry = queue.find(({ file_id }) => !busy.has(file_id));
      return entry === undefined ? [] : { namespace, entry };
    });
  }

  private slotsOf(namespace: string): number {
    return [...this.held].filter(({ tenant }) => tenant.namespace.namespace === namespace).length;
  }

  /** True when a job has had its slot for `turnMs` and is to yield: to a namespace with fewer slots, or to one whose job waits for memory. */
  private mustYield({ turn, tenant: { namespace: own } }: ScheduledJob): boolean {
    const { turnMs = JOB_TURN_MS } = this.options;
    if (turn === null || turn() < turnMs) return false;
    const slots = this.slotsOf(own.namespace);
    if (this.startable().some(({ namespace }) => this.slotsOf(namespace) < slots)) return true;
    const isOther = (entry: ScheduledJob) => entry.turn === null && entry.tenant.namespace.namespace !== own.namespace;
    return this.options.extractor.crowded() && [...this.held].some(isOther);
  }

  /** Works on a job and stores its failure. Never rejects. */
  private async run(entry: ScheduledJob): Promise<"ended" | "yielded" | "paused"> {
    const { tenant, job_id } = entry;
    const { jobs, files } = tenant.reader;
    const job = await jobs.byId(job_id);
    const file = job === null ? null : await files.byId(job.file_id);
    if (job === null || file === null || !isActive(job)) return "ended";
    try {
      return await tenant.objects.onDisk(file.sha256, (path) => this.work(entry, file, job, path));
    } catch (error) {
      if (this.closed || error instanceof Cancelled) return "ended";
      if (await this.mayRetry(entry, error)) return "paused";
      return this.fail(tenant, file, job_id, error).then(
        () => "ended",
        (cause: unknown) => {
          this.options.log.error("a failed job cannot be written down; it is tried again", { job: job_id, error: cause });
          entry.failures += 1;
          return "paused";
        },
      );
    }
  }

  /** Counts a failure. False when it is final: a fault of the file, or JOB_LOSSES_MAX processes lost over one part. */
  private async mayRetry(entry: ScheduledJob, error: unknown): Promise<boolean> {
    if (!(error instanceof Fault) || error.retry === "never") return false;
    entry.failures += 1;
    if (error.retry === "few") {
      const part = (await entry.tenant.reader.jobs.byId(entry.job_id))?.next_part ?? 0;
      entry.losses = { part, count: entry.losses.part === part ? entry.losses.count + 1 : 1 };
      if (entry.losses.count >= JOB_LOSSES_MAX) return false;
    }
    this.options.log.warn("a job is held up and tried again", { job: entry.job_id, failures: entry.failures, error });
    return true;
  }

  private async work(entry: ScheduledJob, file: StoredFile, job: Job, path: string): Promise<"ended" | "yielded"> {
    const { losses } = entry;
    let parts: ExtractedPart[] = [];
    let since = stopwatch();
    let storing = Promise.resolve();
    const save = async () => {
      storing = this.store(entry, file, { parts, done: false });
      parts = [];
      const first = await this.isStoredFirst(entry, storing);
      since = stopwatch();
      return first;
    };
    let after: "whole" | "yielded" | "left" = "whole";
    entry.turn = null;
    await this.store(entry, file, { parts, done: false });
    try {
      const lost = losses.part === job.next_part ? losses.count : 0;
      for await (const part of this.options.extractor.extract(sourceOf(file, path), job.next_part, lost)) {
        parts.push(part);
        entry.turn ??= stopwatch();
        const units = parts.reduce((sum, each) => sum + each.units.length, 0);
        if (units < FILE_BATCH_UNITS && since() < FILE_BATCH_MS) continue;
        if (!(await save())) after = "left";
        else if (this.mustYield(entry)) after = "yielded";
        // Leaving the loop ends the extraction before the slot goes to another job.
        if (after !== "whole") break;
      }
    } catch (error) {
      // Stores the parts so far, so that the next try begins with the one that was lost.
      if (parts.length > 0 && error instanceof Fault && error.retry !== "never" && !(await save())) await this.leave(entry, storing);
      throw error;
    }
    if (after === "left") await this.leave(entry, storing);
    if (after !== "whole") return "yielded";
    if (parts.length > 0 && !(await save())) await this.leave(entry, storing);
    // In a step of its own, so that the Units of a job that is done can be found.
    await this.store(entry, file, { parts: [], done: true });
    return "ended";
  }

  /** Waits until a step is stored, which takes long when its namespace has much to encode. False when the job must yield before that. */
  private async isStoredFirst(entry: ScheduledJob, storing: Promise<void>): Promise<boolean> {
    for (;;) {
      const stored = await Promise.race([storing.then(() => true), Bun.sleep(TURN_CHECK_MS).then(() => false)]);
      if (stored) return true;
      if (this.mustYield(entry)) return false;
    }
  }

  /** Gives the slot up, then waits for what is still being stored. */
  private async leave(entry: ScheduledJob, storing: Promise<void>): Promise<void> {
    this.held.delete(entry);
    this.next();
    await storing;
  }

  /** Stores a step. A passing failure is tried again here, which costs less than to read the file again. */
  private async store(entry: ScheduledJob, file: StoredFile, step: Step): Promise<void> {
    const { pauseMs = backOff } = this.options;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.storeOnce(entry, file, step);
        if (step.parts.length > 0) entry.failures = 0;
        return;
      } catch (error) {
        const passing = error instanceof Fault && error.retry === "always";
        if (!passing || tries >= STORE_TRIES) throw error;
        await Promise.race([Bun.sleep(pauseMs(tries)), this.ending.promise]);
        if (this.closed) throw error;
      }
    }
  }

  /** One transaction: Units, their contents, and how far the job is. */
  private async storeOnce(entry: ScheduledJob, file: StoredFile, step: Step): Promise<void> {
    const { tenant, job_id } = entry;
    const { parts, done } = step;
    const { namespace, tier } = tenant.namespace;
    const { units, leftOut } = withinTier(tier, parts);
    const drafts = units.map((unit) => draftOf(namespace, file, unit));
    const windows = await windowsFor([await knownToOwners(tenant.reader, drafts)], this.options.encoder, drafts);
    const work = async (tx: NamespaceTransactor): Promise<Lease | null> => {
      const job = await tx.jobs.byId(job_id);
      // An earlier try was committed, and only the indexes did not follow.
      if (job !== null && isStored(job, step)) return entry.lease;
      if (job === null || !isActive(job)) throw new Cancelled("the job is gone");
      const lease = await leaseOf(tx, entry);
      await refuseOverQuota(tx.units, tier, drafts);
      const written = await storeDrafts(tx, tier, drafts, windows);
      await keepWith(tx, file.file_id, written, units);
      const created = written.filter(({ status }) => status === "created").length;
      const counted = progressed(job, parts, { units: written.length, created });
      const after = { ...counted, notes: withLeftOut(counted.notes, tier, leftOut) };
      await tx.jobs.advance(lease, done ? { ...after, state: "done", stage: "done", progress: 1 } : after);
      if (done) await appendRow(tx, file, after, null);
      if (done) await removeOutdated(tx, file);
      return lease;
    };
    const { value, revision } = await tenant.store.transact(work, weightOf(drafts, windows));
    entry.lease = value;
    await tenant.indexer.caughtUp(revision, indexesOf(drafts));
  }

  /** Stores a failed job. The Units of a file that an earlier job finished stay, others are removed; its bytes stay until its owner deletes it. */
  private async fail(tenant: Tenant, file: StoredFile, job_id: string, error: unknown): Promise<void> {
    const fault = error instanceof Fault ? error : new Fault("internal_error", "an internal error; the log says more");
    if (!(error instanceof Fault) || error.kind === "internal_error") this.options.log.error("a job failed", { job: job_id, error });
    else
      this.options.log.info("a file could not be taken in", {
        job: job_id,
        detail: fault.message,
        cause: fault.cause instanceof Error ? fault.cause.message : undefined,
      });
    await commit(tenant, async (tx) => {
      const job = await tx.jobs.byId(job_id);
      if (job === null) return;
      const keep = await tx.jobs.wasDone(file.file_id);
      if (!keep) await tx.units.remove(await tx.files.uids(file.file_id));
      const failed: Job = {
        ...job,
        state: "failed",
        stage: "failed",
        error: { kind: fault.kind, detail: fault.message },
        ...(keep ? {} : { units: 0, created: 0 }),
      };
      await tx.jobs.put(failed);
      await appendRow(tx, file, failed, fault);
    });
  }
}

/** Errors: Cancelled when somebody else works on the job. */
async function leaseOf({ jobs }: NamespaceTransactor, { job_id, lease }: ScheduledJob): Promise<Lease> {
  const lost = new Cancelled("somebody else works on the job");
  if (lease !== null) return jobs.renew(lease, JOB_LEASE_MS).catch(() => Promise.reject(lost));
  const taken = await jobs.lease(job_id, JOB_LEASE_MS);
  if (taken === null) throw lost;
  return taken;
}

function isStored(job: Job, { parts, done }: Step): boolean {
  const last = parts.at(-1);
  return done ? job.state === "done" : last !== undefined && job.next_part > last.part;
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

/** Removes Units of an earlier upload under another name or type, which the file no longer gives. */
async function removeOutdated({ units, files }: NamespaceTransactor, { file_id, name, mime }: StoredFile): Promise<void> {
  const own = [...(await units.byUids(await files.uids(file_id))).values()];
  const outdated = own.filter(({ metadata }) => metadata?.file_name !== name || metadata.mime !== mime);
  await units.remove(outdated.map(({ uid }) => uid));
}

async function appendRow({ ledger }: NamespaceTransactor, file: StoredFile, job: Job, fault: Fault | null): Promise<void> {
  await ledger.append({
    principal_id: file.acl_owner,
    action: "ingest",
    outcome: fault === null ? "ok" : "error",
    scope: file.scope,
    target: file.file_id,
    detail: { job: job.job_id, ...(fault === null ? {} : { error: fault.kind }) },
  });
}

/** The Units of planes that the tier has, and how many of each other plane are left out. */
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

/** Notes that say how many Units the tier leaves out. The counts add up over steps: the one so far is read from the note. */
function withLeftOut(notes: readonly string[], tier: Tier, leftOut: ReadonlyMap<Plane, number>): string[] {
  let told = [...notes];
  for (const [plane, count] of leftOut) {
    const why = `left out: the ${tier} tier has no ${plane} plane`;
    const before = told.find((note) => note.endsWith(why));
    const total = count + Number.parseInt(before ?? "0", 10);
    // In front, since notes beyond the limit are dropped.
    told = [`${total} ${plane} Unit${total === 1 ? "" : "s"} ${why}`, ...told.filter((note) => note !== before)];
  }
  return told.slice(0, JOB_NOTES_MAX);
}

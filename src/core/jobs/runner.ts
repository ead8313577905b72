/**
 * Runs jobs: a queue for each namespace, and a slot for each file that is read at a time. The Units of parts and the
 * progress of their job are one transaction, so a job that was cut goes on after its last stored part; one whose parts came from
 * another version of the extractor begins anew.
 *
 * A job leaves its slot when its file is read: the next one is read while the last parts are encoded, stored and indexed. Before
 * that it leaves it in two cases. When the machine lacked something, it is paused and tried again, without an end. When its
 * namespace has more slots than one that waits, it yields between two parts, or while parts wait to be encoded.
 */
import { unlessGone } from "../../base/abort.ts";
import { stopwatch } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import {
  FILE_BATCH_MS,
  FILE_BATCH_UNITS,
  FILE_SEARCHABLE_MS,
  FILES_READ_AHEAD_UNITS,
  JOB_LOSSES_MAX,
  JOB_PAUSE_MAX_MS,
  JOB_PAUSE_MS,
  JOB_TURN_MS,
} from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { EXTRACTOR_VERSIONS } from "../../domain/extractor-version.ts";
import { isActive, type Job, type StoredFile } from "../../domain/file.ts";
import type { ExtractedPart } from "../../domain/media.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Extractor } from "../../domain/port/extractor.ts";
import { sourceOf } from "../files/drafts.ts";
import type { Namespace } from "../../domain/principal.ts";
import type { Tenant, WithTenant } from "../tenant.ts";
import { begin } from "./begin.ts";
import { Cancelled, type LeasedJob, storeEnd, storeFailure, storeParts } from "./store-step.ts";

export interface JobRunnerOptions {
  withTenant: WithTenant;
  extractor: Extractor;
  encoder: Encoder;
  log: Log;
  /** Slots: files that are read at a time. */
  workers: number;
  /** Milliseconds that a job keeps its slot, from its first part on, while a namespace with fewer slots waits. */
  turnMs?: number;
  /** Milliseconds of the pause after a number of failures in a row. */
  pauseMs?: (failures: number) => number;
}

interface ScheduledJob {
  namespace: Namespace;
  job_id: string;
  file_id: string;
  /** Of its last run; null before that. */
  leased: LeasedJob | null;
  /** Milliseconds since its first part in this slot; null before that. */
  turn: (() => number) | null;
  /** Failures in a row that may be tried again. */
  failures: number;
  /** How many media processes were lost while they read this part. */
  losses: { part: number; count: number };
}

/** Parts that are being encoded and stored. */
interface Saving {
  units: number;
  done: Promise<void>;
}

function unitsOf(parts: readonly ExtractedPart[]): number {
  return parts.reduce((sum, { units }) => sum + units.length, 0);
}

/** How a job left its slot. */
type After = "ended" | "yielded" | "paused";

function stopping(): Fault {
  return new Fault("unavailable", "the service is stopping; the job goes on at its next start");
}

function backOff(failures: number): number {
  return Math.min(JOB_PAUSE_MAX_MS, JOB_PAUSE_MS * 2 ** (failures - 1));
}

/** How often a job that waits for its parts to be stored checks whether its slot is wanted. */
const TURN_CHECK_MS = 250;
/** Tries to store something before the job is paused. */
const STORE_TRIES = 5;

export class JobRunner {
  /** By namespace, in the order in which they were served last. */
  private readonly queues = new Map<string, ScheduledJob[]>();
  private readonly running = new Map<ScheduledJob, Promise<void>>();
  /** Running jobs that have a slot. */
  private readonly held = new Set<ScheduledJob>();
  /** Running jobs that have left their slot while parts are still being encoded and stored: their Units. */
  private readonly ahead = new Map<ScheduledJob, number>();
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
    const { namespace } = tenant;
    this.queueOf(namespace).push({ namespace, job_id, file_id, leased: null, turn: null, failures: 0, losses: { part: 0, count: 0 } });
    this.next();
  }

  /**
   * Resolves when the job is finished. Errors: `unavailable` when the service stops or `signal` aborts first, `not_found` when
   * its file was deleted.
   */
  async finished({ namespace }: Pick<Tenant, "namespace">, job_id: string, signal?: AbortSignal): Promise<Job> {
    const read = () => this.options.withTenant(namespace, ({ reader }) => reader.jobs.byId(job_id));
    // Before the job is looked at: it may end meanwhile.
    const waiter = this.waiting.get(job_id) ?? Promise.withResolvers<void>();
    this.waiting.set(job_id, waiter);
    const before = await read();
    if (before !== null && isActive(before)) {
      if (this.closed) throw stopping();
      await unlessGone(waiter.promise, signal);
    } else this.waiting.delete(job_id);
    const job = await read();
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

  private queueOf({ namespace }: Namespace): ScheduledJob[] {
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
    const queue = this.queueOf(entry.namespace);
    const { namespace } = entry.namespace;
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

  /**
   * The next job of each namespace that has not read too far ahead. A file with a running job is skipped, so that the Units are
   * in the end those of the later upload.
   */
  private startable(): { namespace: string; entry: ScheduledJob }[] {
    const busy = new Set([...this.running.keys(), ...this.paused.keys()].map(({ file_id }) => file_id));
    return [...this.queues].flatMap(([namespace, queue]) => {
      if (this.unitsAhead(namespace) >= FILES_READ_AHEAD_UNITS) return [];
      const entry = queue.find(({ file_id }) => !busy.has(file_id));
      return entry === undefined ? [] : { namespace, entry };
    });
  }

  private unitsAhead(namespace: string): number {
    return [...this.ahead].reduce((sum, [entry, units]) => sum + (entry.namespace.namespace === namespace ? units : 0), 0);
  }

  private slotsOf(namespace: string): number {
    return [...this.held].filter((entry) => entry.namespace.namespace === namespace).length;
  }

  /** True when a job has had its slot for `turnMs` and is to yield: to a namespace with fewer slots, or to one whose job waits for memory. */
  private mustYield({ turn, namespace: own }: ScheduledJob): boolean {
    const { turnMs = JOB_TURN_MS } = this.options;
    if (turn === null || turn() < turnMs) return false;
    const slots = this.slotsOf(own.namespace);
    if (this.startable().some(({ namespace }) => this.slotsOf(namespace) < slots)) return true;
    const isOther = (entry: ScheduledJob) => entry.turn === null && entry.namespace.namespace !== own.namespace;
    return this.options.extractor.crowded() && [...this.held].some(isOther);
  }

  /** Works on a job and stores its failure. Never rejects. */
  private run(entry: ScheduledJob): Promise<After> {
    const { withTenant, log } = this.options;
    return withTenant(entry.namespace, (tenant) => {
      // A lease ends with the store in which it was taken.
      if (entry.leased?.tenant.store !== tenant.store) entry.leased = { tenant, job_id: entry.job_id, lease: null };
      return this.runLeased(entry, entry.leased);
    }).catch((error: unknown) => {
      if (this.closed) return "ended";
      log.warn("a job is held up and tried again", { job: entry.job_id, error });
      entry.failures += 1;
      return "paused";
    });
  }

  /** Errors: what keeps the job from being read, or its failure from being stored. */
  private async runLeased(entry: ScheduledJob, leased: LeasedJob): Promise<After> {
    const { tenant, job_id } = leased;
    const { jobs, files } = tenant.reader;
    const job = await jobs.byId(job_id);
    const file = job === null ? null : await files.byId(job.file_id);
    if (job === null || file === null || !isActive(job)) return "ended";
    try {
      return await tenant.objects.onDisk(file.sha256, async (path) => {
        const begun = job.extractor === EXTRACTOR_VERSIONS[file.kind] ? { file, job } : await this.begin(leased, file, path);
        return this.work(entry, leased, begun.file, begun.job, path);
      });
    } catch (error) {
      if (this.closed || error instanceof Cancelled) return "ended";
      if (await this.mayRetry(entry, tenant, error)) return "paused";
      await this.fail(tenant, file, job_id, error);
      return "ended";
    }
  }

  /** Counts a failure. False when it is final: a fault of the file, or JOB_LOSSES_MAX processes lost over one part. */
  private async mayRetry(entry: ScheduledJob, { reader: { jobs } }: Tenant, error: unknown): Promise<boolean> {
    if (!(error instanceof Fault) || error.retry === "never") return false;
    entry.failures += 1;
    if (error.retry === "few") {
      const part = (await jobs.byId(entry.job_id))?.next_part ?? 0;
      entry.losses = { part, count: entry.losses.part === part ? entry.losses.count + 1 : 1 };
      if (entry.losses.count >= JOB_LOSSES_MAX) return false;
    }
    this.options.log.warn("a job is held up and tried again", { job: entry.job_id, failures: entry.failures, error });
    return true;
  }

  /** Begins the job by what the file is recognised as today. Errors: Cancelled; Fault, also for a file that is no longer taken in. */
  private async begin(leased: LeasedJob, { file_id, sha256, bytes, name }: StoredFile, path: string): Promise<{ file: StoredFile; job: Job }> {
    if ((await leased.tenant.objects.open(sha256)) === null) throw new Fault("not_found", "its bytes are no longer there; send it again");
    const format = await this.options.extractor.recognise(path, bytes, name).catch((cause: unknown) => {
      throw cause instanceof Fault ? cause : new Fault("unavailable", "the file cannot be opened", { cause });
    });
    return begin(leased, file_id, format);
  }

  private async work(entry: ScheduledJob, leased: LeasedJob, file: StoredFile, job: Job, path: string): Promise<After> {
    const { losses } = entry;
    let parts: ExtractedPart[] = [];
    let since = stopwatch();
    let saving: Saving = { units: 0, done: Promise.resolve() };
    const save = () => {
      saving = { units: unitsOf(parts), done: this.store(entry, leased, file, parts) };
      parts = [];
      since = stopwatch();
    };
    let after: "whole" | "yielded" | "left" = "whole";
    entry.turn = null;
    if (leased.lease === null) await this.store(entry, leased, file, []);
    try {
      const lost = losses.part === job.next_part ? losses.count : 0;
      for await (const part of this.options.extractor.extract(sourceOf(file, path), job.next_part, lost)) {
        parts.push(part);
        entry.turn ??= stopwatch();
        if (unitsOf(parts) < FILE_BATCH_UNITS && since() < FILE_BATCH_MS) continue;
        save();
        if (!(await this.isStoredFirst(entry, saving.done))) after = "left";
        else if (this.mustYield(entry)) after = "yielded";
        // Leaving the loop ends the extraction before the slot goes to another job.
        if (after !== "whole") break;
        since = stopwatch();
      }
    } catch (error) {
      // Stores the parts so far, so that the next try begins with the one that was lost.
      if (parts.length > 0 && error instanceof Fault && error.retry !== "never") {
        save();
        await this.leave(entry, saving);
      }
      throw error;
    }
    if (after === "left") await this.leave(entry, saving);
    if (after !== "whole") return "yielded";
    if (parts.length > 0) save();
    await this.leave(entry, saving);
    await this.end(entry, leased, file);
    return "ended";
  }

  /** Waits until parts are stored, which takes long when their namespace has much to encode. False when the job must yield before that. */
  private async isStoredFirst(entry: ScheduledJob, storing: Promise<void>): Promise<boolean> {
    for (;;) {
      const stored = await Promise.race([storing.then(() => true), Bun.sleep(TURN_CHECK_MS).then(() => false)]);
      if (stored) return true;
      if (this.mustYield(entry)) return false;
    }
  }

  /** Gives the slot up, then waits for what is still being stored. */
  private async leave(entry: ScheduledJob, { units, done }: Saving): Promise<void> {
    this.held.delete(entry);
    this.ahead.set(entry, units);
    this.next();
    await done.finally(() => this.ahead.delete(entry));
    this.next();
  }

  /** Ends a job whose parts are stored. The last one under way has the indexes written at once, others wait for those that follow. */
  private async end({ namespace: { namespace } }: ScheduledJob, leased: LeasedJob, file: StoredFile): Promise<void> {
    const isLast = () => !this.queues.has(namespace) && this.slotsOf(namespace) === 0 && this.unitsAhead(namespace) === 0;
    const ended = this.tried(() => storeEnd(leased, file, isLast() ? 0 : FILE_SEARCHABLE_MS));
    await Promise.race([ended, this.ending.promise]);
    if (this.closed) throw stopping();
  }

  private async store(entry: ScheduledJob, leased: LeasedJob, file: StoredFile, parts: readonly ExtractedPart[]): Promise<void> {
    await this.tried(() => storeParts(leased, this.options.encoder, file, parts));
    if (parts.length > 0) entry.failures = 0;
  }

  /** Tries again after a passing failure, which costs less than to read the file again. */
  private async tried(work: () => Promise<void>): Promise<void> {
    const { pauseMs = backOff } = this.options;
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const passing = error instanceof Fault && error.retry === "always";
        if (!passing || tries >= STORE_TRIES) throw error;
        await Promise.race([Bun.sleep(pauseMs(tries)), this.ending.promise]);
        if (this.closed) throw error;
      }
    }
  }

  /** Logs why a job failed, and stores it with its error. */
  private fail(tenant: Tenant, file: StoredFile, job_id: string, error: unknown): Promise<void> {
    const fault = error instanceof Fault ? error : new Fault("internal_error", "an internal error; the log says more");
    const cause = fault.cause instanceof Error ? fault.cause.message : undefined;
    if (!(error instanceof Fault) || error.kind === "internal_error") this.options.log.error("a job failed", { job: job_id, error });
    else this.options.log.info("a file could not be taken in", { job: job_id, detail: fault.message, cause });
    return storeFailure(tenant, file, job_id, fault);
  }
}

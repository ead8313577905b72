/**
 * Works on files: a queue for each namespace, as many files at once as there are processes for it. What is stored of a
 * file and how far its job is are one transaction, so that a job goes on where it was, whatever ended it.
 *
 * A job leaves its place before its end in two cases. What the machine lacked is tried again after a pause, for as long
 * as it takes. And a namespace that has more places than one that waits gives one up, between two parts of its file or while
 * they wait to be encoded.
 */
import { unlessGone } from "../../base/abort.ts";
import { stopwatch } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { FILE_BATCH_MS, FILE_BATCH_UNITS, JOB_LOSSES_MAX, JOB_NOTES_MAX, JOB_PAUSE_MAX_MS, JOB_PAUSE_MS, JOB_TURN_MS } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { isActive, type Job, type StoredFile } from "../../domain/file.ts";
import type { ExtractedPart, ExtractedUnit } from "../../domain/media.ts";
import { defaultPlane, type Plane } from "../../domain/plane.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Extractor } from "../../domain/port/extractor.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import type { UnitDraft } from "../../domain/unit.ts";
import { draftOf, keepWith, sourceOf } from "../files/drafts.ts";
import { refuseOverQuota } from "../units/drafts.ts";
import { storeDrafts, weightOf } from "../units/store.ts";
import { knownToOwners, windowsFor } from "../units/vectors.ts";
import type { Tenant } from "../tenant.ts";

export interface JobRunnerOptions {
  extractor: Extractor;
  encoder: Encoder;
  log: Log;
  /** Files that are worked on at once. */
  workers: number;
  /** How long a file keeps its place, from its first part on, while a namespace with fewer places waits. */
  turnMs?: number;
  /** The pause before a job that the machine held up is taken up again, by how often that happened. */
  pauseMs?: (failures: number) => number;
}

interface Entry {
  tenant: Tenant;
  job_id: string;
  file_id: string;
  /** How long it has its place, in ms, from the first part on that it got there; null before. */
  turn: (() => number) | null;
  /** How often in a row the machine or a lost process held it up. */
  failures: number;
  /** How often the process that read this part was lost over it. */
  losses: { part: number; count: number };
}

interface Step {
  parts: readonly ExtractedPart[];
  done: boolean;
}

function stopping(): Fault {
  return new Fault("unavailable", "the service is stopping; the job goes on at its next start");
}

/** The job is gone: its file was deleted while it was worked on. */
class Cancelled extends Error {}

function backOff(failures: number): number {
  return Math.min(JOB_PAUSE_MAX_MS, JOB_PAUSE_MS * 2 ** (failures - 1));
}

/** How often a file that waits for its parts to be stored looks whether its place is wanted. */
const TURN_CHECK_MS = 250;
/** Tries to store a step before the job is paused. */
const STORE_TRIES = 5;

export class JobRunner {
  /** By namespace, the one that was served last at the end. */
  private readonly queues = new Map<string, Entry[]>();
  private readonly running = new Map<Entry, Promise<void>>();
  /** Of those that run, the ones that have a place: one may give it up while its last parts are still being stored. */
  private readonly held = new Set<Entry>();
  private readonly paused = new Map<Entry, ReturnType<typeof setTimeout>>();
  /** Jobs that are queued, running or paused. */
  private readonly known = new Set<string>();
  private readonly waiting = new Map<string, PromiseWithResolvers<void>>();
  private readonly ending = Promise.withResolvers<void>();
  private closed = false;

  constructor(private readonly options: JobRunnerOptions) {}

  /** Takes up what was not finished when the namespace was last closed. */
  resume(tenant: Tenant): void {
    for (const { job_id } of tenant.files.activeJobs()) this.start(tenant, job_id);
  }

  /** Queues a job once. */
  start(tenant: Tenant, job_id: string): void {
    const file_id = tenant.files.job(job_id)?.file_id;
    if (this.closed || file_id === undefined || this.known.has(job_id)) return;
    this.known.add(job_id);
    this.queueOf(tenant).push({ tenant, job_id, file_id, turn: null, failures: 0, losses: { part: 0, count: 0 } });
    this.next();
  }

  /**
   * Resolves when the job is finished. Errors: `unavailable` when the service stops or `signal` comes first, `not_found` when
   * its file was deleted.
   */
  async finished(tenant: Tenant, job_id: string, signal?: AbortSignal): Promise<Job> {
    const before = tenant.files.job(job_id);
    if (before !== null && isActive(before)) {
      if (this.closed) throw stopping();
      const waiter = this.waiting.get(job_id) ?? Promise.withResolvers<void>();
      this.waiting.set(job_id, waiter);
      await unlessGone(waiter.promise, signal);
    }
    const job = tenant.files.job(job_id);
    if (job === null) throw new Fault("not_found", "the file was deleted while it was worked on");
    return job;
  }

  /** Stops taking up jobs. Those that run go on at the next start; the extractor is closed first, which ends them. */
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

  private queueOf({ namespace: { namespace } }: Tenant): Entry[] {
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

  /** It is the next one of its namespace, which was served last. */
  private putBack(entry: Entry): void {
    const queue = this.queueOf(entry.tenant);
    const { namespace } = entry.tenant.namespace;
    this.queues.delete(namespace);
    this.queues.set(namespace, [entry, ...queue]);
  }

  /** Nobody waits for it any more. What the service's end cut off is told to those who wait by `close`. */
  private settle({ job_id }: Entry): void {
    if (this.closed) return;
    this.known.delete(job_id);
    this.waiting.get(job_id)?.resolve();
    this.waiting.delete(job_id);
  }

  private pause(entry: Entry): void {
    if (this.closed) return;
    const { pauseMs = backOff } = this.options;
    const again = () => {
      this.paused.delete(entry);
      this.putBack(entry);
      this.next();
    };
    this.paused.set(entry, setTimeout(again, pauseMs(entry.failures)));
  }

  /** The next job of the namespace with the fewest places; of several, of the one that was served longest ago. */
  private take(): Entry | null {
    const [found] = this.startable().toSorted((a, b) => this.places(a.namespace) - this.places(b.namespace));
    if (found === undefined) return null;
    const rest = (this.queues.get(found.namespace) ?? []).filter((each) => each !== found.entry);
    this.queues.delete(found.namespace);
    if (rest.length > 0) this.queues.set(found.namespace, rest);
    return found.entry;
  }

  /** What each namespace would do next. Two jobs of one file run one after the other: the Units are in the end what the later upload says. */
  private startable(): { namespace: string; entry: Entry }[] {
    const busy = new Set([...this.running.keys(), ...this.paused.keys()].map(({ file_id }) => file_id));
    return [...this.queues].flatMap(([namespace, queue]) => {
      const entry = queue.find(({ file_id }) => !busy.has(file_id));
      return entry === undefined ? [] : { namespace, entry };
    });
  }

  private places(namespace: string): number {
    return [...this.held].filter(({ tenant }) => tenant.namespace.namespace === namespace).length;
  }

  /** True when it had its turn, and a namespace with fewer places waits for one, or one that has a place waits for memory. */
  private isOver({ turn, tenant: { namespace: own } }: Entry): boolean {
    const { turnMs = JOB_TURN_MS } = this.options;
    if (turn === null || turn() < turnMs) return false;
    const places = this.places(own.namespace);
    if (this.startable().some(({ namespace }) => this.places(namespace) < places)) return true;
    const isOther = (entry: Entry) => entry.turn === null && entry.tenant.namespace.namespace !== own.namespace;
    return this.options.extractor.crowded() && [...this.held].some(isOther);
  }

  /** Never rejects: a file that fails says why and holds nobody up. */
  private async run(entry: Entry): Promise<"ended" | "yielded" | "paused"> {
    const { tenant, job_id } = entry;
    const job = tenant.files.job(job_id);
    const file = job === null ? null : tenant.files.file(job.file_id);
    if (job === null || file === null || !isActive(job)) return "ended";
    try {
      return await this.work(entry, file, job);
    } catch (error) {
      if (this.closed || error instanceof Cancelled) return "ended";
      if (this.mayRetry(entry, error)) return "paused";
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

  /** Counts a failure. What the machine lacked is no fault of the file; a part that loses its process time and again is. */
  private mayRetry(entry: Entry, error: unknown): boolean {
    if (!(error instanceof Fault) || error.retry === "never") return false;
    entry.failures += 1;
    if (error.retry === "few") {
      const part = entry.tenant.files.job(entry.job_id)?.next_part ?? 0;
      entry.losses = { part, count: entry.losses.part === part ? entry.losses.count + 1 : 1 };
      if (entry.losses.count >= JOB_LOSSES_MAX) return false;
    }
    this.options.log.warn("a job is held up and tried again", { job: entry.job_id, failures: entry.failures, error });
    return true;
  }

  private async work(entry: Entry, file: StoredFile, job: Job): Promise<"ended" | "yielded"> {
    const { tenant, losses } = entry;
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
      for await (const part of this.options.extractor.extract(sourceOf(tenant, file), job.next_part, lost)) {
        parts.push(part);
        entry.turn ??= stopwatch();
        const units = parts.reduce((sum, each) => sum + each.units.length, 0);
        if (units < FILE_BATCH_UNITS && since() < FILE_BATCH_MS) continue;
        if (!(await save())) after = "left";
        else if (this.isOver(entry)) after = "yielded";
        // The reader ends with the loop, before its place goes to somebody else.
        if (after !== "whole") break;
      }
    } catch (error) {
      // So that the next try begins with the part that was lost.
      if (parts.length > 0 && error instanceof Fault && error.retry !== "never" && !(await save())) await this.leave(entry, storing);
      throw error;
    }
    if (after === "left") await this.leave(entry, storing);
    if (after !== "whole") return "yielded";
    if (parts.length > 0 && !(await save())) await this.leave(entry, storing);
    // On its own, so that a job that says it is done has Units that can be found.
    await this.store(entry, file, { parts: [], done: true });
    return "ended";
  }

  /** Waits until it is stored, which takes long when its namespace has much to encode: false when its place is wanted before. */
  private async isStoredFirst(entry: Entry, storing: Promise<void>): Promise<boolean> {
    for (;;) {
      const stored = await Promise.race([storing.then(() => true), Bun.sleep(TURN_CHECK_MS).then(() => false)]);
      if (stored) return true;
      if (this.isOver(entry)) return false;
    }
  }

  /** Gives the place up, and waits for what is still being stored. */
  private async leave(entry: Entry, storing: Promise<void>): Promise<void> {
    this.held.delete(entry);
    this.next();
    await storing;
  }

  /** What a store or the encoder does not take for a moment is sent again, which costs less than to read the file again. */
  private async store(entry: Entry, file: StoredFile, step: Step): Promise<void> {
    const { pauseMs = backOff } = this.options;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.storeOnce(entry.tenant, file, entry.job_id, step);
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
  private async storeOnce(tenant: Tenant, file: StoredFile, job_id: string, step: Step): Promise<void> {
    const { parts, done } = step;
    const { encoder } = this.options;
    const { units, leftOut } = withinTier(tenant.namespace.tier, parts);
    const drafts = units.map((unit) => draftOf(tenant.namespace.namespace, file, unit));
    const windows = await windowsFor([knownToOwners(tenant, drafts)], encoder, drafts);
    await tenant.writer.submit(weightOf(drafts, windows), () => {
      const job = tenant.files.job(job_id);
      // An earlier try was committed, and only the indexes did not follow.
      if (job !== null && isStored(job, step)) return { value: null, changed: [] };
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

  /** A file that was never whole leaves no Unit; one that was keeps what it had. Its bytes stay until its owner deletes it. */
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
  }
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

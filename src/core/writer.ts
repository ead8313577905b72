/**
 * The one writer of a namespace. Jobs that wait together share a transaction (group commit); each is
 * stored whole or not at all. A job is answered when its Units are durable and searchable.
 */
import { Fault } from "../base/fault.ts";
import { COMMIT_MAX_BYTES, INGEST_QUEUE_MAX_BYTES } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { PLANES, type Plane } from "../domain/plane.ts";
import type { FullTextIndex, IndexEntry, VectorIndex } from "../domain/ports.ts";
import type { Catalog, IndexTarget } from "../store/catalog.ts";
import type { Ledger } from "../store/ledger.ts";

/** What a job did inside the transaction: its answer, the Units whose index entries changed, and whether Units were removed. */
export interface Written<T> {
  value: T;
  changed: IndexEntry[];
  removed?: boolean;
}

interface Job {
  bytes: number;
  run: () => Written<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface WriterOptions {
  catalog: Catalog;
  ledger: Ledger;
  vectors: Readonly<Record<Plane, VectorIndex>>;
  fulltext: FullTextIndex;
  log: Log;
}

const MIB = 1024 * 1024;
const REPLAY_BATCH_UNITS = 500;
const INDEX_TARGETS: readonly IndexTarget[] = ["fulltext", ...PLANES];
const UNSEARCHABLE = "the batch is stored but not searchable yet; it will be once the index is written again. Repeating the request is safe";

export class Writer {
  private readonly queue: Job[] = [];
  private queuedBytes = 0;
  private running: Promise<void> | null = null;
  private closed = false;
  /** True when an index failed to follow: the outbox is replayed before anything else is answered. */
  private behind = false;

  constructor(private readonly options: WriterOptions) {}

  /**
   * Queues a job that holds about `bytes` while it waits; one of 0, such as a removal, is never refused. `run` is
   * synchronous, holds only SQL, and undoes itself by throwing. Errors: what `run` throws; Fault `unavailable` when the
   * queue is full or a store fails.
   */
  submit<T>(bytes: number, run: () => Written<T>): Promise<T> {
    if (this.closed) return Promise.reject(new Fault("unavailable", "the service is stopping"));
    if (bytes > 0 && this.queuedBytes > 0 && this.queuedBytes + bytes > INGEST_QUEUE_MAX_BYTES) {
      return Promise.reject(new Fault("unavailable", `more than ${INGEST_QUEUE_MAX_BYTES / MIB} MiB wait to be written; send it again in a moment`));
    }
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ bytes, run, resolve: resolve as (value: unknown) => void, reject });
      this.queuedBytes += bytes;
      this.start();
    });
  }

  /** Resolves when everything that was committed before is searchable. Errors: `unavailable`, as submit. */
  searchable(): Promise<void> {
    return this.submit(0, () => ({ value: undefined, changed: [] }));
  }

  /** Brings the indexes up to the catalog. Harmless to repeat: ids are deterministic. Returns the Units applied. */
  async replay(onProgress: (units: number) => void = () => {}): Promise<number> {
    await this.reopenLost();
    await this.applyRemovals();
    let done = 0;
    for (const target of this.options.catalog.openTargets()) {
      for (let after = 0; ; ) {
        const entries = this.options.catalog.open(target, after, REPLAY_BATCH_UNITS);
        const last = entries.at(-1);
        if (last === undefined) break;
        await this.index(target, entries);
        this.options.ledger.transact(() => this.settle(target, entries));
        after = last.unit.uid;
        done += entries.length;
        onProgress(done);
      }
    }
    this.behind = false;
    return done;
  }

  /** An index that holds fewer rows than were settled in it has lost some, as when its directory was deleted: all of it is written again. */
  private async reopenLost(): Promise<void> {
    const { catalog, ledger, log } = this.options;
    for (const target of INDEX_TARGETS) {
      const { rows } = await this.indexOf(target).state();
      if (rows >= catalog.settledRows(target)) continue;
      log.warn("an index has lost rows and is built again", { namespace: catalog.namespace, index: target, rows });
      ledger.transact(() => catalog.reopenAll(target));
    }
  }

  /** Refuses new jobs and waits for the queued ones. */
  async close(): Promise<void> {
    this.closed = true;
    while (this.running !== null) await this.running;
  }

  /** A job may arrive between the last look at the queue and the end of the loop: it starts the next one. */
  private start(): void {
    this.running ??= this.drain().finally(() => {
      this.running = null;
      if (this.queue.length > 0) this.start();
    });
  }

  private async drain(): Promise<void> {
    // Jobs of the same turn of the event loop share the first transaction.
    await Bun.sleep(0);
    while (this.queue.length > 0) {
      const jobs = this.take();
      const committed = this.commit(jobs);
      const removed = committed.some(({ written }) => written.removed === true);
      const failure = await this.follow(
        committed.flatMap(({ written }) => written.changed),
        removed,
      );
      for (const { job, written } of committed) {
        if (failure === null) job.resolve(written.value);
        else job.reject(failure);
      }
    }
  }

  private take(): Job[] {
    let bytes = 0;
    let count = 0;
    for (const job of this.queue) {
      if (count > 0 && bytes + job.bytes > COMMIT_MAX_BYTES) break;
      bytes += job.bytes;
      count += 1;
    }
    this.queuedBytes -= bytes;
    return this.queue.splice(0, count);
  }

  /** Runs the jobs in one transaction, each in a savepoint. A job that throws is undone and rejected alone. */
  private commit(jobs: readonly Job[]): { job: Job; written: Written<unknown> }[] {
    const { ledger, catalog, log } = this.options;
    const failed: { job: Job; error: unknown }[] = [];
    try {
      const done = ledger.transact(() =>
        jobs.flatMap((job) => {
          try {
            return [{ job, written: ledger.savepoint(job.run) }];
          } catch (error) {
            catalog.reload();
            failed.push({ job, error });
            return [];
          }
        }),
      );
      for (const { job, error } of failed) job.reject(error);
      return done;
    } catch (cause) {
      catalog.reload();
      log.error("a transaction failed; nothing was stored", { namespace: catalog.namespace, error: cause });
      const fault = new Fault("unavailable", "the catalog cannot be written; nothing was stored", { cause });
      for (const job of jobs) job.reject(fault);
      return [];
    }
  }

  /** Lets the indexes follow the commit. Returns the fault to answer with when one does not. */
  private async follow(changed: readonly IndexEntry[], removed: boolean): Promise<Fault | null> {
    try {
      if (this.behind) await this.replay();
      else {
        await this.apply(changed);
        // Afterwards: what was changed and removed in one transaction must not come back.
        if (removed) await this.applyRemovals();
      }
      return null;
    } catch (cause) {
      this.behind = true;
      this.options.log.error("an index does not follow the catalog", { namespace: this.options.catalog.namespace, error: cause });
      return new Fault("unavailable", UNSEARCHABLE, { cause });
    }
  }

  /** Lets the indexes forget the Units that are gone. Uids are never used again, so that repeating it is harmless. */
  private async applyRemovals(): Promise<void> {
    const { catalog, ledger } = this.options;
    for (const target of INDEX_TARGETS) {
      for (let uids = catalog.removals(target, REPLAY_BATCH_UNITS); uids.length > 0; uids = catalog.removals(target, REPLAY_BATCH_UNITS)) {
        await this.indexOf(target).remove(uids);
        ledger.transact(() => catalog.closeRemovals(target, uids));
      }
    }
  }

  private async apply(changed: readonly IndexEntry[]): Promise<void> {
    const entries = latest(changed);
    if (entries.length === 0) return;
    const targets = new Set<IndexTarget>(["fulltext", ...entries.map(({ unit }) => unit.plane)]);
    const mine = (target: IndexTarget) => (target === "fulltext" ? entries : entries.filter(({ unit }) => unit.plane === target));
    await Promise.all([...targets].map((target) => this.index(target, mine(target))));
    this.options.ledger.transact(() => {
      for (const target of targets) this.settle(target, mine(target));
    });
  }

  private index(target: IndexTarget, entries: readonly IndexEntry[]): Promise<void> {
    return this.indexOf(target).put(entries);
  }

  private indexOf(target: IndexTarget): FullTextIndex | VectorIndex {
    return target === "fulltext" ? this.options.fulltext : this.options.vectors[target];
  }

  private settle(target: IndexTarget, entries: readonly IndexEntry[]): void {
    this.options.catalog.closeOutbox(
      target,
      entries.map(({ unit }) => unit),
    );
  }
}

/** The last version of each Unit that has text: what an index should hold. */
function latest(changed: readonly IndexEntry[]): IndexEntry[] {
  return [...new Map(changed.map((entry) => [entry.unit.uid, entry])).values()].filter(({ unit }) => unit.text !== null);
}

/**
 * The one writer of a namespace. Jobs that wait together share a transaction (group commit); each is
 * stored whole or not at all. A job is answered when its Units are durable and searchable.
 */
import type { Schedule } from "../../base/backoff.ts";
import { Fault } from "../../base/fault.ts";
import { COMMIT_MAX_BYTES, INGEST_QUEUE_MAX_BYTES } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import type { Plane } from "../../domain/plane.ts";
import type { FullTextIndex } from "../../domain/port/full-text-index.ts";
import type { IndexEntry } from "../../domain/port/index.ts";
import type { VectorIndex } from "../../domain/port/vector-index.ts";
import type { Catalog } from "../../adapter/sqlite/catalog.ts";
import type { Ledger } from "../../adapter/sqlite/ledger.ts";
import { type Failures, Indexer, targetsOf } from "../index/indexer.ts";

/** What a job did inside the transaction: its answer, the Units whose index entries changed, and whether Units were removed. */
export interface WriteResult<T> {
  value: T;
  changed: IndexEntry[];
  removed?: boolean;
}

interface Job {
  bytes: number;
  run: () => WriteResult<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface WriterOptions {
  catalog: Catalog;
  ledger: Ledger;
  vectors: Readonly<Record<Plane, VectorIndex>>;
  fulltext: FullTextIndex;
  log: Log;
  schedule?: Schedule;
}

const MIB = 1024 * 1024;
const UNSEARCHABLE = "the batch is stored but not searchable yet; it will be once the index is written again. Repeating the request is safe";

export class Writer {
  private readonly queue: Job[] = [];
  private queuedBytes = 0;
  private running: Promise<void> | null = null;
  private closed = false;
  private readonly indexer: Indexer;

  constructor(private readonly options: WriterOptions) {
    this.indexer = new Indexer(options);
  }

  /**
   * Queues a job that holds about `bytes` while it waits; one of 0, such as a removal, is never refused. `run` is
   * synchronous, holds only SQL, and undoes itself by throwing. Errors: what `run` throws; Fault `unavailable` when the
   * queue is full or a store fails.
   */
  submit<T>(bytes: number, run: () => WriteResult<T>): Promise<T> {
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

  /** As Indexer.replay. */
  replay(onProgress?: (units: number) => void): Promise<number> {
    return this.indexer.replay(onProgress);
  }

  /** Refuses new jobs and waits for the queued ones. */
  async close(): Promise<void> {
    this.closed = true;
    while (this.running !== null) await this.running;
    await this.indexer.close();
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
      const failures = await this.indexer.follow(
        committed.flatMap(({ written }) => written.changed),
        removed,
      );
      for (const { job, written } of committed) {
        const fault = unsearchable(written, failures);
        if (fault === null) job.resolve(written.value);
        else job.reject(fault);
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
  private commit(jobs: readonly Job[]): { job: Job; written: WriteResult<unknown> }[] {
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
}

/** The fault to answer a job with; null when the indexes that it concerns follow. One that changed nothing waits for everything. */
function unsearchable({ changed }: WriteResult<unknown>, failures: Failures): Fault | null {
  if (failures.size === 0) return null;
  const concerned = changed.length === 0 ? [...failures.keys()] : targetsOf(changed).filter((target) => failures.has(target));
  const [target] = concerned;
  return target === undefined ? null : new Fault("unavailable", UNSEARCHABLE, { cause: failures.get(target) });
}

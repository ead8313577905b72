/**
 * Brings the indexes of a namespace up to its store: what commits left in the outbox, in batches, beside the next commit. A
 * Unit that an index cannot take is set aside, so that the others go on.
 */
import { Backoff, type Schedule, systemSchedule } from "../../base/backoff.ts";
import { Fault } from "../../base/fault.ts";
import { BATCH_MAX_UNITS, INDEX_ATTEMPTS_ALONE_MAX, QUARANTINE_REASON_MAX_CHARS } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { machineFault } from "../../base/machine.ts";
import { PLANES, type Plane } from "../../domain/plane.ts";
import type { FullTextIndex } from "../../domain/port/full-text-index.ts";
import type { IndexEntry, IndexName } from "../../domain/port/index.ts";
import type { InHand } from "../../domain/port/outbox.ts";
import type { NamespaceStore, Revision } from "../../domain/port/store.ts";
import type { VectorIndex } from "../../domain/port/vector-index.ts";

export interface IndexerOptions {
  store: NamespaceStore;
  vectors: Readonly<Record<Plane, VectorIndex>>;
  fulltext: FullTextIndex;
  log: Log;
  schedule?: Schedule;
}

interface Waiter {
  indexes: readonly IndexName[] | null;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const INDEXES: readonly IndexName[] = ["fulltext", ...PLANES];
const REPLAY_BATCH_UNITS = 500;
const DIED = "the process ended each time it wrote this Unit to the index";
const UNSEARCHABLE = "the batch is stored but not searchable yet; it will be once the index is written again. Repeating the request is safe";

/** The indexes that could not be brought up to the store, with the error of each. */
type Failures = ReadonlyMap<IndexName, unknown>;

export class Indexer {
  /** Runs passes and replays one after another, since two that write the same Unit would race. */
  private queue: Promise<unknown> = Promise.resolve();
  private readonly waiters: Waiter[] = [];
  /** The revision that every index holds. */
  private reached: Revision = -1;
  private running = false;
  /** Whether a pass is to begin at once, */
  private due = false;
  /** and what cancels the one that is to begin later; null: there is none. */
  private cancelLater: (() => void) | null = null;
  /** Indexes that failed: what waits for them is written with a mark, and tried again after a pause. */
  private readonly behind = new Set<IndexName>();
  private readonly schedule: Schedule;
  private readonly backoff: Backoff;

  constructor(private readonly options: IndexerOptions) {
    this.schedule = options.schedule ?? systemSchedule;
    this.backoff = new Backoff(this.schedule);
  }

  /**
   * Resolves when these indexes (null: all) hold the store's state at `revision`. They are written after `withinMs` at the
   * latest, so that what others commit meanwhile is written with it. Errors: `unavailable` when one of them fails.
   */
  caughtUp(revision: Revision, indexes: readonly IndexName[] | null, withinMs = 0): Promise<void> {
    if (revision <= this.reached && this.behind.size === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiters.push({ indexes, resolve, reject });
      if (withinMs === 0) this.start();
      else this.cancelLater ??= this.schedule(withinMs, () => this.start());
    });
  }

  /**
   * Brings every index up to the store; harmless to repeat, since ids are deterministic. Returns the Units applied.
   * Errors: the error of the first index that fails; the others are brought up nevertheless.
   */
  replay(onProgress: (units: number) => void = () => {}): Promise<number> {
    return this.inTurn(async () => {
      await this.reopenLost();
      for (const index of await this.options.store.outbox.waiting()) this.behind.add(index);
      let done = 0;
      const failures = await this.pass((units) => {
        done += units;
        onProgress(done);
      });
      for (const cause of failures.values()) throw cause;
      return done;
    });
  }

  /** Cancels retries and what is to begin later, and waits for what runs. */
  async close(): Promise<void> {
    this.backoff.stop();
    this.cancelLater?.();
    await this.queue;
    for (const { reject } of this.waiters.splice(0)) reject(new Fault("unavailable", UNSEARCHABLE));
  }

  private start(): void {
    this.cancelLater?.();
    this.cancelLater = null;
    this.due = true;
    if (this.running) return;
    this.running = true;
    void this.inTurn(() => this.serve());
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.queue.then(work);
    this.queue = run.catch(() => {});
    return run;
  }

  /** Runs passes while one is due, each for everybody who waits. Whoever starts to wait during a pass is served by a later one. */
  private async serve(): Promise<void> {
    while (this.due) {
      this.due = false;
      const waiters = this.waiters.splice(0);
      try {
        const failures = await this.pass();
        for (const { indexes, resolve, reject } of waiters) {
          const failed = [...failures.keys()].find((index) => indexes === null || indexes.includes(index));
          if (failed === undefined) resolve();
          else reject(new Fault("unavailable", UNSEARCHABLE, { cause: failures.get(failed) }));
        }
      } catch (cause) {
        for (const { reject } of waiters) reject(new Fault("unavailable", UNSEARCHABLE, { cause }));
      }
    }
    this.running = false;
  }

  /** Rebuilds an index that holds fewer rows than were settled in it, as after its directory was deleted. */
  private async reopenLost(): Promise<void> {
    const { store, log } = this.options;
    for (const index of INDEXES) {
      const { rows, state } = await this.indexOf(index).state();
      if (state === "failing" || rows >= (await store.outbox.settledRows(index))) continue;
      log.warn("an index has lost rows and is built again", { namespace: store.namespace, index, rows });
      await store.outbox.again(index, "all");
    }
  }

  /** Writes what waits in the outbox to all indexes at once. Schedules a retry for those that fail. */
  private async pass(onProgress: (units: number) => void = () => {}): Promise<Failures> {
    const { store, log } = this.options;
    const failures = new Map<IndexName, unknown>();
    const revision = await store.reader.revision();
    const waiting = await store.outbox.waiting();
    await this.write(waiting.filter((index) => !this.behind.has(index)));
    const catchUp = async (index: IndexName) => {
      try {
        await this.catchUp(index, onProgress);
        this.behind.delete(index);
      } catch (error) {
        failures.set(index, error);
        log.error("an index does not follow the store", { namespace: store.namespace, index, error });
      }
    };
    await Promise.all([...this.behind].map(catchUp));
    if (failures.size === 0) {
      this.reached = revision;
      this.backoff.succeeded();
    } else this.backoff.retry(() => void this.inTurn(() => this.pass()).catch(() => {}));
    return failures;
  }

  /** Writes what waits for these indexes, a batch of each at a time, so that one commit notes what all have taken. One that fails is behind. */
  private async write(indexes: readonly IndexName[]): Promise<void> {
    const { outbox } = this.options.store;
    const batches = new Map<IndexName, IndexEntry[]>();
    const last = (index: IndexName) => batches.get(index)?.at(-1)?.unit.uid ?? 0;
    for (let open = indexes; open.length > 0; ) {
      open = await this.each(open, async (index) => batches.set(index, await outbox.pending(index, last(index), BATCH_MAX_UNITS)));
      open = open.filter((index) => last(index) > 0);
      open = await this.each(open, (index) => this.indexOf(index).put(batches.get(index) ?? []));
      open = await this.each(open, (index) => outbox.done(index, versionsOf(batches.get(index) ?? [])));
      open = open.filter((index) => batches.get(index)?.length === BATCH_MAX_UNITS);
    }
    const following = indexes.filter((index) => !this.behind.has(index));
    await this.each(following, (index) => this.removeGone(index));
  }

  /** Works on these indexes at once. Returns those that did not fail; the others are behind. */
  private async each(indexes: readonly IndexName[], work: (index: IndexName) => Promise<unknown>): Promise<IndexName[]> {
    const results = await Promise.allSettled(indexes.map(work));
    for (const [at, index] of indexes.entries()) if (results[at]?.status === "rejected") this.behind.add(index);
    return indexes.filter((index) => !this.behind.has(index));
  }

  /** Removes deleted Units from an index. Repeating it is harmless, since uids are never used again. */
  private async removeGone(index: IndexName): Promise<void> {
    const { outbox } = this.options.store;
    for (let uids = await outbox.removals(index, REPLAY_BATCH_UNITS); uids.length > 0; uids = await outbox.removals(index, REPLAY_BATCH_UNITS)) {
      await this.indexOf(index).remove(uids);
      await outbox.removed(index, uids);
    }
  }

  private async catchUp(index: IndexName, onProgress: (units: number) => void): Promise<void> {
    const { outbox } = this.options.store;
    await this.removeGone(index);
    const found = await outbox.taken(index);
    for (let after = 0; ; ) {
      const entries = await outbox.pending(index, after, REPLAY_BATCH_UNITS);
      const last = entries.at(-1);
      if (last === undefined) return;
      await this.take(index, entries, found);
      after = last.unit.uid;
      onProgress(entries.length);
    }
  }

  /** Writes a batch. When the process died while it wrote some of them, or the index refuses the batch, writes each Unit alone. */
  private async take(index: IndexName, entries: readonly IndexEntry[], found: InHand | null): Promise<void> {
    const suspect = entries.some(({ unit }) => found !== null && unit.uid >= found.first && unit.uid <= found.last);
    if (!suspect) {
      try {
        return await this.put(index, entries, 1);
      } catch (error) {
        if (machineFault(error) !== null) throw error;
      }
    }
    for (const entry of entries) await this.takeAlone(index, entry, found);
  }

  /** Writes one Unit, and sets it aside when the index cannot take it. Errors: those of the index or the machine. */
  private async takeAlone(index: IndexName, entry: IndexEntry, found: InHand | null): Promise<void> {
    const { uid } = entry.unit;
    const deaths = found !== null && found.first === uid && found.last === uid ? found.attempts : 0;
    if (deaths >= INDEX_ATTEMPTS_ALONE_MAX) return this.setAside(index, entry, DIED);
    try {
      await this.put(index, [entry], deaths + 1);
    } catch (error) {
      if (machineFault(error) !== null) throw error;
      // When the index takes a removal, the Unit is to blame; the removal also drops its older version.
      await this.indexOf(index).remove([uid]);
      await this.setAside(index, entry, reasonOf(error));
    }
  }

  /**
   * Writes with a mark in the store that names the Units, since a panic in a native library ends the process: the next start
   * finds the mark. `attempts`: how often these Units were tried alone, this time included.
   */
  private async put(index: IndexName, entries: readonly IndexEntry[], attempts: number): Promise<void> {
    const { outbox } = this.options.store;
    await outbox.take(index, { first: entries[0]?.unit.uid ?? 0, last: entries.at(-1)?.unit.uid ?? 0, attempts });
    try {
      await this.indexOf(index).put(entries);
    } catch (error) {
      await outbox.putBack(index);
      throw error;
    }
    await outbox.done(index, versionsOf(entries));
  }

  private async setAside(index: IndexName, { unit }: IndexEntry, reason: string): Promise<void> {
    const { store, log } = this.options;
    await store.outbox.setAside(index, unit, reason);
    log.error("a Unit is set aside: an index cannot take it", { namespace: store.namespace, index, unit_id: unit.unit_id, reason });
  }

  private indexOf(index: IndexName): FullTextIndex | VectorIndex {
    return index === "fulltext" ? this.options.fulltext : this.options.vectors[index];
  }
}

function versionsOf(entries: readonly IndexEntry[]): { uid: number; version: number }[] {
  return entries.map(({ unit: { uid, version } }) => ({ uid, version }));
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, QUARANTINE_REASON_MAX_CHARS);
}

/**
 * Brings the indexes of a namespace up to its catalog: what a commit changed, at once, and what the outbox still holds,
 * when an index did not follow. A Unit that an index cannot take is set aside, so that the others go on.
 */
import { Backoff, type Schedule, systemSchedule } from "../../base/backoff.ts";
import { INDEX_ATTEMPTS_ALONE_MAX, QUARANTINE_REASON_MAX_CHARS } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { machineFault } from "../../base/machine.ts";
import { PLANES, type Plane } from "../../domain/plane.ts";
import type { FullTextIndex } from "../../domain/port/full-text-index.ts";
import type { IndexEntry, IndexName } from "../../domain/port/index.ts";
import type { VectorIndex } from "../../domain/port/vector-index.ts";
import type { Catalog } from "../../adapter/sqlite/catalog.ts";
import type { Ledger } from "../../adapter/sqlite/ledger.ts";
import type { InHand } from "../../domain/port/outbox.ts";

export interface IndexerOptions {
  catalog: Catalog;
  ledger: Ledger;
  vectors: Readonly<Record<Plane, VectorIndex>>;
  fulltext: FullTextIndex;
  log: Log;
  schedule?: Schedule;
}

const TARGETS: readonly IndexName[] = ["fulltext", ...PLANES];
const REPLAY_BATCH_UNITS = 500;
const DIED = "the process ended each time it wrote this Unit to the index";

/** The indexes that could not be brought up to the store, with the error of each. */
export type Failures = ReadonlyMap<IndexName, unknown>;

export class Indexer {
  /** One after the other: a replay and a commit that write the same Unit would overtake each other. */
  private queue: Promise<unknown> = Promise.resolve();
  /** Indexes that did not follow: their outbox is replayed with the next commit, or after a pause. */
  private readonly behind = new Set<IndexName>();
  private readonly backoff: Backoff;

  constructor(private readonly options: IndexerOptions) {
    this.backoff = new Backoff(options.schedule ?? systemSchedule);
  }

  /** Lets the indexes follow a commit. */
  follow(changed: readonly IndexEntry[], removed: boolean): Promise<Failures> {
    return this.inTurn(async () => {
      await this.apply(latest(changed));
      // Afterwards: what was changed and removed in one transaction must not come back.
      if (removed) await this.applyRemovals();
      return this.catchUpAll();
    });
  }

  /**
   * Brings every index up to the catalog; harmless to repeat, since ids are deterministic. Returns the Units applied.
   * Errors: the error of the first index that fails; the others are brought up nevertheless.
   */
  replay(onProgress: (units: number) => void = () => {}): Promise<number> {
    return this.inTurn(async () => {
      await this.reopenLost();
      await this.applyRemovals();
      for (const target of this.options.catalog.outbox.targets()) this.behind.add(target);
      let done = 0;
      const failures = await this.catchUpAll((units) => {
        done += units;
        onProgress(done);
      });
      for (const cause of failures.values()) throw cause;
      return done;
    });
  }

  /** Cancels retries, and waits for what runs. */
  async close(): Promise<void> {
    this.backoff.stop();
    await this.queue;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.queue.then(work);
    this.queue = run.catch(() => {});
    return run;
  }

  /** Rebuilds an index that holds fewer rows than were settled in it, as after its directory was deleted. */
  private async reopenLost(): Promise<void> {
    const { catalog, ledger, log } = this.options;
    for (const target of TARGETS) {
      const { rows, state } = await this.indexOf(target).state();
      if (state === "failing" || rows >= catalog.outbox.settledRows(target)) continue;
      log.warn("an index has lost rows and is built again", { namespace: catalog.namespace, index: target, rows });
      ledger.transact(() => catalog.outbox.reopenAll(target));
    }
  }

  /** Writes changed Units to the indexes that are not behind; one that does not take them is from here on. */
  private async apply(entries: readonly IndexEntry[]): Promise<void> {
    const targets = targetsOf(entries).filter((target) => !this.behind.has(target));
    if (targets.length === 0) return;
    const results = await Promise.allSettled(targets.map((target) => this.indexOf(target).put(entriesOf(target, entries))));
    const followed = targets.filter((_, index) => results[index]?.status === "fulfilled");
    try {
      this.options.ledger.transact(() => {
        for (const target of followed) this.settle(target, entriesOf(target, entries));
      });
    } catch {
      followed.length = 0;
    }
    for (const target of targets) if (!followed.includes(target)) this.behind.add(target);
  }

  /** Lets the indexes forget the Units that are gone. Uids are never used again, so that repeating it is harmless. */
  private async applyRemovals(): Promise<void> {
    for (const target of TARGETS) {
      if (!this.behind.has(target)) await this.removeGone(target).catch(() => this.behind.add(target));
    }
  }

  private async removeGone(target: IndexName): Promise<void> {
    const { catalog, ledger } = this.options;
    for (
      let uids = catalog.outbox.removals(target, REPLAY_BATCH_UNITS);
      uids.length > 0;
      uids = catalog.outbox.removals(target, REPLAY_BATCH_UNITS)
    ) {
      await this.indexOf(target).remove(uids);
      ledger.transact(() => catalog.outbox.closeRemovals(target, uids));
    }
  }

  /** Replays the outbox of the indexes that are behind, and comes back later for those that do not follow. */
  private async catchUpAll(onProgress: (units: number) => void = () => {}): Promise<Failures> {
    const failures = new Map<IndexName, unknown>();
    for (const target of [...this.behind]) {
      try {
        await this.catchUp(target, onProgress);
        this.behind.delete(target);
      } catch (error) {
        failures.set(target, error);
        this.options.log.error("an index does not follow the catalog", { namespace: this.options.catalog.namespace, index: target, error });
      }
    }
    if (failures.size === 0) this.backoff.succeeded();
    else this.backoff.retry(() => void this.inTurn(() => this.catchUpAll()));
    return failures;
  }

  private async catchUp(target: IndexName, onProgress: (units: number) => void): Promise<void> {
    await this.removeGone(target);
    const found = this.options.catalog.outbox.marked(target);
    for (let after = 0; ; ) {
      const entries = this.options.catalog.open(target, after, REPLAY_BATCH_UNITS);
      const last = entries.at(-1);
      if (last === undefined) return;
      await this.take(target, entries, found);
      after = last.unit.uid;
      onProgress(entries.length);
    }
  }

  /** Writes a batch. When the process died while it wrote some of them, or the index refuses the batch, writes each Unit alone. */
  private async take(target: IndexName, entries: readonly IndexEntry[], found: InHand | null): Promise<void> {
    const suspect = entries.some(({ unit }) => found !== null && unit.uid >= found.first && unit.uid <= found.last);
    if (!suspect) {
      try {
        return await this.put(target, entries, 1);
      } catch (error) {
        if (machineFault(error) !== null) throw error;
      }
    }
    for (const entry of entries) await this.takeAlone(target, entry, found);
  }

  /** Writes one Unit, and sets it aside when the index cannot take it. Errors: those of the index or the machine. */
  private async takeAlone(target: IndexName, entry: IndexEntry, found: InHand | null): Promise<void> {
    const { uid } = entry.unit;
    const deaths = found !== null && found.first === uid && found.last === uid ? found.attempts : 0;
    if (deaths >= INDEX_ATTEMPTS_ALONE_MAX) return this.setAside(target, entry, DIED);
    try {
      await this.put(target, [entry], deaths + 1);
    } catch (error) {
      if (machineFault(error) !== null) throw error;
      // When the index takes a removal, the Unit is to blame; the removal also drops its older version.
      await this.indexOf(target).remove([uid]);
      this.setAside(target, entry, reasonOf(error));
    }
  }

  /**
   * Writes with a mark in the catalog that names what is in hand. A native library that panics ends the process: the next
   * start finds the mark and knows where. `attempts`: how often, with this one, these Units were tried alone.
   */
  private async put(target: IndexName, entries: readonly IndexEntry[], attempts: number): Promise<void> {
    const { catalog, ledger } = this.options;
    const [first, last] = [entries[0]?.unit.uid ?? 0, entries.at(-1)?.unit.uid ?? 0];
    ledger.transact(() => catalog.outbox.mark(target, { first, last, attempts }));
    try {
      await this.indexOf(target).put(entries);
    } catch (error) {
      ledger.transact(() => catalog.outbox.unmark(target));
      throw error;
    }
    ledger.transact(() => {
      this.settle(target, entries);
      catalog.outbox.unmark(target);
    });
  }

  private setAside(target: IndexName, { unit }: IndexEntry, reason: string): void {
    const { catalog, ledger, log } = this.options;
    ledger.transact(() => {
      catalog.outbox.setAside(target, unit, reason);
      catalog.outbox.unmark(target);
    });
    log.error("a Unit is set aside: an index cannot take it", { namespace: catalog.namespace, index: target, unit_id: unit.unit_id, reason });
  }

  private indexOf(target: IndexName): FullTextIndex | VectorIndex {
    return target === "fulltext" ? this.options.fulltext : this.options.vectors[target];
  }

  private settle(target: IndexName, entries: readonly IndexEntry[]): void {
    this.options.catalog.outbox.close(
      target,
      entries.map(({ unit }) => unit),
    );
  }
}

/** The indexes that hold something of these Units. */
export function targetsOf(entries: readonly IndexEntry[]): IndexName[] {
  return entries.length === 0 ? [] : [...new Set<IndexName>(["fulltext", ...entries.map(({ unit }) => unit.plane)])];
}

function entriesOf(target: IndexName, entries: readonly IndexEntry[]): readonly IndexEntry[] {
  return target === "fulltext" ? entries : entries.filter(({ unit }) => unit.plane === target);
}

/** The last version of each Unit that has text: what an index should hold. */
function latest(changed: readonly IndexEntry[]): IndexEntry[] {
  return [...new Map(changed.map((entry) => [entry.unit.uid, entry])).values()].filter(({ unit }) => unit.text !== null);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, QUARANTINE_REASON_MAX_CHARS);
}

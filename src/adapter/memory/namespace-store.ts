/** A namespace's store in memory. A transaction works on a copy of the tables, which takes their place when it is done. */
import { Fault } from "../../base/fault.ts";
import { INGEST_QUEUE_MAX_BYTES } from "../../base/limits.ts";
import { promised } from "../../base/promised.ts";
import type { Outbox } from "../../domain/port/outbox.ts";
import type { Committed, NamespaceReader, NamespaceStore, NamespaceTransactor } from "../../domain/port/store.ts";
import { copyOf, emptyState, type State, type StoreOptions } from "./state.ts";
import { type Tables, tablesOf } from "./tables.ts";

export class MemoryStore implements NamespaceStore {
  readonly namespace: string;
  readonly reader: NamespaceReader;
  readonly outbox: Outbox;
  private state = emptyState();
  private last: Promise<unknown> = Promise.resolve();
  private waitingBytes = 0;
  private closed = false;
  private changed: (uids: readonly number[]) => void = () => {};

  constructor(private readonly options: StoreOptions) {
    this.namespace = options.namespace;
    const committed = tablesOf(() => this.state, options);
    this.reader = portsOf(committed);
    this.outbox = this.outboxOf(committed);
  }

  transact<T>(work: (tx: NamespaceTransactor) => Promise<T>, bytes = 0): Promise<Committed<T>> {
    return this.alone((tables, usable) => work(portsOf(tables, usable)), bytes);
  }

  watch(changed: (uids: readonly number[]) => void): void {
    this.changed = changed;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.last;
  }

  private alone<T>(work: (tables: Tables, usable: () => void) => Promise<T>, bytes: number): Promise<Committed<T>> {
    if (this.closed) return Promise.reject(new Fault("unavailable", "the service is stopping"));
    if (bytes > 0 && this.waitingBytes > 0 && this.waitingBytes + bytes > INGEST_QUEUE_MAX_BYTES) {
      return Promise.reject(new Fault("unavailable", "too much waits to be written; send it again in a moment"));
    }
    this.waitingBytes += bytes;
    const run = this.last.then(async () => {
      this.waitingBytes -= bytes;
      const copy = copyOf(this.state);
      let ended = false;
      const usable = () => {
        if (ended) throw new Error("a transaction is used after its end");
      };
      try {
        const value = await work(
          tablesOf(() => copy, this.options),
          usable,
        );
        const changed = changedBetween(this.state, copy);
        this.state = copy;
        if (changed.length > 0) this.changed(changed);
        return { value, revision: copy.revision };
      } finally {
        ended = true;
      }
    });
    this.last = run.catch(() => {});
    return run;
  }

  private outboxOf({ outbox }: Tables): Outbox {
    type Write = "take" | "putBack" | "done" | "removed" | "again" | "setAside";
    const write =
      (name: Write) =>
      async (...args: unknown[]) => {
        await this.alone(async (tables) => (tables.outbox[name] as (...all: unknown[]) => void)(...args), 0);
      };
    const { waiting, pending, pendingUids, removals, taken, quarantined, settledRows } = promised(outbox);
    const reads = { waiting, pending, pendingUids, removals, taken, quarantined, settledRows };
    const writes = { take: write("take"), putBack: write("putBack"), done: write("done"), removed: write("removed") };
    return { ...reads, ...writes, again: write("again"), setAside: write("setAside") };
  }
}

/** The Units that are not the same in both. */
function changedBetween(before: State, after: State): number[] {
  const uids = [before, after].flatMap(({ units }) => [...units.keys()]);
  const differs = (uid: number) => before.units.get(uid) !== after.units.get(uid) || before.features.get(uid) !== after.features.get(uid);
  return [...new Set(uids)].filter(differs);
}

function portsOf(tables: Tables, usable?: () => void): NamespaceTransactor {
  return {
    units: promised(tables.units, usable),
    embeddings: promised(tables.embeddings, usable),
    features: promised(tables.features, usable),
    access: promised(tables.access, usable),
    files: promised(tables.files, usable),
    jobs: promised(tables.jobs, usable),
    ledger: promised(tables.ledger, usable),
    idempotency: promised(tables.idempotency, usable),
    revision: promised(tables.revisions, usable).revision,
  };
}

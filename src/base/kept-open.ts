/**
 * Resources that are opened by name on first use and kept open, a bounded number of them. Each is held while somebody works
 * with it; when another one is wanted and there is no place, the one that nobody has held for longest is closed.
 */
import { Fault } from "./fault.ts";

interface Entry<V> {
  opened: Promise<V>;
  /** Null until it is open. */
  value: V | null;
  /** How many work with it, or wait until it is open. */
  holds: number;
  /** Settles when it is closed; null while it is not being closed. */
  closing: Promise<void> | null;
}

export interface KeptOpenOptions {
  /** How many may be open at once. */
  max: number;
  /** Who waits for a place is refused when nobody has got one for this long. */
  waitMs: number;
}

export class KeptOpen<V extends { close(): Promise<void> }> {
  /** Those that are open, on their way, or wait for a place; the one that was let go of longest ago comes first. */
  private readonly entries = new Map<string, Entry<V>>();
  /** Those that wait for a place, in the order in which they came. */
  private readonly waiting: PromiseWithResolvers<void>[] = [];
  private places = 0;
  /** Entries on their way out, each of which gives a place. */
  private leaving = 0;
  private closed = false;
  /** Refuses those that wait. */
  private refusal: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: KeptOpenOptions) {}

  /** How many are open, or on their way. */
  get size(): number {
    return this.places;
  }

  get max(): number {
    return this.options.max;
  }

  /** Those that are open. */
  values(): V[] {
    return [...this.entries.values()].flatMap(({ value }) => (value === null ? [] : [value]));
  }

  /** Works with a resource, which stays open meanwhile. Errors: those of `open` and `work`; `unavailable` when there is no place in time, or after `close`. */
  async during<R>(name: string, open: () => Promise<V>, work: (value: V) => Promise<R>): Promise<R> {
    const entry = await this.hold(name, open);
    try {
      return await work(await entry.opened);
    } finally {
      entry.holds -= 1;
      if (this.entries.get(name) === entry) {
        this.entries.delete(name);
        this.entries.set(name, entry);
      }
      this.makeRoom();
    }
  }

  /** Opens a resource that stays open until all are closed. Errors: as `during`. */
  async keep(name: string, open: () => Promise<V>): Promise<V> {
    return (await this.hold(name, open)).opened;
  }

  /** Opens nothing from now on, and closes everything that is open. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { reject } of this.waiting.splice(0)) reject(stopping());
    this.watch();
    await Promise.all([...this.entries].map(([name, entry]) => entry.closing ?? this.shut(name, entry)));
  }

  private async hold(name: string, open: () => Promise<V>): Promise<Entry<V>> {
    for (;;) {
      if (this.closed) throw stopping();
      const known = this.entries.get(name);
      if (known === undefined) return this.begin(name, open);
      if (known.closing === null) {
        known.holds += 1;
        return known;
      }
      await known.closing;
    }
  }

  private begin(name: string, open: () => Promise<V>): Entry<V> {
    const { promise: opened, resolve, reject } = Promise.withResolvers<V>();
    const entry: Entry<V> = { opened, value: null, holds: 1, closing: null };
    this.entries.set(name, entry);
    // Whoever holds it hears of a failure; `close` may come before anybody listens.
    opened.catch(() => {});
    void this.open(entry, open).then(resolve, (error: unknown) => {
      this.entries.delete(name);
      reject(error);
    });
    return entry;
  }

  private async open(entry: Entry<V>, open: () => Promise<V>): Promise<V> {
    await this.place();
    try {
      entry.value = await open();
      return entry.value;
    } catch (error) {
      this.places -= 1;
      this.makeRoom();
      throw error;
    }
  }

  /** Takes a place, after those that came before. Errors: `unavailable`. */
  private place(): Promise<void> {
    const granted = Promise.withResolvers<void>();
    this.waiting.push(granted);
    if (this.waiting.length === 1) this.watch();
    this.makeRoom();
    return granted.promise;
  }

  /** Begins to count the time in which somebody must get a place. */
  private watch(): void {
    clearTimeout(this.refusal);
    if (this.waiting.length === 0) return;
    this.refusal = setTimeout(() => {
      for (const { reject } of this.waiting.splice(0)) {
        reject(new Fault("unavailable", "as many are in use as can be open at once; try again in a moment"));
      }
    }, this.options.waitMs);
  }

  /** Gives free places to those that wait, and closes as many as still wait. */
  private makeRoom(): void {
    while (this.waiting.length > 0 && this.places < this.options.max) {
      this.places += 1;
      this.waiting.shift()?.resolve();
      this.watch();
    }
    for (const [name, entry] of this.entries) {
      if (this.waiting.length <= this.leaving) return;
      if (entry.holds === 0 && entry.closing === null) void this.shut(name, entry);
    }
  }

  private shut(name: string, entry: Entry<V>): Promise<void> {
    this.leaving += 1;
    const end = async () => {
      const value = await entry.opened.catch(() => null);
      if (value !== null) {
        entry.value = null;
        await value.close().catch(() => {});
        this.entries.delete(name);
        this.places -= 1;
      }
      this.leaving -= 1;
      this.makeRoom();
    };
    entry.closing = end();
    return entry.closing;
  }
}

function stopping(): Fault {
  return new Fault("unavailable", "the service is stopping");
}

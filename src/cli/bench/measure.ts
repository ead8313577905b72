/** Figures: what was measured, against which baseline of the same run, and the bar it is held to. */
export interface Figure {
  name: string;
  /** Null: left out, in a build that lacks what it takes. */
  value: number | null;
  unit: string;
  /** The same work without the service, measured in the same run. */
  baseline?: { name: string; value: number };
  /** Holds when `value / baseline` (or `value` alone) is on the right side of it. */
  bar?: { text: string; met: boolean };
}

export const FIGURE_HEADINGS = ["MEASURED", "VALUE", "BASELINE", "RATIO", "BAR"];

/** A figure under FIGURE_HEADINGS. */
export function figureRow({ name, value, unit, baseline, bar }: Figure): string[] {
  if (value === null) return [name, "left out: not in this build"];
  return [
    name,
    `${rounded(value)} ${unit}`,
    baseline ? `${rounded(baseline.value)} ${unit} (${baseline.name})` : "",
    baseline ? (value / baseline.value).toFixed(2) : "",
    bar ? `${bar.text}: ${bar.met ? "met" : "MISSED"}` : "",
  ];
}

type Unbarred = Omit<Figure, "bar">;

/** The figure with the bar that its value is at most `max`. */
export function atMost(max: number, figure: Unbarred): Figure {
  return { ...figure, bar: { text: `at most ${max} ${figure.unit}`, met: (figure.value ?? Number.NaN) <= max } };
}

/** The figure with the bar that its value is at least `min`. */
export function atLeast(min: number, figure: Unbarred): Figure {
  return { ...figure, bar: { text: `at least ${min} ${figure.unit}`, met: (figure.value ?? Number.NaN) >= min } };
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

/** The value below which `share` of the list lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const SLOWDOWN_MAX = 2;

/** The median of searches beside other work, held against their median alone; ms. */
export function slowdown(name: string, alone: readonly number[], beside: readonly number[]): Figure {
  const [base, value] = [percentile(alone, 0.5), percentile(beside, 0.5)];
  const bar = { text: `at most ${SLOWDOWN_MAX} times as slow`, met: value <= SLOWDOWN_MAX * base };
  return { name, value, unit: "ms", baseline: { name: "alone", value: base }, bar };
}

/** ms of each item, in their order, and of all together. */
export interface Times {
  each: number[];
  total: number;
}

/** Items a second. */
export function rate({ each, total }: Times): number {
  return (each.length * 1000) / total;
}

/** Runs `work` for every item with `clients` at once. */
export async function timed<T>(items: readonly T[], clients: number, work: (item: T) => Promise<unknown>): Promise<Times> {
  const each: number[] = [];
  let next = 0;
  const client = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const start = performance.now();
      await work(items[at] as T);
      each[at] = performance.now() - start;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return { each, total: performance.now() - start };
}

/** Measures how long at least one call of the observed methods was under way. */
export class BusyMeter {
  private running = 0;
  private since = 0;
  private busy = 0;

  /** Replaces methods of `target` by ones that are counted. */
  observe<T extends object>(target: T, ...methods: (keyof T)[]): void {
    for (const method of methods) {
      const original = (target[method] as (...args: unknown[]) => Promise<unknown>).bind(target);
      Object.assign(target, {
        [method]: async (...args: unknown[]) => {
          if (this.running++ === 0) this.since = performance.now();
          try {
            return await original(...args);
          } finally {
            if (--this.running === 0) this.busy += performance.now() - this.since;
          }
        },
      });
    }
  }

  /** Milliseconds since the last call. */
  take(): number {
    const busy = this.busy;
    this.busy = 0;
    return busy;
  }
}

const TICK_MS = 1;
const MICROSECONDS_PER_MS = 1_000;

/** CPU time of this thread in ms. Node's types lack what Bun has. */
function threadCpuMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
  return (user + system) / MICROSECONDS_PER_MS;
}

/**
 * The longest time for which the main thread looked at nothing else, waiting for a core included. Synchronous work that cannot
 * be parted (a body's parsing, a commit) is observed, and measured apart.
 */
export class StallMeter {
  private last = 0;
  private lastCpu = 0;
  private longestCpuMs = 0;
  private apartMs = 0;
  private depth = 0;
  private longestMs = 0;
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly calls = new Map<string, number>();

  /** Measures a method of `target` under a name: one that holds the main thread until it returns, or until its promise settles. */
  apart<T extends object>(name: string, target: T, method: keyof T): void {
    const original = (target[method] as (...args: unknown[]) => unknown).bind(target);
    Object.assign(target, {
      [method]: (...args: unknown[]) => {
        const start = performance.now();
        this.depth += 1;
        const end = () => {
          const ms = performance.now() - start;
          this.depth -= 1;
          // What runs inside another observed call is a part of it.
          if (this.depth === 0) this.apartMs += ms;
          this.calls.set(name, Math.max(ms, this.longestOf(name)));
        };
        let result: unknown;
        try {
          result = original(...args);
        } finally {
          if (!(result instanceof Promise)) end();
        }
        return result instanceof Promise ? result.finally(end) : result;
      },
    });
  }

  start(): void {
    this.last = performance.now();
    this.lastCpu = threadCpuMs();
    this.apartMs = 0;
    this.longestMs = 0;
    this.longestCpuMs = 0;
    this.calls.clear();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  /** Ends the measurement. Returns the longest stall in ms. */
  stop(): number {
    this.tick();
    if (this.timer !== null) clearInterval(this.timer);
    return this.longestMs;
  }

  /** The most CPU time that the main thread took between two looks at the clock, in ms: what it worked at, however busy the cores were. */
  longestWork(): number {
    return this.longestCpuMs;
  }

  /** The longest call of an observed method since `start`, in ms. */
  longestOf(name: string): number {
    return this.calls.get(name) ?? 0;
  }

  private tick(): void {
    const now = performance.now();
    this.longestMs = Math.max(this.longestMs, now - this.last - TICK_MS - this.apartMs);
    this.last = now;
    this.apartMs = 0;
    const cpu = threadCpuMs();
    this.longestCpuMs = Math.max(this.longestCpuMs, cpu - this.lastCpu);
    this.lastCpu = cpu;
  }
}

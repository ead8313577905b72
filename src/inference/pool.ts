/**
 * Shares texts and pairs out among the inference workers: queries first, then pairs, then ingest. Texts take turns by
 * tenant, pairs by batch, so that nobody waits for all that somebody else has sent.
 */
import { Backoff, type Schedule, systemSchedule } from "../base/backoff.ts";
import { gone, stopIfGone } from "../base/abort.ts";
import { assert, Fault } from "../base/fault.ts";
import {
  ENCODER_QUEUE_MAX_BYTES,
  UNIT_OVERHEAD_BYTES,
  INFERENCE_IDLE_MS,
  INFERENCE_JOB_MAX_ATTEMPTS,
  INFERENCE_PIPELINE_DEPTH,
  PAIRS_QUEUE_MAX,
} from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import type { EncodePriority, TextWindow } from "../domain/port/encoder.ts";
import {
  type InferenceOutcome,
  type InferenceRequest,
  type InferenceResult,
  type Pair,
  type PairTaskName,
  PRIORITIES,
  type Priority,
} from "./messages.ts";
import { type Job, Lines, Order, Quota } from "./queue.ts";

export interface InferenceWorkerEvents {
  replied(id: number, outcome: InferenceOutcome): void;
  /** Comes at most once and only after the worker had started; no reply follows. */
  died(error: unknown): void;
}

export interface InferenceWorker {
  post(request: InferenceRequest): void;
  /** Ends the thread when it has no work. */
  close(): Promise<void>;
}

/** Starts one worker; resolves when it can take work, rejects when it cannot. */
export type StartInferenceWorker = (events: InferenceWorkerEvents) => Promise<InferenceWorker>;

/** Whose it is and how much of the quota it takes; when it is given up: after a time what waits, with the signal all of it. */
interface Placing {
  whose: unknown;
  size: number;
  withinMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A live worker and the jobs it has in hand, by request id. */
interface Slot {
  worker: InferenceWorker;
  jobs: Map<number, Job>;
}

export class InferencePool {
  private readonly texts = new Quota("texts", ENCODER_QUEUE_MAX_BYTES);
  private readonly pairs = new Quota("pairs", PAIRS_QUEUE_MAX);
  private readonly lines = new Lines();
  private readonly slots = new Set<Slot>();
  private starting: Promise<void> | undefined;
  private nextId = 1;
  private closing: Promise<void> | undefined;
  private idle: (() => void) | undefined;
  private retireTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly retiring = new Set<Promise<void>>();
  private readonly backoff: Backoff;
  /** True when a worker died and none has replied since: the next death is followed by a pause. */
  private diedLast = false;

  /** `workers`: how many may live at once. They start when work queues, one after another; all but `staying` end again when nothing is to be done. */
  constructor(
    private readonly startWorker: StartInferenceWorker,
    private readonly workers: number,
    private readonly log: Log,
    private readonly staying = 1,
    private readonly idleMs = INFERENCE_IDLE_MS,
    schedule: Schedule = systemSchedule,
  ) {
    assert(workers >= 1, "a pool has a worker");
    this.backoff = new Backoff(schedule);
  }

  get live(): number {
    return this.slots.size;
  }

  /** True while there is no worker because the last ones died or did not start. */
  get down(): boolean {
    return this.slots.size === 0 && this.backoff.waiting;
  }

  /**
   * Errors: Fault `unavailable` when the queue is full, no worker starts or one is waited for, two died of the text, the
   * pool closes, or `signal` comes.
   */
  async embed(text: string, priority: EncodePriority, tenant = "", signal?: AbortSignal): Promise<TextWindow[]> {
    const order = new Order(priority, [{ kind: "text", text }], tenant);
    const bytes = Buffer.byteLength(text) + UNIT_OVERHEAD_BYTES;
    const results = await this.place(order, this.texts, { whose: tenant, size: bytes, signal });
    return results.map((result) => {
      assert(result?.kind === "embedded", "a text becomes windows");
      return result.window;
    });
  }

  /** The logits of each pair; null where it had not begun after `withinMs`. Errors: as embed, or the model does not open. */
  async score(model: PairTaskName, pairs: readonly Pair[], withinMs?: number, signal?: AbortSignal): Promise<(Float32Array | null)[]> {
    if (pairs.length === 0) return [];
    const tasks = pairs.map(({ first, second }) => ({ kind: "pair" as const, model, first, second }));
    const results = await this.place(new Order("answer", tasks), this.pairs, { whose: null, size: pairs.length, withinMs, signal });
    return results.map((result) => {
      assert(result?.kind !== "embedded", "a pair becomes logits");
      return result?.logits ?? null;
    });
  }

  /** Refuses what waits, lets the workers finish what they have in hand, and ends them. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async place(order: Order, quota: Quota, { whose, size, withinMs, signal }: Placing): Promise<(InferenceResult | null)[]> {
    stopIfGone(signal);
    if (this.closing !== undefined) throw shuttingDown();
    if (this.down) throw noWorker();
    quota.take(whose, size);
    this.lines.append(order);
    const timer = withinMs === undefined ? undefined : setTimeout(() => this.giveUpWaiting(order), withinMs);
    const leave = () => this.fail(order, gone());
    signal?.addEventListener("abort", leave, { once: true });
    this.dispatch();
    try {
      return await order.results;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      quota.giveBack(whose, size);
    }
  }

  private giveUpWaiting(order: Order): void {
    this.lines.remove(order);
    order.giveUpWaiting();
  }

  private async end(): Promise<void> {
    clearTimeout(this.retireTimer);
    this.backoff.stop();
    this.failWaiting(shuttingDown());
    await this.starting;
    if (this.busy()) {
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
    }
    await Promise.all([...this.retiring, ...[...this.slots].map((slot) => slot.worker.close())]);
    this.slots.clear();
  }

  private dispatch(): void {
    for (const priority of PRIORITIES) {
      for (let slot = this.slotFor(priority); slot !== undefined; slot = this.slotFor(priority)) {
        const job = this.lines.next(priority);
        if (job === undefined) break;
        this.post(slot, job);
      }
    }
    if (!this.lines.empty && this.slots.size < this.workers) this.grow();
    if (this.busy()) return;
    this.idle?.();
    this.retireWhenIdle();
  }

  /** Models take 50 to 100 MB each: workers that need not stay are let go when nobody has needed them for a while. */
  private retireWhenIdle(): void {
    clearTimeout(this.retireTimer);
    if (this.slots.size <= this.staying || this.closing !== undefined) return;
    this.retireTimer = setTimeout(() => {
      if (this.busy() || this.closing !== undefined) return;
      for (const slot of [...this.slots].slice(this.staying)) {
        this.slots.delete(slot);
        const ended = slot.worker.close().finally(() => this.retiring.delete(ended));
        this.retiring.add(ended);
      }
    }, this.idleMs);
    this.retireTimer.unref();
  }

  /**
   * The worker with the fewest jobs of this class or before it, of those the one with the fewest in all; undefined when
   * each has its fill. What comes later in the order of classes never holds up what comes before.
   */
  private slotFor(priority: Priority): Slot | undefined {
    const depth = (slot: Slot) => [...slot.jobs.values()].filter(({ order }) => !comesAfter(order.priority, priority)).length;
    const free = [...this.slots].map((slot) => ({ slot, depth: depth(slot) })).filter((one) => one.depth < INFERENCE_PIPELINE_DEPTH);
    return free.sort((a, b) => a.depth - b.depth || a.slot.jobs.size - b.slot.jobs.size)[0]?.slot;
  }

  private post(slot: Slot, job: Job): void {
    const id = this.nextId++;
    job.attempts++;
    slot.jobs.set(id, job);
    slot.worker.post({ id, priority: job.order.priority, task: job.task });
  }

  /** Starts one worker more, unless one is starting or the last ones failed a moment ago. */
  private grow(): void {
    if (this.starting !== undefined || this.backoff.waiting || this.closing !== undefined) return;
    this.starting = this.addWorker()
      .catch((cause: unknown) => {
        this.log.error("an inference worker did not start", { error: cause });
        this.growLater(cause);
      })
      .finally(() => {
        this.starting = undefined;
        if (this.slots.size > 0) this.dispatch();
      });
  }

  /** Starts again after a pause what should be there. Nothing waits for that: without a worker, what is queued fails. */
  private growLater(cause: unknown): void {
    this.backoff.retry(() => {
      if (this.slots.size < this.staying) this.grow();
      else this.dispatch();
    });
    if (this.slots.size === 0) this.failWaiting(noWorker(cause));
  }

  private async addWorker(): Promise<void> {
    const jobs: Slot["jobs"] = new Map();
    let slot: Slot | undefined;
    const worker = await this.startWorker({
      replied: (id, outcome) => slot !== undefined && this.replied(slot, id, outcome),
      died: (error) => slot !== undefined && this.died(slot, error),
    });
    slot = { worker, jobs };
    this.slots.add(slot);
  }

  private replied(slot: Slot, id: number, outcome: InferenceOutcome): void {
    const job = slot.jobs.get(id);
    slot.jobs.delete(id);
    assert(job !== undefined, "a worker replies to what it was asked");
    this.diedLast = false;
    // A pause is for a worker that did not start: what another one does says nothing about it.
    if (!this.backoff.waiting) this.backoff.succeeded();
    if (!job.order.settled) this.take(job, outcome);
    this.dispatch();
  }

  private take({ order, index }: Job, outcome: InferenceOutcome): void {
    if (outcome.kind === "failed") {
      this.log.error("inference failed", { error: outcome.error });
      this.fail(order, new Fault("unavailable", "the model failed", { cause: outcome.error }));
    } else if (outcome.kind !== "planned") {
      order.fill(index, outcome);
    } else if (this.closing !== undefined) {
      order.fail(shuttingDown());
    } else {
      order.plan(outcome.windows.map((window) => ({ kind: "window", window })));
      this.lines.prepend(order);
    }
  }

  private died(slot: Slot, cause: unknown): void {
    this.slots.delete(slot);
    this.log.error("an inference worker died", { error: cause, jobs: slot.jobs.size });
    for (const job of [...slot.jobs.values()].reverse()) {
      if (job.order.settled) continue;
      const again = job.attempts < INFERENCE_JOB_MAX_ATTEMPTS && this.closing === undefined;
      if (again) this.lines.putBack(job);
      else this.fail(job.order, new Fault("unavailable", "the model failed", { cause }));
    }
    if (this.diedLast) this.growLater(cause);
    this.diedLast = true;
    this.dispatch();
    if (this.slots.size < this.staying) this.grow();
  }

  private failWaiting(fault: Fault): void {
    for (const order of this.lines.clear()) order.fail(fault);
  }

  private fail(order: Order, fault: Fault): void {
    this.lines.remove(order);
    order.fail(fault);
  }

  private busy(): boolean {
    return [...this.slots].some((slot) => slot.jobs.size > 0);
  }
}

function comesAfter(one: Priority, other: Priority): boolean {
  return PRIORITIES.indexOf(one) > PRIORITIES.indexOf(other);
}

function noWorker(cause?: unknown): Fault {
  return new Fault("unavailable", "no inference worker starts; it is tried again in a moment", { cause });
}

function shuttingDown(): Fault {
  return new Fault("unavailable", "the models are shutting down");
}

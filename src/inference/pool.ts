/**
 * Distributes texts and pairs to the inference workers by priority: queries, then pairs, then ingest. Within a priority
 * tenants (for texts) and batches (for pairs) are served in turn, so that a large request does not delay a small one.
 */
import { Backoff, type Schedule, systemSchedule } from "../base/backoff.ts";
import { gone, stopIfGone } from "../base/abort.ts";
import { assert, Fault } from "../base/fault.ts";
import {
  ENCODER_QUEUE_MAX_BYTES,
  UNIT_OVERHEAD_BYTES,
  INFERENCE_IDLE_MS,
  INFERENCE_TASK_MAX_ATTEMPTS,
  INFERENCE_PIPELINE_DEPTH,
  PAIRS_QUEUE_MAX,
  QUERY_PIPELINE_DEPTH,
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
  type TextModelName,
} from "./messages.ts";
import { type QueuedTask, FairQueue, TaskGroup, Quota } from "./queue.ts";

export interface InferenceWorker {
  post(request: InferenceRequest, replied: (outcome: InferenceOutcome) => void): void;
  /** Ends the thread when it has no work. */
  close(): Promise<void>;
}

/**
 * Starts one worker; resolves when it can take work, rejects when it cannot. `died` is called at most once and only after
 * the worker had started; no reply follows.
 */
export type StartInferenceWorker = (died: (error: unknown) => void) => Promise<InferenceWorker>;

/** Takes `size` of the quota of `whose`. After `withinMs` tasks that still wait are given up; an aborted `signal` ends the whole group. */
interface Placement {
  whose: unknown;
  size: number;
  withinMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A live worker and the tasks that were posted to it, in order. */
interface Slot {
  worker: InferenceWorker;
  tasks: Set<QueuedTask>;
}

export class InferencePool {
  private readonly texts = new Quota("texts", ENCODER_QUEUE_MAX_BYTES);
  private readonly pairs = new Quota("pairs", PAIRS_QUEUE_MAX);
  private readonly queue = new FairQueue();
  private readonly slots = new Set<Slot>();
  private starting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private idle: (() => void) | undefined;
  private retireTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly retiring = new Set<Promise<void>>();
  private readonly backoff: Backoff;
  /** True from a worker's death until any worker replies: a second death in that time is followed by a pause. */
  private diedLast = false;

  /** `workers`: the most that live at once. They start one after another while tasks wait; all but `staying` end after `idleMs` without work. */
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
  async embed(text: string, priority: EncodePriority, tenant = "", signal?: AbortSignal, model: TextModelName = "english"): Promise<TextWindow[]> {
    const group = new TaskGroup(priority, [{ kind: "text", text, model }], tenant);
    const bytes = Buffer.byteLength(text) + UNIT_OVERHEAD_BYTES;
    const results = await this.place(group, this.texts, { whose: tenant, size: bytes, signal });
    return results.map((result) => {
      assert(result?.kind === "embedded", "a text becomes windows");
      return result.window;
    });
  }

  /** The logits of each pair; null for a pair that no worker had begun after `withinMs`. Errors: as embed; Fault `unavailable` when the model does not open. */
  async score(model: PairTaskName, pairs: readonly Pair[], withinMs?: number, signal?: AbortSignal): Promise<(Float32Array | null)[]> {
    if (pairs.length === 0) return [];
    const tasks = pairs.map(({ first, second }) => ({ kind: "pair" as const, model, first, second }));
    const results = await this.place(new TaskGroup("answer", tasks), this.pairs, { whose: null, size: pairs.length, withinMs, signal });
    return results.map((result) => {
      assert(result?.kind !== "embedded", "a pair becomes logits");
      return result?.logits ?? null;
    });
  }

  /** Fails the tasks that wait, lets the workers finish those that they have, and ends them. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async place(group: TaskGroup, quota: Quota, { whose, size, withinMs, signal }: Placement): Promise<(InferenceResult | null)[]> {
    stopIfGone(signal);
    if (this.closing !== undefined) throw shuttingDown();
    if (this.down) throw noWorker();
    quota.take(whose, size);
    this.queue.append(group);
    const timer = withinMs === undefined ? undefined : setTimeout(() => this.giveUpWaiting(group), withinMs);
    const leave = () => this.fail(group, gone());
    signal?.addEventListener("abort", leave, { once: true });
    this.dispatch();
    try {
      return await group.results;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      quota.giveBack(whose, size);
    }
  }

  private giveUpWaiting(group: TaskGroup): void {
    this.queue.remove(group);
    group.giveUpWaiting();
  }

  private async end(): Promise<void> {
    clearTimeout(this.retireTimer);
    this.backoff.stop();
    this.failWaiting(shuttingDown());
    await this.starting;
    const idle = Promise.withResolvers<void>();
    this.idle = idle.resolve;
    if (this.busy()) await idle.promise;
    await Promise.all([...this.retiring, ...[...this.slots].map((slot) => slot.worker.close())]);
    this.slots.clear();
  }

  private dispatch(): void {
    for (const priority of PRIORITIES) {
      for (let slot = this.slotFor(priority); slot !== undefined; slot = this.slotFor(priority)) {
        const task = this.queue.next(priority);
        if (task === undefined) break;
        this.post(slot, task);
      }
    }
    if (!this.queue.empty && this.slots.size < this.workers) this.grow();
    if (this.busy()) return;
    this.idle?.();
    this.retireWhenIdle();
  }

  /** Models take 50 to 100 MB each, so workers beyond `staying` end after `idleMs` without work. */
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
   * The worker with the fewest tasks of this priority or a higher one, of those the one with the fewest in all; undefined
   * when each has as many of them as it may. Tasks of a lower priority do not count: a worker runs them later.
   */
  private slotFor(priority: Priority): Slot | undefined {
    const depthMax = priority === "query" ? QUERY_PIPELINE_DEPTH : INFERENCE_PIPELINE_DEPTH;
    const depth = (slot: Slot) => [...slot.tasks].filter(({ group }) => PRIORITIES.indexOf(group.priority) <= PRIORITIES.indexOf(priority)).length;
    const free = [...this.slots].map((slot) => ({ slot, depth: depth(slot) })).filter((one) => one.depth < depthMax);
    return free.sort((a, b) => a.depth - b.depth || a.slot.tasks.size - b.slot.tasks.size)[0]?.slot;
  }

  private post(slot: Slot, task: QueuedTask): void {
    task.attempts++;
    slot.tasks.add(task);
    slot.worker.post({ priority: task.group.priority, task: task.task }, (outcome) => this.replied(slot, task, outcome));
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

  /** Starts a worker after a pause. Callers do not wait for it: when no worker lives, the queued tasks fail at once. */
  private growLater(cause: unknown): void {
    this.backoff.retry(() => {
      if (this.slots.size < this.staying) this.grow();
      else this.dispatch();
    });
    if (this.slots.size === 0) this.failWaiting(noWorker(cause));
  }

  private async addWorker(): Promise<void> {
    let slot: Slot | undefined;
    const worker = await this.startWorker((error) => slot !== undefined && this.died(slot, error));
    slot = { worker, tasks: new Set() };
    this.slots.add(slot);
  }

  private replied(slot: Slot, task: QueuedTask, outcome: InferenceOutcome): void {
    slot.tasks.delete(task);
    this.diedLast = false;
    // The pause is due to a worker that did not start; a reply from another worker must not end it.
    if (!this.backoff.waiting) this.backoff.succeeded();
    if (!task.group.settled) this.take(task, outcome);
    this.dispatch();
  }

  private take({ group, index }: QueuedTask, outcome: InferenceOutcome): void {
    if (outcome.kind === "failed") {
      this.log.error("inference failed", { error: outcome.error });
      this.fail(group, new Fault("unavailable", "the model failed", { cause: outcome.error }));
    } else if (outcome.kind !== "planned") {
      group.fill(index, outcome);
    } else if (this.closing !== undefined) {
      group.fail(shuttingDown());
    } else {
      const { model } = outcome;
      group.plan(outcome.windows.map((window) => ({ kind: "window", window, model })));
      this.queue.prepend(group);
    }
  }

  private died(slot: Slot, cause: unknown): void {
    this.slots.delete(slot);
    this.log.error("an inference worker died", { error: cause, jobs: slot.tasks.size });
    for (const task of [...slot.tasks].reverse()) {
      if (task.group.settled) continue;
      const again = task.attempts < INFERENCE_TASK_MAX_ATTEMPTS && this.closing === undefined;
      if (again) this.queue.putBack(task);
      else this.fail(task.group, new Fault("unavailable", "the model failed", { cause }));
    }
    if (this.diedLast) this.growLater(cause);
    this.diedLast = true;
    this.dispatch();
    if (this.slots.size < this.staying) this.grow();
  }

  private failWaiting(fault: Fault): void {
    for (const group of this.queue.clear()) group.fail(fault);
  }

  private fail(group: TaskGroup, fault: Fault): void {
    this.queue.remove(group);
    group.fail(fault);
  }

  private busy(): boolean {
    return [...this.slots].some((slot) => slot.tasks.size > 0);
  }
}

function noWorker(cause?: unknown): Fault {
  return new Fault("unavailable", "no inference worker starts; it is tried again in a moment", { cause });
}

function shuttingDown(): Fault {
  return new Fault("unavailable", "the models are shutting down");
}

/** Shares texts out among encoder workers: queries before ingest, first come first served inside each class. */
import { assert, Fault } from "../base/fault.ts";
import { ENCODER_IDLE_MS, ENCODER_JOB_MAX_ATTEMPTS, ENCODER_PIPELINE_DEPTH, ENCODER_QUEUE_MAX_TEXTS } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import type { EncodePriority, TextWindow } from "../domain/ports.ts";
import type { EncoderOutcome, EncoderRequest, EncoderTask } from "./encoder-messages.ts";

export interface EncoderWorkerEvents {
  replied(id: number, outcome: EncoderOutcome): void;
  /** Comes at most once and only after the worker had started; no reply follows. */
  died(error: unknown): void;
}

export interface EncoderWorker {
  post(request: EncoderRequest): void;
  /** Ends the thread when it has no work. */
  close(): Promise<void>;
}

/** Starts one worker; resolves when it can take work, rejects when it cannot. */
export type StartEncoderWorker = (events: EncoderWorkerEvents) => Promise<EncoderWorker>;

/** A text in work: `windows` fills up, in order, until `missing` is 0. */
interface Text {
  priority: EncodePriority;
  windows: TextWindow[];
  missing: number;
  settled: boolean;
  resolve(windows: TextWindow[]): void;
  reject(fault: Fault): void;
}

interface Job {
  text: Text;
  task: EncoderTask;
  /** Index of the window in the text. */
  index: number;
  attempts: number;
}

/** A live worker and the jobs it has in hand, by request id. */
interface Slot {
  worker: EncoderWorker;
  jobs: Map<number, Job>;
}

export class EncoderPool {
  private readonly waiting: Record<EncodePriority, Job[]> = { query: [], ingest: [] };
  private readonly slots = new Set<Slot>();
  private starting: Promise<void> | undefined;
  private texts = 0;
  private nextId = 1;
  private closed = false;
  private idle: (() => void) | undefined;
  private retireTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly retiring = new Set<Promise<void>>();

  /** `workers`: how many may live at once. They start when work queues, one after another; all but one end again when nothing is to be done. */
  constructor(
    private readonly startWorker: StartEncoderWorker,
    private readonly workers: number,
    private readonly log: Log,
    private readonly idleMs = ENCODER_IDLE_MS,
  ) {
    assert(workers >= 1, "an encoder has a worker");
  }

  get live(): number {
    return this.slots.size;
  }

  /** Errors: Fault `unavailable` when the queue is full, no worker starts, two died of the text, or the pool closes. */
  submit(text: string, priority: EncodePriority): Promise<TextWindow[]> {
    if (this.closed) return Promise.reject(new Fault("unavailable", "the encoder is shutting down"));
    if (this.texts >= ENCODER_QUEUE_MAX_TEXTS) return Promise.reject(new Fault("unavailable", "too many texts wait for the encoder"));
    this.texts++;
    return new Promise((resolve, reject) => {
      const state: Text = { priority, windows: [], missing: 1, settled: false, resolve, reject };
      this.waiting[priority].push({ text: state, task: { kind: "text", text }, index: 0, attempts: 0 });
      this.dispatch();
    });
  }

  /** Refuses what waits, lets the workers finish what they have in hand, and ends them. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retireTimer);
    this.failWaiting(new Fault("unavailable", "the encoder is shutting down"));
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
    for (const priority of ["query", "ingest"] as const) {
      const queue = this.waiting[priority];
      for (let slot = this.slotFor(priority); slot !== undefined && queue.length > 0; slot = this.slotFor(priority)) {
        const job = queue.shift();
        if (job !== undefined && !job.text.settled) this.post(slot, job);
      }
    }
    const queued = this.waiting.query.length + this.waiting.ingest.length > 0;
    if (queued && this.starting === undefined && this.slots.size < this.workers && !this.closed) this.grow();
    if (this.busy()) return;
    this.idle?.();
    this.retireWhenIdle();
  }

  /** A session holds 100 MB: those beyond the first are let go when nobody has needed them for a while. */
  private retireWhenIdle(): void {
    clearTimeout(this.retireTimer);
    if (this.slots.size <= 1 || this.closed) return;
    this.retireTimer = setTimeout(() => {
      if (this.busy() || this.closed) return;
      for (const slot of [...this.slots].slice(1)) {
        this.slots.delete(slot);
        const ended = slot.worker.close().finally(() => this.retiring.delete(ended));
        this.retiring.add(ended);
      }
    }, this.idleMs);
    this.retireTimer.unref();
  }

  /** The worker with the fewest jobs of this class or before it; undefined when each has its fill. Ingest never holds up a query. */
  private slotFor(priority: EncodePriority): Slot | undefined {
    let best: Slot | undefined;
    let fewest = ENCODER_PIPELINE_DEPTH;
    for (const slot of this.slots) {
      const load = priority === "ingest" ? slot.jobs.size : [...slot.jobs.values()].filter((job) => job.text.priority === "query").length;
      if (load >= fewest) continue;
      best = slot;
      fewest = load;
    }
    return best;
  }

  private post(slot: Slot, job: Job): void {
    const id = this.nextId++;
    job.attempts++;
    slot.jobs.set(id, job);
    slot.worker.post({ id, priority: job.text.priority, task: job.task });
  }

  private grow(): void {
    this.starting = this.addWorker()
      .catch((cause: unknown) => {
        this.log.error("an encoder worker did not start", { error: cause });
        if (this.slots.size === 0) this.failWaiting(new Fault("unavailable", "no encoder worker starts", { cause }));
      })
      .finally(() => {
        this.starting = undefined;
        // Without a worker the next text tries again, not this call: a start that always fails is no loop.
        if (this.slots.size > 0) this.dispatch();
      });
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

  private replied(slot: Slot, id: number, outcome: EncoderOutcome): void {
    const job = slot.jobs.get(id);
    slot.jobs.delete(id);
    assert(job !== undefined, "a worker replies to what it was asked");
    if (!job.text.settled) this.take(job, outcome);
    this.dispatch();
  }

  private take(job: Job, outcome: EncoderOutcome): void {
    const { text } = job;
    if (outcome.kind === "failed") {
      this.fail(text, new Fault("unavailable", "the encoder failed", { cause: outcome.error }));
    } else if (outcome.kind === "planned") {
      text.missing = outcome.windows.length;
      const jobs = outcome.windows.map((window, index): Job => ({ text, task: { kind: "window", window }, index, attempts: 0 }));
      if (this.closed) this.fail(text, new Fault("unavailable", "the encoder is shutting down"));
      else this.waiting[text.priority] = [...jobs, ...this.waiting[text.priority]];
    } else {
      text.windows[job.index] = outcome.window;
      text.missing--;
      if (text.missing > 0) return;
      this.settle(text);
      text.resolve(text.windows);
    }
  }

  private died(slot: Slot, cause: unknown): void {
    this.slots.delete(slot);
    this.log.error("an encoder worker died", { error: cause, jobs: slot.jobs.size });
    const fault = new Fault("unavailable", "the encoder failed", { cause });
    for (const job of [...slot.jobs.values()].reverse()) {
      if (job.attempts >= ENCODER_JOB_MAX_ATTEMPTS || this.closed) this.fail(job.text, fault);
      else this.waiting[job.text.priority].unshift(job);
    }
    this.dispatch();
    if (this.slots.size === 0 && this.starting === undefined && !this.closed) this.grow();
  }

  private failWaiting(fault: Fault): void {
    for (const queue of Object.values(this.waiting)) for (const job of queue.splice(0)) this.fail(job.text, fault);
  }

  private fail(text: Text, fault: Fault): void {
    if (text.settled) return;
    this.settle(text);
    text.reject(fault);
  }

  private settle(text: Text): void {
    text.settled = true;
    this.texts--;
  }

  private busy(): boolean {
    return [...this.slots].some((slot) => slot.jobs.size > 0);
  }
}

/** What callers of the inference pool ask for, and the lines in which it waits. */
import { assert, type Fault } from "../base/fault.ts";
import { type InferenceResult, type InferenceTask, PRIORITIES, type Priority } from "./inference-messages.ts";

/** One task for one worker. */
export interface Job {
  order: Order;
  task: InferenceTask;
  /** Index of its result in the order. */
  index: number;
  attempts: number;
}

/** A text, or a batch of pairs: jobs whose results come back together. */
export class Order {
  /** Jobs that no worker has, in order. */
  readonly waiting: Job[] = [];
  /** One for each job, in order; null where it was given up. */
  readonly results: Promise<(InferenceResult | null)[]>;
  settled = false;
  private filled: (InferenceResult | null)[] = [];
  private missing = 0;
  private readonly resolve: (results: (InferenceResult | null)[]) => void;
  private readonly reject: (fault: Fault) => void;

  constructor(
    readonly priority: Priority,
    tasks: readonly InferenceTask[],
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<(InferenceResult | null)[]>();
    this.results = promise;
    this.resolve = resolve;
    this.reject = reject;
    this.plan(tasks);
  }

  /** Replaces its jobs by these. */
  plan(tasks: readonly InferenceTask[]): void {
    assert(tasks.length > 0, "an order has a task");
    this.filled = tasks.map(() => null);
    this.missing = tasks.length;
    this.waiting.push(...tasks.map((task, index): Job => ({ order: this, task, index, attempts: 0 })));
  }

  /** The results are complete with the last one that is missing. */
  fill(index: number, result: InferenceResult): void {
    this.filled[index] = result;
    this.forget(1);
  }

  /** Leaves the results of what waits null. */
  giveUpWaiting(): void {
    this.forget(this.waiting.splice(0).length);
  }

  fail(fault: Fault): void {
    this.waiting.length = 0;
    this.settled = true;
    this.reject(fault);
  }

  private forget(jobs: number): void {
    this.missing -= jobs;
    if (this.missing > 0) return;
    this.settled = true;
    this.resolve(this.filled);
  }
}

/** The orders with jobs that wait, by class. */
export class Lines {
  private readonly lines: Record<Priority, Order[]> = { query: [], answer: [], ingest: [] };

  get empty(): boolean {
    return PRIORITIES.every((priority) => this.lines[priority].length === 0);
  }

  append(order: Order): void {
    this.lines[order.priority].push(order);
  }

  /** For an order whose turn it was already. */
  prepend(order: Order): void {
    this.lines[order.priority].unshift(order);
  }

  /** Puts a job back that was taken, as the next one of its order, and its order to the front. */
  putBack(job: Job): void {
    this.remove(job.order);
    job.order.waiting.unshift(job);
    this.prepend(job.order);
  }

  remove(order: Order): void {
    const index = this.lines[order.priority].indexOf(order);
    if (index !== -1) this.lines[order.priority].splice(index, 1);
  }

  /** Texts come one after another; batches of pairs take turns, so that a short one does not wait for a long one. */
  next(priority: Priority): Job | undefined {
    const line = this.lines[priority];
    const [order] = line;
    if (order === undefined) return undefined;
    const job = order.waiting.shift();
    if (order.waiting.length === 0 || priority === "answer") line.shift();
    if (order.waiting.length > 0 && priority === "answer") line.push(order);
    return job;
  }

  /** Takes every order out. */
  clear(): Order[] {
    return Object.values(this.lines).flatMap((line) => line.splice(0));
  }
}

/** What callers of the inference pool ask for, and the lines in which it waits. */
import { assert, Fault } from "../base/fault.ts";
import { type InferenceResult, type InferenceTask, PRIORITIES, type Priority } from "./messages.ts";

/** One task for one worker. */
export interface Job {
  order: Order;
  task: InferenceTask;
  /** Index of its result in the order. */
  index: number;
  attempts: number;
}

/** A text, or a batch of pairs: jobs whose results come back together. Orders with the same `turn` share a line. */
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
    readonly turn: unknown = Symbol("a turn of its own"),
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

/** What is unanswered, by whose it is: each may have `max` of it, which nobody else can use up. */
export class Quota {
  private readonly held = new Map<unknown, number>();

  constructor(
    private readonly what: string,
    private readonly max: number,
  ) {}

  /** Errors: Fault `unavailable` when it is too much. */
  take(whose: unknown, size: number): void {
    const held = this.held.get(whose) ?? 0;
    if (held + size > this.max) throw new Fault("unavailable", `too many ${this.what} wait for the models`);
    this.held.set(whose, held + size);
  }

  giveBack(whose: unknown, size: number): void {
    const left = (this.held.get(whose) ?? 0) - size;
    if (left > 0) this.held.set(whose, left);
    else this.held.delete(whose);
  }
}

/** Orders that share their turns, the next one first. */
interface Line {
  turn: unknown;
  orders: Order[];
}

/** The orders with jobs that wait, by class. Within a class the lines take turns, a job each. */
export class Lines {
  private readonly lines: Record<Priority, Line[]> = { query: [], answer: [], ingest: [] };

  get empty(): boolean {
    return PRIORITIES.every((priority) => this.lines[priority].length === 0);
  }

  append(order: Order): void {
    this.lineOf(order).orders.push(order);
  }

  /** For an order whose turn it was already: it is the next one of its line. */
  prepend(order: Order): void {
    this.lineOf(order).orders.unshift(order);
  }

  /** Puts a job back that was taken, as the next one of all. */
  putBack(job: Job): void {
    const { order } = job;
    this.remove(order);
    order.waiting.unshift(job);
    const line = this.lineOf(order);
    line.orders.unshift(order);
    const lines = this.lines[order.priority];
    lines.unshift(...lines.splice(lines.indexOf(line), 1));
  }

  remove(order: Order): void {
    const lines = this.lines[order.priority];
    const at = lines.findIndex(({ turn }) => turn === order.turn);
    const orders = lines[at]?.orders ?? [];
    const index = orders.indexOf(order);
    if (index === -1) return;
    orders.splice(index, 1);
    if (orders.length === 0) lines.splice(at, 1);
  }

  /** The next job of the line whose turn it is; the line goes to the end. */
  next(priority: Priority): Job | undefined {
    const lines = this.lines[priority];
    const line = lines.shift();
    const order = line?.orders[0];
    if (line === undefined || order === undefined) return undefined;
    const job = order.waiting.shift();
    if (order.waiting.length === 0) line.orders.shift();
    if (line.orders.length > 0) lines.push(line);
    return job;
  }

  /** Takes every order out. */
  clear(): Order[] {
    return Object.values(this.lines).flatMap((lines) => lines.splice(0).flatMap(({ orders }) => orders));
  }

  private lineOf({ priority, turn }: Order): Line {
    const known = this.lines[priority].find((line) => line.turn === turn);
    if (known !== undefined) return known;
    const line: Line = { turn, orders: [] };
    this.lines[priority].push(line);
    return line;
  }
}

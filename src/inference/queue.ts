/** The queue of the inference pool: tasks wait by priority, and within a priority callers are served in turn (fair queueing). */
import { assert, Fault } from "../base/fault.ts";
import { type InferenceResult, type InferenceTask, PRIORITIES, type Priority } from "./messages.ts";

export interface QueuedTask {
  group: TaskGroup;
  task: InferenceTask;
  /** Index of its result in the group. */
  index: number;
  attempts: number;
}

/**
 * The tasks of one call (a text, or a batch of pairs), whose results come back together. `key` names the caller: groups
 * with the same key are served one after another, groups with different keys in turn.
 */
export class TaskGroup {
  /** Tasks that no worker has, in order. */
  readonly waiting: QueuedTask[] = [];
  settled = false;
  private filled: (InferenceResult | null)[] = [];
  private missing = 0;
  private readonly whole = Promise.withResolvers<(InferenceResult | null)[]>();

  constructor(
    readonly priority: Priority,
    tasks: readonly InferenceTask[],
    readonly key: unknown = Symbol("unique"),
  ) {
    this.plan(tasks);
  }

  /** One result for each task, in the order of the tasks; null where a task was given up. */
  get results(): Promise<(InferenceResult | null)[]> {
    return this.whole.promise;
  }

  /** Replaces the tasks of the group. */
  plan(tasks: readonly InferenceTask[]): void {
    assert(tasks.length > 0, "a group has a task");
    this.filled = tasks.map(() => null);
    this.missing = tasks.length;
    this.waiting.push(...tasks.map((task, index): QueuedTask => ({ group: this, task, index, attempts: 0 })));
  }

  /** Sets the result of one task; the last one resolves `results`. */
  fill(index: number, result: InferenceResult): void {
    this.filled[index] = result;
    this.settle(1);
  }

  /** Gives up the tasks that wait: their results stay null. */
  giveUpWaiting(): void {
    this.settle(this.waiting.splice(0).length);
  }

  fail(fault: Fault): void {
    this.waiting.length = 0;
    this.settled = true;
    this.whole.reject(fault);
  }

  private settle(tasks: number): void {
    this.missing -= tasks;
    if (this.missing > 0) return;
    this.settled = true;
    this.whole.resolve(this.filled);
  }
}

/** Limits what each caller has queued or running to `max` (bytes, or items), so that one caller cannot use up another's share. */
export class Quota {
  private readonly held = new Map<unknown, number>();

  constructor(
    private readonly what: string,
    private readonly max: number,
  ) {}

  /** Errors: Fault `unavailable` when `whose` would have more than `max`. */
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

/** The groups of one caller, the next one first. */
interface Flow {
  key: unknown;
  groups: TaskGroup[];
}

/** The groups with waiting tasks, by priority. Within a priority each flow gives one task in turn (round robin). */
export class FairQueue {
  private readonly flows: Record<Priority, Flow[]> = { query: [], answer: [], ingest: [] };

  get empty(): boolean {
    return PRIORITIES.every((priority) => this.flows[priority].length === 0);
  }

  append(group: TaskGroup): void {
    this.flowOf(group).groups.push(group);
  }

  /** As append, but the group becomes the next one of its flow: it was being worked on before. */
  prepend(group: TaskGroup): void {
    this.flowOf(group).groups.unshift(group);
  }

  /** Puts back a task that was taken; it is the next one of its priority. */
  putBack(task: QueuedTask): void {
    const { group } = task;
    this.remove(group);
    group.waiting.unshift(task);
    const flow = this.flowOf(group);
    flow.groups.unshift(group);
    const flows = this.flows[group.priority];
    flows.unshift(...flows.splice(flows.indexOf(flow), 1));
  }

  remove(group: TaskGroup): void {
    const flows = this.flows[group.priority];
    const at = flows.findIndex(({ key }) => key === group.key);
    const groups = flows[at]?.groups ?? [];
    const index = groups.indexOf(group);
    if (index === -1) return;
    groups.splice(index, 1);
    if (groups.length === 0) flows.splice(at, 1);
  }

  /** The next task of the first flow, which goes to the end. */
  next(priority: Priority): QueuedTask | undefined {
    const flows = this.flows[priority];
    const flow = flows.shift();
    const group = flow?.groups[0];
    if (flow === undefined || group === undefined) return undefined;
    const task = group.waiting.shift();
    if (group.waiting.length === 0) flow.groups.shift();
    if (flow.groups.length > 0) flows.push(flow);
    return task;
  }

  /** Removes all groups and returns them. */
  clear(): TaskGroup[] {
    return Object.values(this.flows).flatMap((flows) => flows.splice(0).flatMap(({ groups }) => groups));
  }

  private flowOf({ priority, key }: TaskGroup): Flow {
    const known = this.flows[priority].find((flow) => flow.key === key);
    if (known !== undefined) return known;
    const flow: Flow = { key, groups: [] };
    this.flows[priority].push(flow);
    return flow;
  }
}

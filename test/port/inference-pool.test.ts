import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Fault } from "../../src/base/fault.ts";
import {
  BACKOFF_FIRST_MS,
  BACKOFF_MAX_MS,
  ENCODER_QUEUE_MAX_BYTES,
  UNIT_OVERHEAD_BYTES,
  INFERENCE_IDLE_MS,
  INFERENCE_TASK_MAX_ATTEMPTS,
  INFERENCE_PIPELINE_DEPTH,
  PAIRS_QUEUE_MAX,
  QUERY_PIPELINE_DEPTH,
} from "../../src/base/limits.ts";
import { createLog, silentLog } from "../../src/base/log.ts";
import type { InferenceOutcome, InferenceRequest } from "../../src/inference/messages.ts";
import { InferencePool, type StartInferenceWorker } from "../../src/inference/pool.ts";
import { ManualSchedule } from "../support/schedule.ts";

setDefaultTimeout(60_000);

async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? error.kind : error),
  );
}

interface Asked {
  request: InferenceRequest;
  replied(outcome: InferenceOutcome): void;
}

/** Workers that reply when the test says so. */
class FakeWorkers {
  readonly live: { died(error: unknown): void; asked: Asked[] }[] = [];
  started = 0;
  closed = 0;
  failing = false;

  readonly start: StartInferenceWorker = async (died) => {
    this.started++;
    if (this.failing) throw new Error("no worker today");
    const asked: Asked[] = [];
    this.live.push({ died, asked });
    return {
      post: (request, replied) => void asked.push({ request, replied }),
      close: async () => void this.closed++,
    };
  };

  /** Replies to the first request of `worker`, and tells which text it was. */
  reply(worker: number, outcome?: InferenceOutcome): string {
    const next = this.at(worker).asked.shift();
    if (next === undefined) throw new Error("nothing to reply to");
    const { request, replied } = next;
    replied(outcome ?? (request.task.kind === "pair" ? scored(0) : embedded(0)));
    return nameOf(request);
  }

  texts(worker: number): string[] {
    return this.at(worker).asked.map(({ request }) => nameOf(request));
  }

  /** Replies to everything in turn, also to what comes meanwhile. */
  drain(worker: number): string[] {
    const order: string[] = [];
    while (this.texts(worker).length > 0) order.push(this.reply(worker));
    return order;
  }

  die(worker: number): void {
    const [dead] = this.live.splice(worker, 1);
    dead?.died(new Error("killed"));
  }

  private at(worker: number) {
    const found = this.live[worker];
    if (found === undefined) throw new Error(`no worker ${worker}`);
    return found;
  }
}

function nameOf({ task }: InferenceRequest): string {
  if (task.kind === "pair") return task.second;
  return task.kind === "text" ? task.text : `window ${task.window.start}`;
}

function scored(logit: number): InferenceOutcome {
  return { kind: "scored", logits: Float32Array.of(logit) };
}

/** A caller that can hang up. */
function leaving(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const pairs = (...seconds: string[]) => seconds.map((second) => ({ first: "q", second }));
const logitsOf = (scores: (Float32Array | null)[]) => scores.map((logits) => logits?.[0] ?? null);

function embedded(start: number): InferenceOutcome {
  return { kind: "embedded", window: { start, end: start + 1, vector: Float32Array.of(start) } };
}

/** Lets the pool's promises run. */
const settle = () => Bun.sleep(1);

describe("the inference pool", () => {
  test("starts one worker, and another only when work queues", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 2, silentLog);
    const first = [pool.embed("a", "ingest"), pool.embed("b", "ingest")];
    await settle();
    expect(fake.started).toBe(1);
    const third = pool.embed("c", "ingest");
    await settle();
    expect([fake.started, fake.texts(0), fake.texts(1)]).toEqual([2, ["a", "b"], ["c"]]);
    for (const worker of [0, 0, 1]) fake.reply(worker);
    await Promise.all([...first, third]);
    await pool.close();
    expect(fake.closed).toBe(2);
  });

  test("lets go of all workers but one when there is nothing to do, and starts them again for more", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 2, silentLog, 1, 1);
    for (const round of [1, 2]) {
      const texts = ["a", "b", "c"].map((text) => pool.embed(text, "ingest"));
      while (fake.started < round + 1) await settle();
      await settle();
      const [first, other] = [0, round];
      while (fake.texts(first).length > 0) fake.reply(first);
      while (fake.texts(other).length > 0) fake.reply(other);
      await Promise.all(texts);
      while (pool.live > 1) await settle();
      expect(fake.closed).toBe(round);
    }
    await pool.close();
    expect(fake.closed).toBe(3);
  });

  test("takes queries before ingest, each class in order, and ingest never holds up a query", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const ingest = ["i1", "i2", "i3", "i4"].map((text) => pool.embed(text, "ingest"));
    await settle();
    const queries = ["q1", "q2", "q3"].map((text) => pool.embed(text, "query"));
    expect(fake.texts(0)).toEqual(["i1", "i2", "q1", "q2", "q3"]);
    const order: string[] = [];
    while (fake.texts(0).length > 0) order.push(fake.reply(0));
    expect(order).toEqual(["i1", "i2", "q1", "q2", "q3", "i3", "i4"]);
    await Promise.all([...ingest, ...queries]);
    await pool.close();
  });

  test("gives a worker several queries at once, and so few that the others are still served in turn", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const flood = Array.from({ length: 3 * QUERY_PIPELINE_DEPTH }, (_, index) => pool.embed(`a${index}`, "query", "one"));
    await settle();
    expect(fake.texts(0)).toEqual(Array.from({ length: QUERY_PIPELINE_DEPTH }, (_, index) => `a${index}`));
    const other = pool.embed("b", "query", "other");
    expect(fake.drain(0)[QUERY_PIPELINE_DEPTH + 1]).toBe("b");
    await Promise.all([...flood, other]);
    await pool.close();
  });

  test("makes the windows of a long text jobs of their own, in the text's place", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const long = pool.embed("long", "ingest");
    const other = ["x", "y"].map((text) => pool.embed(text, "ingest"));
    await settle();
    const windows = [0, 10, 20].map((start) => ({ start, end: start + 10, ids: Int32Array.of(101, 102) }));
    fake.reply(0, { kind: "planned", model: "english", windows });
    expect(fake.texts(0)).toEqual(["x", "window 0"]);
    const query = pool.embed("q", "query");
    expect(fake.texts(0)).toEqual(["x", "window 0", "q"]);
    fake.reply(0);
    for (const start of [0, -1, 10, 20, -1]) fake.reply(0, embedded(start));
    expect((await long).map(({ start }) => start)).toEqual([0, 10, 20]);
    await Promise.all([...other, query]);
    await pool.close();
  });

  test("tenants take turns, a text or a window each, whatever the others have sent", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const flood = Array.from({ length: 50 }, (_, index) => pool.embed(`a${index}`, "ingest", "one"));
    await settle();
    const other = ["b0", "b1"].map((text) => pool.embed(text, "ingest", "other"));
    const third = pool.embed("c0", "ingest", "third");
    const windows = [0, 10].map((start) => ({ start, end: start + 10, ids: Int32Array.of(101, 102) }));
    fake.reply(0, { kind: "planned", model: "english", windows });
    const order = fake.drain(0);
    expect(order.slice(0, 8)).toEqual(["a1", "window 0", "b0", "c0", "window 10", "b1", "a2", "a3"]);
    await Promise.all([...flood, ...other, third]);
    await pool.close();
  });

  test("refuses a tenant's texts beyond its share of the queue, which is in bytes, and no other's", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const long = "x".repeat(1024 * 1024);
    const fitting = Math.floor(ENCODER_QUEUE_MAX_BYTES / (long.length + UNIT_OVERHEAD_BYTES));
    const accepted = Array.from({ length: fitting }, () => faultOf(pool.embed(long, "ingest", "one")));
    expect(await faultOf(pool.embed(long, "query", "one"))).toBe("unavailable");
    const other = pool.embed("y", "ingest", "other");
    await settle();
    fake.drain(0);
    expect((await other).length).toBe(1);
    expect(new Set(await Promise.all(accepted))).toEqual(new Set([undefined]));
    const again = pool.embed(long, "query", "one");
    fake.drain(0);
    expect((await again).length).toBe(1);
    await pool.close();
  });

  test("refuses what waits when it closes", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const accepted = Array.from({ length: 20 }, (_, index) => faultOf(pool.embed("x", "ingest", `tenant ${index % 3}`)));
    await settle();
    const closing = pool.close();
    fake.drain(0);
    await closing;
    const outcomes = await Promise.all(accepted);
    expect(outcomes.filter((outcome) => outcome === undefined).length).toBe(INFERENCE_PIPELINE_DEPTH);
  });

  test("replaces a worker that died at once, and one that died right after it after a pause; its jobs run once more, then fail", async () => {
    const fake = new FakeWorkers();
    const time = new ManualSchedule();
    const pool = new InferencePool(fake.start, 1, silentLog, 1, INFERENCE_IDLE_MS, time.schedule);
    const doomed = faultOf(pool.embed("doomed", "ingest"));
    await settle();
    for (let attempt = 1; attempt < INFERENCE_TASK_MAX_ATTEMPTS; attempt++) {
      fake.die(0);
      await settle();
      expect(fake.texts(0)).toEqual(["doomed"]);
    }
    fake.die(0);
    expect(await doomed).toBe("unavailable");
    await settle();
    expect([pool.live, pool.down, time.pauses]).toEqual([0, true, [BACKOFF_FIRST_MS]]);
    time.elapse();
    await settle();
    expect([pool.live, pool.down]).toEqual([1, false]);
    const next = pool.embed("next", "query");
    fake.reply(0);
    await next;
    await pool.close();
  });

  test("starts a worker that does not start again and again, in growing pauses, and meanwhile refuses at once", async () => {
    const fake = new FakeWorkers();
    const time = new ManualSchedule();
    fake.failing = true;
    const pool = new InferencePool(fake.start, 2, silentLog, 1, INFERENCE_IDLE_MS, time.schedule);
    expect(await faultOf(pool.embed("a", "query"))).toBe("unavailable");
    await settle();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      expect(await faultOf(pool.embed("b", "query"))).toBe("unavailable");
      expect(fake.started).toBe(attempt + 1);
      pauses.push(...time.pauses);
      time.elapse();
      await settle();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1_000));
    expect(BACKOFF_MAX_MS).toBe(30_000);
    fake.failing = false;
    time.elapse();
    await settle();
    // Nobody asked: the worker that should be there is there again.
    expect([pool.live, pool.down]).toEqual([1, false]);
    const later = pool.embed("c", "query");
    fake.reply(0);
    expect((await later).length).toBe(1);
    await pool.close();
  });

  test("a worker that ends without work is replaced", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const first = pool.embed("a", "query");
    await settle();
    fake.reply(0);
    await first;
    fake.die(0);
    await settle();
    expect([fake.started, pool.live]).toEqual([2, 1]);
    await pool.close();
  });

  test("close waits for what the workers have in hand", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const [running, waiting] = [pool.embed("a", "ingest"), ["b", "c"].map((text) => faultOf(pool.embed(text, "ingest")))];
    await settle();
    let closed = false;
    const closing = pool.close().then(() => {
      closed = true;
    });
    await settle();
    expect([closed, fake.closed]).toEqual([false, 0]);
    fake.reply(0);
    fake.reply(0);
    await running;
    await closing;
    expect(fake.closed).toBe(1);
    expect(await Promise.all(waiting)).toEqual([undefined, "unavailable"]);
  });
});

describe("pairs in the inference pool", () => {
  test("go behind queries and before ingest", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const ingest = ["i1", "i2", "i3"].map((text) => pool.embed(text, "ingest"));
    await settle();
    const batch = pool.score("reranking", pairs("a1", "a2", "a3"));
    const queries = ["q1", "q2", "q3"].map((text) => pool.embed(text, "query"));
    expect(fake.texts(0)).toEqual(["i1", "i2", "a1", "a2", "q1", "q2", "q3"]);
    expect(fake.drain(0)).toEqual(["i1", "i2", "a1", "a2", "q1", "q2", "q3", "a3", "i3"]);
    await Promise.all([batch, ...ingest, ...queries]);
    await pool.close();
  });

  test("of different batches take turns, whatever model they are for", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const long = pool.score("reranking", pairs("a1", "a2", "a3", "a4", "a5"));
    const short = pool.score("entailment", pairs("b1", "b2"));
    const single = pool.score("reranking", pairs("c1"));
    await settle();
    expect(fake.drain(0)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4", "a5"]);
    await Promise.all([long, short, single]);
    await pool.close();
  });

  test("come back in their order, from several workers", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 2, silentLog);
    const batch = pool.score("reranking", pairs("0", "1", "2", "3"));
    await settle();
    expect([fake.texts(0), fake.texts(1)]).toEqual([
      ["0", "1"],
      ["2", "3"],
    ]);
    for (const worker of [1, 0, 1, 0]) fake.reply(worker, scored(Number(fake.texts(worker)[0])));
    expect(logitsOf(await batch)).toEqual([0, 1, 2, 3]);
    await pool.close();
  });

  test("of an empty batch need no worker", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    expect(await pool.score("reranking", [])).toEqual([]);
    expect(fake.started).toBe(0);
    await pool.close();
  });

  test("that have not begun in time are null, and those in hand are waited for", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const timed = pool.score("reranking", pairs("a1", "a2", "a3", "a4"), 5);
    const other = pool.score("reranking", pairs("b1", "b2"));
    await settle();
    expect(fake.texts(0)).toEqual(["a1", "b1"]);
    await Bun.sleep(20);
    expect(fake.drain(0)).toEqual(["a1", "b1", "b2"]);
    expect(logitsOf(await timed)).toEqual([0, null, null, null]);
    await other;
    await pool.close();
  });

  test("without a worker in time are all null", async () => {
    const pool = new InferencePool(() => new Promise((_, reject) => setTimeout(reject, 50)), 1, silentLog);
    expect(await pool.score("reranking", pairs("a", "b"), 0)).toEqual([null, null]);
    await pool.close();
  });

  test("beyond the queue are refused, batch by batch, and texts are not", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const full = pool.score("reranking", pairs(...Array.from({ length: PAIRS_QUEUE_MAX - 1 }, () => "x")));
    await settle();
    expect(await faultOf(pool.score("entailment", pairs("y", "z")))).toBe("unavailable");
    const last = pool.score("entailment", pairs("y"));
    const query = pool.embed("q", "query");
    fake.drain(0);
    await Promise.all([full, last, query]);
    const next = pool.score("entailment", pairs("y", "z"));
    fake.drain(0);
    expect((await next).length).toBe(2);
    await pool.close();
  });

  test("of a worker that died run once more, then fail with their batch alone", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const doomed = faultOf(pool.score("reranking", pairs("a1", "a2", "a3")));
    await settle();
    fake.reply(0);
    const other = pool.score("reranking", pairs("b1"));
    fake.die(0);
    await settle();
    expect(fake.texts(0)).toEqual(["a2", "b1"]);
    expect(fake.reply(0)).toBe("a2");
    fake.die(0);
    expect(await doomed).toBe("unavailable");
    await settle();
    expect(fake.drain(0)).toEqual(["b1"]);
    await other;
    await pool.close();
  });

  test("that a model cannot score fail their batch, and the cause is logged", async () => {
    const lines: string[] = [];
    const fake = new FakeWorkers();
    const pool = new InferencePool(
      fake.start,
      1,
      createLog("error", (line) => lines.push(line), false),
    );
    const failed = faultOf(pool.score("reranking", pairs("a1", "a2", "a3")));
    await settle();
    fake.reply(0, { kind: "failed", error: "StartError: no such model" });
    expect(await failed).toBe("unavailable");
    expect(lines.join()).toContain("no such model");
    expect(fake.drain(0)).toEqual(["a2"]);
    await pool.close();
  });

  test("that wait are refused when the pool closes", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const [inHand, waiting] = [faultOf(pool.score("reranking", pairs("a1"))), faultOf(pool.score("reranking", pairs("b1", "b2", "b3"), 60_000))];
    await settle();
    const closing = pool.close();
    expect(await waiting).toBe("unavailable");
    expect(fake.closed).toBe(0);
    expect(fake.drain(0)).toEqual(["a1", "b1"]);
    await closing;
    expect([fake.closed, await inHand]).toEqual([1, undefined]);
    expect(await faultOf(pool.score("reranking", pairs("late")))).toBe("unavailable");
  });

  test("leave a query to the worker that has nothing to do", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 2, silentLog);
    const first = pool.score("reranking", pairs("a1", "a2", "a3"));
    await settle();
    fake.reply(1);
    const query = pool.embed("q", "query");
    expect([fake.texts(0), fake.texts(1)]).toEqual([["a1", "a2"], ["q"]]);
    for (const worker of [0, 1]) fake.drain(worker);
    await Promise.all([first, query]);
    await pool.close();
  });
});

describe("what nobody waits for any more", () => {
  test("is given up when its signal comes, and what others wait for goes on", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const { signal, abort } = leaving();
    const left = [
      faultOf(pool.score("reranking", pairs("a1", "a2", "a3", "a4"), undefined, signal)),
      faultOf(pool.embed("a text", "ingest", "tenant", signal)),
    ];
    const other = pool.score("reranking", pairs("b1", "b2"));
    await settle();
    expect(fake.texts(0)).toEqual(["a1", "b1"]);
    abort();
    expect(await Promise.all(left)).toEqual(["unavailable", "unavailable"]);
    expect(fake.drain(0)).toEqual(["a1", "b1", "b2"]);
    expect(logitsOf(await other)).toEqual([0, 0]);
    await pool.close();
  });

  test("makes room in the queue at once", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    const { signal, abort } = leaving();
    const full = faultOf(pool.score("reranking", pairs(...Array.from({ length: PAIRS_QUEUE_MAX }, () => "x")), undefined, signal));
    await settle();
    expect(await faultOf(pool.score("entailment", pairs("y")))).toBe("unavailable");
    abort();
    expect(await full).toBe("unavailable");
    const next = pool.score("entailment", pairs("y"));
    fake.drain(0);
    expect(logitsOf(await next)).toEqual([0]);
    await pool.close();
  });

  test("does not begin", async () => {
    const fake = new FakeWorkers();
    const pool = new InferencePool(fake.start, 1, silentLog);
    expect(await faultOf(pool.score("reranking", pairs("a"), undefined, AbortSignal.abort()))).toBe("unavailable");
    expect(fake.started).toBe(0);
    await pool.close();
  });
});

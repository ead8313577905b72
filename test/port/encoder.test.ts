import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault, StartError } from "../../src/base/fault.ts";
import { ENCODER_JOB_MAX_ATTEMPTS, ENCODER_PIPELINE_DEPTH, ENCODER_QUEUE_MAX_TEXTS } from "../../src/base/limits.ts";
import { silentLog } from "../../src/base/log.ts";
import type { TextWindow } from "../../src/domain/ports.ts";
import { unpackAssets } from "../../src/engine/assets.ts";
import { createEncoder } from "../../src/engine/encoder.ts";
import type { EncoderOutcome, EncoderRequest } from "../../src/engine/encoder-messages.ts";
import { EncoderPool, type EncoderWorkerEvents } from "../../src/engine/encoder-pool.ts";
import { type ModelEntry, modelManifest } from "../../src/engine/models.ts";

setDefaultTimeout(60_000);

const TOLERANCE = 0.01;
const scratch = await mkdtemp(join(tmpdir(), "strata-encoder-"));
const paths = await unpackAssets(join(scratch, "runtime"));
const entry = modelManifest()[0] as ModelEntry;
afterAll(() => rm(scratch, { recursive: true }));

function bytesOf(windows: TextWindow[]): string {
  return windows
    .map(({ start, end, vector }) => `${start}-${end}:${Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("hex")}`)
    .join("|");
}

async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Fault ? error.kind : error),
  );
}

describe("the encoder", async () => {
  const encoder = await createEncoder({ paths, manifestEntry: entry, workers: 2, log: silentLog });
  const long = "Turbine 7 showed a bearing temperature of 94 °C at 03:12. ".repeat(60);
  const texts = ["alpha", long, "naïve café — 中文 🙂", "bearing temperature ".repeat(20), "", "[SEP]"];

  test("is ready, and tells its model", () => {
    expect(encoder.ready()).toBe(true);
    expect(encoder.info).toEqual({ model: "bge-small-en-v1.5", dims: 384, maxTokens: 512 });
  });

  test("gives the model's known vectors, of length 1", async () => {
    for (const { text, vector_first_5 } of entry.selftest) {
      const windows = await encoder.encode(text, "query");
      expect(windows.map(({ start, end }) => ({ start, end }))).toEqual([{ start: 0, end: text.length }]);
      const vector = windows[0]?.vector ?? new Float32Array();
      expect(vector.length).toBe(384);
      for (const [index, value] of vector_first_5.entries()) expect(Math.abs((vector[index] ?? 9) - value)).toBeLessThanOrEqual(TOLERANCE);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test("gives a text the same bytes alone and in company", async () => {
    const alone: string[] = [];
    for (const text of texts) alone.push(bytesOf(await encoder.encode(text, "ingest")));
    const together = await Promise.all([...texts, ...texts].map((text, index) => encoder.encode(text, index % 2 === 0 ? "query" : "ingest")));
    expect(together.map(bytesOf)).toEqual([...alone, ...alone]);
  });

  test("gives a long text the vectors that its windows have alone", async () => {
    const windows = await encoder.encode(long, "ingest");
    expect(windows.length).toBeGreaterThan(1);
    const second = windows[1] as TextWindow;
    const [alone] = await encoder.encode(long.slice(second.start, second.end), "query");
    expect(alone?.vector).toEqual(second.vector);
  });

  test("runs without onnxruntime's telemetry", () => {
    // The telemetry client opens this log first of all.
    expect(existsSync(`/tmp/mat-debug-${process.pid}.log`)).toBe(false);
  });

  test("answers a query while ingest waits", async () => {
    const order: string[] = [];
    const ingest = Array.from({ length: 16 }, (_, index) =>
      encoder.encode(`${index} ${long.slice(0, 600)}`, "ingest").then(() => order.push("ingest")),
    );
    await encoder.encode("what is the bearing temperature?", "query").then(() => order.push("query"));
    expect(order.length).toBeLessThan(10);
    await Promise.all(ingest);
  });

  test("close finishes what runs, refuses what waits, and later texts", async () => {
    const results = Array.from({ length: 40 }, (_, index) => faultOf(encoder.encode(`${index} bearing`, "ingest")));
    await encoder.close();
    const outcomes = await Promise.all(results);
    expect(outcomes.slice(0, 2)).toEqual([undefined, undefined]);
    expect(outcomes.at(-1)).toBe("unavailable");
    expect(encoder.ready()).toBe(false);
    expect(await faultOf(encoder.encode("late", "query"))).toBe("unavailable");
  });
});

describe("an encoder that cannot work does not start", () => {
  test("with other vectors than the manifest", async () => {
    const [first] = entry.selftest;
    const selftest = [{ text: first?.text ?? "", token_ids: first?.token_ids ?? [], vector_first_5: [1, 0, 0, 0, 0] }];
    const start = createEncoder({ paths, manifestEntry: { ...entry, selftest }, workers: 1, log: silentLog });
    expect(await start.catch((error: unknown) => error)).toBeInstanceOf(StartError);
  });

  test("with a model that is none", async () => {
    const models = join(scratch, "models");
    await cp(join(paths.models, entry.name, "tokenizer.json"), join(models, entry.name, "tokenizer.json"));
    await Bun.write(join(models, entry.name, "model.onnx"), "not a model");
    const start = createEncoder({ paths: { ...paths, models }, manifestEntry: entry, workers: 1, log: silentLog });
    expect(await start.catch((error: unknown) => error)).toBeInstanceOf(StartError);
  });
});

/** Workers that reply when the test says so. */
class FakeWorkers {
  readonly live: { events: EncoderWorkerEvents; requests: EncoderRequest[] }[] = [];
  started = 0;
  closed = 0;
  failing = false;

  readonly start = async (events: EncoderWorkerEvents) => {
    this.started++;
    if (this.failing) throw new Error("no worker today");
    const requests: EncoderRequest[] = [];
    this.live.push({ events, requests });
    return {
      post: (request: EncoderRequest) => void requests.push(request),
      close: async () => void this.closed++,
    };
  };

  /** Replies to the first request of `worker`, and tells which text it was. */
  reply(worker: number, outcome: EncoderOutcome = embedded(0)): string {
    const { events, requests } = this.at(worker);
    const request = requests.shift();
    if (request === undefined) throw new Error("nothing to reply to");
    events.replied(request.id, outcome);
    return request.task.kind === "text" ? request.task.text : `window ${request.task.window.start}`;
  }

  texts(worker: number): string[] {
    return this.at(worker).requests.map(({ task }) => (task.kind === "text" ? task.text : `window ${task.window.start}`));
  }

  die(worker: number): void {
    const [dead] = this.live.splice(worker, 1);
    dead?.events.died(new Error("killed"));
  }

  private at(worker: number) {
    const found = this.live[worker];
    if (found === undefined) throw new Error(`no worker ${worker}`);
    return found;
  }
}

function embedded(start: number): EncoderOutcome {
  return { kind: "embedded", window: { start, end: start + 1, vector: Float32Array.of(start) } };
}

/** Lets the pool's promises run. */
const settle = () => Bun.sleep(1);

describe("the encoder's pool", () => {
  test("starts one worker, and another only when work queues", async () => {
    const fake = new FakeWorkers();
    const pool = new EncoderPool(fake.start, 2, silentLog);
    const first = [pool.submit("a", "ingest"), pool.submit("b", "ingest")];
    await settle();
    expect(fake.started).toBe(1);
    const third = pool.submit("c", "ingest");
    await settle();
    expect([fake.started, fake.texts(0), fake.texts(1)]).toEqual([2, ["a", "b"], ["c"]]);
    for (const worker of [0, 0, 1]) fake.reply(worker);
    await Promise.all([...first, third]);
    await pool.close();
    expect(fake.closed).toBe(2);
  });

  test("lets go of all workers but one when there is nothing to do, and starts them again for more", async () => {
    const fake = new FakeWorkers();
    const pool = new EncoderPool(fake.start, 2, silentLog, 1);
    for (const round of [1, 2]) {
      const texts = ["a", "b", "c"].map((text) => pool.submit(text, "ingest"));
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
    const pool = new EncoderPool(fake.start, 1, silentLog);
    const ingest = ["i1", "i2", "i3", "i4"].map((text) => pool.submit(text, "ingest"));
    await settle();
    const queries = ["q1", "q2", "q3"].map((text) => pool.submit(text, "query"));
    expect(fake.texts(0)).toEqual(["i1", "i2", "q1", "q2"]);
    const order: string[] = [];
    while (fake.texts(0).length > 0) order.push(fake.reply(0));
    expect(order).toEqual(["i1", "i2", "q1", "q2", "q3", "i3", "i4"]);
    await Promise.all([...ingest, ...queries]);
    await pool.close();
  });

  test("makes the windows of a long text jobs of their own, in the text's place", async () => {
    const fake = new FakeWorkers();
    const pool = new EncoderPool(fake.start, 1, silentLog);
    const long = pool.submit("long", "ingest");
    const other = ["x", "y"].map((text) => pool.submit(text, "ingest"));
    await settle();
    const windows = [0, 10, 20].map((start) => ({ start, end: start + 10, ids: Int32Array.of(101, 102) }));
    fake.reply(0, { kind: "planned", windows });
    expect(fake.texts(0)).toEqual(["x", "window 0"]);
    const query = pool.submit("q", "query");
    expect(fake.texts(0)).toEqual(["x", "window 0", "q"]);
    fake.reply(0);
    for (const start of [0, -1, 10, 20, -1]) fake.reply(0, embedded(start));
    expect((await long).map(({ start }) => start)).toEqual([0, 10, 20]);
    await Promise.all([...other, query]);
    await pool.close();
  });

  test("refuses texts beyond its queue", async () => {
    const fake = new FakeWorkers();
    const pool = new EncoderPool(fake.start, 1, silentLog);
    const accepted = Array.from({ length: ENCODER_QUEUE_MAX_TEXTS }, () => faultOf(pool.submit("x", "ingest")));
    expect(await faultOf(pool.submit("one more", "query"))).toBe("unavailable");
    await settle();
    const closing = pool.close();
    while (fake.texts(0).length > 0) fake.reply(0);
    await closing;
    const outcomes = await Promise.all(accepted);
    expect(outcomes.filter((outcome) => outcome === undefined).length).toBe(ENCODER_PIPELINE_DEPTH);
  });

  test("replaces a worker that died; its jobs run once more, then fail", async () => {
    const fake = new FakeWorkers();
    const pool = new EncoderPool(fake.start, 1, silentLog);
    const doomed = faultOf(pool.submit("doomed", "ingest"));
    await settle();
    for (let attempt = 1; attempt < ENCODER_JOB_MAX_ATTEMPTS; attempt++) {
      fake.die(0);
      await settle();
      expect(fake.texts(0)).toEqual(["doomed"]);
    }
    fake.die(0);
    expect(await doomed).toBe("unavailable");
    await settle();
    const next = pool.submit("next", "query");
    fake.reply(0);
    await next;
    await pool.close();
  });

  test("fails what waits when no worker starts, and tries again with the next text", async () => {
    const fake = new FakeWorkers();
    fake.failing = true;
    const pool = new EncoderPool(fake.start, 2, silentLog);
    expect(await faultOf(pool.submit("a", "query"))).toBe("unavailable");
    await settle();
    fake.failing = false;
    const second = pool.submit("b", "query");
    await settle();
    fake.reply(0);
    expect((await second).length).toBe(1);
    expect(fake.started).toBe(2);
    await pool.close();
  });

  test("close waits for what the workers have in hand", async () => {
    const fake = new FakeWorkers();
    const pool = new EncoderPool(fake.start, 1, silentLog);
    const [running, waiting] = [pool.submit("a", "ingest"), ["b", "c"].map((text) => faultOf(pool.submit(text, "ingest")))];
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

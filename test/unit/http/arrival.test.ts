/** How long a body may take, by a clock of the test's own. */
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { Fault } from "../../../src/base/fault.ts";
import { arriving } from "../../../src/http/arrival.ts";

const PACE = { pieceBytes: 1_024, pieceMs: 10_000 };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A body that the test sends, and what has come of it: the bytes read, and how it ended. */
function body() {
  let sender!: ReadableStreamDefaultController<Uint8Array>;
  let dropped = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      sender = controller;
    },
    cancel() {
      dropped = true;
    },
  });
  const outcome = { bytes: 0, end: "" };
  const read = async () => {
    for await (const chunk of arriving(new Request("http://x/", { method: "POST", body: stream }), PACE)) outcome.bytes += chunk.byteLength;
  };
  const ended = read().then(
    () => "whole",
    (error: unknown) => (error instanceof Fault ? `${error.kind}: ${error.message}` : String(error)),
  );
  const done = ended.then((end) => {
    outcome.end = end;
  });
  return {
    outcome,
    done,
    wasDropped: () => dropped,
    send: async (bytes: number) => {
      sender.enqueue(new Uint8Array(bytes));
      await settled();
    },
    end: () => sender.close(),
    fail: () => sender.error(new Error("reset")),
  };
}

/** Everything that follows from what was done runs without a timer. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await settled();
}

describe("a body", () => {
  test("that comes whole is read", async () => {
    const { outcome, done, send, end } = body();
    await send(3);
    await send(4);
    end();
    await done;
    expect(outcome).toEqual({ bytes: 7, end: "whole" });
  });

  test("of which nothing comes any more is refused, and let go of", async () => {
    const { outcome, done, send, wasDropped } = body();
    await send(3);
    await pass(9_999);
    expect(outcome.end).toBe("");
    await pass(1);
    await done;
    expect(outcome.end).toStartWith("bad_request: the body came too slowly: send at least 1 KiB in every 10 s, or all of it");
    expect(wasDropped()).toBe(true);
  });

  test("that trickles is refused, although every byte of it comes soon", async () => {
    const { outcome, done, send } = body();
    for (let second = 0; second < 9; second += 1) {
      await send(1);
      await pass(1_000);
    }
    expect(outcome).toEqual({ bytes: 9, end: "" });
    await send(1);
    await pass(1_000);
    await done;
    expect(outcome.end).toStartWith("bad_request: the body came too slowly");
  });

  test("that is slow but steady takes the time that it needs", async () => {
    const { outcome, done, send, end } = body();
    for (let piece = 0; piece < 20; piece += 1) {
      await pass(9_000);
      await send(1_024);
    }
    end();
    await done;
    expect(outcome).toEqual({ bytes: 20 * 1_024, end: "whole" });
  });

  test("whose sender goes away is not whole", async () => {
    const { outcome, done, send, fail } = body();
    await send(3);
    fail();
    await done;
    expect(outcome.end).toBe("bad_request: the body is not whole");
  });

  test("waits for its reader as long as that takes", async () => {
    const chunks = arriving(new Request("http://x/", { method: "POST", body: "abc" }), PACE);
    expect((await chunks.next()).value).toHaveLength(3);
    await pass(60_000);
    expect((await chunks.next()).done).toBe(true);
  });
});

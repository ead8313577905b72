/** Processes for media work: one that crashes, hangs, eats or ends takes its own task down and nothing else. */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../src/base/fault.ts";
import type { ExtractedPart, SourceFile } from "../../../src/domain/media.ts";
import { MemoryBudget, type Share } from "../../../src/media/sandbox/memory-budget.ts";
import { MediaProcesses } from "../../../src/media/sandbox/pool.ts";
import type { ProcessOptions } from "../../../src/media/sandbox/process.ts";
import { faultOf as readerFault } from "../../../src/media/sandbox/worker.ts";

setDefaultTimeout(20_000);

const MIB = 1024 * 1024;
const COMMAND = [process.execPath, join(import.meta.dir, "../../support/media-child.ts")];
const SHARE: Share = { processBytes: 200 * MIB, ffmpegBytes: 0 };
const LIMITS = { memoryPollMs: 20, stallMs: 1_500, idleMs: 60_000, keepBytes: 400 * MIB };

const opened: MediaProcesses[] = [];

afterEach(() => {
  for (const processes of opened.splice(0)) processes.close();
});

interface Opened extends Partial<ProcessOptions> {
  waitingMax?: number;
  budget?: MemoryBudget;
  leaveBytes?: number;
  memoryWaitMs?: number;
}

function open(size = 1, options: Opened = {}): MediaProcesses {
  const { waitingMax = 10, budget = new MemoryBudget(size * 200 * MIB), leaveBytes = 0, memoryWaitMs = Number.POSITIVE_INFINITY, ...more } = options;
  const setup = { addons: {} as ProcessOptions["setup"]["addons"], nice: 0 };
  const pool = { size, waitingMax, budget, leaveBytes, memoryWaitMs };
  const processes = new MediaProcesses(pool, { setup, ffmpeg: null, temporary: "/tmp", command: COMMAND, limits: LIMITS, ...more });
  opened.push(processes);
  return processes;
}

function fileThat(doing: string): SourceFile {
  return { path: "/dev/null", bytes: 0, name: doing, format: { kind: "log", mime: "text/plain" } };
}

function extract(processes: MediaProcesses, doing: string, share = SHARE): AsyncGenerator<ExtractedPart, void, void> {
  return processes.lend(share, (process) => process.parts(fileThat(doing), 0));
}

async function all(processes: MediaProcesses, doing: string, share = SHARE): Promise<ExtractedPart[]> {
  return Array.fromAsync(extract(processes, doing, share));
}

/** Of the process that worked. */
async function pidOf(processes: MediaProcesses): Promise<number> {
  return Number((await all(processes, "parts 1"))[0]?.stage);
}

async function caught(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof Fault)) throw new Error(`a fault was expected, not ${String(error)}`);
  return error;
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const { kind, message } = await caught(work);
  return `${kind}: ${message}`;
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && existsSync(`/proc/${pid}`); tries += 1) await Bun.sleep(20);
  return !existsSync(`/proc/${pid}`);
}

describe("a process that works", () => {
  test("gives its parts in order, and serves the next file", async () => {
    const processes = open();
    const parts = await all(processes, "parts 3");
    expect(parts.map(({ part }) => part)).toEqual([0, 1, 2]);
    expect(String(await pidOf(processes))).toBe(parts[0]?.stage ?? "");
    expect(await processes.run(SHARE, (process) => process.value("describe", fileThat("value")))).toBeNull();
  });

  test("lives on after a plain error of a file", async () => {
    const processes = open();
    const pid = await pidOf(processes);
    expect(await faultOf(all(processes, "fault"))).toBe("bad_request: the file is wrong");
    expect(await pidOf(processes)).toBe(pid);
  });

  test("no more run than there are places, and all are served", async () => {
    const processes = open(2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => all(processes, "parts 2")));
    expect(answers.map(({ length }) => length)).toEqual(Array(8).fill(2));
    expect(new Set(answers.flat().map(({ stage }) => stage)).size).toBeLessThanOrEqual(2);
  });

  test("beyond those who may wait, callers are refused", async () => {
    const processes = open(1, { waitingMax: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => all(processes, "parts 1")));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(await faultOf(Promise.reject((outcomes[4] as PromiseRejectedResult).reason))).toStartWith("unavailable");
  });

  test("ends when it has had nothing to do", async () => {
    const processes = open(1, { limits: { ...LIMITS, idleMs: 100 } });
    const pid = await pidOf(processes);
    expect(await gone(pid)).toBe(true);
    expect(await pidOf(processes)).not.toBe(pid);
  });

  test("is stopped when its reader goes away", async () => {
    const processes = open();
    const pid = await pidOf(processes);
    for await (const { part } of extract(processes, "parts 5")) if (part === 1) break;
    expect(await gone(pid)).toBe(true);
    expect(await all(processes, "parts 2")).toHaveLength(2);
  });
});

/** Only what hangs is to make no headway: a process that eats may be slow at it on a busy machine. */
const limitsFor = (doing: string) => ({ limits: { ...LIMITS, stallMs: doing.startsWith("hang") ? LIMITS.stallMs : 60_000 } });

const FAILURES: [string, string, string][] = [
  ["crashes", "crash", "bad_request: the file brought its decoder down"],
  ["ends early", "exit", "bad_request: the file brought its decoder down"],
  ["hangs", "hang", "bad_request: the file makes no headway"],
  ["hangs after its first part", "hang-later 3", "bad_request: the file makes no headway"],
  ["eats memory", "eat", "bad_request: the file needs more than 200 MiB"],
];

describe.each(FAILURES)("a process that %s", (_what, doing, expected) => {
  test("fails its file with a reason, and the next file is served", async () => {
    const processes = open(1, limitsFor(doing));
    const pid = await pidOf(processes);
    expect(await faultOf(all(processes, doing))).toStartWith(expected);
    expect(await gone(pid)).toBe(true);
    const after = await pidOf(processes);
    expect(after).not.toBe(pid);
    expect(await pidOf(processes)).toBe(after);
  });

  test("holds no other up", async () => {
    const processes = open(2, limitsFor(doing));
    const [failed, ...rest] = await Promise.all([faultOf(all(processes, doing)), ...Array.from({ length: 4 }, () => all(processes, "parts 2"))]);
    expect(failed).toStartWith(expected);
    expect(rest.map((parts) => (parts as ExtractedPart[]).length)).toEqual([2, 2, 2, 2]);
  });
});

describe("whether a file is read again", () => {
  const OUTCOMES: [string, string, string][] = [
    ["never, when its reader says what is wrong with it", "fault", "bad_request never"],
    ["a few times, when it crashed its process", "crash", "bad_request few"],
    ["a few times, when its process ended", "exit", "bad_request few"],
    ["a few times, when its process grew too large", "eat", "bad_request few"],
    ["a few times, when it makes no headway", "hang", "bad_request few"],
    ["always, when somebody else killed its process", "killed", "unavailable always"],
  ];
  test.each(OUTCOMES)("%s", async (_what, doing, expected) => {
    const { kind, retry } = await caught(all(open(1, limitsFor(doing)), doing));
    expect(`${kind} ${retry}`).toBe(expected);
  });

  const ERRORS: [string, unknown, string][] = [
    ["the system has no file left to give", Object.assign(new Error("open"), { code: "EMFILE" }), "unavailable always"],
    ["the disk is full", Object.assign(new Error("write"), { code: "ENOSPC" }), "unavailable always"],
    ["memory is refused", new RangeError("Out of memory"), "bad_request few"],
    ["a model is refused memory", new Error("std::bad_alloc"), "bad_request few"],
    ["a decoder throws", new TypeError("undefined is not an object"), "bad_request never"],
    ["something is not installed", new Fault("unavailable", "video needs ffmpeg", { retry: "never" }), "unavailable never"],
  ];
  test.each(ERRORS)("where it is read, when %s", (_what, error, expected) => {
    const { kind, retry } = readerFault(error);
    expect(`${kind} ${retry}`).toBe(expected);
  });

  test("always, when no process starts or gets ready", async () => {
    expect((await caught(all(open(1, { command: ["/bin/false"] }), "parts 1"))).retry).toBe("always");
    expect((await caught(all(open(1, { command: ["/nowhere/strata"] }), "parts 1"))).retry).toBe("always");
  });

  test("with more time for the part that took too long", async () => {
    const processes = open(1, { limits: { ...LIMITS, stallMs: 100 } });
    const patient = processes.lend(SHARE, (process) => process.parts(fileThat("hang"), 0, 4));
    expect((await caught(Array.fromAsync(patient))).message).toContain("longer than 0.4 s");
  });
});

describe("no file is to blame when", () => {
  test("a process died while it had nothing to do", async () => {
    const processes = open();
    const pid = await pidOf(processes);
    process.kill(pid, "SIGKILL");
    expect(await gone(pid)).toBe(true);
    expect(await all(processes, "parts 2")).toHaveLength(2);
  });

  test("a process dies before it is ready", async () => {
    const processes = open(1, { command: ["/bin/false"] });
    expect(await faultOf(all(processes, "parts 1"))).toStartWith("unavailable");
  });

  test("a process never gets ready", async () => {
    const processes = open(1, { command: [...COMMAND, "mute"], limits: { ...LIMITS, stallMs: 300 } });
    expect(await faultOf(all(processes, "parts 1"))).toStartWith("unavailable");
    expect(await faultOf(all(processes, "parts 1"))).toStartWith("unavailable");
  });

  test("no process can be started, and those who wait are told as well", async () => {
    const processes = open(1, { command: ["/nowhere/strata"] });
    const outcomes = await Promise.all([1, 2, 3].map(() => faultOf(all(processes, "parts 1"))));
    for (const outcome of outcomes) expect(outcome).toStartWith("unavailable");
  });
});

describe("closing", () => {
  test("while busy rejects who works and who waits, and leaves no process", async () => {
    const processes = open(2);
    const pids = (await Promise.all([all(processes, "parts 1"), all(processes, "parts 1")])).flat().map(({ stage }) => Number(stage));
    const work = [...["hang", "hang", "parts 1", "parts 2"].map((doing) => faultOf(all(processes, doing)))];
    await Bun.sleep(100);
    processes.close();
    for (const outcome of await Promise.all(work)) expect(outcome).toBe("unavailable: the service is stopping");
    expect(await Promise.all(pids.map(gone))).toEqual([true, true]);
    expect(await faultOf(all(processes, "parts 1"))).toBe("unavailable: the service is stopping");
  });

  test("in the moment in which a place becomes free starts nothing anew", async () => {
    const processes = open();
    const pid = await pidOf(processes);
    const first = extract(processes, "parts 1");
    await first.next();
    const waiting = faultOf(all(processes, "parts 1"));
    await Bun.sleep(10);
    const ended = first.next();
    processes.close();
    await ended.catch(() => {});
    expect(await waiting).toBe("unavailable: the service is stopping");
    expect(await gone(pid)).toBe(true);
  });
});

test("a process that a file has left large is not kept for the next one", async () => {
  const processes = open(1, { limits: { ...LIMITS, keepBytes: 1 } });
  const first = await pidOf(processes);
  expect(await pidOf(processes)).not.toBe(first);
});

describe("the memory that processes share", () => {
  const HALF: Share = { processBytes: 100 * MIB, ffmpegBytes: 0 };
  const most = (processes: MediaProcesses, doing: string) => all(processes, doing, SHARE);

  test("is never granted beyond the budget: who finds it spent waits, in turn", async () => {
    const processes = open(4, { budget: new MemoryBudget(200 * MIB) });
    const reading = extract(processes, "parts 2");
    await reading.next();
    const order: string[] = [];
    const waiting = ["first", "second", "third"].map((name) => all(processes, "parts 1").then(() => order.push(name)));
    await Bun.sleep(50);
    expect(order).toEqual([]);
    await Array.fromAsync(reading);
    await Promise.all(waiting);
    expect(order).toEqual(["first", "second", "third"]);
  });

  test("of a process with nothing to do goes to another pool that waits for it", async () => {
    const budget = new MemoryBudget(200 * MIB);
    const [files, previews] = [open(1, { budget }), open(1, { budget })];
    const pid = await pidOf(files);
    expect(await most(previews, "parts 1")).toHaveLength(1);
    expect(await gone(pid)).toBe(true);
  });

  test("a process with too small a share is not lent for a larger one", async () => {
    const processes = open(1);
    const small = Number((await all(processes, "parts 1", HALF))[0]?.stage);
    const large = await pidOf(processes);
    expect(large).not.toBe(small);
    expect(Number((await all(processes, "parts 1", HALF))[0]?.stage)).toBe(large);
  });

  test("a preview that waits too long for it is refused, and the place is free for the next", async () => {
    const budget = new MemoryBudget(200 * MIB);
    const [files, previews] = [open(1, { budget }), open(1, { budget, memoryWaitMs: 500 })];
    const reading = extract(files, "parts 2");
    await reading.next();
    expect(await faultOf(all(previews, "parts 1"))).toStartWith("unavailable: the memory for reading files is in use");
    await Array.fromAsync(reading);
    expect(await all(previews, "parts 1")).toHaveLength(1);
  });

  test("closing rejects who waits for it", async () => {
    const processes = open(2, { budget: new MemoryBudget(200 * MIB) });
    const reading = extract(processes, "parts 2");
    await reading.next();
    const waiting = faultOf(all(processes, "parts 1"));
    processes.close();
    expect(await waiting).toBe("unavailable: the service is stopping");
  });
});

describe("whoever asked and has gone", () => {
  test("waits for no memory either", async () => {
    const processes = open(2, { budget: new MemoryBudget(200 * MIB) });
    const reading = extract(processes, "parts 2");
    await reading.next();
    const leaving = new AbortController();
    const left = faultOf(processes.run(SHARE, async () => "never", leaving.signal));
    const next = processes.run(SHARE, async () => "next");
    leaving.abort();
    expect(await left).toBe("unavailable: whoever asked has hung up");
    await Array.fromAsync(reading);
    expect(await next).toBe("next");
  });

  test("leaves the queue, and the next one is served", async () => {
    const processes = open(1, { waitingMax: 2 });
    const holds = Promise.withResolvers<void>();
    const held = processes.run(SHARE, () => holds.promise);
    const leaving = new AbortController();
    const left = faultOf(processes.run(SHARE, async () => "never", leaving.signal));
    const next = processes.run(SHARE, async () => "next");
    leaving.abort();
    expect(await left).toBe("unavailable: whoever asked has hung up");
    holds.resolve();
    await held;
    expect(await next).toBe("next");
  });

  test("gets no process when it goes at the moment that one is free", async () => {
    const processes = open();
    const leaving = new AbortController();
    const left = faultOf(processes.run(SHARE, (process) => process.value("describe", fileThat("hang")), leaving.signal));
    leaving.abort();
    expect(await left).toBe("unavailable: whoever asked has hung up");
  });

  test("ends the process that was at work for it", async () => {
    const processes = open();
    const pid = await pidOf(processes);
    const leaving = new AbortController();
    const begun = Promise.withResolvers<void>();
    const left = faultOf(
      processes.run(
        SHARE,
        (process) => {
          begun.resolve();
          return process.value("describe", fileThat("hang"));
        },
        leaving.signal,
      ),
    );
    await begun.promise;
    leaving.abort();
    expect(await left).toBe("unavailable: whoever asked has hung up");
    expect(await gone(pid)).toBe(true);
    expect(await processes.run(SHARE, (process) => process.value("describe", fileThat("value")))).toBeNull();
  });
});

/** What long work shows of itself. */
import { expect, test } from "bun:test";
import { byteRate, Pace, Progress, rate, workLine } from "../../src/cli/progress.ts";
import { PACE_WINDOW_MS, PROGRESS_INTERVAL_MS } from "../../src/base/limits.ts";

const SECOND_MS = 1_000;

test("a pace is that of the last seconds, and none before a second has passed", () => {
  let now = 0;
  const pace = new Pace(() => now);
  const after = (ms: number, value: number) => {
    now += ms;
    return pace.of(value);
  };
  expect([after(0, 0), after(SECOND_MS / 2, 50), after(SECOND_MS / 2, 100)]).toEqual([null, null, 100]);
  // Ten times as slow from here on: the seconds before are forgotten when the window is full.
  let value = 100;
  for (let passed = 0; passed <= 2 * PACE_WINDOW_MS; passed += SECOND_MS) {
    value += 10;
    after(SECOND_MS, value);
  }
  expect(pace.of(value)).toBeCloseTo(10, 5);
  // Nothing comes any more.
  for (let passed = 0; passed <= 2 * PACE_WINDOW_MS; passed += SECOND_MS) after(SECOND_MS, value);
  expect(pace.of(value)).toBe(0);
});

test("a line tells share, amount, rate and the time that is left, and leaves out what is not known", () => {
  const step = { share: 0.456, count: 3, done: "3 of 9 files" };
  expect(workLine({ ...step, at: "notes.pdf, text" }, "1.2 MB/s", 200_000)).toBe(
    "[#########           ]  45 %  3 of 9 files, 1.2 MB/s, 3 min 20 s left: notes.pdf, text",
  );
  expect(workLine(step, null, 400)).toBe("[#########           ]  45 %  3 of 9 files, 1 s left");
  expect(workLine({ ...step, share: null }, "12/min", null)).toBe("3 of 9 files, 12/min");
  expect([1_400, 14.4, 1.44, 0.2].map(rate)).toEqual(["1,400/s", "14/s", "1.4/s", "12/min"]);
  expect([1_240_000, 640_400].map(byteRate)).toEqual(["1.2 MB/s", "640 kB/s"]);
});

function drawn(isTerminal: boolean, columns?: number): { progress: Progress; said: string[] } {
  const said: string[] = [];
  const output = { isTerminal, write: (text: string) => void said.push(text), ...(columns === undefined ? {} : { columns }) };
  return { progress: new Progress(output), said };
}

test("a line is drawn over itself on a terminal, cut to its width, and taken away", () => {
  const { progress, said } = drawn(true, 10);
  progress.show("0123456789");
  progress.show("too soon");
  progress.clear();
  progress.clear();
  expect(said).toEqual(["\r\x1b[K012345678", "\r\x1b[K"]);
});

test("anywhere else there is nothing", async () => {
  const { progress, said } = drawn(false);
  progress.show("x");
  expect(await progress.during("x", async () => 7)).toBe(7);
  progress.clear();
  expect(said).toEqual([]);
});

test("work of which nothing is known is shown with its time, and no longer, also when it fails", async () => {
  const { progress, said } = drawn(true);
  await expect(progress.during("loading", () => Promise.reject(new Error("full")))).rejects.toThrow("full");
  expect(said).toEqual(["\r\x1b[Kloading (0.0 s)", "\r\x1b[K"]);
  await Bun.sleep(2 * PROGRESS_INTERVAL_MS);
  expect(said.length).toBe(2);
});

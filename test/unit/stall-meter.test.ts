/** What the benchmark calls a stall. */
import { afterEach, expect, test } from "bun:test";
import { StallMeter } from "../../src/cli/bench/measure.ts";

const { now } = performance;
afterEach(() => {
  performance.now = now;
});

test("the longest time between two looks at the clock, without what was observed apart", () => {
  let at = 0;
  performance.now = () => at;
  const work = {
    commit: () => {
      at += 70;
      return "done";
    },
  };
  const meter = new StallMeter();
  meter.apart("commit", work, "commit");
  meter.start();
  at += 31;
  expect(work.commit()).toBe("done");
  expect(meter.stop()).toBe(30);
  expect([meter.longestOf("commit"), meter.longestOf("body")]).toEqual([70, 0]);
});

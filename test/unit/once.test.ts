/** What is opened once and kept: models, label files, decoders. */
import { expect, test } from "bun:test";
import { once } from "../../src/base/once.ts";

test("opens once for everybody who asks", async () => {
  let opened = 0;
  const get = once(async () => (opened += 1));
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

test("a failure reaches all who waited for it, and the next call opens again", async () => {
  let calls = 0;
  const get = once(async () => {
    calls += 1;
    if (calls === 1) throw new Error("the disk said no");
    return calls;
  });
  const both = await Promise.allSettled([get(), get()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(calls).toBe(1);
  expect(await get()).toBe(2);
  expect(await get()).toBe(2);
});

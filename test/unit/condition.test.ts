import { expect, test } from "bun:test";
import { BACKOFF_FIRST_MS } from "../../src/base/limits.ts";
import { Condition } from "../../src/base/availability.ts";
import { ManualSchedule } from "../support/schedule.ts";

const settle = () => Bun.sleep(1);
const fails = () => Promise.reject(new Error("no descriptor"));

test("after a read that failed it looks again in growing pauses, until the cause has gone", async () => {
  let broken = true;
  let looks = 0;
  const time = new ManualSchedule();
  const condition = new Condition(async () => {
    looks += 1;
    if (broken) throw new Error("no descriptor");
  }, time.schedule);
  expect(condition.working).toBe(true);
  await expect(condition.reading(fails)).rejects.toThrow("no descriptor");
  expect([condition.working, time.pauses]).toEqual([false, [BACKOFF_FIRST_MS]]);
  time.elapse();
  await settle();
  expect([looks, condition.working, time.pauses]).toEqual([1, false, [2 * BACKOFF_FIRST_MS]]);
  broken = false;
  time.elapse();
  await settle();
  expect([looks, condition.working, time.pauses]).toEqual([2, true, []]);
});

test("a read that goes well ends it at once", async () => {
  const time = new ManualSchedule();
  const condition = new Condition(fails, time.schedule);
  await expect(condition.reading(fails)).rejects.toThrow();
  expect(await condition.reading(async () => 7)).toBe(7);
  expect([condition.working, time.pauses]).toEqual([true, []]);
});

test("a write that failed is undone by a write alone", async () => {
  const condition = new Condition(async () => {}, new ManualSchedule().schedule);
  await expect(condition.writing(fails)).rejects.toThrow();
  await condition.look();
  expect(condition.working).toBe(false);
  await condition.writing(async () => {});
  expect(condition.working).toBe(true);
});

test("once closed it looks no more", async () => {
  const time = new ManualSchedule();
  const condition = new Condition(fails, time.schedule);
  condition.close();
  await expect(condition.reading(fails)).rejects.toThrow();
  expect(time.pauses).toEqual([]);
});

import { expect, test } from "bun:test";
import { BACKOFF_FIRST_MS } from "../../src/base/limits.ts";
import { Availability } from "../../src/base/availability.ts";
import { ManualSchedule } from "../support/schedule.ts";

const settle = () => Bun.sleep(1);
const fails = () => Promise.reject(new Error("no descriptor"));

test("after a read that failed it looks again in growing pauses, until the cause has gone", async () => {
  let broken = true;
  let looks = 0;
  const time = new ManualSchedule();
  const availability = new Availability(async () => {
    looks += 1;
    if (broken) throw new Error("no descriptor");
  }, time.schedule);
  expect(availability.working).toBe(true);
  await expect(availability.reading(fails)).rejects.toThrow("no descriptor");
  expect([availability.working, time.pauses]).toEqual([false, [BACKOFF_FIRST_MS]]);
  time.elapse();
  await settle();
  expect([looks, availability.working, time.pauses]).toEqual([1, false, [2 * BACKOFF_FIRST_MS]]);
  broken = false;
  time.elapse();
  await settle();
  expect([looks, availability.working, time.pauses]).toEqual([2, true, []]);
});

test("a read that goes well ends it at once", async () => {
  const time = new ManualSchedule();
  const availability = new Availability(fails, time.schedule);
  await expect(availability.reading(fails)).rejects.toThrow();
  expect(await availability.reading(async () => 7)).toBe(7);
  expect([availability.working, time.pauses]).toEqual([true, []]);
});

test("a write that failed is undone by a write alone", async () => {
  const availability = new Availability(async () => {}, new ManualSchedule().schedule);
  await expect(availability.writing(fails)).rejects.toThrow();
  await availability.probe();
  expect(availability.working).toBe(false);
  await availability.writing(async () => {});
  expect(availability.working).toBe(true);
});

test("once closed it looks no more", async () => {
  const time = new ManualSchedule();
  const availability = new Availability(fails, time.schedule);
  availability.close();
  await expect(availability.reading(fails)).rejects.toThrow();
  expect(time.pauses).toEqual([]);
});

/** What is under way at once: by weight, and in turn. */
import { expect, test } from "bun:test";
import { Semaphore } from "../../src/base/semaphore.ts";

/** Work that runs until it is told to end, under a semaphore. */
function works(semaphore: Semaphore) {
  const running: string[] = [];
  const begin = (name: string, weight: number) => {
    const gate = Promise.withResolvers<void>();
    const done = semaphore.during(weight, async () => {
      running.push(name);
      await gate.promise.finally(() => running.splice(running.indexOf(name), 1));
      return name;
    });
    return { done, end: gate.resolve, fail: gate.reject };
  };
  return { running, begin };
}

test("as much runs as fits, and what came later waits behind what does not fit", async () => {
  const { running, begin } = works(new Semaphore(10));
  const [a, b, large, small] = [begin("a", 4), begin("b", 4), begin("large", 5), begin("small", 1)];
  await Bun.sleep(0);
  expect(running).toEqual(["a", "b"]);
  a.end();
  expect(await a.done).toBe("a");
  await Bun.sleep(0);
  expect(running).toEqual(["b", "large", "small"]);
  for (const each of [b, large, small]) each.end();
  await Promise.all([b.done, large.done, small.done]);
});

test("what is heavier than all there is runs alone, and what fails gives its place back", async () => {
  const { running, begin } = works(new Semaphore(2));
  const [heavy, next] = [begin("heavy", 100), begin("next", 1)];
  await Bun.sleep(0);
  expect(running).toEqual(["heavy"]);
  heavy.fail(new Error("no"));
  await expect(heavy.done).rejects.toThrow("no");
  await Bun.sleep(0);
  expect(running).toEqual(["next"]);
  next.end();
  await next.done;
});

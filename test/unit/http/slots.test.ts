/** Places: so many in all, so many of one namespace, and free again whatever the work comes to. */
import { expect, test } from "bun:test";
import { Fault } from "../../../src/base/fault.ts";
import { Slots } from "../../../src/http/slots.ts";

function outcome(work: () => void): string {
  try {
    work();
    return "taken";
  } catch (error) {
    return error instanceof Fault ? `${error.kind}: ${error.message}` : String(error);
  }
}

test("one namespace leaves some to others, and all of them share the rest", () => {
  const slots = new Slots(5, "full");
  const take = (namespace: string, count: number) => outcome(() => slots.take(namespace, count));
  expect([take("a", 3), take("a", 1), take("b", 3), take("b", 2), take("c", 1)]).toEqual([
    "taken",
    "rate_limited: full",
    "rate_limited: full",
    "taken",
    "rate_limited: full",
  ]);
  slots.release("a", 2);
  expect([take("c", 2), take("a", 1)]).toEqual(["taken", "rate_limited: full"]);
});

test("a place is free again when the work is done, and when it fails", async () => {
  const slots = new Slots(1, "full");
  const go = Promise.withResolvers<void>();
  const working = slots.hold("a", () => go.promise);
  expect(outcome(() => slots.take("b", 1))).toBe("rate_limited: full");
  go.reject(new Error("it failed"));
  await expect(working).rejects.toThrow("it failed");
  expect(await slots.hold("b", async () => "done")).toBe("done");
});

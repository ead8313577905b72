/** Descriptors: counted as the system counts them, and refused before they are lacking. */
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readdirSync } from "node:fs";
import { Fault } from "../../src/base/fault.ts";
import { descriptorLimit, descriptorsOpen, requireDescriptors } from "../../src/base/descriptors.ts";

describe("descriptors", () => {
  test("are counted one by one", () => {
    const before = descriptorsOpen();
    const opened = Array.from({ length: 10 }, () => openSync("/dev/null", "r"));
    expect(descriptorsOpen()).toBe(before + 10);
    for (const fd of opened) closeSync(fd);
    expect(descriptorsOpen()).toBe(before);
    // The listing has one more: its own.
    expect(Math.abs(readdirSync("/proc/self/fd").length - before)).toBeLessThanOrEqual(1);
  });

  test("that the system does not allow are refused before they are asked for", () => {
    const limit = descriptorLimit();
    expect(limit).toBeGreaterThan(descriptorsOpen());
    expect(() => requireDescriptors(1)).not.toThrow();
    expect(() => requireDescriptors(limit)).toThrow(Fault);
  });
});

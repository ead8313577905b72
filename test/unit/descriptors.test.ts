/** Descriptors: counted as the system counts them, and their lack told from other errors. */
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readdirSync } from "node:fs";
import { Fault } from "../../src/base/fault.ts";
import { descriptorFault, descriptorLimit, descriptorsOpen, requireDescriptors } from "../../src/engine/descriptors.ts";

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

describe("an error for want of descriptors", () => {
  test.each([
    ["of Node", Object.assign(new Error("EMFILE: too many open files, open 'x'"), { code: "EMFILE" })],
    ["of the whole system", Object.assign(new Error("open"), { code: "ENFILE" })],
    ["of a native library", new Error("Io error: Too many open files (os error 24)")],
    ["behind another one", new Error("it cannot be read", { cause: Object.assign(new Error("open"), { code: "EMFILE" }) })],
  ])("%s is unavailable, without its own words", (_of, error) => {
    const fault = descriptorFault(error);
    expect({ kind: fault?.kind, cause: fault?.cause }).toEqual({ kind: "unavailable", cause: error });
    expect(fault?.message).toBe("the service has as many files open as the system lets it; try again in a moment");
  });

  test("is none of the others", () => {
    for (const error of [new Error("no such file"), Object.assign(new Error("x"), { code: "ENOENT" }), "EMFILE", null]) {
      expect(descriptorFault(error)).toBeNull();
    }
  });
});

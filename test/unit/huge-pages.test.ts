import { expect, test } from "bun:test";
import { inHugePages } from "../../src/runtime/native.ts";

const MIB = 1024 * 1024;

test("gives what was loaded, and leaves what stands in the memory as it is", async () => {
  const kept = new Uint32Array(4 * MIB).map((_, index) => index);
  const loaded = await inHugePages(async () => new Uint32Array(4 * MIB).map((_, index) => ~index));
  for (let index = 0; index < 4 * MIB; index += 997) {
    expect(kept[index]).toBe(index);
    expect(loaded[index]).toBe(~index >>> 0);
  }
});

test("passes on the failure of what loads", async () => {
  await expect(inHugePages(() => Promise.reject(new Error("no such model")))).rejects.toThrow("no such model");
});

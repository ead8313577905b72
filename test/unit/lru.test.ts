import { describe, expect, test } from "bun:test";
import { LruMap } from "../../src/base/lru.ts";

describe("LruMap", () => {
  test("forgets the least recently used entry beyond its capacity", () => {
    const map = new LruMap<string, number>(2);
    map.set("a", 1);
    map.set("b", 2);
    expect(map.get("a")).toBe(1);
    map.set("c", 3);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  });

  test("weighs entries: also replaced, deleted and cleared ones, and one that is too heavy alone", () => {
    const map = new LruMap<string, string>(10, (value) => value.length);
    map.set("a", "1234");
    map.set("b", "1234");
    map.set("b", "123456");
    expect([map.get("a"), map.get("b")]).toEqual(["1234", "123456"]);
    map.set("c", "1");
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, "123456", "1"]);
    map.delete("b");
    map.set("d", "123456789");
    expect([map.get("c"), map.get("d")]).toEqual(["1", "123456789"]);
    map.set("e", "12345678901");
    expect([map.get("c"), map.get("d"), map.get("e")]).toEqual([undefined, undefined, undefined]);
    map.set("f", "1234567890");
    map.clear();
    map.set("g", "1234567890");
    expect([map.get("f"), map.get("g")]).toEqual([undefined, "1234567890"]);
  });
});

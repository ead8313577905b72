import { expect, test } from "bun:test";
import { covers, isScopePath, lineage, parentScope } from "../../src/domain/scope.ts";

test("a path is 1 to 8 segments of 1 to 64 plain characters", () => {
  for (const path of ["a", "A.b_c-9/x", "1/2/3/4/5/6/7/8", "a".repeat(64), "...", "a/.b", "a..b"]) expect(isScopePath(path)).toBe(true);
  for (const path of [
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    "1/2/3/4/5/6/7/8/9",
    "a".repeat(65),
    "a b",
    "é",
    "*",
    "a/*",
    "a\n",
    "a\0",
    ".",
    "..",
    "a/./b",
    "../etc",
    "a/..",
  ])
    expect(isScopePath(path)).toBe(false);
});

test("a grant covers its path and everything below, and * covers all", () => {
  expect(covers("a", "a")).toBe(true);
  expect(covers("a", "a/b/c")).toBe(true);
  expect(covers("a/b", "a")).toBe(false);
  expect(covers("a", "ab")).toBe(false);
  expect(covers("*", "anything/at/all")).toBe(true);
});

test("parents and lineage", () => {
  expect(parentScope("a")).toBeNull();
  expect(parentScope("a/b/c")).toBe("a/b");
  expect(lineage("a/b/c")).toEqual(["a", "a/b", "a/b/c"]);
});

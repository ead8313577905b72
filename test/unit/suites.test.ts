/** The runner of the tests: what it takes for a failure. */
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { INTEGRATION, outcomeOf, SUITES, strictly, suitesNamed, summary, total } from "../support/suites.ts";

const TESTS = join(import.meta.dir, "..");
const SKIPPED = "(skip) films (need ffmpeg) > two\n";
const PASSED = `(pass) one\n${SKIPPED}(todo) three\n\n1 tests skipped:\n${SKIPPED}\n 12 pass\n 1 skip\n 1 todo\n 0 fail\n`;

test("every folder with tests is a suite, and every suite has tests", () => {
  const folders = [...new Bun.Glob("**/*.test.ts").scanSync(TESTS)].map((path) => path.slice(0, path.indexOf("/")));
  expect([...new Set(folders)].sort()).toEqual([...SUITES, ...INTEGRATION].sort());
});

describe("names", () => {
  test("choose suites, in their order; none means all", () => {
    expect(suitesNamed(["http", "unit"])).toEqual(["unit", "http"]);
    expect(suitesNamed([])).toEqual(SUITES);
    expect(suitesNamed(["--integration"])).toEqual(INTEGRATION);
    expect(suitesNamed(["--all"])).toEqual([...SUITES, ...INTEGRATION]);
  });

  test("that are no suite fail, with those that there are", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(TESTS, "run.ts"), "unit", "typo"], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`no such suite: typo. There are ${[...SUITES, ...INTEGRATION].join(", ")}\n`);
  });
});

describe("the outcome of a suite", () => {
  test("counts, and names what did not run", () => {
    expect(outcomeOf(PASSED, 0)).toEqual({ passed: 12, failed: 0, skipped: 2, notRun: ["films (need ffmpeg) > two", "three"], failures: [] });
  });

  test("without a test is a failure", () => {
    expect(outcomeOf("bun test v1.4.5\n", 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  test("that crashed behind its last test is a failure", () => {
    expect(outcomeOf(PASSED, 1)).toMatchObject({ passed: 12, failed: 1 });
    expect(outcomeOf("(pass) one\n", 139)).toMatchObject({ failed: 1 });
  });

  test("gives each failure with its error once", () => {
    const first = "error: expect(received).toBe(expected)\n\nExpected: 2\n(fail) one [0.28ms]";
    const slow = "(fail) slow [100.18ms]\n  ^ this test timed out after 100ms.";
    const output = `12 | code\n${first}\n(pass) two\nsaid in between\n${slow}\n\n2 tests failed:\n(fail) one [0.28ms]\n${slow}\n\n 1 pass\n 2 fail\n`;
    expect(outcomeOf(output, 1)).toMatchObject({ failed: 2, failures: [first, slow] });
  });

  test("of several is their sum; where everything must run, what did not has failed", () => {
    const all = total([outcomeOf(PASSED, 0), outcomeOf(" 3 pass\n 2 fail\n", 1)]);
    expect(summary(all)).toBe("15 passed, 2 failed, 2 skipped");
    expect(summary(strictly(all))).toBe("15 passed, 4 failed");
    expect(strictly(all).failures).toEqual(["(skip) films (need ffmpeg) > two", "(skip) three"]);
  });
});

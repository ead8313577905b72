/** A bar is met or missed: what the benchmark prints, and what its page says. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { figureRow } from "../../src/cli/bench/measure.ts";

test("a missed bar is printed as missed", () => {
  const row = (met: boolean) => figureRow({ name: "rerank", value: 135, unit: "windows/s", bar: { text: "at least 0.9", met } }).at(-1);
  expect([row(true), row(false)]).toEqual(["at least 0.9: met", "at least 0.9: MISSED"]);
});

test("every bar of docs/benchmark.md is met or missed", () => {
  const lines = readFileSync(join(import.meta.dir, "../../docs/benchmark.md"), "utf8").split("\n");
  let bars = 0;
  let columns = 0;
  for (const line of lines) {
    const cells = line.split("|").map((cell) => cell.trim());
    if (cells.at(-2) === "bar") columns = cells.length;
    else if (!line.startsWith("|")) columns = 0;
    else if (cells.length === columns && !/^-*$/.test(cells.at(-2) ?? "")) {
      bars += 1;
      expect(line).toMatch(/(?:^|: | )(?:met|\*\*missed\*\*) \|$/);
    }
  }
  expect(bars).toBeGreaterThan(30);
});

/** What the console makes of the texts that the service sends. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { groupsOf, statementsOf } from "../../../src/console/answer/statements.ts";
import { bytes, clock } from "../../../src/console/format.ts";
import { runsOf } from "../../../src/console/source/runs.ts";
import { blocksOf } from "../../../src/console/source/table.ts";
import type { Claim } from "../../../src/console/types.ts";
import { SEED } from "../../property/seed.ts";

const claim = (text: string, said: string, marker: number): Claim => ({
  start: text.indexOf(said),
  end: text.indexOf(said) + said.length,
  verdict: "entailed",
  score: 0.9,
  answers: 0.9,
  citations: [marker],
});

describe("statements of an answer", () => {
  test("come without markers; what contradicts one stands against it", () => {
    const text = "It came at 13:50. [1] Another source contradicts this: It came at 14:20. [2] It left at noon. [3][4]";
    const claims = [claim(text, "It came at 13:50.", 1), claim(text, "It came at 14:20.", 2), claim(text, "It left at noon.", 3)];
    const groups = groupsOf(statementsOf(text, claims));
    expect(groups.map(({ first, against }) => [first.text, against.map(({ lead, text: other }) => [lead, other])])).toEqual([
      ["It came at 13:50.", [["Another source contradicts this:", "It came at 14:20."]]],
      ["It left at noon.", []],
    ]);
  });

  test("are none of an abstention", () => {
    expect(groupsOf(statementsOf("", []))).toEqual([]);
  });
});

describe("tables in texts", () => {
  test("are rows under their headers, between the prose around them", () => {
    const text = "Costs of the day.\n| Item: Crane | Price: EUR 940\n| Item: Soup | Price: none: a gift\nAll of it.";
    expect(blocksOf(text).map(({ start, end, table }) => table ?? text.slice(start, end))).toEqual([
      "Costs of the day.\n",
      {
        headers: ["Item", "Price"],
        rows: [
          ["Crane", "EUR 940"],
          ["Soup", "none: a gift"],
        ],
      },
      "All of it.",
    ]);
  });

  test("may have no headers", () => {
    expect(blocksOf("| 1 | 2\n| 3 | 4")).toMatchObject([
      {
        table: {
          headers: [],
          rows: [
            ["1", "2"],
            ["3", "4"],
          ],
        },
      },
    ]);
  });

  test("lose no part of any text", () => {
    const line = fc.constantFrom("| A: 1 | B: 2", "| A: 3", "| 1 | 2", "prose", "", "|", "| ");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.join("\n");
        const words = (part: string) => part.split(/\s+/).filter((word) => word !== "");
        const covered = blocksOf(text).flatMap(({ start, end }) => words(text.slice(start, end)));
        expect(covered).toEqual(words(text));
      }),
      { seed: SEED },
    );
  });
});

test("marks cut a text into runs that make it whole again, also where they overlap or reach beyond it", () => {
  const mark = fc.record({ start: fc.nat(40), length: fc.nat(20) }).map(({ start, length }) => ({ start, end: start + length }));
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.array(mark, { maxLength: 6 }), (text, marks) => {
      const runs = runsOf(text, marks, { start: 0, end: text.length });
      expect(runs.map((run) => run.text).join("")).toBe(text);
      const marked = runs.filter((run) => run.marked);
      for (const run of marked) {
        for (let at = run.at; at < run.at + run.text.length; at += 1) expect(marks.some(({ start, end }) => start <= at && at < end)).toBe(true);
      }
    }),
    { seed: SEED },
  );
});

test("sizes and times are written as people read them", () => {
  expect([0, 999, 1000, 41_935, 634_500_000, 2e12].map(bytes)).toEqual(["0 B", "999 B", "1.0 kB", "41.9 kB", "635 MB", "2.0 TB"]);
  expect([0, 9672, 67_000, 10_703_000].map(clock)).toEqual(["0:00", "0:09", "1:07", "2:58:23"]);
});

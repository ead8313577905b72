import { describe, expect, test } from "bun:test";
import { negations, sameNegation } from "../../../src/language/en/negation.ts";
import { contentWords, coverage, stem, words } from "../../../src/language/en/words.ts";

/** Words of one line meet in one stem, and no two lines do. */
const FAMILIES = [
  "stop stops stopped stopping",
  "cause causes caused causing",
  "write writes wrote written writing",
  "repair repairs repaired repairing",
  "control controls controlled controlling",
  "use uses used using",
  "body bodies",
  "box boxes",
  "plan plans planned planning",
  "plane planes",
  "find finds found finding",
  "hold held holding holds",
  "begin began begun begins beginning",
  "build built builds building",
  "lead led leads",
  "sell sold",
  "make made makes making",
  "agree agreed agrees",
  "locate located locates locating",
  "die died dies",
  "speed speeds",
  "string strings",
];

describe("words", () => {
  test("are folded, compounds come apart and codes stay whole", () => {
    expect(words("Drive-end GC-220, T-shirt; don’t naïve ﬁne 4,200 3.5 twenty-five e-mail ÅNGSTRÖM")).toEqual([
      "drive",
      "end",
      "gc-220",
      "t-shirt",
      "don't",
      "naive",
      "fine",
      "4200",
      "3.5",
      "twenty",
      "five",
      "e-mail",
      "angstrom",
    ]);
  });

  test("of content are stems without function words", () => {
    expect(contentWords("Why was the turbine's bearing found by Müller's crews?")).toEqual(
      ["turbine", "bearing", "find", "muller", "crew"].map(stem),
    );
    expect(contentWords("What is it that they do not have?")).toEqual([]);
  });

  test("of one family meet, those of two do not", () => {
    const stems = FAMILIES.map((family) => new Set(family.split(" ").map(stem)));
    expect(stems.filter((family) => family.size !== 1)).toEqual([]);
    expect(new Set(stems.flatMap((family) => [...family])).size).toBe(FAMILIES.length);
  });

  test("cover a claim in part", () => {
    expect(coverage("The turbine stopped", "It stops the turbines")).toBe(1);
    expect(coverage("The turbine stopped at night", "The turbine ran at night")).toBeCloseTo(2 / 3);
    expect(coverage("the turbine", "a pump")).toBe(0);
    expect(coverage("it is", "")).toBe(1);
  });
});

describe("negation", () => {
  const counts: [string, number][] = [
    ["The pump ran.", 0],
    ["The pump did not run and no one knew.", 2],
    ["It can't, won’t and cannot run without oil.", 4],
    ["Not only the pump, No. 7 too, and not least no 8.", 0],
    ["Neither the pump nor the valve ran.", 1],
    ["It failed to start for lack of oil, unable to turn, in the absence of power.", 4],
    ["Nothing noteworthy, another notion, know-how.", 1],
  ];
  for (const [text, count] of counts) test(`${count} in "${text}"`, () => expect(negations(text)).toBe(count));

  test("parity", () => {
    expect(sameNegation("It ran.", "It did not run.")).toBe(false);
    expect(sameNegation("It did not run.", "It never ran.")).toBe(true);
  });
});

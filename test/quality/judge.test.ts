/** How answers to questions on manuals are judged and counted. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { curveOf, figuresOf, reliabilities, reliabilityOf } from "../eval/manuals/figures.ts";
import { type Judged, judge, type Reply } from "../eval/manuals/judge.ts";
import { selected } from "../eval/manuals/pages.ts";
import { places, plain, type SetQuestion } from "../eval/manuals/sets.ts";
import { temporaryDirectory } from "../support/scratch.ts";

const TERM: SetQuestion = { id: "t", q: "-x", gold: [["leave out files"]], page: "a.html", needs: "term" };
const BOTH: SetQuestion = { id: "b", q: "a vs b", gold: [["is red"], ["is blue", "is azure"]], page: "a.html b.pdf#3", needs: "two places" };
const ABSENT: SetQuestion = { id: "n", q: "-y", absent: true };

/** An answer of these quotes, a claim each. */
function replied(quotes: readonly string[], more: Partial<Reply> = {}): Reply {
  const first = quotes[0] === undefined ? null : { quote: quotes[0], marked: quotes[0], path: [] };
  return {
    status: quotes.length > 0 ? "answered" : "abstained",
    answered: quotes.length > 0,
    faithfulness: quotes.length > 0 ? 0.95 : null,
    sureness: 0.5,
    claims: quotes.map((quote) => ({ score: 0.95, answers: null, quotes: [quote] })),
    first,
    hits: [],
    searchMs: 1,
    answerMs: 2,
    warnings: [],
    ...more,
  };
}

test("texts are compared without case, typography and line ends", () => {
  expect(plain(" The\n“Name”\tof a–b … it’s `x`\u00ad\u200b ")).toBe(`the "name" of a-b ... it's 'x'`);
  expect(places([["A – b"], ["none"]], "so a -\n B")).toEqual([true, false]);
});

test("a quote counts when it holds an alternative and can be read", () => {
  const long = `${"word ".repeat(80)}leave out files`;
  expect(judge(TERM, replied(["Leave  out\nfiles whose names match"]))).toMatchObject({
    cited: 1,
    firstRight: true,
    markRight: true,
    claimsRight: [true],
  });
  expect(judge(TERM, replied(["Stay here", "leave out files"]))).toMatchObject({ cited: 1, firstRight: false, claimsRight: [false, true] });
  expect(judge(TERM, replied([long]))).toMatchObject({ cited: 0, firstRight: false, claimsRight: [false] });
  const marked = { quote: "-x leave out files", marked: "-x", path: [] };
  expect(judge(TERM, replied([marked.quote], { first: marked }))).toMatchObject({ firstRight: true, markRight: false });
});

test("of two places, quotes and hits count the share, and the first quote either", () => {
  const hit = (text: string, file: string, page: number | null = null) => ({ text, file, page });
  expect(judge(BOTH, replied(["b is azure"]))).toMatchObject({ cited: 0.5, firstRight: true });
  expect(judge(BOTH, replied(["a is red", "b is blue"]))).toMatchObject({ cited: 1 });
  expect(judge(BOTH, replied([], { hits: [hit("no", "b.pdf", 2), hit("a is red", "c.html")] }))).toMatchObject({
    top1: 0,
    top5: 0.5,
    pageTop5: false,
  });
  expect(judge(BOTH, replied([], { hits: [hit("", "guide/b.pdf", 3)] }))).toMatchObject({ pageTop5: true });
});

test("figures tell answers, abstentions and what is said of absent things apart", () => {
  const rows: Judged[] = [
    judge(TERM, replied(["leave out files"], { sureness: 0.9 })),
    judge(TERM, replied(["stay"], { sureness: 0.6, faithfulness: 0.5 })),
    judge(TERM, replied([], { answerMs: 40 })),
    judge(ABSENT, replied(["anything"], { sureness: 0.2 })),
    judge(ABSENT, replied([])),
  ];
  const figures = figuresOf(rows);
  expect(figures).toMatchObject({ questions: 3, absent: 2, answeredThoughAbsent: 0.5, answerMs: 2 });
  expect(figures).toMatchObject({ sure: { answers: 2, right: 1, absent: 1, precision: 0.5 }, surestThird: { questions: 2, right: 1 } });
  expect([figures.first, figures.precision, figures.abstainedThoughThere].map((one) => one.toFixed(2))).toEqual(["0.33", "0.33", "0.33"]);
  const at = (threshold: number) => curveOf(rows).find((point) => point.threshold === threshold);
  expect(at(0)).toMatchObject({ absentAnswered: 0.5 });
  expect(at(0.5)).toMatchObject({ absentAnswered: 0, precision: 0.5 });
  expect(at(0.9)).toMatchObject({ precision: 1 });
});

test("reliability sets what is stated against what came of it", () => {
  const { bins, calibrationError, brier } = reliabilityOf([
    { stated: 1, right: true },
    { stated: 0.96, right: false },
    { stated: 0.04, right: false },
  ]);
  expect(bins.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  expect(bins[9]).toMatchObject({ stated: 0.98, right: 0.5 });
  expect(calibrationError).toBeCloseTo((0.04 + 2 * 0.48) / 3);
  expect(brier).toBeCloseTo((0.96 ** 2 + 0.04 ** 2) / 3);
  expect(reliabilities([judge(TERM, replied(["leave out files"]))])).toMatchObject({
    answers: null,
    score: { count: 1 },
    faithfulness: { count: 1 },
  });
});

test("the pages of a set are what its patterns name and leave out", () => {
  const root = temporaryDirectory();
  for (const path of ["doc/a.html", "doc/index.html", "doc/deep/b.html", "doc/deep/index.html", "doc/c.txt", "other/d.html"]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  expect(selected(root, ["doc/*.html", "!*/index.html"])).toEqual(["doc/a.html"]);
  expect(selected(root, ["doc/**/*.html", "!*/index.html"])).toEqual(["doc/a.html", "doc/deep/b.html"]);
  expect(selected(root, ["doc/**/*.html", "!*deep*"])).toEqual(["doc/a.html", "doc/index.html"]);
});

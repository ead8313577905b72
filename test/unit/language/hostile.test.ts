import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { QUESTION_PARTS_MAX, SENTENCE_MAX_CHARS } from "../../../src/base/limits.ts";
import type { Span } from "../../../src/base/span.ts";
import { compareQuantities } from "../../../src/language/en/compare.ts";
import { negations, sameNegation } from "../../../src/language/en/negation.ts";
import { quantities } from "../../../src/language/en/quantities.ts";
import { expectedAnswer, queryForm, questionParts } from "../../../src/language/en/questions.ts";
import { isHeading, sentences } from "../../../src/text/sentences.ts";
import { contentWords, coverage, words } from "../../../src/language/en/words.ts";
import { SEED } from "../../property/seed.ts";

setDefaultTimeout(60_000);

const RUNS = 300;
/** CPU time of one function on 200 KB: at worst 0.3 s where it was measured, and minutes where time grows with the square. */
const LONGEST_CPU_MS = 10_000;
const LENGTH = 200_000;

const EVERY: Record<string, (text: string) => unknown> = {
  sentences,
  isHeading,
  words,
  contentWords,
  coverage: (text) => coverage(text, text),
  quantities,
  compareQuantities: (text) => compareQuantities(text, text),
  compareToOthers: (text) => compareQuantities("7 pumps, 8 kW and 9 March", text),
  negations,
  sameNegation: (text) => sameNegation(text, text),
  queryForm,
  questionParts,
  expectedAnswer,
};

const PIECES = ["a", "A", ". ", "(((", "1", "\n", "\u2028", "a.\n", "1,111,", "1.", "a-", "a1-", "1-", "1/", "1:", "$", "-", "one ", "hundred "];
const MORE_PIECES = [
  "🙂",
  "Dr. A",
  "e\u0301",
  '."',
  "a b, ",
  " and was ",
  "12.12.12.",
  "no ",
  "not\t",
  "what and what is ",
  "May ",
  "3 km ",
  "? ",
  "中。",
  "n't",
];

function splitsPair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1));
}

function expectOrdered(text: string, spans: readonly Span[]): void {
  let last = 0;
  for (const { start, end } of spans) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    expect(splitsPair(text, start) || splitsPair(text, end)).toBe(false);
    last = end;
  }
  expect(last).toBeLessThanOrEqual(text.length);
}

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...PIECES,
        ...MORE_PIECES,
        " ",
        "Turbine 7 ",
        "stopped ",
        "which ",
        "14 March 2019 ",
        "−3 °C ",
        "; it was ",
        "U.S. ",
        "\r\n\r\n",
        "- x\n",
      ),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("🙂", "x", "word ", "\ud800").map((unit) => unit.repeat(1_500)),
    ),
    { maxLength: 24 },
  )
  .map((list) => list.join(""));
const check = (property: fc.IProperty<[string]>) => fc.assert(property, { seed: SEED, numRuns: RUNS });

describe("any text", () => {
  for (const [name, run] of Object.entries(EVERY)) {
    test(`${name} takes time in proportion to its text`, () => {
      for (const piece of [...PIECES, ...MORE_PIECES]) {
        const text = piece.repeat(Math.ceil(LENGTH / piece.length));
        const before = process.cpuUsage();
        run(text);
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1_000, `${name} on ${JSON.stringify(piece)}`).toBeLessThan(LONGEST_CPU_MS);
      }
    });

    test(`${name} never throws and gives the same again`, () => {
      check(fc.property(texts, (text) => expect(run(text)).toEqual(run(text))));
    });
  }

  test("sentences cover everything but white space, in order, trimmed and within the limit", () => {
    check(
      fc.property(texts, (text) => {
        const found = sentences(text);
        expectOrdered(text, found);
        for (const { start, end } of found) {
          expect(text.slice(start, end).trim().length).toBe(end - start);
          expect(end - start).toBeLessThanOrEqual(SENTENCE_MAX_CHARS);
        }
        expect(found.map(({ start, end }) => text.slice(start, end).replace(/\s/g, "")).join("")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });

  test("quantities are ordered, apart and finite", () => {
    check(
      fc.property(texts, (text) => {
        const found = quantities(text);
        expectOrdered(text, found);
        expect(found.every(({ value, stated }) => Number.isFinite(value) && Number.isFinite(stated))).toBe(true);
      }),
    );
  });

  test("a text bears out itself", () => {
    check(
      fc.property(texts, (text) => {
        expect(coverage(text, text)).toBe(1);
        expect(sameNegation(text, text)).toBe(true);
        const { missing, conflicting } = compareQuantities(text, text);
        expect(conflicting).toEqual([]);
        if (quantities(text).length <= 200) expect(missing).toEqual([]);
      }),
    );
  });

  test("parts are few and never empty", () => {
    check(
      fc.property(texts, (text) => {
        const parts = questionParts(text);
        expect(parts.length).toBeLessThanOrEqual(QUESTION_PARTS_MAX);
        expect(parts.every((part) => part.trim() !== "")).toBe(true);
        expect(parts.length > 0).toBe(text.trim() !== "");
      }),
    );
  });
});

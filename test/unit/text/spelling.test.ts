import { expect, test } from "bun:test";
import fc from "fast-check";
import { editsBetween } from "../../../src/text/edits.ts";
import { editsToForm, formsOf, type PlainWord, plainWords } from "../../../src/text/plain-words.ts";
import { stem } from "../../../src/text/stem.ts";

test("edits: a character more, less or other, and two neighbours changed about", () => {
  const cases: [string, string, number][] = [
    ["turbine", "turbine", 0],
    ["trubine", "turbine", 1],
    ["turbne", "turbine", 1],
    ["turbiine", "turbine", 1],
    ["turpine", "turbine", 1],
    ["trubnie", "turbine", 2],
    ["", "ab", 2],
    ["größe", "grösse", 2],
    ["a🚀c", "ac", 1],
  ];
  for (const [a, b, edits] of cases) expect({ a, b, edits: editsBetween(a, b, 2) }).toEqual({ a, b, edits });
  expect(editsBetween("harbour", "quay", 2)).toBe(3);
});

test("edits: the same both ways, at most as many as were made, and none only for the same word", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
      const edits = editsBetween(a, b, most);
      expect(editsBetween(b, a, most)).toBe(edits);
      expect(edits === 0).toBe(a === b);
      expect(edits).toBeLessThanOrEqual(most + 1);
      if (most < 3) expect(Math.min(editsBetween(a, b, 3), most + 1)).toBe(edits);
    }),
  );
  fc.assert(fc.property(word, fc.nat(7), (a, at) => editsBetween(a, a.slice(0, at) + a.slice(at + 1), 1) <= 1));
});

test("the words that may be misspelt, and by how much", () => {
  const of = (query: string) => plainWords(query, "en").map(({ word, maxEdits }) => `${word} ${maxEdits}`);
  expect(of("Where is the trubine?")).toEqual(["Where 1", "trubine 1"]);
  expect(of("maintenence, (gearbox)")).toEqual(["maintenence 2", "gearbox 1"]);
  expect(of("tide quay")).toEqual([]);
  // Digits, symbols, inner capitals, quotes, and scripts without spaces.
  expect(of("abcde1 --verbose core.pager foo_barbaz ORACLE maxCount LaTeX @someone #topics user's half-hour 12345 東京大学東京")).toEqual([]);
  expect(of('say "trubine blades" or “gearbxo” loudly')).toEqual(["loudly 1"]);
  expect(of('an open "quote trubine')).toEqual(["trubine 1"]);
  expect(of("harbour harbours Harbour")).toEqual(["harbour 1"]);
});

test("offsets are those of the query", () => {
  const query = 'the "old" trubine, broken';
  for (const { word, start, end } of plainWords(query, "en")) expect(query.slice(start, end)).toBe(word);
});

test("the forms of a text that a term stands for", () => {
  expect([...formsOf(stem("turbine"), "Two Turbines stand; a turbine", "en")]).toEqual(["turbines", "turbine"]);
  expect([...formsOf("nothing", "Two Turbines stand", "en")]).toEqual([]);
});

test("a form may end otherwise, and begins with the same letter", () => {
  const edits = (typed: string, form: string) => editsToForm(plainWords(typed, "en")[0] as PlainWord, form, "en");
  expect([edits("trubine", "turbine"), edits("trubine", "turbines"), edits("Trubines", "turbine")]).toEqual([1, 1.5, 1.5]);
  for (const [typed, form] of [
    ["testis", "test"],
    ["wheezing", "wheels"],
    ["deactivate", "reactivate"],
    ["unassembled", "assembled"],
    ["speck", "species"],
  ] as const)
    expect({ typed, form, edits: edits(typed, form) }).toEqual({ typed, form, edits: Number.POSITIVE_INFINITY });
});

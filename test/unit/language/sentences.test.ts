import { describe, expect, test } from "bun:test";
import { SENTENCE_MAX_CHARS } from "../../../src/base/limits.ts";
import { isHeading, sentences } from "../../../src/text/sentences.ts";

const split = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end));

/** Every entry is the sentences of one text, which are joined by a space. */
const ON_ONE_LINE: string[][] = [
  ["Dr. Smith met Prof. Jones and Mrs. Ada St. John.", "They left."],
  ["He (1.4 +/- 0.24) left at 3 a.m. yesterday.", "It was 3 p.m.", "Turbine 7 stopped."],
  ["See p. 12, Fig. 3 and No. 7 of Vol. 2.", "It is clear."],
  ["J. R. R. Tolkien wrote it.", "So did C. S. Lewis."],
  ["It needs oil, e.g. grease, i.e. GC-220, approx. 5 kg.", "Then it runs."],
  ["Smith et al. (2001) found it, cf. Jones et al. 2004.", "The end."],
  ["Acme Inc. sold it to Farrow Ltd. in March.", "The U.S. Army left the U.S.", "The end."],
  ["Version v1.2.3 is 3.5 times faster.", "It is."],
  ["He waited... and then he left.", "Wait… and see."],
  ['"Stop!" he said.', "(See below.)", "Then it stopped (it was late.) and rested."],
  ["Level 3 m.", "28 men came.", "23 March, Shed 4.", "24 to 26 March, laboratory."],
  ["On 3 Jan. 2020 it began; it ended on Sept. 5.", "Nobody saw it."],
  ["Vitamin C.", "The end."],
  ["Was anyone in danger?", "No.", "Good!"],
  ["See https://x.org/a?b=c.d for it.", "Done."],
];

describe("sentences", () => {
  for (const expected of ON_ONE_LINE) {
    test(expected.join(" "), () => expect(split(expected.join(" "))).toEqual(expected));
  }

  test("lines, lists, logs and headings stand apart", () => {
    expect(split("SUMMARY\nThe turbine stopped\n\n1. First item\n2. Second item\n- third\n\n\nEnd")).toEqual([
      "SUMMARY",
      "The turbine stopped",
      "1. First item",
      "2. Second item",
      "- third",
      "End",
    ]);
    expect(split("2026-03-19 02:47:12 TRIP T7 stopped\n2026-03-19 02:47:40 INFO brake\r\nfuel 212 l.\nlost: one boot")).toEqual([
      "2026-03-19 02:47:12 TRIP T7 stopped",
      "2026-03-19 02:47:40 INFO brake",
      "fuel 212 l.",
      "lost: one boot",
    ]);
  });

  test("wrapped prose is one sentence", () => {
    const first = "The seventh turbine of the Comb broke down early on Thursday after its\nbearing ran hot, at about 90 degrees.";
    const second = "The workboat put out at half past\nthree, and the crew of the launch waited at the pier with\nTomas.";
    expect(split(`${first} ${second}`)).toEqual([first, second]);
  });

  test("Chinese and Japanese stops end a sentence", () => expect(split("机器停了。为什么？好！")).toEqual(["机器停了。", "为什么？", "好！"]));

  test("a long sentence is cut after a clause, else after a word, never inside a pair", () => {
    const clauses = split("word word word, ".repeat(200));
    expect(clauses.length).toBeGreaterThan(3);
    expect(clauses.slice(0, -1).every((part) => part.endsWith(","))).toBe(true);
    expect(split("word ".repeat(500)).every((part) => /^word.*word$/.test(part))).toBe(true);
    expect(split(`a${"🙂".repeat(2_000)}`).map((part) => part.isWellFormed())).not.toContain(false);
    expect(split("x".repeat(SENTENCE_MAX_CHARS))).toHaveLength(1);
  });

  test("nothing has no sentences", () => expect([split(""), split(" \n\t ")]).toEqual([[], []]));
});

describe("headings", () => {
  for (const line of ["SUMMARY", "The Harbour of Osselby", "Maintenance plan", "WORK ORDER WO-4471 FOR THE MAIN BEARING OF T7"]) {
    test(`"${line}" is one`, () => expect(isHeading(line)).toBe(true));
  }
  for (const line of ["It stopped.", "", "42", "this is a long line of text without any full stop at all", "Two\nlines", "Why?"]) {
    test(`${JSON.stringify(line)} is none`, () => expect(isHeading(line)).toBe(false));
  }
});

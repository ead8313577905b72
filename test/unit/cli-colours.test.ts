/** Where colours are, and what they change: nothing but the look. */
import { describe, expect, test } from "bun:test";
import { answerText } from "../../src/cli/answer.ts";
import { reportsText } from "../../src/cli/audit.ts";
import { type Colours, coloursOf, PLAIN, withoutColourFlag } from "../../src/cli/colours.ts";
import type { AnswerBody, SearchBody } from "../../src/cli/query.ts";
import { resultText } from "../../src/cli/search.ts";
import type { VerificationReport } from "../../src/domain/audit.ts";
import { runStrata } from "../support/strata.ts";

const TERMINAL = { isTerminal: true };
const PIPE = { isTerminal: false };
const COLOURED = coloursOf(TERMINAL, {});
const ESC = "\x1b[";

test("colours are on a terminal alone, unless the environment says otherwise", () => {
  const on = (output: { isTerminal: boolean }, env: Record<string, string>) => coloursOf(output, env) !== PLAIN;
  expect([on(TERMINAL, {}), on(PIPE, {})]).toEqual([true, false]);
  expect([on(TERMINAL, { NO_COLOR: "1" }), on(TERMINAL, { NO_COLOR: "" }), on(TERMINAL, { TERM: "dumb" })]).toEqual([false, true, false]);
  expect([on(PIPE, { FORCE_COLOR: "1" }), on(PIPE, { FORCE_COLOR: "" }), on(TERMINAL, { FORCE_COLOR: "0" })]).toEqual([true, false, false]);
  expect(on(TERMINAL, { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(false);
});

test("--no-color stands anywhere before --, and for NO_COLOR", () => {
  expect(withoutColourFlag(["search", "--no-color", "x"], { A: "b" })).toEqual({ argv: ["search", "x"], env: { A: "b", NO_COLOR: "1" } });
  expect(withoutColourFlag(["search", "--", "--no-color"], {})).toEqual({ argv: ["search", "--", "--no-color"], env: {} });
});

test("help and errors are coloured on a terminal, and with --no-color are what a pipe gets", async () => {
  for (const argv of [["--help"], ["search", "--help"], ["help", "token"], ["serch"]]) {
    const [coloured, piped] = [await runStrata(argv, { terminal: true }), await runStrata(argv)];
    expect(coloured.out + coloured.err).toContain(ESC);
    expect(piped.out + piped.err).not.toContain(ESC);
    expect(Bun.stripANSI(coloured.out + coloured.err)).toBe(piped.out + piped.err);
    expect(await runStrata([...argv, "--no-color"], { terminal: true })).toEqual(piped);
  }
});

describe("colours change nothing but the look of", () => {
  const quote = "the ring ran dry and broke, and turbine 7 stopped at 02:47";
  const citation = { marker: 1, unit_id: "u", doc_id: "d", modality: "text", plane: "text", scope: "a", source_uri: null, locator: null, quote };
  const answer = {
    text: "It ran dry. [1] It did not. [1]",
    status: "answered",
    nli_faithfulness: 0.5,
    claims: [
      { verdict: "entailed", score: 0.9, citations: [1] },
      { verdict: "contradicted", score: 0.1, citations: [1] },
    ],
    citations: [{ ...citation, quote_start: 10, quote_end: 68, mark_start: 14, mark_end: 51 }],
    iterations: 1,
    model: "extractive",
  };
  const hit = { rank: 1, score: 0.03, modality: "asr", plane: "audio", scope: "a/b", text: "it stopped at night", snippet: "stopped at night" };
  const scores = { fused: 0.03, rerank: null, legs: [{ leg: "vector", rank: 1, raw: null }] };
  const explain = { fusion: [{ leg: "vector", contribution: 0.01 }], terms: ["stopped"] };
  const trace = { total_ms: 1, stages: [], fusion: { method: "rrf", k: 60 }, warnings: [] };
  const hits = [{ ...hit, highlights: [{ start: 3, end: 10 }], scores, explain }];
  const reports = [
    { namespace: "main", intact: true, checked: 3, head_hash: "a".repeat(64) },
    { namespace: "other", intact: false, checked: 2, head_hash: "b".repeat(64), break_at: 2, reason: "row hash" },
  ];
  const SHOWN: [name: string, text: (colours: Colours) => string, words: string[]][] = [
    [
      "an answer",
      (colours) => answerText({ answer, hits: [], hidden_by_acl: 0 } as unknown as AnswerBody, { columns: 40, colours }),
      ["[1]", "entailed 0.90", "contradicted 0.10", "d"],
    ],
    ["hits", (colours) => resultText({ hits, hidden_by_acl: 0, trace } as unknown as SearchBody, { colours }), ["stopped", "asr/audio"]],
    ["audit chains", (colours) => reportsText(reports as unknown as VerificationReport[], colours), ["intact", "BROKEN"]],
  ];
  test.each(SHOWN)("%s", (_name, text, words) => {
    const coloured = text(COLOURED);
    expect(Bun.stripANSI(coloured)).toBe(text(PLAIN));
    for (const word of words) expect(coloured).toMatch(new RegExp(`\\x1b\\[\\d+m${word.replace(/[[\]]/g, "\\$&")}\\x1b\\[`));
  });

  test("a quote, whose words that answer stay marked over the end of a line", () => {
    const text = answerText({ answer, hits: [], hidden_by_acl: 0 } as unknown as AnswerBody, { columns: 40, colours: COLOURED });
    const [, first = "", second = ""] = /\n {4}(“[^\n]*)\n {4}([^\n]*)/.exec(text) ?? [];
    expect([first, second].map((line) => line.split(ESC).length - 1)).toEqual([2, 2]);
    expect(first).toBe(`“the ${ESC}1mring ran dry and broke, and${ESC}22m`);
    expect(second).toBe(`${ESC}1mturbine 7${ESC}22m stopped at 02:47”`);
  });
});

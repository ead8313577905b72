import { expect, test } from "bun:test";
import { HIGHLIGHTS_MAX, TERM_MAX_BYTES } from "../../../src/base/limits.ts";
import { demoData } from "../../../src/core/demo/demo.ts";
import { literals } from "../../../src/text/literals.ts";
import { stem } from "../../../src/text/stem.ts";
import { highlights, queryTerms, textTerms } from "../../../src/text/terms.ts";

test("a text becomes folded, stemmed terms", () => {
  expect(textTerms("The Runners' café 東京")).toEqual(["the", "runner", "cafe", "東", "京"]);
  expect(textTerms("ŒUVRE Ⅻ ①⑫ ΣΟΦΟΣ İzmir ﬁne")).toEqual(["oeuvr", "ⅻ", "112", "σοφοσ", "i\u0307zmir", "fine"]);
});

test.each([
  ["maxRetryCount", ["maxretrycount", "max", "retri", "count"]],
  ["set max_retry_count and core.pager", ["set", "max", "retri", "count", "and", "core", "pager", "max_retry_count", "core.pager"]],
  ["DocumentRoot, isEnabled, utf8Decode", ["documentroot", "isen", "utf8decod", "document", "root", "is", "enabl", "utf8", "decod"]],
  ["parseHTTPHeader Foo.barBaz", ["parsehttphead", "foo", "barbaz", "pars", "http", "header", "bar", "baz", "foo.barbaz"]],
  ["mRNA siRNA HbA1c LaTeX GitHubs McKay iPhone USA", ["mrna", "sirna", "hba1c", "latex", "github", "mckay", "iphon", "usa", "git", "hub"]],
])("the words in the names of %p", (text, terms) => {
  expect(textTerms(text)).toEqual(terms);
});

test("a name of several words is found by them, and by itself first", () => {
  expect(queryTerms("maxRetryCount")).toEqual({
    scored: ["maxretrycount", "max", "retri", "count"],
    alternatives: [["maxretrycount"], ["max", "retri", "count"]],
    phrases: [],
  });
  const marked = (query: string, text: string) => highlights(queryTerms(query), text).map(({ start, end }) => text.slice(start, end));
  expect(marked("retry count", "set maxRetryCount to 5")).toEqual(["Retry", "Count"]);
  expect(marked("maxRetryCount", "maxRetryCount is the max retry count")).toEqual(["maxRetryCount", "max", "retry", "count"]);
});

test("a word of more than TERM_MAX_BYTES is left out", () => {
  const word = "z".repeat(TERM_MAX_BYTES);
  expect(textTerms(`${word} ${word}z é${word.slice(2)} ы${word.slice(1)}`)).toEqual([word, `e${word.slice(2)}`]);
});

test.each([
  ["generations", "generat"],
  ["sensational", "sensat"],
  ["dying", "die"],
  ["hopping", "hop"],
  ["hoping", "hope"],
  ["cries", "cri"],
  ["ties", "tie"],
  ["news", "news"],
  ["innings", "inning"],
  ["saying", "say"],
  ["succeeded", "succeed"],
  ["controlling", "control"],
])("the stem of %s is %s", (word, expected) => {
  expect(stem(word)).toBe(expected);
});

test.each([
  ["use -x or -X, and --no-fonts; --color=auto", ["-x", "-X", "--no-fonts", "--color"]],
  ["%n, %ae and %aE, but 50% of x=1", ["%n", "%ae", "%aE"]],
  ["x := 1, a:=b (`~=`) && y -> z", [":=", ":=", "~=", "&&", "->"]],
  ["core.autoCRLF, ORA-00942 in /etc/rsyslog.conf: foo_bar", ["core.autocrlf", "ora-00942", "/etc/rsyslog.conf", "foo_bar"]],
  ["-o/--output, -L<start>,<end>, --[no-]rename-empty", ["-o", "--output", "-L", "--rename-empty", "--no-rename-empty"]],
  ["C++ and F#.", ["c++", "f#"]],
  ["`[[ x ]]` | y *", ["[[", "]]", "|", "*"]],
  ['A sentence (of "plain" words), isn\'t it? - Yes... No!', []],
  [`--${"z".repeat(TERM_MAX_BYTES)} -z`, ["-z"]],
])("the literals of %p", (text, terms) => {
  const found = [...literals(text)];
  expect(found.map(({ term }) => term)).toEqual(terms);
  for (const { start, end, term, strict } of found) if (strict) expect(text.slice(start, end)).toBe(term);
  expect(textTerms(text).slice(textTerms(text).length - terms.length)).toEqual(terms);
});

test("long runs of symbols take no longer than other text", () => {
  const runs = ["-", "a-", "/.", ":", "--[no-]", "( ", "[", '"'].map((piece) => piece.repeat(200_000 / piece.length));
  const began = performance.now();
  for (const run of [...runs, `a${")".repeat(200_000)}x`, `${"a".repeat(200_000)}=`]) textTerms(run);
  expect(performance.now() - began).toBeLessThan(5_000);
});

test("literals of a query are scored; a quoted one must be there, and a symbol alone finds nothing beside words", () => {
  expect(queryTerms("what does := do").scored).toEqual(["what", "doe", "do", ":="]);
  expect(queryTerms('"-x" y')).toEqual({ scored: ["x", "y", "-x"], alternatives: [["x"], ["y"], ["-x"]], phrases: [["x"], ["-x"]] });
  expect(queryTerms('"C#"').phrases).toEqual([["c"], ["c#"]]);
  expect(queryTerms('":="').phrases).toEqual([[":="]]);
  expect(queryTerms('"state-of-the-art"').phrases).toEqual([["state", "of", "the", "art"]]);
  expect(queryTerms("if -v").scored).toEqual(["v", "-v"]);
  expect(queryTerms("pipe | here")).toMatchObject({ scored: ["pipe", "here", "|"], alternatives: [["pipe"], ["here"]] });
  expect(queryTerms("|").alternatives).toEqual([["|"]]);
});

test("a query has scored terms, alternatives and phrases", () => {
  expect(queryTerms('the "quick fox" 東京 not')).toEqual({
    scored: ["quick", "fox", "東", "京"],
    alternatives: [["quick"], ["fox"], ["東", "京"]],
    phrases: [["quick", "fox"]],
  });
  expect(queryTerms("to be or not").scored).toEqual(["to", "be", "or", "not"]);
});

test.each([
  ["running cafe", "🚀 Run to the CAFÉ, café, cafe\u0301s & runs", ["Run", "CAFÉ", "café", "cafe\u0301s", "runs"]],
  ["東京", "👩‍👩‍👧‍👦東a京 x東京", ["東", "京", "東", "京"]],
  ["strasse", "Straße\u00a0STRASSE strasse", ["Straße", "STRASSE", "strasse"]],
  ["office", "the ﬃ oﬃces", ["oﬃces"]],
  ['"quick fox"', "a fox; quick", ["fox", "quick"]],
  ["مجال", "تعلم (مجال) واسع", ["مجال"]],
  ["istanbul", "𝒳 Istanbul\ud800istanbul", ["Istanbul", "istanbul"]],
  ["the fox", "the fox", ["fox"]],
  ["--no-fonts", "no --no-fonts, or fonts", ["--no-fonts", "fonts"]],
  ["what is -x", "-X, -x and x", ["X", "-x", "x"]],
  [":=", "a := b := c", [":=", ":="]],
  ["", "nothing", []],
])("%p in %p", (query, text, words) => {
  expect(highlights(queryTerms(query), text).map(({ start, end }) => text.slice(start, end))).toEqual(words);
});

test("each word of a text is highlighted for each of its terms, by itself and inside another", async () => {
  const { units } = await demoData();
  const texts = units.flatMap(({ text }) => text ?? []);
  const odd = "Dying skis, SKIES; Éclair naïve İstanbul 3rd x² getMaxRetries HTTPServer parseÜber ﬁsh Ⅻ o'clock";
  for (const text of [odd, ...texts]) {
    for (const term of new Set(textTerms(text)))
      expect([term, highlights({ scored: [term], alternatives: [], phrases: [] }, text).length]).not.toEqual([term, 0]);
  }
});

test("highlights are in order, HIGHLIGHTS_MAX at most", () => {
  const fox = queryTerms("fox");
  expect(highlights(fox, "fox")).toEqual([{ start: 0, end: 3 }]);
  expect(highlights(fox, "fox ".repeat(HIGHLIGHTS_MAX + 5)).map(({ start }) => start)).toEqual(
    Array.from({ length: HIGHLIGHTS_MAX }, (_, at) => at * 4),
  );
});

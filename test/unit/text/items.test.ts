/** Items: sentences, list items, rows and code of a Unit's text, where they stand. */
import { expect, test } from "bun:test";
import { QUOTE_MAX_WORDS } from "../../../src/base/limits.ts";
import { definitionStart, itemsOf, wordCount } from "../../../src/text/items.ts";

const TEXT = `-x, --foo
--no-foo
Does a thing. The default is 10.

The values are:
- one: first
  of all
- two

Print the status:

    tool status

    tool status --short

| type: integer | default: 10
| type: text | default: none`;

function shown(text: string, from = 0): [string, string, string | null][] {
  return itemsOf(text, from).map(({ kind, start, end, lead }) => [kind, text.slice(start, end), lead && text.slice(lead.start, lead.end)]);
}

test("sentences, list items, code and rows, with the sentence that leads to a list or code", () => {
  expect(shown(TEXT, definitionStart(TEXT, ["Tool", "Options", "-x, --foo / --no-foo"]))).toEqual([
    ["sentence", "Does a thing.", null],
    ["sentence", "The default is 10.", null],
    ["sentence", "The values are:", null],
    ["list", "one: first\n  of all", "The values are:"],
    ["list", "two", "The values are:"],
    ["sentence", "Print the status:", null],
    ["code", "tool status", "Print the status:"],
    ["code", "tool status --short", "Print the status:"],
    ["row", "type: integer | default: 10", null],
    ["row", "type: text | default: none", null],
  ]);
});

test("code between fences, with the sentence or list item that announces it", () => {
  const text =
    "1. Tag it.\n2. Run the canary:\n\n   ```sh\n   tool start --watch\n   ```\n\n3. Wait.\n\nTo roll back:\n\n```sh\ntool abort\n```\n\nNever do so twice.";
  expect(shown(text)).toEqual([
    ["list", "Tag it.", null],
    ["list", "Run the canary:", null],
    ["code", "tool start --watch", "Run the canary:"],
    ["list", "Wait.", null],
    ["sentence", "To roll back:", null],
    ["code", "tool abort", "To roll back:"],
    ["sentence", "Never do so twice.", null],
  ]);
  // A chunk may begin or end inside of code.
  expect(shown("tool abort\n```\n\nNever do so twice.").map(([kind]) => kind)).toEqual(["sentence", "sentence"]);
});

test("long code is an item a line, prose in wrapped lines is sentences", () => {
  const code = Array.from({ length: 12 }, (_, at) => `    command number ${at} with words`).join("\n");
  expect(shown(`Run:\n\n${code}`).length).toBe(13);
  expect(shown("One sentence that is long enough to be wrapped goes\non in the next line. Another one.").map(([, text]) => text)).toEqual([
    "One sentence that is long enough to be wrapped goes\non in the next line.",
    "Another one.",
  ]);
});

test("a long sentence is several items, cut behind a clause", () => {
  const clause = "the pump that stands on the quay lifts water into the basin behind the wall,";
  const text = `${Array.from({ length: 20 }, () => clause).join(" ")} and rests.`;
  const found = itemsOf(text);
  expect(found.length).toBeGreaterThan(3);
  for (const { start, end } of found) {
    expect(wordCount(text.slice(start, end))).toBeLessThanOrEqual(QUOTE_MAX_WORDS);
    expect(text.slice(start, end)).toMatch(/^(?:the|and).*[,.]$/);
  }
  const unbroken = `- ${"word ".repeat(150)}`;
  expect(itemsOf(unbroken).map(({ start, end }) => wordCount(unbroken.slice(start, end)))).toEqual([75, 75]);
  const spaceless = "東京".repeat(150);
  expect(itemsOf(spaceless).map(({ start, end }) => wordCount(spaceless.slice(start, end)))).toEqual([75, 75]);
});

test("a body that is indented as a whole is prose, what is deeper is code", () => {
  const manual =
    "Lifts what is heavy, however long the sentence\n       goes on. It says so first.\n\n           crane --dry-run\n\n       Then it lifts.";
  expect(shown(manual).map(([kind, text]) => [kind, text])).toEqual([
    ["sentence", "Lifts what is heavy, however long the sentence\n       goes on."],
    ["sentence", "It says so first."],
    ["code", "crane --dry-run"],
    ["sentence", "Then it lifts."],
  ]);
  const option = "-n, --dry-run\n              Do not lift anything. Say it.";
  const from = definitionStart(option, ["-n, --dry-run"]);
  expect(itemsOf(option, from).map(({ kind, start, end }) => [kind, option.slice(start, end)])).toEqual([
    ["sentence", "Do not lift anything."],
    ["sentence", "Say it."],
  ]);
  expect(shown("Type this:\n    git add .\n    git push").at(-1)?.[0]).toBe("code");
});

test("the lines of the term are passed over only when something follows them, and the path ends in the term", () => {
  expect(definitionStart("-x\nDoes.", ["T", "-x"])).toBe(3);
  expect(definitionStart("-x", ["T", "-x"])).toBe(0);
  expect(definitionStart("-y\nDoes.", ["T", "-x"])).toBe(0);
  expect(definitionStart("Does.", [])).toBe(0);
});

test("items of any text are trimmed, not empty, in order, and inside it", () => {
  for (const text of ["", "\n\n", "- ", "| ", "    ", "a\n- \n\n    x\n- y\n", "\t\tx\r\n\r\n- z\r\n", "1. one\n2) two\n(3) three"]) {
    let at = 0;
    for (const { start, end } of itemsOf(text)) {
      expect({ text, start, end, trimmed: text.slice(start, end).trim() === text.slice(start, end) }).toEqual({ text, start, end, trimmed: true });
      expect(end > start && start >= at && end <= text.length).toBe(true);
      at = end;
    }
  }
});

import { expect, test } from "bun:test";
import { DOCUMENT_PART_UNITS } from "../../../src/base/limits.ts";
import { extractProse } from "../../../src/media/document/prose.ts";
import { previewOf } from "../../../src/media/sandbox/worker.ts";
import { textPieces } from "../../../src/media/text-encoding.ts";
import { file, partsOf, spanned, unitsOf } from "./files.ts";

const TEXT = { kind: "document", mime: "text/plain" } as const;
const MARKDOWN = { kind: "document", mime: "text/markdown" } as const;
const long = "The crane lifted the rotor over the pier. ".repeat(12);

test("chunks of a text point into the text as it is decoded", async () => {
  const source = file(new Uint8Array(Buffer.from(`\ufeffFirst.\r\n\r\nSecond 🎈.\r\n\r\n${long}\r\n\r\n${long}`, "utf16le")), "a.txt", TEXT);
  const units = await unitsOf(extractProse(source, 0));
  expect(units).toHaveLength(1);
  for (const unit of units) {
    expect([unit.modality, unit.metadata, unit.features]).toEqual(["chunk", {}, null]);
    expect(spanned([...textPieces(source.path)].join(""), unit)).toBe(unit.text);
  }
});

test("Markdown: the title and the heading above, front matter left out, code left alone", async () => {
  const source = [
    "---",
    'title: "The Pier"',
    "tags: [secret]",
    "---",
    "# Introduction",
    "",
    long,
    "",
    "## The `crane` and [its rotor](https://example.org) ##",
    "",
    "```sh",
    "# no heading",
    "```",
    "",
    long,
    "",
    "Underlined",
    "==========",
    "",
    long,
  ].join("\n");
  const units = await unitsOf(extractProse(file(source, "a.md", MARKDOWN), 0));
  expect(units.map(({ path }) => path)).toEqual([
    ["The Pier", "Introduction"],
    ["The Pier", "Introduction", "The crane and its rotor"],
    ["The Pier", "Underlined"],
  ]);
  expect(units.map(({ text }) => text).join()).not.toContain("secret");
  for (const unit of units) expect(spanned(source, unit)).toBe(unit.text);
});

test("headings with nothing below them make one chunk, a slice of the file; none across a gap", async () => {
  expect(await unitsIn(`# All\n\n## One\n## Two ##\n\n## Three\n${"\n".repeat(300)}## Four\n`, MARKDOWN)).toEqual([
    ["All", "One\n## Two ##\n\n## Three"],
    ["All", "Four"],
  ]);
});

/** The path of each Unit of a text, joined by " > ", and its text, which is a slice of the file unless it is a row. */
async function unitsIn(source: string, format: typeof TEXT | typeof MARKDOWN): Promise<[string, string | null][]> {
  const units = await unitsOf(extractProse(file(source, "a", format), 0));
  for (const unit of units) if (unit.locator?.kind === "char_span") expect(spanned(source, unit)).toBe(unit.text);
  return units.map(({ path, text }) => [path.join(" > "), text]);
}

test("Markdown: lists, code, quotes, terms, bold lines, under their headings; rows with their headers and lines", async () => {
  const source = [
    "# Cranes",
    "Do this:",
    "- look",
    "  twice",
    "",
    "  ```sh",
    "  # now",
    "  ```",
    "- go",
    "",
    "**Loads**",
    "",
    "| Crane | Load |",
    "|:--|--:|",
    "| North | 5 t |",
    "| South \\| West | |",
    "",
    "North",
    ": the one at the quay",
    "",
    "    with more",
    "",
    "South",
    ": the other",
    "",
    "---",
    "",
    "After the rule.",
    "",
    "## Empty",
  ].join("\n");
  expect(await unitsIn(source, MARKDOWN)).toEqual([
    ["Cranes", "Do this:\n- look\n  twice\n\n  ```sh\n  # now\n  ```\n- go"],
    ["Cranes > Loads", "| Crane: North | Load: 5 t\n| Crane: South | West"],
    ["Cranes > Loads > North", "North\n: the one at the quay\n\n    with more"],
    ["Cranes > Loads > South", "South\n: the other"],
    ["Cranes > Loads", "After the rule."],
    ["Cranes", "Empty"],
  ]);
  const rows = await unitsOf(extractProse(file(source, "a.md", MARKDOWN), 0));
  expect(rows[1]?.locator).toEqual({ kind: "line_range", start: 15, end: 16 });
});

test("plain text: underlined, numbered and short headings; terms by their indent; items, options and entries apart", async () => {
  const source = [
    "The Handbook",
    "============",
    "",
    "Introduction",
    "------------",
    "",
    "This is prose that goes on for",
    "more than one line.",
    "",
    "1. Scope",
    "",
    "What is in scope.",
    "",
    "1.1 Cranes",
    "",
    "Their settings:",
    "",
    "max_load (integer)",
    "    The greatest load. The default is ten.",
    "",
    "    Can be changed.",
    "",
    "min_load (integer)",
    "    The least load.",
    "",
    "Use the command:",
    "",
    "    crane --lift 5",
    "",
    "Sizes",
    "",
    "They are given in metres.",
  ].join("\r\n");
  const top = "The Handbook > Introduction";
  expect(await unitsIn(source, TEXT)).toEqual([
    [top, "This is prose that goes on for\r\nmore than one line."],
    [`${top} > 1. Scope`, "What is in scope."],
    [`${top} > 1. Scope > 1.1 Cranes`, "Their settings:"],
    [
      `${top} > 1. Scope > 1.1 Cranes > max_load (integer)`,
      "max_load (integer)\r\n    The greatest load. The default is ten.\r\n\r\n    Can be changed.",
    ],
    [`${top} > 1. Scope > 1.1 Cranes > min_load (integer)`, "min_load (integer)\r\n    The least load."],
    [`${top} > 1. Scope > 1.1 Cranes`, "Use the command:\r\n\r\n    crane --lift 5"],
    [`${top} > 1. Scope > 1.1 Cranes > Sizes`, "They are given in metres."],
  ]);
});

test("plain text: a manual page's sections and options", async () => {
  const source = [
    "CRANE(1)                 User Commands                 CRANE(1)",
    "",
    "NAME",
    "       crane - lift things",
    "",
    "OPTIONS",
    "       All of them.",
    "",
    "       -v, --verbose",
    "              Say more.",
    "",
    "              Much more.",
    "",
    "       -q",
    "              Say less.",
    "",
    "       -n     Do  nothing,  but",
    "              say it.",
    "",
    "       -o     Only once.",
    "",
    "       After  the  options,  there  is",
    "       more to say.",
  ].join("\n");
  expect(await unitsIn(source, TEXT)).toEqual([
    ["CRANE(1) > NAME", "crane - lift things"],
    ["CRANE(1) > OPTIONS", "All of them."],
    ["CRANE(1) > OPTIONS > -v, --verbose", "-v, --verbose\n              Say more.\n\n              Much more."],
    ["CRANE(1) > OPTIONS > -q", "-q\n              Say less."],
    ["CRANE(1) > OPTIONS > -n", "-n     Do  nothing,  but\n              say it."],
    ["CRANE(1) > OPTIONS > -o", "-o     Only once."],
    ["CRANE(1) > OPTIONS", "After  the  options,  there  is\n       more to say."],
  ]);
});

test("chats and letters are text without a path", async () => {
  const entries = Array.from({ length: 60 }, (_, at) => `2024-05-01 10:${String(at).padStart(2, "0")} Ann: the crane is free`);
  const chat = await unitsIn(entries.join("\n"), TEXT);
  expect(chat.length).toBeGreaterThan(2);
  expect(chat.flatMap(([path, text]) => [path, ...(text ?? "").split("\n")])).toEqual(chat.flatMap(([, text]) => ["", ...(text ?? "").split("\n")]));
  expect(chat.map(([, text]) => text).join("\n")).toBe(entries.join("\n"));
  expect(await unitsIn("Dear Ann,\n\nthank you for the letter.\n\nYours\nBob", TEXT)).toEqual([
    ["", "Dear Ann,\n\nthank you for the letter.\n\nYours\nBob"],
  ]);
});

test("hostile texts are cut in time that grows with their length, and slices stay true", async () => {
  const began = process.cpuUsage();
  for (const unit of [
    ". ",
    "x",
    "\n",
    "# x\n",
    "a\n",
    " a\n  b\n",
    "| a\n",
    "- a\n",
    "🎈",
    `.${" ".repeat(2_000)}`,
    "```\n",
    "|-|\n",
    ": a\n",
    "a\n---\n",
  ])
    for (const format of [TEXT, MARKDOWN]) await unitsIn(unit.repeat(300_000 / unit.length), format);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(20_000);
});

test("a long text comes in parts that are the same when work goes on, with all of it", async () => {
  const source = Array.from({ length: 3_000 }, (_, at) => `Paragraph ${at}. ${long}`).join("\n\n");
  const text = file(source, "a.txt", TEXT);
  const parts = await partsOf(extractProse(text, 0));
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, at) => at));
  expect(parts.slice(0, -1).every(({ units }) => units.length === DOCUMENT_PART_UNITS)).toBe(true);
  expect(parts.at(-1)?.progress).toBe(1);
  expect(await partsOf(extractProse(text, 7))).toEqual(parts.slice(7));
  const together = parts.flatMap(({ units }) => units.map((unit) => unit.text)).join("");
  expect(together.replace(/\s+/g, "")).toBe(source.replace(/\s+/g, ""));
});

test("a blank text has no Units and says why; no text has a preview", async () => {
  const blank = file("\r\n \t\n", "a.txt", TEXT);
  expect((await partsOf(extractProse(blank, 0)))[0]).toMatchObject({ units: [], notes: ["the document has no text"], progress: 1 });
  expect(await previewOf(blank, { locator: null, maxSide: 100 })).toBeNull();
});

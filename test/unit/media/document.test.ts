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
    ["The Pier", "The crane and its rotor"],
    ["The Pier", "Underlined"],
  ]);
  expect(units.map(({ text }) => text).join()).not.toContain("secret");
  for (const unit of units) expect(spanned(source, unit)).toBe(unit.text);
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

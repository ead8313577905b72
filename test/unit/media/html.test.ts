import { expect, test } from "bun:test";
import { MARKUP_MAX_DEPTH } from "../../../src/base/limits.ts";
import type { Block } from "../../../src/media/document/blocks.ts";
import { HtmlText } from "../../../src/media/document/html.ts";
import { extractProse } from "../../../src/media/document/prose.ts";
import { file, sniffedFile, refusal, spanned, unitsOf } from "./files.ts";

const HTML = { kind: "document", mime: "text/html" } as const;

function blocksOf(page: string, size = page.length): Block[] {
  const reader = new HtmlText();
  const blocks: Block[] = [];
  for (let at = 0; at < page.length; at += Math.max(1, size)) blocks.push(...reader.write(page.slice(at, at + size)));
  return [...blocks, ...reader.end()];
}

const shown = (page: string, size?: number) =>
  blocksOf(page, size)
    .map(({ before, text }) => before + text)
    .join("");

const PAGE = `<!doctype html><html><head><title> The &amp; Title </title><style>p{color:red}</style><script>alert("no")</script></head>
<body onload="run()"><!-- a comment --><h1>Head&shy;ing</h1><p>One <b>bold</b>
   line.<br>Second&nbsp;line &lt;tag&gt; &#x1F388; caf&eacute;</p>
<template><p>template</p></template><noscript>noscript</noscript><p hidden>hidden</p><div style="color:red; DISPLAY : none">styled</div>
<dialog>closed</dialog><dialog open>open</dialog><svg><text>drawn</text></svg><iframe>frame</iframe><object>object</object>
<ul><li>first<li>second</ul><table><tr><th>Name<th>Age</tr><tr><td>Ann<td>41</tr></table><pre>a
  b</pre><a href="https://example.org/x">link</a><img src="https://example.org/p.png" alt="alt"></body></html>`;

const TEXT = [
  "Head\u00ading",
  "\n\nOne bold line.",
  "\nSecond line <tag> 🎈 café",
  "\n\nopen",
  "\n\nfirst",
  "\nsecond",
  "\n\nName | Age",
  "\nAnn | 41",
  "\n\na\n  b",
  "\n\nlink",
].join("");

test("the visible text, in blocks", () => {
  expect(shown(PAGE)).toBe(TEXT);
  expect(blocksOf(PAGE).filter(({ heading }) => heading)).toEqual([{ text: "Head\u00ading", before: "", heading: true }]);
});

test("the same in whatever pieces it comes", () => {
  for (const size of [1, 2, 7, 100]) expect(shown(PAGE, size)).toBe(TEXT);
});

test("chunks with the title and the nearest heading", async () => {
  const long = "The crane lifted the rotor over the pier. ".repeat(12);
  const page = `<title>Pier</title><p>${long}<h2>Crane</h2><p>${long}<h2>Rotor</h2><p>${long}${long}${long}`;
  const units = await unitsOf(extractProse(file(page, "a.html", HTML), 0));
  expect(units.map(({ modality, metadata }) => [modality, metadata.title, metadata.heading])).toEqual([
    ["chunk", "Pier", undefined],
    ["chunk", "Pier", "Crane"],
    ["chunk", "Pier", "Rotor"],
    ["chunk", "Pier", "Rotor"],
  ]);
  const text = shown(page);
  for (const unit of units) expect(spanned(text, unit)).toBe(unit.text);
});

test("a run of text longer than a block loses nothing", () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(" ");
  for (const size of [words.length, 1_000, 16_384]) expect(shown(`<p>${words}`, size)).toBe(words);
});

test("deep, unclosed, crossed and broken markup", async () => {
  expect(shown(`${"<div>".repeat(MARKUP_MAX_DEPTH - 10)}deep`)).toBe("deep");
  expect(await refusal(() => shown("<div>".repeat(100_000)))).toContain("within each other");
  expect(shown("<b><p>a</b></i></p></p>b<")).toBe("a\n\nb<");
  expect(shown("a &unknown; &#0; &#xD800; &#99999999; &amp")).toMatch(/^a &unknown; \ufffd \ufffd \ufffd &(?:amp)?$/);
  expect(shown("<p>a<script>b")).toBe("a");
  expect(shown("<![CDATA[x]]><?php echo 1 ?><p>y")).toBe("y");
});

test("entities do not multiply", () => {
  expect(shown('<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><p>&b;')).not.toContain("haha");
});

test("a tag without an end is refused before it fills the memory", async () => {
  const reader = new HtmlText();
  const piece = "a".repeat(1_048_576);
  expect(
    await refusal(() => {
      reader.write('<p title="');
      for (let count = 0; count < 64; count += 1) reader.write(piece);
    }),
  ).toContain("does not end");
});

test("a page is read in the encoding that it names, unless it is UTF-8 all the same", async () => {
  const page = (name: string, word: readonly number[]) => {
    const marks = new TextEncoder().encode(`<!doctype html><meta http-equiv=Content-Type content="text/html; charset=${name}"><p>`);
    return Uint8Array.from([...marks, ...word]);
  };
  const said = async (bytes: Uint8Array) => (await unitsOf(extractProse(await sniffedFile(bytes, "a.html"), 0)))[0]?.text;
  expect(await said(page("windows-1251", [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))).toBe("Привет");
  expect(await said(page("shift_jis", [0x93, 0xfa, 0x96, 0x7b]))).toBe("日本");
  expect(await said(page("windows-1251", [...new TextEncoder().encode("Grüße")]))).toBe("Grüße");
  expect(await said(page("no-such-thing", [0xe9]))).toBe("é");
});

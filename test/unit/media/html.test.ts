import { expect, test } from "bun:test";
import { CHUNK_TARGET_WORDS, MARKUP_MAX_DEPTH, PATH_MAX_PARTS, TABLE_MAX_COLUMNS, TABLE_MAX_ROWS } from "../../../src/base/limits.ts";
import type { Block } from "../../../src/media/document/blocks.ts";
import { HtmlText } from "../../../src/media/document/html.ts";
import { extractProse } from "../../../src/media/document/prose.ts";
import { file, partsOf, refusal, sniffedFile, spanned, unitsOf } from "./files.ts";

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
  "\n\nOne bold line.\nSecond line <tag> 🎈 café",
  "\n\nopen",
  "\n- first",
  "\n- second",
  "\n\n| Name: Ann | Age: 41",
  "\n\n    a\n      b",
  "\n\nlink",
].join("");

test("the visible text, in blocks", () => {
  expect(shown(PAGE)).toBe(TEXT);
  expect(blocksOf(PAGE)[0]).toMatchObject({ kind: "heading", path: ["The & Title", "Head\u00ading"] });
});

test("the same in whatever pieces it comes", () => {
  for (const size of [1, 2, 7, 100]) expect(shown(PAGE, size)).toBe(TEXT);
});

/** The path of each chunk, joined by " > ", and its text. */
async function chunksOf(page: string): Promise<[string, string | null][]> {
  const units = await unitsOf(extractProse(file(page, "a.html", HTML), 0));
  const text = shown(page);
  for (const unit of units) expect(spanned(text, unit)).toBe(unit.text);
  return units.map(({ path, text }) => [path.join(" > "), text]);
}

const LONG = "The crane lifted the rotor over the pier. ".repeat(12).trim();

test("a chunk stands under one path: title, headings, terms", async () => {
  const page = `<title>Pier</title><p>Before.<h2>Crane</h2><p>${LONG}<h3>Hook</h3><p>It hooks.<h2>Rotor</h2>
    <dl><dt>-b<dt>--blank<dd>Blank blades. <p>More. <dl><dt>deep<dd>Deeper.</dl><dt>-r<dd>Run.</dl><p>After.`;
  expect(await chunksOf(page)).toEqual([
    ["Pier", "Before."],
    ["Pier > Crane", LONG],
    ["Pier > Crane > Hook", "It hooks."],
    ["Pier > Rotor > -b, --blank", "-b\n--blank\nBlank blades.\n\nMore."],
    ["Pier > Rotor > -b, --blank > deep", "deep\nDeeper."],
    ["Pier > Rotor > -r", "-r\nRun."],
    ["Pier > Rotor", "After."],
  ]);
});

test("a heading with nothing below it is a chunk; one with sections is none", async () => {
  expect(await chunksOf("<h1>All</h1><h2>One</h2><h3>Empty</h3><h2>Two</h2><p>Text.<h2>Last</h2>")).toEqual([
    ["All > One", "Empty"],
    ["All > Two", "Text."],
    ["All", "Last"],
  ]);
  expect(await chunksOf("<h1>All</h1><h2>One</h2><h2>Two</h2><h2>Three</h2><p>Text.<h2>Four</h2><h2>Five</h2>")).toEqual([
    ["All", "One\n\nTwo"],
    ["All > Three", "Text."],
    ["All", "Four\n\nFive"],
  ]);
});

test("the path begins with title or first heading alone where one holds the other, and loses only what separators part", async () => {
  const first = async (title: string, heading: string) => (await chunksOf(`<title>${title}</title>${heading}<p>x`))[0]?.[0];
  expect(await first("Cranes — Harbour 1.2 documentation", "<h1>Cranes</h1>")).toBe("Cranes");
  expect(await first("Harbour: Cranes", "<h1>Cranes<a class=headerlink href=#x>¶</a></h1>")).toBe("Cranes");
  expect(await first("crane(1)", "<h1>crane(1) Manual Page</h1>")).toBe("crane(1)");
  expect(await first("Cranes (Harbour)", "<h3>4.2 Cranes</h3>")).toBe("4.2 Cranes");
  expect(await first("Harbour", "<h1>Cranes</h1>")).toBe("Harbour > Cranes");
  expect(await first("Man page of CRANE", "<h1>CRANE</h1>")).toBe("Man page of CRANE");
  expect(await first("CRANE manual", "<h1>CRANE</h1>")).toBe("CRANE manual");
  expect(await first("Harbour Crane Loads", "<h1>Crane Loads</h1>")).toBe("Harbour Crane Loads");
  expect(await first("crane.load — Loads — Harbour 1.2", "<h1>Loads</h1>")).toBe("Loads");
  expect(await first("Top (Harbour (version 1))", "<h1>Harbour (version 1)</h1>")).toBe("Harbour (version 1)");
  expect(await first("Cranes", "<h1>Cran</h1>")).toBe("Cranes > Cran");
  expect(await first("Crane loads (Harbour)", "<h1>3.1 Loads</h1>")).toBe("Crane loads (Harbour) > 3.1 Loads");
});

test("navigation, tables of contents and footers are left out, unless there is nothing else", async () => {
  const link = "<ul><li><a href=/a>About us</a></ul>";
  const page = `<header role=banner><h1>Harbour</h1></header><nav>${link}</nav><div role=navigation>${link}</div><div class="x toc">${link}</div>
    <p><a rel=next href=b>Next page</a></p><ul><li><a href="#one">One</a></ul><dl><dt><a href="#one">One</a><dd></dl>
    <ul class=nav><li><a href=/>Home</a></ul><div class=nav-panel><a href=b>Loads</a></div><h1 id=one>One</h1><p>Text.<div id=footer>Foot</div><footer>Foot</footer>`;
  expect(await chunksOf(page)).toEqual([["One", "Text."]]);
  expect(await unitsOf(extractProse(file(`<nav>${link}</nav>`, "a.html", HTML), 0))).toMatchObject([{ text: "- About us" }]);
});

test("elements of XHTML that end themselves hold nothing", () => {
  const page = `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" ""><html><head><title>T</title><script src="a.js"/></head>
<body><nav><span class="icon"/><iframe src="sponsor"/></nav><h2><a id="one"/>One</h2><p>Said.</p><textarea/><p>Said on.</p></body></html>`;
  expect(shown(page)).toBe("One\n\nSaid.\n\nSaid on.");
});

test("an empty cell before others keeps its place where no header tells what the others are", () => {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const page = `<table>${row("MSN", "", "X", "Used")}${row("MIME", "X", "", "")}<tr><td colspan=2>All</td><td>none</td></tr></table><table>${row("", "two")}</table>`;
  expect(blocksOf(page).map(({ text }) => text)).toEqual(["| MSN | | X | Used", "| MIME | X", "| All | none", "two"]);
});

test("headers over cells that hold definitions stand before these", () => {
  const row = (name: string) => `<tr><td><dl><dt>${name}<dd>what it is</dl></td><td><p>One.</p></td></tr>`;
  const page = `<table><thead><tr><th>Name<th>Meaning</tr></thead>${row("a")}${row("b")}</table>`;
  expect(blocksOf(page).map(({ text }) => text)).toEqual(["| Name | Meaning", "a", "what it is", "One.", "b", "what it is", "One."]);
});

test("a note keeps its label", async () => {
  const notes = [
    `<div class="admonition warning"><p class="admonition-title">Warning</p><p>Keep it dry.</p></div>`,
    `<div class="admonitionblock warning"><table><tr><td class="icon"><div class="title">Warning</div></td><td>Keep it dry.</td></tr></table></div>`,
  ];
  for (const note of notes) {
    const blocks = blocksOf(`<title>T</title><p>Before.</p>${note}<p>After.</p>`);
    expect(blocks.map(({ text, joined }) => [text, joined])).toEqual([
      ["Before.", false],
      ["Warning", false],
      ["Keep it dry.", true],
      ["After.", false],
    ]);
  }
});

test("what is raised stays apart from what it stands behind", () => {
  const page = "<p>10<sup>-12</sup> or 2<sup>10</sup>, x<sup>n+1</sup>, the 5<sup>th</sup>, water<sup>[1]</sup> H<sub>2</sub>O</p>";
  expect(shown(page)).toBe("10⁻¹² or 2¹⁰, xⁿ⁺¹, the 5th, water[1] H2O");
});

test("prose that is laid out in lines has its divided words whole again, compounds their hyphen", () => {
  const page = `<pre>
       The server writes what it did to a log file after each mes-
       sage, and opens it read-only for whoever asks, a well-
       known way to look at it. What is read-
       only stays so until the ser-
       vice ends.

       The next one says at some length of a para-
       graph that --no-
       fork is an option that keeps the ser-
       vice in the foreground, where it is easily watched.
</pre>`;
  const text = shown(page);
  expect(text).toContain("after each message, and opens it read-only for whoever asks");
  expect(text).toContain("What is read-only stays so until the service ends.");
  expect(text).toContain("The next one says at some length of a paragraph that --no- fork is an option that keeps the service");
});

test("the panels of all tabs are read", () => {
  const page = `<div role="tabpanel"><p>npm</p></div><div role="tabpanel" hidden=""><p>yarn</p></div><div hidden><p>none</p></div>`;
  expect(blocksOf(page).map(({ text }) => text)).toEqual(["npm", "yarn"]);
});

test("signs beside a heading and the row that leads to other pages are no text", () => {
  const signs = `<span class="right"><a href="#one" aria-hidden="true">#</a> <a href="#toc-one" aria-hidden="true">TOC</a></span>`;
  const row = `<ul><li><a accesskey="p" href="a.html"><b>Prev</b>Zero</a></li><li><a accesskey="N" href="b.html">Next</a></li></ul>`;
  const page = `<title>T</title><h2>One${signs}</h2><p>Said with <a accesskey="s" href="c.html">a link</a>.</p><div aria-hidden="true"><p>More.</p></div>${row}`;
  expect(blocksOf(page).map(({ text }) => text)).toEqual(["One", "Said with a link.", "More."]);
});

test("a list keeps what opens it, code what leads to it; items are nested and numbered", async () => {
  const page = `<p>Do this:<ol start=3><li>Look<ul><li>left<li>right</ul><li><p>Go</p><pre>go --now
  --fast

# done</pre></ol><p>Then:<pre>stop</pre>`;
  expect((await chunksOf(page))[0]?.[1]).toBe(
    ["Do this:\n3. Look\n  - left\n  - right\n4. Go\n      go --now\n        --fast\n      \n      # done", "\n\nThen:\n    stop"].join(""),
  );
});

test("a list that is too long for a chunk takes what opens it along", async () => {
  const items = Array.from({ length: 30 }, (_, at) => `<li>item ${at} of the list of cranes`).join("");
  const chunks = await chunksOf(`<p>${LONG.slice(0, 500)}<p>These are the cranes:<ul>${items}</ul>`);
  expect(chunks[1]?.[1]).toStartWith("These are the cranes:\n- item 0");
  expect(chunks.length).toBe(3);
});

test("rows of a table are written with their headers, under its caption", async () => {
  const page = `<h1>Cranes</h1><table><caption>Table 1. Loads</caption><thead><tr><th rowspan=2>Crane<th colspan=2>Load</tr><tr><th>least<th>most</tr></thead>
    <tr><td rowspan=2>North<td>1 t<td>5 t</tr><tr><td>2 t<td><ul><li>6 t<li>7 t</ul></tr></table>
    <table><tr><th>Default:<td>off</tr></table><table><tr><td><h2>Layout</h2><td><p>Text in a cell.</table>`;
  expect(await chunksOf(page)).toEqual([
    ["Cranes > Table 1. Loads", "| Crane: North | Load least: 1 t | Load most: 5 t\n| Crane: North | Load least: 2 t | Load most: - 6 t - 7 t"],
    ["Cranes", "| Default: off"],
    ["Cranes > Layout", "Text in a cell."],
  ]);
});

test("a note's heading and a bold line: a label, and a heading", async () => {
  const page = `<h1>A</h1><div class=note><h3>Note</h3><p>Mind.</div><p><b>Sizes</b></p><p>Big. <p><b>Bold.</b> Run in.`;
  expect(await chunksOf(page)).toEqual([
    ["A", "Note\n\nMind."],
    ["A > Sizes", "Big.\n\nBold. Run in."],
  ]);
});

test("a bold line in a division heads what is in it; with nothing below it, it is a caption", async () => {
  const figure = (caption: string) => `<div class="FIGURE"><p><b>${caption}</b></p><div><p><img src="p.jpg"></p></div></div>`;
  const page = `<h1>Start</h1><p>Open it.${figure("Figure 3. Proxy settings")}<p>Flush the cache.</p>
    <div><p><b>Table 1. Ports</b></p><table><tr><th>Port<th>Use<tr><td>80<td>web</table></div><p>After the table.
    <blockquote><b>Note</b><p>Mind.</blockquote><p>Later.<div><b>Sizes</b></div><p>Big.<figure><img src=s.png><b>Figure 4</b></figure><blockquote><b>Quoted</b></blockquote><p>Small.`;
  expect(await chunksOf(page)).toEqual([
    ["Start", "Open it.\n\nFigure 3. Proxy settings\n\nFlush the cache."],
    ["Start > Table 1. Ports", "| Port: 80 | Use: web"],
    ["Start", "After the table."],
    ["Start > Note", "Mind."],
    ["Start", "Later."],
    ["Start > Sizes", "Big.\n\nFigure 4\n\nQuoted\n\nSmall."],
  ]);
  const nested = `<p><b>Outer</b><p>a<div><p><b>Inner</b><p>b</div><p>c<div><p><b>One</b><p><b>Two</b></div><p>d<p><b>End</b>`;
  expect(await chunksOf(nested)).toEqual([
    ["Outer", "a"],
    ["Outer > Inner", "b"],
    ["Outer", "c"],
    ["Outer", "One"],
    ["Outer", "Two\n\nd"],
    ["", "End"],
  ]);
});

test("what has the role of a heading is one, at the level that it names", async () => {
  const page = `<title>T</title><div role="heading" aria-level="1">One</div><p>a<p>Before <span role="Heading" aria-level=3>Three</span> after.
    <p role="heading"><b>Two</b><p>b<div role=heading aria-level=99>Deep</div><p>c`;
  expect(await chunksOf(page)).toEqual([
    ["T > One", "a\n\nBefore"],
    ["T > One > Three", "after."],
    ["T > One > Two", "b"],
    ["T > One > Two > Deep", "c"],
  ]);
});

test("Sphinx's links to the code are no text", async () => {
  const link = (name: string) =>
    `<a class="reference internal" href="c.html#${name}"><span class="viewcode-link"><span class="pre">[source]</span></span></a>`;
  const page = `<title>T</title><dl class="py"><dt>load(path)${link("load")}<a class="headerlink" href="#load">¶</a></dt><dd>Loads.</dd></dl>
    <div class="viewcode-block"><a class="viewcode-back" href="a.html#load">[docs]</a><pre>def load(path):</pre></div>`;
  expect(await chunksOf(page)).toEqual([
    ["T > load(path)", "load(path)\nLoads."],
    ["T", "    def load(path):"],
  ]);
});

test("a table of one column has its header in every row, and the limit of rows", async () => {
  const column = (rows: string) => blocksOf(`<table>${rows}</table>`).map(({ kind, text }) => `${kind} ${text}`);
  expect(column("<tr><th>Port<tr><td>80<tr><td>443<tr><th>Use<tr><td>web")).toEqual(["row | Port: 80", "row | Port: 443", "row | Use: web"]);
  // What stands over several columns, over blocks or over nothing is a line of the page.
  expect(column("<tr><th>Ports<tr><td>80<td>web")).toEqual(["paragraph Ports", "row | 80 | web"]);
  expect(column("<tr><th>Ports<tr><td><p>80<p>443")).toEqual(["paragraph Ports", "paragraph 80", "paragraph 443"]);
  for (const rest of ["", "<tr><td>", "<tr><th>"]) expect(column(`<tr><th>Ports${rest}`)).toEqual(["paragraph Ports"]);
  const long = await partsOf(extractProse(file(`<table><tr><th>Port${"<tr><td>80".repeat(TABLE_MAX_ROWS + 5)}</table>`, "a.html", HTML), 0));
  expect(long.at(-1)?.notes).toEqual(["a table has 5 more rows, which were left out"]);
});

test("hostile structure is bounded", async () => {
  const headings = await chunksOf("<h2>Same</h2>".repeat(10_000));
  expect(headings.length).toBe(Math.ceil(10_000 / CHUNK_TARGET_WORDS));
  const deep = await chunksOf(`${Array.from({ length: 50 }, (_, at) => `<dl><dt>term ${at}<dd>`).join("")}x`);
  // Terms with nothing but terms below them are in the path, as far as it reaches.
  expect(deep.length).toBe(50 - (PATH_MAX_PARTS - 1));
  expect(Math.max(...deep.map(([path]) => path.split(" > ").length))).toBe(PATH_MAX_PARTS);
  expect(await chunksOf("<dl><dd>alone<dd></dl><dl><dt>term</dl><dl></dl><dt>stray<dd>loose")).toEqual([["", "alone\n\nterm\n\nstray\n\nloose"]]);
  const wide = await unitsOf(extractProse(file(`<table><tr>${"<th>head".repeat(500)}<tr>${"<td>value".repeat(500)}</table>`, "a.html", HTML), 0));
  expect(wide.flatMap(({ text }) => text?.match(/head: value/g) ?? []).length).toBe(TABLE_MAX_COLUMNS);
  const long = await partsOf(extractProse(file(`<table>${"<tr><td>a<td>b".repeat(TABLE_MAX_ROWS + 5)}</table>`, "a.html", HTML), 0));
  expect(long.at(-1)?.notes).toEqual(["a table has 5 more rows, which were left out"]);
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

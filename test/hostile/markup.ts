/** Hostile HTML and SVG: pages that would run, fetch, grow or nest without end. */
import { gzipSync } from "node:zlib";
import { bytesOf, noise, repeated, streamed } from "./bytes.ts";
import { type HostileFile, refused, taken, UNSEEN } from "./case.ts";
import { lure } from "./lure.ts";

const WORDS = "The bakery opens at six and sells out by nine.";
const read = { says: [WORDS] };
const PARAGRAPH = `<p>${WORDS}</p>`;
const page = (body: string, head = "") => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const MIB = 1_048_576;

const NESTED: HostileFile[] = [
  [
    "HTML: 100,000 elements within each other",
    "a.html",
    () => page(`${"<div>".repeat(100_000)}${WORDS}`),
    refused(/more than 10000 elements within each other/),
  ],
  ["HTML: 9,000 elements within each other", "a.html", () => page(`${"<div>".repeat(9_000)}${WORDS}`), taken("chunk", read)],
  ["HTML: 100,000 ends of nothing", "a.html", () => page(`${"</div>".repeat(100_000)}${PARAGRAPH}`), taken("chunk", read)],
  [
    "HTML: 9,000 open elements and 50,000 wrong ends",
    "a.html",
    () => page(`${"<b>".repeat(9_000)}${"</i>".repeat(50_000)}${PARAGRAPH}`),
    taken("chunk", read),
  ],
  [
    "HTML: 9,000 open elements and 20 million wrong ends",
    "a.html",
    () => bytesOf("<!doctype html><html><body>", repeated("<b>", 9_000), repeated("</i>", 20_000_000)),
    refused(/it ends elements that it never began/),
  ],
  ["HTML: 200,000 paragraphs that nobody closes", "a.html", () => page(`${PARAGRAPH}${"<p>".repeat(200_000)}`), taken("chunk", read)],
  ["HTML: 50,000 tables that nobody closes", "a.html", () => page(`${PARAGRAPH}${"<table><tr><td>".repeat(50_000)}`), refused(/within each other/)],
];

const LONG: HostileFile[] = [
  [
    "HTML: an attribute of 100 MB",
    "a.html",
    () =>
      streamed(function* () {
        yield Buffer.from('<!doctype html><html><body title="');
        for (let at = 0; at < 100; at += 1) yield Buffer.alloc(MIB, "x");
        yield Buffer.from(`">${PARAGRAPH}`);
      }),
    refused(/a tag or comment that does not end/),
  ],
  [
    "HTML: a comment of 100 MB",
    "a.html",
    () =>
      streamed(function* () {
        yield Buffer.from("<!doctype html><html><!--");
        for (let at = 0; at < 100; at += 1) yield Buffer.alloc(MIB, "-");
      }),
    refused(/a tag or comment that does not end/),
  ],
  [
    "HTML: a million attributes",
    "a.html",
    () => page(`<div ${Array.from({ length: 1_000_000 }, (_, at) => `a${at} `).join("")}>${PARAGRAPH}`),
    taken("chunk", read),
  ],
  [
    "HTML: 200,000 references",
    "a.html",
    () => page(`${PARAGRAPH}<p>${"&nbsp;&#x110000;&#0;&CounterClockwiseContourIntegral;".repeat(50_000)}`),
    taken("chunk", read),
  ],
  ["HTML: a title of 20 MB", "a.html", () => page(PARAGRAPH, `<title>${"title ".repeat(3_500_000)}</title>`), taken("chunk", read)],
  ["HTML: a word of 2 MB", "a.html", () => page(`${PARAGRAPH}<p>${"x".repeat(2_000_000)}`), taken("chunk", read)],
  ["HTML: 60 KB of blanks and comments before it begins", "a.html", () => `${" \n<!-- x -->".repeat(5_000)}${page(PARAGRAPH)}`, taken("chunk", read)],
];

const ACTS: HostileFile[] = [
  [
    "HTML: scripts in every place",
    "a.html",
    () =>
      page(
        `<script>fetch("${lure.url("fetch")}");${UNSEEN}</script><script src="${lure.url("a.js")}"></script><a href="javascript:${UNSEEN}" onclick="${UNSEEN}">x</a>${PARAGRAPH}<SCRIPT>${UNSEEN}</SCRIPT ><script/x>${UNSEEN}</script>`,
      ),
    taken("chunk", read),
  ],
  [
    "HTML: frames, objects and embeds",
    "a.html",
    () =>
      page(
        `<iframe src="${lure.url("frame")}" srcdoc="<p>${UNSEEN}">${UNSEEN}</iframe><object data="${lure.fileUrl}">${UNSEEN}</object><embed src="${lure.url("embed")}"><applet code="${UNSEEN}"></applet>${PARAGRAPH}`,
      ),
    taken("chunk", read),
  ],
  [
    "HTML: a page that sends its reader on",
    "a.html",
    () =>
      page(
        PARAGRAPH,
        `<meta http-equiv="refresh" content="0; url=${lure.url("refresh")}"><base href="${lure.url("base/")}"><link rel="stylesheet prefetch preload import" href="style.css"><style>@import url(${lure.url("import")}); ${UNSEEN}</style>`,
      ),
    taken("chunk", read),
  ],
  [
    "HTML: pictures, sound and forms elsewhere",
    "a.html",
    () =>
      page(
        `<img src="${lure.url("img")}" srcset="${lure.url("set")} 2x" lowsrc="${lure.fileUrl}"><video src="${lure.url("v")}" autoplay poster="${lure.url("p")}"></video><form action="${lure.url("f")}"><input autofocus onfocus="${UNSEEN}"></form><body background="${lure.url("b")}">${PARAGRAPH}`,
      ),
    taken("chunk", read),
  ],
  [
    "HTML: frames and nothing else",
    "a.html",
    () => `<!doctype html><html><frameset cols="*,*"><frame src="${lure.url("one")}"><frame src="${lure.fileUrl}"></frameset></html>`,
    taken("", { notes: /no text/ }),
  ],
  [
    "HTML: an SVG drawing inside",
    "a.html",
    () =>
      page(
        `<svg xmlns="http://www.w3.org/2000/svg"><script>${UNSEEN}</script><image href="${lure.url("svg")}"/><text>${UNSEEN}</text></svg>${PARAGRAPH}`,
      ),
    taken("chunk", read),
  ],
  [
    "HTML: what is not shown",
    "a.html",
    () =>
      page(
        `<div style="display:none">${UNSEEN}</div><p hidden>${UNSEEN}</p><template>${UNSEEN}</template><noscript>${UNSEEN}</noscript>${PARAGRAPH}`,
      ),
    taken("chunk", read),
  ],
  [
    "XHTML: entities that are files, and a billion laughs",
    "a.xhtml",
    () =>
      `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "${lure.url("xhtml.dtd")}" [<!ENTITY f SYSTEM "${lure.fileUrl}"><!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><html><body>${PARAGRAPH}<p>&f;&b;&b;</p></body></html>`,
    taken("chunk", read),
  ],
  [
    "XHTML: a style sheet for its XML",
    "a.xhtml",
    () => `<?xml version="1.0"?><?xml-stylesheet href="${lure.url("x.xsl")}"?>${page(PARAGRAPH)}`,
    taken("chunk", read),
  ],
];

const ENCODINGS: HostileFile[] = [
  ["HTML: NULs between all letters' tags", "a.html", () => page(`\0<p>\0${WORDS}\0</p>\0<scr\0ipt>\0</scr\0ipt>`), taken("chunk", read)],
  ["HTML: says it is in UTF-7", "a.html", () => page(`${PARAGRAPH}+ADw-script+AD4-`, '<meta charset="utf-7">'), taken("chunk", read)],
  ["HTML: says it is in UTF-16", "a.html", () => page(PARAGRAPH, '<meta charset="utf-16">'), taken("chunk", read)],
  [
    "HTML: says it is in something that is no encoding",
    "a.html",
    () => page(PARAGRAPH, `<meta charset="../../${"x".repeat(200)}">`),
    taken("chunk", read),
  ],
  ["HTML: noise behind its beginning", "a.html", () => bytesOf(page(PARAGRAPH), noise(20_000)), taken("chunk", read)],
  ["HTML: a tag that is cut", "a.html", () => `${page(PARAGRAPH)}<p class="`, taken("chunk", read)],
  ["HTML: tags alone", "a.html", () => page("<><!><?><!-><//><!DOCTYPE><![CDATA[]]>".repeat(20_000)), taken("chunk")],
];

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${UNSEEN}</script><image href="${lure.url("svg")}"/><text>${WORDS}</text></svg>`;
const NO_SVG = /an SVG drawing is not taken in/;

const DRAWINGS: HostileFile[] = [
  ["SVG: plain", "a.svg", () => SVG, refused(NO_SVG)],
  ["SVG: named a PNG", "a.png", () => SVG, refused(NO_SVG)],
  ["SVG: named a page", "a.html", () => SVG, refused(NO_SVG)],
  ["SVG: with a byte order mark", "a.svg", () => `\ufeff${SVG}`, refused(NO_SVG)],
  ["SVG: in UTF-16", "a.svg", () => bytesOf([0xff, 0xfe], Buffer.from(SVG, "utf16le")), refused(NO_SVG)],
  ["SVG: behind declarations and comments", "a.svg", () => `<?xml version="1.0"?><!-- <html> --><!-- x -->\n${SVG}`, refused(NO_SVG)],
  [
    "SVG: with a document type and entities",
    "a.svg",
    () =>
      `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${lure.url("svg.dtd")}" [<!ENTITY x SYSTEM "${lure.fileUrl}">]>${SVG}`,
    refused(NO_SVG),
  ],
  ["SVG: under a prefix", "a.svg", () => SVG.replaceAll("svg ", "s:svg ").replace("xmlns=", "xmlns:s="), refused(NO_SVG)],
  ["SVG: gzipped", "a.svgz", () => gzipSync(SVG), refused(/gzip archive is not taken in/)],
  ["SVG: a hundred thousand groups", "a.svg", () => bytesOf('<svg xmlns="http://www.w3.org/2000/svg">', repeated("<g>", 100_000)), refused(NO_SVG)],
];

export const MARKUP: HostileFile[] = [...NESTED, ...LONG, ...ACTS, ...ENCODINGS, ...DRAWINGS];

/** Documents of hostile structure: none at all, far too much of it, tables without end, and characters in encodings that nothing names. */
import type { Bytes } from "../support/files.ts";
import { streamed } from "./bytes.ts";
import { type HostileFile, taken } from "./case.ts";

const WORDS = "The tide tables are kept in the harbour office.";
const read = { says: [WORDS] };
const some = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at)).join("");
const page = (body: string) => `<!doctype html><html><body>${body}`;
const latin1 = (text: string): Bytes => new Uint8Array(Buffer.from(text, "latin1"));

const NONE: HostileFile[] = [
  ["structure: a text that is one line", "a.txt", () => `${WORDS} `.repeat(4_000), taken("chunk", read)],
  ["structure: a text without a full stop", "a.txt", () => `${WORDS.slice(0, -1)} `.repeat(4_000), taken("chunk", { says: [WORDS.slice(0, -1)] })],
  ["structure: a page without an element", "a.html", () => page(`${WORDS} `.repeat(4_000)), taken("chunk", read)],
  [
    "structure: a page of nothing but divisions",
    "a.html",
    () => page(`<div><div><span>${WORDS}</span></div></div>`.repeat(4_000)),
    taken("chunk", read),
  ],
  ["structure: a CSV file that is prose", "a.csv", () => `${`${WORDS} `.repeat(40)}\n\n`.repeat(40), taken("chunk", read)],
];

const HEADINGS: HostileFile[] = [
  [
    "structure: 10,000 headings of a page",
    "a.html",
    () => page(some(10_000, (at) => `<h${(at % 6) + 1}>${at}</h${(at % 6) + 1}>`) + WORDS),
    taken("chunk", read),
  ],
  [
    "structure: 10,000 headings of a text",
    "a.txt",
    () => some(10_000, (at) => `${Math.floor(at / 100)}.${at % 100} Tide\n\n`) + WORDS,
    taken("chunk", read),
  ],
  ["structure: headings 50 deep", "a.md", () => some(50, (at) => `${"#".repeat(at + 1)} Level ${at}\n\n${WORDS}\n\n`), taken("chunk", read)],
  ["structure: numbers 50 deep", "a.txt", () => some(50, (at) => `1${".1".repeat(at)} Level ${at}\n\n${WORDS}\n\n`), taken("chunk", read)],
  [
    "structure: terms 50 deep, each of 600 characters",
    "a.html",
    () => page(some(50, (at) => `<dl><dt>${at}${"x".repeat(600)}<dd>${WORDS}`)),
    taken("chunk", read),
  ],
  ["structure: indented 300 deep", "a.txt", () => some(300, (at) => `${"  ".repeat(at)}term${at}\n`) + " ".repeat(601) + WORDS, taken("chunk", read)],
  ["structure: a heading of 20,000 characters", "a.html", () => page(`<h1>${`${WORDS} `.repeat(400)}</h1>`), taken("chunk", read)],
  [
    "structure: definitions without terms, and terms without definitions",
    "a.html",
    () => page(`<dl><dd>${WORDS}<dd><dd></dl><dl>${"<dt>Term".repeat(2_000)}</dl><dl><dt></dt><dd>x</dl><dt>alone<dd>alone`),
    taken("chunk", read),
  ],
];

const COLUMNS = some(500, (at) => `,h${at}`).slice(1);
const VALUES = some(500, (at) => `,v${at}`).slice(1);
const WIDE = { says: ["h255: v255"], notes: /has 244 more columns, which were left out/ };

const TABLES: HostileFile[] = [
  ["structure: a CSV file of 500 columns", "a.csv", () => `${COLUMNS}\n${`${VALUES}\n`.repeat(20)}`, taken("chunk", WIDE)],
  [
    "structure: a table of 500 columns",
    "a.html",
    () => page(`<table><tr><th>${COLUMNS.replaceAll(",", "<th>")}${`<tr><td>${VALUES.replaceAll(",", "<td>")}`.repeat(20)}</table>`),
    taken("chunk", WIDE),
  ],
  [
    "structure: a Markdown table of 500 columns",
    "a.md",
    () => `|${COLUMNS.replaceAll(",", "|")}|\n|${"---|".repeat(500)}\n${`|${VALUES.replaceAll(",", "|")}|\n`.repeat(20)}`,
    taken("chunk", WIDE),
  ],
  [
    "structure: a CSV file of a million rows",
    "a.csv",
    () =>
      streamed(function* () {
        yield Buffer.from("time,load\n");
        for (let at = 0; at < 100; at += 1) yield Buffer.from("12:00,5 t\n".repeat(10_000));
      }),
    taken("chunk", { says: ["| time: 12:00 | load: 5 t"], notes: /the table has 900,000 more rows, which were left out/ }),
  ],
  [
    "structure: a CSV file whose quotes nothing closes",
    "a.csv",
    () => `name,say\n${'"Ann,x\n'.repeat(2_000)}Cyd,z\n`,
    taken("chunk", { says: ["| name: Cyd | say: z"], notes: /quotes that nothing closes: taken as written/ }),
  ],
  [
    "structure: JSON Lines with 500 members, and lines that are cut",
    "a.jsonl",
    () => `${JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`h${at}`, "v"])))}\n{"say":"${WORDS}"}\n{"say":"${WORDS}`,
    taken("chunk", { says: [`| say: ${WORDS}`], notes: /1 line without JSON[\s\S]*more than 256 members/ }),
  ],
];

const RUSSIAN = "Уровень воды измеряется каждый час. ";
const MIXED = `${WORDS} ${RUSSIAN}水位は井戸の浮きで測られます。مستوى الماء يقاس كل ساعة. ระดับน้ำวัดทุกชั่วโมง `;
const GUESSED = /does not say its encoding/;

const SCRIPTS: HostileFile[] = [
  ["scripts: five in one paragraph", "a.txt", () => MIXED.repeat(100), taken("chunk", { says: [WORDS, RUSSIAN.trim(), "水位は井戸"] })],
  ["scripts: 20,000 characters without a blank", "a.txt", () => "水位は井戸の浮きで測られ".repeat(1_700), taken("chunk", { says: ["井戸の浮き"] })],
  [
    "scripts: UTF-16 without a mark, in Russian",
    "a.txt",
    () => Buffer.from(RUSSIAN.repeat(50), "utf16le"),
    taken("chunk", { says: [RUSSIAN.trim()], notes: GUESSED }),
  ],
  [
    "scripts: a CSV file in Shift JIS",
    "a.csv",
    () => latin1(`\x96\xbc\x91O,\x93s\x8es\n${"\x97\xe9\x96\xd8\x82\xb3\x82\xf1,\x93\x8c\x8b\x9e\x82\xc5\x82\xb7\n".repeat(50)}`),
    taken("chunk", { says: ["| 名前: 鈴木さん | 都市: 東京です"], notes: GUESSED }),
  ],
  [
    "scripts: GBK that is cut",
    "a.txt",
    () => latin1(`${"\xcb\xae\xce\xbb\xc3\xbf\xd0\xa1\xca\xb1\xb2\xe2\xc1\xbf\n".repeat(50)}\xcb`),
    taken("chunk", { says: ["水位每小时测量"], notes: /could not be read/ }),
  ],
  [
    "scripts: windows-1251",
    "a.txt",
    () => latin1("\xd3\xf0\xee\xe2\xe5\xed\xfc \xe2\xee\xe4\xfb, \xf7\xe0\xf1\n".repeat(50)),
    taken("chunk", { says: ["Уровень воды, час"], notes: GUESSED }),
  ],
];

export const STRUCTURE: HostileFile[] = [...NONE, ...HEADINGS, ...TABLES, ...SCRIPTS];

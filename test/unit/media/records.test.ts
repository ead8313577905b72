import { expect, test } from "bun:test";
import { RECORD_MAX_CHARS, TABLE_MAX_COLUMNS, TABLE_MAX_ROWS } from "../../../src/base/limits.ts";
import { fieldsOf } from "../../../src/media/document/fields.ts";
import { extractProse } from "../../../src/media/document/prose.ts";
import { partsOf, sniffedFile } from "./files.ts";

async function read(content: string | Uint8Array, name: string) {
  const parts = await partsOf(extractProse(await sniffedFile(content, name), 0));
  return { units: parts.flatMap(({ units }) => units), notes: parts.flatMap(({ notes }) => notes) };
}

const rowsOf = async (content: string | Uint8Array, name: string) => (await read(content, name)).units.flatMap(({ text }) => text?.split("\n") ?? []);

test("rows of a CSV file with their headers, a few together, by their lines", async () => {
  const text = `time,crane,load\n${Array.from({ length: 60 }, (_, at) => `2024-05-01 10:${String(at).padStart(2, "0")},North,${at} t`).join("\n")}`;
  const { units, notes } = await read(text, "a.csv");
  expect(notes).toEqual([]);
  expect(units[0]).toMatchObject({ modality: "chunk", path: [], locator: { kind: "line_range", start: 2 } });
  expect(units[0]?.text).toStartWith("| time: 2024-05-01 10:00 | crane: North | load: 0 t\n| time: 2024-05-01 10:01 |");
  expect(units.length).toBeGreaterThan(3);
  expect(units.at(-1)?.locator).toMatchObject({ end: 61 });
});

test("quotes, delimiters, lines above the header, and files without one", async () => {
  expect(await rowsOf('name;say\n"Ann; Bob";"one ""two""\nthree"\n', "a.csv")).toEqual(['| name: Ann; Bob | say: one "two" three']);
  expect(await rowsOf('name\tsay\nAnn\t"x\n', "a.tsv")).toEqual(['| name: Ann | say: "x']);
  expect(await rowsOf("Loads of May\n\ncrane|load\nNorth|5\nSouth|6\n", "a.csv")).toEqual([
    "| Loads of May",
    "| crane: North | load: 5",
    "| crane: South | load: 6",
  ]);
  expect(await rowsOf("1,North\n2,South\n", "a.csv")).toEqual(["| 1 | North", "| 2 | South"]);
  expect(await rowsOf("name,load\n", "a.csv")).toEqual(["| name | load"]);
  expect(await rowsOf("name,load\nAnn,5,more\nBob\n", "a.csv")).toEqual(["| name: Ann | load: 5 | more", "| name: Bob"]);
});

test("a quote that nothing closes swallows nothing, and is told", async () => {
  const { units, notes } = await read(`a,b\n"open,1\n${"x,2\n".repeat(3_000)}`, "a.csv");
  expect(units[0]?.text).toStartWith('| a: "open | b: 1\n| a: x | b: 2');
  expect(notes).toEqual(["1 quote that nothing closes: taken as written"]);
  const many = await read(`"open\n${'a""b,1\n'.repeat(250)}`.repeat(100), "a.csv");
  expect(many.notes).toEqual(["20 quotes that nothing closes: taken as written"]);
});

test("a quote that another one seems to close behind records swallows none of them", async () => {
  const rows = Array.from({ length: 148 }, (_, at) => `${at + 2},plain,${at}\n`).join("");
  const { units, notes } = await read(`a,b,c\n1,"unclosed,3\n${rows}150,"ok",12\n151,last,13\n`, "a.csv");
  const lines = units.flatMap(({ text }) => text?.split("\n") ?? []);
  expect([lines.length, lines[0], lines[149], lines[150]]).toEqual([
    151,
    '| a: 1 | b: "unclosed | c: 3',
    "| a: 150 | b: ok | c: 12",
    "| a: 151 | b: last | c: 13",
  ]);
  expect(notes).toEqual(["1 quote that nothing closes: taken as written"]);
  expect(await rowsOf('id,note,by\n1,"Dear Ann,\nthanks, and so on, and\nmore, of it, yes\nBob",x\n', "a.csv")).toEqual([
    "| id: 1 | note: Dear Ann, thanks, and so on, and more, of it, yes Bob | by: x",
  ]);
});

test("names that recur and years are a header, where the columns hold other things", async () => {
  expect(await rowsOf("Name,Phone,Phone\nAnn,1,2\n", "a.csv")).toEqual(["| Name: Ann | Phone: 1 | Phone: 2"]);
  expect(await rowsOf("year,2020,2021\nsales,5,6\n", "a.csv")).toEqual(["| year: sales | 2020: 5 | 2021: 6"]);
  expect(await rowsOf(",2020,2021\nsales,5,6\n", "a.csv")).toEqual(["| sales | 2020: 5 | 2021: 6"]);
  expect(await rowsOf("Ann,1990\nBob,1985\n", "a.csv")).toEqual(["| Ann | 1990", "| Bob | 1985"]);
  expect(await rowsOf("yes,yes,no\nno,yes,yes\n", "a.csv")).toEqual(["| yes | yes | no", "| no | yes | yes"]);
});

test("quotes inside a field: twice, behind a backslash, and as they are", async () => {
  expect(await rowsOf('name,say\nAnn,"he ""said"" it"\nBob,"he \\"said\\", too"\nCyd,"he "said" it",x\nDora,"C:\\dir\\",y\n', "a.csv")).toEqual([
    '| name: Ann | say: he "said" it',
    '| name: Bob | say: he "said", too',
    '| name: Cyd | say: he "said" it | x',
    "| name: Dora | say: C:\\dir\\ | y",
  ]);
  expect(await rowsOf('name,say\n"Ann"x,"one" two,"three"\n', "a.csv")).toEqual(["| name: Annx | say: one two | three"]);
});

test("records of nothing but quotes take no longer than others", () => {
  const began = performance.now();
  for (const part of ['"a"b,', '"aaa"b', '"\\",b', '" ', '""', '"', '\\"x'])
    for (const record of [part.repeat(RECORD_MAX_CHARS / part.length), `"${part.repeat(RECORD_MAX_CHARS / part.length)}"`])
      fieldsOf(record, ",", true);
  expect(performance.now() - began).toBeLessThan(3_000);
});

test("delimiters that are named, unusual, or not those of the file's name; line ends of all kinds", async () => {
  const rows = ["| name: A | load: 1", "| name: B | load: 2"];
  expect(await rowsOf("sep=;\nname;load\nA;1\nB;2\n", "a.csv")).toEqual(rows);
  expect(await rowsOf("name^load\nA^1\nB^2\n", "a.csv")).toEqual(rows);
  expect(await rowsOf("name;load\nA;1\nB;2\n", "a.tsv")).toEqual(rows);
  expect(await rowsOf("name,load\rA,1\rB,2\r", "a.csv")).toEqual(rows);
  expect(await rowsOf("name,load\r\nA,1\r\nB,2", "a.csv")).toEqual(rows);
});

test("JSON Lines: members as columns, what is none as text", async () => {
  const text = '{"id":7,"user":{"name":"Ann","tags":["a","b"]},"none":null}\n\nno json\n[1,2]\n"alone"\n';
  const { units, notes } = await read(text, "a.ndjson");
  expect(units[0]?.text?.split("\n")).toEqual(["| id: 7 | user.name: Ann | user.tags: a, b", "| no json", "| 1, 2", "| alone"]);
  expect(units[0]?.locator).toEqual({ kind: "line_range", start: 1, end: 5 });
  expect(notes).toEqual(["1 line without JSON: taken as text"]);
});

test("columns and rows beyond the limits are left out, and told", async () => {
  const wide = await read(`${"h,".repeat(499)}h\n${"v,".repeat(499)}v\n`, "a.csv");
  expect(wide.units.flatMap(({ text }) => text?.match(/\bv\b/g) ?? []).length).toBe(TABLE_MAX_COLUMNS);
  expect(wide.notes).toEqual([`the table has ${500 - TABLE_MAX_COLUMNS} more columns, which were left out`]);
  const long = await read(`a,b\n${"1,2\n".repeat(TABLE_MAX_ROWS + 7)}`, "a.csv");
  expect(long.notes).toEqual(["the table has 7 more rows, which were left out"]);
  expect((await read('{"a":1}\n'.repeat(TABLE_MAX_ROWS + 1), "a.jsonl")).notes).toEqual(["1 more line: left out"]);
  const members = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`h${at}`, "v"])));
  const json = await read(members, "a.jsonl");
  expect(json.units.flatMap(({ text }) => text?.match(/\bv\b/g) ?? []).length).toBe(TABLE_MAX_COLUMNS);
  expect(json.notes).toEqual([`1 line with more than ${TABLE_MAX_COLUMNS} members: the rest was left out`]);
  const record = await read(`name,say\nAnn,${"word ".repeat(RECORD_MAX_CHARS / 4)}\nBob,b\n`, "a.csv");
  expect(record.notes).toEqual([`1 line of more than ${RECORD_MAX_CHARS.toLocaleString("en")} characters: cut`]);
  expect(record.units.at(-1)?.text).toEndWith("| name: Bob | say: b");
});

test("tables in the encodings that programs export", async () => {
  const bytes = (...parts: (string | number[])[]) =>
    Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : part)));
  const utf16 = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"));
  expect(await rowsOf(utf16("\ufeffname\tcity\r\nAnn\tKöln\r\n"), "a.tsv")).toEqual(["| name: Ann | city: Köln"]);
  expect(await rowsOf(utf16("name,city\r\nAnn,Bonn\r\n"), "a.csv")).toEqual(["| name: Ann | city: Bonn"]);
  expect(await rowsOf(bytes("name;city\nM", [0xfc], "ller;K", [0xf6], "ln\n"), "a.csv")).toEqual(["| name: Müller | city: Köln"]);
  // 名前,都市 / 鈴木さん,東京です in Shift JIS.
  const japanese = [0x96, 0xbc, 0x91, 0x4f, 0x2c, 0x93, 0x73, 0x8e, 0x73, 0x0a, 0x97, 0xe9, 0x96, 0xd8, 0x82, 0xb3, 0x82, 0xf1, 0x2c];
  expect(await rowsOf(bytes(japanese, [0x93, 0x8c, 0x8b, 0x9e, 0x82, 0xc5, 0x82, 0xb7, 0x0a]), "a.csv")).toEqual([
    "| 名前: 鈴木さん | 都市: 東京です",
  ]);
  // имя,город / Анна,Москва in windows-1251.
  const russian = [
    0xe8, 0xec, 0xff, 0x2c, 0xe3, 0xee, 0xf0, 0xee, 0xe4, 0x0a, 0xc0, 0xed, 0xed, 0xe0, 0x2c, 0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0, 0x0a,
  ];
  expect(await rowsOf(bytes(russian), "a.csv")).toEqual(["| имя: Анна | город: Москва"]);
  // 名称,城市 / 起重机,北京 in GBK.
  const header = [0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0xb3, 0xc7, 0xca, 0xd0, 0x0a];
  const chinese = [0xc6, 0xf0, 0xd6, 0xd8, 0xbb, 0xfa, 0x2c, 0xb1, 0xb1, 0xbe, 0xa9, 0x0a];
  const rows = Array.from({ length: 9 }, () => chinese).flat();
  expect((await rowsOf(bytes(header, rows), "a.csv"))[0]).toBe("| 名称: 起重机 | 城市: 北京");
});

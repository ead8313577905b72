import { expect, test } from "bun:test";
import { textPieces } from "../../../src/media/text-encoding.ts";
import { file } from "./files.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const pieces = (bytes: Uint8Array) => [...textPieces(file(bytes, "a.txt", { kind: "document", mime: "text/plain" }).path)].join("");
const swapped = (bytes: Buffer) => new Uint8Array(bytes.swap16());

const WORDS = "Grüße, 世界 🎈\r\nsecond line";
const SAMPLES: [string, Uint8Array, string][] = [
  ["UTF-8", utf8(WORDS), WORDS],
  ["UTF-8 with a mark", utf8(`\ufeff${WORDS}`), WORDS],
  ["UTF-16, little-endian", new Uint8Array(Buffer.from(`\ufeff${WORDS}`, "utf16le")), WORDS],
  ["UTF-16, big-endian", swapped(Buffer.from(`\ufeff${WORDS}`, "utf16le")), WORDS],
  ["Windows-1252", Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x80, 0x20, 0x93, 0x61, 0x94]), "Grüße € “a”"],
  ["a lone surrogate", Uint8Array.from([0xff, 0xfe, 0x41, 0, 0x3d, 0xd8, 0x42, 0]), "A\ufffdB"],
  ["NULs", utf8("a\0b\0"), "a b "],
  ["UTF-8 with one damaged byte", Uint8Array.from([...utf8("Grüße, Öl, Ähre"), 0xfc, ...utf8(" ß")]), "Grüße, Öl, Ähre\ufffd ß"],
  ["Windows-1252 with one accent, at the end", Uint8Array.from([0x63, 0x61, 0x66, 0xe9]), "café"],
  ["UTF-8 that is cut within a character", utf8("Grüße, Öl").slice(0, -2), "Grüße, \ufffd"],
  ["nothing", utf8(""), ""],
];

for (const [what, bytes, text] of SAMPLES) {
  test(`${what}: the text, well-formed`, () => {
    expect(pieces(bytes)).toBe(text);
    expect(pieces(bytes).isWellFormed()).toBe(true);
  });
}

/** A sentence of other alphabets: in UTF-16 and, as Latin-1, in the encodings that programs of its country write. */
const ALPHABETS: Readonly<Record<string, { text: string; encoded: Readonly<Record<string, string>> }>> = {
  Russian: {
    text: "Уровень воды, час\n",
    encoded: {
      "windows-1251": "\xd3\xf0\xee\xe2\xe5\xed\xfc \xe2\xee\xe4\xfb, \xf7\xe0\xf1\n",
      "KOI8-R": "\xf5\xd2\xcf\xd7\xc5\xce\xd8 \xd7\xcf\xc4\xd9, \xde\xc1\xd3\n",
      "code page 866": "\x93\xe0\xae\xa2\xa5\xad\xec \xa2\xae\xa4\xeb, \xe7\xa0\xe1\n",
    },
  },
  Hebrew: { text: "מפלס המים נמדד\n", encoded: { "windows-1255": "\xee\xf4\xec\xf1 \xe4\xee\xe9\xed \xf0\xee\xe3\xe3\n" } },
  Chinese: {
    text: "水位每小时测量\n",
    encoded: { GBK: "\xcb\xae\xce\xbb\xc3\xbf\xd0\xa1\xca\xb1\xb2\xe2\xc1\xbf\n" },
  },
  Japanese: {
    text: "水位は毎時間測られ\n",
    encoded: {
      "Shift JIS": "\x90\x85\x88\xca\x82\xcd\x96\x88\x8e\x9e\x8a\xd4\x91\xaa\x82\xe7\x82\xea\n",
      "ISO-2022-JP": "\x1b$B?e0L$OKh;~4VB,$i$l\x1b(B\n",
    },
  },
};

for (const [language, { text, encoded }] of Object.entries(ALPHABETS)) {
  const whole = text.repeat(20);
  const utf16 = Buffer.from(whole, "utf16le");
  const written = { "UTF-16": utf16, "UTF-16 of the other order": Buffer.from(utf16).swap16() };
  const latin1 = Object.entries(encoded).map(([name, each]) => [name, Buffer.from(each.repeat(20), "latin1")] as const);
  for (const [name, bytes] of [...Object.entries(written), ...latin1])
    test(`${language} in ${name} without a mark`, () => expect(pieces(new Uint8Array(bytes))).toBe(whole));
}

test("a few words of another alphabet in a file that is ASCII", () => {
  const rows = (comment: string) =>
    `id,comment\n${Array.from({ length: 40 }, (_, at) => `${at},${comment},measured every hour and sent to the office\n`).join("")}`;
  expect(pieces(new Uint8Array(Buffer.from(rows("\xca\xf0\xe0\xed"), "latin1")))).toBe(rows("Кран"));
  expect(pieces(new Uint8Array(Buffer.from(rows("\xb3\xa1\xd7\xb4\xbf\xf2"), "latin1")))).toContain("measured");
});

test("what was guessed or could not be read is told", () => {
  const notes = (bytes: Uint8Array | string) => {
    const found: string[] = [];
    const path = file(bytes, "a.txt", { kind: "document", mime: "text/plain" }).path;
    for (const _ of textPieces(path, { notes: found }));
    return found;
  };
  expect(notes(WORDS)).toEqual([]);
  expect(notes(new Uint8Array(Buffer.from(`\ufeff${WORDS}`, "utf16le")))).toEqual([]);
  expect(notes(Uint8Array.from([0x63, 0x61, 0x66, 0xe9]))).toEqual([
    "the file does not say its encoding: it was read as windows-1252, which its bytes look like",
  ]);
  expect(notes(utf8("Grüße, Öl").slice(0, -2))).toEqual(["1 character could not be read: each is shown as \ufffd"]);
});

test("a character that lies across two pieces stays whole", () => {
  const long = `${"a".repeat(262_143)}世界 and on`;
  expect(pieces(utf8(long))).toBe(long);
});

test("a file that is ASCII for long and Windows-1252 then is Windows-1252", () => {
  const bytes = new Uint8Array(600_000).fill(0x61);
  bytes[599_000] = 0xe9;
  expect(pieces(bytes)[599_000]).toBe("é");
});

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

test("a character that lies across two pieces stays whole", () => {
  const long = `${"a".repeat(262_143)}世界 and on`;
  expect(pieces(utf8(long))).toBe(long);
});

test("a file that is ASCII for long and Windows-1252 then is Windows-1252", () => {
  const bytes = new Uint8Array(600_000).fill(0x61);
  bytes[599_000] = 0xe9;
  expect(pieces(bytes)[599_000]).toBe("é");
});

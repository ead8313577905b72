import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { Tokenizer } from "@huggingface/tokenizers";
import { join } from "node:path";
import { TEXT_MAX_BYTES } from "../../src/base/limits.ts";
import { modelFor, modelManifest } from "../../src/runtime/model-manifest.ts";
import { BertTokenizer } from "../../src/inference/tokenizer.ts";
import { type TokenWindow, textWindows } from "../../src/inference/windows.ts";
import { SEED } from "../property/seed.ts";
import { WINDOW_STRIDE_TOKENS } from "../../src/inference/text-encoder.ts";

setDefaultTimeout(60_000);

const BUDGET = 510;
/** CPU time, so that a busy machine changes nothing. Measured: 0.4 s at worst. */
const LONGEST_CPU_MS = 1_500;

const json = await Bun.file(join(import.meta.dir, "../../models/bge-small-en-v1.5/tokenizer.json")).json();
const tokenizer = new BertTokenizer(json);
const reference = new Tokenizer(json, {});
const encode = (text: string) => tokenizer.encode(text);
const windowsOf = (text: string) => textWindows(text, encode, { budget: BUDGET, stride: WINDOW_STRIDE_TOKENS });

function splitsPair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1));
}

/** Cover, order, overlap, size, whole code points; the ids are those of the span alone. */
function expectWindows(text: string, windows: TokenWindow[]): void {
  expect(windows[0]?.start).toBe(0);
  expect(windows.at(-1)?.end).toBe(text.length);
  for (const [index, { start, end, ids }] of windows.entries()) {
    expect(ids.length).toBeLessThanOrEqual(BUDGET);
    expect(ids).toEqual(encode(text.slice(start, end)));
    expect(splitsPair(text, start) || splitsPair(text, end)).toBe(false);
    const next = windows[index + 1];
    if (next === undefined) continue;
    expect(next.start).toBeGreaterThan(start);
    expect(next.end).toBeGreaterThan(end);
    expect(next.start).toBeLessThan(end);
  }
}

const words = fc.array(fc.constantFrom("turbine ", "bearing, ", "temperature. ", "94 °C\n", "naïve ", "0x7ffe:3c.d "), { maxLength: 40 });
const parts = fc.oneof(
  words.map((list) => list.join("")),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .tuple(fc.constantFrom("!", "≠", "中", "🙂", "🙂 ", "a", "x-", "가", "\u0301", "\u200b", " ", "日本。", "ΑΣ'"), fc.nat(700))
    .map(([unit, times]) => unit.repeat(times)),
);
const texts = fc.array(parts, { minLength: 1, maxLength: 24 }).map((list) => list.join(""));

describe("tokens and windows", () => {
  test("the model's fixtures have their known token ids", () => {
    for (const { text, token_ids } of modelFor(modelManifest(), "text-embedding").selftest) {
      expect([tokenizer.cls, ...encode(text), tokenizer.sep]).toEqual(token_ids);
    }
  });

  test("token ids are the library's", () => {
    const property = fc.property(texts, (text) => {
      expect(encode(text)).toEqual(reference.encode(text, { add_special_tokens: false }).ids);
    });
    fc.assert(property, { seed: SEED, numRuns: 100 });
  });

  test("special tokens in a text are its words, not syntax", () => {
    expect(encode("[SEP]")).toEqual([...encode("["), ...encode("sep"), ...encode("]")]);
  });

  test("windows cover the text in order, overlap, fit, and divide no code point", () => {
    const property = fc.property(texts, (text) => expectWindows(text, windowsOf(text)));
    fc.assert(property, { seed: SEED, numRuns: 120 });
  });

  test("a text without tokens is one window", () => {
    for (const text of ["", "   ", "\u200b\n", " ".repeat(5_000)]) expect(windowsOf(text)).toEqual([{ start: 0, end: text.length, ids: [] }]);
  });

  test("prose is cut after sentences and between words", () => {
    const text = "The quick brown fox, aged 7, jumps over the lazy dog. ".repeat(300);
    const windows = windowsOf(text);
    for (const [index, { start, end }] of windows.entries()) {
      expect(text.slice(start)).toStartWith("The quick");
      expect(text.slice(0, end).trimEnd()).toEndWith("dog.");
      const next = windows[index + 1];
      if (next === undefined) continue;
      const overlap = encode(text.slice(next.start, end)).length;
      expect(overlap).toBeGreaterThan((BUDGET - WINDOW_STRIDE_TOKENS) * 0.5);
      expect(overlap).toBeLessThan((BUDGET - WINDOW_STRIDE_TOKENS) * 1.5);
    }
    const unstopped = "alpha beta gamma delta ".repeat(1_000);
    for (const { start, end } of windowsOf(unstopped)) {
      expect(start === 0 || unstopped[start - 1] === " ").toBe(true);
      expect(end === unstopped.length || unstopped[end] === " ").toBe(true);
    }
  });

  test.each([
    ["one word", "a"],
    ["punctuation", "!"],
    ["symbols that become punctuation", "≠"],
    ["CJK without spaces", "中文字"],
    ["kana without spaces", "これはペンです。"],
    ["emoji", "🙂"],
    ["emoji with spaces", "🙂 "],
    ["Hangul", "가나다라마 "],
    ["combining marks", "e\u0301"],
    ["long words of no language", `${"xqzjvkw".repeat(14)} `],
    ["the same joined", `${"xqzjvkw".repeat(14)}-`],
    ["JSON", '{"id":17,"v":"x17"},'],
    ["prose", "Turbine 7 showed a bearing temperature of 94 °C at 03:12. "],
  ])("256 KiB of %s", (_, unit) => {
    const text = unit.repeat(Math.floor(TEXT_MAX_BYTES / Buffer.byteLength(unit)));
    const before = process.cpuUsage();
    const windows = windowsOf(text);
    const { user, system } = process.cpuUsage(before);
    expectWindows(text, windows);
    expect((user + system) / 1_000).toBeLessThan(LONGEST_CPU_MS);
  });
});

import { describe, expect, test } from "bun:test";
import { HIGHLIGHTS_MAX, REGION_MAX_CHARS, SNIPPET_MAX_CHARS } from "../../src/base/limits.ts";
import { bestSentences, regionSentences, snippetOf } from "../../src/text/snippet.ts";
import type { Span } from "../../src/base/span.ts";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";

function all(text: string): Span {
  return { start: 0, end: text.length };
}

function wordsIn(text: string, word: string): Span[] {
  return [...text.matchAll(new RegExp(word, "gu"))].map(({ index }) => ({ start: index, end: index + word.length }));
}

describe("a snippet", () => {
  test("of a short text is the text", () => {
    expect(snippetOf("a short text", all("a short text"), [])).toEqual({ snippet: "a short text", highlights: [] });
    expect(snippetOf("", { start: 0, end: 0 }, [])).toEqual({ snippet: "", highlights: [] });
  });

  test("stands where most matched words are, and ends at words", () => {
    const text = `${"filler word ".repeat(60)}the crane and the crane and a crane ${"other thing ".repeat(60)}crane`;
    const { snippet, highlights } = snippetOf(text, all(text), wordsIn(text, "crane"));
    expect(snippet.match(/crane/g)?.length).toBe(3);
    expect(snippet.length).toBeLessThanOrEqual(SNIPPET_MAX_CHARS);
    expect(` ${text} `).toContain(` ${snippet} `);
    expect(highlights).toEqual(wordsIn(text, "crane"));
  });

  test("stays inside its window", () => {
    const text = `${"outside ".repeat(50)}${"inside ".repeat(20)}${"beyond ".repeat(50)}`;
    const window = { start: 400, end: 540 };
    expect(snippetOf(text, window, []).snippet).toBe("inside ".repeat(20).trim());
  });

  test("has a limited number of highlights", () => {
    const text = "x ".repeat(500);
    expect(snippetOf(text, all(text), wordsIn(text, "x")).highlights.length).toBe(HIGHLIGHTS_MAX);
  });

  test("never cuts a surrogate pair, leaves its window or grows too long, whatever the text", () => {
    const random = new Random(SEED);
    for (let round = 0; round < 2_000; round += 1) {
      const pieces = Array.from({ length: random.integer(1, 300) }, () => random.pick(["😀", "a", "é", " ", "海", "\n", "word", "𝒳𝒳𝒳"]));
      const text = pieces.join("");
      const starts = [0];
      for (const piece of pieces) starts.push((starts.at(-1) ?? 0) + piece.length);
      const from = random.integer(0, starts.length - 2);
      const window = { start: starts[from] ?? 0, end: starts[random.integer(from + 1, starts.length - 1)] ?? 0 };
      const words: Span[] = starts
        .slice(from, -1)
        .map((start, index) => ({ start, end: starts[from + index + 1] ?? 0 }))
        .filter(({ end }) => end <= window.end && random.chance(0.1));
      const { snippet } = snippetOf(text, window, words);
      expect(snippet.isWellFormed()).toBe(true);
      expect(text.slice(window.start, window.end)).toContain(snippet);
      expect(snippet.length).toBeLessThanOrEqual(SNIPPET_MAX_CHARS);
    }
  });
});

describe("the sentences around a match", () => {
  const TEXT = "The quay is old. A crane stands on it. The crane lifts barges. The harbour master sleeps. Nobody minds the crane.";
  const shown = (spans: readonly Span[], text = TEXT) => spans.map(({ start, end }) => text.slice(start, end));

  test("are whole, trimmed and in their order", () => {
    expect(shown(regionSentences(TEXT, all(TEXT), []))).toEqual([
      "The quay is old.",
      "A crane stands on it.",
      "The crane lifts barges.",
      "The harbour master sleeps.",
      "Nobody minds the crane.",
    ]);
    expect(regionSentences("", { start: 0, end: 0 }, [])).toEqual([]);
  });

  test("lie inside the window", () => {
    const window = { start: TEXT.indexOf("A crane"), end: TEXT.indexOf(" The harbour") };
    expect(shown(regionSentences(TEXT, window, []))).toEqual(["A crane stands on it.", "The crane lifts barges."]);
  });

  test("of a long window are those where most matched words are", () => {
    const text = `${"Rope is stored here. ".repeat(400)}The gantry has a gantry. ${"Tar is stored here. ".repeat(400)}`;
    const found = regionSentences(text, all(text), wordsIn(text, "gantry"));
    expect(shown(found, text)).toContain("The gantry has a gantry.");
    const [first, last] = [found[0]?.start ?? 0, found.at(-1)?.end ?? 0];
    expect(last - first).toBeLessThanOrEqual(REGION_MAX_CHARS);
  });

  test("the best run has most different matched words, and the first of equals wins", () => {
    const best = (words: readonly Span[], most: number) => shown([bestSentences(TEXT, all(TEXT), words, most)])[0];
    expect(best([...wordsIn(TEXT, "crane"), ...wordsIn(TEXT, "barges")], 30)).toBe("The crane lifts barges.");
    expect(best(wordsIn(TEXT, "crane"), 30)).toBe("A crane stands on it.");
    expect(best(wordsIn(TEXT, "quay"), TEXT.length)).toBe(TEXT);
    expect(best([], 40)).toBe("The quay is old. A crane stands on it.");
  });

  test("a single sentence may be longer than the limit, and a text without sentences is cut to it", () => {
    expect(bestSentences(TEXT, all(TEXT), wordsIn(TEXT, "harbour"), 5)).toEqual({ start: 63, end: 89 });
    expect(bestSentences("   ", { start: 0, end: 3 }, [], 2)).toEqual({ start: 0, end: 2 });
  });

  test("never cut a surrogate pair or leave the window, whatever the text", () => {
    const random = new Random(SEED);
    for (let round = 0; round < 200; round += 1) {
      const text = Array.from({ length: random.integer(1, 6_000) }, () => random.pick(["😀", "a", ". ", " ", "海。", "\n", "word ", "𝒳𝒳"])).join("");
      const words = wordsIn(text, "word").filter(() => random.chance(0.2));
      for (const { start, end } of [...regionSentences(text, all(text), words), bestSentences(text, all(text), words, 600)]) {
        expect(start >= 0 && start <= end && end <= text.length).toBe(true);
        expect(text.slice(start, end).isWellFormed()).toBe(true);
      }
    }
  });
});

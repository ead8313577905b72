import { describe, expect, test } from "bun:test";
import { HIGHLIGHTS_MAX, SNIPPET_MAX_CHARS } from "../../src/base/limits.ts";
import { passage } from "../../src/core/passage.ts";
import type { Span } from "../../src/domain/hit.ts";
import { Random, seedOf } from "../property/random.ts";

function all(text: string): Span {
  return { start: 0, end: text.length };
}

function wordsIn(text: string, word: string): Span[] {
  return [...text.matchAll(new RegExp(word, "gu"))].map(({ index }) => ({ start: index, end: index + word.length }));
}

describe("a snippet", () => {
  test("of a short text is the text", () => {
    expect(passage("a short text", all("a short text"), [])).toEqual({ snippet: "a short text", highlights: [] });
    expect(passage("", { start: 0, end: 0 }, [])).toEqual({ snippet: "", highlights: [] });
  });

  test("stands where most matched words are, and ends at words", () => {
    const text = `${"filler word ".repeat(60)}the crane and the crane and a crane ${"other thing ".repeat(60)}crane`;
    const { snippet, highlights } = passage(text, all(text), wordsIn(text, "crane"));
    expect(snippet.match(/crane/g)?.length).toBe(3);
    expect(snippet.length).toBeLessThanOrEqual(SNIPPET_MAX_CHARS);
    expect(` ${text} `).toContain(` ${snippet} `);
    expect(highlights).toEqual(wordsIn(text, "crane"));
  });

  test("stays inside its window", () => {
    const text = `${"outside ".repeat(50)}${"inside ".repeat(20)}${"beyond ".repeat(50)}`;
    const window = { start: 400, end: 540 };
    expect(passage(text, window, []).snippet).toBe("inside ".repeat(20).trim());
  });

  test("has a limited number of highlights", () => {
    const text = "x ".repeat(500);
    expect(passage(text, all(text), wordsIn(text, "x")).highlights.length).toBe(HIGHLIGHTS_MAX);
  });

  test("never cuts a surrogate pair, leaves its window or grows too long, whatever the text", () => {
    const random = new Random(seedOf("passage", 12));
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
      const { snippet } = passage(text, window, words);
      expect(snippet.isWellFormed()).toBe(true);
      expect(text.slice(window.start, window.end)).toContain(snippet);
      expect(snippet.length).toBeLessThanOrEqual(SNIPPET_MAX_CHARS);
    }
  });
});

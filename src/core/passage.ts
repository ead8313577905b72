/** What a hit shows of its text: the passage around the matched words, and where those words stand. */
import { HIGHLIGHTS_MAX, SNIPPET_MAX_CHARS } from "../base/limits.ts";
import type { Span } from "../domain/hit.ts";

export interface Passage {
  snippet: string;
  highlights: Span[];
}

/** A snippet may reach this far to end at a word. */
const WORD_SLACK_CHARS = 24;
/** What is chosen before both ends may grow to a word. */
const CORE_MAX_CHARS = SNIPPET_MAX_CHARS - 2 * WORD_SLACK_CHARS;

/**
 * The passage of `text` to show. `window` is the part that matched best and `words` the matched words
 * in it, as offsets into `text`.
 */
export function passage(text: string, window: Span, words: readonly Span[]): Passage {
  const { start, end } = densest(window, words);
  return {
    snippet: text.slice(wordStart(text, start, window.start), wordEnd(text, end, window.end)).trim(),
    highlights: words.slice(0, HIGHLIGHTS_MAX),
  };
}

/** The stretch of CORE_MAX_CHARS inside the window that holds most matched words, the first of equals; a short window is shown whole. */
function densest(window: Span, words: readonly Span[]): Span {
  if (window.end - window.start <= SNIPPET_MAX_CHARS) return window;
  let best: Span = { start: window.start, end: window.start + CORE_MAX_CHARS };
  let most = 0;
  let last = 0;
  for (let first = 0; first < words.length; first += 1) {
    const from = words[first] as Span;
    while (last < words.length && (words[last] as Span).end <= from.start + CORE_MAX_CHARS) last += 1;
    if (last - first <= most) continue;
    most = last - first;
    best = around(window, { start: from.start, end: (words[last - 1] as Span).end });
  }
  return best;
}

/** The matched stretch with equal room on both sides, inside the window. */
function around(window: Span, matched: Span): Span {
  const room = Math.max(0, CORE_MAX_CHARS - (matched.end - matched.start));
  const start = Math.max(window.start, matched.start - Math.floor(room / 2));
  return { start, end: Math.min(window.end, start + CORE_MAX_CHARS) };
}

function wordStart(text: string, at: number, floor: number): number {
  for (let index = at; index > floor && at - index < WORD_SLACK_CHARS; index -= 1) {
    if (/\s/.test(text[index - 1] ?? "")) return index;
  }
  return whole(text, at);
}

function wordEnd(text: string, at: number, ceiling: number): number {
  for (let index = at; index < ceiling && index - at < WORD_SLACK_CHARS; index += 1) {
    if (/\s/.test(text[index] ?? "")) return index;
  }
  return whole(text, Math.min(at, ceiling));
}

/** Moves off the middle of a surrogate pair. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

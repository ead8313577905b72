/** Snippets, and the sentences around a match. Spans are UTF-16 offsets into the whole text. */
import { HIGHLIGHTS_MAX, REGION_MAX_CHARS, SNIPPET_MAX_CHARS } from "../base/limits.ts";
import type { Span } from "../base/span.ts";
import { sentences } from "./sentences.ts";

export interface Snippet {
  snippet: string;
  highlights: Span[];
}

/** How far each end of a snippet may move to reach a word border. */
const WORD_SLACK_CHARS = 24;
/** The length that leaves room for both ends to move. */
const CORE_MAX_CHARS = SNIPPET_MAX_CHARS - 2 * WORD_SLACK_CHARS;

/**
 * The part of `text` to show. `window` is the part that matched best and `words` the matched words
 * in it, as offsets into `text`.
 */
export function snippetOf(text: string, window: Span, words: readonly Span[]): Snippet {
  const { start, end } = densest(window, words, SNIPPET_MAX_CHARS, CORE_MAX_CHARS);
  return {
    snippet: text.slice(wordStart(text, start, window.start), wordEnd(text, end, window.end)).trim(),
    highlights: words.slice(0, HIGHLIGHTS_MAX),
  };
}

/** The sentences of the region: the window, or, of a window above REGION_MAX_CHARS, the part with most matched words. */
export function regionSentences(text: string, window: Span, words: readonly Span[]): Span[] {
  const region = densest(window, words, REGION_MAX_CHARS, REGION_MAX_CHARS);
  const [start, end] = [whole(text, region.start), whole(text, region.end)];
  return sentences(text.slice(start, end)).map((span) => ({ start: span.start + start, end: span.end + start }));
}

/** The run of whole sentences with most different matched words, the first of equals: at most `maxChars` long, or a single sentence. */
export function bestSentences(text: string, window: Span, words: readonly Span[], maxChars: number): Span {
  const spans = regionSentences(text, window, words);
  let best: Span = { start: window.start, end: Math.min(window.end, window.start + maxChars) };
  let most = -1;
  spans.forEach((first, index) => {
    let last = first;
    for (const span of spans.slice(index + 1)) {
      if (span.end - first.start > maxChars) break;
      last = span;
    }
    const inside = words.filter(({ start, end }) => start >= first.start && end <= last.end);
    const different = new Set(inside.map(({ start, end }) => text.slice(start, end).toLowerCase())).size;
    if (different <= most) return;
    most = different;
    best = { start: first.start, end: last.end };
  });
  return best;
}

/**
 * A window longer than `most` is cut to the `core` characters inside it that hold most matched words, the
 * first of equals.
 */
function densest(window: Span, words: readonly Span[], most: number, core: number): Span {
  if (window.end - window.start <= most) return window;
  let best: Span = { start: window.start, end: window.start + core };
  let found = 0;
  let last = 0;
  for (let first = 0; first < words.length; first += 1) {
    const from = words[first] as Span;
    while (last < words.length && (words[last] as Span).end <= from.start + core) last += 1;
    if (last - first <= found) continue;
    found = last - first;
    best = around(window, { start: from.start, end: (words[last - 1] as Span).end }, core);
  }
  return best;
}

/** The span of the matched words with equal room on both sides, inside the window. */
function around(window: Span, matched: Span, core: number): Span {
  const room = Math.max(0, core - (matched.end - matched.start));
  const start = Math.max(window.start, matched.start - Math.floor(room / 2));
  return { start, end: Math.min(window.end, start + core) };
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

/** `at`, moved to the front of a surrogate pair when it lies inside one. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

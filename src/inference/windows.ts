/** Cuts a text into overlapping windows that fit the encoder. Pure; knows a tokenizer by its `encode` alone. */
import { assert } from "../base/fault.ts";
import type { Span } from "../base/span.ts";

/** A word of more tokens than this may be cut inside: 64 is half the overlap of two windows. */
const WINDOW_PIECE_MAX_TOKENS = 64;

/** A span of the text with the token ids of exactly that span, without [CLS] and [SEP]. */
export interface TokenWindow extends Span {
  ids: number[];
}

/** `budget`: tokens a window holds at most. `stride`: tokens from one window's start to the next one's, about. */
export interface WindowSize {
  budget: number;
  stride: number;
}

type Encode = (text: string) => number[];

/** How a tokenizer divides a text: its words, and the tokens that a part of a word adds, which alone would be `tokens` many. */
export interface Division {
  word: RegExp;
  inside(tokens: number): number;
}

/** Where a cut falls, the better the higher. */
const INSIDE_WORD = 0;
const BETWEEN_WORDS = 1;
const AFTER_SENTENCE = 2;

/** A part of the text that no cut divides. */
interface Piece extends Span {
  tokens: number;
  /** Where a cut just before this piece falls. */
  cut: number;
}

/** The pieces of a text in order, the tokens before each (and in all), and the ids of the whole text. */
interface Pieces {
  list: Piece[];
  before: number[];
  ids: number[];
}

/**
 * A word as WordPiece divides text: a CJK ideograph, or a run without white space. Control and format characters,
 * which the tokenizer drops, do not end a word. The ids of a text are those of its words in order.
 */
const WORDPIECE_WORD =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\t\n\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/gu;
/** What stands between two of the characters that the multilingual tokenizer takes as spaces. */
const UNIGRAM_WORD = /[^\t\n\f\r \xa0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u3000\ufeff\ufffd]+/gu;

export const WORDPIECE: Division = { word: WORDPIECE_WORD, inside: (tokens) => tokens };
/** A part alone has the mark of a word before it, as a token of its own or in its first one. */
export const UNIGRAM: Division = { word: UNIGRAM_WORD, inside: (tokens) => (tokens === 0 ? 0 : Math.max(1, tokens - 1)) };

/** A punctuation character as the tokenizer sees it (each is a word for it), or a run of other characters. */
const FRAGMENT = /[\p{P}$+<=>^`|~]|[^\p{P}$+<=>^`|~]+/gu;
const CODE_POINT = /./gsu;
const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/u;
/** Characters before a cut that show whether a sentence ends there. */
const SENTENCE_TAIL_CHARS = 4;

/**
 * The windows of `text`, in order: at least one, together covering all of it, each of at most `size.budget` tokens,
 * cut after a sentence, else between words, else (in words of many tokens) between code points.
 * Linear in the length of the text.
 */
export function textWindows(text: string, encode: Encode, size: WindowSize, division = WORDPIECE): TokenWindow[] {
  const overlap = size.budget - size.stride;
  assert(overlap >= WINDOW_PIECE_MAX_TOKENS && size.stride > 2 * overlap, "windows overlap by about a quarter");
  const pieces = splitPieces(text, encode, division);
  if (pieces.ids.length <= size.budget) return [{ start: 0, end: text.length, ids: pieces.ids }];

  const windows: TokenWindow[] = [];
  for (let first = 0; ; ) {
    const { window, next } = cutWindow(text, encode, pieces, first, size);
    windows.push(window);
    if (next === pieces.list.length) return windows;
    const end = pieces.before[next] ?? 0;
    const restart = bestCut(pieces, next, { least: end - overlap * 1.5, most: end - overlap / 2, wanted: end - overlap });
    assert(restart > first && restart < next, "windows advance and overlap");
    first = restart;
  }
}

/** The window that starts with piece `first`, and the piece after its last one. */
function cutWindow(text: string, encode: Encode, pieces: Pieces, first: number, size: WindowSize): { window: TokenWindow; next: number } {
  const { list, before } = pieces;
  const origin = before[first] ?? 0;
  let next = first;
  while (next < list.length && (before[next + 1] ?? 0) - origin <= size.budget) next++;
  if (next < list.length) {
    next = bestCut(pieces, next, { least: origin + size.stride, most: origin + size.budget, wanted: origin + size.budget });
  }
  for (;;) {
    const start = first === 0 ? 0 : (list[first]?.start ?? 0);
    const end = next === list.length ? text.length : (list[next - 1]?.end ?? 0);
    const ids = encode(text.slice(start, end));
    if (ids.length <= size.budget) return { window: { start, end, ids }, next };
    // Parts of a divided word may make a few tokens more together than apart.
    const excess = ids.length - size.budget;
    for (const reached = before[next] ?? 0; reached - (before[next] ?? 0) < excess; next--) assert(next > first + 1, "a piece fits a window");
  }
}

/** The best cut at or before piece `from` with `least` to `most` tokens before it: the best kind, then the nearest to `wanted`. */
function bestCut(pieces: Pieces, from: number, range: { least: number; most: number; wanted: number }): number {
  let best = -1;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let index = from; index > 0 && (pieces.before[index] ?? 0) >= range.least; index--) {
    const tokens = pieces.before[index] ?? 0;
    if (tokens > range.most) continue;
    const score = (pieces.list[index]?.cut ?? INSIDE_WORD) * range.most - Math.abs(tokens - range.wanted);
    if (score <= bestScore) continue;
    best = index;
    bestScore = score;
  }
  return best === -1 ? from : best;
}

function splitPieces(text: string, encode: Encode, division: Division): Pieces {
  const pieces: Pieces = { list: [], before: [0], ids: [] };
  for (const match of text.matchAll(division.word)) {
    const ids = encode(match[0]);
    for (const id of ids) pieces.ids.push(id);
    if (ids.length <= WINDOW_PIECE_MAX_TOKENS) pushPiece(pieces, text, match.index, match[0].length, ids.length, true);
    else splitWord(pieces, text, match.index, match[0], (part) => division.inside(encode(part).length));
  }
  return pieces;
}

/** Divides a word of many tokens: at punctuation, and what is still long between code points. */
function splitWord(pieces: Pieces, text: string, offset: number, word: string, tokensOf: (part: string) => number): void {
  for (const fragment of word.matchAll(FRAGMENT)) {
    const tokens = tokensOf(fragment[0]);
    const start = offset + fragment.index;
    if (tokens <= WINDOW_PIECE_MAX_TOKENS) {
      pushPiece(pieces, text, start, fragment[0].length, tokens, fragment.index === 0);
      continue;
    }
    for (const point of fragment[0].matchAll(CODE_POINT)) {
      pushPiece(pieces, text, start + point.index, point[0].length, tokensOf(point[0]), fragment.index + point.index === 0);
    }
  }
}

function pushPiece(pieces: Pieces, text: string, start: number, chars: number, tokens: number, startsWord: boolean): void {
  const previousEnd = pieces.list.at(-1)?.end ?? 0;
  pieces.list.push({ start, end: start + chars, tokens, cut: cutBetween(text, previousEnd, start, startsWord) });
  pieces.before.push((pieces.before.at(-1) ?? 0) + tokens);
}

function cutBetween(text: string, previousEnd: number, start: number, startsWord: boolean): number {
  const gap = text.slice(previousEnd, start);
  if (gap.includes("\n")) return AFTER_SENTENCE;
  const tail = text.slice(Math.max(0, previousEnd - SENTENCE_TAIL_CHARS), previousEnd);
  // A full stop inside a word is a decimal point or an address; the wide ones end sentences without a space.
  const ended = gap === "" ? /[。！？]$/u.test(tail) : SENTENCE_END.test(tail);
  if (ended) return AFTER_SENTENCE;
  return startsWord ? BETWEEN_WORDS : INSIDE_WORD;
}

/** Cuts text into chunks, each a Unit of its own. */
import { CHUNK_MAX_CHARS, CHUNK_SECTION_MIN_CHARS, CHUNK_TARGET_CHARS, TEXT_WINDOW_CHARS } from "../../base/limits.ts";
import type { Span } from "../../base/span.ts";
import { isHeading, sentences } from "../../text/sentences.ts";

/** `text` is the slice from `start` to `end` of the whole, in UTF-16 units. */
export interface Chunk extends Span {
  text: string;
}

/** Whether a paragraph of one line, which begins at `start`, is a heading. */
export type IsTitle = (line: string, start: number) => boolean;

/** A piece that is never cut: a paragraph, or a sentence of a paragraph longer than a chunk. */
interface Atom extends Span {
  heading: boolean;
  /** A paragraph begins here. */
  opens: boolean;
}

/**
 * The chunks of `whole` in order: trimmed, without overlap, and together everything but blanks. They close at the
 * first paragraph after CHUNK_TARGET_CHARS and before CHUNK_MAX_CHARS, at a sentence where a paragraph is longer, and
 * never between a heading and what follows it. `isTitle` tells headings of one line; the default knows Markdown's and
 * short lines without a full stop.
 */
export function chunk(whole: string, isTitle: IsTitle = looksLikeTitle): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Atom[] = [];
  const close = (keep: number) => {
    const [first, last] = [open[0], open[keep - 1]];
    if (first !== undefined && last !== undefined) chunks.push({ start: first.start, end: last.end, text: whole.slice(first.start, last.end) });
    open = open.slice(keep);
  };
  for (const atom of atoms(whole, isTitle)) {
    const start = open[0]?.start ?? atom.start;
    const length = (open.at(-1)?.end ?? start) - start;
    const full = atom.end - start > CHUNK_MAX_CHARS;
    const enough = length >= CHUNK_TARGET_CHARS && atom.opens;
    const section = length >= CHUNK_SECTION_MIN_CHARS && atom.heading && open.at(-1)?.heading !== true;
    if (full || enough || section) close(open.length - trailingHeadings(open));
    // The headings kept open may leave too little room for the atom that they lead to.
    if (open.length > 0 && atom.end - (open[0]?.start ?? 0) > CHUNK_MAX_CHARS) close(open.length);
    open.push(atom);
  }
  close(open.length);
  return chunks;
}

/** How many headings end `open`: they go to the next chunk. 0 when there is nothing else, so that a chunk closes. */
function trailingHeadings(open: readonly Atom[]): number {
  const last = open.findLastIndex((atom) => !atom.heading);
  return last === -1 ? 0 : open.length - 1 - last;
}

function* atoms(whole: string, isTitle: IsTitle): Generator<Atom> {
  for (const { start, end } of paragraphs(whole)) {
    const text = whole.slice(start, end);
    if (text.length <= CHUNK_MAX_CHARS) {
      yield { start, end, opens: true, heading: text.includes("\n") ? UNDERLINED_TITLE.test(text) : isTitle(text, start) };
      continue;
    }
    let opens = true;
    for (const sentence of sentences(text)) {
      yield { start: start + sentence.start, end: start + sentence.end, opens, heading: false };
      opens = false;
    }
  }
}

/** The text between blank lines, trimmed. A Markdown heading is a paragraph of its own. */
function* paragraphs(whole: string): Generator<Span> {
  let start = -1;
  let end = -1;
  for (let from = 0; from < whole.length; ) {
    const newline = whole.indexOf("\n", from);
    const to = newline === -1 ? whole.length : newline;
    const line = whole.slice(from, to);
    const trimmed = line.trim();
    const at = to - line.trimStart().length;
    const title = MARKDOWN_TITLE.test(trimmed);
    if (start !== -1 && (trimmed === "" || title)) {
      yield { start, end };
      start = -1;
    }
    if (title) yield { start: at, end: at + trimmed.length };
    else if (trimmed !== "") {
      if (start === -1) start = at;
      end = at + trimmed.length;
    }
    from = to + 1;
  }
  if (start !== -1) yield { start, end };
}

/** An ATX heading. */
const MARKDOWN_TITLE = /^#{1,6}\s+\S/;

/** A Markdown heading underlined with equals signs. */
const UNDERLINED_TITLE = /^[^\n]+\n=+$/;

function looksLikeTitle(line: string): boolean {
  return MARKDOWN_TITLE.test(line) || isHeading(line);
}

/**
 * The chunks of a text that comes in pieces, with offsets into the whole. The text is cut in windows of TEXT_WINDOW_CHARS;
 * the last chunk of a window is cut again with the next one, since it may go on.
 */
export function* chunkPieces(pieces: Iterable<string>, isTitle: IsTitle = looksLikeTitle): Generator<Chunk> {
  let window = "";
  let base = 0;
  const isTitleHere: IsTitle = (line, start) => isTitle(line, base + start);
  for (const piece of pieces) {
    window += piece;
    if (window.length < TEXT_WINDOW_CHARS) continue;
    const found = chunk(window, isTitleHere);
    const last = found.at(-1);
    for (const each of found.slice(0, -1)) yield shifted(each, base);
    const kept = last?.start ?? window.length;
    base += kept;
    window = window.slice(kept);
  }
  for (const each of chunk(window, isTitleHere)) yield shifted(each, base);
}

function shifted({ start, end, text }: Chunk, by: number): Chunk {
  return { start: start + by, end: end + by, text };
}

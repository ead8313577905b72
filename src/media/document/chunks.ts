/** Cuts text into chunks, each a Unit of its own. */
import { CHUNK_MAX_CHARS, CHUNK_SECTION_MIN_CHARS, CHUNK_TARGET_CHARS } from "../../base/limits.ts";
import type { Span } from "../../base/span.ts";
import { isHeading, sentences } from "../../text/sentences.ts";

/** `text` is the slice from `start` to `end` of the whole, in UTF-16 units. */
export interface Chunk extends Span {
  text: string;
}

/** A piece that is never cut: a paragraph, or a sentence of a paragraph longer than a chunk. */
interface Atom extends Span {
  heading: boolean;
  /** A paragraph begins here. */
  opens: boolean;
}

/**
 * The chunks of `whole` in order: trimmed, without overlap, and together everything but blanks. They close at the
 * first paragraph after CHUNK_TARGET_CHARS and before CHUNK_MAX_CHARS, at a sentence where a paragraph is longer, and
 * never between a heading and what follows it. Headings are Markdown's and short lines
 * without a full stop.
 */
export function chunk(whole: string): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Atom[] = [];
  const close = (keep: number) => {
    const [first, last] = [open[0], open[keep - 1]];
    if (first !== undefined && last !== undefined) chunks.push({ start: first.start, end: last.end, text: whole.slice(first.start, last.end) });
    open = open.slice(keep);
  };
  for (const atom of atoms(whole)) {
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

function* atoms(whole: string): Generator<Atom> {
  for (const { start, end } of paragraphs(whole)) {
    const text = whole.slice(start, end);
    if (text.length <= CHUNK_MAX_CHARS) {
      yield { start, end, opens: true, heading: text.includes("\n") ? UNDERLINED_TITLE.test(text) : looksLikeTitle(text) };
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

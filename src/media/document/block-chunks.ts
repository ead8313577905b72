/** Chunks of documents in blocks: each a slice of the document's text under one path. */
import { CHUNK_GAP_MAX_CHARS, CHUNK_LEAD_MIN_WORDS, CHUNK_MAX_CHARS, CHUNK_TARGET_WORDS } from "../../base/limits.ts";
import type { Locator } from "../../domain/locator.ts";
import { sentences } from "../../text/sentences.ts";
import { type Block, type BlockKind, isUnder, type Path } from "./blocks.ts";

export interface BlockChunk {
  text: string;
  path: Path;
  /** `char_span` into the document's text, or the `line_range` of rows that have one. */
  locator: Locator;
}

/** What is never cut: a block, or a sentence, line or cell of a block longer than a chunk. */
interface Piece extends Block {
  start: number;
  words: number;
}

/**
 * The chunks of a document, in order. A chunk closes where the path changes, and at the first block after
 * CHUNK_TARGET_WORDS that is not joined to the one before; never does it exceed CHUNK_MAX_CHARS. Where it closes
 * inside a list, the paragraph that opens the list goes with it if enough stands before. Headings are in the path and
 * in no chunk, but for one with nothing below it, which makes a chunk with those of its kind right before and after it.
 */
export function* chunkBlocks(blocks: Iterable<Block>): Generator<BlockChunk> {
  const open: Piece[] = [];
  const bare: Piece[] = [];
  let heading: Piece | null = null;
  let offset = 0;
  for (const block of blocks) {
    const start = block.start ?? offset + block.before.length;
    offset = start + block.text.length;
    if (heading !== null && !isBelow(block, heading)) bare.push(aboveItself(heading));
    heading = null;
    if (bare.length > 0 && closesHeadings(bare, block, start)) yield chunkOf(bare.splice(0));
    if (block.kind === "heading") {
      if (open.length > 0) yield chunkOf(open.splice(0));
      heading = { ...block, start, words: wordsIn(block.text) };
      continue;
    }
    if (isTermAbove(open, block)) open.length = 0;
    for (const piece of pieces(block, start)) {
      for (let close = closing(open, piece); close > 0; close = closing(open, piece)) yield chunkOf(open.splice(0, close));
      open.push(piece);
    }
  }
  if (open.length > 0) yield chunkOf(open);
  if (heading !== null) bare.push(aboveItself(heading));
  if (bare.length > 0) yield chunkOf(bare);
}

/** Whether a block stands below a heading, or is a heading of its section. */
function isBelow({ path, kind }: Block, heading: Block): boolean {
  return isUnder(path, heading.path) && path.length >= heading.path.length + (kind === "heading" ? 1 : 0);
}

/** Whether nothing is open but a term that stands over `next`, as a heading does: it is in the path. */
function isTermAbove(open: readonly Piece[], { path }: Block): boolean {
  const [first] = open;
  return first !== undefined && open.every(({ kind }) => kind === "term") && path.length > first.path.length && isUnder(path, first.path);
}

/** A heading with nothing below it: it stands under what is above it. */
function aboveItself(heading: Piece): Piece {
  return { ...heading, path: heading.path.slice(0, -1) };
}

/** Whether a chunk of headings with nothing below them ends before `next`: anything but a heading beside them. */
function closesHeadings(headings: readonly Piece[], next: Block, start: number): boolean {
  const [first, last] = [headings[0] as Piece, headings.at(-1) as Piece];
  if (next.kind !== "heading" || next.path.length !== first.path.length + 1 || !isUnder(next.path, first.path)) return true;
  if (start - (last.start + last.text.length) > CHUNK_GAP_MAX_CHARS || start + next.text.length - first.start > CHUNK_MAX_CHARS) return true;
  return headings.reduce((sum, { words }) => sum + words, 0) >= CHUNK_TARGET_WORDS;
}

/** How many of the open pieces are to be closed before `next` joins them. */
function closing(open: readonly Piece[], next: Piece): number {
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return 0;
  if (first.path !== next.path || (first.lines === undefined) !== (next.lines === undefined)) return open.length;
  const full = next.start + next.text.length - first.start > CHUNK_MAX_CHARS;
  const words = open.reduce((sum, piece) => sum + piece.words, 0);
  if (!full && (words < CHUNK_TARGET_WORDS || next.joined)) return 0;
  const lead = last.group === next.group ? open.findIndex(({ group }) => group === next.group) : 0;
  const before = open.slice(0, Math.max(0, lead)).reduce((sum, piece) => sum + piece.words, 0);
  return before >= CHUNK_LEAD_MIN_WORDS ? lead : open.length;
}

function chunkOf(pieces: readonly Piece[]): BlockChunk {
  const [first, last] = [pieces[0] as Piece, pieces.at(-1) as Piece];
  const text = pieces.map(({ before, text }, index) => (index === 0 ? "" : before) + text).join("");
  const inLines = first.lines !== undefined && last.lines !== undefined;
  const locator: Locator = inLines
    ? { kind: "line_range", start: first.lines?.start ?? 1, end: last.lines?.end ?? 1 }
    : { kind: "char_span", start: first.start, end: last.end ?? last.start + last.text.length };
  return { text, path: first.path, locator };
}

/** Where a block that is longer than a chunk may be cut. */
const BORDERS: Partial<Record<BlockKind, RegExp>> = { code: /\n/g, row: / (?=\| )/g, term: /\n/g };

function* pieces(block: Block, start: number): Generator<Piece> {
  if (block.text.length <= CHUNK_MAX_CHARS) {
    yield { ...block, start, words: wordsIn(block.text) };
    return;
  }
  let end = 0;
  const { end: _, ...inside } = block;
  for (const span of spansOf(block)) {
    const text = block.text.slice(span.start, span.end);
    const before = end === 0 ? block.before : block.text.slice(end, span.start);
    yield { ...inside, text, before, joined: end === 0 && block.joined, start: start + span.start, words: wordsIn(text) };
    end = span.end;
  }
}

/** The parts of a long block between blanks, in order. Each is at most CHUNK_MAX_CHARS long. */
function* spansOf({ kind, text }: Block): Generator<{ start: number; end: number }> {
  const border = BORDERS[kind];
  if (border === undefined) {
    yield* sentences(text);
    return;
  }
  let from = 0;
  for (const to of [...Array.from(text.matchAll(border), ({ index }) => index), text.length]) {
    const part = text.slice(from, to);
    if (part.trim() !== "") {
      const [start, end] = [to - part.length, from + part.trimEnd().length];
      if (end - start <= CHUNK_MAX_CHARS) yield { start, end };
      else for (const cut of sentences(text.slice(start, end))) yield { start: start + cut.start, end: start + cut.end };
    }
    from = to + 1;
  }
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

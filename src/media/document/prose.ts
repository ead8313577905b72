/** Documents without pages: plain text, Markdown, HTML, DOCX, tables in text. */
import { DOCUMENT_PART_UNITS } from "../../base/limits.ts";
import type { ExtractedUnit, Extraction, SourceFile } from "../../domain/media.ts";
import { type BlockChunk, chunkBlocks } from "./block-chunks.ts";
import { openDocx } from "./docx.ts";
import { HtmlText } from "./html.ts";
import { Markdown } from "./markdown.ts";
import { plainBlocks } from "./plain-text.ts";
import { CSV_MIME, DOCX_MIME, JSON_LINES_MIME, TSV_MIME } from "../format.ts";
import { DelimitedRows, JsonRows } from "./records.ts";
import { textPieces } from "../text-encoding.ts";

/** A document as a stream of chunks. */
interface Prose {
  chunks: Iterable<BlockChunk>;
  /** Null as long as none has been read. */
  title(): string | null;
  /** What was left out so far, for people. */
  notes(): string[];
  /** 0-1. */
  progress(): number;
  close(): void;
}

/**
 * `chunk` Units with their path and a `char_span` in UTF-16 units: for plain text and Markdown into the file's text as
 * `textPieces` gives it, for HTML and DOCX into their text block by block (blocks.ts). Rows of tables in text have the `line_range` of theirs. Metadata: `title` where the
 * document has one. Errors: Fault `bad_request`.
 */
export async function* extractProse(file: SourceFile, from: number): Extraction {
  const prose = open(file);
  try {
    let part = 0;
    let units: ExtractedUnit[] = [];
    for (const chunk of prose.chunks) {
      if (units.length === DOCUMENT_PART_UNITS) {
        if (part >= from) yield { part, progress: Math.min(0.99, prose.progress()), stage: "text", units, notes: [] };
        part += 1;
        units = [];
      }
      units.push(unitOf(chunk, prose.title()));
    }
    const notes = part === 0 && units.length === 0 ? ["the document has no text"] : prose.notes();
    if (part >= from) yield { part, progress: 1, stage: "text", units, notes };
  } finally {
    prose.close();
  }
}

function unitOf({ text, path, locator }: BlockChunk, title: string | null): ExtractedUnit {
  return { modality: "chunk", path: [...path], text, locator, metadata: title === null ? {} : { title }, features: null };
}

function open(file: SourceFile): Prose {
  const { mime } = file.format;
  if (mime === CSV_MIME || mime === TSV_MIME) return openRows(file, new DelimitedRows(mime === TSV_MIME ? "\t" : null));
  if (mime === JSON_LINES_MIME) return openRows(file, new JsonRows());
  if (mime === DOCX_MIME) return openDocxProse(file);
  if (mime === "text/html") return openHtml(file);
  return mime === "text/markdown" ? openMarkdown(file) : openPlain(file);
}

/** The pieces of a text file, progress by their characters, each of which is a byte or more, and what of it could not be read. */
function counted(file: SourceFile, html = false): { pieces: Generator<string>; progress: () => number; unread: string[] } {
  let done = 0;
  const unread: string[] = [];
  function* pieces() {
    for (const piece of textPieces(file.path, { html, notes: unread })) {
      done += piece.length;
      yield piece;
    }
  }
  return { pieces: pieces(), progress: () => Math.min(1, done / file.bytes), unread };
}

function openPlain(file: SourceFile): Prose {
  const { pieces, progress, unread } = counted(file);
  return { chunks: chunkBlocks(plainBlocks(pieces)), title: () => null, notes: () => unread, progress, close: () => {} };
}

function openMarkdown(file: SourceFile): Prose {
  const { pieces, progress, unread } = counted(file);
  const text = new Markdown();
  return { chunks: chunkBlocks(text.read(pieces)), title: () => text.title, notes: () => [...unread, ...text.notes], progress, close: () => {} };
}

function openRows(file: SourceFile, rows: DelimitedRows | JsonRows): Prose {
  const { pieces, progress, unread } = counted(file);
  return { chunks: chunkBlocks(rows.read(pieces)), title: () => null, notes: () => [...unread, ...rows.notes], progress, close: () => {} };
}

function openHtml(file: SourceFile): Prose {
  let text = counted(file, true);
  let page = new HtmlText();
  function* blocks() {
    let shown = false;
    for (const block of page.read(text.pieces)) {
      shown = true;
      yield block;
    }
    if (shown) return;
    // A page that is nothing but navigation is read as a page after all.
    text = counted(file, true);
    page = new HtmlText(true);
    yield* page.read(text.pieces);
  }
  const notes = () => [...text.unread, ...page.notes];
  return { chunks: chunkBlocks(blocks()), title: () => page.title, notes, progress: () => text.progress(), close: () => {} };
}

function openDocxProse(file: SourceFile): Prose {
  const docx = openDocx(file.path);
  return { chunks: chunkBlocks(docx.blocks()), title: () => docx.title, notes: () => docx.notes, progress: docx.progress, close: docx.close };
}

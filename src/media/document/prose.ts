/** Documents without pages: plain text, Markdown, HTML, DOCX. */
import { DOCUMENT_PART_UNITS, HEADING_MAX_CHARS } from "../../base/limits.ts";
import type { ExtractedUnit, Extraction, SourceFile } from "../../domain/media.ts";
import type { Block } from "./blocks.ts";
import { openDocx } from "./docx.ts";
import { HtmlText } from "./html.ts";
import { type Chunk, chunkPieces, type IsTitle } from "./chunks.ts";
import { MarkdownOutline, withoutFrontMatter } from "./markdown.ts";
import { DOCX_MIME } from "../format.ts";
import { textPieces } from "../text-encoding.ts";

/** Between a heading and the block after it. */
const PARAGRAPH_BREAK = "\n\n";

/** A document as a stream of text. `char_span` locators count in the joined pieces. */
interface Prose {
  pieces: Iterable<string>;
  isTitle?: IsTitle;
  /** Null as long as none has been read. */
  title(): string | null;
  /** The heading that a chunk is under. Call it once for each chunk, in order. */
  headingOver(chunk: Chunk): string | null;
  /** 0-1. */
  progress(): number;
  close(): void;
}

/**
 * `chunk` Units with a `char_span` in UTF-16 units: for plain text and Markdown into the file's text as `textPieces`
 * gives it, for HTML and DOCX into their visible text, block by block. Metadata: `title` and `heading` (the nearest
 * above) where the document has them. Errors: Fault `bad_request`.
 */
export async function* extractProse(file: SourceFile, from: number): Extraction {
  const prose = open(file);
  try {
    let part = 0;
    let units: ExtractedUnit[] = [];
    for (const chunk of chunkPieces(prose.pieces, prose.isTitle)) {
      if (units.length === DOCUMENT_PART_UNITS) {
        if (part >= from) yield { part, progress: Math.min(0.99, prose.progress()), stage: "text", units, notes: [] };
        part += 1;
        units = [];
      }
      units.push(unitOf(chunk, prose.title(), prose.headingOver(chunk)));
    }
    const notes = part === 0 && units.length === 0 ? ["the document has no text"] : [];
    if (part >= from) yield { part, progress: 1, stage: "text", units, notes };
  } finally {
    prose.close();
  }
}

function unitOf({ start, end, text }: Chunk, title: string | null, heading: string | null): ExtractedUnit {
  return {
    modality: "chunk",
    path: [],
    text,
    locator: { kind: "char_span", start, end },
    metadata: { ...(title === null ? {} : { title }), ...(heading === null ? {} : { heading }) },
    features: null,
  };
}

function open(file: SourceFile): Prose {
  if (file.format.mime === DOCX_MIME) return openDocxProse(file);
  if (file.format.mime === "text/html") return openHtml(file);
  return file.format.mime === "text/markdown" ? openMarkdown(file) : openPlain(file);
}

/** The pieces of a text file, and progress by their characters, each of which is a byte or more. */
function counted(file: SourceFile, html = false): { pieces: Generator<string>; progress: () => number } {
  let done = 0;
  function* pieces() {
    for (const piece of textPieces(file.path, { html })) {
      done += piece.length;
      yield piece;
    }
  }
  return { pieces: pieces(), progress: () => Math.min(1, done / file.bytes) };
}

function openPlain(file: SourceFile): Prose {
  return { ...counted(file), title: () => null, headingOver: () => null, close: () => {} };
}

function openMarkdown(file: SourceFile): Prose {
  const { pieces, progress } = counted(file);
  const outline = new MarkdownOutline();
  return {
    pieces: withoutFrontMatter(pieces, (title) => {
      outline.title = title;
    }),
    title: () => outline.title,
    headingOver: ({ text }) => outline.over(text),
    progress,
    close: () => {},
  };
}

function openHtml(file: SourceFile): Prose {
  const { pieces, progress } = counted(file, true);
  const page = new HtmlText();
  function* blocks() {
    for (const piece of pieces) yield* page.write(piece);
    yield* page.end();
  }
  return { ...blockProse(blocks()), title: () => page.title, progress, close: () => {} };
}

function openDocxProse(file: SourceFile): Prose {
  const docx = openDocx(file.path);
  return { ...blockProse(docx.blocks()), title: () => docx.title, progress: docx.progress, close: docx.close };
}

/** The pieces of a document of blocks, with headings by the offsets of their blocks. */
function blockProse(blocks: Iterable<Block>): Pick<Prose, "pieces" | "isTitle" | "headingOver"> {
  // Headings behind the last chunk, by their offset: the text is read ahead of the chunks by a window.
  const ahead = new Map<number, string>();
  let above: string | null = null;
  function* pieces() {
    let offset = 0;
    for (const block of blocks) {
      offset += block.before.length;
      if (block.heading) ahead.set(offset, block.text);
      offset += block.text.length;
      yield block.before + block.text;
    }
  }
  return {
    pieces: pieces(),
    isTitle: (_line, start) => ahead.has(start),
    headingOver: ({ start, end }) => {
      let [own, last, leading] = [null as string | null, above, start];
      for (const [at, text] of ahead) {
        if (at >= end) break;
        ahead.delete(at);
        last = short(text);
        // A heading at the beginning of the chunk is over it; a later one is over the chunks after it.
        if (at !== leading) continue;
        own = last;
        leading = at + text.length + PARAGRAPH_BREAK.length;
      }
      const over = own ?? above;
      above = last;
      return over;
    },
  };
}

function short(heading: string): string {
  return heading.replace(/\s+/g, " ").slice(0, HEADING_MAX_CHARS).toWellFormed();
}

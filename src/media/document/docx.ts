/** A WordprocessingML document in blocks. Its relationships, fields, macros and embedded files are never read. */
import { Fault } from "../../base/fault.ts";
import { HEADING_MAX_CHARS } from "../../base/limits.ts";
import { Archive } from "./archive.ts";
import { type Block, BlockWriter, headingText } from "./blocks.ts";
import { PartReader } from "./docx-part.ts";
import { type DocxStyles, readNumbering, readStyles } from "./docx-styles.ts";
import { type MarkupHandler, MarkupReader } from "./markup.ts";

const MAIN = "word/document.xml";
/** Read after the main part, in this order. */
const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];
const STYLES = "word/styles.xml";
const NUMBERING = "word/numbering.xml";
const PROPERTIES = "docProps/core.xml";

export interface Docx {
  /** From the document's properties; null when they have none. */
  title: string | null;
  /** What was left out, for people. */
  notes: string[];
  /** Body, then footnotes and endnotes. Errors: Fault `bad_request` when the file is damaged or beyond a limit. */
  blocks(): Generator<Block>;
  /** The share of the text that is read, 0-1, by the sizes in the archive's directory. */
  progress(): number;
  close(): void;
}

/** Opens a DOCX. Errors: Fault `bad_request` when it is damaged, encrypted or beyond a limit. */
export function openDocx(path: string): Docx {
  const archive = new Archive(path);
  try {
    if (!archive.has(MAIN)) throw new Fault("bad_request", `the file is damaged: it has no part ${MAIN}`);
    const title = archive.has(PROPERTIES) ? titleOf(archive) : null;
    const read = (part: string, handler: MarkupHandler) => {
      if (archive.has(part)) readAll(archive, part, handler);
    };
    const styles: DocxStyles = { ...readStyles((handler) => read(STYLES, handler)), lists: readNumbering((handler) => read(NUMBERING, handler)) };
    const parts = [MAIN, ...NOTES.filter((name) => archive.has(name))];
    const total = parts.reduce((sum, name) => sum + archive.declaredBytes(name), 1);
    const notes: string[] = [];
    let done = 0;
    const count = (bytes: number) => {
      done += bytes;
    };
    return {
      title,
      notes,
      blocks: () => blocksOf(archive, parts, new BlockWriter(title), { styles, count, notes }),
      progress: () => Math.min(1, done / total),
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

interface Reading {
  styles: DocxStyles;
  count(bytes: number): void;
  notes: string[];
}

function* blocksOf(archive: Archive, parts: readonly string[], writer: BlockWriter, { styles, count, notes }: Reading): Generator<Block> {
  for (const part of parts) {
    const body = new PartReader(writer, styles, notes);
    const reader = new MarkupReader("xml", body);
    for (const piece of xmlPieces(archive, part)) {
      reader.write(piece);
      count(piece.length);
      yield* writer.take();
    }
    reader.end();
    body.end();
    yield* writer.take();
  }
}

/** XML by its byte order mark, else UTF-8: Word writes no other encoding. */
function* xmlPieces(archive: Archive, part: string): Generator<string> {
  let decoder: TextDecoder | null = null;
  for (const piece of archive.read(part)) {
    decoder ??= new TextDecoder(piece[0] === 0xff && piece[1] === 0xfe ? "utf-16le" : piece[0] === 0xfe && piece[1] === 0xff ? "utf-16be" : "utf-8");
    yield decoder.decode(piece, { stream: true }).replaceAll("\0", " ");
  }
  if (decoder !== null) yield decoder.decode();
}

function readAll(archive: Archive, part: string, handler: MarkupHandler): void {
  const reader = new MarkupReader("xml", handler);
  for (const piece of xmlPieces(archive, part)) reader.write(piece);
  reader.end();
}

function titleOf(archive: Archive): string | null {
  let inside = false;
  let title = "";
  readAll(archive, PROPERTIES, {
    open: (name) => {
      inside = name === "dc:title";
    },
    close: () => {
      inside = false;
    },
    text: (data) => {
      if (inside && title.length < HEADING_MAX_CHARS) title += data.slice(0, HEADING_MAX_CHARS);
    },
  });
  return headingText(title);
}

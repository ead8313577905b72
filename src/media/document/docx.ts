/** The text of a WordprocessingML document in blocks. Its relationships, fields, macros and embedded files are never read. */
import { Fault } from "../../base/fault.ts";
import { HEADING_MAX_CHARS } from "../../base/limits.ts";
import { Archive } from "./archive.ts";
import { type Block, BlockWriter, headingText } from "./blocks.ts";
import { type MarkupHandler, MarkupReader } from "./markup.ts";

const MAIN = "word/document.xml";
/** Read after the main part, in this order. */
const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];
const STYLES = "word/styles.xml";
const PROPERTIES = "docProps/core.xml";

/** Elements whose text is not part of the document: fallback copies of drawings, and what tracked changes removed. */
const SKIPPED: ReadonlySet<string> = new Set(["mc:Fallback", "w:del", "w:moveFrom"]);

type Attributes = Readonly<Record<string, string>>;

export interface Docx {
  /** From the document's properties; null when they have none. */
  title: string | null;
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
    const headings = archive.has(STYLES) ? headingStyles(archive) : new Set<string>();
    const parts = [MAIN, ...NOTES.filter((name) => archive.has(name))];
    const total = parts.reduce((sum, name) => sum + archive.declaredBytes(name), 1);
    let read = 0;
    const count = (bytes: number) => {
      read += bytes;
    };
    return {
      title,
      blocks: () => blocksOf(archive, parts, headings, count),
      progress: () => Math.min(1, read / total),
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

function* blocksOf(archive: Archive, parts: readonly string[], headings: ReadonlySet<string>, count: (bytes: number) => void): Generator<Block> {
  const writer = new BlockWriter();
  for (const part of parts) {
    const reader = new MarkupReader("xml", new PartText(writer, headings));
    for (const piece of xmlPieces(archive, part)) {
      reader.write(piece);
      count(piece.length);
      yield* writer.take();
    }
    reader.end();
    writer.end(2);
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

/** Ids of heading styles: by their name, which is English in every language of Word, or by an outline level. */
function headingStyles(archive: Archive): Set<string> {
  const found = new Set<string>();
  let style: string | null = null;
  readAll(archive, STYLES, {
    open: (name, attributes) => {
      if (name === "w:style") style = attributes["w:styleId"] ?? null;
      if (style === null) return;
      if (name === "w:name" && /^(?:heading [1-9]|title)$/i.test(attributes["w:val"] ?? "")) found.add(style);
      if (name === "w:outlineLvl" && isHeadingLevel(attributes)) found.add(style);
    },
    close: (name) => {
      if (name === "w:style") style = null;
    },
    text: () => {},
  });
  return found;
}

function isHeadingLevel(attributes: Attributes): boolean {
  return /^[0-8]$/.test(attributes["w:val"] ?? "");
}

/** Writes one part of the document: paragraphs as blocks, rows of tables as lines. */
class PartText implements MarkupHandler {
  private tables = 0;
  private cells = 0;
  private inText = false;
  private hiddenRun = false;
  /** Depth inside a skipped element. */
  private skipped = 0;

  constructor(
    private readonly writer: BlockWriter,
    private readonly headings: ReadonlySet<string>,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (this.skipped > 0 || SKIPPED.has(name) || isSeparator(name, attributes)) {
      this.skipped += 1;
      return;
    }
    if (name === "w:tbl") this.openTable();
    else if (name === "w:tr" && this.tables === 1) this.cells = 0;
    else if (name === "w:tc") this.openCell();
    else this.inline(name, attributes);
  }

  close(name: string): void {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (name === "w:t" || name === "m:t") this.inText = false;
    else if (name === "w:p") this.closeParagraph();
    else if (name === "w:tr" && this.tables === 1) this.writer.end(1);
    else if (name === "w:tbl") {
      this.tables -= 1;
      if (this.tables === 0) this.writer.end(2);
    }
  }

  text(data: string): void {
    if (this.inText && this.skipped === 0 && !this.hiddenRun) this.writer.write(data);
  }

  private openTable(): void {
    this.tables += 1;
    if (this.tables === 1) this.writer.end(2);
  }

  private openCell(): void {
    if (this.cells > 0) this.writer.cell();
    this.cells += 1;
  }

  private closeParagraph(): void {
    // The paragraphs of a cell stand in the line of its row.
    if (this.tables > 0) this.writer.write(" ");
    else this.writer.end(2);
    this.writer.heading = false;
  }

  /** Elements inside a paragraph. */
  private inline(name: string, attributes: Attributes): void {
    if (name === "w:t" || name === "m:t") this.inText = true;
    else if (name === "w:r") this.hiddenRun = false;
    else if (name === "w:vanish") this.hiddenRun = !/^(?:0|false|off)$/.test(attributes["w:val"] ?? "");
    else if (name === "w:pStyle") this.writer.heading = this.tables === 0 && this.isHeadingStyle(attributes["w:val"] ?? "");
    else if (name === "w:outlineLvl" && this.tables === 0 && isHeadingLevel(attributes)) this.writer.heading = true;
    else if (name === "w:tab" || name === "w:ptab") this.writer.write(" ");
    else if (name === "w:noBreakHyphen") this.writer.write("-");
    else if (name === "w:br" || name === "w:cr") this.lineBreak();
  }

  private lineBreak(): void {
    if (this.tables > 0 || this.writer.heading) this.writer.write(" ");
    else this.writer.end(1);
  }

  private isHeadingStyle(id: string): boolean {
    return this.headings.has(id) || /^(?:Heading[1-9]|Title)$/.test(id);
  }
}

function isSeparator(name: string, attributes: Attributes): boolean {
  return (name === "w:footnote" || name === "w:endnote") && /^(?:separator|continuation)/i.test(attributes["w:type"] ?? "");
}

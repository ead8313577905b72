/** Documents as blocks of text (paragraphs, headings, rows), as the parsers of HTML and DOCX write them. */
import { BLOCK_MAX_CHARS, HEADING_MAX_CHARS } from "../../base/limits.ts";

/** A title or heading on one line, at most HEADING_MAX_CHARS long; null for a blank one. */
export function headingText(raw: string): string | null {
  return raw.replace(/\s+/g, " ").trim().slice(0, HEADING_MAX_CHARS).toWellFormed() || null;
}

/** One block. The document's text is every block after its `before`. */
export interface Block {
  /** Well-formed; blank characters run together unless they are preformatted. */
  text: string;
  /** What separates it from the block before; "" for the first one, and for one that continues the block before. */
  before: "" | "\n" | "\n\n";
  heading: boolean;
}

/** Between the cells of a table's row. */
const CELLS = " | ";
const BREAKS = ["", "\n", "\n\n"] as const;

/** Makes blocks of runs of text and the borders between them. */
export class BlockWriter {
  /** The block that is being written is a heading. */
  heading = false;
  private ready: Block[] = [];
  private text = "";
  private border: 0 | 1 | 2 = 0;
  private begun = false;
  /** The text of the block ends in a blank, or is empty. */
  private afterBlank = true;

  /** The blocks that are complete since the last call. */
  take(): Block[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }

  /** True when the block that is being written has no text yet. */
  get empty(): boolean {
    return this.text === "";
  }

  /** Appends a run; blanks run together unless `preformatted`. */
  write(run: string, preformatted = false): void {
    if (run === "") return;
    const clean = preformatted ? run : run.replace(/\s+/g, " ");
    this.text += this.afterBlank && !preformatted && clean.startsWith(" ") ? clean.slice(1) : clean;
    this.afterBlank = clean.endsWith(" ");
    if (this.text.length > BLOCK_MAX_CHARS) this.flush(false);
  }

  /** Appends the border between two cells of a row. */
  cell(): void {
    this.write(CELLS);
  }

  /** Ends the block; the next one follows after a line end (1) or a blank line (2). */
  end(border: 1 | 2): void {
    this.flush(true);
    if (border > this.border) this.border = border;
  }

  /** Makes a block of the text so far. `complete`: false when the next block continues it. */
  private flush(complete: boolean): void {
    const begins = this.border > 0 || !this.begun;
    const shown = begins ? this.text.trimStart() : this.text;
    const text = (complete ? shown.trimEnd() : shown).toWellFormed();
    this.text = "";
    this.afterBlank = complete;
    if (begins && /^[\s|]*$/.test(text)) return;
    if (text === "") return;
    this.ready.push({ text, before: begins && this.begun ? BREAKS[this.border] : "", heading: this.heading });
    this.begun = true;
    this.border = 0;
  }
}

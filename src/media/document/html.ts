/** The visible text of an HTML page in blocks. Nothing of it is run or fetched. */
import { HEADING_MAX_CHARS } from "../../base/limits.ts";
import { type Block, BlockWriter, headingText } from "./blocks.ts";
import { type MarkupHandler, MarkupReader } from "./markup.ts";

const setOf = (list: string) => new Set(list.split(/\s+/));
/** Elements whose content is never shown as text. */
const HIDDEN = setOf("script style template noscript noframes noembed iframe object embed applet canvas svg audio video datalist rp");
/** A blank line before and after. */
const PARAGRAPHS = setOf(
  "address article aside blockquote body details dialog div dl fieldset figure figcaption footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section summary table ul",
);
/** A line end before and after. */
const LINES = setOf("br caption dd dt legend li option optgroup select textarea tr");
const HEADING = /^h[1-6]$/;
const HIDING_STYLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Parses a page piece by piece. Errors: those of MarkupReader. */
export class HtmlText implements MarkupHandler {
  private readonly reader = new MarkupReader("html", this);
  private readonly writer = new BlockWriter();
  private depth = 0;
  /** Depth of the outermost element that is not shown. */
  private hiddenFrom: number | null = null;
  private titleFrom: number | null = null;
  private preformatted = 0;
  private cells = 0;
  private titleText = "";

  /** The page's title; null when it has none so far. */
  get title(): string | null {
    return headingText(this.titleText);
  }

  /** The blocks that `piece` completes. */
  write(piece: string): Block[] {
    this.reader.write(piece);
    return this.writer.take();
  }

  end(): Block[] {
    this.reader.end();
    this.writer.end(2);
    return this.writer.take();
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth += 1;
    if (this.hiddenFrom !== null) return;
    if (isHidden(name, attributes)) {
      this.hiddenFrom = this.depth;
      return;
    }
    if (name === "title" && this.titleText === "") this.titleFrom = this.depth;
    this.border(name);
    if (HEADING.test(name)) this.writer.heading = true;
    if (name === "pre") this.preformatted += 1;
    if (name === "tr") this.cells = 0;
    if (name === "td" || name === "th") {
      // In tables that lay out a page, cells hold paragraphs and are no columns of a row.
      if (this.cells > 0 && !this.writer.empty) this.writer.cell();
      this.cells += 1;
    }
  }

  close(name: string): void {
    const { depth } = this;
    this.depth -= 1;
    if (this.hiddenFrom !== null) {
      if (depth === this.hiddenFrom) this.hiddenFrom = null;
      return;
    }
    if (depth === this.titleFrom) this.titleFrom = null;
    this.border(name);
    if (HEADING.test(name)) this.writer.heading = false;
    if (name === "pre") this.preformatted -= 1;
  }

  text(data: string): void {
    if (this.hiddenFrom !== null) return;
    if (this.titleFrom !== null) {
      if (this.titleText.length < HEADING_MAX_CHARS) this.titleText += data.slice(0, HEADING_MAX_CHARS * 2);
      return;
    }
    this.writer.write(data, this.preformatted > 0);
  }

  private border(name: string): void {
    if (PARAGRAPHS.has(name)) this.writer.end(2);
    else if (LINES.has(name)) this.writer.end(1);
  }
}

function isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (HIDDEN.has(name)) return true;
  if (attributes.hidden !== undefined || (name === "dialog" && attributes.open === undefined)) return true;
  return HIDING_STYLE.test(attributes.style ?? "");
}

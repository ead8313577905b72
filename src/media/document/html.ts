/** An HTML page in blocks, as it is shown: without navigation, tables of contents and footers. Nothing of it is run or fetched. */
import { BLOCK_MAX_CHARS, HEADING_MAX_CHARS, LIST_MAX_DEPTH, PATH_PART_MAX_CHARS } from "../../base/limits.ts";
import { type Block, type BlockKind, BlockWriter, codeLines, headingText } from "./blocks.ts";
import {
  type Attributes,
  BLOCKS,
  count,
  headingLevel,
  isHidden,
  isLabel,
  isNavigation,
  isNote,
  LISTS,
  leadsElsewhere,
  PREFORMATTED,
  raised,
  withoutSigns,
} from "./html-elements.ts";
import { BoldLine, mayHead } from "./html-bold.ts";
import { inItem, type Kind, type Meaning, type Scope, type ScopeOf, Scopes } from "./html-scopes.ts";
import { openPart } from "./html-table.ts";
import { Preformatted } from "./preformatted.ts";
import { TableBlocks } from "./table-blocks.ts";
import { pageTitle } from "./titles.ts";
import { type MarkupHandler, MarkupReader } from "./markup.ts";

/** The text since the last border. */
const emptyRun = () => ({
  text: "",
  afterBlank: true,
  /** Some of it is not bold; some is no link to another place of the page. */
  plain: false,
  unlinked: false,
  /** It holds links to the pages before and after. */
  leads: false,
  /** It goes on with the block that was written last. */
  continues: false,
});

/** Parses a page piece by piece. `whole`: navigation is shown too. Errors: those of MarkupReader. */
export class HtmlText implements MarkupHandler {
  /** What was left out, for people. */
  readonly notes: string[] = [];
  private readonly reader = new MarkupReader("html", this);
  private readonly writer = new BlockWriter();
  private readonly scopes = new Scopes();
  private depth = 0;
  /** Depth of the outermost element that is not shown. */
  private hiddenFrom: number | null = null;
  private titleFrom: number | null = null;
  private titleText = "";
  private firstHeading = true;
  private run = emptyRun();
  /** Terms, a label and a bold line, which are written with what follows them. */
  private terms: string | null = null;
  private label: string | null = null;
  private readonly bold = new BoldLine(this.writer);
  private preformatted: Preformatted | null = null;

  constructor(private readonly whole = false) {}

  /** The page's title; null when it has none so far. */
  get title(): string | null {
    return headingText(this.titleText);
  }

  /** The blocks that `piece` completes. */
  write(piece: string): Block[] {
    this.reader.write(piece);
    return this.writer.take();
  }

  /** All blocks of a page. */
  *read(pieces: Iterable<string>): Generator<Block> {
    for (const piece of pieces) yield* this.write(piece);
    yield* this.end();
  }

  end(): Block[] {
    this.reader.end();
    this.flush();
    this.bold.leave(0);
    this.writeHeld();
    return this.writer.take();
  }

  open(name: string, attributes: Attributes): void {
    this.depth += 1;
    if (this.hiddenFrom !== null) return;
    if (isHidden(name, attributes) || (!this.whole && isNavigation(name, attributes))) {
      this.hiddenFrom = this.depth;
      return;
    }
    if (name === "title" && this.titleText === "") this.titleFrom = this.depth;
    if (name === "br") {
      this.lineBreak();
      return;
    }
    const level = headingLevel(name, attributes);
    if (BLOCKS.has(name) || level !== null) this.flush();
    if (BLOCKS.has(name)) this.scopes.divide(name, this.depth);
    if (level !== null) this.enter({ kind: "heading", level });
    if (leadsElsewhere(name, attributes)) this.run.leads = true;
    if (isNote(name, attributes)) this.enter({ kind: "note" });
    else if (isLabel(name, attributes)) this.enter({ kind: "label" });
    this.openScope(name, attributes);
  }

  close(name: string): void {
    const { depth } = this;
    this.depth -= 1;
    if (this.hiddenFrom !== null) {
      if (depth === this.hiddenFrom) this.hiddenFrom = null;
      return;
    }
    if (depth === this.titleFrom) {
      this.titleFrom = null;
      this.writer.outline.retitle(this.title);
    }
    if (BLOCKS.has(name) || this.scopes.depthOf("heading") === depth) this.flush(depth);
    this.leaveFrom(depth);
  }

  text(data: string): void {
    if (this.hiddenFrom !== null) return;
    if (this.titleFrom !== null) {
      if (this.titleText.length < HEADING_MAX_CHARS) this.titleText += data.slice(0, HEADING_MAX_CHARS * 2);
      return;
    }
    const { run } = this;
    if (this.within("code")) {
      run.text += data;
      run.afterBlank = false;
    } else {
      const spaced = data.replace(/\s+/g, " ");
      const clean = this.within("raised") ? raised(spaced) : spaced;
      run.text += run.afterBlank && clean.startsWith(" ") ? clean.slice(1) : clean;
      if (clean !== "") run.afterBlank = clean.endsWith(" ");
      if (!this.within("bold") && /\S/.test(clean)) run.plain = true;
    }
    if (!this.within("link") && /\S/.test(data)) run.unlinked = true;
    if (run.text.length > BLOCK_MAX_CHARS) this.overflow();
  }

  private openScope(name: string, attributes: Attributes): void {
    if (LISTS.has(name)) this.openList(name, attributes);
    else if (name === "li") this.openItem(attributes);
    else if (name === "dl") this.openDefinitions();
    else if (name === "dt") this.openTerm();
    else if (name === "dd") this.openDefinition();
    else if (PREFORMATTED.has(name)) this.enter({ kind: "code" });
    else if (name === "b" || name === "strong") this.enter({ kind: "bold" });
    else if (name === "sup") this.enter({ kind: "raised" });
    else if (name === "a") {
      if (attributes.href?.startsWith("#") === true) this.enter({ kind: "link" });
    } else this.openTablePart(name, attributes);
  }

  private openTablePart(name: string, attributes: Attributes): void {
    const table = this.table();
    if (name === "table") this.openTable();
    else if (table !== null) {
      const kind = openPart(table, name, attributes);
      if (kind !== null) this.enter({ kind });
    }
  }

  private enter(meaning: Meaning): void {
    this.scopes.enter(meaning, this.depth);
  }

  private leaveFrom(depth: number): void {
    for (const scope of this.scopes.leaveFrom(depth)) this.leave(scope);
  }

  private within(kind: Kind): boolean {
    return this.scopes.nearest(kind) !== null;
  }

  private table(): TableBlocks | null {
    return this.scopes.nearest("table")?.table ?? null;
  }

  private openList(name: string, { start }: Attributes): void {
    const level = Math.min(LIST_MAX_DEPTH, this.scopes.listLevel);
    this.enter({ kind: "list", next: name === "ol" ? count(start, 1_000_000) : null, level });
  }

  private openItem({ value }: Attributes): void {
    this.enter({ kind: "item", ...this.scopes.nextItem(value) });
  }

  private openDefinitions(): void {
    this.table()?.flow("table");
    this.enter({ kind: "definitions", terms: [], defined: "no", linked: true });
  }

  private openTerm(): void {
    const definitions = this.endDefinition();
    if (definitions !== null && definitions.defined !== "no") this.endTerms(definitions);
    this.enter({ kind: "term" });
  }

  private openDefinition(): void {
    const definitions = this.endDefinition();
    const terms = definitions?.terms ?? [];
    let leave: number | null = null;
    if (definitions !== null && terms.length > 0) {
      this.writeHeld();
      if (definitions.defined !== "yes") this.terms = terms.join("\n");
      definitions.defined = "yes";
      leave = this.writer.outline.enter(terms.join(", "));
    }
    this.enter({ kind: "definition", leave });
  }

  /** Ends the term or definition of the list that one more begins in: pages leave paragraphs open, and with them what is around those. */
  private endDefinition(): ScopeOf<"definitions"> | null {
    const { scopes } = this;
    const definitions = scopes.nearest("definitions");
    if (definitions === null) return null;
    const open = scopes.depthOf("definition", "term");
    if (open > definitions.depth && scopes.depthOf("list", "table") < open) this.leaveFrom(definitions.depth + 1);
    return definitions;
  }

  private openTable(): void {
    this.table()?.flow("table");
    this.writeTerms();
    const write = (kind: BlockKind, text: string) => {
      this.bold.write();
      this.writer.write(kind, text);
    };
    const table = new TableBlocks(write, this.within("note"));
    // A label right before the table is its caption.
    if (this.label !== null && this.table() === null) table.caption = this.writer.outline.enter(this.label);
    this.label = null;
    this.enter({ kind: "table", table });
  }

  private leave(scope: Scope): void {
    if (scope.kind === "division") this.bold.leave(scope.depth);
    else if (scope.kind === "definition" && scope.leave !== null) this.leaveDefinition(scope.leave);
    else if (scope.kind === "definitions") this.endTerms(scope);
    else if (scope.kind === "head") {
      const table = this.table();
      if (table !== null) table.inHead = false;
    } else if (scope.kind === "row") this.table()?.closeRow();
    else if (scope.kind === "table") this.leaveTable(scope.table);
    else if (scope.kind === "code") this.preformatted = this.preformatted?.end() ?? null;
    else if (scope.kind === "list" && !this.within("list") && this.table() === null) this.writer.part();
  }

  private leaveDefinition(leave: number): void {
    const definitions = this.scopes.nearest("definitions");
    if (this.terms !== null && this.label === null && definitions !== null) {
      definitions.defined = "empty";
      this.terms = null;
    }
    this.writeHeld();
    this.writer.outline.leave(leave);
  }

  /** Terms without a definition stand alone, unless they are lines of a table of contents. */
  private endTerms(definitions: { terms: string[]; defined: "no" | "empty" | "yes"; linked: boolean }): void {
    const { terms, defined, linked } = definitions;
    if (defined !== "yes" && terms.length > 0 && (!linked || this.whole)) this.emit("paragraph", terms.join("\n"));
    Object.assign(definitions, { terms: [], defined: "no", linked: true });
  }

  private leaveTable(table: TableBlocks): void {
    table.closeRow();
    this.notes.push(...table.close());
    if (table.caption !== null) this.writer.outline.leave(table.caption);
    this.writer.part();
  }

  private lineBreak(): void {
    const { run } = this;
    if (this.within("code")) run.text += "\n";
    else if (this.within("heading") || this.within("term") || this.within("cell")) this.text(" ");
    else if (run.text.endsWith("\n")) this.flush();
    else if (run.text !== "") {
      run.text = `${run.text.trimEnd()}\n`;
      run.afterBlank = true;
    }
  }

  /** A run beyond BLOCK_MAX_CHARS is written up to its last line or blank; what is a heading or term no more is a paragraph. */
  private overflow(): void {
    const { run } = this;
    const border = Math.max(run.text.lastIndexOf(this.within("code") ? "\n" : " "), run.text.length - BLOCK_MAX_CHARS / 2);
    const [done, rest] = [run.text.slice(0, border), run.text.slice(border)];
    Object.assign(run, { text: done, plain: true, unlinked: true });
    this.flush();
    const clean = this.within("code") ? rest.replace(/^\n/, "") : rest.trimStart();
    this.run = { text: clean, afterBlank: clean === "" || clean.endsWith(" "), plain: true, unlinked: true, leads: run.leads, continues: true };
  }

  /** Writes the run as what it stands in. `ended`: the depth of the element that ends with it. */
  private flush(ended: number | null = null): void {
    const { run } = this;
    this.run = emptyRun();
    if (run.text === "" || run.text.trim() === "") return;
    const text = this.within("code") ? run.text : run.text.trim();
    if (!this.whole && !this.within("heading") && (run.leads || (!run.unlinked && this.within("item")))) return;
    const single = withoutSigns(text);
    if (this.within("term") && single.length <= BLOCK_MAX_CHARS) this.takeTerm(single, run.unlinked);
    else if (this.within("heading") && single.length <= PATH_PART_MAX_CHARS) this.takeHeading(this.scopes.nearest("heading")?.level ?? 1, single);
    else if (this.within("caption")) this.takeCaption(single);
    else if (this.within("label") && this.table()?.laid !== false) this.takeLabel(text);
    else if (this.within("code")) this.code(text, run.continues);
    else if (!run.plain && mayHead(text) && !this.scopes.inner) this.takeBold(text, ended);
    else this.emit("paragraph", text, run.continues);
  }

  private code(text: string, continues: boolean): void {
    if (this.table() !== null || this.scopes.item !== null) {
      this.emit("code", codeLines(text), continues);
      return;
    }
    this.writeHeld();
    this.preformatted ??= new Preformatted(this.writer);
    this.preformatted.write(text, continues);
  }

  private takeBold(text: string, ended: number | null): void {
    this.writeHeld();
    const division = this.scopes.nearest("division");
    this.bold.hold(text, division, division?.depth === ended);
  }

  private takeTerm(text: string, unlinked: boolean): void {
    const definitions = this.scopes.nearest("definitions");
    if (definitions === null) this.emit("paragraph", text);
    else if (definitions.terms.join("\n").length + text.length <= BLOCK_MAX_CHARS) definitions.terms.push(text);
    if (definitions !== null && unlinked) definitions.linked = false;
  }

  private takeHeading(level: number, text: string): void {
    if (this.within("note")) {
      this.emit("paragraph", text);
      this.writer.join();
      return;
    }
    this.writeHeld();
    this.table()?.flow("table");
    if (!this.takesTitlesPlace(text)) this.writer.outline.heading(level, text);
    this.writer.write("heading", text);
  }

  /** Whether the page's first heading and its title are one, which then begins the path. */
  private takesTitlesPlace(text: string): boolean {
    if (!this.firstHeading) return false;
    this.firstHeading = false;
    const title = this.title === null ? null : pageTitle(this.title, text);
    if (title !== null) this.writer.outline.retitle(title);
    return title !== null;
  }

  private takeCaption(text: string): void {
    const table = this.table();
    if (table === null) this.emit("paragraph", text);
    else {
      this.bold.write();
      table.caption ??= this.writer.outline.enter(text);
    }
  }

  private takeLabel(text: string): void {
    this.writeHeld();
    this.label = text;
  }

  private writeHeld(): void {
    this.writeTerms();
    this.bold.write();
    const { label } = this;
    this.label = null;
    if (label === null) return;
    this.writer.write("paragraph", label);
    this.writer.join();
  }

  private writeTerms(): void {
    const { terms } = this;
    this.terms = null;
    if (terms !== null) this.writer.write("term", terms);
  }

  /** Writes a block, or gives it to the cell that it stands in. */
  private emit(kind: BlockKind, text: string, continues = false): void {
    this.writeHeld();
    const { item } = this.scopes;
    const block = item === null ? { kind, text } : inItem(kind, text, item);
    if (item !== null) item.mark = null;
    if (this.table()?.take(block.kind, block.text) !== true) this.writer.write(block.kind, block.text, { continues });
  }
}

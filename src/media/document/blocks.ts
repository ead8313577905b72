/** Documents as blocks, each with the path that it stands under: what the readers of all formats write, and chunks are made of. */
import { HEADING_MAX_CHARS, PATH_MAX_PARTS, PATH_PART_MAX_CHARS } from "../../base/limits.ts";
import type { Span } from "../../base/span.ts";

/** `list`: an item, or a further paragraph of one. `term`: defined terms, a line each. `row`: of a table. */
export type BlockKind = "heading" | "term" | "paragraph" | "list" | "code" | "row";

export type Path = readonly string[];

/** One block. The document's text is every block after its `before`; a chunk is a slice of it. */
export interface Block {
  kind: BlockKind;
  /** Well-formed, not empty. */
  text: string;
  /** What stands over it, outermost first; of a heading, with the heading. One array for all that stand under the same. */
  path: Path;
  /** What separates it from the block before. */
  before: string;
  /** The same number for a paragraph, the list that it opens, and the code that belongs to either. */
  group: number;
  /** It is parted from the block before only where a chunk would grow too long. */
  joined: boolean;
  /** Its UTF-16 offset, where the document's text is that of its file. */
  start?: number;
  /** Where it ends in the file, when its text leaves out lines in between. */
  end?: number;
  /** The lines of the file that a row stands on, from 1 and with the last, when its text is not the file's. */
  lines?: Span;
}

interface Frame {
  text: string;
  /** 1 is outermost. Infinity: a term or caption, which holds what is inside its element whatever that is. */
  level: number;
}

/** The headings, terms and captions that are open, and the path that they make. */
export class Outline {
  private title: string | null = null;
  private readonly frames: Frame[] = [];
  private made: Path | null = null;

  /** Null when the document has none so far. It stands first in every path. */
  retitle(title: string | null): void {
    this.title = title;
    this.made = null;
  }

  /** Title and frames, the innermost left out last: at most PATH_MAX_PARTS parts of at most PATH_PART_MAX_CHARS. The same array until something changes. */
  get path(): Path {
    this.made ??= this.makePath();
    return this.made;
  }

  /** What follows is under another path than what stands before it, though the parts are the same. */
  renew(): void {
    this.made = null;
  }

  /** A heading, which ends those of its level and below, but none outside the term that it stands in. One that repeats the title at the beginning is the title. */
  heading(level: number, text: string): void {
    if (this.frames.length === 0 && text.trim() === this.title) return;
    this.leaveLevel(level);
    this.push({ level, text });
  }

  /** A term or caption. Gives what `leave` takes to end it, and all headings since. */
  enter(text: string): number {
    this.push({ level: Number.POSITIVE_INFINITY, text });
    return this.frames.length - 1;
  }

  /** What `leave` takes to end everything that opens from here on. */
  get mark(): number {
    return this.frames.length;
  }

  leave(mark: number): void {
    if (this.frames.length <= mark) return;
    this.frames.length = mark;
    this.made = null;
  }

  /** Ends headings of this level and below, but none outside the term or caption that is open. */
  leaveLevel(level: number): void {
    this.leave(this.frames.findLastIndex((frame) => frame.level < level || frame.level === Number.POSITIVE_INFINITY) + 1);
  }

  private push(frame: Frame): void {
    this.frames.push(frame);
    this.made = null;
  }

  private makePath(): Path {
    const first = this.title === null ? [] : [this.title];
    const outermost = first.length === 0 ? this.frames.slice(0, 1).map(({ text }) => text) : first;
    const rest = this.frames.slice(outermost.length - first.length).slice(-(PATH_MAX_PARTS - 1));
    return [...outermost, ...rest.map(({ text }) => text)].map(pathPart);
  }
}

/** A title on one line, at most HEADING_MAX_CHARS long; null for a blank one. */
export function headingText(raw: string): string | null {
  return raw.replace(/\s+/g, " ").trim().slice(0, HEADING_MAX_CHARS).toWellFormed() || null;
}

function pathPart(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, PATH_PART_MAX_CHARS).toWellFormed();
}

/** Whether `path` is `outer` or lies below it. */
export function isUnder(path: Path, outer: Path): boolean {
  return outer === path || outer.every((part, index) => path[index] === part);
}

/** Which kinds go on in the group of the one before. */
const OPENS_LIST: ReadonlySet<BlockKind> = new Set(["paragraph", "list", "code", "term"]);

/** Writes blocks with what separates them, for formats whose text is not the file's own. */
export class BlockWriter {
  readonly outline = new Outline();

  constructor(title: string | null = null) {
    this.outline.retitle(title);
  }

  private ready: Block[] = [];
  private last: Block | null = null;
  private group = 0;
  private joinsNext = false;
  private parted = false;

  /** The blocks since the last call. */
  take(): Block[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }

  /** The block that was written last begins at this offset. */
  protected locate(start: number): void {
    if (this.last !== null) this.last.start = start;
  }

  /** No list, row or code goes on across this point: a table or list has ended. */
  part(): void {
    this.parted = true;
  }

  /** The next block belongs to the one before: a label, a caption. */
  join(): void {
    this.joinsNext = true;
  }

  /** `continues`: it goes on with the paragraph or code of the block before, which had grown too long. */
  write(kind: BlockKind, text: string, { continues = false } = {}): void {
    if (text.trim() === "") return;
    const { last } = this;
    const { path } = this.outline;
    const near = last !== null && last.path === path && last.kind !== "heading" && !this.parted;
    const goesOn = near && this.goesOn(last.kind, kind);
    const joined = near && (this.joinsNext || continues || opensWith(last.kind, kind));
    if (!goesOn && !joined) this.group += 1;
    const before = last === null ? "" : continues ? (kind === "code" ? "\n" : " ") : between(last.kind, kind, near);
    this.last = { kind, text: text.toWellFormed(), path, before, group: this.group, joined };
    this.ready.push(this.last);
    this.joinsNext = false;
    this.parted = false;
  }

  private goesOn(before: BlockKind, kind: BlockKind): boolean {
    if (kind === "list") return OPENS_LIST.has(before);
    return kind === "code" ? before !== "row" : kind === before && kind === "row";
  }
}

/** Whether a block of `kind` is not to be parted from the one before: a definition from its term, a list or code from the paragraph that leads to it. */
function opensWith(before: BlockKind, kind: BlockKind): boolean {
  if (before === "term") return true;
  return (before === "paragraph" && (kind === "list" || kind === "code")) || (before === "list" && kind === "code");
}

function between(before: BlockKind, kind: BlockKind, near: boolean): string {
  if (!near) return "\n\n";
  if (before === "term" || (kind === "list" && before !== "row")) return "\n";
  if (kind === "code") return before === "code" || before === "row" ? "\n\n" : "\n";
  return kind === "row" && before === "row" ? "\n" : "\n\n";
}

/** Lines of code, each indented by four spaces, so that none is blank. */
export function codeLines(text: string): string {
  const lines = text
    .trimEnd()
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .split("\n");
  return lines.map((line) => `    ${line.trimEnd()}`).join("\n");
}

/** A line of an HTML page in bold: a heading for what follows it in its division, a paragraph where nothing does, as a figure's caption. */
import type { BlockWriter } from "./blocks.ts";
import type { ScopeOf } from "./html-scopes.ts";

/** Longer ones are paragraphs. */
const MAX_CHARS = 120;
/** Below those of h1 to h6. The depth of the division around a line is added, since it heads nothing outside of that. */
const LEVEL = 7;

/** Whether a paragraph in bold may be a heading. */
export function mayHead(text: string): boolean {
  return text.length <= MAX_CHARS && /\p{L}/u.test(text) && !/[.,;!?\n]$/.test(text);
}

/** Holds a line back until something follows it or its division ends. */
export class BoldLine {
  private held: { level: number; text: string } | null = null;

  constructor(private readonly writer: BlockWriter) {}

  /** `division`: the innermost that is open. `ended`: it ends with the line, which it is itself where it holds nothing else. */
  hold(text: string, division: ScopeOf<"division"> | null, ended: boolean): void {
    const isLine = ended && division?.line === true;
    this.held = { level: LEVEL + ((isLine ? division.around : division?.depth) ?? 0), text };
  }

  /** Something follows it. */
  write(): void {
    const { held } = this;
    this.held = null;
    if (held === null) return;
    this.writer.outline.heading(held.level, held.text);
    this.writer.write("heading", held.text);
  }

  /** The division at this depth ends, and with it what lines in it head. */
  leave(depth: number): void {
    const { held } = this;
    this.writer.outline.leaveLevel(LEVEL + depth);
    if (held === null || held.level < LEVEL + depth) return;
    this.held = null;
    this.writer.write("paragraph", held.text);
  }
}

/** The outline of a Markdown text: its title, and the heading that each chunk is under. */
import { headingText } from "./blocks.ts";

const ATX = /^ {0,3}(#{1,6})\s+(\S.*?)(?:\s+#+)?\s*$/;
const FENCE = /^ {0,3}(```+|~~~+)/;
const UNDERLINE = /^ {0,3}(?:=+|-{3,})\s*$/;
/** Front matter; found only if it lies within the first piece of the file. */
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const FRONT_TITLE = /^title:[ \t]*["']?(.+?)["']?[ \t]*$/m;

/** Follows a text chunk by chunk. */
export class MarkdownOutline {
  /** From the front matter, else the first heading of the first level. */
  title: string | null = null;
  private heading: string | null = null;
  private fence: string | null = null;

  /** The heading that `text`, the next chunk, is under: the one that it begins with, else the last one above. */
  over(text: string): string | null {
    const above = this.heading;
    let own: string | null = null;
    let inBody = false;
    let previous = "";
    for (const line of text.split(/\r?\n/)) {
      const found = this.headingIn(line, previous);
      if (found !== null) {
        this.heading = found.text;
        if (found.level === 1) this.title ??= found.text;
        if (!inBody || (found.underlined && own === null && text.startsWith(previous))) own = found.text;
      } else if (line.trim() !== "") inBody = true;
      previous = line;
    }
    return own ?? above;
  }

  private headingIn(line: string, previous: string): { text: string; level: number; underlined: boolean } | null {
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (this.fence === null) this.fence = fence;
      else if (fence.startsWith(this.fence)) this.fence = null;
      return null;
    }
    if (this.fence !== null) return null;
    const [, marks = "", title = ""] = ATX.exec(line) ?? [];
    if (title !== "") return { text: plain(title), level: marks.length, underlined: false };
    if (previous.trim() === "" || !UNDERLINE.test(line) || /^\s*(?:[#>|*+-]|\d+[.)])/.test(previous)) return null;
    return { text: plain(previous), level: line.includes("=") ? 1 : 2, underlined: true };
  }
}

/** A heading without the marks of emphasis, code and links. */
function plain(heading: string): string {
  const bare = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]|(?<!\w)_|_(?!\w)/g, "");
  return headingText(bare) ?? "";
}

/** The pieces with blanks in place of front matter, so that offsets stay those of the file. `tell` gets its title, if it has one. */
export function* withoutFrontMatter(pieces: Iterable<string>, tell: (title: string) => void): Generator<string> {
  let first = true;
  for (const piece of pieces) {
    const matter = first ? FRONT_MATTER.exec(piece) : null;
    first = false;
    if (matter === null) {
      yield piece;
      continue;
    }
    const title = FRONT_TITLE.exec(matter[1] ?? "")?.[1];
    if (title !== undefined && plain(title) !== "") tell(plain(title));
    yield " ".repeat(matter[0].length) + piece.slice(matter[0].length);
  }
}

/** Hyphens at the ends of lines: which divide a word and go when it is joined, and which belong to it. */

/** Longer runs of letters are no words. */
const WORD_MAX_CHARS = 64;
/** A word, with the hyphens in it; U+FFFE is PDFium's sign for one at a line's end. */
const WORD = /[\p{L}\ufffe]+(?:[-\u2010][\p{L}\ufffe]+)*/gu;
/** A hyphen at a line's end, with what stands on both sides. */
const AT_LINE_END = /(?<!\S)(\S*\p{L})(?:\ufffe|[-\u2010]\s+)(\p{Ll}+)/gu;

/**
 * Whether a hyphen at a line's end goes is told by the words of the document itself: it does where they have the joined
 * word and not the compound. Where they have neither, it goes if the document is seen to divide words at all, unless both
 * parts are words. It stays in options, and in compounds of more parts.
 */
export class Divisions {
  private readonly words = new Set<string>();
  private readonly divides: boolean;

  /** `layers`: text layers of pages, with U+FFFE for hyphens at line ends. */
  constructor(layers: readonly string[]) {
    for (const layer of layers)
      for (const [word] of layer.replace(AT_LINE_END, " ").matchAll(WORD))
        if (word.length <= WORD_MAX_CHARS && !word.includes("\ufffe")) this.words.add(plain(word));
    const told = layers.flatMap((layer) => Array.from(layer.matchAll(AT_LINE_END), ([, before = "", after = ""]) => this.told(before, after)));
    this.divides = told.filter((goes) => goes === true).length > told.filter((goes) => goes === false).length;
  }

  /** Whether the hyphen between `before` and `after`, the text on both sides, goes. */
  joins(before: string, after: string): boolean {
    const [left, right] = sides(before, after);
    return this.told(before, after) ?? (this.divides && !(this.words.has(left) && this.words.has(right)));
  }

  /** Null where the document has neither form. */
  private told(before: string, after: string): boolean | null {
    const [left, right, first] = sides(before, after);
    if (/[-\u2010]/.test(first)) return false;
    const compound = this.words.has(`${left}-${right}`);
    return compound || this.words.has(left + right) ? !compound : null;
  }
}

/** The letters right before and right behind a hyphen, and all that stands before it without a blank. */
function sides(before: string, after: string): [left: string, right: string, first: string] {
  const near = before.slice(-WORD_MAX_CHARS);
  const first = near.slice(near.lastIndexOf(" ") + 1);
  const [left, right] = [/\p{L}+$/u.exec(first)?.[0] ?? "", /^\p{L}+/u.exec(after.slice(0, WORD_MAX_CHARS))?.[0] ?? ""];
  return [plain(left), plain(right), first];
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll("\u2010", "-");
}

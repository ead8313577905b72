/** The fields of a record of a table in text, by its delimiter and quotes. */

/** The fields, trimmed; null when a quote is open at the end. `quoted`: false takes quotes as they are written. */
export function fieldsOf(text: string, delimiter: string, quoted: boolean): string[] | null {
  const fields: string[] = [];
  const record = new QuotedRecord(text, delimiter);
  let at = 0;
  while (at <= text.length) {
    let value = "";
    const begins = quoted ? record.skipBlanks(at) : at;
    if (quoted && text[begins] === '"') {
      const closed = record.field(begins + 1);
      if (closed === null) return null;
      value = closed.value;
      at = closed.end;
    }
    const end = text.indexOf(delimiter, at);
    const to = end === -1 ? text.length : end;
    fields.push((value + text.slice(at, to)).trim());
    at = to + 1;
  }
  return fields;
}

/** A record whose fields stand in quotes. Programs write quotes inside a field twice, behind a backslash, or as they are. */
class QuotedRecord {
  /** What the last look for a quote that closes a field found: one at `closing`, or none before `border`. */
  private look = { border: -1, closing: -1 };

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
  ) {}

  skipBlanks(from: number): number {
    let at = from;
    while (this.text[at] === " " && this.delimiter !== " ") at += 1;
    return at;
  }

  /** The field behind its quote; null when nothing closes it. */
  field(from: number): { value: string; end: number } | null {
    const { text } = this;
    const parts: string[] = [];
    for (let start = from; ; ) {
      const quote = text.indexOf('"', start);
      if (quote === -1) return null;
      const escaped = quote > start && text[quote - 1] === "\\" && this.isEscaped(quote);
      parts.push(text.slice(start, escaped ? quote - 1 : quote));
      const closes = !escaped && this.closes(quote);
      if (text[quote + 1] === '"' && !escaped) start = quote + 2;
      else if (escaped || (!closes && this.closesLater(quote))) start = quote + 1;
      // What stands behind the quote goes on with the field, but not from another line.
      else return closes || !text.slice(from, quote).includes("\n") ? { value: parts.join('"'), end: quote + 1 } : null;
    }
  }

  /** Whether a delimiter or a line's end follows the quote. */
  private closes(quote: number): boolean {
    const next = this.text[this.skipBlanks(quote + 1)];
    return next === undefined || next === this.delimiter || next === "\n";
  }

  /** Behind a backslash a quote closes the field only if what stands behind the delimiter is a field: not the rest of this one, up to its quote. */
  private isEscaped(quote: number): boolean {
    if (!this.closes(quote)) return true;
    const { text, delimiter } = this;
    const from = text.indexOf(delimiter, quote);
    if (from === -1) return false;
    const next = text.indexOf(delimiter, from + 1);
    const rest = text.slice(from + 1, next === -1 ? text.length : next).trim();
    return rest.endsWith('"') && !rest.startsWith('"');
  }

  /** Whether a quote closes the field after this one, before another field opens with a quote or the line ends. */
  private closesLater(quote: number): boolean {
    const { text, look } = this;
    if (quote < look.closing) return true;
    if (quote < look.border) return false;
    const newline = text.indexOf("\n", quote);
    const end = newline === -1 ? text.length : newline;
    for (let next = text.indexOf('"', quote + 1); next !== -1 && next < end; next = text.indexOf('"', next + 1)) {
      const opens = text[next - 1] === this.delimiter;
      if (!opens && !this.closes(next)) continue;
      this.look = { border: next, closing: opens ? -1 : next };
      return !opens;
    }
    this.look = { border: end, closing: -1 };
    return false;
  }
}

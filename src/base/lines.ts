/** Bytes as lines with their places. */

/** How far a source is read: bytes, and lines that end there. */
export interface Position {
  offset: number;
  line: number;
}

export interface Line {
  /** From 1. */
  number: number;
  bytes: Uint8Array;
  /** Where the next line starts. */
  end: Position;
}

const NEWLINE = 0x0a;

/** True for white space alone. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** Splits chunks that begin at `start`; the last line may lack its line end. Errors: what `overlong` makes of the number of a line of more than `maxBytes`. */
export async function* cutLines(
  chunks: AsyncIterable<Uint8Array>,
  start: Position,
  maxBytes: number,
  overlong: (line: number) => Error,
): AsyncGenerator<Line> {
  let { offset, line } = start;
  let parts: Uint8Array[] = [];
  let held = 0;
  const take = (last: Uint8Array, lineEnd: number): Line => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    offset += bytes.length + lineEnd;
    line += 1;
    return { number: line, bytes, end: { offset, line } };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let cut = chunk.indexOf(NEWLINE); cut >= 0; cut = chunk.indexOf(NEWLINE, from)) {
      if (held + cut - from > maxBytes) throw overlong(line + 1);
      yield take(chunk.subarray(from, cut), 1);
      from = cut + 1;
    }
    held += chunk.length - from;
    if (held > maxBytes) throw overlong(line + 1);
    // A copy: a reader may use its buffer again.
    if (from < chunk.length) parts.push(chunk.slice(from));
  }
  if (held > 0) yield take(new Uint8Array(0), 0);
}

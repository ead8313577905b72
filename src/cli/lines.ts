/** An NDJSON source as lines with their places, in batches. */
import { StartError } from "../base/fault.ts";
import { LINE_MAX_BYTES, LINES_BATCH_MAX_BYTES } from "../base/limits.ts";
import { cutLines, isBlank, type Line, type Position } from "../base/lines.ts";

/** Lines that are sent together, and how far the source is read with them. */
export interface Batch {
  lines: Line[];
  end: Position;
}

/** The lines as a body, each with its end. */
export function ndjsonOf(lines: readonly Line[]): Uint8Array {
  const end = Buffer.from("\n");
  return Buffer.concat(lines.flatMap(({ bytes }) => [bytes, end]));
}

/** Lines of a source that is read from `start`. Errors: StartError for an overlong line. */
export function linesOf(chunks: AsyncIterable<Uint8Array>, start: Position): AsyncGenerator<Line> {
  return cutLines(
    chunks,
    start,
    LINE_MAX_BYTES,
    (line) => new StartError(`line ${line}: is longer than ${LINE_MAX_BYTES / 1024} KiB; is the file NDJSON, one Unit a line?`),
  );
}

/** Groups lines into batches of at most `size`, none of which the service divides; blank lines are skipped. Errors: those of `lines`. */
export async function* batchesOf(lines: AsyncIterable<Line>, size: number): AsyncGenerator<Batch> {
  let batch: Batch | null = null;
  let bytes = 0;
  for await (const line of lines) {
    if (isBlank(line.bytes)) continue;
    if (batch !== null && (batch.lines.length >= size || bytes + line.bytes.length > LINES_BATCH_MAX_BYTES)) {
      yield batch;
      batch = null;
      bytes = 0;
    }
    batch ??= { lines: [], end: line.end };
    batch.lines.push(line);
    batch.end = line.end;
    bytes += line.bytes.length;
  }
  if (batch !== null) yield batch;
}

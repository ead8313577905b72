/** An NDJSON source as lines with their places, and lines as Units. */
import { Fault, StartError } from "../base/fault.ts";
import { BATCH_MAX_BYTES, LINE_MAX_BYTES } from "../base/limits.ts";
import { cutLines, isBlank, type Line, type Position } from "../base/lines.ts";
import type { IngestUnit } from "../core/units/drafts.ts";
import { checkedUnits } from "../core/units/ingest.ts";

/** Units that are sent together, the line of each, and how far the source is read with them. */
export interface Batch {
  units: IngestUnit[];
  lines: number[];
  end: Position;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A line that is no valid Unit, in words for whoever wrote the file. */
export function lineFault(line: number, detail: string): StartError {
  return new StartError(`line ${line}: ${detail}`);
}

/** Errors: StartError that names the line and the field. */
export function unitOf({ number, bytes }: Line): IngestUnit {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw lineFault(number, "is no valid JSON in UTF-8");
  }
  try {
    return checkedUnits({ units: [value] })[0] as IngestUnit;
  } catch (error) {
    throw error instanceof Fault ? unitFault(error, [number]) : error;
  }
}

/** A fault of a batch that points to one of its Units (`/units/3/modality: …`), with the line of that Unit instead. */
export function unitFault(fault: Fault, lines: readonly number[]): Error {
  const [, index, field = "", detail = ""] = /^\/units\/(\d+)(\/[^:]*)?: (.*)$/s.exec(fault.message) ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  return line === undefined ? fault : lineFault(line, field === "" ? detail : `${field}: ${detail}`);
}

/** Lines of a source that is read from `start`. Errors: StartError for an overlong line. */
export function linesOf(chunks: AsyncIterable<Uint8Array>, start: Position): AsyncGenerator<Line> {
  return cutLines(chunks, start, LINE_MAX_BYTES, (line) =>
    lineFault(line, `is longer than ${LINE_MAX_BYTES / 1024} KiB; is the file NDJSON, one Unit a line?`),
  );
}

/** Groups lines into batches of at most `size` Units; blank lines are skipped. Errors: as unitOf. */
export async function* batchesOf(lines: AsyncIterable<Line>, size: number): AsyncGenerator<Batch> {
  let batch: Batch | null = null;
  let bytes = 0;
  for await (const line of lines) {
    if (isBlank(line.bytes)) continue;
    if (batch !== null && (batch.units.length >= size || bytes + line.bytes.length > BATCH_MAX_BYTES)) {
      yield batch;
      batch = null;
      bytes = 0;
    }
    batch ??= { units: [], lines: [], end: line.end };
    batch.units.push(unitOf(line));
    batch.lines.push(line.number);
    batch.end = line.end;
    bytes += line.bytes.length;
  }
  if (batch !== null) yield batch;
}

/** An NDJSON source as lines with their places, and lines as Units. */
import { Fault, StartError } from "../base/fault.ts";
import { BATCH_MAX_BYTES, LINE_MAX_BYTES } from "../base/limits.ts";
import type { IngestUnit } from "../core/units/drafts.ts";
import { checkedUnits } from "../core/units/ingest.ts";

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

/** Units that are sent together, the line of each, and how far the source is read with them. */
export interface Batch {
  units: IngestUnit[];
  lines: number[];
  end: Position;
}

const NEWLINE = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A line that is no valid Unit, in words for whoever wrote the file. */
export function lineFault(line: number, detail: string): StartError {
  return new StartError(`line ${line}: ${detail}`);
}

/** Splits chunks that begin at `start`; the last line may lack its line end. Errors: StartError for an overlong line. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, start: Position): AsyncGenerator<Line> {
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
      yield take(chunk.subarray(from, cut), 1);
      from = cut + 1;
    }
    held += chunk.length - from;
    if (held > LINE_MAX_BYTES) throw lineFault(line + 1, `is longer than ${LINE_MAX_BYTES / 1024} KiB; is the file NDJSON, one Unit a line?`);
    // A copy: a reader may use its buffer again.
    if (from < chunk.length) parts.push(chunk.slice(from));
  }
  if (held > 0) yield take(new Uint8Array(0), 0);
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

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
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

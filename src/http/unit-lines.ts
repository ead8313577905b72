/**
 * Units as NDJSON: what comes is cut into batches, each of which is stored like a request of its own, and is committed
 * while the one before is indexed. Who does not read the statuses holds only his own stream up.
 */
import { Fault } from "../base/fault.ts";
import { BATCH_MAX_UNITS, LINE_MAX_BYTES, LINES_BATCH_MAX_BYTES } from "../base/limits.ts";
import { cutLines, isBlank, type Line } from "../base/lines.ts";
import type { SentLine } from "../core/units/ingest-lines.ts";
import { parseLine } from "./body.ts";

export const NDJSON = "application/x-ndjson";
const KIB = 1024;

export function bringsLines(request: Request): boolean {
  return new RegExp(`^${NDJSON}\\b`, "i").test(request.headers.get("content-type") ?? "");
}

export interface LinesOptions {
  /** Stores a batch that `read` gives once the caller is let in; its statuses, one a line. Errors: what ends the stream. */
  store(read: () => Promise<readonly SentLine[]>): Promise<readonly unknown[]>;
  /** The body for a failure that comes after the status has left. */
  bodyOf(failure: unknown): unknown;
  /** Told of a stream that has begun: `sent` settles when its last byte was taken, or nobody is there to take it. */
  began(sent: Promise<void>): void;
}

/** Resolves with the statuses of the first batch. Errors: those of the first batch; a later one becomes the last line. */
export async function answerLines(chunks: AsyncIterable<Uint8Array>, { store, bodyOf, began }: LinesOptions): Promise<Response> {
  const ended = Promise.withResolvers<void>();
  const statuses = statusesOf(batchesOf(chunks), store);
  const text = new TextEncoder();
  const encoded = (lines: readonly unknown[]) => text.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  let next = await statuses.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next.value !== undefined) controller.enqueue(encoded(next.value));
        if (!next.done) {
          next = await statuses.next().catch((failure: unknown) => {
            controller.enqueue(encoded([{ error: bodyOf(failure) }]));
            return { done: true as const, value: undefined };
          });
        }
        if (!next.done) return;
        controller.close();
        ended.resolve();
      },
      async cancel() {
        await statuses.return(undefined);
        ended.resolve();
      },
    },
    { highWaterMark: 0 },
  );
  began(ended.promise);
  return new Response(body, { headers: { "content-type": NDJSON, "x-accel-buffering": "no" } });
}

async function* statusesOf(batches: AsyncGenerator<SentLine[], void>, store: LinesOptions["store"]): AsyncGenerator<readonly unknown[], undefined> {
  let before: Promise<readonly unknown[]> | null = null;
  try {
    // Whoever may not write is refused before a byte is read, and an empty body like an empty batch.
    yield await store(async () => (await batches.next()).value ?? []);
    for await (const lines of batches) {
      const storing = store(async () => lines);
      storing.catch(() => {});
      if (before !== null) yield await before;
      before = storing;
    }
    if (before !== null) yield await before;
  } finally {
    await Promise.allSettled([before, batches.return()]);
  }
  return undefined;
}

/** Full batches, and at the end the rest. */
async function* batchesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SentLine[], void> {
  let batch: SentLine[] = [];
  let bytes = 0;
  const overlong = (line: number) => new Fault("payload_too_large", `line ${line} is longer than ${LINE_MAX_BYTES / KIB} KiB`);
  for await (const line of cutLines(chunks, { offset: 0, line: 0 }, LINE_MAX_BYTES, overlong)) {
    if (isBlank(line.bytes)) continue;
    batch.push(sentLine(line));
    bytes += line.bytes.length;
    if (batch.length < BATCH_MAX_UNITS && bytes < LINES_BATCH_MAX_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** What a line says, or why it says nothing. */
export function sentLine({ number, bytes }: Line): SentLine {
  try {
    return { line: number, value: parseLine(bytes) };
  } catch (fault) {
    return { line: number, value: fault };
  }
}

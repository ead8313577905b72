/** Units as NDJSON into the service: streamed, in batches, and taken up again where they were left. */
import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { StartError } from "../base/fault.ts";
import { randomToken, sha256Hex } from "../base/hash.ts";
import { READ_CHUNK_BYTES, REFUSALS_LISTED_MAX } from "../base/limits.ts";
import type { Position } from "../base/lines.ts";
import type { LineStatus } from "../core/units/ingest-lines.ts";
import type { Backend } from "./backend.ts";
import { withBackend } from "./open-backend.ts";
import { aborted, type Context } from "./command.ts";
import type { Target } from "./flags.ts";
import { count, counted, printable } from "./format.ts";
import { type Batch, batchesOf, linesOf, ndjsonOf } from "./lines.ts";
import { pipeline } from "./pipeline.ts";
import { PositionFile } from "./position.ts";
import { Progress, Work } from "./progress.ts";

export const STDIN = "-";
const RUN_BYTES = 12;

/** What to read, from where on, and how it is remembered. Standard input has no position to come back to. */
interface Source {
  name: string;
  start: Position;
  run: string;
  bytes: number | null;
  chunks: AsyncIterable<Uint8Array>;
  position: PositionFile | null;
}

export interface Totals {
  ingested: number;
  created: number;
  updated: number;
  unchanged: number;
  /** Lines that were not stored. */
  refused: number;
  /** Why, of the first REFUSALS_LISTED_MAX. */
  refusals: { line: number; detail: string }[];
}

type UnitStatus = "created" | "updated" | "unchanged";

export interface UnitsOptions {
  /** Path, or - for standard input. */
  file: string;
  target: Target;
  namespace: string | null;
  scope: string | null;
  /** Units sent together. */
  size: number;
  /** Starts over instead of going on from FILE.position. */
  restart: boolean;
}

/** Stores the Units of an NDJSON file, but for the lines that are refused. Errors: StartError, Fault. */
export async function ingestUnits(context: Context, { file, target, namespace, scope, size, restart }: UnitsOptions): Promise<Totals> {
  const source = file === STDIN ? stdinSource(context) : fileSource(context, file, destinationOf(target, namespace, scope), restart);
  return withBackend(context, target, { namespace }, (backend) => ingestSource(context, backend, source, scope, size));
}

function destinationOf(target: Target, namespace: string | null, scope: string | null): string {
  const place = target.kind === "data" ? resolve(target.path) : target.url;
  return [place, namespace === null ? "" : `namespace ${namespace}`, scope === null ? "" : `scope ${scope}`].filter((part) => part !== "").join(", ");
}

function stdinSource({ io }: Context): Source {
  return {
    name: "standard input",
    start: { offset: 0, line: 0 },
    run: randomToken(RUN_BYTES),
    bytes: null,
    chunks: io.stdin(),
    position: null,
  };
}

/** Errors: StartError when the file cannot be read or its position is another file's. */
function fileSource({ io }: Context, file: string, destination: string, restart: boolean): Source {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new StartError(`no file ${file}`);
  if (!stats.isFile()) throw new StartError(`${file} is no regular file; standard input is read with -`);
  const position = new PositionFile(file, destination);
  const before = restart ? null : position.read();
  if (before !== null) {
    io.stderr.write(`going on at line ${count(before.position.line + 1)} of ${file}, as ${position.path} says; --restart starts over\n`);
  }
  const start = before?.position ?? { offset: 0, line: 0 };
  return {
    name: file,
    start,
    run: before?.run ?? randomToken(RUN_BYTES),
    bytes: stats.size,
    chunks: chunksOf(file, start.offset),
    position,
  };
}

async function* chunksOf(file: string, offset: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file, "r").catch((cause: unknown) => {
    throw new StartError(`cannot read ${file}`, { cause });
  });
  try {
    for (let at = offset; ; ) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(READ_CHUNK_BYTES), 0, READ_CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** The batches until the operator interrupts, even while none comes. Errors: StartError then. */
async function* untilInterrupted<B>(batches: AsyncIterable<B>, signal: AbortSignal): AsyncGenerator<B> {
  const interrupted = aborted(signal).then(() => null);
  const iterator = batches[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), interrupted]);
      if (next === null || signal.aborted) throw new StartError("interrupted");
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: standard input ends only when its other end does.
    iterator.return?.().catch(() => {});
  }
}

/** Sends everything, and names the lines that are refused. Errors: StartError, Fault; what was acknowledged stays and is remembered. */
async function ingestSource({ io, interruption }: Context, backend: Backend, source: Source, scope: string | null, size: number): Promise<Totals> {
  const totals: Totals = { ingested: 0, created: 0, updated: 0, unchanged: 0, refused: 0, refusals: [] };
  const progress = new Progress(io.stderr);
  const work = new Work(progress);
  const acknowledged = ({ end }: Batch, statuses: readonly LineStatus[]) => {
    for (const status of statuses) {
      if ("error" in status) refuse(status.line, status.error.detail);
      else {
        totals.ingested += 1;
        totals[status.status as UnitStatus] += 1;
      }
    }
    source.position?.save({ position: end, run: source.run });
    const { ingested } = totals;
    work.show({ share: source.bytes === null ? null : end.offset / source.bytes, count: ingested, done: counted(ingested, "Unit") });
  };
  const refuse = (line: number, detail: string) => {
    totals.refused += 1;
    if (totals.refusals.length === REFUSALS_LISTED_MAX) return;
    totals.refusals.push({ line, detail });
    progress.clear();
    io.stderr.write(`${source.name}: line ${line} is refused: ${printable(detail)}\n`);
  };
  try {
    const batches = untilInterrupted(batchesOf(linesOf(source.chunks, source.start), size), interruption());
    await pipeline(batches, (batch) => send(backend, source.run, batch, scope), acknowledged);
  } catch (error) {
    progress.clear();
    io.stderr.write(`${counted(totals.ingested, "Unit")} stored before this${source.position ? "; the same command goes on from there" : ""}\n`);
    throw error instanceof StartError ? new StartError(`${source.name}: ${error.message}`, { cause: error }) : error;
  }
  progress.clear();
  source.position?.remove();
  return totals;
}

/**
 * The key is the content's within this ingest: a request that is sent again is answered again, while the same
 * content in a later ingest is looked at anew.
 */
async function send(backend: Backend, run: string, { lines }: Batch, scope: string | null): Promise<LineStatus[]> {
  const place = JSON.stringify({ run, scope, lines: lines.map(({ number }) => number) });
  const idempotencyKey = `ingest-${sha256Hex(Buffer.concat([Buffer.from(place), ndjsonOf(lines)]))}`;
  const answer = (await backend.call("ingest", { lines, scope, idempotencyKey })) as { lines: LineStatus[] };
  return answer.lines;
}

export function summary({ ingested, created, updated, unchanged, refused }: Totals): string {
  const stored = `${counted(ingested, "Unit")} ingested: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged`;
  return refused === 0 ? stored : `${stored}; ${counted(refused, "line")} refused`;
}

import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { stopwatch } from "../base/clock.ts";
import { Fault, StartError } from "../base/fault.ts";
import { canonicalJson, randomToken, sha256Hex } from "../base/hash.ts";
import { BATCH_DEFAULT_UNITS, BATCH_MAX_UNITS, READ_CHUNK_BYTES } from "../base/limits.ts";
import type { IngestResponse } from "../core/ingest.ts";
import { type Backend, withBackend } from "./backend.ts";
import { aborted, type Context, defineCommand, EXIT } from "./command.ts";
import { DEFAULT_NAMESPACE, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, SCOPE, scopeOf, TARGET, type Target, targetOf, wholeNumber } from "./flags.ts";
import { count, counted, duration, json } from "./format.ts";
import { type Batch, batchesOf, linesOf, type Position, unitFault } from "./lines.ts";
import { pipeline } from "./pipeline.ts";
import { PositionFile } from "./position.ts";
import { Progress } from "./progress.ts";

const STDIN = "-";
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

interface Totals {
  ingested: number;
  created: number;
  updated: number;
  unchanged: number;
}

export const ingest = defineCommand({
  purpose:
    "Stores the Units of an NDJSON file, one JSON object a line in the form that POST /v1/ingest takes. The file is streamed. Each batch is \
stored whole or not at all; after each, FILE.position remembers how far the file is ingested, and the same command goes on from there. \
Ingesting a Unit twice is harmless. Straight into a data directory, Units without acl_owner belong to the operator: give them acl_groups.",
  operands: [{ name: "FILE.ndjson", help: "the file, or - for standard input" }],
  flags: {
    scope: { ...SCOPE, help: "scope for every Unit, beating its own" },
    batch: {
      kind: "value",
      placeholder: "N",
      help: `Units sent together, at most ${BATCH_MAX_UNITS}`,
      default: String(BATCH_DEFAULT_UNITS),
    },
    restart: {
      kind: "switch",
      help: "start over instead of going on from FILE.position",
    },
    namespace: NAMESPACE_FLAG,
    ...TARGET,
    ...JSON_OUTPUT,
  },
  examples: [
    {
      about: "into the data directory",
      call: "strata ingest minutes.ndjson --namespace main --scope office/minutes",
    },
    {
      about: "into a running server",
      call: "strata ingest minutes.ndjson --url http://127.0.0.1:4700 --token $TOKEN",
    },
  ],
  async run(context, flags, [file = STDIN]) {
    const target = targetOf(flags, context.env);
    const scope = scopeOf(flags.scope);
    const size = wholeNumber("batch", flags.batch, BATCH_MAX_UNITS, BATCH_DEFAULT_UNITS);
    const named = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const namespace = named ?? (target.kind === "data" ? DEFAULT_NAMESPACE : null);
    const source = file === STDIN ? stdinSource(context) : fileSource(context, file, destinationOf(target, namespace, scope), flags.restart);
    const totals = await withBackend(context, target, { namespace }, (backend) => ingestSource(context, backend, source, scope, size));
    context.io.stdout.write(flags.json ? json({ file, ...totals }) : `${summary(totals)}\n`);
    return EXIT.done;
  },
});

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

/** Sends everything. Errors: StartError with the line, Fault; what was acknowledged stays and is remembered. */
async function ingestSource({ io, interruption }: Context, backend: Backend, source: Source, scope: string | null, size: number): Promise<Totals> {
  const totals: Totals = { ingested: 0, created: 0, updated: 0, unchanged: 0 };
  const progress = new Progress(io.stderr);
  const elapsed = stopwatch();
  const acknowledged = ({ end }: Batch, answer: IngestResponse) => {
    for (const name of ["ingested", "created", "updated", "unchanged"] as const) totals[name] += answer[name];
    source.position?.save({ position: end, run: source.run });
    progress.show(progressLine(totals.ingested, elapsed(), end, source.bytes));
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
async function send(backend: Backend, run: string, { units, lines }: Batch, scope: string | null): Promise<IngestResponse> {
  const body = { units };
  try {
    const idempotencyKey = `ingest-${sha256Hex(canonicalJson({ run, scope, lines, units }))}`;
    return (await backend.call("ingest", {
      body,
      scope,
      idempotencyKey,
    })) as IngestResponse;
  } catch (error) {
    throw error instanceof Fault ? unitFault(error, lines) : error;
  }
}

function progressLine(units: number, ms: number, { offset }: Position, bytes: number | null): string {
  const rate = ms > 0 ? Math.round((units * 1000) / ms) : 0;
  const share = bytes === null || bytes === 0 ? "" : `${Math.floor((100 * offset) / bytes)} %, `;
  return `${share}${counted(units, "Unit")}, ${count(rate)}/s, ${duration(ms)}`;
}

function summary({ ingested, created, updated, unchanged }: Totals): string {
  return `${counted(ingested, "Unit")} ingested: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged`;
}

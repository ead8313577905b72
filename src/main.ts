/** The executable: arguments and environment in, exit status out. The only place that ends the process. */
import { CLIENTS_ARGUMENT, clientsMain } from "./cli/bench/clients.ts";
import { EXIT, type Output } from "./cli/command.ts";
import { runCli } from "./cli/run.ts";
import { UNPACK_ARGUMENT, unpackMain } from "./runtime/assets.ts";
import { BOUND_ARGUMENT, boundMain } from "./runtime/native.ts";
import { MEASURE_ARGUMENT, MEDIA_ARGUMENT } from "./media/sandbox/protocol.ts";

/** What a shell reports for a program that SIGINT ended. */
const ENDED_BY_SIGNAL = 130;

/** A stream and what became of the writes to it. */
interface Sink extends Output {
  /** Resolves when everything is written: true, unless something was lost that somebody waits for. */
  finish(): Promise<boolean>;
}

/** Neither a reader who has seen enough (`strata search … | head`) nor a full disk under the log ends the work. */
function sink(stream: NodeJS.WriteStream): Sink {
  let lost = false;
  // The callback of an empty write comes at once, so that of the last write which was made is waited for.
  let last: Promise<void> = Promise.resolve();
  const written = (error?: Error | null) => {
    if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") lost = true;
  };
  stream.on("error", written);
  const write = (text: string) => {
    last = new Promise((resolve) => {
      stream.write(text, (error) => resolve(written(error)));
    });
  };
  const width = stream.isTTY && stream.columns > 0 ? { columns: stream.columns } : {};
  return { write, isTerminal: stream.isTTY === true, ...width, finish: () => last.then(() => !lost) };
}

/** The first signal asks for an orderly end, the second one does not wait for it. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const receive = () => {
    if (controller.signal.aborted) process.exit(ENDED_BY_SIGNAL);
    controller.abort();
  };
  process.on("SIGINT", receive);
  process.on("SIGTERM", receive);
  return controller.signal;
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === UNPACK_ARGUMENT) return unpackMain(argv.slice(1));
  if (argv[0] === BOUND_ARGUMENT) return boundMain(argv.slice(1));
  // Loaded late: no other command needs decoders.
  if (argv[0] === MEDIA_ARGUMENT) return (await import("./media/sandbox/worker.ts")).mediaMain();
  if (argv[0] === MEASURE_ARGUMENT) return (await import("./media/bench.ts")).measureMain(argv.slice(1));
  if (argv[0] === CLIENTS_ARGUMENT) return clientsMain();
  const [stdout, stderr] = [sink(process.stdout), sink(process.stderr)];
  const status = await runCli(argv, { io: { stdin: () => Bun.stdin.stream(), stdout, stderr }, env: process.env, interruption });
  const whole = await stdout.finish();
  if (!whole) stderr.write("strata: the output could not be written\n");
  await stderr.finish();
  return status === EXIT.done && !whole ? EXIT.failed : status;
}

// Native libraries keep threads of their own, so the end of the work is the end of the process.
process.exit(await main(process.argv.slice(2)));

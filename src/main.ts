/** The executable: arguments and environment in, exit status out. The only place that ends the process. */
import { runCli } from "./cli/run.ts";
import type { Output } from "./cli/command.ts";
import { UNPACK_ARGUMENT, unpackMain } from "./engine/assets.ts";

/** What a shell reports for a program that SIGINT ended. */
const ENDED_BY_SIGNAL = 130;

function output(stream: NodeJS.WriteStream): Output {
  // Whoever reads our output may stop (`strata search … | head`): that ends the work and is no failure of ours.
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true };
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

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === UNPACK_ARGUMENT) return unpackMain(argv.slice(1));
  const io = { stdin: () => Bun.stdin.stream(), stdout: output(process.stdout), stderr: output(process.stderr) };
  const status = await runCli(argv, { io, env: process.env, interruption });
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  return status;
}

// Native libraries keep threads of their own, so the end of the work is the end of the process.
process.exit(await main(process.argv.slice(2)));

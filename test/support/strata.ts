/** The command line in this process. */
import type { Context, Environment } from "../../src/cli/command.ts";
import { runCli } from "../../src/cli/run.ts";

export interface Ended {
  status: number;
  out: string;
  err: string;
}

/** `terminal`: stdout and stderr are one. */
export async function runStrata(
  argv: readonly string[],
  { env = {}, terminal = false }: { env?: Environment; terminal?: boolean } = {},
): Promise<Ended> {
  const said = { out: "", err: "" };
  const sink = (name: "out" | "err") => ({
    isTerminal: terminal,
    write: (text: string) => {
      said[name] += text;
    },
  });
  const context: Context = {
    io: { stdin: async function* () {}, stdout: sink("out"), stderr: sink("err") },
    env,
    interruption: () => new AbortController().signal,
  };
  return { status: await runCli(argv, context), ...said };
}

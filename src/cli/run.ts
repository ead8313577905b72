/** From the arguments to an exit status. */
import { Fault, StartError } from "../base/fault.ts";
import { machineFault } from "../base/machine.ts";
import { VERSION } from "../base/version.ts";
import { coloursOf, withoutColourFlag } from "./colours.ts";
import { type CommandEntry, type Context, EXIT, type ExitStatus, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, generalHelp, groupHelp } from "./help.ts";
import { parseCommandLine, suggestion } from "./parse.ts";

const HELP_FLAGS = ["--help", "-h"];
const VERSION_FLAGS = ["--version", "-V"];

/** Runs one command. Never rejects: what goes wrong is a line on stderr and an exit status. */
export async function runCli(given: readonly string[], { env: variables, ...others }: Context): Promise<ExitStatus> {
  const { argv, env } = withoutColourFlag(given, variables);
  const context = { ...others, env };
  try {
    return await dispatch(argv, context);
  } catch (error) {
    return report(error, argv, context);
  }
}

async function dispatch(argv: readonly string[], context: Context): Promise<ExitStatus> {
  const { stdout } = context.io;
  const colours = coloursOf(stdout, context.env);
  const [first] = argv;
  if (first === undefined || HELP_FLAGS.includes(first)) {
    stdout.write(generalHelp(VERSION, COMMANDS, colours));
    return EXIT.done;
  }
  if (VERSION_FLAGS.includes(first)) return dispatch(["version", ...argv.slice(1)], context);
  if (first === "help") return dispatch([...argv.slice(1), "--help"], context);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (argv[1] === undefined || HELP_FLAGS.includes(argv[1]))) {
    if (argv[1] === undefined)
      throw new UsageError(`strata ${first} needs one of ${group.map(({ name }) => name.slice(first.length + 1)).join(", ")}`);
    stdout.write(groupHelp(first, group, colours));
    return EXIT.done;
  }
  const { entry, rest } = findCommand(argv);
  const command = await entry.load();
  const parsed = parseCommandLine(rest, command.flags, command.operands);
  if (!parsed.help) return command.run(context, parsed.flags, parsed.operands);
  stdout.write(commandHelp(entry.name, command, colours));
  return EXIT.done;
}

/** The command that the first one or two arguments name. Errors: UsageError with a suggestion. */
function findCommand(argv: readonly string[]): {
  entry: CommandEntry;
  rest: readonly string[];
} {
  for (const entry of COMMANDS) {
    const words = entry.name.split(" ");
    if (words.every((word, index) => argv[index] === word)) return { entry, rest: argv.slice(words.length) };
  }
  const [first = "", second = ""] = argv;
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.slice(first.length + 1));
  if (group.length > 0) throw new UsageError(`unknown command "${first} ${second}".${suggestion(second, group)}`);
  if (first.startsWith("-"))
    throw new UsageError(`unknown flag ${first}; flags follow a command.${suggestion(first, [...HELP_FLAGS, ...VERSION_FLAGS])}`);
  const words = [...new Set(COMMANDS.map(({ name }) => name.split(" ")[0] ?? ""))];
  throw new UsageError(`unknown command "${first}".${suggestion(first, [...words, "help"])}`);
}

/** One line for the operator. The stack of a bug, and the cause of a failure, are for those who debug. */
function report(error: unknown, argv: readonly string[], { io, env }: Context): ExitStatus {
  const debug = env.STRATA_LOG === "debug";
  const { bad } = coloursOf(io.stderr, env);
  const say = (line: string) => io.stderr.write(`${bad("strata:")} ${line}\n`);
  if (error instanceof UsageError) {
    const [first = ""] = argv;
    const entry = COMMANDS.find(({ name }) => argv.slice(0, name.split(" ").length).join(" ") === name);
    const group = COMMANDS.some(({ name }) => name.startsWith(`${first} `)) ? first : undefined;
    const topic = entry?.name ?? group;
    say(error.message);
    say(`see strata ${topic === undefined ? "--help" : `help ${topic}`}`);
    return EXIT.usage;
  }
  const known = error instanceof StartError || error instanceof Fault;
  const message = error instanceof Error ? error.message : String(error);
  const lack = known ? null : machineFault(error);
  if (lack !== null) say(`cannot go on: ${lack}`);
  else say(known ? message : `internal error: ${message}${debug ? "" : " (STRATA_LOG=debug shows where)"}`);
  if (debug) io.stderr.write(`${Bun.inspect(error)}\n`);
  return EXIT.failed;
}

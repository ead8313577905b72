/** From the arguments of a command to its flags and operands; whatever does not fit is an error with a suggestion. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { closest, distance } from "fastest-levenshtein";
import { NO_COLOR_FLAG } from "./colours.ts";
import { type Flag, type FlagTable, type FlagValues, type Operand, UsageError } from "./command.ts";

export interface ParsedArguments {
  flags: FlagValues<FlagTable>;
  operands: string[];
  /** True when `--help` was among the arguments: the others are not looked at then. */
  help: boolean;
}

/** ` Did you mean x?` when one of the names is near enough, else nothing. */
export function suggestion(word: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const nearest = closest(word, [...names]);
  // Where more than half of the word differs, a suggestion is a guess.
  const near = nearest.startsWith(word) || distance(word, nearest) <= Math.max(1, Math.floor(Math.min(word.length, nearest.length) / 2));
  return near ? ` Did you mean ${nearest}?` : "";
}

/** Errors: UsageError that names the flag or the operand. */
export function parseCommandLine(argv: readonly string[], flags: FlagTable, operands: readonly Operand[]): ParsedArguments {
  const options: NonNullable<ParseArgsConfig["options"]> = {
    help: { type: "boolean", short: "h" },
  };
  for (const [name, { kind }] of Object.entries(flags)) options[name] = { type: kind === "switch" ? "boolean" : "string" };
  // Not strict, since its messages name no neighbour of a flag that is misspelt: the tokens are checked here.
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string[]> = {};
  const words: string[] = [];
  const given = tokens.filter((token) => token.kind === "option");
  // What begins with a dash may be what is asked for.
  const [awaited] = tokens.some(({ kind }) => kind === "positional") ? [] : operands;
  if (given.some(({ name }) => name === "help" || name === "h")) return { flags: valuesOf(flags, {}), operands: [], help: true };
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const list = values[token.name] ?? [];
    list.push(givenValue(token, flags, awaited));
    values[token.name] = list;
  }
  checkCounts(values, flags);
  checkOperands(words, operands);
  return { flags: valuesOf(flags, values), operands: words, help: false };
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

/** The value of one flag as it was written; a switch has the empty one. `awaited`: an operand that is missing. */
function givenValue({ name, rawName, value, inlineValue }: OptionToken, flags: FlagTable, awaited: Operand | undefined): string {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const known = Object.keys(flags).map((each) => `--${each}`);
    const hint = awaited === undefined ? "" : ` If it is ${awaited.name}, put -- before it: -- ${rawName}`;
    throw new UsageError(`unknown flag ${rawName}.${suggestion(rawName, [...known, "--help", NO_COLOR_FLAG])}${hint}`);
  }
  if (flag.kind === "switch") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return "";
  }
  if (value === undefined || value === "") throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.placeholder}`);
  if (!inlineValue && value.startsWith("-") && value.length > 1) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.placeholder} (write ${rawName}=${value} if that is the value)`);
  }
  return value;
}

function checkCounts(values: Record<string, string[]>, flags: FlagTable): void {
  const twice = Object.entries(values).find(([name, list]) => flags[name]?.kind === "value" && list.length > 1);
  if (twice !== undefined) throw new UsageError(`--${twice[0]} is given ${twice[1].length} times; it takes one value`);
}

function checkOperands(words: readonly string[], operands: readonly Operand[]): void {
  const missing = operands[words.length];
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing: ${missing.help}`);
  const extra = words[operands.length];
  const last = operands.at(-1);
  if (extra === undefined || last?.several) return;
  throw new UsageError(`unexpected argument "${extra}"${last ? `; quote ${last.name} if it has several words` : ""}`);
}

function valuesOf(flags: FlagTable, values: Record<string, string[]>): FlagValues<FlagTable> {
  const value = (flag: Flag, given: string[] | undefined) => {
    if (flag.kind === "switch") return given !== undefined;
    return flag.kind === "list" ? (given ?? []) : given?.[0];
  };
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, value(flag, values[name])]));
}

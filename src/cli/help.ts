/** The help of the executable and of each command. */
import { DEFAULTS } from "../config.ts";
import type { Colours } from "./colours.ts";
import { type Command, type Example, type Flag, type FlagTable, type Summary, toggle } from "./command.ts";

const INDENT = "  ";
const WIDTH = 100;

/** Flags that every command takes. */
export const COMMON = {
  "no-color": toggle("no colours on a terminal, as NO_COLOR; FORCE_COLOR has them in pipes too"),
  help: toggle("print this"),
} as const satisfies FlagTable;

/** The chat endpoint that may write answers, for the commands that use it. */
export const LLM_ENVIRONMENT = [
  ["STRATA_LLM_URL", "chat endpoint, OpenAI-compatible, that writes answers (default none)"],
  ["STRATA_LLM_MODEL", "name of the model there"],
  ["STRATA_LLM_KEY", "bearer token for it, where it wants one"],
] as const;

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${INDENT}${left.padEnd(width)}${INDENT}${right}`.trimEnd()).join("\n");
}

type Section = (title: string, text: string) => string;

function sectionsIn({ strong }: Colours): Section {
  return (title, text) => `\n${strong(title)}\n${text}\n`;
}

function examples(list: readonly Example[]): string {
  return list.map(([about, call]) => `${INDENT}# ${about}\n${INDENT}${call}`).join("\n");
}

/** Breaks text at spaces so that a line fits a terminal. */
function wrapped(text: string): string {
  return Bun.wrapAnsi(text, WIDTH);
}

const EXIT_STATUSES = [
  ["0", "done"],
  ["1", "failed; one line on stderr says why"],
  ["2", "wrong usage"],
] as const;

/** What `strata` and `strata --help` print. */
export function generalHelp(version: string, commands: readonly Summary[], colours: Colours): string {
  const section = sectionsIn(colours);
  const intro = `Multimodal retrieval in one executable: it stores text, transcripts, OCR, captions and detections as Units, and searches \
them by meaning and by words, inside what each caller may read. Nothing leaves this machine unless you name a chat endpoint (STRATA_LLM_URL).`;
  return [
    `strata ${version}\n\n${wrapped(intro)}\n`,
    section("usage", `${INDENT}strata COMMAND [flags]\n${INDENT}strata help COMMAND`),
    section("commands", columns(commands.map(({ name, summary }) => [name, summary]))),
    section(
      "examples",
      examples([
        ["try it: serves the demo and prints a search to copy", "strata serve --demo"],
        ["then, in another terminal: ask it as a reader who may not see everything", 'strata answer "why did turbine 7 stop?"'],
      ]),
    ),
    section(
      "environment (a flag, where there is one, beats it)",
      columns([
        ["STRATA_DATA", `data directory (${DEFAULTS.data})`],
        ["STRATA_RUNTIME", "where native libraries and models lie (runtime/ in the data directory)"],
        ["STRATA_HOST", `address to listen on (${DEFAULTS.host})`],
        ["STRATA_PORT", `port to listen on (${DEFAULTS.port})`],
        ["STRATA_ALLOWED_HOSTS", "further names that the service is reached by, with commas between them"],
        ["STRATA_URL", "server that commands ask instead of opening the data directory"],
        ["STRATA_TOKEN", "API token for it"],
        ["STRATA_LOG", `debug, info, warn, error or silent (${DEFAULTS.log} when serving, else warn)`],
        ["NO_COLOR, FORCE_COLOR", "no colours on a terminal; colours in pipes too"],
        ...LLM_ENVIRONMENT,
      ]),
    ),
    section("exit status", columns([...EXIT_STATUSES, ["3", "the check found a fault (audit verify, audit rekey, doctor, models, bench)"]])),
  ].join("");
}

/** What `strata COMMAND --help` prints. */
export function commandHelp(name: string, command: Command, colours: Colours): string {
  const section = sectionsIn(colours);
  const { operands, flags, purpose, environment, faulty } = command;
  const usage = ["strata", name, ...operands.map((operand) => operand.name), "[flags]"].join(" ");
  return [
    `${wrapped(purpose)}\n`,
    section("usage", INDENT + usage),
    operands.length === 0 ? "" : section("arguments", columns(operands.map((operand) => [operand.name, told(operand)]))),
    section("flags", columns(flagRows({ ...flags, ...COMMON }))),
    environment === undefined ? "" : section("environment", columns(environment)),
    section("examples", examples(command.examples)),
    section("exit status", columns(faulty === undefined ? EXIT_STATUSES : [...EXIT_STATUSES, ["3", faulty]])),
  ].join("");
}

/** What the first word of several commands prints. */
export function groupHelp(group: string, commands: readonly Summary[], colours: Colours): string {
  const section = sectionsIn(colours);
  return [
    section("usage", `${INDENT}strata ${group} COMMAND [flags]`).trimStart(),
    section("commands", columns(commands.map(({ name, summary }) => [name, summary]))),
  ].join("");
}

function flagRows(flags: FlagTable): (readonly [string, string])[] {
  return Object.entries(flags).map(
    ([name, flag]) => [flag.kind === "switch" ? `--${name}` : `--${name} ${flag.placeholder}`, flagText(flag)] as const,
  );
}

function flagText(flag: Flag): string {
  const notes = [
    ...(flag.kind === "list" ? ["may be given several times"] : []),
    ...(flag.default === undefined ? [] : [`default ${flag.default}`]),
    ...(flag.env === undefined ? [] : [`env ${flag.env}`]),
  ];
  return notes.length === 0 ? told(flag) : `${told(flag)} (${notes.join(", ")})`;
}

/** What it is, and the words that it may be. */
function told({ help, choices }: Pick<Flag, "help" | "choices">): string {
  return choices === undefined ? help : `${help}: ${choices.join(", ")}`;
}

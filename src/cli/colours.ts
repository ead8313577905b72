/** What stands out on a terminal, and where nothing does. */
import { styleText } from "node:util";
import type { Environment, Output } from "./command.ts";

type Paint = (text: string) => string;

/** Each returns its text as the terminal shows it; where colours are off, the text itself. */
export interface Colours {
  strong: Paint;
  faint: Paint;
  /** What was looked for, inside what was found. */
  match: Paint;
  good: Paint;
  doubtful: Paint;
  bad: Paint;
}

const plain: Paint = (text) => text;
const painted = (format: Parameters<typeof styleText>[0]): Paint => {
  return (text) => (text === "" ? "" : styleText(format, text, { validateStream: false }));
};

export const PLAIN: Colours = { strong: plain, faint: plain, match: plain, good: plain, doubtful: plain, bad: plain };
const COLOURED: Colours = {
  strong: painted("bold"),
  faint: painted("dim"),
  match: painted(["bold", "cyan"]),
  good: painted("green"),
  doubtful: painted("yellow"),
  bad: painted("red"),
};

/**
 * On a terminal, colours. NO_COLOR, which --no-color stands for, takes them away, and FORCE_COLOR puts them into pipes and
 * files too; each when it is set to more than nothing, FORCE_COLOR to something else than 0.
 */
export function coloursOf({ isTerminal }: Pick<Output, "isTerminal">, { NO_COLOR, FORCE_COLOR, TERM }: Environment): Colours {
  if (NO_COLOR) return PLAIN;
  if (FORCE_COLOR) return FORCE_COLOR === "0" ? PLAIN : COLOURED;
  return isTerminal && TERM !== "dumb" ? COLOURED : PLAIN;
}

export const NO_COLOR_FLAG = "--no-color";

/** The arguments without --no-color, and the environment that says the same. What stands behind `--` is no flag. */
export function withoutColourFlag(argv: readonly string[], env: Environment): { argv: readonly string[]; env: Environment } {
  const end = argv.indexOf("--");
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (!flags.includes(NO_COLOR_FLAG)) return { argv, env };
  const kept = flags.filter((word) => word !== NO_COLOR_FLAG);
  return { argv: [...kept, ...argv.slice(flags.length)], env: { ...env, NO_COLOR: "1" } };
}

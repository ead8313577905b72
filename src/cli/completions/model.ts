/** What shells complete, from the table of commands. */
import type { CommandEntry, Flag, FlagTable, Operand } from "../command.ts";
import { COMMON } from "../help.ts";

/** What stands behind a flag or in the place of an operand: one of a few words, the name of a file or folder, or what nobody can guess. */
export type Completed = { kind: "words"; words: readonly string[] } | { kind: "file" } | { kind: "folder" } | { kind: "free" };

export interface CompletedFlag {
  name: string;
  help: string;
  /** Null: a switch. */
  value: Completed | null;
  repeats: boolean;
}

export interface CompletedCommand {
  /** One word or two. */
  name: string;
  summary: string;
  flags: readonly CompletedFlag[];
  /** Null: it takes none. */
  operand: Completed | null;
}

/** Loads every command. */
export async function completionsOf(commands: readonly CommandEntry[]): Promise<CompletedCommand[]> {
  return Promise.all(
    commands.map(async ({ name, summary, load }) => {
      const { flags, operands } = await load();
      return { name, summary, flags: flagsOf({ ...flags, ...COMMON }), operand: operandOf(operands) };
    }),
  );
}

function flagsOf(flags: FlagTable): CompletedFlag[] {
  return Object.entries(flags).map(([name, flag]) => ({ name, help: flag.help, value: completedBy(flag), repeats: flag.kind === "list" }));
}

function completedBy(flag: Flag): Completed | null {
  if (flag.kind === "switch") return null;
  return flag.choices === undefined ? ofPlaceholder(flag.placeholder) : { kind: "words", words: flag.choices };
}

function operandOf([operand]: readonly Operand[]): Completed | null {
  if (operand === undefined) return null;
  return operand.choices === undefined ? ofPlaceholder(operand.name) : { kind: "words", words: operand.choices };
}

/** Helps name files FILE and PATH, folders DIR. */
function ofPlaceholder(placeholder: string): Completed {
  if (/^(?:FILE|PATH)/.test(placeholder)) return { kind: "file" };
  return placeholder.startsWith("DIR") ? { kind: "folder" } : { kind: "free" };
}

export interface Word {
  word: string;
  summary: string;
}

/** The first words of commands: those of one word, and the names of groups with what is in them. */
export function firstWords(commands: readonly CompletedCommand[]): Word[] {
  const single = commands.filter(({ name }) => !name.includes(" ")).map(({ name, summary }) => ({ word: name, summary }));
  const groups = groupsOf(commands).map(({ group, words }) => ({ word: group, summary: words.map(({ word }) => word).join(", ") }));
  return [...single, ...groups, { word: "help", summary: "explain a command" }];
}

/** The second words of commands, by the first. */
export function groupsOf(commands: readonly CompletedCommand[]): { group: string; words: Word[] }[] {
  const groups = new Map<string, Word[]>();
  for (const { name, summary } of commands) {
    const [group = "", word] = name.split(" ");
    if (word !== undefined) groups.set(group, [...(groups.get(group) ?? []), { word, summary }]);
  }
  return [...groups].map(([group, words]) => ({ group, words }));
}

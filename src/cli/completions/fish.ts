import { type Completed, type CompletedCommand, type CompletedFlag, firstWords, groupsOf, type Word } from "./model.ts";

/** A script to source in fish 3 or newer. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands);
  const lines = [
    ...wordLines("", firstWords(commands)),
    ...groups.flatMap(({ group, words }) => wordLines(group, words)),
    ...commands.flatMap((command) => [...operandLines(command), ...command.flags.map((flag) => flagLine(command.name, flag))]),
  ];
  return `# Completion of strata for fish, made by: strata completions fish
function __strata_at --description 'Whether the words before the cursor name this command'
    set -l words (commandline -opc)[2..]
    test "$words[1]" = help; and set -e words[1]
    set -l command "$words[1]"
    contains -- "$command" ${groups.map(({ group }) => group).join(" ")}; and set command (string trim -- "$command $words[2]")
    test "$command" = "$argv[1]"
end
complete -c strata -e
complete -c strata -f
${lines.join("\n")}
`;
}

function at(command: string): string {
  return `complete -c strata -n ${quoted(`__strata_at '${command}'`)}`;
}

/** fish knows two escapes inside single quotes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function wordLines(command: string, words: readonly Word[]): string[] {
  return words.map(({ word, summary }) => `${at(command)} -a ${word} -d ${quoted(summary)}`);
}

function operandLines({ name, operand }: CompletedCommand): string[] {
  return operand === null || operand.kind === "free" ? [] : [`${at(name)} ${candidates(operand)}`];
}

function flagLine(command: string, { name, help, value }: CompletedFlag): string {
  const taken = value === null ? "" : value.kind === "file" ? " -r -F" : ` -x ${candidates(value)}`.trimEnd();
  return `${at(command)} -l ${name}${taken} -d ${quoted(help)}`;
}

function candidates(completed: Completed): string {
  switch (completed.kind) {
    case "words":
      return `-a ${quoted(completed.words.join(" "))}`;
    case "file":
      return "-F";
    case "folder":
      return "-a '(__fish_complete_directories)'";
    case "free":
      return "";
  }
}

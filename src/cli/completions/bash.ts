import { type Completed, type CompletedCommand, type CompletedFlag, firstWords, groupsOf, type Word } from "./model.ts";

/** A script to source in bash 4 or newer; it needs no other package. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands);
  return `# Completion of strata for bash, made by: strata completions bash
_strata_reply() {
  mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}
_strata_paths() {
  compopt -o filenames
  _strata_reply "$@"
}
_strata() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command word
  local -a words=()
  COMPREPLY=()
  # --flag=value comes as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    [[ $word == help && \${#words[@]} == 0 ]] || words+=("$word")
  done
  command=\${words[0]-}
  case $command in
    ${groups.map(({ group }) => group).join(" | ")}) command+=" \${words[1]-}" ;;
  esac
  case $command in
    '') _strata_reply -W '${listed(firstWords(commands))} --help --version' ;;
${groups.map(({ group, words }) => `    '${group} ') _strata_reply -W '${listed(words)} --help' ;;`).join("\n")}
${commands.map(commandCase).join("\n")}
  esac
}
complete -F _strata strata
`;
}

function listed(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(" ");
}

function commandCase({ name, flags, operand }: CompletedCommand): string {
  const valued = Map.groupBy(flags, ({ value }) => (value === null ? null : reply(value)));
  valued.delete(null);
  const cases = [...valued].map(([answer, some]) => `        ${some.map(flagWord).join(" | ")}) ${answer} ;;\n`);
  return `    '${name}')
      case $previous in
${cases.join("")}        *)
          if [[ $current == -* ]]; then
            _strata_reply -W '${flags.map(flagWord).join(" ")}'
          else
            ${operand === null ? ":" : reply(operand)}
          fi
          ;;
      esac
      ;;`;
}

function flagWord({ name }: CompletedFlag): string {
  return `--${name}`;
}

function reply(completed: Completed): string {
  switch (completed.kind) {
    case "words":
      return `_strata_reply -W '${completed.words.join(" ")}'`;
    case "file":
      return "_strata_paths -f";
    case "folder":
      return "_strata_paths -d";
    case "free":
      return ":";
  }
}

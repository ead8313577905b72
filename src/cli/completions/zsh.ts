import { type Completed, type CompletedCommand, type CompletedFlag, firstWords, groupsOf, type Word } from "./model.ts";

/** A script for a folder of zsh's fpath, under the name _strata, or to source after compinit. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef strata
# Completion of strata for zsh, made by: strata completions zsh
_strata() {
  local command
  local -a found
  if [[ \${words[2]} == help ]] && (( CURRENT > 2 )); then
    shift words
    (( CURRENT -= 1 ))
  fi
  if (( CURRENT == 2 )); then
    found=(${described(firstWords(commands))})
    _describe command found
    return
  fi
  command=\${words[2]}
  case $command in
${groupsOf(commands).map(groupCase).join("\n")}
  esac
  shift words
  (( CURRENT -= 1 ))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
if [[ \${funcstack[1]} == _strata ]]; then
  _strata "$@"
else
  compdef _strata strata
fi
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function described(words: readonly Word[]): string {
  return words.map(({ word, summary }) => quoted(`${word}:${summary}`)).join(" ");
}

function groupCase({ group, words }: { group: string; words: readonly Word[] }): string {
  return `    ${group})
      if (( CURRENT == 3 )); then
        found=(${described(words)})
        _describe command found
        return
      fi
      command+=" \${words[3]}"
      shift words
      (( CURRENT -= 1 ))
      ;;`;
}

function commandCase({ name, flags, operand }: CompletedCommand): string {
  const specs = [...flags.map(flagSpec), ...(operand === null ? [] : [`*: :${action(operand)}`])];
  return `    '${name}')
      _arguments -s -S ${specs.map(quoted).join(" ")}
      ;;`;
}

/** In the form of _arguments, where brackets and colons are its own. */
function flagSpec({ name, help, value, repeats }: CompletedFlag): string {
  const text = help.replace(/[[\]:\\]/g, "\\$&");
  return value === null ? `--${name}[${text}]` : `${repeats ? "*" : ""}--${name}=[${text}]: :${action(value)}`;
}

function action(completed: Completed): string {
  switch (completed.kind) {
    case "words":
      return `(${completed.words.join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "free":
      return " ";
  }
}

/** `strata completions`: a script for the shell, made from the table of commands and their flags. */
import { bashScript } from "./completions/bash.ts";
import { fishScript } from "./completions/fish.ts";
import { completionsOf } from "./completions/model.ts";
import { zshScript } from "./completions/zsh.ts";
import { type Command, type CommandEntry, defineCommand, EXIT, UsageError } from "./command.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SHELLS = ["bash", "zsh", "fish"] as const;

/** The command for a table of commands, itself among them. */
export function completionsFor(commands: readonly CommandEntry[]): Command {
  return defineCommand({
    purpose:
      "Prints a script that teaches a shell to complete commands, flags, their words and file names of strata with the Tab key. It is whole in itself: \
completing starts no program. Make it again after an update.",
    operands: [{ name: "SHELL", help: "which shell it is for", choices: SHELLS }],
    flags: {},
    examples: [
      ["bash, from ~/.bashrc", "source <(strata completions bash)"],
      ["zsh, into a folder of your fpath", "strata completions zsh > ~/.zsh/completions/_strata"],
      ["fish", "strata completions fish > ~/.config/fish/completions/strata.fish"],
    ],
    async run({ io }, _flags, [shell = ""]) {
      const known = SHELLS.find((one) => one === shell);
      if (known === undefined) throw new UsageError(`SHELL must be one of ${SHELLS.join(", ")}; it is "${shell}"`);
      io.stdout.write(SCRIPTS[known](await completionsOf(commands)));
      return EXIT.done;
    },
  });
}

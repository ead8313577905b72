import { VERSION } from "../base/version.ts";
import { defineCommand, EXIT } from "./command.ts";
import { JSON_OUTPUT } from "./flags.ts";
import { json } from "./format.ts";

export const version = defineCommand({
  purpose: "Prints the version of strata and of the Bun runtime inside.",
  operands: [],
  flags: { ...JSON_OUTPUT },
  examples: [
    ["the version", "strata version"],
    ["the same, as programs are asked for it", "strata --version"],
  ],
  async run({ io }, flags) {
    io.stdout.write(flags.json ? json({ version: VERSION, bun: Bun.version }) : `strata ${VERSION} (bun ${Bun.version})\n`);
    return EXIT.done;
  },
});

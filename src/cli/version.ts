import { VERSION } from "../base/version.ts";
import { defineCommand, EXIT } from "./command.ts";

export const version = defineCommand({
  purpose: "Prints the version of strata and of the Bun runtime inside.",
  operands: [],
  flags: {},
  examples: [
    ["the version", "strata version"],
    ["the same, as programs are asked for it", "strata --version"],
  ],
  async run({ io }) {
    io.stdout.write(`strata ${VERSION} (bun ${Bun.version})\n`);
    return EXIT.done;
  },
});

import { StartError } from "../base/fault.ts";
import { unpackAssets } from "../engine/assets.ts";
import { modelManifest } from "../engine/models.ts";
import { prepareDataDirectory, runtimeDirectory } from "../store/data-directory.ts";
import { defineCommand, EXIT } from "./command.ts";
import { configOf, DATA, JSON_OUTPUT } from "./flags.ts";
import { json, table } from "./format.ts";

const SHORT_HASH_CHARS = 12;
/** A licence or an origin may take sentences; the table shows how they begin. */
const CELL_MAX_CHARS = 64;

export const models = defineCommand({
  purpose:
    "Lists the models inside the executable with their licence and origin, and compares the files that run with the hashes of the manifest. \
They are unpacked into the data directory first when they are not there yet.",
  operands: [],
  flags: { ...DATA, ...JSON_OUTPUT },
  examples: [
    { about: "as a table", call: "strata models" },
    { about: "every file with its whole hash, licences and origins uncut", call: "strata models --json" },
  ],
  faulty: "a file differs from the manifest",
  async run({ io, env }, flags) {
    const { data } = configOf({ data: flags.data }, env);
    const fault = await modelsFault(data);
    const entries = modelManifest().map((entry) => {
      const { name, task, licence, origin, files } = entry;
      return { name, task, dims: "dims" in entry ? entry.dims : null, licence, origin, files, verified: fault === null };
    });
    const rows = entries.map(({ name, task, dims, licence, origin, files, verified }) => {
      return [
        name,
        task,
        String(dims ?? "-"),
        clip(licence),
        clip(origin),
        files[0]?.sha256.slice(0, SHORT_HASH_CHARS) ?? "",
        verified ? "yes" : "NO",
      ];
    });
    const headings = ["MODEL", "TASK", "DIMS", "LICENCE", "ORIGIN", "SHA256", "VERIFIED"];
    io.stdout.write(flags.json ? json({ models: entries }) : table(headings, rows));
    if (fault !== null) io.stderr.write(`strata: ${fault}\n`);
    return fault === null ? EXIT.done : EXIT.faulty;
  },
});

function clip(text: string): string {
  return text.length > CELL_MAX_CHARS ? `${text.slice(0, CELL_MAX_CHARS - 1)}…` : text;
}

/** Why the model files that would run are not those of the manifest; null when they are. Errors: StartError for the directory. */
export async function modelsFault(data: string): Promise<string | null> {
  const root = prepareDataDirectory(data);
  try {
    await unpackAssets(runtimeDirectory(root));
    return null;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

/** What says, beside a table, in which format it is and which model gave its vectors. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../../base/durable-files.ts";
import { StartError } from "../../base/fault.ts";

const FORMAT_FILE = "strata-index.json";
/** A table of an older version is built again from the catalog. */
const FORMAT_VERSION = 2;

/** `asItIs`: nothing is created. Errors: StartError for a newer format; those of the file system; for vectors of another model, an Error that says so. */
export async function checkFormat(directory: string, model: string, asItIs: boolean): Promise<void> {
  const path = join(directory, FORMAT_FILE);
  if (!asItIs) await mkdir(directory, { recursive: true, mode: 0o700 });
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (asItIs || error.code !== "ENOENT") throw error;
    return "";
  });
  const version = Number(/"version"\s*:\s*(\d+)/.exec(text)?.[1]);
  if (version > FORMAT_VERSION) {
    throw new StartError("a vector index was written by a newer strata; nothing was changed. Use the newer executable.");
  }
  if (version < FORMAT_VERSION) throw new Error(`the table has the older format ${version}`);
  const found = /"model"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  if (found !== undefined && found !== model) throw new Error(`the vectors are of the model ${found}, not of ${model}`);
  if (found === undefined && !asItIs) replaceFile(path, JSON.stringify({ version: FORMAT_VERSION, model }), 0o600);
}

/**
 * Where the bundled files of the console lie, by the URL path that serves them. In the executable build.ts puts a list of
 * embedded files in the place of this module; from the sources the console is bundled when it is first asked for.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleConsole } from "./console-bundle.ts";

export async function consoleFiles(): Promise<Readonly<Record<string, string>>> {
  return bundleConsole(await mkdtemp(join(tmpdir(), "strata-console-")));
}

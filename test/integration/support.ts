/** The executable with its demo, and the programs of strangers that call it. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "../..");
/** Made as .ci/run makes it: `python3 -m venv dist/python`, with the packages of requirements.txt. */
export const PYTHON = join(ROOT, "dist/python/bin");
export const NO_PYTHON = !existsSync(join(PYTHON, "openapi-python-client"));
export const NEEDS_PYTHON = "(needs dist/python: see .ci/run)";
/** Time for `beforeAll`: a cold start embeds the demo. */
export const START_MS = 180_000;

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export async function run(command: readonly string[], { cwd = ROOT, env = {} }: { cwd?: string; env?: Record<string, string> } = {}): Promise<Ran> {
  const child = Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  return { code, stdout, stderr };
}

/** As `run`, for a program that must end well. Errors: with what it wrote, when it does not. */
export async function runWell(command: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): Promise<string> {
  const { code, stdout, stderr } = await run(command, options);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

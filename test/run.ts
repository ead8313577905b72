/**
 * `npm test`: format, lint and types, the executable, then every suite; `npm test -- --all`, which CI runs: those of
 * integration too; `npm run integration`: these alone, on the executable that was built last; `npm test -- unit http`: the
 * suites that are named. Each runs in a process of its own, so that engines of one do not weigh on the next, and beside one
 * other where there are two cores: a suite waits a good part of its time. All draw from one seed, which SEED=… sets. With CI
 * set, a test that is skipped has failed. Ends with `N passed, N failed`.
 */
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { SEED } from "./property/seed.ts";
import { type Outcome, outcomeOf, strictly, suitesNamed, summary, total } from "./support/suites.ts";

const ROOT = resolve(import.meta.dir, "..");
const BIN = join(ROOT, "node_modules/.bin");
const BUN = process.execPath;
const CI = !["", "0", "false"].includes(process.env.CI ?? "");

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const LANES = Math.min(2, availableParallelism());

/** Its output is shown line by line as it comes, each behind the name of what says it. */
async function run(title: string, command: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, FORCE_COLOR: "0", SEED: String(SEED) };
  const child = Bun.spawn(command, { cwd: ROOT, stdout: "pipe", stderr: "pipe", env });
  let output = "";
  const copy = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      output += text;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) say(`${title}: ${line}`);
    }
    if (rest !== "") say(`${title}: ${rest}`);
  };
  await Promise.all([copy(child.stdout), copy(child.stderr)]);
  return { code: await child.exited, output };
}

async function timed(title: string, work: () => Promise<Outcome>): Promise<Outcome> {
  say(`\n== ${title}`);
  const begun = performance.now();
  const outcome = CI ? strictly(await work()) : await work();
  say(`${title}: ${summary(outcome)} in ${Math.round((performance.now() - begun) / 1_000)} s`);
  for (const name of outcome.notRun) say(`skipped: ${name}`);
  return outcome;
}

/** A check that is not a test suite counts as one test. */
async function check(title: string, command: string[]): Promise<Outcome> {
  return timed(title, async () => {
    const { code } = await run(title, command);
    const [passed, failed, failures] = code === 0 ? [1, 0, []] : [0, 1, [`(fail) ${title}`]];
    return { passed, failed, skipped: 0, notRun: [], failures };
  });
}

async function suite(name: string): Promise<Outcome> {
  const title = `test/${name}`;
  const outcome = await timed(title, async () => {
    const { code, output } = await run(title, [BUN, "test", "--timeout", "60000", `./test/${name}/`]);
    return outcomeOf(output, code);
  });
  if (outcome.failed > 0) outcome.failures.push(`SEED=${SEED} npm test -- ${name} draws the same numbers again`);
  return outcome;
}

/** Runs the suites in their order, LANES at a time. */
async function inLanes(names: readonly string[]): Promise<Outcome[]> {
  const waiting = [...names];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) outcomes.push(await suite(name));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
}

const wanted = process.argv.slice(2);
try {
  const names = suitesNamed(wanted);
  const outcomes: Outcome[] = [];
  if (wanted.length === 0 || wanted.includes("--all")) {
    outcomes.push(await check("biome", [join(BIN, "biome"), "check", "."]));
    outcomes.push(await check("types", [join(BIN, "tsc"), "-p", "."]));
    outcomes.push(await check("types of the console", [join(BIN, "tsc"), "-p", "src/console"]));
    outcomes.push(await check("build", [BUN, "build.ts"]));
  }
  outcomes.push(...(await inLanes(names)));
  const all = total(outcomes);
  process.exitCode = all.failed === 0 ? 0 : 1;
  // Behind thousands of lines, and where only the end of the output is kept.
  for (const failure of all.failures) say(`\n${failure}`);
  say(`\n${summary(all)}`);
} catch (error) {
  process.exitCode = 2;
  process.stderr.write(`${(error as Error).message}\n`);
}

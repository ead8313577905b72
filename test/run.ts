/**
 * `npm test`: format, lint and types, the executable, then every suite. Each folder runs in a process of
 * its own, so that engines of one do not weigh on the next. Ends with `N passed, N failed`.
 */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");
const BIN = join(ROOT, "node_modules/.bin");
const BUN = process.execPath;
/** Suites in the order in which a failure is cheapest to read; measurements have commands of their own. */
const SUITES = ["unit", "port", "audit", "http", "injection", "property", "fault", "hostile", "acceptance"];

interface Outcome {
  ok: boolean;
  passed: number;
  failed: number;
  skipped: number;
}

function heading(title: string): void {
  process.stdout.write(`\n== ${title}\n`);
}

async function run(title: string, command: string[]): Promise<{ code: number; output: string }> {
  heading(title);
  const child = Bun.spawn(command, { cwd: ROOT, stdout: "pipe", stderr: "pipe", env: { ...process.env, FORCE_COLOR: "0" } });
  let output = "";
  const copy = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      output += text;
      process.stdout.write(text);
    }
  };
  await Promise.all([copy(child.stdout), copy(child.stderr)]);
  return { code: await child.exited, output };
}

/** A check that is not a test suite counts as one test. */
async function check(title: string, command: string[]): Promise<Outcome> {
  const { code } = await run(title, command);
  return { ok: code === 0, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function suite(name: string): Promise<Outcome> {
  const { code, output } = await run(`test/${name}`, [BUN, "test", "--timeout", "60000", `./test/${name}/`]);
  const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
  const failed = count("fail");
  // A crash or an error outside a test is a failure that bun does not count.
  return { ok: code === 0, passed: count("pass"), failed: code !== 0 && failed === 0 ? 1 : failed, skipped: count("skip") };
}

const wanted = process.argv.slice(2);
const folders = readdirSync(join(ROOT, "test"));
const outcomes: Outcome[] = [];
if (wanted.length === 0) {
  outcomes.push(await check("biome", [join(BIN, "biome"), "check", "."]));
  outcomes.push(await check("types", [join(BIN, "tsc"), "-p", "."]));
  outcomes.push(await check("build", [BUN, "build.ts"]));
}
for (const name of SUITES) {
  if (folders.includes(name) && (wanted.length === 0 || wanted.includes(name))) outcomes.push(await suite(name));
}
const total = (key: "passed" | "failed" | "skipped") => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
process.stdout.write(`\n${total("passed")} passed, ${total("failed")} failed${total("skipped") > 0 ? `, ${total("skipped")} skipped` : ""}\n`);

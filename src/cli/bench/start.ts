import { readFileSync } from "node:fs";
import { StartError } from "../../base/fault.ts";
import { type Figure, percentile } from "./measure.ts";

const RUNS = 5;
const IDLE_MS = 3_000;
const START_MAX_MS = 1_000;
const RESIDENT_MAX_MB = 400;
const MB = 1_000_000;
const KIB = 1_024;

/** Starts this program as a server on `data` and on an empty directory: time to the listening line, and idle memory. */
export async function benchStart(data: string, empty: string, units: number): Promise<Figure[]> {
  await serve(empty, 0);
  const full: number[] = [];
  const bare: number[] = [];
  let resident = 0;
  for (let run = 0; run < RUNS; run += 1) {
    bare.push((await serve(empty, 0)).ms);
    const started = await serve(data, run === RUNS - 1 ? IDLE_MS : 0);
    full.push(started.ms);
    resident = started.resident;
  }
  const [start, baseline] = [percentile(full, 0.5), percentile(bare, 0.5)];
  return [
    {
      name: `start to listening, ${units} Units`,
      value: start,
      unit: "ms",
      baseline: { name: "empty directory", value: baseline },
      bar: { text: `within ${START_MAX_MS} ms`, met: start <= START_MAX_MS },
    },
    { name: "idle resident memory", value: resident, unit: "MB", bar: { text: `at most ${RESIDENT_MAX_MB} MB`, met: resident <= RESIDENT_MAX_MB } },
  ];
}

/** This program again: the executable by itself, or the sources under bun. */
function command(): string[] {
  const script = process.argv[1] ?? "";
  return script.endsWith(".ts") && !script.startsWith("/$bunfs/") ? [process.execPath, script] : [process.execPath];
}

async function serve(data: string, idleMs: number): Promise<{ ms: number; resident: number }> {
  const start = performance.now();
  const child = Bun.spawn([...command(), "serve", "--data", data, "--port", "0"], { stdout: "ignore", stderr: "pipe" });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("listening on ")) break;
  }
  const ms = performance.now() - start;
  if (!text.includes("listening on ")) throw new StartError(`the server did not start: ${text.trim()}`);
  await Bun.sleep(idleMs);
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  child.kill("SIGTERM");
  await child.exited;
  return { ms, resident: (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * KIB) / MB };
}

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../format.ts";
import { atMost, type Figure, percentile } from "./measure.ts";
import { bareStart, program, residentOf, Served } from "./served.ts";

const RUNS = 5;
const IDLE_MS = 3_000;
const START_MAX_MS = 1_000;
const FIRST_START_MAX_MS = 300;
const RESIDENT_MAX_MB = 400;

/** Starts this program as a server on `data`, and on new data directories below `work`: time to the listening line, and idle memory. */
export async function benchStart(data: string, work: string, units: number): Promise<Figure[]> {
  const runtime = join(work, "runtime");
  const fresh = () => mkdtempSync(join(work, "data-"));
  const known = fresh();
  // Each unpacks the runtime.
  await started(known);
  await started(fresh(), "--runtime", runtime);
  const times = { full: [] as number[], known: [] as number[], fresh: [] as number[], process: [] as number[] };
  for (let run = 0; run < RUNS; run += 1) {
    times.process.push(await bareStart());
    times.fresh.push(await started(fresh(), "--runtime", runtime));
    times.known.push(await started(known));
    times.full.push(await started(data));
  }
  const p50 = (name: keyof typeof times) => percentile(times[name], 0.5);
  return [
    atMost(START_MAX_MS, {
      name: `start to listening, ${counted(units, "Unit")}`,
      value: p50("full"),
      unit: "ms",
      baseline: { name: "data directory without Units", value: p50("known") },
    }),
    atMost(FIRST_START_MAX_MS, {
      name: "start to listening, empty data directory, runtime unpacked",
      value: p50("fresh"),
      unit: "ms",
      baseline: { name: "a process that prints its version", value: p50("process") },
    }),
    await idleMemory(data),
  ];
}

async function started(data: string, ...flags: string[]): Promise<number> {
  await using server = await Served.open(program("serve", "--data", data, ...flags));
  return server.startMs;
}

async function idleMemory(data: string): Promise<Figure> {
  await using server = await Served.open(program("serve", "--data", data));
  await Bun.sleep(IDLE_MS);
  return atMost(RESIDENT_MAX_MB, { name: "idle resident memory", value: residentOf(server.pid), unit: "MB" });
}

/** kill -9 while files are taken in: no Unit is lost or doubled, no object orphaned, and every job comes to its end. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { mediaProcesses, worldFiles } from "./file-world.ts";

setDefaultTimeout(480_000);

const KILLS = 30;
/** Every so often the service dies while it still opens. */
const KILL_WHILE_OPENING = 0.15;
const OPENING_MAX_MS = 900;
const WORKING_MAX_MS = 1_200;

interface Round {
  faults: string[];
  acks: string[];
  ready: boolean;
  /** Jobs that were not finished when it started. */
  active: number;
  stderr: string;
}

/** Starts a service and kills it `afterMs` after its start or after it is ready; null: lets it end. */
async function runChild(args: readonly string[], kill: { afterMs: number; opening: boolean } | null): Promise<Round> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "file-crash-child.ts"), ...args], { stdout: "pipe", stderr: "pipe" });
  const round: Round = { faults: [], acks: [], ready: false, active: 0, stderr: "" };
  const killSoon = () => setTimeout(() => child.kill("SIGKILL"), kill?.afterMs ?? 0);
  if (kill?.opening) killSoon();
  const errors = new Response(child.stderr).text();
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    // A line without its end was cut by the kill: it was never read as an acknowledgement.
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("fault ")) round.faults.push(line);
      if (line.startsWith("ack ")) round.acks.push(line.slice(4));
      if (line.startsWith("active ")) round.active = Number(line.slice(7));
      if (line === "ready") {
        round.ready = true;
        if (kill && !kill.opening) killSoon();
      }
    }
  }
  await child.exited;
  round.stderr = (await errors).trim();
  return round;
}

/** Processes that outlive their service: they have a moment to notice. */
async function survivors(data: string): Promise<number[]> {
  for (let tries = 0; tries < 100 && mediaProcesses(data).length > 0; tries += 1) await Bun.sleep(20);
  return mediaProcesses(data);
}

test(`${KILLS} kills while files are worked on`, async () => {
  const seed = SEED;
  const random = new Random(seed);
  const started = performance.now();
  const [data, quiet] = [temporaryDirectory(), temporaryDirectory()];
  const [ackFile, ended, undisturbed] = [`${data}.acks`, `${data}.json`, `${quiet}.json`];
  try {
    writeFileSync(ackFile, "");
    const reference = await runChild([quiet, ackFile, "0", undisturbed], null);
    expect({ faults: reference.faults, stderr: reference.stderr }).toEqual({ faults: [], stderr: "" });
    const referenceMs = performance.now() - started;
    let acked = 0;
    let resumed = 0;
    let sawMedia = 0;
    for (let round = 1; round <= KILLS; round += 1) {
      const opening = random.chance(KILL_WHILE_OPENING);
      const afterMs = random.integer(1, opening ? OPENING_MAX_MS : WORKING_MAX_MS);
      const { faults, acks, active, stderr } = await runChild([data, ackFile, String(seed + round)], { afterMs, opening });
      sawMedia += mediaProcesses(data).length;
      expect({ round, afterMs, faults, stderr, survivors: await survivors(data) }).toEqual({ round, afterMs, faults: [], stderr: "", survivors: [] });
      for (const ack of acks) appendFileSync(ackFile, `${ack}\n`);
      acked += acks.length;
      resumed += active > 0 ? 1 : 0;
    }
    const final = await runChild([data, ackFile, "0", ended], null);
    expect({ faults: final.faults, stderr: final.stderr, survivors: await survivors(data) }).toEqual({ faults: [], stderr: "", survivors: [] });
    expect(JSON.parse(readFileSync(ended, "utf8"))).toEqual(JSON.parse(readFileSync(undisturbed, "utf8")));
    process.stderr.write(
      `file-crash: ${KILLS} kills, ${resumed} starts with work to go on with; ${acked} uploads acknowledged; ${worldFiles().length} files; ` +
        `${Math.round(referenceMs / 1000)} s undisturbed, ${Math.round((performance.now() - started) / 1000)} s in all (${sawMedia} late processes)\n`,
    );
    expect(resumed).toBeGreaterThan(KILLS / 3);
  } finally {
    for (const path of [data, quiet, ackFile, ended, undisturbed]) rmSync(path, { recursive: true, force: true });
  }
});

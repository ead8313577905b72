/** kill -9 at any moment loses nothing that was acknowledged and repeats nothing. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";
import { temporaryDirectory } from "../support/scratch.ts";

setDefaultTimeout(480_000);

const KILLS = 50;
/** Every so often the process dies while it still opens the directory and replays. */
const KILL_WHILE_OPENING = 0.2;
const OPENING_MAX_MS = 900;
/** A kill comes at most so long after the start of ingest … */
const INGESTING_MIN_MS = 700;
/** … or so many times what the machine takes for the first acknowledgement, so that a slow one is killed amid batches, too. */
const FIRST_ACKS = 3;
const INGESTING_MAX_MS = 10_000;

interface Round {
  faults: string[];
  acks: string[];
  ready: boolean;
  /** From when it was ready; null: it was killed before. */
  firstAckMs: number | null;
  stderr: string;
}

/** Starts a child and kills it `afterMs` after its start or after it is ready; null: lets it end. */
async function runChild(args: readonly string[], kill: { afterMs: number; opening: boolean } | null): Promise<Round> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "crash-child.ts"), ...args], { stdout: "pipe", stderr: "pipe" });
  const round: Round = { faults: [], acks: [], ready: false, firstAckMs: null, stderr: "" };
  let readyAt = 0;
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
      if (line.startsWith("ack ")) {
        round.firstAckMs ??= performance.now() - readyAt;
        round.acks.push(line.slice(4));
      }
      if (line === "ready") {
        round.ready = true;
        readyAt = performance.now();
        if (kill && !kill.opening) killSoon();
      }
    }
  }
  await child.exited;
  round.stderr = (await errors).trim();
  return round;
}

test(`${KILLS} kills lose and repeat nothing`, async () => {
  const seed = SEED;
  const random = new Random(seed);
  const started = performance.now();
  const data = temporaryDirectory();
  const ackFile = `${data}.acks`;
  writeFileSync(ackFile, "");
  try {
    let acked = 0;
    let killedWhileIngesting = 0;
    let ingestingMs = INGESTING_MIN_MS;
    for (let round = 1; round <= KILLS; round += 1) {
      const opening = random.chance(KILL_WHILE_OPENING);
      const afterMs = random.integer(1, opening ? OPENING_MAX_MS : ingestingMs);
      const { faults, acks, ready, firstAckMs, stderr } = await runChild([data, ackFile, String(round), String(seed + round)], { afterMs, opening });
      expect({ round, faults, stderr }).toEqual({ round, faults: [], stderr: "" });
      for (const ack of acks) appendFileSync(ackFile, `${ack}\n`);
      acked += acks.length;
      if (ready && acks.length > 0) killedWhileIngesting += 1;
      if (firstAckMs !== null) ingestingMs = Math.max(INGESTING_MIN_MS, FIRST_ACKS * firstAckMs);
      else if (!opening) ingestingMs *= 2;
      ingestingMs = Math.round(Math.min(ingestingMs, INGESTING_MAX_MS));
    }
    const final = await runChild([data, ackFile, String(KILLS + 1), "0", "final"], null);
    expect({ faults: final.faults, stderr: final.stderr }).toEqual({ faults: [], stderr: "" });
    process.stderr.write(
      `crash: ${KILLS} kills, ${killedWhileIngesting} of them amid acknowledged batches; ${acked} batches acknowledged; ${Math.round((performance.now() - started) / 1000)} s\n`,
    );
    expect(killedWhileIngesting).toBeGreaterThan(KILLS / 4);
    expect(readFileSync(ackFile, "utf8").split("\n").length).toBe(acked + 1);
  } finally {
    rmSync(data, { recursive: true, force: true });
    rmSync(ackFile, { force: true });
  }
});

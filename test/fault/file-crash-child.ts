/**
 * A service that takes files in and is going to be killed. Holds what it finds against what was acknowledged before (a
 * file of JSON lines), then uploads and deletes until it dies; with `final`, sees everything to its end and writes what
 * there is then to a file. Speaks in lines on stdout: `fault …`, `active N`, `ready`, `ack {json}`.
 */
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import type { Harness } from "../support/harness.ts";
import { Random } from "../property/random.ts";
import {
  type Acked,
  contents,
  finish,
  indexFaults,
  missing,
  objectFaults,
  openFileWorld,
  remove,
  upload,
  type WorldFile,
  worldFiles,
} from "./file-world.ts";

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function faults(found: readonly string[]): void {
  for (const fault of found) say(`fault ${fault}`);
}

function acknowledged(path: string): Map<string, Acked> {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as Acked).map((acked) => [acked.key, acked]));
}

async function send(h: Harness, file: WorldFile, known: Map<string, Acked>): Promise<void> {
  const acked = await upload(h, file);
  known.set(file.key, acked);
  say(`ack ${JSON.stringify(acked)}`);
}

/** New files one after the other, old ones again, and deletions in between. */
async function work(h: Harness, random: Random, known: Map<string, Acked>): Promise<void> {
  const files = worldFiles();
  const kept = files.filter(({ doomed }) => !doomed);
  const fresh = kept.filter(({ key }) => !known.has(key));
  for (;;) {
    const doomed = random.pick(files.filter((file) => file.doomed));
    const old = random.pick(kept);
    // A deleted file has no job to be found again: it is not acknowledged.
    const removed = random.chance(0.3) ? upload(h, doomed).then((acked) => Bun.sleep(random.integer(0, 200)).then(() => remove(h, acked))) : null;
    const next = random.chance(0.7) ? (fresh.shift() ?? old) : old;
    await Promise.all([send(h, next, known), removed]);
    await Bun.sleep(random.integer(20, 160));
  }
}

async function toTheEnd(h: Harness, known: Map<string, Acked>, path: string): Promise<void> {
  const files = worldFiles();
  for (const file of files.filter(({ key, doomed }) => doomed || !known.has(key))) await send(h, file, known);
  for (const file of files) faults(await finish(h, known.get(file.key) as Acked));
  for (const file of files.filter(({ doomed }) => doomed)) await remove(h, known.get(file.key) as Acked);
  const kept = files.filter(({ doomed }) => !doomed).map(({ key }) => known.get(key) as Acked);
  faults([...(await missing(h, kept)).faults, ...(await objectFaults(h, kept)), ...(await indexFaults(h))]);
  writeFileSync(path, JSON.stringify(await contents(h, kept)));
  await h.close();
}

const [data = "", ackFile = "", seed = "0", final = ""] = process.argv.slice(2);
const known = acknowledged(ackFile);
const harness = await openFileWorld(data);
const found = await missing(harness, [...known.values()]);
faults([...found.faults, ...(await objectFaults(harness, [...known.values()]))]);
say(`active ${found.active}`);
say("ready");
if (final !== "") await toTheEnd(harness, known, final);
else await work(harness, new Random(Number(seed)), known);

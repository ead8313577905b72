/**
 * Valid files of each format, damaged at random: what comes back is parts of a file or a refusal, never anything else.
 * SEED repeats a run, FUZZ_SECONDS makes it longer.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/base/fault.ts";
import { MEDIA_PROCESS_MAX_BYTES } from "../../src/base/limits.ts";
import { SEED } from "../property/seed.ts";
import { openWorld, type World } from "../support/files.ts";
import { FFMPEG, withoutFfmpeg } from "../support/recorded.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { START_MS } from "../support/seeded.ts";
import { bytesOf, randomOf } from "./bytes.ts";
import { SECRET } from "./case.ts";
import { goodFiles, goodFilms } from "./samples.ts";
import { Watch } from "./watch.ts";

/** All formats together. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 15);
/** Of each format, however fast they are: the same seed gives the same cases, as far as the time allows. */
const CASES = SECONDS * 5;
/** Of each format, however slow the machine is. */
const CASES_MIN = 3;
/** The CPU time that one file may take; the machine may do ten other things. */
const FILE_MAX_CPU_MS = 60_000;

setDefaultTimeout(SECONDS * 1_000 + 10 * FILE_MAX_CPU_MS);

const folder = temporaryDirectory();
/** The quick ones first: what they leave of their time goes to the others. */
const others = (await goodFiles()).reverse();
const films = await goodFilms();
const files = new Map([...others, ...films]);
const names = [...files.keys()];
let leftMs = SECONDS * 1_000;
let world: World;
let watch: Watch;

beforeAll(async () => {
  world = await openWorld({ ffmpeg: FFMPEG });
  watch = new Watch(world.h.data);
}, START_MS);
afterAll(async () => {
  watch.close();
  await world.h.close();
});

type Random = (below: number) => number;

/** Ways to damage a file. Beginnings, where the headers are, are hit as often as all the rest. */
const MUTATIONS: ((bytes: Uint8Array, random: Random) => Uint8Array)[] = [
  (bytes, random) => changed(bytes, random, (byte) => byte ^ (1 << random(8))),
  (bytes, random) => changed(bytes, random, () => random(256)),
  (bytes, random) => changed(bytes, random, () => (random(2) === 0 ? 0 : 255)),
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => {
    const [from, to] = stretch(bytes, random);
    return bytesOf(bytes.subarray(0, from), bytes.subarray(to));
  },
  (bytes, random) => {
    const at = placeIn(bytes, random);
    return bytesOf(
      bytes.subarray(0, at),
      Uint8Array.from({ length: 1 + random(64) }, () => random(256)),
      bytes.subarray(at),
    );
  },
  (bytes, random) => {
    const [from, to] = stretch(bytes, random);
    return bytesOf(bytes.subarray(0, to), bytes.subarray(from));
  },
  (bytes, random) => {
    const [a, b, c] = [random(bytes.length), random(bytes.length), random(bytes.length)].sort((one, two) => one - two);
    return bytesOf(bytes.subarray(0, a), bytes.subarray(b, c), bytes.subarray(a, b), bytes.subarray(c));
  },
];

function placeIn({ length }: Uint8Array, random: Random): number {
  return random(2) === 0 ? random(Math.min(length, 200)) : random(length);
}

function stretch(bytes: Uint8Array, random: Random): [number, number] {
  const from = placeIn(bytes, random);
  return [from, Math.min(bytes.length, from + 1 + random(Math.max(1, bytes.length >> 2)))];
}

function changed(bytes: Uint8Array, random: Random, change: (byte: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let hits = random(8); hits >= 0; hits -= 1) {
    const at = placeIn(copy, random);
    copy[at] = change(copy[at] ?? 0);
  }
  return copy;
}

/** What becomes of a file: "taken", or why it is not. Errors: everything that is no refusal of the file. */
async function outcomeOf(bytes: Uint8Array, name: string): Promise<string> {
  const path = join(folder, "fuzzed");
  await Bun.write(path, bytes);
  const { extractor } = world.h.app.services;
  try {
    const format = await extractor.recognise(path, bytes.length, name);
    let next = 0;
    for await (const { part, progress, units } of extractor.extract({ path, bytes: bytes.length, name, format }, 0)) {
      expect(part).toBe(next);
      next += 1;
      expect(progress > 0 && progress <= 1).toBe(true);
      expect(units.every(({ text }) => text === null || text.isWellFormed())).toBe(true);
    }
    return "taken";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect(error.kind).toBe("bad_request");
    expect(error.message).not.toMatch(/\/(?:work|tmp|home|usr|proc)\/|\b(?:undefined|NaN|null)\b|internal error/);
    expect(error.message).not.toContain(SECRET);
    return error.message;
  } finally {
    rmSync(path, { force: true });
  }
}

async function survives(name: string): Promise<void> {
  const whole = files.get(name) ?? new Uint8Array();
  const random = randomOf(SEED + names.indexOf(name));
  const begun = performance.now();
  watch.begin();
  let cases = 0;
  const allowedMs = leftMs / (names.length - names.indexOf(name));
  for (; cases < CASES && (cases < CASES_MIN || performance.now() - begun < allowedMs); cases += 1) {
    let bytes = whole;
    for (let times = 1 + random(3); times > 0; times -= 1) bytes = MUTATIONS[random(MUTATIONS.length)]?.(bytes, random) ?? bytes;
    await outcomeOf(bytes, name);
  }
  leftMs = Math.max(0, leftMs - (performance.now() - begun));
  expect(watch.spent()).toBeLessThan(cases * FILE_MAX_CPU_MS);
  expect(watch.peak()).toBeLessThan(MEDIA_PROCESS_MAX_BYTES);
  expect([...watch.offences]).toEqual([]);
  // The process that read the last of them, or its successor, reads the file that was not damaged.
  expect(await outcomeOf(whole, name)).toBe("taken");
}

test.each(others.map(([name]) => name))("%s, damaged", survives);
describe.skipIf(withoutFfmpeg)("films (need ffmpeg)", () => {
  test.each(films.map(([name]) => name))("%s, damaged", survives);
});

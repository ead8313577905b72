/**
 * Hostile files through the door of the service: each is refused with words that a person understands, or is harmless and
 * taken in. Neither costs more than its limits, leaves anything behind, reaches for what it names, or holds up the next.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { MEDIA_PROCESS_MAX_BYTES } from "../../src/base/limits.ts";
import type { Answer } from "../support/harness.ts";
import { faultsOf, objectsIn, openWorld, put, tenantOf, type World } from "../support/files.ts";
import { FFMPEG, withoutFfmpeg } from "../support/recorded.ts";
import { START_MS } from "../support/seeded.ts";
import { ARCHIVES } from "./archives.ts";
import { type HostileFile, SECRET, type Taken, UNSEEN } from "./case.ts";
import { lure } from "./lure.ts";
import { MARKUP } from "./markup.ts";
import { PDFS } from "./pdfs.ts";
import { PICTURES } from "./pictures.ts";
import { FILM_POLYGLOTS, POLYGLOTS } from "./polyglots.ts";
import { goodFiles, goodFilms } from "./samples.ts";
import { SOUNDS } from "./sounds.ts";
import { STRUCTURE } from "./structure.ts";
import { TEXTS } from "./texts.ts";
import { NO_VIDEOS, VIDEOS } from "./videos.ts";
import { Watch } from "./watch.ts";
import { rowsOf } from "../support/rows.ts";

/** The CPU time that one file may take. */
const FILE_MAX_CPU_MS = 60_000;
const MIB = 1024 * 1024;
/** Where to write what each file cost: a line of JSON each. */
const REPORT = process.env.HOSTILE_REPORT;

// The machine may do ten other things.
setDefaultTimeout(10 * FILE_MAX_CPU_MS);

let world: World;
let watch: Watch;
let good = 0;

beforeAll(async () => {
  world = await openWorld({ ffmpeg: FFMPEG });
  watch = new Watch(world.h.data);
}, START_MS);
afterAll(async () => {
  watch.close();
  await world.h.close();
});

/** Everything that is kept: how many Units, and the objects. */
async function kept(): Promise<{ units: number; objects: string[] }> {
  const { catalog } = rowsOf(await tenantOf(world.h));
  return { units: catalog.unitCount(), objects: objectsIn(world.h.data) };
}

async function unitsOf({ body }: Answer) {
  const { catalog, files } = rowsOf(await tenantOf(world.h));
  return [...catalog.byUids(files.uids(body.file_id)).values()];
}

/** A refusal is for a person: it names no place in this machine and none in the code. */
function checkRefusal({ status, body, text }: Answer, words: RegExp): void {
  expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringMatching(words) });
  expect(body.error).toBe("bad_request");
  expect(body.detail).not.toMatch(
    /\/(?:work|tmp|home|usr|proc|root|var)\/|\bat \S+:\d+|\b(?:undefined|NaN|null|object Object)\b|internal error|Error:|node_modules/,
  );
  expect(body.detail.length).toBeGreaterThan(15);
  expect(body.detail.length).toBeLessThan(400);
  expect(text).not.toContain(SECRET);
}

async function checkTaken(answer: Answer, outcome: Taken): Promise<void> {
  expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined });
  expect(answer.body.job.state).toBe("done");
  const units = await unitsOf(answer);
  expect([...new Set(units.map(({ modality }) => modality as string))].sort()).toEqual([...outcome.taken].sort());
  const all = JSON.stringify(units.map(({ text, locator, metadata }) => ({ text, locator, metadata })));
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain(UNSEEN);
  expect(units.every(({ text }) => text === null || (text.isWellFormed() && text.trim() !== "" && !text.includes("\0")))).toBe(true);
  for (const words of outcome.says) expect(units.map(({ text }) => text).join("\n")).toContain(words);
  if (outcome.notes !== null) expect(answer.body.job.notes.join("\n")).toMatch(outcome.notes);
}

/** The next file is served as if nothing had been. */
async function checkNext(): Promise<void> {
  good += 1;
  const next = await put(world.h, `Good file number ${good} comes right after a hostile one.`, { token: world.ann });
  expect({ status: next.status, units: next.body.job?.counts.units }).toEqual({ status: 200, units: 1 });
}

async function check([what, name, make, outcome]: HostileFile): Promise<void> {
  const bytes = await make();
  const before = await kept();
  watch.begin();
  const begun = performance.now();
  const answer = await put(world.h, bytes, { token: world.ann, name });
  const ms = performance.now() - begun;
  const [peak, cpuMs] = [watch.peak(), watch.spent()];
  if (REPORT !== undefined)
    appendFileSync(
      REPORT,
      `${JSON.stringify({ what, ms: Math.round(ms), cpu_ms: cpuMs, mib: Math.round(peak / MIB), status: answer.status, detail: answer.body.detail, notes: answer.body.job?.notes, units: answer.body.job?.counts })}\n`,
    );
  if ("refused" in outcome) {
    checkRefusal(answer, outcome.refused);
    // What its reader refused keeps its bytes until its owner deletes them; what was refused at the door leaves none.
    const after = await kept();
    expect(after.units).toBe(before.units);
    expect(after.objects).toEqual(expect.arrayContaining(before.objects));
    expect(after.objects.length - before.objects.length).toBeLessThanOrEqual(1);
  } else await checkTaken(answer, outcome);
  expect(cpuMs).toBeLessThan(FILE_MAX_CPU_MS);
  expect(peak).toBeLessThan(MEDIA_PROCESS_MAX_BYTES);
  expect(objectsIn(world.h.data).filter((each) => each.startsWith("incoming/"))).toEqual([]);
  await checkNext();
}

const CORPUS: Record<string, HostileFile[]> = {
  picture: PICTURES,
  pdf: PDFS,
  docx: ARCHIVES,
  html: MARKUP,
  text: TEXTS,
  structure: STRUCTURE,
  sound: SOUNDS,
  "no video": NO_VIDEOS,
  polyglot: POLYGLOTS,
};
const FILMS = [...VIDEOS, ...FILM_POLYGLOTS];

test("the corpus is as large as it should be, and no file stands in it twice", () => {
  const names = [...Object.values(CORPUS), FILMS].flatMap((files) => files.map(([what]) => what));
  expect(names.length).toBeGreaterThan(120);
  expect(new Set(names).size).toBe(names.length);
});

function tests(files: readonly HostileFile[]): void {
  for (const file of files) test(`${file[0]} is ${"refused" in file[3] ? "refused" : "taken in"}`, () => check(file));
}

for (const [group, files] of Object.entries(CORPUS)) describe(group, () => tests(files));
describe.skipIf(withoutFfmpeg)("video (needs ffmpeg)", () => tests(FILMS));

describe("after all of them", () => {
  async function takesIn(files: [string, Uint8Array][]): Promise<void> {
    for (const [name, bytes] of files) {
      const answer = await put(world.h, bytes, { token: world.ann, name });
      expect({ name, status: answer.status, state: answer.body.job?.state }).toEqual({ name, status: 200, state: "done" });
      expect((await unitsOf(answer)).length).toBeGreaterThan(0);
    }
  }
  test("a good file of each kind is taken in", async () => takesIn(await goodFiles()));
  test.skipIf(withoutFfmpeg)("a good film of each kind is taken in (needs ffmpeg)", async () => takesIn(await goodFilms()));

  test("nobody followed a reference, wrote where nothing is to be written, or opened a socket", () => {
    expect(lure.calls()).toBe(0);
    expect(lure.written()).toEqual([]);
    expect([...watch.offences]).toEqual([]);
    expect(watch.readers()).toBeGreaterThan(0);
  });

  test("the indexes hold what the catalog does, and the objects are those of files", async () => {
    expect(await faultsOf(world.h)).toEqual([]);
    const { files } = rowsOf(await tenantOf(world.h));
    expect(objectsIn(world.h.data).filter((sha256) => !files.usesObject(sha256))).toEqual([]);
  });
});

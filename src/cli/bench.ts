/** `strata bench`: the service against its own engines, in one run on this machine. */
import { existsSync, rmSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { StartError } from "../base/fault.ts";
import { VERSION } from "../base/version.ts";
import { benchAnswer } from "./bench/answer.ts";
import { benchAudit } from "./bench/audit.ts";
import { storeUnits } from "./bench/corpus.ts";
import { benchIngest } from "./bench/ingest.ts";
import { FIGURE_HEADINGS, type Figure, figureRow } from "./bench/measure.ts";
import { benchMedia } from "./bench/media.ts";
import { benchSearch } from "./bench/search.ts";
import { openStand, type Stand } from "./bench/stand.ts";
import { benchStart } from "./bench/start.ts";
import { defineCommand, EXIT, value } from "./command.ts";
import { JSON_OUTPUT, oneOf, wholeNumber } from "./flags.ts";
import { count, counted, json, table } from "./format.ts";
import { Progress, Work } from "./progress.ts";

const UNITS = { default: 50_000, most: 1_000_000 };
const START_UNITS = 10_000;
const INGEST_UNITS = 2_000;
const QUERIES = 200;
const ANSWERS = 80;
const AUDIT_ROWS = 10_000;
const GB = 1_000_000_000;
const LOOK_MS = 200;
/** Vector tables that were left alone for this long have done all their upkeep: that of a pause in writing begins after 5 s. */
const SETTLED_MS = 7_000;
/** What can be measured by itself. The first four share a data directory with the Units to search in. */
const PARTS = ["search", "answer", "audit", "media", "ingest", "start"] as const;
type Part = (typeof PARTS)[number];

export const bench = defineCommand({
  purpose:
    "Measures search, answers, files, ingest, audit and start on data of its own, each against a baseline in the same run. It works in a directory that it makes \
and removes (about 1 GB at the default size) and takes several minutes; let nothing else run meanwhile.",
  operands: [],
  flags: {
    units: value("N", "Units to search in", { default: String(UNITS.default) }),
    part: value("PART", "only this part", { default: "all", choices: PARTS }),
    dir: value("DIR", "where to work", { default: "./strata-bench" }),
    ...JSON_OUTPUT,
  },
  examples: [
    ["everything", "strata bench"],
    ["a quick look at files alone", "strata bench --part media --units 5000 --json"],
  ],
  faulty: "a figure misses its bar",
  async run({ io }, flags) {
    const units = wholeNumber("units", flags.units, UNITS.most, UNITS.default);
    const parts = flags.part === undefined ? PARTS : [oneOf("part", flags.part, PARTS)];
    const root = flags.dir ?? "./strata-bench";
    // It is removed afterwards, so it must be nobody's.
    if (existsSync(root)) throw new StartError(`${root} exists; bench works in a directory that it makes and removes: name another with --dir`);
    const progress = new Progress(io.stderr);
    const figures = await measure(root, units, parts, progress).finally(() => rmSync(root, { recursive: true, force: true }));
    progress.clear();
    const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, memory_gb: Math.round(totalmem() / GB), version: VERSION, units };
    if (flags.json) io.stdout.write(json({ machine, figures }));
    else
      io.stdout.write(
        `${machine.cpu}, ${machine.cores} cores, ${machine.memory_gb} GB; ${units} Units; strata ${VERSION}\n\n${table(FIGURE_HEADINGS, figures.map(figureRow))}`,
      );
    return figures.every(({ bar }) => bar?.met ?? true) ? EXIT.done : EXIT.faulty;
  },
});

async function measure(root: string, units: number, parts: readonly Part[], progress: Progress): Promise<Figure[]> {
  const wants: Wants = (...some) => parts.some((part) => some.includes(part));
  const figures: Figure[] = [];
  if (wants("search", "answer", "audit", "media")) {
    const stand = await openStand(join(root, "search"));
    figures.push(...(await onManyUnits(stand, root, units, wants, progress).finally(() => stand.close())));
  }
  if (wants("ingest", "start")) {
    const stand = await openStand(join(root, "start"));
    figures.push(...(await onNewUnits(stand, wants, progress).finally(() => stand.close())));
  }
  if (!wants("start")) return figures;
  return [...figures, ...(await progress.during("starting", () => benchStart(join(root, "start"), join(root, "empty"), START_UNITS)))];
}

/** Shows how many Units are stored. */
function storing(progress: Progress, units: number): (done: number) => void {
  const work = new Work(progress);
  return (done) => work.show({ share: done / units, count: done, done: `${count(done)} of ${counted(units, "Unit")} stored` });
}

type Wants = (...parts: Part[]) => boolean;

async function onManyUnits(stand: Stand, root: string, units: number, wants: Wants, progress: Progress): Promise<Figure[]> {
  await storeUnits(stand.tenant, stand.app.services.encoder, units, storing(progress, units));
  await settled(stand.tenant.vectors);
  const figures: Figure[] = [];
  const add = async (part: Part, doing: string, work: () => Promise<Figure[]>) => {
    if (wants(part)) figures.push(...(await progress.during(doing, work)));
  };
  await add("search", "searching", () => benchSearch(stand, QUERIES));
  await add("answer", "answering", () => benchAnswer(stand, ANSWERS));
  await add("audit", "appending to the audit chain", () => benchAudit(stand, AUDIT_ROWS));
  if (wants("media")) figures.push(...(await benchMedia(stand, join(root, "media"), QUERIES, (part) => progress.show(`files: ${part}`))));
  return figures;
}

/** Leaves the Units for the start behind. */
async function onNewUnits(stand: Stand, wants: Wants, progress: Progress): Promise<Figure[]> {
  const ingested = wants("ingest") ? INGEST_UNITS : 0;
  const figures = ingested > 0 ? await progress.during("ingesting", () => benchIngest(stand, ingested)) : [];
  if (!wants("start")) return figures;
  await storeUnits(stand.tenant, stand.app.services.encoder, START_UNITS - ingested, storing(progress, START_UNITS - ingested));
  await settled(stand.tenant.vectors);
  return figures;
}

/** Waits until the vector tables have tidied up after bulk writing, what the pause after it brings included. */
export async function settled(vectors: Record<string, { state(): Promise<{ state: string }> }>): Promise<void> {
  for (let quiet = 0; quiet < SETTLED_MS; ) {
    await Bun.sleep(LOOK_MS);
    const states = await Promise.all(Object.values(vectors).map((index) => index.state()));
    quiet = states.every(({ state }) => state === "ok") ? quiet + LOOK_MS : 0;
  }
}

/** `strata bench`: the service against its own engines, in one run on this machine. */
import { existsSync, rmSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { StartError } from "../base/fault.ts";
import { VERSION } from "../engine/assets.ts";
import { benchAnswer } from "./bench/answer.ts";
import { benchAudit } from "./bench/audit.ts";
import { storeUnits } from "./bench/corpus.ts";
import { benchIngest } from "./bench/ingest.ts";
import type { Figure } from "./bench/measure.ts";
import { benchSearch } from "./bench/search.ts";
import { openStand } from "./bench/stand.ts";
import { benchStart } from "./bench/start.ts";
import { defineCommand, EXIT } from "./command.ts";
import { wholeNumber } from "./flags.ts";
import { json, table } from "./format.ts";
import { Progress } from "./progress.ts";

const UNITS = { default: 50_000, most: 1_000_000 };
const START_UNITS = 10_000;
const INGEST_UNITS = 2_000;
const QUERIES = 200;
const ANSWERS = 80;
const AUDIT_ROWS = 10_000;
const GB = 1_000_000_000;

export const bench = defineCommand({
  purpose:
    "Measures search, answers, ingest, audit and start on data of its own, each against a baseline in the same run. It works in a directory that it makes \
and removes (about 1 GB at the default size) and takes several minutes; let nothing else run meanwhile.",
  operands: [],
  flags: {
    units: { kind: "value", placeholder: "N", help: "Units to search in", default: String(UNITS.default) },
    dir: { kind: "value", placeholder: "DIR", help: "where to work", default: "./strata-bench" },
    json: { kind: "switch", help: "print JSON" },
  },
  examples: [
    { about: "everything", call: "strata bench" },
    { about: "a quick look", call: "strata bench --units 5000 --json" },
  ],
  faulty: "a figure misses its bar",
  async run({ io }, flags) {
    const units = wholeNumber("units", flags.units, UNITS.most, UNITS.default);
    const root = flags.dir ?? "./strata-bench";
    // It is removed afterwards, so it must be nobody's.
    if (existsSync(root)) throw new StartError(`${root} exists; bench works in a directory that it makes and removes: name another with --dir`);
    const progress = new Progress(io.stderr);
    const figures = await measure(root, units, progress).finally(() => rmSync(root, { recursive: true, force: true }));
    progress.clear();
    const machine = { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, memory_gb: Math.round(totalmem() / GB), version: VERSION, units };
    if (flags.json) io.stdout.write(json({ machine, figures }));
    else
      io.stdout.write(
        `${machine.cpu}, ${machine.cores} cores, ${machine.memory_gb} GB; ${units} Units; strata ${VERSION}\n\n${table(HEADINGS, figures.map(row))}`,
      );
    return figures.every(({ bar }) => bar?.met ?? true) ? EXIT.done : EXIT.faulty;
  },
});

async function measure(root: string, units: number, progress: Progress): Promise<Figure[]> {
  const stand = await openStand(join(root, "search"));
  const figures: Figure[] = [];
  try {
    await storeUnits(stand.tenant, stand.app.encoder, units, (done) => progress.show(`storing ${done} of ${units} Units`));
    await settled(stand.tenant.vectors);
    progress.show("searching");
    figures.push(...(await benchSearch(stand, QUERIES)));
    progress.show("answering");
    figures.push(...(await benchAnswer(stand, ANSWERS)));
    progress.show("appending to the audit chain");
    figures.push(...(await benchAudit(stand, AUDIT_ROWS)));
  } finally {
    await stand.close();
  }
  const second = await openStand(join(root, "start"));
  try {
    progress.show("ingesting");
    figures.push(...(await benchIngest(second, INGEST_UNITS)));
    await storeUnits(second.tenant, second.app.encoder, START_UNITS - INGEST_UNITS, (done) => progress.show(`storing ${done} Units`));
    await settled(second.tenant.vectors);
  } finally {
    await second.close();
  }
  progress.show("starting");
  return [...figures, ...(await benchStart(join(root, "start"), join(root, "empty"), START_UNITS))];
}

/** Waits until the vector tables have tidied up after bulk writing. */
async function settled(vectors: Record<string, { state(): Promise<{ state: string }> }>): Promise<void> {
  for (let quiet = 0; quiet < 10; ) {
    await Bun.sleep(200);
    const states = await Promise.all(Object.values(vectors).map((index) => index.state()));
    quiet = states.every(({ state }) => state === "ok") ? quiet + 1 : 0;
  }
}

const HEADINGS = ["MEASURED", "VALUE", "BASELINE", "RATIO", "BAR"];

function row({ name, value, unit, baseline, bar }: Figure): string[] {
  return [
    name,
    `${rounded(value)} ${unit}`,
    baseline ? `${rounded(baseline.value)} ${unit} (${baseline.name})` : "",
    baseline ? (value / baseline.value).toFixed(2) : "",
    bar ? `${bar.text}: ${bar.met ? "met" : "MISSED"}` : "",
  ];
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

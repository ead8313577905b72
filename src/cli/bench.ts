/** `strata bench`: the service against its own engines, in one run on this machine. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { StartError } from "../base/fault.ts";
import { VERSION } from "../base/version.ts";
import { benchAnswer } from "./bench/answer.ts";
import { benchAudit } from "./bench/audit.ts";
import { type Filling, storeUnits } from "./bench/corpus.ts";
import { benchDemo } from "./bench/demo.ts";
import { benchGivenVectors, benchIngest } from "./bench/ingest.ts";
import { FIGURE_HEADINGS, type Figure, figureRow } from "./bench/measure.ts";
import { benchMedia } from "./bench/media.ts";
import { benchMillion } from "./bench/million.ts";
import { benchNamespaces } from "./bench/namespaces.ts";
import { benchSearch } from "./bench/search.ts";
import { benchSimilar } from "./bench/similar.ts";
import { openStand, settled, type Stand } from "./bench/stand.ts";
import { benchStart } from "./bench/start.ts";
import { benchVectors } from "./bench/vectors.ts";
import { benchWords } from "./bench/words.ts";
import { defineCommand, EXIT, toggle, UsageError, value } from "./command.ts";
import { JSON_OUTPUT, oneOf, wholeNumber } from "./flags.ts";
import { count, counted, json, table } from "./format.ts";
import { Progress, Work } from "./progress.ts";

const UNITS_MAX = 1_000_000;
/** Units that are searched in, where --units says nothing. */
const UNITS = { search: 50_000, plane: 100_000, answer: 12_000, million: 1_000_000 };
const START_UNITS = 10_000;
const INGEST_UNITS = 2_000;
/** A migration: enough of them that upkeep of the indexes runs meanwhile. */
const GIVEN_UNITS = 10_000;
const QUERIES = 200;
const ANSWERS = 80;
const AUDIT_ROWS = 10_000;
const GB = 1_000_000_000;
/** What can be measured by itself. */
const PARTS = ["search", "audit", "media", "vectors", "words", "answer", "similar", "demo", "ingest", "start", "namespaces", "million"] as const;
type Part = (typeof PARTS)[number];
/** A million Units take long to store, and thousands of namespaces as many files. */
const BY_DEFAULT = PARTS.filter((part) => part !== "million" && part !== "namespaces");

export const bench = defineCommand({
  purpose:
    "Measures search, answers, files, ingest, audit and start on data of its own, each against a baseline in the same run. It works in a directory that it makes \
and removes (about 1 GB at the default size) and takes about ten minutes; let nothing else run meanwhile. Two parts are measured only when they are named: `namespaces`, \
5,000 of them in 1 GB, and `million`, which takes minutes to store, and some 5 GB.",
  operands: [],
  flags: {
    units: value("N", "Units to search in", {
      default: `${UNITS.search}; ${UNITS.plane} for vectors and words, ${UNITS.answer} for answer, ${UNITS.million} for million`,
    }),
    part: value("PART", "only this part", { default: "all but namespaces and million", choices: PARTS }),
    dir: value("DIR", "where to work", { default: "./strata-bench" }),
    keep: toggle("leave DIR with the Units of `million`, and go on with those that it has"),
    ...JSON_OUTPUT,
  },
  examples: [
    ["everything but a million Units", "strata bench"],
    ["a quick look at files alone", "strata bench --part media --units 5000 --json"],
    ["a million Units, stored once", "strata bench --part million --dir /var/tmp/million --keep"],
  ],
  faulty: "a figure misses its bar",
  async run({ io }, flags) {
    const units = flags.units === undefined ? null : wholeNumber("units", flags.units, UNITS_MAX, UNITS.search);
    const parts = flags.part === undefined ? BY_DEFAULT : [oneOf("part", flags.part, PARTS)];
    const root = flags.dir ?? "./strata-bench";
    if (flags.keep && flags.part !== "million") throw new UsageError("--keep goes with --part million");
    // It is removed afterwards, so it must be nobody's.
    if (existsSync(root) && !flags.keep)
      throw new StartError(`${root} exists; bench works in a directory that it makes and removes: name another with --dir`);
    const run = new Run(root, units, new Set(parts), new Progress(io.stderr));
    try {
      await run.measure();
    } finally {
      if (!flags.keep) rmSync(root, { recursive: true, force: true });
      io.stdout.write(flags.json ? json({ machine: machine(), figures: run.figures }) : report(run.figures));
    }
    return run.figures.every(({ bar }) => bar?.met ?? true) ? EXIT.done : EXIT.faulty;
  },
});

function machine() {
  return { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, memory_gb: Math.round(totalmem() / GB), version: VERSION };
}

function report(figures: readonly Figure[]): string {
  const { cpu, cores, memory_gb, version } = machine();
  return `${cpu}, ${cores} cores, ${memory_gb} GB; strata ${version}\n\n${table(FIGURE_HEADINGS, figures.map(figureRow))}`;
}

/** Each group of parts has a data directory of its own. What is measured is in `figures` even when a later part fails. */
class Run {
  readonly figures: Figure[] = [];

  constructor(
    private readonly root: string,
    private readonly units: number | null,
    private readonly parts: ReadonlySet<Part>,
    private readonly progress: Progress,
  ) {}

  async measure(): Promise<void> {
    mkdirSync(this.root, { recursive: true });
    if (this.wants("search", "audit", "media")) await this.on("search", (stand) => this.inManyUnits(stand));
    if (this.wants("vectors", "words")) await this.on("plane", (stand) => this.inOnePlane(stand));
    if (this.wants("answer")) await this.on("answer", (stand) => this.inChunks(stand));
    if (this.wants("similar")) await this.on("similar", (stand) => this.inPictures(stand));
    if (this.wants("demo")) await this.inDemo();
    if (this.wants("ingest")) {
      await this.on("given", (stand) => this.add("ingest", "ingesting given vectors", () => benchGivenVectors(stand, GIVEN_UNITS)));
    }
    if (this.wants("ingest", "start")) await this.on("start", (stand) => this.withNewUnits(stand));
    await this.add("start", "starting", () => benchStart(join(this.root, "start"), this.root, START_UNITS));
    const onStep = (step: string) => this.progress.show(step);
    if (this.wants("namespaces")) this.figures.push(...(await benchNamespaces(join(this.root, "namespaces"), onStep)));
    if (this.wants("million")) await this.inMillion(onStep);
  }

  private wants(...some: Part[]): boolean {
    return some.some((part) => this.parts.has(part));
  }

  private async add(part: Part, doing: string, work: () => Promise<Figure[]>): Promise<void> {
    if (this.wants(part)) this.figures.push(...(await this.progress.during(doing, work)));
  }

  private async on(name: string, work: (stand: Stand) => Promise<void>): Promise<void> {
    const stand = await openStand(join(this.root, name));
    await work(stand).finally(() => stand.close());
  }

  private async inManyUnits(stand: Stand): Promise<void> {
    await this.fill(stand, this.units ?? UNITS.search);
    await this.add("search", "searching", () => benchSearch(stand, QUERIES));
    await this.add("audit", "appending to the audit chain", () => benchAudit(stand, AUDIT_ROWS));
    if (!this.wants("media")) return;
    const onPart = (part: string) => this.progress.show(`files: ${part}`);
    this.figures.push(...(await benchMedia(stand, join(this.root, "media"), QUERIES, onPart)));
  }

  private async inOnePlane(stand: Stand): Promise<void> {
    await this.fill(stand, this.units ?? UNITS.plane, { planes: ["text"] });
    await this.add("vectors", "searching vectors", () => benchVectors(stand, QUERIES));
    await this.add("words", "searching full text", () => benchWords(stand, QUERIES));
  }

  private async inChunks(stand: Stand): Promise<void> {
    await this.fill(stand, this.units ?? UNITS.answer, { planes: ["text"], modality: "chunk" });
    await this.add("answer", "answering", () => benchAnswer(stand, ANSWERS));
  }

  private async inPictures(stand: Stand): Promise<void> {
    await this.add("similar", "searching by pictures", () => benchSimilar(stand, this.units ?? UNITS.search, QUERIES));
  }

  private async inDemo(): Promise<void> {
    const stand = await openStand(join(this.root, "demo"), "demo");
    await this.add("demo", "searching the demo", () => benchDemo(stand, QUERIES)).finally(() => stand.close());
  }

  /** Leaves the Units for the start behind. */
  private async withNewUnits(stand: Stand): Promise<void> {
    await this.add("ingest", "ingesting", () => benchIngest(stand, INGEST_UNITS));
    if (this.wants("start")) await this.fill(stand, START_UNITS, { from: await stand.tenant.reader.units.count(null) });
  }

  private async inMillion(onStep: (step: string) => void): Promise<void> {
    const units = this.units ?? UNITS.million;
    const fill = async (stand: Stand) => this.fill(stand, units, { from: await stand.tenant.reader.units.count(null) });
    this.figures.push(...(await benchMillion(this.root, QUERIES, fill, onStep)));
  }

  /** Stores Units up to `units`, and waits until the upkeep that this causes is done. */
  private async fill({ tenant, app }: Stand, units: number, filling: Filling = {}): Promise<void> {
    const work = new Work(this.progress);
    const show = (done: number) => work.show({ share: done / units, count: done, done: `${count(done)} of ${counted(units, "Unit")} stored` });
    await storeUnits(tenant, app.services.encoder, units, show, filling);
    await settled(tenant.vectors);
  }
}

/** Jobs of files: turns between namespaces, what is tried again and what is not, and what stays of a file that fails. */
import { afterEach, describe, expect, test } from "bun:test";
import { Fault } from "../../../src/base/fault.ts";
import { FILES_READ_AHEAD_UNITS, JOB_LOSSES_MAX } from "../../../src/base/limits.ts";
import { silentLog } from "../../../src/base/log.ts";
import { resolveView } from "../../../src/core/access/view.ts";
import { keepFile } from "../../../src/core/files/accept.ts";
import { removeUnits } from "../../../src/core/files/remove.ts";
import { JobRunner, type JobRunnerOptions } from "../../../src/core/jobs/runner.ts";
import type { Job } from "../../../src/domain/file.ts";
import type { ExtractedPart, SourceFile } from "../../../src/domain/media.ts";
import type { Encoder } from "../../../src/domain/port/encoder.ts";
import type { Extractor } from "../../../src/domain/port/extractor.ts";
import { closeSmall, oneWindow, openSmall, type SmallTenant, withSmall } from "../../support/small-tenant.ts";

const runners: JobRunner[] = [];

afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.close();
  await closeSmall();
});

const FORMAT = { kind: "document", mime: "text/plain" } as const;
/** So many that each part is stored on its own. */
const PART_UNITS = 64;

function partOf(name: string, part: number, count: number): ExtractedPart {
  const units = Array.from({ length: count }, (_, index) => {
    const start = part * count + index;
    return {
      modality: "chunk" as const,
      path: [],
      text: `${name} ${start}`,
      locator: { kind: "char_span" as const, start, end: start + 1 },
      metadata: {},
      features: null,
    };
  });
  return { part, progress: 0, stage: "text", units, notes: [] };
}

/** What an extractor gives instead of a part: a fault, as often as it says. */
type Script = (name: string, part: number, losses: number) => Fault | null;

/** Gives three parts of every file, and notes which it was asked for. */
class FakeExtractor {
  readonly asked: string[] = [];
  readonly losses: number[] = [];
  crowded = () => false;
  recognise = async () => FORMAT;
  /** Files that are being read. */
  readonly reading = new Set<string>();

  constructor(
    private readonly script: Script = () => null,
    private readonly parts = 3,
    private readonly units = PART_UNITS,
  ) {}

  async *extract(file: SourceFile, from: number, losses = 0): AsyncGenerator<ExtractedPart, void, void> {
    this.reading.add(file.name);
    this.losses.push(losses);
    try {
      for (let part = from; part < this.parts; part += 1) {
        this.asked.push(`${file.name}/${part}`);
        const fault = this.script(file.name, part, losses);
        if (fault !== null) throw fault;
        // A part takes its time.
        await Bun.sleep(0);
        yield partOf(file.name, part, this.units);
      }
    } finally {
      this.reading.delete(file.name);
    }
  }
}

function runnerOf(extractor: FakeExtractor, more: Partial<JobRunnerOptions> = {}): JobRunner {
  const options = { withTenant: withSmall, encoder: oneWindow, log: silentLog, workers: 1, turnMs: 0, pauseMs: () => 0, ...more };
  const runner = new JobRunner({ extractor: extractor as unknown as Extractor, ...options });
  runners.push(runner);
  return runner;
}

async function accept({ tenant, caller }: SmallTenant, name: string): Promise<Job> {
  async function* bytes() {
    yield Buffer.from(`the bytes of ${name}`);
  }
  const received = await tenant.objects.receive(bytes());
  const request = { name, scope: null, doc_id: null, acl_groups: [], metadata: null };
  return (await keepFile(await resolveView(tenant, caller, null), received, FORMAT, request, "here")).job;
}

/** Fails the first `times` times that it is asked for this part. */
function failing(times: number, at: string, fault: () => Fault): Script {
  let left = times;
  return (name, part) => (`${name}/${part}` === at && left-- > 0 ? fault() : null);
}

const short = () => new Fault("unavailable", "the machine is short of memory");
const lost = () => new Fault("bad_request", "the file brought its decoder down", { retry: "few" });

async function readFile({ tenant }: SmallTenant, { file_id }: Job) {
  const file = await tenant.reader.files.byId(file_id);
  if (file === null) throw new Error("the file is gone");
  return file;
}

describe("turns", () => {
  test("a namespace with one place gives it up between two parts when another one waits", async () => {
    const [one, other] = [openSmall("one"), openSmall("other")];
    const extractor = new FakeExtractor();
    const runner = runnerOf(extractor);
    const long = [await accept(one, "a1"), await accept(one, "a2")];
    const single = await accept(other, "b1");
    for (const job of long) runner.start(one.tenant, job);
    runner.start(other.tenant, single);
    expect((await runner.finished(other.tenant, single.job_id)).state).toBe("done");
    for (const job of long) expect((await runner.finished(one.tenant, job.job_id)).state).toBe("done");
    expect(extractor.asked).toEqual(["a1/0", "b1/0", "a1/1", "b1/1", "a1/2", "b1/2", "a2/0", "a2/1", "a2/2"]);
    expect(await one.tenant.reader.units.count(null)).toBe(2 * 3 * PART_UNITS);
  });

  test("of two places, one that floods keeps one while another namespace waits", async () => {
    const [one, other] = [openSmall("one"), openSmall("other")];
    const beside: number[] = [];
    const extractor: FakeExtractor = new FakeExtractor((name) => {
      if (name === "b") beside.push([...extractor.reading].filter((each) => each !== "b").length);
      return null;
    }, 6);
    const runner = runnerOf(extractor, { workers: 2 });
    const flood: Job[] = [];
    for (const name of ["a0", "a1", "a2", "a3"]) flood.push(await accept(one, name));
    const single = await accept(other, "b");
    for (const job of flood) runner.start(one.tenant, job);
    runner.start(other.tenant, single);
    expect((await runner.finished(other.tenant, single.job_id)).state).toBe("done");
    expect(beside).toHaveLength(6);
    expect(Math.max(...beside)).toBeLessThanOrEqual(1);
    const meanwhile = extractor.asked.slice(extractor.asked.indexOf("b/0"), extractor.asked.indexOf("b/5"));
    expect(meanwhile.filter((part) => part.startsWith("a"))).not.toBeEmpty();
    for (const { job_id } of flood) await runner.finished(one.tenant, job_id);
    expect(await one.tenant.reader.units.count(null)).toBe(4 * 6 * PART_UNITS);
  });

  test("a namespace gives its place up when another one has a place and waits for the memory", async () => {
    const [one, other] = [openSmall("one"), openSmall("other")];
    const memory = Promise.withResolvers<void>();
    const extractor = new FakeExtractor();
    const reading = extractor.extract.bind(extractor);
    // Of two places, the one that comes second finds the memory spent until the first one's process is gone.
    extractor.crowded = () => extractor.reading.has("a") && !extractor.reading.has("b") && !extractor.asked.includes("b/0");
    extractor.extract = async function* (file, from, losses) {
      if (file.name === "b") await memory.promise;
      try {
        yield* reading(file, from, losses);
      } finally {
        memory.resolve();
      }
    };
    const runner = runnerOf(extractor, { workers: 2 });
    const [long, waiting] = [await accept(one, "a"), await accept(other, "b")];
    runner.start(one.tenant, long);
    runner.start(other.tenant, waiting);
    expect((await runner.finished(other.tenant, waiting.job_id)).state).toBe("done");
    expect((await runner.finished(one.tenant, long.job_id)).state).toBe("done");
    expect(extractor.asked.slice(0, 2)).toEqual(["a/0", "b/0"]);
  });

  test("a file whose parts wait to be encoded gives its place up meanwhile, and loses nothing", async () => {
    const [one, other] = [openSmall("one"), openSmall("other")];
    const busy = Promise.withResolvers<void>();
    const encoder: Encoder = {
      ...oneWindow,
      encode: async (...asked) => {
        if (asked[2]?.tenant === "one") await busy.promise;
        return oneWindow.encode(...asked);
      },
    };
    const extractor = new FakeExtractor();
    const runner = runnerOf(extractor, { encoder });
    const [long, short1, short2] = [await accept(one, "a"), await accept(other, "b1"), await accept(other, "b2")];
    runner.start(one.tenant, long);
    for (const job of [short1, short2]) runner.start(other.tenant, job);
    // The texts of the first namespace are not encoded before the files of the other one are done.
    for (const { job_id } of [short1, short2]) expect((await runner.finished(other.tenant, job_id)).state).toBe("done");
    expect(await one.tenant.reader.units.count(null)).toBe(0);
    busy.resolve();
    expect(await runner.finished(one.tenant, long.job_id)).toMatchObject({ state: "done", units: 3 * PART_UNITS, created: 3 * PART_UNITS });
    expect(extractor.asked.filter((asked) => asked.startsWith("a/"))).toEqual(["a/0", "a/1", "a/2"]);
  });

  test("alone, a namespace goes on with what it began", async () => {
    const small = openSmall();
    const extractor = new FakeExtractor();
    const runner = runnerOf(extractor);
    const jobs = [await accept(small, "a1"), await accept(small, "a2")];
    for (const job of jobs) runner.start(small.tenant, job);
    for (const job of jobs) await runner.finished(small.tenant, job.job_id);
    expect(extractor.asked).toEqual(["a1/0", "a1/1", "a1/2", "a2/0", "a2/1", "a2/2"]);
  });
});

describe("while the texts of a file are encoded", () => {
  /** Encodes nothing before the gate is open. */
  function gated(): { encoder: Encoder; open: () => void; asked: () => number } {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const encode: Encoder["encode"] = async (...all) => {
      asked += 1;
      await gate.promise;
      return oneWindow.encode(...all);
    };
    return { encoder: { ...oneWindow, encode }, open: gate.resolve, asked: () => asked };
  }

  test("the next files are read, as far ahead as FILES_READ_AHEAD_UNITS says", async () => {
    const small = openSmall();
    const { encoder, open, asked } = gated();
    const units = FILES_READ_AHEAD_UNITS / 2;
    const extractor = new FakeExtractor(() => null, 1, units);
    const runner = runnerOf(extractor, { encoder });
    const jobs = [await accept(small, "a"), await accept(small, "b"), await accept(small, "c")];
    for (const job of jobs) runner.start(small.tenant, job);
    while (asked() < 2 * units) await Bun.sleep(1);
    await Bun.sleep(1);
    expect(extractor.asked).toEqual(["a/0", "b/0"]);
    open();
    for (const { job_id } of jobs) expect(await runner.finished(small.tenant, job_id)).toMatchObject({ state: "done", units });
    expect(extractor.asked).toEqual(["a/0", "b/0", "c/0"]);
  });
});

describe("the indexes", () => {
  test("take the Units of several files together, and at once when no file is left", async () => {
    const small = openSmall();
    const runner = runnerOf(new FakeExtractor(() => null, 1, 1));
    const jobs = await Promise.all(["a", "b", "c", "d"].map((name) => accept(small, name)));
    for (const job of jobs) runner.start(small.tenant, job);
    for (const { job_id } of jobs) expect((await runner.finished(small.tenant, job_id)).state).toBe("done");
    expect({ puts: small.text.puts, units: small.text.uids.size }).toEqual({ puts: 1, units: 4 });
  });

  test("that are slow hold up neither the next file nor the end of the service", async () => {
    const small = openSmall();
    small.text.gate = new Promise(() => {});
    const runner = runnerOf(new FakeExtractor());
    const jobs = [await accept(small, "a"), await accept(small, "b")];
    for (const job of jobs) runner.start(small.tenant, job);
    const { units, jobs: stored } = small.tenant.reader;
    while ((await units.count(null)) < jobs.length * 3 * PART_UNITS) await Bun.sleep(1);
    await runner.close();
    for (const { job_id } of jobs) expect(await stored.byId(job_id)).toMatchObject({ state: "running", units: 3 * PART_UNITS });
  });
});

describe("what the machine lacked", () => {
  test("is tried again for as long as it takes, from the part that comes next", async () => {
    const small = openSmall();
    const extractor = new FakeExtractor(failing(25, "a/1", short));
    const runner = runnerOf(extractor);
    const job = await accept(small, "a");
    runner.start(small.tenant, job);
    const done = await runner.finished(small.tenant, job.job_id);
    expect(done).toMatchObject({ state: "done", units: 3 * PART_UNITS, created: 3 * PART_UNITS });
    expect(extractor.asked).toEqual(["a/0", ...Array(26).fill("a/1"), "a/2"]);
  });

  test("an encoder that is busy fails no job", async () => {
    const small = openSmall();
    let refusals = 12;
    const encoder: Encoder = {
      ...oneWindow,
      encode: async (...asked) => {
        refusals -= 1;
        if (refusals >= 0) throw new Fault("unavailable", "too many texts wait for the models");
        return oneWindow.encode(...asked);
      },
    };
    const runner = runnerOf(new FakeExtractor(), { encoder });
    const job = await accept(small, "a");
    runner.start(small.tenant, job);
    expect(await runner.finished(small.tenant, job.job_id)).toMatchObject({ state: "done", units: 3 * PART_UNITS });
  });

  test("a step that was committed and could not be indexed counts once", async () => {
    const small = openSmall();
    const job = await accept(small, "a");
    small.text.failing = true;
    const runner = runnerOf(new FakeExtractor(), {
      pauseMs: () => {
        small.text.failing = false;
        return 0;
      },
    });
    runner.start(small.tenant, job);
    expect(await runner.finished(small.tenant, job.job_id)).toMatchObject({ state: "done", units: 3 * PART_UNITS, created: 3 * PART_UNITS });
    expect(small.text.uids.size).toBe(3 * PART_UNITS);
  });

  test("does not hold up the next file, and the end of the service leaves the job as it is", async () => {
    const small = openSmall();
    const runner = runnerOf(new FakeExtractor((name) => (name === "a" ? short() : null)), { pauseMs: () => 3_600_000 });
    const [stuck, next] = [await accept(small, "a"), await accept(small, "b")];
    runner.start(small.tenant, stuck);
    runner.start(small.tenant, next);
    const waiting = runner.finished(small.tenant, stuck.job_id).catch((error: unknown) => error);
    expect((await runner.finished(small.tenant, next.job_id)).state).toBe("done");
    await runner.close();
    expect(await waiting).toMatchObject({ kind: "unavailable" });
    expect((await small.tenant.reader.jobs.byId(stuck.job_id))?.state).toBe("running");
  });
});

describe("a file that loses its process", () => {
  test("is read again from the lost part, with a count of the losses", async () => {
    const small = openSmall();
    const extractor = new FakeExtractor(failing(JOB_LOSSES_MAX - 1, "a/1", lost));
    const runner = runnerOf(extractor);
    const job = await accept(small, "a");
    runner.start(small.tenant, job);
    expect((await runner.finished(small.tenant, job.job_id)).state).toBe("done");
    expect(extractor.losses).toEqual(Array.from({ length: JOB_LOSSES_MAX }, (_, index) => index));
  });

  test("at different parts never fails", async () => {
    const small = openSmall();
    const seen = new Set<string>();
    const runner = runnerOf(new FakeExtractor((_, part) => (seen.has(`${part}`) ? null : seen.add(`${part}`) && lost()), 8));
    const job = await accept(small, "a");
    runner.start(small.tenant, job);
    expect(await runner.finished(small.tenant, job.job_id)).toMatchObject({ state: "done", units: 8 * PART_UNITS });
  });

  test("at the same part time and again fails, keeps its bytes, and is taken up again when it is sent again", async () => {
    const small = openSmall();
    const { tenant, caller } = small;
    const extractor = new FakeExtractor(failing(JOB_LOSSES_MAX, "a/1", lost));
    const runner = runnerOf(extractor);
    const job = await accept(small, "a");
    runner.start(tenant, job);
    const failed = await runner.finished(tenant, job.job_id);
    expect(failed).toMatchObject({ state: "failed", units: 0, error: { kind: "bad_request" } });
    expect(await tenant.reader.units.count(null)).toBe(0);
    const file = await readFile(small, job);
    expect(await tenant.objects.fault(file.sha256)).toBeNull();
    expect(await tenant.objects.sweep((sha256) => tenant.reader.files.usesObject(sha256))).toBe(0);
    const again = await accept(small, "a");
    expect(again.job_id).not.toBe(job.job_id);
    runner.start(tenant, again);
    expect((await runner.finished(tenant, again.job_id)).state).toBe("done");
    expect(await removeUnits(await resolveView(tenant, caller, null), { file })).toBe(3 * PART_UNITS);
    expect(await tenant.objects.fault(file.sha256)).toBe("missing");
  });
});

test("what a reader says of its file, and what is not installed, fails at once and keeps the bytes", async () => {
  const faults = [new Fault("bad_request", "the PDF is encrypted"), new Fault("unavailable", "video needs ffmpeg", { retry: "never" })];
  for (const fault of faults) {
    const small = openSmall();
    const extractor = new FakeExtractor(() => fault);
    const runner = runnerOf(extractor);
    const job = await accept(small, "a");
    runner.start(small.tenant, job);
    expect(await runner.finished(small.tenant, job.job_id)).toMatchObject({ state: "failed", error: { kind: fault.kind } });
    expect(extractor.asked).toEqual(["a/0"]);
    expect(await small.tenant.objects.fault((await readFile(small, job)).sha256)).toBeNull();
  }
});

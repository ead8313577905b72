/** Stored files through today's extractors: what serves meanwhile, what goes and what stays, and where it goes on. */
import { afterEach, describe, expect, test } from "bun:test";
import { Fault } from "../../../src/base/fault.ts";
import { JOB_LEASE_MS, REREAD_FILES_MAX } from "../../../src/base/limits.ts";
import { silentLog } from "../../../src/base/log.ts";
import { resolveView } from "../../../src/core/access/view.ts";
import { keepFile } from "../../../src/core/files/accept.ts";
import { removeUnits } from "../../../src/core/files/remove.ts";
import { reread } from "../../../src/core/files/reread.ts";
import { JobRunner } from "../../../src/core/jobs/runner.ts";
import { type IngestUnit, refuseOverQuota } from "../../../src/core/units/drafts.ts";
import { ingest } from "../../../src/core/units/ingest.ts";
import { EXTRACTOR_VERSIONS } from "../../../src/domain/extractor-version.ts";
import { type Job, sourceUri, type StoredFile } from "../../../src/domain/file.ts";
import type { ExtractedPart, FileFormat, SourceFile } from "../../../src/domain/media.ts";
import type { Extractor } from "../../../src/domain/port/extractor.ts";
import type { UnitReader } from "../../../src/domain/port/units.ts";
import { MemoryStore } from "../../../src/adapter/memory/namespace-store.ts";
import type { Unit, UnitDraft } from "../../../src/domain/unit.ts";
import { callIn, closeSmall, oneWindow, type SmallTenant, smallOn, withSmall } from "../../support/small-tenant.ts";

const runners: JobRunner[] = [];
/** How much later the store believes that it is. */
let aheadMs = 0;
afterEach(async () => {
  aheadMs = 0;
  for (const runner of runners.splice(0)) await runner.close();
  await closeSmall();
});

const TEXT: FileFormat = { kind: "document", mime: "text/plain" };
/** The version of the extractor before today's. */
const BEFORE = EXTRACTOR_VERSIONS.document - 1;

/** An extractor of a version: what it takes a file for, and its parts, each with its texts. */
interface Version {
  format?: FileFormat | Fault;
  parts: (string[] | Fault)[];
}

/** Reads every file as the version says that it is given. */
class VersionedExtractor {
  readonly asked: string[] = [];
  /** What a part waits for. */
  gate: (part: number) => Promise<void> = async () => {};
  crowded = () => false;

  constructor(public version: Version) {}

  async recognise(): Promise<FileFormat> {
    const { format = TEXT } = this.version;
    if (format instanceof Fault) throw format;
    return format;
  }

  async *extract({ name }: SourceFile, from: number): AsyncGenerator<ExtractedPart, void, void> {
    for (const [part, texts] of this.version.parts.entries()) {
      if (part < from) continue;
      this.asked.push(`${name}/${part}`);
      await this.gate(part);
      if (texts instanceof Fault) throw texts;
      const units = texts.map((text) => ({ modality: "chunk" as const, path: ["Title"], text, locator: null, metadata: {}, features: null }));
      yield { part, progress: 0.5, stage: "text", units, notes: [] };
    }
  }
}

function runnerOf(extractor: VersionedExtractor): JobRunner {
  const runner = new JobRunner({
    withTenant: withSmall,
    extractor: extractor as unknown as Extractor,
    encoder: oneWindow,
    log: silentLog,
    workers: 1,
    pauseMs: () => 0,
  });
  runners.push(runner);
  return runner;
}

interface World {
  small: SmallTenant;
  extractor: VersionedExtractor;
  runner: JobRunner;
  file: StoredFile;
}

/** A file that the extractor before today's read: it gave `old`. */
async function worldOf(old: Version["parts"], name = "notes/a.txt"): Promise<World> {
  const small = smallOn(new MemoryStore({ namespace: "small", now: () => Date.now() + aheadMs, model: oneWindow.info.model }));
  const extractor = new VersionedExtractor({ parts: old });
  const runner = runnerOf(extractor);
  const file = await stored(small, runner, name);
  return { small, extractor, runner, file };
}

/** Takes a file in, and dates it back. */
async function stored(small: SmallTenant, runner: JobRunner, name: string): Promise<StoredFile> {
  const { tenant, caller } = small;
  async function* bytes() {
    yield Buffer.from(`the bytes of ${name}`);
  }
  const received = await tenant.objects.receive(bytes());
  const facts = { name, doc_id: "doc", acl_groups: ["crew"], metadata: { year: 1911 } };
  const { file, job } = await keepFile(await resolveView(tenant, caller, null), received, TEXT, facts, "here");
  runner.start(tenant, job);
  await runner.finished(tenant, job.job_id);
  return dated(small, file.file_id, BEFORE);
}

async function dated({ tenant }: SmallTenant, file_id: string, extractor: number): Promise<StoredFile> {
  const { value } = await tenant.store.transact(async (tx) => {
    const known = await tx.files.byId(file_id);
    if (known === null) throw new Error("the file is there");
    const { created_at: _, updated_at: __, ...facts } = known;
    return tx.files.put({ ...facts, extractor });
  });
  return value;
}

type Input = { after?: string; withDeleted?: boolean };
const ask = async ({ small, runner }: Pick<World, "small" | "runner">, { after = "", withDeleted = false }: Input = {}) =>
  reread.run(await callIn(small, { after, withDeleted }, { jobs: runner }));

type Asked = Awaited<ReturnType<typeof ask>>;

/** Asks, and waits for what was queued. */
async function readAgain(world: World, input: Input = {}): Promise<{ asked: Asked; jobs: Job[] }> {
  const asked = await ask(world, input);
  const jobs: Job[] = [];
  for (const { job } of asked.files) jobs.push(await world.runner.finished(world.small.tenant, job.id));
  return { asked, jobs };
}

async function unitsOf({ small: { tenant }, file }: World): Promise<Unit[]> {
  const { files, units } = tenant.reader;
  const own = await units.byUids(await files.uids(file.file_id));
  return [...own.values()].sort((a, b) => a.uid - b.uid);
}

const textsOf = async (world: World) => (await unitsOf(world)).map(({ text }) => text).sort();
const fileOf = async ({ small, file }: World) => (await small.tenant.reader.files.byId(file.file_id)) as StoredFile;

describe("a file that an older extractor read", () => {
  test("has today's Units in the end, with its own scope, owner, groups, name and metadata", async () => {
    const world = await worldOf([["one", "two"], ["three"]]);
    const before = new Map((await unitsOf(world)).map((unit) => [unit.text, unit]));
    world.extractor.version = { parts: [["one", "zwei"], ["drei"]] };
    const { asked, jobs } = await readAgain(world);
    expect(asked).toMatchObject({
      files: [{ file_id: world.file.file_id, name: "notes/a.txt", scope: "here" }],
      left_out: [],
      outdated: 1,
      next: null,
    });
    expect(jobs).toMatchObject([{ state: "done", units: 3, created: 2 }]);
    const after = await unitsOf(world);
    expect(after.map(({ text }) => text).sort()).toEqual(["drei", "one", "zwei"]);
    for (const unit of after) {
      expect(unit).toMatchObject({
        scope: "here",
        acl_owner: "owner",
        acl_groups: ["crew"],
        doc_id: "doc",
        source_uri: sourceUri(world.file.file_id),
      });
      expect(unit.metadata).toEqual({ file_name: "notes/a.txt", mime: "text/plain", year: 1911 });
    }
    // What is the same stays what it was, and is not indexed again.
    expect(after.find(({ text }) => text === "one")).toEqual(before.get("one") as Unit);
    expect([...world.small.text.uids].sort()).toEqual(after.map(({ uid }) => uid).sort());
    expect(await fileOf(world)).toMatchObject({ extractor: EXTRACTOR_VERSIONS.document, created_at: world.file.created_at });
    expect(await ask(world)).toMatchObject({ files: [], outdated: 0 });
  });

  test("is served by its old Units until the last part is stored", async () => {
    const world = await worldOf([["one", "two"]]);
    const gate = Promise.withResolvers<void>();
    world.extractor.version = { parts: [Array.from({ length: 64 }, (_, at) => `new ${at}`), ["last"]] };
    world.extractor.gate = (part) => (part === 1 ? gate.promise : Promise.resolve());
    const reading = readAgain(world);
    while (!world.extractor.asked.includes("notes/a.txt/1")) await Bun.sleep(1);
    expect(await textsOf(world)).toEqual(expect.arrayContaining(["new 0", "new 63", "one", "two"]));
    // Parts are searchable before their file is whole.
    while (world.small.text.uids.size < 66) await Bun.sleep(10);
    gate.resolve();
    await reading;
    expect(await textsOf(world)).toHaveLength(65);
    expect(await textsOf(world)).not.toContain("one");
    expect(world.small.text.uids.size).toBe(65);
  });

  test("keeps what it has when it cannot be read any more, and what was read of it goes", async () => {
    const refused = new Fault("bad_request", "the document is damaged");
    for (const version of [
      { parts: [Array.from({ length: 64 }, (_, at) => `new ${at}`), refused] },
      { format: new Fault("bad_request", "such files are not taken in"), parts: [] },
    ]) {
      const world = await worldOf([["one", "two"]]);
      world.extractor.version = version;
      const { jobs } = await readAgain(world);
      expect(jobs).toMatchObject([{ state: "failed", units: 0, created: 0, error: { kind: "bad_request" } }]);
      expect(await textsOf(world)).toEqual(["one", "two"]);
      expect(await fileOf(world)).toMatchObject({ extractor: BEFORE });
      // Asked again it is tried again.
      world.extractor.version = { parts: [["three"]] };
      await readAgain(world);
      expect(await textsOf(world)).toEqual(["three"]);
    }
  });

  test("whose bytes are gone is named, and keeps its Units", async () => {
    const world = await worldOf([["one"]]);
    await world.small.tenant.objects.remove(world.file.sha256);
    expect((await readAgain(world)).jobs).toMatchObject([{ state: "failed", error: { kind: "not_found" } }]);
    expect(await textsOf(world)).toEqual(["one"]);
  });

  test("becomes what it is recognised as today", async () => {
    const world = await worldOf([["template <*>"]]);
    world.extractor.version = { format: { kind: "log", mime: "text/x-log" }, parts: [["line 1"]] };
    await readAgain(world);
    expect(await fileOf(world)).toMatchObject({ kind: "log", mime: "text/x-log", extractor: EXTRACTOR_VERSIONS.log });
    expect(await unitsOf(world)).toMatchObject([{ text: "line 1", mime: "text/x-log" }]);
  });

  test("is read again by its next upload too", async () => {
    const world = await worldOf([["one"]]);
    world.extractor.version = { parts: [["two"]] };
    await stored(world.small, world.runner, "notes/a.txt");
    expect(await textsOf(world)).toEqual(["two"]);
  });

  test("leaves a row of who asked, and one of what became of it", async () => {
    const world = await worldOf([["one"]]);
    await readAgain(world);
    const rows = (await world.small.tenant.reader.ledger.page(10, 0)).filter(({ action }) => action === "files.reread");
    expect(rows.map(({ principal_id, outcome, target }) => [principal_id, outcome, target])).toEqual([
      ["owner", "ok", world.file.file_id],
      ["owner", "ok", null],
    ]);
    expect(rows[1]?.detail).toEqual({ files: 1, left_out: 0 });
  });
});

describe("a reading that was cut", () => {
  /** A world whose process ended while the second part was read, and the next one's. */
  const cut = async (): Promise<{ world: World; job: Job }> => {
    const world = await worldOf([["one", "two"]]);
    world.extractor.version = { parts: [Array.from({ length: 64 }, (_, at) => `new ${at}`), ["last"]] };
    const gate = Promise.withResolvers<void>();
    world.extractor.gate = (part) => (part === 1 ? gate.promise : Promise.resolve());
    const asked = await ask(world);
    while (!world.extractor.asked.includes("notes/a.txt/1")) await Bun.sleep(1);
    const closing = world.runner.close();
    gate.reject(new Fault("unavailable", "the process has ended"));
    await closing;
    // Its lease ends with it.
    aheadMs += JOB_LEASE_MS;
    const job = await world.small.tenant.reader.jobs.byId(asked.files[0]?.job.id ?? "");
    if (job === null) throw new Error("the job is there");
    const extractor = new VersionedExtractor({ parts: world.extractor.version.parts });
    return { world: { ...world, extractor, runner: runnerOf(extractor) }, job };
  };

  test("goes on with the part that comes next", async () => {
    const { world, job } = await cut();
    expect(job).toMatchObject({ state: "running", next_part: 1, extractor: EXTRACTOR_VERSIONS.document });
    const { asked, jobs } = await readAgain(world);
    expect(asked.files).toMatchObject([{ job: { id: job.job_id } }]);
    expect(world.extractor.asked).toEqual(["notes/a.txt/1"]);
    expect(jobs).toMatchObject([{ state: "done", units: 65 }]);
    expect(await textsOf(world)).toHaveLength(65);
  });

  test("begins anew when its parts came from another version, and loses nothing that served", async () => {
    const { world, job } = await cut();
    await world.small.tenant.store.transact((tx) => tx.jobs.put({ ...job, extractor: BEFORE }));
    world.extractor.version = { parts: [["one"], ["drei"]] };
    await readAgain(world);
    expect(world.extractor.asked).toEqual(["notes/a.txt/0", "notes/a.txt/1"]);
    expect(await textsOf(world)).toEqual(["drei", "one"]);
  });
});

describe("what was deleted", () => {
  test("does not come back, unless that is asked for", async () => {
    const world = await worldOf([["one", "two"]]);
    const [unit] = await unitsOf(world);
    if (unit === undefined) throw new Error("there is a Unit");
    await removeUnits(await resolveView(world.small.tenant, world.small.caller, null), { unit });
    world.extractor.version = { parts: [["one", "two", "three"]] };
    const { asked } = await readAgain(world);
    expect(asked).toMatchObject({ files: [], left_out: [{ name: "notes/a.txt", reason: expect.stringContaining("1 of its 2 Units were deleted") }] });
    expect(await textsOf(world)).toHaveLength(1);
    expect((await readAgain(world, { withDeleted: true })).asked).toMatchObject({ files: [{ name: "notes/a.txt" }], left_out: [] });
    expect(await textsOf(world)).toEqual(["one", "three", "two"]);
  });

  test("is not seen where one text stands twice in a file", async () => {
    const world = await worldOf([["one", "one", "two"]]);
    expect((await readAgain(world)).asked).toMatchObject({ files: [{ name: "notes/a.txt" }], left_out: [] });
  });
});

describe("groups that the owner gave the Units", () => {
  const regroup = async (world: World, groups: (unit: Unit) => string[]) => {
    const units = (await unitsOf(world)).map((unit) => {
      const { text, modality, scope, source_uri, mime, doc_id, path, metadata } = unit;
      return { text, modality, scope, source_uri, mime, doc_id, path, metadata, acl_groups: groups(unit) } as IngestUnit;
    });
    await ingest.run(await callIn(world.small, { units, idempotencyKey: null }, { encoder: oneWindow }));
  };

  test("stay when all have the same", async () => {
    const world = await worldOf([["one", "two"]]);
    await regroup(world, () => ["board"]);
    world.extractor.version = { parts: [["three"]] };
    expect((await readAgain(world)).jobs).toMatchObject([{ notes: [] }]);
    expect(await unitsOf(world)).toMatchObject([{ text: "three", acl_groups: ["board"] }]);
  });

  test("let nobody in who could not read all of them when they differ, and that is noted", async () => {
    const world = await worldOf([["one", "two"]]);
    await regroup(world, ({ text }) => (text === "one" ? ["board", "crew"] : ["crew", "night"]));
    world.extractor.version = { parts: [["three"]] };
    expect((await readAgain(world)).jobs).toMatchObject([{ notes: [expect.stringContaining("different groups")] }]);
    expect(await unitsOf(world)).toMatchObject([{ text: "three", acl_groups: ["crew"] }]);
  });
});

test("files come a page at a time, and only those of the scopes that are asked for", async () => {
  const world = await worldOf([["one"]]);
  for (let at = 0; at < REREAD_FILES_MAX; at += 1) await stored(world.small, world.runner, `b${at}.txt`);
  const first = await ask(world);
  expect([first.files.length, first.outdated]).toEqual([REREAD_FILES_MAX, REREAD_FILES_MAX + 1]);
  const second = await ask(world, { after: first.next ?? "" });
  expect([second.files.length, second.next]).toEqual([1, null]);
  const all = [...first.files, ...second.files].map(({ file_id }) => file_id);
  expect(new Set(all).size).toBe(REREAD_FILES_MAX + 1);
  const { tenant, caller } = world.small;
  await tenant.store.transact((tx) => tx.access.register("elsewhere", ["text"]));
  const elsewhere = await resolveView(tenant, caller, "elsewhere");
  const call = { ...(await callIn(world.small, { after: "", withDeleted: false }, { jobs: world.runner })), view: elsewhere };
  expect(await reread.run(call)).toMatchObject({ files: [], outdated: 0, next: null });
});

test("Units that are to be replaced do not count against the tier's ceiling", async () => {
  const full = { count: async () => 25_000, byIds: async () => new Map() } as unknown as UnitReader;
  const drafts = [{ unit_id: "u_1" }, { unit_id: "u_2" }] as unknown as UnitDraft[];
  await expect(refuseOverQuota(full, "free", drafts)).rejects.toThrow("documents");
  await refuseOverQuota(full, "free", drafts, async () => 2);
});

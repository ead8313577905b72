/**
 * Full text on Tantivy. The process has one pair of Workers for the indexes of all namespaces: one
 * writes and one reads, so that a commit never delays a search and no native call blocks the server.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Schedule, systemSchedule } from "../../base/backoff.ts";
import { writeDurably } from "../../base/durable-files.ts";
import { assert, DamageFault, Fault, StartError } from "../../base/fault.ts";
import { FULLTEXT_POSTINGS_BYTES, FULLTEXT_ROWS_PAGE } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { isNative } from "../../domain/filter.ts";
import type { FullTextHit, FullTextIndex, FullTextQuery, NearTerm } from "../../domain/port/full-text-index.ts";
import type { ClassSet, IndexEntry, IndexedRow, IndexState, Inspected, RankedHits } from "../../domain/port/index.ts";
import type { Matches } from "../../domain/port/units.ts";
import { analysisName } from "../../text/analysis.ts";
import { ENGLISH, type Language } from "../../text/language.ts";
import { Availability } from "../../base/availability.ts";
import { EngineWorker, NOT_AVAILABLE, type Role, unavailable } from "./engine-worker.ts";
import { META_FILE } from "./binding.ts";

export interface FullTextEngineOptions {
  /** Path of Tantivy's `.node` file. */
  addonPath: string;
  /** Memory for postings, of all indexes together; absent: FULLTEXT_POSTINGS_BYTES. */
  postingsBytes?: number;
  log: Log;
  /** Starts the Worker that both roles run in. */
  startWorker?: () => Worker;
  schedule?: Schedule;
}

/** Names the version of the index's format, and the analysis that its texts went through. */
const FORMAT_FILE = "strata-index.json";
/** An index of an older version is built again from the catalog. */
const FORMAT_VERSION = 4;

function damaged(reason: string): DamageFault {
  return new DamageFault(NOT_AVAILABLE, new Error(reason));
}

/** Starts the Workers with the first index. */
export class FullTextEngine {
  private readonly indexes = new Set<TantivyFullText>();
  private readonly writer: EngineWorker;
  private readonly reader: EngineWorker;
  private readonly schedule: Schedule;
  /** Workers start one after another: two that load an addon at once can crash the process. */
  private starts: Promise<unknown> = Promise.resolve();
  private lastIndex = 0;

  constructor(options: FullTextEngineOptions) {
    this.schedule = options.schedule ?? systemSchedule;
    this.writer = this.worker("writer", options);
    this.reader = this.worker("reader", options);
  }

  /**
   * Opens the index of a namespace of this language in `directory`, and creates both where they are missing. A directory is open at most once at a time.
   * Errors: StartError for a newer format; DamageFault, with the reason as its cause, when the caller may delete the index
   * and build it again; Fault `unavailable` for everything else.
   */
  async open(directory: string, language: Language = ENGLISH): Promise<FullTextIndex> {
    await this.writer.start();
    await this.reader.start();
    return this.opened(directory, language, false);
  }

  /** Opens an existing index for reading and changes nothing. Errors: as open; DamageFault for a missing index, too. */
  async inspect(directory: string, language: Language = ENGLISH): Promise<Inspected> {
    await this.reader.start();
    return this.opened(directory, language, true);
  }

  /** True while both Workers live, or none was needed yet. One that dies is started again, in growing pauses. */
  ready(): boolean {
    return !this.writer.down && !this.reader.down;
  }

  /** Closes every index after its running calls, then ends the Workers. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.indexes].map((index) => index.close()));
    await this.writer.end();
    await this.reader.end();
  }

  private async opened(directory: string, language: Language, asItIs: boolean): Promise<TantivyFullText> {
    await prepareDirectory(directory, analysisName(language), asItIs).catch((error: unknown) => {
      throw error instanceof Fault || error instanceof StartError ? error : unavailable(error);
    });
    const forget = () => this.indexes.delete(index);
    const index = new TantivyFullText(++this.lastIndex, { directory, language }, this.writer, this.reader, this.schedule, forget);
    await (asItIs ? index.inspect() : index.open());
    this.indexes.add(index);
    return index;
  }

  private worker(role: Role, options: FullTextEngineOptions) {
    const { addonPath, log, postingsBytes = FULLTEXT_POSTINGS_BYTES, startWorker = startFullTextWorker } = options;
    const inTurn = (work: () => Promise<void>) => {
      const run = this.starts.then(work);
      this.starts = run.catch(() => {});
      return run;
    };
    const restarted = () => {
      for (const index of this.indexes) void index.probe();
    };
    return new EngineWorker({ role, addonPath, postingsBytes, log, startWorker, schedule: this.schedule, inTurn, restarted });
  }
}

function startFullTextWorker(): Worker {
  return new Worker(new URL("./full-text-worker.ts", import.meta.url).href);
}

/** Errors: StartError for a newer version; DamageFault for a directory that holds something else; those of the file system. */
async function prepareDirectory(directory: string, analysis: string, asItIs: boolean): Promise<void> {
  if (!asItIs) await mkdir(directory, { recursive: true });
  const path = join(directory, FORMAT_FILE);
  if (existsSync(path)) return checkFormat(directory, path, analysis);
  if (asItIs) throw damaged(`${directory} is missing or holds no index`);
  if ((await readdir(directory)).length > 0) throw damaged(`${directory} holds files but no ${FORMAT_FILE}`);
  writeDurably(path, `${JSON.stringify({ version: FORMAT_VERSION, analysis })}\n`);
}

async function checkFormat(directory: string, path: string, wanted: string): Promise<void> {
  const { version, analysis } = formatOf(await readFile(path, "utf8"));
  if (version > FORMAT_VERSION) {
    throw new StartError(`the full-text index in ${directory} has format ${version}; this program reads up to ${FORMAT_VERSION}`);
  }
  if (version !== FORMAT_VERSION) throw damaged(version < FORMAT_VERSION ? `${path} names the older format ${version}` : `${path} names no version`);
  if (analysis !== wanted) throw damaged(`${path} names the analysis ${analysis}, and the namespace's is ${wanted}`);
  const files = await readdir(directory);
  if (!files.includes(META_FILE) && files.some((file) => /^[0-9a-f]{32}\./u.test(file))) {
    throw damaged(`${directory} holds segments but no ${META_FILE}`);
  }
}

/** The version is NaN when the text names none; an index that names no analysis has that of English. */
function formatOf(json: string): { version: number; analysis: string } {
  try {
    const { version = Number.NaN, analysis } = (JSON.parse(json) ?? {}) as { version?: unknown; analysis?: unknown };
    return { version: Number(version), analysis: typeof analysis === "string" ? analysis : analysisName(ENGLISH) };
  } catch {
    return { version: Number.NaN, analysis: "" };
  }
}

function assertAskable({ restriction, limit }: FullTextQuery): void {
  assert(isNative(restriction.filter), "the filter of a full-text search is native");
  assert(Number.isSafeInteger(limit) && limit >= 1, "a search asks for at least one hit");
}

/** The index of one namespace: its calls, sent to the pair of Workers. */
class TantivyFullText implements FullTextIndex {
  private readonly running = new Set<Promise<unknown>>();
  private readonly availability: Availability;
  /** The number of the Worker of each role that has the index open: a replacement opens it with its first call. */
  private readonly opened = new Map<Role, { worker: number; done: Promise<void> }>();
  private closed: Promise<void> | null = null;
  private rowsSeen = 0;
  /** Units that a write may have changed that failed: the reader looks at them with the next one that does not. */
  private unsure: number[] = [];

  constructor(
    private readonly id: number,
    private readonly place: { directory: string; language: Language },
    private readonly writer: EngineWorker,
    private readonly reader: EngineWorker,
    schedule: Schedule,
    private readonly forget: () => void,
  ) {
    this.availability = new Availability(() => this.count(), schedule);
  }

  /** Opens the index in the writer, which creates it, then in the reader. Errors: as FullTextEngine.open. */
  async open(): Promise<void> {
    await this.openIn(this.writer);
    await this.openIn(this.reader).catch(async (error: unknown) => {
      await this.closeIn(this.writer);
      throw error;
    });
  }

  /** Opens the index for reading after a check of every segment. */
  inspect(): Promise<void> {
    return this.openIn(this.reader, true);
  }

  put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void> {
    const units = entries.map((entry) => entry.unit);
    return this.write(
      units.map(({ uid }) => uid),
      () => this.writer.call("put", this.id, units, this.place.language),
    );
  }

  remove(uids: readonly number[]): Promise<void> {
    return this.write(uids, () => this.writer.call("remove", this.id, uids));
  }

  async search(query: FullTextQuery): Promise<RankedHits<FullTextHit>> {
    assertAskable(query);
    return this.read(() => this.reader.call("search", this.id, query));
  }

  async matching(query: FullTextQuery): Promise<Matches> {
    assertAskable(query);
    return this.read(() => this.reader.call("matching", this.id, query));
  }

  missing(terms: readonly string[], classes: ClassSet): Promise<string[]> {
    return this.read(() => this.reader.call("missing", this.id, terms, classes));
  }

  near(terms: readonly string[], maxEdits: 1 | 2, classes: ClassSet): Promise<NearTerm[]> {
    return this.read(() => this.reader.call("near", this.id, terms, maxEdits, classes));
  }

  async rows(): Promise<IndexedRow[]> {
    const rows: IndexedRow[] = [];
    for (;;) {
      const after = rows.at(-1)?.uid ?? -1;
      const page = await this.read(() => this.reader.call("rows", this.id, after));
      for (const row of page) rows.push(row);
      if (page.length < FULLTEXT_ROWS_PAGE) return rows;
    }
  }

  /** Never rejects: an index whose rows cannot be counted is failing. */
  async state(): Promise<IndexState> {
    await this.probe();
    return { rows: this.rowsSeen, state: this.working() ? "ok" : "failing" };
  }

  working(): boolean {
    return this.availability.working && !this.writer.down && !this.reader.down;
  }

  /** Reads once to learn whether the index can be read. Never rejects. */
  probe(): Promise<void> {
    return this.availability.probe();
  }

  close(): Promise<void> {
    this.closed ??= this.release();
    return this.closed;
  }

  private async release(): Promise<void> {
    this.availability.close();
    await Promise.allSettled(this.running);
    this.forget();
    await this.closeIn(this.reader);
    await this.closeIn(this.writer);
  }

  private async count(): Promise<void> {
    this.rowsSeen = await this.inReader(() => this.reader.call("count", this.id));
  }

  private read<T>(call: () => Promise<T>): Promise<T> {
    return this.availability.reading(() => this.inReader(call));
  }

  private inReader<T>(call: () => Promise<T>): Promise<T> {
    return this.track(async () => {
      await this.openIn(this.reader);
      return call();
    });
  }

  /** A change of these Units; it is searchable when it returns. */
  private async write(uids: readonly number[], change: () => Promise<void>): Promise<void> {
    if (uids.length === 0) return;
    await this.availability.writing(() =>
      this.track(async () => {
        const changed = new Set([...this.unsure, ...uids]);
        this.unsure = [];
        try {
          await this.openIn(this.writer);
          await change();
          await this.openIn(this.reader);
          await this.reader.call("reload", this.id, [...changed]);
        } catch (error) {
          this.unsure = [...changed, ...this.unsure];
          throw error;
        }
      }),
    );
  }

  private openIn(client: EngineWorker, verify = false): Promise<void> {
    const known = this.opened.get(client.role);
    if (known?.worker === client.started) return known.done;
    const done = client.call("open", this.id, this.place.directory, verify);
    const opening = { worker: client.started, done };
    this.opened.set(client.role, opening);
    done.catch(() => {
      if (this.opened.get(client.role) === opening) this.opened.delete(client.role);
    });
    return done;
  }

  /** Does nothing when the Worker that had it open has died. */
  private async closeIn(client: EngineWorker): Promise<void> {
    const isOpen = this.opened.get(client.role)?.worker === client.started;
    if (isOpen && !client.down) await client.call("close", this.id).catch(() => {});
  }

  /** Runs a call that `close` waits for. */
  private async track<T>(call: () => Promise<T>): Promise<T> {
    if (this.closed !== null) throw unavailable(new Error("the index is closed"));
    const work = call();
    this.running.add(work);
    try {
      return await work;
    } finally {
      this.running.delete(work);
    }
  }
}

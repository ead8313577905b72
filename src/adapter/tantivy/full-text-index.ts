/**
 * Full text on Tantivy. The process has one pair of Workers for the indexes of all namespaces: one
 * writes and one reads, so that a commit never delays a search and no native call blocks the server.
 */
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { Backoff, type Schedule, systemSchedule } from "../../base/backoff.ts";
import { assert, DamageFault, Fault, StartError } from "../../base/fault.ts";
import { FULLTEXT_ROWS_PAGE, WORKER_DESCRIPTORS } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { isNative } from "../../domain/filter.ts";
import type { FullTextHit, FullTextIndex, FullTextQuery } from "../../domain/port/full-text-index.ts";
import type { IndexEntry, IndexedRow, IndexState, Inspected, RankedHits } from "../../domain/port/index.ts";
import { Condition } from "../../base/availability.ts";
import { descriptorsLeft } from "../../base/descriptors.ts";
import type { Call, ReaderCalls, Reply, Role, Start, WriterCalls } from "./full-text-worker.ts";
import { META_FILE } from "./binding.ts";

export interface FullTextEngineOptions {
  /** Path of Tantivy's `.node` file. */
  addonPath: string;
  log: Log;
  /** Starts the Worker that both roles run in. */
  startWorker?: () => Worker;
  schedule?: Schedule;
}

export interface FullTextEngine {
  /**
   * Opens the index in `directory`, and makes both where they are missing; each directory at most once
   * at a time. Errors: StartError for an index of a newer version; DamageFault, with the reason as its
   * cause, for one that the caller may delete and build again; Fault `unavailable` for everything else.
   */
  open(directory: string): Promise<FullTextIndex>;
  /** Opens for reading what is there, and makes and mends nothing. Errors: as open; DamageFault, too, for what is missing. */
  inspect(directory: string): Promise<Inspected>;
  /** True while both Workers live, or none was needed yet. One that dies is started again, in growing pauses. */
  ready(): boolean;
  /** Closes every index after the calls in work, then ends the Workers. */
  close(): Promise<void>;
}

/** Says what the files beside it are. */
const FORMAT_FILE = "strata-index.json";
const FORMAT_VERSION = 1;
const NOT_AVAILABLE = "the full-text index is not available";

function unavailable(cause: unknown): Fault {
  return new Fault("unavailable", NOT_AVAILABLE, { cause });
}

function damaged(reason: string): DamageFault {
  return new DamageFault(NOT_AVAILABLE, new Error(reason));
}

/** Starts the Workers with the first index. */
export function createFullTextEngine(options: FullTextEngineOptions): FullTextEngine {
  return new TantivyEngine(options);
}

class TantivyEngine implements FullTextEngine {
  private readonly indexes = new Set<TantivyFullText>();
  private readonly writer: WorkerClient<WriterCalls>;
  private readonly reader: WorkerClient<ReaderCalls>;
  private readonly schedule: Schedule;
  /** One Worker starts after the other: two that load an addon at once are a known way to crash. */
  private starts: Promise<unknown> = Promise.resolve();
  private lastIndex = 0;

  constructor(options: FullTextEngineOptions) {
    this.schedule = options.schedule ?? systemSchedule;
    this.writer = this.client("writer", options);
    this.reader = this.client("reader", options);
  }

  async open(directory: string): Promise<FullTextIndex> {
    await this.writer.start();
    await this.reader.start();
    return this.opened(directory, false);
  }

  async inspect(directory: string): Promise<Inspected> {
    await this.reader.start();
    return this.opened(directory, true);
  }

  ready(): boolean {
    return !this.writer.down && !this.reader.down;
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.indexes].map((index) => index.close()));
    await this.writer.end();
    await this.reader.end();
  }

  private async opened(directory: string, asItIs: boolean): Promise<TantivyFullText> {
    await prepareDirectory(directory, asItIs).catch((error: unknown) => {
      throw error instanceof Fault || error instanceof StartError ? error : unavailable(error);
    });
    const forget = () => this.indexes.delete(index);
    const index = new TantivyFullText(++this.lastIndex, directory, this.writer, this.reader, this.schedule, forget);
    await (asItIs ? index.inspect() : index.open());
    this.indexes.add(index);
    return index;
  }

  private client<Calls extends CallsOf<Calls>>(role: Role, { addonPath, log, startWorker = startFullTextWorker }: FullTextEngineOptions) {
    const inTurn = (work: () => Promise<void>) => {
      const run = this.starts.then(work);
      this.starts = run.catch(() => {});
      return run;
    };
    const restarted = () => {
      for (const index of this.indexes) void index.look();
    };
    return new WorkerClient<Calls>({ start: { role, addonPath }, log, startWorker, schedule: this.schedule, inTurn, restarted });
  }
}

function startFullTextWorker(): Worker {
  return new Worker(new URL("./full-text-worker.ts", import.meta.url).href);
}

/** Errors: StartError for a newer version; DamageFault for a directory that holds something else; those of the file system. */
async function prepareDirectory(directory: string, asItIs: boolean): Promise<void> {
  if (!asItIs) await mkdir(directory, { recursive: true });
  const path = join(directory, FORMAT_FILE);
  if (existsSync(path)) return checkFormat(directory, path);
  if (asItIs) throw damaged(`${directory} is missing or holds no index`);
  if ((await readdir(directory)).length > 0) throw damaged(`${directory} holds files but no ${FORMAT_FILE}`);
  await writeFormat(directory, path);
}

async function checkFormat(directory: string, path: string): Promise<void> {
  const version = formatVersion(await readFile(path, "utf8"));
  if (version > FORMAT_VERSION) {
    throw new StartError(`the full-text index in ${directory} has format ${version}; this program reads up to ${FORMAT_VERSION}`);
  }
  if (version !== FORMAT_VERSION) throw damaged(`${path} names no version`);
  const files = await readdir(directory);
  if (!files.includes(META_FILE) && files.some((file) => /^[0-9a-f]{32}\./u.test(file))) {
    throw damaged(`${directory} holds segments but no ${META_FILE}`);
  }
}

/** NaN when the text names no version. */
function formatVersion(json: string): number {
  try {
    return Number((JSON.parse(json) as { version?: unknown } | null)?.version ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}

/** Written whole or not at all. */
async function writeFormat(directory: string, path: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w");
  await file.writeFile(`${JSON.stringify({ version: FORMAT_VERSION })}\n`);
  await file.sync();
  await file.close();
  await rename(draft, path);
  const parent = await open(directory, "r");
  await parent.sync();
  await parent.close();
}

/** The index of one namespace: its calls, sent to the pair of Workers. */
class TantivyFullText implements FullTextIndex {
  private readonly inWork = new Set<Promise<unknown>>();
  private readonly condition: Condition;
  /** In which Worker of each role the index is open: one that took another's place opens it with the first call. */
  private readonly opened = new Map<Role, { worker: number; done: Promise<void> }>();
  private closed: Promise<void> | null = null;
  private rowsSeen = 0;

  constructor(
    private readonly id: number,
    private readonly directory: string,
    private readonly writer: WorkerClient<WriterCalls>,
    private readonly reader: WorkerClient<ReaderCalls>,
    schedule: Schedule,
    private readonly forget: () => void,
  ) {
    this.condition = new Condition(() => this.count(), schedule);
  }

  /** Opens the index in both Workers, first where it is made. Errors: as FullTextEngine.open. */
  async open(): Promise<void> {
    await this.openIn(this.writer);
    await this.openIn(this.reader).catch(async (error: unknown) => {
      await this.closeIn(this.writer);
      throw error;
    });
  }

  /** Opens the index for reading, once every segment is found whole. */
  inspect(): Promise<void> {
    return this.openIn(this.reader, true);
  }

  put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void> {
    const units = entries.map((entry) => entry.unit);
    return this.write(units.length, () => this.writer.call("put", this.id, units));
  }

  remove(uids: readonly number[]): Promise<void> {
    return this.write(uids.length, () => this.writer.call("remove", this.id, uids));
  }

  async search(query: FullTextQuery): Promise<RankedHits<FullTextHit>> {
    assert(isNative(query.restriction.filter), "the filter of a full-text search is native");
    assert(Number.isSafeInteger(query.limit) && query.limit >= 1, "a search asks for at least one hit");
    return this.read(() => this.reader.call("search", this.id, query));
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

  /** Never rejects: an index that cannot be asked is failing. */
  async state(): Promise<IndexState> {
    await this.look();
    return { rows: this.rowsSeen, state: this.working() ? "ok" : "failing" };
  }

  working(): boolean {
    return this.condition.working && !this.writer.down && !this.reader.down;
  }

  /** Finds out whether the index can be read. */
  look(): Promise<void> {
    return this.condition.look();
  }

  close(): Promise<void> {
    this.closed ??= this.release();
    return this.closed;
  }

  private async release(): Promise<void> {
    this.condition.close();
    await Promise.allSettled(this.inWork);
    this.forget();
    await this.closeIn(this.reader);
    await this.closeIn(this.writer);
  }

  private async count(): Promise<void> {
    this.rowsSeen = await this.inReader(() => this.reader.call("count", this.id));
  }

  private read<T>(call: () => Promise<T>): Promise<T> {
    return this.condition.reading(() => this.inReader(call));
  }

  private inReader<T>(call: () => Promise<T>): Promise<T> {
    return this.track(async () => {
      await this.openIn(this.reader);
      return call();
    });
  }

  /** A change of `items` things; it is searchable when it returns. */
  private async write(items: number, change: () => Promise<void>): Promise<void> {
    if (items === 0) return;
    await this.condition.writing(() =>
      this.track(async () => {
        await this.openIn(this.writer);
        await change();
        await this.openIn(this.reader);
        await this.reader.call("reload", this.id);
      }),
    );
  }

  private openIn(client: IndexHost, verify = false): Promise<void> {
    const known = this.opened.get(client.role);
    if (known?.worker === client.started) return known.done;
    const done = client.open(this.id, this.directory, verify);
    const opening = { worker: client.started, done };
    this.opened.set(client.role, opening);
    done.catch(() => {
      if (this.opened.get(client.role) === opening) this.opened.delete(client.role);
    });
    return done;
  }

  /** A Worker that is gone holds nothing. */
  private async closeIn(client: IndexHost): Promise<void> {
    const isOpen = this.opened.get(client.role)?.worker === client.started;
    if (isOpen && !client.down) await client.close(this.id).catch(() => {});
  }

  /** Runs a call that `close` waits for. */
  private async track<T>(call: () => Promise<T>): Promise<T> {
    if (this.closed) throw unavailable(new Error("the index is closed"));
    const work = call();
    this.inWork.add(work);
    try {
      return await work;
    } finally {
      this.inWork.delete(work);
    }
  }
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Fault): void;
}

type Methods = { [name: string]: (...args: never[]) => unknown };
type CallsOf<Calls> = { [Name in keyof Calls]: Methods[string] };

/** What both Workers do with an index. */
interface IndexHost {
  readonly role: Role;
  /** Workers so far. */
  readonly started: number;
  /** True while a Worker that was started is not there. */
  readonly down: boolean;
  /** `verify`: holds every segment to its checksum, as the writer always does. */
  open(index: number, directory: string, verify: boolean): Promise<void>;
  close(index: number): Promise<void>;
}

interface WorkerClientOptions {
  start: Omit<Start, "id">;
  log: Log;
  startWorker: () => Worker;
  schedule: Schedule;
  /** Runs a start when no other one runs. */
  inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Another Worker has taken the place of one that died. */
  restarted: () => void;
}

/** A Worker, and how it ended: null while it lives. */
interface Thread {
  worker: Worker;
  failure: Fault | null;
  gone: Promise<void>;
}

/**
 * Calls one Worker by messages. While there is none, every call rejects with Fault `unavailable`; one that
 * died, or did not start, is replaced after a pause.
 */
class WorkerClient<Calls extends CallsOf<Calls>> implements IndexHost {
  private readonly pending = new Map<number, Pending>();
  private readonly backoff: Backoff;
  private thread: Thread | null = null;
  private starting: Promise<void> | null = null;
  private closed = false;
  private lastId = 0;
  started = 0;

  constructor(private readonly options: WorkerClientOptions) {
    this.backoff = new Backoff(options.schedule);
  }

  get role(): Role {
    return this.options.start.role;
  }

  get down(): boolean {
    return this.thread !== null && this.thread.failure !== null;
  }

  /** Starts the first Worker. Errors: Fault `unavailable` when it died or the addon cannot be loaded. */
  async start(): Promise<void> {
    if (this.closed) throw unavailable(new Error("the engine is closed"));
    if (this.thread === null) this.starting ??= this.options.inTurn(() => this.launch());
    await this.starting;
    if (this.thread?.failure) throw this.thread.failure;
  }

  call<Name extends keyof Calls>(op: Name, ...args: Parameters<Calls[Name]>): Promise<ReturnType<Calls[Name]>> {
    return this.ask({ op, args } as unknown as Omit<Call, "id">) as Promise<ReturnType<Calls[Name]>>;
  }

  async open(index: number, directory: string, verify: boolean): Promise<void> {
    await this.ask({ op: "open", args: [index, directory, verify] });
  }

  async close(index: number): Promise<void> {
    await this.ask({ op: "close", args: [index] });
  }

  /** Lets the Worker end by itself: one that runs native code must not be terminated. */
  async end(): Promise<void> {
    this.closed = true;
    this.backoff.stop();
    await this.starting?.catch(() => {});
    if (this.thread === null || this.thread.failure !== null) return;
    await Promise.allSettled([this.send({ op: "exit", args: [] })]);
    await this.thread.gone;
  }

  /** Errors: Fault `unavailable`; then another attempt follows. */
  private async launch(): Promise<void> {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const thread: Thread = { worker: this.options.startWorker(), failure: null, gone };
    this.thread = thread;
    this.started += 1;
    thread.worker.onmessage = ({ data }: MessageEvent<Reply>) => this.settle(data);
    thread.worker.onerror = (event) => this.fail(thread, event.message);
    thread.worker.addEventListener("close", () => {
      this.fail(thread, "it ended");
      resolve();
    });
    await this.send(this.options.start).catch((error: Fault) => {
      this.fail(thread, error.cause instanceof Error ? error.cause.message : error.message);
      thread.worker.terminate();
      throw error;
    });
  }

  private async ask(message: Omit<Call, "id">): Promise<unknown> {
    const value = await this.send(message);
    // That a Worker started says little: only work that is done ends the growth of the pauses.
    this.backoff.succeeded();
    return value;
  }

  private send(message: Omit<Start, "id"> | Omit<Call, "id">): Promise<unknown> {
    if (this.thread === null || this.thread.failure !== null) return Promise.reject(this.thread?.failure ?? unavailable(new Error("not started")));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.lastId += 1;
    this.pending.set(this.lastId, { resolve, reject });
    this.thread.worker.postMessage({ ...message, id: this.lastId });
    return promise;
  }

  private settle(reply: Reply): void {
    const waiting = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.value);
    else waiting?.reject(faultOf(reply));
  }

  private fail(thread: Thread, reason: string): void {
    if (thread.failure !== null) return;
    thread.failure = unavailable(new Error(`the full-text ${this.role} failed: ${reason}`));
    for (const { reject } of this.pending.values()) reject(thread.failure);
    this.pending.clear();
    if (this.closed) return;
    this.options.log.error("a full-text Worker failed", { role: this.role, reason });
    this.backoff.retry(() => void this.restart());
  }

  private async restart(): Promise<void> {
    if (this.closed) return;
    // A Worker that finds no descriptor to start with ends the whole process.
    if (descriptorsLeft() < WORKER_DESCRIPTORS) return this.backoff.retry(() => void this.restart());
    this.starting = this.options.inTurn(() => this.launch());
    await this.starting.then(this.options.restarted, () => {});
  }
}

function faultOf({ kind, message, damaged: isDamage }: Extract<Reply, { ok: false }>): Fault {
  const cause = new Error(message);
  return isDamage ? new DamageFault(NOT_AVAILABLE, cause) : new Fault(kind, NOT_AVAILABLE, { cause });
}

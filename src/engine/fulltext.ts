/**
 * Full text on Tantivy. The process has one pair of Workers for the indexes of all namespaces: one
 * writes and one reads, so that a commit never delays a search and no native call blocks the server.
 */
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { assert, Fault, StartError } from "../base/fault.ts";
import { FULLTEXT_ROWS_PAGE } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { isNative } from "../domain/filter.ts";
import type { Span } from "../domain/hit.ts";
import type { FullTextHit, FullTextIndex, FullTextQuery, IndexEntry, IndexedRow, IndexState, RankedHits } from "../domain/ports.ts";
import type { Call, ReaderCalls, Reply, Role, Start, WriterCalls } from "./fulltext-worker.ts";
import { META_FILE } from "./tantivy.ts";

export interface FullTextEngineOptions {
  /** Path of Tantivy's `.node` file. */
  addonPath: string;
  log: Log;
  /** Starts the Worker that both roles run in. */
  startWorker?: () => Worker;
}

export interface FullTextEngine {
  /**
   * Opens the index in `directory`, and makes both where they are missing; each directory at most once
   * at a time. Errors: StartError for an index of a newer version; Fault `unavailable`, with the reason
   * as its cause, for a damaged one, which the caller may delete and build again.
   */
  open(directory: string): Promise<FullTextIndex>;
  /** Closes every index after the calls in work, then ends the Workers. */
  close(): Promise<void>;
}

/** Says what the files beside it are. */
const FORMAT_FILE = "strata-index.json";
const FORMAT_VERSION = 1;

function unavailable(cause: unknown): Fault {
  return new Fault("unavailable", "the full-text index is not available", { cause });
}

/** Starts the Workers with the first index. */
export function createFullTextEngine(options: FullTextEngineOptions): FullTextEngine {
  return new TantivyEngine(options);
}

class TantivyEngine implements FullTextEngine {
  private readonly indexes = new Set<TantivyFullText>();
  private readonly writer: WorkerClient<WriterCalls>;
  private readonly reader: WorkerClient<ReaderCalls>;
  private started: Promise<void> | null = null;
  private lastIndex = 0;

  constructor({ addonPath, log, startWorker = startFullTextWorker }: FullTextEngineOptions) {
    this.writer = new WorkerClient("writer", addonPath, log, startWorker);
    this.reader = new WorkerClient("reader", addonPath, log, startWorker);
  }

  async open(directory: string): Promise<FullTextIndex> {
    this.started ??= this.start();
    await this.started;
    await prepareDirectory(directory);
    const id = ++this.lastIndex;
    await this.writer.call("open", id, directory);
    try {
      await this.reader.call("open", id, directory);
    } catch (error) {
      await this.writer.call("close", id);
      throw error;
    }
    const index = new TantivyFullText(id, this.writer, this.reader, () => this.indexes.delete(index));
    this.indexes.add(index);
    return index;
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.indexes].map((index) => index.close()));
    await this.writer.end();
    await this.reader.end();
  }

  /** One after the other: two Workers that load an addon at once are a known way to crash. */
  private async start(): Promise<void> {
    await this.writer.start();
    await this.reader.start();
  }
}

function startFullTextWorker(): Worker {
  return new Worker(new URL("./fulltext-worker.ts", import.meta.url).href);
}

/** Errors: StartError for a newer version; Fault `unavailable` for a directory that holds something else. */
async function prepareDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, FORMAT_FILE);
  if (existsSync(path)) return checkFormat(directory, path);
  if ((await readdir(directory)).length > 0) throw unavailable(new Error(`${directory} holds files but no ${FORMAT_FILE}`));
  await writeFormat(directory, path);
}

async function checkFormat(directory: string, path: string): Promise<void> {
  const version = formatVersion(await readFile(path, "utf8"));
  if (version > FORMAT_VERSION) {
    throw new StartError(`the full-text index in ${directory} has format ${version}; this program reads up to ${FORMAT_VERSION}`);
  }
  if (version !== FORMAT_VERSION) throw unavailable(new Error(`${path} names no version`));
  const files = await readdir(directory);
  if (!files.includes(META_FILE) && files.some((file) => /^[0-9a-f]{32}\./u.test(file))) {
    throw unavailable(new Error(`${directory} holds segments but no ${META_FILE}`));
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
  private closed: Promise<void> | null = null;
  private rowsSeen = 0;

  constructor(
    private readonly id: number,
    private readonly writer: WorkerClient<WriterCalls>,
    private readonly reader: WorkerClient<ReaderCalls>,
    private readonly forget: () => void,
  ) {}

  async put(entries: readonly Pick<IndexEntry, "unit">[]): Promise<void> {
    if (entries.length === 0) return;
    const units = entries.map((entry) => entry.unit);
    await this.track(() => this.writer.call("put", this.id, units).then(() => this.reader.call("reload", this.id)));
  }

  async remove(uids: readonly number[]): Promise<void> {
    if (uids.length === 0) return;
    await this.track(() => this.writer.call("remove", this.id, uids).then(() => this.reader.call("reload", this.id)));
  }

  search(query: FullTextQuery): Promise<RankedHits<FullTextHit>> {
    assert(isNative(query.restriction.filter), "the filter of a full-text search is native");
    assert(Number.isSafeInteger(query.limit) && query.limit >= 1, "a search asks for at least one hit");
    return this.track(() => this.reader.call("search", this.id, query));
  }

  highlight(query: string, texts: readonly string[]): Promise<Span[][]> {
    return this.track(() => this.reader.call("highlight", query, texts));
  }

  terms(text: string): Promise<string[]> {
    return this.track(() => this.reader.call("terms", text));
  }

  async rows(): Promise<IndexedRow[]> {
    const rows: IndexedRow[] = [];
    for (;;) {
      const after = rows.at(-1)?.uid ?? -1;
      const page = await this.track(() => this.reader.call("rows", this.id, after));
      for (const row of page) rows.push(row);
      if (page.length < FULLTEXT_ROWS_PAGE) return rows;
    }
  }

  /** Never rejects: an index that cannot be asked is failing. */
  async state(): Promise<IndexState> {
    try {
      this.rowsSeen = await this.track(() => this.reader.call("count", this.id));
      return { rows: this.rowsSeen, state: this.writer.alive ? "ok" : "failing" };
    } catch {
      return { rows: this.rowsSeen, state: "failing" };
    }
  }

  close(): Promise<void> {
    this.closed ??= this.release();
    return this.closed;
  }

  private async release(): Promise<void> {
    await Promise.allSettled(this.inWork);
    this.forget();
    await this.reader.call("close", this.id);
    await this.writer.call("close", this.id);
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

/** Calls one Worker by messages. When the Worker is gone every call rejects with Fault `unavailable`. */
class WorkerClient<Calls extends { [Name in keyof Calls]: Methods[string] }> {
  private readonly pending = new Map<number, Pending>();
  private worker: Worker | null = null;
  private failure: Fault | null = null;
  private readonly gone = Promise.withResolvers<void>();
  private lastId = 0;

  constructor(
    private readonly role: Role,
    private readonly addonPath: string,
    private readonly log: Log,
    private readonly startWorker: () => Worker,
  ) {}

  get alive(): boolean {
    return this.worker !== null && this.failure === null;
  }

  /** Errors: Fault `unavailable` when the addon cannot be loaded. */
  async start(): Promise<void> {
    this.worker = this.startWorker();
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => this.settle(data);
    this.worker.onerror = (event) => this.fail(event.message);
    this.worker.addEventListener("close", () => {
      this.fail("it ended");
      this.gone.resolve();
    });
    const start: Omit<Start, "id"> = { role: this.role, addonPath: this.addonPath };
    await this.send(start);
  }

  call<Name extends keyof Calls>(op: Name, ...args: Parameters<Calls[Name]>): Promise<ReturnType<Calls[Name]>> {
    return this.send({ op, args } as unknown as Omit<Call, "id">) as Promise<ReturnType<Calls[Name]>>;
  }

  /** Lets the Worker end by itself: one that runs native code must not be terminated. */
  async end(): Promise<void> {
    const exit = this.alive ? this.send({ op: "exit", args: [] }) : undefined;
    this.failure ??= unavailable(new Error("the engine is closed"));
    await Promise.allSettled([exit]);
    if (this.worker) await this.gone.promise;
  }

  private send(message: Omit<Start, "id"> | Omit<Call, "id">): Promise<unknown> {
    if (this.failure) return Promise.reject(this.failure);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.lastId += 1;
    this.pending.set(this.lastId, { resolve, reject });
    this.worker?.postMessage({ ...message, id: this.lastId });
    return promise;
  }

  private settle(reply: Reply): void {
    const waiting = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.value);
    else waiting?.reject(new Fault(reply.kind, "the full-text index is not available", { cause: new Error(reply.message) }));
  }

  private fail(reason: string): void {
    if (!this.failure) this.log.error("a full-text Worker failed", { role: this.role, reason });
    this.failure ??= unavailable(new Error(`the full-text ${this.role} failed: ${reason}`));
    for (const { reject } of this.pending.values()) reject(this.failure);
    this.pending.clear();
  }
}

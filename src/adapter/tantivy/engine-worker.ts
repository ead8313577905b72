/** One of the engine's two Workers. One that died, or did not start, is replaced after a pause. */
import { Backoff, type Schedule } from "../../base/backoff.ts";
import { descriptorsLeft } from "../../base/descriptors.ts";
import { Fault } from "../../base/fault.ts";
import { WORKER_DESCRIPTORS } from "../../base/limits.ts";
import type { Log } from "../../base/log.ts";
import { RpcClient, workerTransport } from "../../runtime/rpc.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

export const NOT_AVAILABLE = "the full-text index is not available";

export function unavailable(cause: unknown): Fault {
  return new Fault("unavailable", NOT_AVAILABLE, { cause });
}

export type Role = "writer" | "reader";

/** The first call to a Worker: from then on it has the methods of its role. */
export interface StartCalls {
  start(role: Role, addonPath: string, postingsBytes: number): void;
}
/** Both roles have `open`, `close` and `exit`. */
type EngineCalls = StartCalls & Pick<Writer, "put" | "remove"> & Pick<Reader, keyof Reader>;

interface EngineWorkerOptions {
  role: Role;
  addonPath: string;
  /** What the reader may hold of postings. */
  postingsBytes: number;
  log: Log;
  startWorker: () => Worker;
  schedule: Schedule;
  /** Runs a start when no other one runs. */
  inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Called when another Worker has taken the place of one that died. */
  restarted: () => void;
}

/** A Worker, and why it ended: null while it lives. */
interface Thread {
  rpc: RpcClient<EngineCalls>;
  failure: Fault | null;
  gone: Promise<void>;
}

/** While there is no Worker, every call rejects with Fault `unavailable`. */
export class EngineWorker {
  readonly role: Role;
  /** Workers so far. */
  started = 0;
  private readonly backoff: Backoff;
  private thread: Thread | null = null;
  private starting: Promise<void> | null = null;
  private closed = false;

  constructor(private readonly options: EngineWorkerOptions) {
    this.role = options.role;
    this.backoff = new Backoff(options.schedule);
  }

  /** True while a Worker that was started is not there. */
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

  readonly call: RpcClient<EngineCalls>["call"] = (method, ...args) => {
    if (this.thread === null) return Promise.reject(unavailable(new Error("not started")));
    return this.thread.rpc.call(method, ...args).then((value) => {
      // A start proves little: only a call that succeeded ends the growth of the pauses.
      this.backoff.succeeded();
      return value;
    });
  };

  /** Lets the Worker end by itself: one that runs native code must not be terminated. */
  async end(): Promise<void> {
    this.closed = true;
    this.backoff.stop();
    await this.starting?.catch(() => {});
    if (this.thread === null || this.thread.failure !== null) return;
    await Promise.allSettled([this.thread.rpc.call("exit")]);
    await this.thread.gone;
  }

  /** Errors: Fault `unavailable`; then another attempt follows. */
  private async launch(): Promise<void> {
    const { role, addonPath, postingsBytes, startWorker } = this.options;
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const worker = startWorker();
    const thread: Thread = { rpc: new RpcClient(workerTransport(worker)), failure: null, gone };
    this.thread = thread;
    this.started += 1;
    worker.onerror = (event) => this.fail(thread, event.message);
    worker.addEventListener("close", () => {
      this.fail(thread, "it ended");
      resolve();
    });
    await thread.rpc.call("start", role, addonPath, postingsBytes).catch((error: Fault) => {
      this.fail(thread, error.cause instanceof Error ? error.cause.message : error.message);
      worker.terminate();
      throw error;
    });
  }

  private fail(thread: Thread, reason: string): void {
    if (thread.failure !== null) return;
    thread.failure = unavailable(new Error(`the full-text ${this.role} failed: ${reason}`));
    thread.rpc.end(thread.failure);
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

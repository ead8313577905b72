import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DEPTHS, loadRows, SETTINGS, type VectorForm } from "./sqlite-database.ts";
import type { Mode, OpenPeer, Peer, Query, Rows } from "./peer.ts";

/** SQLite in Workers of this process, one for each core: it answers on the thread that asks. */
export function sqlitePeer(extension: string, form: VectorForm): OpenPeer {
  return async (folder) => new Sqlite(join(folder, "rows.db"), extension, form);
}

interface Waiting {
  resolve(ids: number[]): void;
  reject(error: Error): void;
}

class Sqlite implements Peer {
  private readonly workers: Worker[] = [];
  private readonly idle: Worker[] = [];
  private readonly queue: (() => void)[] = [];
  readonly settings: string;
  readonly depths: readonly number[];
  private rescored = 1;

  constructor(
    private readonly path: string,
    private readonly extension: string,
    private readonly form: VectorForm,
  ) {
    this.settings = SETTINGS[form];
    this.depths = DEPTHS[form];
  }

  async setDepth(rescored: number): Promise<void> {
    this.rescored = rescored;
  }

  async load(rows: Rows): Promise<void> {
    loadRows(this.path, this.extension, this.form, rows);
  }

  async search(mode: Mode, query: Query): Promise<number[]> {
    this.start();
    while (this.idle.length === 0) await new Promise<void>((resolve) => this.queue.push(resolve));
    const worker = this.idle.pop() as Worker;
    try {
      return await new Promise<number[]>((resolve, reject) => ask(worker, { mode, query, rescored: this.rescored }, { resolve, reject }));
    } finally {
      this.idle.push(worker);
      this.queue.shift()?.();
    }
  }

  processes(): number[] {
    return [process.pid];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.workers) worker.terminate();
  }

  private start(): void {
    if (this.workers.length > 0 || !existsSync(this.path)) return;
    for (let at = 0; at < availableParallelism(); at += 1) {
      const worker = new Worker(join(import.meta.dir, "sqlite-worker.ts"));
      worker.postMessage({ path: this.path, extension: this.extension, form: this.form });
      this.workers.push(worker);
      this.idle.push(worker);
    }
  }
}

function ask(worker: Worker, message: unknown, { resolve, reject }: Waiting): void {
  worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data);
  worker.onerror = ({ message: why }) => reject(new Error(why));
  worker.postMessage(message);
}

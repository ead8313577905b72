import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Mode, OpenPeer, Peer, Query, Rows } from "./peer.ts";
import { loadRows, type Opening, SETTINGS } from "./sqlite-database.ts";

/** SQLite in Workers of this process, one for each core: it answers on the thread that asks. `extension`: sqlite-vec. */
export function sqlitePeer(extension: string): OpenPeer {
  return async (folder) => new Sqlite({ path: join(folder, "rows.db"), extension });
}

class Sqlite implements Peer {
  readonly settings = SETTINGS;
  private readonly workers: Worker[] = [];
  private readonly idle: Worker[] = [];
  private readonly queue: (() => void)[] = [];

  constructor(private readonly opening: Opening) {}

  async load(rows: Rows): Promise<void> {
    loadRows(this.opening, rows);
  }

  async search(mode: Mode, query: Query): Promise<number[]> {
    if (this.workers.length === 0) this.start();
    while (this.idle.length === 0) await new Promise<void>((resolve) => this.queue.push(resolve));
    const worker = this.idle.pop() as Worker;
    try {
      return await new Promise<number[]>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage({ mode, query });
      });
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
    for (let at = 0; at < availableParallelism(); at += 1) {
      const worker = new Worker(join(import.meta.dir, "sqlite-worker.ts"));
      worker.postMessage(this.opening);
      this.workers.push(worker);
      this.idle.push(worker);
    }
  }
}

/** Objects in memory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { sha256Hex } from "../../base/hash.ts";
import { FILE_MAX_BYTES } from "../../base/limits.ts";
import type { ObjectStore, Received } from "../../domain/port/objects.ts";

export class MemoryObjects implements ObjectStore {
  private readonly objects = new Map<string, Uint8Array>();
  /** What was received and is neither kept nor discarded, by a name that stands for its path. */
  private readonly received = new Map<string, Uint8Array>();
  private readonly wanted = new Map<string, number>();

  async receive(chunks: AsyncIterable<Uint8Array>): Promise<Received> {
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > FILE_MAX_BYTES) throw new Fault("payload_too_large", `a file may have at most ${FILE_MAX_BYTES / 1024 / 1024} MiB`);
      parts.push(chunk.slice());
    }
    const bytes = Buffer.concat(parts);
    const path = `received/${crypto.randomUUID()}`;
    this.received.set(path, bytes);
    return { path, bytes: size, sha256: sha256Hex(bytes) };
  }

  async discard({ path }: Received): Promise<void> {
    this.received.delete(path);
  }

  async keep({ path, sha256 }: Received): Promise<void> {
    const bytes = this.received.get(path);
    if (bytes === undefined) throw new Error("what is kept was received, once");
    this.received.delete(path);
    this.objects.set(sha256, bytes);
    this.wanted.set(sha256, (this.wanted.get(sha256) ?? 0) + 1);
  }

  async release(sha256: string, used: boolean): Promise<void> {
    this.wanted.set(sha256, (this.wanted.get(sha256) ?? 1) - 1);
    if (!used) await this.remove(sha256);
  }

  async open(sha256: string): Promise<Blob | null> {
    const bytes = this.objects.get(sha256);
    return bytes === undefined ? null : new Blob([bytes as Uint8Array<ArrayBuffer>]);
  }

  async onDisk<T>(object: Received | string, work: (path: string) => Promise<T>): Promise<T> {
    const bytes = typeof object === "string" ? this.objects.get(object) : this.received.get(object.path);
    const folder = await mkdtemp(join(tmpdir(), "strata-object-"));
    const path = join(folder, "object");
    try {
      if (bytes !== undefined) await Bun.write(path, bytes);
      return await work(path);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async fault(sha256: string): Promise<"missing" | "changed" | null> {
    return this.objects.has(sha256) ? null : "missing";
  }

  async remove(sha256: string): Promise<void> {
    if ((this.wanted.get(sha256) ?? 0) <= 0) this.objects.delete(sha256);
  }

  async sweep(isUsed: (sha256: string) => Promise<boolean>): Promise<number> {
    let removed = 0;
    for (const sha256 of [...this.objects.keys()]) {
      if ((this.wanted.get(sha256) ?? 0) > 0 || (await isUsed(sha256))) continue;
      this.objects.delete(sha256);
      removed += 1;
    }
    return removed;
  }
}

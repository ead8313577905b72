/**
 * The bytes of files, by their SHA-256: `objects/<first two digits>/<sha256>`. An object is written beside, synced and
 * renamed, so that what has a name is whole.
 */
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { sync } from "../../base/durable-files.ts";
import { Fault } from "../../base/fault.ts";
import { randomToken } from "../../base/hash.ts";
import { FILE_MAX_BYTES } from "../../base/limits.ts";
import { takeRoom } from "../../base/turns.ts";
import type { ObjectStore, Received } from "../../domain/port/objects.ts";

const INCOMING = "incoming";
const NAME_BYTES = 12;
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

export class Objects implements ObjectStore {
  /** Objects that are about to get a file: nobody may remove them. */
  private readonly wanted = new Map<string, number>();
  /** Paths of what is being received, or was and has no name yet. */
  private readonly incoming = new Set<string>();
  /** Objects that were wanted since a sweep began; null while there is none. */
  private wantedMeanwhile: Set<string> | null = null;

  constructor(private readonly directory: string) {}

  path(sha256: string): string {
    return join(this.directory, sha256.slice(0, 2), sha256);
  }

  async receive(chunks: AsyncIterable<Uint8Array>): Promise<Received> {
    const folder = join(this.directory, INCOMING);
    await mkdir(folder, { recursive: true, mode: PRIVATE_DIRECTORY });
    const path = join(folder, randomToken(NAME_BYTES));
    this.incoming.add(path);
    const hasher = new Bun.CryptoHasher("sha256");
    let bytes = 0;
    try {
      const file = await open(path, "wx", PRIVATE_FILE);
      try {
        for await (const chunk of chunks) {
          bytes += chunk.byteLength;
          if (bytes > FILE_MAX_BYTES) throw new Fault("payload_too_large", `a file may have at most ${FILE_MAX_BYTES / 1024 / 1024} MiB`);
          hasher.update(chunk);
          await file.writeFile(chunk);
        }
        await file.sync();
      } finally {
        await file.close();
      }
      return { path, bytes, sha256: hasher.digest("hex") };
    } catch (error) {
      await this.discard({ path });
      throw storageFault(error);
    }
  }

  async discard({ path }: Pick<Received, "path">): Promise<void> {
    await rm(path, { force: true });
    this.incoming.delete(path);
  }

  async keep({ path, sha256 }: Received): Promise<void> {
    this.wanted.set(sha256, (this.wanted.get(sha256) ?? 0) + 1);
    this.wantedMeanwhile?.add(sha256);
    try {
      const folder = join(this.directory, sha256.slice(0, 2));
      await mkdir(folder, { recursive: true, mode: PRIVATE_DIRECTORY });
      await rename(path, this.path(sha256));
      this.incoming.delete(path);
      for (const each of [folder, this.directory]) await sync(each);
    } catch (error) {
      await this.release(sha256, true);
      throw storageFault(error);
    }
  }

  async release(sha256: string, used: boolean): Promise<void> {
    const holds = (this.wanted.get(sha256) ?? 1) - 1;
    if (holds > 0) this.wanted.set(sha256, holds);
    else this.wanted.delete(sha256);
    if (!used) await this.remove(sha256);
  }

  async open(sha256: string): Promise<Blob | null> {
    const file = Bun.file(this.path(sha256));
    return (await file.exists()) ? file : null;
  }

  onDisk<T>(object: Received | string, work: (path: string) => Promise<T>): Promise<T> {
    return work(typeof object === "string" ? this.path(object) : object.path);
  }

  async fault(sha256: string): Promise<"missing" | "changed" | null> {
    const object = await this.open(sha256);
    if (object === null) return "missing";
    const hasher = new Bun.CryptoHasher("sha256");
    for await (const chunk of object.stream()) hasher.update(chunk);
    return hasher.digest("hex") === sha256 ? null : "changed";
  }

  async remove(sha256: string): Promise<void> {
    if (!this.wanted.has(sha256)) rmSync(this.path(sha256), { force: true });
  }

  async sweep(isUsed: (sha256: string) => Promise<boolean>, signal?: AbortSignal): Promise<number> {
    const wanted = new Set(this.wanted.keys());
    this.wantedMeanwhile = wanted;
    let removed = 0;
    try {
      for (const folder of await readdir(this.directory)) {
        for (const name of await readdir(join(this.directory, folder))) {
          await takeRoom(1);
          if (signal?.aborted) return removed;
          const path = join(this.directory, folder, name);
          if (this.incoming.has(path) || (await isUsed(name)) || wanted.has(name)) continue;
          rmSync(path, { force: true });
          removed += 1;
        }
      }
      return removed;
    } finally {
      this.wantedMeanwhile = null;
    }
  }
}

function storageFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new Fault("unavailable", "the disk is full; nothing was stored. Free some space and send it again", { cause: error });
  }
  if (code === "EROFS" || code === "EIO" || code === "EACCES") {
    return new Fault("unavailable", "the object store cannot be written; nothing was stored", { cause: error });
  }
  return error;
}

/**
 * Owns fflate: the entries of a ZIP. Entries are found by the directory at its end, and only those that are asked for are
 * read. Their inflated bytes are counted against the limits while they come; sizes in the directory are not trusted.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { Fault } from "../../base/fault.ts";
import {
  ARCHIVE_DIRECTORY_MAX_BYTES,
  ARCHIVE_ENTRY_MAX_BYTES,
  ARCHIVE_MAX_BYTES,
  ARCHIVE_MAX_ENTRIES,
  INFLATE_PIECE_BYTES,
} from "../../base/limits.ts";

interface Entry {
  method: number;
  encrypted: boolean;
  crc: number;
  /** Bytes in the archive. */
  packed: number;
  /** Bytes inflated, as the directory has it. */
  declared: number;
  /** Where its local header begins. */
  offset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const COMMENT_MAX_BYTES = 0xffff;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

const damaged = (cause?: unknown) => new Fault("bad_request", "the file is damaged: its ZIP structure cannot be read", { cause });

/** An open ZIP file; call `close` in the end. Errors, of every method: Fault `bad_request` when it is damaged, encrypted or beyond a limit. */
export class Archive {
  private readonly file: number;
  private readonly entries: Map<string, Entry>;
  private inflated = 0;

  constructor(path: string) {
    this.file = openSync(path, "r");
    try {
      this.entries = this.directory();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** An entry's inflated size by the directory, for progress only. */
  declaredBytes(name: string): number {
    return this.entries.get(name)?.declared ?? 0;
  }

  /** The content of an entry, piece by piece. Errors: also when it has none of that name. */
  *read(name: string): Generator<Uint8Array> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw damaged();
    if (entry.encrypted) throw new Fault("bad_request", "the file is encrypted: remove its password");
    if (entry.method !== STORED && entry.method !== DEFLATED) throw damaged(`method ${entry.method}`);
    let size = 0;
    let crc = 0;
    for (const piece of entry.method === STORED ? this.packed(entry) : inflated(this.packed(entry))) {
      size += piece.length;
      this.inflated += piece.length;
      if (size > ARCHIVE_ENTRY_MAX_BYTES || this.inflated > ARCHIVE_MAX_BYTES) throw bomb();
      crc = crc32(piece, crc);
      yield piece;
    }
    if (crc !== entry.crc) throw damaged("checksum");
  }

  private at(offset: number, length: number): DataView {
    const bytes = new Uint8Array(length);
    if (offset < 0 || readSync(this.file, bytes, 0, length, offset) !== length) throw damaged("cut short");
    return new DataView(bytes.buffer);
  }

  private directory(): Map<string, Entry> {
    const size = fstatSync(this.file).size;
    const length = Math.min(size, END_BYTES + COMMENT_MAX_BYTES);
    const tail = this.at(size - length, length);
    let end = length - END_BYTES;
    while (end >= 0 && tail.getUint32(end, true) !== END_SIGNATURE) end -= 1;
    if (end < 0) throw damaged("no directory");
    const count = tail.getUint16(end + 10, true);
    const bytes = tail.getUint32(end + 12, true);
    // A count of 0xffff stands for a ZIP64 directory, which no document needs.
    if (count > ARCHIVE_MAX_ENTRIES || bytes > ARCHIVE_DIRECTORY_MAX_BYTES) throw bomb();
    return directoryEntries(this.at(tail.getUint32(end + 16, true), bytes), count);
  }

  /** The bytes of an entry as they lie in the archive. */
  private *packed(entry: Entry): Generator<Uint8Array> {
    const local = this.at(entry.offset, LOCAL_BYTES);
    if (local.getUint32(0, true) !== LOCAL_SIGNATURE) throw damaged("no local header");
    let from = entry.offset + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
    for (let left = entry.packed; left > 0; ) {
      const length = Math.min(left, INFLATE_PIECE_BYTES);
      yield new Uint8Array(this.at(from, length).buffer);
      from += length;
      left -= length;
    }
  }
}

function bomb(): Fault {
  const mib = 1_024 * 1_024;
  return new Fault(
    "bad_request",
    `the file unpacks to more than is taken in: ${ARCHIVE_ENTRY_MAX_BYTES / mib} MiB a part, ${ARCHIVE_MAX_BYTES / mib} MiB and ${ARCHIVE_MAX_ENTRIES} parts together`,
  );
}

function directoryEntries(view: DataView, count: number): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const names = new TextDecoder("utf-8");
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + DIRECTORY_ENTRY_BYTES > view.byteLength || view.getUint32(at, true) !== DIRECTORY_SIGNATURE) throw damaged("directory");
    const nameBytes = view.getUint16(at + 28, true);
    const next = at + DIRECTORY_ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw damaged("directory");
    const name = names.decode(new Uint8Array(view.buffer, at + DIRECTORY_ENTRY_BYTES, nameBytes));
    // Of two entries of one name the first counts, as in most programs.
    if (!found.has(name)) {
      found.set(name, {
        encrypted: (view.getUint16(at + 8, true) & 1) === 1,
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        packed: view.getUint32(at + 20, true),
        declared: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
      });
    }
    at = next;
  }
  return found;
}

function* inflated(packed: Iterable<Uint8Array>): Generator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let ended = false;
  const inflate = new Inflate((piece, final) => {
    ready.push(piece);
    ended ||= final;
  });
  const push = (piece: Uint8Array, final: boolean) => {
    try {
      inflate.push(piece, final);
    } catch (error) {
      throw damaged(error);
    }
    const taken = ready;
    ready = [];
    return taken;
  };
  for (const piece of packed) {
    yield* push(piece, false);
    if (ended) return;
  }
  yield* push(new Uint8Array(0), true);
}

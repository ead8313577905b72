/** What the sound decoders share: how a file is read, what they give, and how they say that it is wrong. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Fault } from "../../base/fault.ts";

/** A piece of decoded sound: `channels` of equal length, -1..1, at `rate` samples a second. */
export interface RawSound {
  rate: number;
  channels: Float32Array[];
}

/** Progress and findings that a decoder writes beside its sound, and the start that its caller wants. */
export interface SoundWatch {
  /** Bytes from the start of the file that are read. */
  readBytes: number;
  /** What was left out, in words for people. */
  notes: string[];
  /**
   * Sound before this time is not wanted. A decoder that can seek skips most of it and sets `begunMs` to the time of its
   * first sample, which may be off by a few hundredths of a second.
   */
  wantedMs?: number;
  begunMs?: number;
}

/** The length that a header gives: samples of each channel, and samples a second. */
export interface SoundPromise {
  rate: number;
  samples: number;
}

/**
 * Decodes one format: gives the sound of `reader` in pieces of bounded size. `promise` is called at most once, before the
 * first piece, if a header gives the length. Errors: Fault `bad_request`.
 */
export type SoundDecoder = (
  reader: ByteReader,
  watch: SoundWatch,
  promise: (promised: SoundPromise) => void,
) => Generator<RawSound> | AsyncGenerator<RawSound>;

/** A Fault `bad_request` about the content of a sound file. */
export function badSound(detail: string, cause?: unknown): Fault {
  return new Fault("bad_request", detail, { cause });
}

/** Adds `text` to the notes once. */
export function note(watch: SoundWatch, text: string): void {
  if (!watch.notes.includes(text)) watch.notes.push(text);
}

/**
 * Reads a file from front to back with a look ahead of at most `ahead` bytes, in memory of twice that. It reads
 * synchronously: decoders run in a process that serves nothing else.
 */
export class ByteReader {
  readonly #file: number;
  readonly #buffer: Uint8Array;
  readonly #watch: SoundWatch;
  #start = 0;
  #end = 0;
  /** Offset in the file of what lies at `#end`. */
  #offset = 0;

  /** `path`: read only. Errors: those of the file system. Call `close` in the end. */
  constructor(path: string, ahead: number, watch: SoundWatch) {
    this.#file = openSync(path, "r");
    this.#buffer = new Uint8Array(2 * ahead);
    this.#watch = watch;
  }

  /** Offset in the file of the next byte. */
  get position(): number {
    return this.#offset - (this.#end - this.#start);
  }

  /** The next `count` bytes (at most `ahead`), fewer at the end of the file, without moving on. Valid until the next call. */
  peek(count: number): Uint8Array {
    if (this.#end - this.#start < count) this.#fill(count);
    return this.#buffer.subarray(this.#start, Math.min(this.#start + count, this.#end));
  }

  /** Like `peek`, and moves behind them. */
  take(count: number): Uint8Array {
    const bytes = this.peek(count);
    this.#start += bytes.length;
    this.#watch.readBytes = this.position;
    return bytes;
  }

  /** Moves `count` bytes forward; beyond the end of the file `peek` gives nothing. */
  skip(count: number): void {
    const inside = Math.min(count, this.#end - this.#start);
    this.#start += inside;
    this.#offset += count - inside;
    this.#watch.readBytes = this.position;
  }

  /** The last `count` bytes of the file, fewer if it is shorter. */
  tail(count: number): Uint8Array {
    const size = fstatSync(this.#file).size;
    const bytes = new Uint8Array(Math.min(count, size));
    return bytes.subarray(0, readSync(this.#file, bytes, 0, bytes.length, size - bytes.length));
  }

  /** Bytes from the next one to the end of the file. */
  get left(): number {
    return fstatSync(this.#file).size - this.position;
  }

  close(): void {
    closeSync(this.#file);
  }

  #fill(count: number): void {
    if (this.#start + count > this.#buffer.length) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    while (this.#end - this.#start < count) {
      const read = readSync(this.#file, this.#buffer, this.#end, this.#buffer.length - this.#end, this.#offset);
      if (read === 0) return;
      this.#end += read;
      this.#offset += read;
    }
  }
}

/** True if `bytes` hold the characters of `text` at `offset`. */
export function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  if (bytes.length < offset + text.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  return true;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const ID3_HEADER_BYTES = 10;
/** A file has one ID3v2 tag, or a few that different programs put before each other. */
const ID3_TAGS_MAX = 16;

/** Skips the ID3v2 tags at the start. */
export function skipId3(reader: ByteReader): void {
  for (let tag = 0; tag < ID3_TAGS_MAX; tag++) {
    const head = reader.peek(ID3_HEADER_BYTES);
    if (head.length < ID3_HEADER_BYTES || !hasText(head, 0, "ID3")) return;
    const seven = (index: number) => (head[index] ?? 0) & 0x7f;
    const footer = ((head[5] ?? 0) & 0x10) === 0 ? 0 : ID3_HEADER_BYTES;
    reader.skip(ID3_HEADER_BYTES + ((seven(6) << 21) | (seven(7) << 14) | (seven(8) << 7) | seven(9)) + footer);
  }
}

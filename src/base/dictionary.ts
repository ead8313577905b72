/**
 * Distinct strings of bytes, each with a number, its code. They lie one behind the other in one buffer and are found by their
 * hash, and then compared: the garbage collector sees a few arrays, however many strings there are.
 */
import { grown } from "./columns.ts";

const FIRST_BYTES = 1_024;
const FIRST_VALUES = 16;
/** Buckets of the hash table for each value that there is room for. */
const BUCKETS_PER_VALUE = 1.5;
/** The offset basis and the prime of FNV-1a, and the first multiplier of MurmurHash3's finaliser. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const MIX = 0x85ebca6b;
/** So that nobody can choose strings that fall into one bucket. */
const SEED = crypto.getRandomValues(new Uint32Array(1))[0] as number;

export class Dictionary {
  /** Codes are less. That of the empty value is 0. */
  size = 1;
  private values = new Uint8Array(FIRST_BYTES);
  /** The value of a code lies between its offset and that of the next one. */
  private offsets = new Uint32Array(FIRST_VALUES + 1);
  private hashes = new Uint32Array(FIRST_VALUES);
  /** Codes by hash, else in the next free bucket. The empty value is in none: 0 is free. */
  private buckets = new Int32Array(FIRST_VALUES * BUCKETS_PER_VALUE);

  /** Bytes that it holds. */
  get bytes(): number {
    return this.values.byteLength + this.offsets.byteLength + this.hashes.byteLength + this.buckets.byteLength;
  }

  /** The code of the bytes from `start` to before `end`, which it adds if they are new. */
  add(from: Uint8Array, start: number, end: number): number {
    if (start === end) return 0;
    const hash = hashOf(from, start, end);
    const found = this.buckets[this.bucket(hash, from, start, end)] as number;
    if (found !== 0) return found;
    this.reserve(end - start);
    const code = this.size++;
    const at = this.offsets[code] as number;
    // Values are short: a view of each would take longer.
    for (let i = start; i < end; i += 1) this.values[at + i - start] = from[i] as number;
    this.offsets[code + 1] = at + end - start;
    this.hashes[code] = hash;
    this.enter(code);
    return code;
  }

  /** The code of the bytes from `start` to before `end`; null: it does not have them, or there are none. */
  codeOf(from: Uint8Array, start: number, end: number): number | null {
    const code = this.buckets[this.bucket(hashOf(from, start, end), from, start, end)] as number;
    return code === 0 ? null : code;
  }

  /** By code, 1 for every value but the empty one. */
  present(): Uint8Array {
    return new Uint8Array(this.size).fill(1, 1);
  }

  /** By code, 1 for these values, but never for the empty one. */
  among(values: readonly Uint8Array[]): Uint8Array {
    const verdict = new Uint8Array(this.size);
    for (const value of values) {
      const code = this.codeOf(value, 0, value.length);
      if (code !== null) verdict[code] = 1;
    }
    return verdict;
  }

  /** By code, 1 for values that begin so. */
  beginningWith(prefix: Uint8Array): Uint8Array {
    const verdict = new Uint8Array(this.size);
    for (let code = 1; code < this.size; code += 1) {
      const at = this.offsets[code] as number;
      if ((this.offsets[code + 1] as number) - at >= prefix.length && this.lies(at, prefix, 0, prefix.length)) verdict[code] = 1;
    }
    return verdict;
  }

  /** By code, 1 for values that contain one of these pieces, which are not empty. */
  containing(pieces: readonly Uint8Array[]): Uint8Array {
    const verdict = new Uint8Array(this.size);
    const all = Buffer.from(this.values.buffer, 0, this.offsets[this.size]);
    for (const piece of pieces) {
      for (let at = all.indexOf(piece), code = 1; at >= 0; at = all.indexOf(piece, at + 1)) {
        while ((this.offsets[code + 1] as number) <= at) code += 1;
        // What lies across two values is in neither.
        if (at + piece.length <= (this.offsets[code + 1] as number)) verdict[code] = 1;
      }
    }
    return verdict;
  }

  /** By code, 1 for values that, read as 32-bit integers, hold one that `items` has a 1 for. All values are such lists. */
  holding(items: Uint8Array): Uint8Array {
    const verdict = new Uint8Array(this.size);
    const all = new Int32Array(this.values.buffer, 0, (this.offsets[this.size] as number) / Int32Array.BYTES_PER_ELEMENT);
    for (let code = 1, at = 0; code < this.size; code += 1) {
      for (const end = (this.offsets[code + 1] as number) / Int32Array.BYTES_PER_ELEMENT; at < end; at += 1) {
        if (items[all[at] as number] === 1) verdict[code] = 1;
      }
    }
    return verdict;
  }

  /** The bucket of a value, or the one that it belongs into. */
  private bucket(hash: number, from: Uint8Array, start: number, end: number): number {
    const { buckets, hashes, offsets } = this;
    for (let bucket = hash % buckets.length; ; bucket = bucket + 1 === buckets.length ? 0 : bucket + 1) {
      const code = buckets[bucket] as number;
      if (code === 0) return bucket;
      const at = offsets[code] as number;
      if (hashes[code] === hash && (offsets[code + 1] as number) - at === end - start && this.lies(at, from, start, end)) return bucket;
    }
  }

  private lies(at: number, from: Uint8Array, start: number, end: number): boolean {
    const { values } = this;
    for (let i = start; i < end; i += 1) if (values[at + i - start] !== from[i]) return false;
    return true;
  }

  /** Enters a code that is in no bucket. */
  private enter(code: number): void {
    const { buckets } = this;
    let bucket = (this.hashes[code] as number) % buckets.length;
    while (buckets[bucket] !== 0) bucket = bucket + 1 === buckets.length ? 0 : bucket + 1;
    buckets[bucket] = code;
  }

  /** Makes room for one more value of this length. */
  private reserve(length: number): void {
    const needed = (this.offsets[this.size] as number) + length;
    if (needed > this.values.length) this.values = grown(this.values, needed);
    if (this.size < this.hashes.length) return;
    this.hashes = grown(this.hashes, this.size + 1);
    this.offsets = grown(this.offsets, this.hashes.length + 1);
    this.buckets = new Int32Array(Math.ceil(this.hashes.length * BUCKETS_PER_VALUE));
    for (let code = 1; code < this.size; code += 1) this.enter(code);
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_BASIS ^ SEED;
  for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), MIX);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Numbers for terms, from 0 on in the order in which they were added: a hash table beside one string of all terms. */
import { Column, grown } from "../../base/columns.ts";

const SLOTS_MIN = 512;
/** Slots for each term: an open table slows down when it fills up. */
const SLOTS_PER_TERM = 1.5;
const FREE = 0;

/** A prime of 32 bits, as in FNV. */
const PRIME = 0x01000193;

export class TermTable {
  /** 1 + the number of a term. */
  private slots = new Uint32Array(SLOTS_MIN);
  private readonly hashes = new Column();
  /** Where each term ends in `characters`: the next one begins there. */
  private readonly ends = new Column();
  private characters = new Uint16Array(SLOTS_MIN);
  /** Unknown to whoever writes texts, so that nobody makes terms collide. */
  private readonly seed = crypto.getRandomValues(new Uint32Array(1))[0] as number;

  get size(): number {
    return this.ends.length;
  }

  get bytes(): number {
    return this.slots.byteLength + this.hashes.bytes + this.ends.bytes + this.characters.byteLength;
  }

  /** The number of the term that stands in `text` between two places; null when it was not added. */
  find(text: string, start = 0, end = text.length): number | null {
    const slot = this.slots[this.slotOf(text, start, end, this.hash(text, start, end))] as number;
    return slot === FREE ? null : slot - 1;
  }

  /** The same; a term that is not there is added. */
  numberOf(text: string, start: number, end: number): number {
    const hash = this.hash(text, start, end);
    const at = this.slotOf(text, start, end, hash);
    const slot = this.slots[at] as number;
    if (slot !== FREE) return slot - 1;
    this.append(text, start, end, hash);
    this.slots[at] = this.size;
    if (this.size * SLOTS_PER_TERM > this.slots.length) this.widen();
    return this.size - 1;
  }

  /** The slot of the term, or the free one that it would take. */
  private slotOf(text: string, start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = this.slots[at] as number;
      if (slot === FREE || (this.hashes.values[slot - 1] === hash && this.isTerm(slot - 1, text, start, end))) return at;
    }
  }

  private isTerm(term: number, text: string, start: number, end: number): boolean {
    const from = term === 0 ? 0 : (this.ends.values[term - 1] as number);
    if ((this.ends.values[term] as number) - from !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.characters[from + at - start] !== text.charCodeAt(at)) return false;
    return true;
  }

  private append(text: string, start: number, end: number, hash: number): void {
    const from = this.size === 0 ? 0 : (this.ends.values[this.size - 1] as number);
    const length = from + end - start;
    if (length > this.characters.length) this.characters = grown(this.characters, length);
    for (let at = start; at < end; at += 1) this.characters[from + at - start] = text.charCodeAt(at);
    this.hashes.push(hash);
    this.ends.push(length);
  }

  private widen(): void {
    this.slots = new Uint32Array(2 * this.slots.length);
    const mask = this.slots.length - 1;
    for (let term = 0; term < this.size; term += 1) {
      let at = (this.hashes.values[term] as number) & mask;
      while (this.slots[at] !== FREE) at = (at + 1) & mask;
      this.slots[at] = term + 1;
    }
  }

  private hash(text: string, start: number, end: number): number {
    let hash = this.seed;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) >>> 0;
  }
}

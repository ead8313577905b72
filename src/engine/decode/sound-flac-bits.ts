/** Bits of a FLAC frame, the most significant first. */
export class FlacBits {
  #bytes: Uint8Array = new Uint8Array(0);
  /** In bits. */
  #at = 0;

  /** Reads `bytes` from byte `at` on. */
  start(bytes: Uint8Array, at: number): void {
    this.#bytes = bytes;
    this.#at = at * 8;
  }

  /** True once more was read than there is. Beyond the end there are zeros. */
  get over(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  /** The byte that the next bit is in. */
  get byte(): number {
    return this.#at >>> 3;
  }

  /** Goes to the next whole byte, and gives it. */
  align(): number {
    this.#at = (this.#at + 7) & ~7;
    return this.byte;
  }

  /** The next `count` bits (0-32) as a positive number. */
  read(count: number): number {
    if (count === 0) return 0;
    if (count > 24) {
      const high = this.read(count - 16);
      return high * 65_536 + this.read(16);
    }
    const word = this.#word();
    const value = (word << (this.#at & 7)) >>> (32 - count);
    this.#at += count;
    return value;
  }

  /** The next `count` bits (0-33) in two's complement. */
  signed(count: number): number {
    if (count === 33) return this.read(1) * -(2 ** 32) + this.read(32);
    const value = this.read(count);
    return count > 0 && value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** How many zeros come before the next one, which is read too. At the end of the bytes there is an end to it. */
  zeros(): number {
    let zeros = 0;
    for (;;) {
      const offset = this.#at & 7;
      const word = this.#word() << offset;
      const usable = 32 - offset;
      if (word !== 0) {
        const more = Math.clz32(word);
        this.#at += more + 1;
        return zeros + more;
      }
      zeros += usable;
      this.#at += usable;
      if (this.over) return zeros;
    }
  }

  /** Fills `out` from `start` to `end` with a Rice-coded partition of parameter `parameter`. */
  rice(parameter: number, out: Float64Array, start: number, end: number): void {
    for (let index = start; index < end; index++) {
      const high = this.zeros();
      const code = high * 2 ** parameter + this.read(parameter);
      out[index] = code % 2 === 0 ? code / 2 : -(code + 1) / 2;
      if (this.over) return;
    }
  }

  #word(): number {
    const bytes = this.#bytes;
    const at = this.#at >>> 3;
    return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  }
}

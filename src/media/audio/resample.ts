/**
 * Resampling by a windowed sinc, in a stream: the output does not depend on how the input is cut into pieces. Own code: the
 * packages for it carry two megabytes of JavaScript and a heap that must be freed by hand.
 */

/** Zero crossings of the sinc on each side: with the window below, 80 dB of attenuation beyond the band. */
const ZERO_CROSSINGS = 16;
/** Share of the new band that passes; the rest is the transition of the filter. */
const PASSBAND = 0.94;
/** Kaiser's window: 80 dB. */
const KAISER_BETA = 8;
/**
 * Positions between two samples that have a kernel of their own. The usual rates need fewer and are exact; for other rates
 * a position takes the kernel before it, at most 1/1024 of a sample off: an error some 60 dB below the sound.
 */
const PHASES_MAX = 1_024;

/** Zeroth modified Bessel function of the first kind. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** Kernels of `2 * half` taps for `phases` positions, each with the sum 1. `cut`: the band kept, as a share of the old one. */
function kernels(phases: number, half: number, cut: number): Float32Array {
  const taps = 2 * half;
  const table = new Float32Array(phases * taps);
  const scale = 1 / bessel(KAISER_BETA);
  for (let phase = 0; phase < phases; phase++) {
    const row = table.subarray(phase * taps, (phase + 1) * taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const x = phase / phases + half - 1 - tap;
      const edge = 1 - (x / half) ** 2;
      const window = edge <= 0 ? 0 : bessel(KAISER_BETA * Math.sqrt(edge)) * scale;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * cut * x) / (Math.PI * cut * x);
      row[tap] = sinc * window;
      sum += sinc * window;
    }
    for (let tap = 0; tap < taps; tap++) row[tap] = (row[tap] ?? 0) / sum;
  }
  return table;
}

/** Resamples one channel from `from` to `to` samples a second. Sample 0 stays at time 0; the length is kept to within one sample. */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  readonly #phases: number;
  readonly #table: Float32Array;
  /** Input that the next outputs need: the kernel of the next one begins at its first sample, `#phase / #up` of a sample further. */
  #held: Float32Array;
  #phase = 0;
  #taken = 0;
  #given = 0;

  constructor(from: number, to: number) {
    const common = gcd(from, to);
    this.#up = to / common;
    this.#down = from / common;
    const ratio = Math.min(1, to / from);
    this.#half = Math.ceil(ZERO_CROSSINGS / ratio);
    this.#phases = Math.min(this.#up, PHASES_MAX);
    this.#table = from === to ? new Float32Array(0) : kernels(this.#phases, this.#half, ratio * PASSBAND);
    this.#held = new Float32Array(this.#half - 1);
  }

  /** The output samples that `input` makes possible. */
  push(input: Float32Array): Float32Array {
    this.#taken += input.length;
    if (this.#up === this.#down) return input;
    const all = new Float32Array(this.#held.length + input.length);
    all.set(this.#held);
    all.set(input, this.#held.length);
    return this.#convolve(all);
  }

  /** The last samples, once all input is pushed. */
  end(): Float32Array {
    if (this.#up === this.#down) return new Float32Array(0);
    const wanted = Math.round((this.#taken * this.#up) / this.#down) - this.#given;
    return this.push(new Float32Array(2 * this.#half)).subarray(0, Math.max(0, wanted));
  }

  #convolve(all: Float32Array): Float32Array {
    const taps = 2 * this.#half;
    const table = this.#table;
    const room = Math.ceil(((all.length + 1) * this.#up) / this.#down) + 1;
    const output = new Float32Array(room);
    let count = 0;
    let at = 0;
    let phase = this.#phase;
    for (; at + taps <= all.length; count++) {
      const row = (this.#phases === this.#up ? phase : Math.floor((phase * this.#phases) / this.#up)) * taps;
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) sum += (table[row + tap] ?? 0) * (all[at + tap] ?? 0);
      output[count] = sum;
      phase += this.#down;
      at += Math.floor(phase / this.#up);
      phase %= this.#up;
    }
    // A step of `down / up` samples is shorter than the kernel, so `at` is never beyond the end.
    this.#held = all.slice(at);
    this.#phase = phase;
    this.#given += count;
    return output.subarray(0, count);
  }
}

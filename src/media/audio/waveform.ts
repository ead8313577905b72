/** Draws the waveform of a sound: the lowest and highest sample of each moment as a vertical bar. */
import type { Picture } from "../../domain/media.ts";
import type { Samples } from "../models.ts";

const WIDTH_MAX = 480;
/** Width to height. */
const ASPECT = 4;
const PAPER = [248, 249, 251] as const;
const INK = [37, 99, 165] as const;
/** The loudest sample is drawn at full height, unless it is lower than this. */
const LOUDEST_MIN = 0.01;
/** Samples of which the two extremes are kept: ten minutes make 60,000 moments. */
const MOMENT_SAMPLES = 160;

/** Collects the extremes of a sound, and draws them. */
export class Peaks {
  readonly #low: number[] = [];
  readonly #high: number[] = [];
  #in = 0;

  add(samples: Samples): void {
    for (const sample of samples) {
      if (this.#in === 0) {
        this.#low.push(sample);
        this.#high.push(sample);
      } else {
        const last = this.#low.length - 1;
        if (sample < (this.#low[last] ?? 0)) this.#low[last] = sample;
        if (sample > (this.#high[last] ?? 0)) this.#high[last] = sample;
      }
      this.#in = (this.#in + 1) % MOMENT_SAMPLES;
    }
  }

  /** At most `maxSide` wide. A sound without samples is a line. */
  draw(maxSide: number): Picture {
    const width = Math.max(ASPECT, Math.min(WIDTH_MAX, maxSide));
    const height = Math.max(1, Math.round(width / ASPECT));
    const data = new Uint8Array(width * height * 3);
    for (let at = 0; at < data.length; at++) data[at] = PAPER[(at % 3) as 0 | 1 | 2];
    const loudest = this.#high.reduce((most, high, index) => Math.max(most, high, -(this.#low[index] ?? 0)), LOUDEST_MIN);
    const row = (sample: number) => Math.min(height - 1, Math.max(0, Math.round((height - 1) * (0.5 - sample / loudest / 2))));
    for (let column = 0; column < width; column++) {
      const { low, high } = this.#between(column / width, (column + 1) / width);
      for (let y = row(high); y <= row(low); y++) data.set(INK, (y * width + column) * 3);
    }
    return { width, height, data };
  }

  #between(from: number, to: number): { low: number; high: number } {
    const first = Math.floor(from * this.#low.length);
    const last = Math.max(first + 1, Math.ceil(to * this.#low.length));
    let [low, high] = [0, 0];
    for (let index = first; index < last; index++) {
      low = Math.min(low, this.#low[index] ?? 0);
      high = Math.max(high, this.#high[index] ?? 0);
    }
    return { low, high };
  }
}

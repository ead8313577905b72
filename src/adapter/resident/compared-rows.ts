/** The cosines that the last queries had. Another search for one of them may allow other rows, most of which are the same. */
import { same } from "./numbers.ts";

interface Compared {
  vector: Float32Array;
  /** Ascending. */
  rows: Int32Array;
  cosines: Float32Array;
}

export class ComparedRows {
  /** The newest first. */
  private last: Compared[] = [];

  constructor(private readonly queries: number) {}

  /** To be called when rows change. */
  forget(): void {
    this.last = [];
  }

  /** The cosines of ascending rows; `compare` tells those that are not known. */
  async cosines(vector: Float32Array, rows: Int32Array, compare: (rows: Int32Array) => Promise<Float32Array>): Promise<Float32Array> {
    const { last } = this;
    const known = last.find((one) => same(one.vector, vector));
    const cosines = await (known === undefined ? compare(rows) : completed(rows, known, compare));
    if (this.last === last)
      this.last = [{ vector: known?.vector ?? vector.slice(), rows, cosines }, ...last.filter((one) => one !== known)].slice(0, this.queries);
    return cosines;
  }
}

async function completed(rows: Int32Array, known: Compared, compare: (rows: Int32Array) => Promise<Float32Array>): Promise<Float32Array> {
  const cosines = new Float32Array(rows.length);
  const places = new Int32Array(rows.length);
  let missing = 0;
  for (let at = 0, other = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    while (other < known.rows.length && (known.rows[other] as number) < row) other += 1;
    if (known.rows[other] === row) cosines[at] = known.cosines[other] as number;
    else {
      places[missing] = at;
      missing += 1;
    }
  }
  if (missing === 0) return cosines;
  const others = places.subarray(0, missing);
  const told = await compare(others.map((at) => rows[at] as number));
  for (let i = 0; i < missing; i += 1) cosines[others[i] as number] = told[i] as number;
  return cosines;
}

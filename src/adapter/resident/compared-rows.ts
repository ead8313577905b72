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
    const cosines = new Float32Array(rows.length);
    const missing = known === undefined ? Array.from(rows.keys()) : fill(cosines, rows, known);
    const told = await compare(Int32Array.from(missing, (at) => rows[at] as number));
    for (const [i, at] of missing.entries()) cosines[at] = told[i] as number;
    if (this.last === last) this.last = [{ vector: vector.slice(), rows, cosines }, ...last.filter((one) => one !== known)].slice(0, this.queries);
    return cosines;
  }
}

/** Fills in what is known, and returns the places of the others. */
function fill(cosines: Float32Array, rows: Int32Array, known: Compared): number[] {
  const missing: number[] = [];
  for (let at = 0, other = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    while (other < known.rows.length && (known.rows[other] as number) < row) other += 1;
    if (known.rows[other] === row) cosines[at] = known.cosines[other] as number;
    else missing.push(at);
  }
  return missing;
}

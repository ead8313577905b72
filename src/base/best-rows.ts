/** The rows with the highest scores of many that are offered: a heap whose root is the lowest that is kept. */
export class BestRows {
  private readonly ids: Int32Array;
  private readonly scores: Float64Array;
  private kept = 0;
  /** The highest score of the rows that are not kept; NaN: all are. */
  private dropped = Number.NaN;

  constructor(private readonly limit: number) {
    this.ids = new Int32Array(limit);
    this.scores = new Float64Array(limit);
  }

  offer(row: number, score: number): void {
    if (this.kept < this.limit) this.rise(this.kept++, row, score);
    else if (score > (this.scores[0] as number)) {
      this.dropped = this.scores[0] as number;
      this.sink(row, score);
    } else if (!(score <= this.dropped)) this.dropped = score;
  }

  /** The lowest score that is kept, where a row that is not kept has it too: which of them was kept follows from their order. Else null. */
  get tied(): number | null {
    return this.dropped === this.scores[0] ? this.dropped : null;
  }

  /** Those that are kept, in no order. */
  rows(): { row: number; score: number }[] {
    return Array.from(this.ids.subarray(0, this.kept), (row, at) => ({ row, score: this.scores[at] as number }));
  }

  private rise(from: number, row: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.scores[parent] as number) <= score) break;
      this.move(parent, at);
      at = parent;
    }
    this.set(at, row, score);
  }

  /** In place of the root. */
  private sink(row: number, score: number): void {
    let at = 0;
    for (let child = 1; child < this.limit; child = 2 * at + 1) {
      if (child + 1 < this.limit && (this.scores[child + 1] as number) < (this.scores[child] as number)) child += 1;
      if (score <= (this.scores[child] as number)) break;
      this.move(child, at);
      at = child;
    }
    this.set(at, row, score);
  }

  private move(from: number, to: number): void {
    this.set(to, this.ids[from] as number, this.scores[from] as number);
  }

  private set(at: number, row: number, score: number): void {
    this.ids[at] = row;
    this.scores[at] = score;
  }
}

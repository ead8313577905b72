/** The `limit` best of many items, without ever sorting all of them. */
export class TopK<T> {
  private kept: T[] = [];

  /** `compare` as for Array.sort: what is better comes first. */
  constructor(
    private readonly limit: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  add(item: T): void {
    this.kept.push(item);
    // Sorting now and then costs each item about as much as a heap would.
    if (this.kept.length >= 2 * this.limit) this.kept = this.sorted();
  }

  /** Best first. */
  sorted(): T[] {
    return this.kept.sort(this.compare).slice(0, this.limit);
  }
}

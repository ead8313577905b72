/** The `limit` best of many items, without ever sorting all of them. */
export class TopK<T> {
  private kept: T[] = [];
  /** Nothing behind it is among the best; null while too little was added. */
  bar: T | null = null;

  /** `compare` as for Array.sort: what is better comes first. */
  constructor(
    private readonly limit: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  add(item: T): void {
    if (this.bar !== null && this.compare(item, this.bar) > 0) return;
    this.kept.push(item);
    // Sorting now and then costs each item about as much as a heap would.
    if (this.kept.length < 2 * this.limit) return;
    this.kept = this.sorted();
    this.bar = this.kept.at(-1) ?? null;
  }

  /** Best first. */
  sorted(): T[] {
    return this.kept.sort(this.compare).slice(0, this.limit);
  }
}

/** What may be under way at once, counted in places or bytes: so much in all, and not all of it for one namespace. */
import { Fault } from "../base/fault.ts";
import { NAMESPACE_SHARE_MAX } from "../base/limits.ts";

export class Slots {
  private readonly held = new Map<string, number>();
  private readonly maxPerNamespace: number;
  private total = 0;

  /** `full`: what a caller reads that finds none free. */
  constructor(
    private readonly max: number,
    private readonly full: string,
  ) {
    this.maxPerNamespace = Math.max(1, Math.floor(max * NAMESPACE_SHARE_MAX));
  }

  /** Errors: `rate_limited` when so many are not free. */
  take(namespace: string, count: number): void {
    const held = this.held.get(namespace) ?? 0;
    if (this.total + count > this.max || held + count > this.maxPerNamespace) throw new Fault("rate_limited", this.full);
    this.held.set(namespace, held + count);
    this.total += count;
  }

  release(namespace: string, count: number): void {
    const left = (this.held.get(namespace) ?? 0) - count;
    if (left > 0) this.held.set(namespace, left);
    else this.held.delete(namespace);
    this.total -= count;
  }

  /** Holds one while `work` runs. Errors: as take, those of `work`. */
  async hold<T>(namespace: string, work: () => Promise<T>): Promise<T> {
    this.take(namespace, 1);
    try {
      return await work();
    } finally {
      this.release(namespace, 1);
    }
  }
}

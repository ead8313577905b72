/** What several holders may take in memory together. */
export class MemoryShare {
  private taken = 0;

  constructor(private readonly limitBytes: number) {}

  /** False: there is not as much left, and nothing was taken. */
  take(bytes: number): boolean {
    if (this.taken + bytes > this.limitBytes) return false;
    this.taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.taken -= bytes;
  }
}

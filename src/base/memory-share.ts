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

/** What one holder has of a share. */
export class MemoryHolding {
  private bytes = 0;

  constructor(private readonly share: MemoryShare) {}

  /** Has so many bytes from now on. False: there is not as much left, and it has what it had. */
  hold(bytes: number): boolean {
    if (!this.share.take(bytes - this.bytes)) return false;
    this.bytes = bytes;
    return true;
  }

  release(): void {
    this.share.give(this.bytes);
    this.bytes = 0;
  }
}

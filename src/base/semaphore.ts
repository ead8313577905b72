/** Bounds what is under way at once: each work takes its weight of `max`, and waits in turn until so much is free. */
export class Semaphore {
  private free: number;
  private readonly waiting: { weight: number; enter: () => void }[] = [];

  constructor(private readonly max: number) {
    this.free = max;
  }

  /** `weight`: taken for all of `max` where it is more. Errors: those of `work`. */
  async during<T>(weight: number, work: () => Promise<T>): Promise<T> {
    const held = Math.min(weight, this.max);
    await new Promise<void>((enter) => {
      this.waiting.push({ weight: held, enter });
      this.admit();
    });
    try {
      return await work();
    } finally {
      this.free += held;
      this.admit();
    }
  }

  private admit(): void {
    for (let [next] = this.waiting; next !== undefined && next.weight <= this.free; [next] = this.waiting) {
      this.waiting.shift();
      this.free -= next.weight;
      next.enter();
    }
  }
}

/** Runs the same work on many things, two at a time unless told otherwise, and says on stderr how far it is. */

/** The machine that the bars are for has two cores. */
const LANES = 2;
const PROGRESS_MS = 5_000;

/** Results in the order of `items`. The first failure ends it. */
export async function lanes<T, R>(label: string, items: readonly T[], work: (item: T) => Promise<R>, count = LANES): Promise<R[]> {
  const results = new Array<R>(items.length);
  const began = performance.now();
  let next = 0;
  let done = 0;
  let told = began;
  const seconds = () => ((performance.now() - began) / 1000).toFixed(0);
  const lane = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as T);
      done += 1;
      if (performance.now() - told < PROGRESS_MS) continue;
      told = performance.now();
      process.stderr.write(`  ${label}: ${done} of ${items.length}, ${seconds()} s\n`);
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
  process.stderr.write(`${label}: done, ${seconds()} s\n`);
  return results;
}

/** Milliseconds since the Unix epoch; injected wherever time matters so that tests can own it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Milliseconds from a monotonic source, for durations only. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => roundMs(performance.now() - start);
}

/** To the microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

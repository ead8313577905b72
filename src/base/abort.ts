/** Work that ends when whoever asked for it has gone. */
import { Fault } from "./fault.ts";

/** What such work ends with. Nobody is left to read it. */
export function gone(): Fault {
  return new Fault("unavailable", "whoever asked has hung up");
}

/** Errors: Fault `unavailable` once the signal has come. */
export function stopIfGone(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw gone();
}

/** Settles as `promise` does, or rejects as soon as the signal comes. Errors: Fault `unavailable`, those of the promise. */
export async function unlessGone<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(gone());
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([promise, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

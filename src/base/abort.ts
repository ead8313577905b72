/** Ends work whose caller has disconnected, which an AbortSignal tells. */
import { Fault } from "./fault.ts";

/** The Fault that such work rejects with. No caller is left to receive it. */
export function gone(): Fault {
  return new Fault("unavailable", "whoever asked has hung up");
}

/** Errors: Fault `unavailable` once the signal is aborted. */
export function stopIfGone(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw gone();
}

/** Settles as `promise` does, or rejects as soon as the signal is aborted. Errors: Fault `unavailable`, those of the promise. */
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

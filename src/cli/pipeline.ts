/** Sends batches, a few at once, and acknowledges them in the order of their source. */
import { BATCHES_IN_FLIGHT_MAX } from "../base/limits.ts";

/**
 * `acknowledged` is called for a contiguous prefix of the source only: not for what was answered behind a
 * batch that failed. Rejects with the first failure in the order of the source, once nothing is in flight.
 */
export async function pipeline<B, A>(
  batches: AsyncIterable<B>,
  send: (batch: B) => Promise<A>,
  acknowledged: (batch: B, answer: A) => void,
): Promise<void> {
  const inFlight: { batch: B; answer: Promise<A> }[] = [];
  const settleOldest = async () => {
    const oldest = inFlight[0];
    if (oldest === undefined) return;
    acknowledged(oldest.batch, await oldest.answer);
    inFlight.shift();
  };
  const drain = async () => {
    while (inFlight.length > 0) await settleOldest();
  };
  try {
    // What was sent before the source failed is acknowledged before the failure is told.
    for await (const batch of draining(batches, drain)) {
      const answer = send(batch);
      answer.catch(() => {});
      inFlight.push({ batch, answer });
      if (inFlight.length >= BATCHES_IN_FLIGHT_MAX) await settleOldest();
    }
  } finally {
    await Promise.allSettled(inFlight.map(({ answer }) => answer));
  }
}

/** The source, with `drain` before its end, good or bad. */
async function* draining<B>(source: AsyncIterable<B>, drain: () => Promise<void>): AsyncGenerator<B> {
  try {
    yield* source;
  } catch (error) {
    await drain();
    throw error;
  }
  await drain();
}

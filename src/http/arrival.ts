/** A body on its way: what comes too slowly is not waited for. */
import { stopwatch } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";

/** Of a body every `pieceBytes`, and what is left at its end, has to come within `pieceMs` of waiting. */
export interface Pace {
  pieceBytes: number;
  pieceMs: number;
}

const KIB = 1024;

/** Its sender may still be sending: the connection is of no further use. */
export class TooSlow extends Fault {
  constructor({ pieceBytes, pieceMs }: Pace) {
    const rate = `${pieceBytes / KIB} KiB in every ${pieceMs / 1000} s`;
    super("bad_request", `the body came too slowly: send at least ${rate}, or all of it. Nothing was stored; send it again over a faster connection`);
  }
}

/**
 * The bytes of a body as they come. Only waiting for the sender counts, not what the reader does with a chunk. Errors:
 * `bad_request` when they come too slowly, or the sender goes away in the middle.
 */
export async function* arriving({ body }: Request, pace: Pace): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  let bytes = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const waiting = stopwatch();
      const { value } = await within(reader.read(), pace, waitedMs);
      if (value === undefined) return;
      waitedMs += waiting();
      bytes += value.byteLength;
      if (bytes >= pace.pieceBytes) bytes = waitedMs = 0;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function within<T>(read: Promise<T>, pace: Pace, waitedMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TooSlow(pace)), Math.max(0, pace.pieceMs - waitedMs));
  try {
    return await Promise.race([read, late.promise]);
  } catch (cause) {
    throw cause instanceof Fault ? cause : new Fault("bad_request", "the body is not whole", { cause });
  } finally {
    clearTimeout(timer);
  }
}

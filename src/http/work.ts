/** What an admitted request goes through: its body comes, it takes a place, it is worked on, and then waits without one. */
import { BODIES_ARRIVING_MAX_BYTES, BODY_PIECE_BYTES, BODY_PIECE_MAX_MS, REQUESTS_IN_WORK_MAX, UPLOADS_IN_WORK_MAX } from "../base/limits.ts";
import { arriving, type Pace } from "./arrival.ts";
import { readJson, readRawJson } from "./body.ts";
import { type Admitted, ROUTES } from "./gate.ts";
import type { Handler, Reply } from "./routes.ts";
import { Slots } from "./slots.ts";

export interface WorkLimits {
  pace: Pace;
  /** Requests in work, from when their body is there. */
  requests: number;
  /** Requests that bring a file, its way here included. */
  uploads: number;
  /** Bytes of JSON bodies that are not whole yet. */
  arrivingBytes: number;
}

export const WORK_LIMITS: WorkLimits = {
  pace: { pieceBytes: BODY_PIECE_BYTES, pieceMs: BODY_PIECE_MAX_MS },
  requests: REQUESTS_IN_WORK_MAX,
  uploads: UPLOADS_IN_WORK_MAX,
  arrivingBytes: BODIES_ARRIVING_MAX_BYTES,
};

/** The namespace of requests that need no caller: they share what one namespace may have. No name of a namespace is empty. */
const NOBODY = "";

const AGAIN = "try again in a moment";

export type Work = (handler: Handler, admitted: Admitted, request: Request) => Promise<Reply>;

/** Errors of a Work: `rate_limited` when a limit is reached, `bad_request` for a body that comes too slowly, those of the handler. */
export function createWork(limits: WorkLimits): Work {
  const requests = new Slots(limits.requests, `too many requests are worked on at once; ${AGAIN}`);
  const uploads = new Slots(limits.uploads, `too many files are being sent at once; ${AGAIN}`);
  const arrivingBytes = new Slots(limits.arrivingBytes, `too much is being sent at once; ${AGAIN}`);

  async function* counted(namespace: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    let taken = 0;
    try {
      for await (const chunk of chunks) {
        arrivingBytes.take(namespace, chunk.byteLength);
        taken += chunk.byteLength;
        yield chunk;
      }
    } finally {
      arrivingBytes.release(namespace, taken);
    }
  }

  return async (handler, admitted, request) => {
    const namespace = admitted.caller?.namespace.namespace ?? NOBODY;
    const chunks = arriving(request, limits.pace);
    const file = handler.bringsFile?.(request) ?? false;
    const maxBytes = file ? undefined : handler.jsonMaxBytes;
    const read = handler.rawJson ? readRawJson : readJson;
    const json = maxBytes === undefined ? undefined : await read(request, counted(namespace, chunks), maxBytes);
    const run = () => handler.run(admitted, request, { json, chunks });
    // Health is looked at when everything else is full.
    const reply = ROUTES[admitted.route].auth === "public" ? await run() : await (file ? uploads : requests).hold(namespace, run);
    return "afterwards" in reply ? reply.afterwards() : reply;
  };
}

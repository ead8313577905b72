/** How much may be under way at once, so that a flood is refused and not queued. */
import {
  BODIES_ARRIVING_MAX_BYTES,
  BODY_PIECE_BYTES,
  BODY_PIECE_MAX_MS,
  REQUESTS_IN_WORK_MAX,
  STREAM_HEARTBEAT_MS,
  STREAMS_IN_WORK_MAX,
  UPLOADS_IN_WORK_MAX,
} from "../base/limits.ts";
import { arriving, type Pace } from "./arrival.ts";
import { Slots } from "./slots.ts";

export interface WorkLimits {
  pace: Pace;
  /** Requests in work, from when their body is there. */
  requests: number;
  /** Requests that bring a file, its way here included. */
  uploads: number;
  /** Requests whose work is followed as it goes on. */
  streams: number;
  heartbeatMs: number;
  /** Bytes of JSON bodies that are not whole yet. */
  arrivingBytes: number;
}

export const WORK_LIMITS: WorkLimits = {
  pace: { pieceBytes: BODY_PIECE_BYTES, pieceMs: BODY_PIECE_MAX_MS },
  requests: REQUESTS_IN_WORK_MAX,
  uploads: UPLOADS_IN_WORK_MAX,
  streams: STREAMS_IN_WORK_MAX,
  heartbeatMs: STREAM_HEARTBEAT_MS,
  arrivingBytes: BODIES_ARRIVING_MAX_BYTES,
};

const AGAIN = "try again in a moment";

export interface Room {
  requests: Slots;
  uploads: Slots;
  streams: Slots;
  heartbeatMs: number;
  /** The bytes of a body as they come. Errors: `bad_request` for one that comes too slowly. */
  arriving(request: Request): AsyncIterable<Uint8Array>;
  /** The same, counted for a namespace while the body is not whole. Errors: `rate_limited`. */
  counted(namespace: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

export function createRoom(limits: WorkLimits): Room {
  const arrivingBytes = new Slots(limits.arrivingBytes, `too much is being sent at once; ${AGAIN}`);
  return {
    requests: new Slots(limits.requests, `too many requests are worked on at once; ${AGAIN}`),
    uploads: new Slots(limits.uploads, `too many files are being sent at once; ${AGAIN}`),
    streams: new Slots(limits.streams, `too many answers are being streamed at once; ${AGAIN}`),
    heartbeatMs: limits.heartbeatMs,
    arriving: (request) => arriving(request, limits.pace),
    async *counted(namespace, chunks) {
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
    },
  };
}

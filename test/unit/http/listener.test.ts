/** How many connections a limit of descriptors bears, and that the limits of the edge fit together. */
import { describe, expect, test } from "bun:test";
import { StartError } from "../../../src/base/fault.ts";
import {
  BODIES_ARRIVING_MAX_BYTES,
  BODY_MAX_BYTES,
  BODY_PIECE_BYTES,
  CONNECTIONS_MAX,
  CONNECTIONS_RESUME,
  DESCRIPTORS_MIN,
  DESCRIPTORS_RESERVED,
  NAMESPACE_SHARE_MAX,
  REQUESTS_IN_WORK_MAX,
  SMALL_BODY_MAX_BYTES,
  UPLOADS_IN_WORK_MAX,
  WORKER_DESCRIPTORS,
} from "../../../src/base/limits.ts";
import { connectionBounds } from "../../../src/http/listener.ts";

describe("the bounds of connections", () => {
  test("under a large limit are those of the service", () => {
    expect(connectionBounds(100, 1_048_576)).toEqual({ stop: 100 + CONNECTIONS_MAX, resume: 100 + CONNECTIONS_MAX - CONNECTIONS_RESUME });
  });

  test("leave the reserve free under a smaller one", () => {
    expect(connectionBounds(100, 4_096)).toEqual({ stop: 4_096 - DESCRIPTORS_RESERVED, resume: 4_096 - DESCRIPTORS_RESERVED - CONNECTIONS_RESUME });
  });

  test("leave half of what is free under a small one", () => {
    expect(connectionBounds(56, 256)).toEqual({ stop: 156, resume: 131 });
  });

  test("too few to work with are refused in words for the operator", () => {
    expect(() => connectionBounds(200, 256)).toThrow(StartError);
    expect(() => connectionBounds(200, 256)).toThrow(/allows this process 256 open files, and 200 are open already; allow at least 456/);
  });
});

describe("the limits of the edge", () => {
  test("what is worked on at once, each with its descriptor, fits beside the reserve", () => {
    // A request in work holds its connection; an upload a file as well; a Worker may start meanwhile.
    expect(REQUESTS_IN_WORK_MAX + UPLOADS_IN_WORK_MAX).toBeLessThan(CONNECTIONS_MAX);
    expect(UPLOADS_IN_WORK_MAX + 4 * WORKER_DESCRIPTORS).toBeLessThan(DESCRIPTORS_RESERVED);
    expect(2 * WORKER_DESCRIPTORS).toBeLessThan(DESCRIPTORS_MIN / 2);
    expect(CONNECTIONS_RESUME).toBeLessThan(CONNECTIONS_MAX);
  });

  test("what one namespace leaves of the bytes is enough for some of the largest bodies", () => {
    expect(BODIES_ARRIVING_MAX_BYTES * (1 - NAMESPACE_SHARE_MAX)).toBeGreaterThanOrEqual(8 * BODY_MAX_BYTES);
  });

  test("what nobody needs a credential for comes in one piece, and fits into what may arrive, whoever sends it", () => {
    expect(SMALL_BODY_MAX_BYTES).toBeLessThan(BODY_PIECE_BYTES);
    expect(CONNECTIONS_MAX * SMALL_BODY_MAX_BYTES).toBeLessThan(BODIES_ARRIVING_MAX_BYTES * NAMESPACE_SHARE_MAX);
  });
});

/** Listens for connections, and stops accepting them before they take the descriptors that everything else needs. */
import { descriptorLimit, descriptorsOpen } from "../base/descriptors.ts";
import { StartError } from "../base/fault.ts";
import {
  CONNECTION_IDLE_SECONDS,
  CONNECTIONS_LOOK_MS,
  CONNECTIONS_MAX,
  CONNECTIONS_RESUME,
  DESCRIPTORS_MIN,
  DESCRIPTORS_RESERVED,
  DRAIN_MAX_MS,
  WORKER_DESCRIPTORS,
} from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import type { Http } from "./server.ts";

type Server = Bun.Server<undefined>;

export interface Listener {
  host: string;
  port: number;
  /** Takes no new request, lets running ones finish (DRAIN_MAX_MS at most), then closes. */
  stop(): Promise<void>;
}

/** Descriptors in use from which on no connection is accepted, and down to which it is accepted again. */
export interface Bounds {
  stop: number;
  resume: number;
}

/**
 * `open`: descriptors in use before anybody has connected. `limit`: those that the system allows. Errors: StartError when
 * there are too few.
 */
export function connectionBounds(open: number, limit: number): Bounds {
  const free = limit - open;
  if (free < DESCRIPTORS_MIN / 2) {
    const wanted = open + DESCRIPTORS_MIN;
    throw new StartError(
      `the system allows this process ${limit} open files, and ${open} are open already; allow at least ${wanted} (ulimit -n, or LimitNOFILE of the unit)`,
    );
  }
  const connections = Math.min(CONNECTIONS_MAX, free - Math.min(DESCRIPTORS_RESERVED, Math.floor(free / 2)));
  return { stop: open + connections, resume: open + connections - Math.min(CONNECTIONS_RESUME, Math.ceil(connections / 4)) };
}

export interface ListenOptions {
  hostname: string;
  /** 0 picks a free one. */
  port: number;
  log: Log;
  /** Descriptors that came to be used since, and not by connections; absent: none. */
  held?: () => number;
  /** Another time than the service's, for tests. */
  idleSeconds?: number;
}

/** Errors: StartError when there are too few descriptors; those of the system for the address. */
export function listen(http: Http, { log, held = () => 0, idleSeconds = CONNECTION_IDLE_SECONDS, ...address }: ListenOptions): Listener {
  const limit = descriptorLimit();
  const bounds = connectionBounds(descriptorsOpen() - held(), limit);
  /** Null while no connection is accepted. */
  let open: Server | null = serve(http, address, idleSeconds);
  const port = open.port ?? address.port;
  /** Servers that no longer accept, and still have connections. */
  const closing = new Set<Server>();

  function shut(server: Server): void {
    open = null;
    closing.add(server);
    void server.stop(false).finally(() => closing.delete(server));
  }

  function look(): void {
    // Whatever else has them, some are left for what requests open.
    const stop = Math.min(bounds.stop + held(), limit - WORKER_DESCRIPTORS);
    if (open !== null && descriptorsOpen() >= stop) open.closeIdleConnections();
    const used = descriptorsOpen();
    if (open !== null && used >= stop) {
      log.warn("too many connections: no more are accepted for now", { descriptors: used });
      shut(open);
    } else if (open === null && used <= Math.min(bounds.resume + held(), limit - 2 * WORKER_DESCRIPTORS)) {
      reopen();
    }
  }

  function reopen(): void {
    try {
      open = serve(http, { ...address, port }, idleSeconds);
      log.info("connections are accepted again");
    } catch (error) {
      log.error("cannot listen again; tried again in a moment", { error });
    }
  }

  const looking = setInterval(look, CONNECTIONS_LOOK_MS);
  return {
    host: address.hostname,
    port,
    async stop() {
      clearInterval(looking);
      if (open !== null) shut(open);
      const deadline = Date.now() + DRAIN_MAX_MS;
      while (http.inFlight() > 0 && Date.now() < deadline) await Bun.sleep(10);
      await Promise.all([...closing].map((server) => server.stop(true)));
    },
  };
}

/**
 * What Bun itself closes: a connection that sends no whole head of a request within ten seconds, and one on which nothing
 * moves for `idleTimeout`. That time would also run while a handler works without a word, so it is off until it replies.
 */
function serve(http: Http, address: { hostname: string; port: number }, idleSeconds: number): Server {
  return Bun.serve({
    ...address,
    idleTimeout: idleSeconds,
    // Above our own limit, so that ours answers with an error body.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request, server) {
      server.timeout(request, 0);
      const response = await http.handle(request);
      server.timeout(request, idleSeconds);
      return response;
    },
  });
}

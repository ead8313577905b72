/** The HTTP edge: gate, routes, one error table. */
import { stopwatch } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { randomToken } from "../base/hash.ts";
import { REQUEST_ID_MAX_CHARS, RETRY_AFTER_SECONDS } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import { machineFault } from "../base/machine.ts";
import { TooSlow } from "./arrival.ts";
import { createGate, matchRoute, rawPath, recordDenial, ROUTES } from "./gate.ts";
import { createRouter } from "./router.ts";
import { createHandlers, type HandlerOptions } from "./routes.ts";
import { createWork, WORK_LIMITS, type WorkLimits } from "./work.ts";
import type { HostNames } from "./site.ts";

export interface HttpOptions extends HandlerOptions {
  /** The names that requests may call the listener by. */
  hosts: HostNames;
  log: Log;
  /** Those of the service, unless a test needs smaller ones. */
  limits?: Partial<WorkLimits>;
}

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_MAX_CHARS}}$`);
const REQUEST_ID_BYTES = 12;

function requestId(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : randomToken(REQUEST_ID_BYTES);
}

/** What a request is answered with. What is no Fault of ours shows nothing of itself; what the machine lacks may pass. */
function publicFault(error: unknown, id: string): Fault {
  if (error instanceof Fault) return error;
  const lack = machineFault(error);
  if (lack !== null) return new Fault("unavailable", `the service cannot do this now: ${lack}; try again in a moment`);
  return new Fault("internal_error", `an internal error; the log has it under request id ${id}`);
}

/** The response of a fault: exactly `error`, `detail`, `status`. */
function faultResponse(error: unknown, id: string): Response {
  const fault = publicFault(error, id);
  const headers: Record<string, string> = {};
  if (fault.kind === "unauthorized") headers["www-authenticate"] = 'Bearer realm="strata"';
  if (fault.kind === "rate_limited" || fault.kind === "unavailable") headers["retry-after"] = String(RETRY_AFTER_SECONDS);
  if (fault instanceof TooSlow) headers.connection = "close";
  return Response.json({ error: fault.kind, detail: fault.message, status: fault.status }, { status: fault.status, headers });
}

function dress(response: Response, id: string): Response {
  response.headers.set("x-request-id", id);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("cache-control", "no-store");
  return response;
}

/** Builds the service's edge without listening: tests call `handle(request)`. */
export function createHttp(options: HttpOptions) {
  const admit = createGate(options);
  const router = createRouter(createHandlers(options), options.version, createWork({ ...WORK_LIMITS, ...options.limits }));
  let inFlight = 0;

  async function work(request: Request): Promise<Response> {
    const admission = await admit(request);
    try {
      return await router.dispatch(request, admission);
    } catch (failure) {
      await recordDenial(options.service, admission, failure);
      throw failure;
    }
  }

  /** A bug is logged with its stack; what the service says it cannot do now, with the reason alone; who has hung up, not at all. */
  function report(error: unknown, status: number, id: string, request: Request): void {
    if (request.signal.aborted) return;
    const fields = { id, route: routeLabel(request) };
    if (!(error instanceof Fault)) options.log.error("request failed", { ...fields, error });
    else if (status >= 500) options.log.warn(error.message, { ...fields, cause: error.cause instanceof Error ? error.cause.message : undefined });
  }

  /** Answers one request; never rejects. */
  async function handle(request: Request): Promise<Response> {
    const id = requestId(request);
    const time = stopwatch();
    inFlight += 1;
    try {
      return dress(await work(request), id);
    } catch (error) {
      const response = faultResponse(error, id);
      report(error, response.status, id, request);
      return dress(response, id);
    } finally {
      inFlight -= 1;
      options.log.debug("request", { id, route: routeLabel(request), ms: time() });
    }
  }

  return { handle, inFlight: () => inFlight, routes: router.routes };
}

function routeLabel(request: Request): string {
  const matched = matchRoute(request.method, rawPath(request.url));
  return matched === null ? "unknown" : `${request.method} ${ROUTES[matched.route].path}`;
}

export type Http = ReturnType<typeof createHttp>;

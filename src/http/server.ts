/** The HTTP edge: Elysia routes, one error table, one access gate. The only importer of Elysia. */
import { openapi } from "@elysia/openapi";
import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { stopwatch } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { randomToken } from "../base/hash.ts";
import { DRAIN_MAX_MS, REQUEST_ID_MAX_CHARS, REQUESTS_IN_FLIGHT_MAX, RETRY_AFTER_SECONDS } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import type { Health, Service } from "../core/service.ts";
import type { Directory } from "../store/directory.ts";
import { type Admitted, createGate, matchRoute, rawPath, type RouteAccess, type RouteName, ROUTES } from "./gate.ts";
import { createHandlers, type Reply } from "./routes.ts";
import { ErrorBody } from "./schemas.ts";

export interface HttpOptions {
  service: Service;
  directory: Directory;
  health: () => Health;
  version: string;
  /** False on a listener that others can reach. */
  trustSeeded: boolean;
  /** True when clients reach the service over TLS: the session cookie is then `Secure`. */
  secureCookies: boolean;
  log: Log;
}

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_MAX_CHARS}}$`);
const REQUEST_ID_BYTES = 12;

function requestId(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : randomToken(REQUEST_ID_BYTES);
}

/** The response of a fault: exactly `error`, `detail`, `status`. What is no Fault of ours shows nothing of itself. */
function faultResponse(error: unknown, id: string): Response {
  const fault = error instanceof Fault ? error : new Fault("internal_error", `an internal error; the log has it under request id ${id}`);
  const headers: Record<string, string> = {};
  if (fault.kind === "unauthorized") headers["www-authenticate"] = 'Bearer realm="strata"';
  if (fault.kind === "rate_limited" || fault.kind === "unavailable") headers["retry-after"] = String(RETRY_AFTER_SECONDS);
  return Response.json({ error: fault.kind, detail: fault.message, status: fault.status }, { status: fault.status, headers });
}

function dress(response: Response, id: string): Response {
  response.headers.set("x-request-id", id);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("cache-control", "no-store");
  return response;
}

/** The OpenAPI entry of a route. Bodies are checked by the handlers, after the gate. */
function documentation(spec: RouteAccess, summary: string, body: TSchema | undefined) {
  return {
    summary,
    ...(spec.auth === "public" ? { security: [] } : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
  };
}

/** Builds the application without listening: tests call `app.handle(request)`. */
export function createHttp(options: HttpOptions) {
  const admit = createGate(options);
  const handlers = createHandlers(options);
  const admitted = new WeakMap<Request, Admitted>();
  const failures = new WeakMap<Request, unknown>();
  let inFlight = 0;

  // A response that does not fit its schema arrives here too: a bug of ours, and answered as one.
  // A host of up to three characters (`Host: api`) is no standard host name to Elysia, which then cuts the path short.
  const app = new Elysia({ strictPath: true, normalize: true, handler: { standardHostname: false } }).onError(({ error, request }) => {
    failures.set(request, error);
    return new Response();
  });
  app.use(
    openapi({
      // The document only: a page would load its script from another host, and the appliance has none.
      provider: null,
      specPath: ROUTES.openapi.path,
      documentation: {
        info: { title: "Strata", version: options.version },
        components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
        security: [{ token: [] }],
      },
    }),
  );
  for (const [name, handler] of Object.entries(handlers)) {
    const spec: RouteAccess = ROUTES[name as RouteName];
    app.route(
      spec.method,
      spec.path,
      async ({ request, set }) => {
        const reply: Reply = await handler.run(admitted.get(request) as Admitted, request);
        Object.assign(set.headers, reply.headers);
        return reply.body as never;
      },
      {
        parse: "none",
        response: { 200: handler.response, default: ErrorBody },
        detail: documentation(spec, handler.summary, handler.body),
      } as never,
    );
  }

  async function work(request: Request): Promise<Response> {
    const admission = await admit(request);
    admitted.set(request, admission);
    const response = await app.fetch(request);
    if (!failures.has(request)) return response;
    const failure = failures.get(request);
    await recordDenial(admission, failure);
    throw failure;
  }

  async function recordDenial({ caller, route, scope }: Admitted, failure: unknown): Promise<void> {
    const { action } = ROUTES[route];
    const denial = failure instanceof Fault && (failure.kind === "forbidden" || failure.status === 402);
    if (denial && caller !== null && action !== null) await options.service.denied(caller, action, scope, failure);
  }

  /** Answers one request; never rejects. */
  async function handle(request: Request): Promise<Response> {
    const id = requestId(request);
    const time = stopwatch();
    inFlight += 1;
    try {
      if (inFlight > REQUESTS_IN_FLIGHT_MAX) throw new Fault("rate_limited", "too many requests at once; try again in a moment");
      return dress(await work(request), id);
    } catch (error) {
      const response = faultResponse(error, id);
      if (response.status >= 500) options.log.error("request failed", { id, route: routeLabel(request), error });
      return dress(response, id);
    } finally {
      inFlight -= 1;
      options.log.debug("request", { id, route: routeLabel(request), ms: time() });
    }
  }

  /** What is registered, as `METHOD path`: the tests compare it with the access table. */
  const routes = () => app.routes.map(({ method, path }) => `${method} ${path}`);
  return { handle, inFlight: () => inFlight, routes };
}

function routeLabel(request: Request): string {
  const matched = matchRoute(request.method, rawPath(request.url));
  return matched === null ? "unknown" : `${request.method} ${ROUTES[matched.route].path}`;
}

export type Http = ReturnType<typeof createHttp>;

export interface Listener {
  host: string;
  port: number;
  /** Takes no new request, lets running ones finish (DRAIN_MAX_MS at most), then closes. */
  stop(): Promise<void>;
}

/** Listens on an address. Port 0 picks a free one. */
export function listen(http: Http, address: { hostname: string; port: number }): Listener {
  const server = Bun.serve({
    ...address,
    // An ingest of long texts is quiet for longer than the default of 10 s.
    idleTimeout: 0,
    // Above our own limit, so that ours answers with an error body.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request) => http.handle(request),
  });
  return {
    host: address.hostname,
    port: server.port ?? address.port,
    async stop() {
      void server.stop(false);
      const deadline = Date.now() + DRAIN_MAX_MS;
      while (http.inFlight() > 0 && Date.now() < deadline) await Bun.sleep(10);
      await server.stop(true);
    },
  };
}

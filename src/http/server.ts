/** The HTTP edge as an Elysia application. The only importer of Elysia. */
import { Elysia } from "elysia";
import { stopwatch } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { randomToken } from "../base/hash.ts";
import { REQUEST_ID_MAX_CHARS } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import type { Services } from "../core/services.ts";
import { consoleRoutes } from "./console.ts";
import { DOCS } from "./docs.ts";
import { answerMcpRequest, MCP_METHODS, MCP_PATH, type McpHandler } from "./mcp-route.ts";
import { openApiDocument } from "./openapi.ts";
import { answerRequest, type PathMembers, refuseForeignOrigin } from "./pipeline.ts";
import { problem, problemBody } from "./problem.ts";
import { createRoom, WORK_LIMITS, type WorkLimits } from "./room.ts";
import { type Route, ROUTES } from "./routes.ts";
import { answersTo, type HostNames } from "./site.ts";
import { serveSite } from "./static.ts";

export interface HttpOptions {
  services: Services;
  /** False on a listener that others can reach: published tokens and the open seed are refused there. */
  trustSeeded: boolean;
  /** The names that requests may call the listener by. */
  hosts: HostNames;
  /** True when clients reach the service over TLS. */
  secureCookies: boolean;
  log: Log;
  mcp: McpHandler;
  /** Those of the service, unless a test needs smaller ones. */
  limits?: Partial<WorkLimits>;
}

/** What Elysia keeps of a request, as far as it is used here. */
interface Exchange {
  request: Request;
  set: { headers: Record<string, string>; status?: number | string };
  /** Path of the route that matched. */
  route?: string;
}

const UNKNOWN_ROUTE = "no such route";
const OPENAPI_PATH = "/v1/openapi.json";
/** Methods that change nothing on any route, known or not. */
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];
const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_MAX_CHARS}}$`);
const REQUEST_ID_BYTES = 12;
/** Of every body but those of files, whose responses name their own. */
const JSON_TYPE = "application/json;charset=utf-8";
const ID_HEADER = "x-request-id";

function requestId(request: Request): string {
  const given = request.headers.get(ID_HEADER);
  return given !== null && REQUEST_ID.test(given) ? given : randomToken(REQUEST_ID_BYTES);
}

/** Builds the service's edge without listening: tests call `handle(request)`. */
export function createHttp(options: HttpOptions) {
  const { hosts, secureCookies, log, mcp } = options;
  const services = { ...options.services, trustSeeded: options.trustSeeded };
  const pipeline = { services, secureCookies, room: createRoom({ ...WORK_LIMITS, ...options.limits }) };
  // A host of up to three characters (`Host: api`) is no standard host name to Elysia, which then cuts the path short.
  const app = new Elysia({ strictPath: true, normalize: true, handler: { standardHostname: false } });
  /** How long a request has taken, in milliseconds. */
  const times = new WeakMap<Request, () => number>();
  // Hooks and handlers name what they take: where one takes the exchange whole, Elysia parses cookies, query and headers for it.
  app.onRequest(({ request, set }) => {
    times.set(request, stopwatch());
    set.headers = { "content-type": JSON_TYPE, [ID_HEADER]: requestId(request), "x-content-type-options": "nosniff", "cache-control": "no-store" };
    if (!answersTo(hosts, request.headers.get("host"))) {
      throw new Fault("bad_request", "the Host header names no address of this service; --allowed-host adds the names it is reached by");
    }
    // Elysia would answer it as a GET without its body; a method that no route has is an unknown route.
    if (request.method === "HEAD") throw new Fault("not_found", UNKNOWN_ROUTE);
  });
  // A response that does not fit its schema arrives here too: a bug of ours, and answered as one.
  app.onError(({ error, code, request, set, route }) => {
    const failure = code === "NOT_FOUND" ? unknownRoute(request, secureCookies) : error;
    const id = String(set.headers[ID_HEADER]);
    const response = problem(failure, id);
    report(log, failure, response.status, { id, route: labelOf(request, route) }, request);
    return response;
  });
  for (const route of Object.values(ROUTES) as Route[])
    register(app as never, route, async ({ request, set }) => {
      const reply = await answerRequest(pipeline, route, request, pathMembers(route, request.url), {
        bodyOf: bodiesFor(log, { request, set }, route.path),
        began: (sent) => underWay.hold(() => sent),
      });
      if (reply instanceof Response) return reply;
      Object.assign(set.headers, reply.headers);
      if (reply.status !== undefined) set.status = reply.status;
      return reply.body;
    });
  for (const method of MCP_METHODS) {
    const answer = ({ request, set }: Exchange) => answerMcpRequest(pipeline, mcp, request, bodiesFor(log, { request, set }, MCP_PATH));
    app.route(method, MCP_PATH, answer as never, { parse: "none" });
  }
  let document: object | undefined;
  app.get(OPENAPI_PATH, () => {
    document ??= openApiDocument(Object.values(ROUTES), services.version);
    return document;
  });
  const pages = { ...serveSite(DOCS), ...consoleRoutes(services) };
  for (const [path, serve] of Object.entries(pages)) app.get(path, ({ request }) => serve(request));
  app.onAfterResponse(({ request, set, route }) => {
    log.debug("request", { id: String(set.headers[ID_HEADER]), route: labelOf(request, route), ms: times.get(request)?.() });
  });
  const underWay = new UnderWay();
  /** Answers one request; never rejects. */
  const handle = (request: Request): Promise<Response> => underWay.hold(async () => app.fetch(request));

  return { handle, inFlight: () => underWay.count, routes: () => app.routes.map(({ method, path }) => `${method} ${path}`) };
}

export type Http = ReturnType<typeof createHttp>;

/** Requests that are answered, and event streams that are not read to their end. */
class UnderWay {
  count = 0;

  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.count += 1;
    try {
      return await work();
    } finally {
      this.count -= 1;
    }
  }
}

/** Makes the bodies of failures that come when the status of the response is chosen already. */
function bodiesFor(log: Log, { request, set }: Exchange, path: string) {
  return (failure: unknown) => {
    const id = String(set.headers[ID_HEADER]);
    const body = problemBody(failure, id);
    report(log, failure, body.status, { id, route: labelOf(request, path) }, request);
    return body;
  };
}

/** The handler gets the request with its body unread; Elysia matches, and holds what comes back to its schema. */
function register(app: { route(...route: unknown[]): void }, route: Route, handle: (exchange: Exchange) => Promise<unknown>): void {
  const { output } = route.operation;
  const response = output === null ? {} : { response: Object.fromEntries([200, ...(route.also ?? [])].map((status) => [status, output])) };
  app.route(route.method, route.path, handle, { parse: "none", ...response });
}

/**
 * The members that stand in the path, decoded; what does not decode stays as it was sent, since no id has a "%". Elysia has
 * matched it, but gives null for such a value and leaves the rest of a path as it is. Errors: `not_found` for an empty one.
 */
function pathMembers({ path }: Route, url: string): PathMembers {
  const pattern = path.split("/");
  const sent = (url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split("?")[0] ?? "").split("/");
  const members = pattern.flatMap((part, at): [string, string][] => {
    if (part === "*") return [["path", sent.slice(at).join("/")]];
    return part.startsWith(":") ? [[part.slice(1), sent[at] ?? ""]] : [];
  });
  if (members.some(([, value]) => value === "")) throw new Fault("not_found", UNKNOWN_ROUTE);
  return Object.fromEntries(members.map(([name, value]) => [name, decoded(value)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unknownRoute(request: Request, tls: boolean): unknown {
  try {
    if (!SAFE_METHODS.includes(request.method)) refuseForeignOrigin(request, tls);
    return new Fault("not_found", UNKNOWN_ROUTE);
  } catch (fault) {
    return fault;
  }
}

function labelOf(request: Request, route: string | undefined): string {
  return route ? `${request.method} ${route}` : "unknown";
}

/** A bug is logged with its stack; what the service says it cannot do now, with the reason alone; who has hung up, not at all. */
function report(log: Log, error: unknown, status: number, fields: { id: string; route: string }, request: Request): void {
  if (request.signal.aborted) return;
  if (!(error instanceof Fault)) log.error("request failed", { ...fields, error });
  else if (status >= 500) log.warn(error.message, { ...fields, cause: error.cause instanceof Error ? error.cause.message : undefined });
}

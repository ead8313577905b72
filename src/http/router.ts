/** The routes as an Elysia application. The only importer of Elysia. */
import { toOpenAPISchema } from "@elysia/openapi/openapi";
import { Elysia } from "elysia";
import { type Admitted, type RouteAccess, type RouteName, ROUTES } from "./gate.ts";
import { parametersOf, templateOf } from "./parameters.ts";
import type { Handler, Handlers, Reply } from "./routes.ts";
import { ErrorBody } from "./schemas.ts";
import type { Work } from "./work.ts";

const OPENAPI = "3.1.0";

export interface Router {
  /** Runs the handler of an admitted request. Errors: whatever the handler throws. */
  dispatch(request: Request, admission: Admitted): Promise<Response>;
  /** What is registered, as `METHOD path`: the tests compare it with the access table. */
  routes(): string[];
}

/** The OpenAPI entry of a route. Bodies are checked by the handlers, after the gate. */
function documentation(spec: RouteAccess, { summary, body, takes }: Handler) {
  return {
    summary,
    ...(spec.auth === "public" ? { security: [] } : {}),
    ...(body ? { requestBody: { required: true, content: { [takes ?? "application/json"]: { schema: body } } } } : {}),
  };
}

/** The document alone: a page would load its script from another host, and the appliance has none. */
function openApiDocument(app: Elysia, handlers: Handlers, version: string) {
  const { paths, components } = toOpenAPISchema(app, undefined, undefined, undefined, OPENAPI);
  // Elysia knows the schemas; the paths and parameters, which it does not check, are those of our tables.
  const operations: Record<string, Record<string, unknown>> = {};
  for (const [name, handler] of Object.entries(handlers) as [RouteName, Handler][]) {
    const spec: RouteAccess = ROUTES[name];
    const template = templateOf(spec);
    const method = spec.method.toLowerCase();
    const described = (paths[spec.path.replace(":id", "{id}")] as Record<string, object>)[method];
    operations[template] = {
      ...operations[template],
      [method]: { ...described, operationId: name, parameters: parametersOf(spec, handler.parameters) },
    };
  }
  return {
    openapi: OPENAPI,
    info: { title: "Strata", description: "Multimodal retrieval with access control and an audit chain", version },
    paths: operations,
    components: { ...components, securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
  };
}

/** `work`: runs a handler for an admitted request. */
export function createRouter(handlers: Handlers, version: string, work: Work): Router {
  const admissions = new WeakMap<Request, Admitted>();
  const failures = new WeakMap<Request, unknown>();
  // Bytes are no JSON: what a handler makes itself goes out as it is.
  const responses = new WeakMap<Request, Response>();
  // A host of up to three characters (`Host: api`) is no standard host name to Elysia, which then cuts the path short.
  const app = new Elysia({ strictPath: true, normalize: true, handler: { standardHostname: false } });
  // A response that does not fit its schema arrives here too: a bug of ours, and answered as one.
  app.onError(({ error, request }) => {
    failures.set(request, error);
    return new Response();
  });
  for (const [name, handler] of Object.entries(handlers) as [RouteName, Handler][]) {
    const spec: RouteAccess = ROUTES[name];
    const hooks = {
      parse: "none",
      response: {
        ...(handler.response === null ? {} : { 200: handler.response }),
        ...(handler.also ? { [handler.also.status]: handler.also.response } : {}),
        default: ErrorBody,
      },
      detail: documentation(spec, handler),
    };
    const run = async ({ request, set }: { request: Request; set: { headers: object; status?: number } }) => {
      const reply: Reply = await work(handler, admissions.get(request) as Admitted, request);
      if (reply instanceof Response) {
        responses.set(request, reply);
        return {};
      }
      Object.assign(set.headers, reply.headers);
      if (reply.status !== undefined) set.status = reply.status;
      return reply.body;
    };
    app.route(spec.method, spec.path, run as never, hooks as never);
  }
  const document = openApiDocument(app as never, handlers, version);
  app.route(ROUTES.openapi.method, ROUTES.openapi.path, () => document);
  return {
    async dispatch(request, admission) {
      admissions.set(request, admission);
      const response = await app.fetch(request);
      const made = responses.get(request);
      if (made !== undefined) return made;
      if (failures.has(request)) throw failures.get(request);
      return response;
    },
    routes: () => app.routes.map(({ method, path }) => `${method} ${path}`),
  };
}

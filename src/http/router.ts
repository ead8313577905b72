/** The routes as an Elysia application. The only importer of Elysia. */
import { openapi } from "@elysia/openapi";
import { Elysia } from "elysia";
import { type Admitted, type RouteAccess, type RouteName, ROUTES } from "./gate.ts";
import type { Handler, Handlers, Reply } from "./routes.ts";
import { ErrorBody } from "./schemas.ts";

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

function openApiDocument(version: string) {
  return openapi({
    // The document only: a page would load its script from another host, and the appliance has none.
    provider: null,
    specPath: ROUTES.openapi.path,
    documentation: {
      info: { title: "Strata", description: "Multimodal retrieval with access control and an audit chain", version },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
  });
}

export function createRouter(handlers: Handlers, version: string): Router {
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
  app.use(openApiDocument(version));
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
      const reply: Reply = await handler.run(admissions.get(request) as Admitted, request);
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

/** The routes as an Elysia application. The only importer of Elysia. */
import { openapi } from "@elysia/openapi";
import type { TSchema } from "@sinclair/typebox";
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
function documentation(spec: RouteAccess, summary: string, body: TSchema | undefined) {
  return {
    summary,
    ...(spec.auth === "public" ? { security: [] } : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
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
      response: { 200: handler.response, default: ErrorBody },
      detail: documentation(spec, handler.summary, handler.body),
    };
    const run = async ({ request, set }: { request: Request; set: { headers: object } }) => {
      const reply: Reply = await handler.run(admissions.get(request) as Admitted, request);
      Object.assign(set.headers, reply.headers);
      return reply.body;
    };
    app.route(spec.method, spec.path, run as never, hooks as never);
  }
  return {
    async dispatch(request, admission) {
      admissions.set(request, admission);
      const response = await app.fetch(request);
      if (failures.has(request)) throw failures.get(request);
      return response;
    },
    routes: () => app.routes.map(({ method, path }) => `${method} ${path}`),
  };
}

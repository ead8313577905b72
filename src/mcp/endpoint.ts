/** MCP over HTTP (streamable HTTP) without sessions: every request brings its caller, and is answered with one JSON body. */
import { createMcpHandler, isLegacyRequest, type McpRequestContext, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { perform } from "../core/perform.ts";
import type { Services } from "../core/services.ts";
import type { Caller } from "../domain/principal.ts";
import { type Door, toolServer } from "./server.ts";

export interface McpExchange {
  services: Services;
  caller: Caller;
  /** The scope that the request names; null: none. */
  scope: string | null;
  /** The JSON value of its body. */
  body: unknown;
  /** The usual error body of a failure. */
  bodyOf(failure: unknown): unknown;
}

const INVALID_REQUEST = -32_600;

/** Clients that name the protocol's revision in every message (2026-07-28 and later). */
const modern = createMcpHandler(({ authInfo }: McpRequestContext) => toolServer(authInfo?.extra?.door as Door), { legacy: "reject" });

/** Answers a POST. Never rejects: what is wrong with a message is a JSON-RPC error, what an operation refuses a result of the tool. */
export async function answerMcp(request: Request, exchange: McpExchange): Promise<Response> {
  const { body, caller } = exchange;
  if (Array.isArray(body)) return refusal("send one message a request: batches are not taken");
  const door = doorOf(exchange);
  if (await isLegacyRequest(request, body)) return answerHandshake(request, body, door);
  const authInfo = { token: "", clientId: caller.principal.principal_id, scopes: [], extra: { door } };
  return modern.fetch(request, { parsedBody: body, authInfo });
}

/** Clients that begin with `initialize`: nothing of it is kept, since every request is authenticated anew. */
async function answerHandshake(request: Request, parsedBody: unknown, door: Door): Promise<Response> {
  const server = toolServer(door);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

function refusal(message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } }, { status: 400 });
}

function doorOf({ services, caller, scope, bodyOf }: McpExchange): Door {
  return {
    version: services.version,
    scope,
    bodyOf,
    call: ({ operation, input, scope: named, signal }) =>
      perform(operation, services, {
        caller: { ...caller, signal: caller.signal === undefined ? signal : AbortSignal.any([caller.signal, signal]) },
        scope: scope ?? named,
        target: typeof input.id === "string" ? input.id : null,
        read: async () => ({ input, form: "json", idempotencyKey: null, file: null }),
        // The request holds a place for all that it asks.
        hold: (work) => work(),
      }),
  };
}

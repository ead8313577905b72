/** The route of MCP: what a request goes through before its message is read. The protocol itself is given by the composition root. */
import { Fault } from "../base/fault.ts";
import { MCP_MESSAGE_MAX_BYTES } from "../base/limits.ts";
import type { Services } from "../core/services.ts";
import type { Caller } from "../domain/principal.ts";
import { authenticate } from "./authenticate.ts";
import { readJson } from "./body.ts";
import { type PipelineOptions, refuseForeignOrigin, scopeOf } from "./pipeline.ts";

export const MCP_PATH = "/v1/mcp";
/** GET and DELETE belong to sessions, of which there are none: clients that ask expect to be told so with 405. */
export const MCP_METHODS = ["POST", "GET", "DELETE"] as const;

/** Answers the message of a caller. */
export type McpHandler = (
  request: Request,
  exchange: { services: Services; caller: Caller; scope: string | null; body: unknown; bodyOf(failure: unknown): unknown },
) => Promise<Response>;

/** Errors: `bad_request`, `unauthorized`, `forbidden`, `method_not_allowed`, `payload_too_large`, `rate_limited`. */
export async function answerMcpRequest(
  { services, secureCookies, room }: PipelineOptions,
  handler: McpHandler,
  request: Request,
  bodyOf: (failure: unknown) => unknown,
): Promise<Response> {
  refuseForeignOrigin(request, secureCookies);
  // The cookie of the console is not looked at: an assistant has a token of its own.
  if (!request.headers.has("authorization")) throw new Fault("unauthorized", "send a token in the Authorization header");
  const caller = await authenticate(services, request);
  if (request.method !== "POST") throw new Fault("method_not_allowed", "there are no sessions here: send every message with POST");
  const { namespace } = caller.namespace;
  const body = await readJson(request, room.counted(namespace, room.arriving(request)), MCP_MESSAGE_MAX_BYTES);
  if (body === undefined) throw new Fault("bad_request", "a JSON body is required");
  return room.requests.hold(namespace, () => handler(request, { services, caller, scope: scopeOf(request), body, bodyOf }));
}

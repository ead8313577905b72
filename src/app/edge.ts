/** The HTTP edge with all that it serves. */
import { createHttp, type Http, type HttpOptions } from "../http/server.ts";

export function createEdge(options: Omit<HttpOptions, "mcp">): Http {
  // The protocol's library is loaded when somebody first speaks it.
  return createHttp({ ...options, mcp: async (...asked) => (await import("../mcp/endpoint.ts")).answerMcp(...asked) });
}

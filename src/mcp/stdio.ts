/** MCP over standard input and output: one caller for as long as the client keeps the input open. */
import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { Fault } from "../base/fault.ts";
import { MCP_CALLS_IN_WORK_MAX, MCP_MESSAGE_MAX_BYTES } from "../base/limits.ts";
import { type Door, toolServer } from "./server.ts";

export interface StdioConnection {
  /** Resolves when the client has closed the input, or sent more than a message may have. */
  ended: Promise<void>;
  close(): Promise<void>;
}

export function serveTools(door: Door, input: Readable, output: Writable): StdioConnection {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MCP_MESSAGE_MAX_BYTES });
  const guarded = bounded(door);
  const connection = serveStdio(() => toolServer(guarded), { transport });
  const ended = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    ended.resolve();
  };
  return { ended: ended.promise, close: () => connection.close() };
}

/** Refuses calls beyond those that may be in work at once. */
function bounded(door: Door): Door {
  let working = 0;
  return {
    ...door,
    async call(request) {
      if (working >= MCP_CALLS_IN_WORK_MAX) throw new Fault("rate_limited", "too many tools are called at once; try again in a moment");
      working += 1;
      try {
        return await door.call(request);
      } finally {
        working -= 1;
      }
    },
  };
}

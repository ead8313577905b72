/** Opens what a command works on: a running server, or the service on a data directory. */
import { type HoldingServer, holdingServer } from "../app/server-file.ts";
import { HeldError } from "../base/fault.ts";
import { DEMO_READER } from "../core/demo/principals.ts";
import type { Backend, BackendOptions } from "./backend.ts";
import { Client } from "./client.ts";
import type { Context } from "./command.ts";
import type { Target } from "./flags.ts";

async function openBackend(context: Context, target: Target, options: BackendOptions): Promise<Backend> {
  if (target.kind === "server") return new Client({ ...target, namespace: options.namespace });
  // Loads the engines, which a server's client never needs.
  const { openDirect } = await import("./direct.ts");
  try {
    return await openDirect(context, target.path, options);
  } catch (error) {
    const server = error instanceof HeldError && options.demoReader ? holdingServer(target.path) : null;
    if (server === null || !isForReader(server, options)) throw error;
    context.io.stderr.write(
      `asking ${server.url}, which serves the demo, as ${DEMO_READER.principal_id}; --url and --token-file ask as somebody else\n`,
    );
    return new Client({ url: server.url, token: DEMO_READER.token, namespace: DEMO_READER.namespace });
  }
}

/** Nothing but the published token is ever sent to a server that the operator has not named. */
function isForReader({ demo }: HoldingServer, { namespace, as = null }: BackendOptions): boolean {
  return demo && namespace === DEMO_READER.namespace && (as === null || as === DEMO_READER.principal_id);
}

/** Opens, works and closes, whatever the work does. Errors: StartError, Fault. */
export async function withBackend<T>(context: Context, target: Target, options: BackendOptions, work: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await openBackend(context, target, options);
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}

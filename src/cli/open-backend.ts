/** Opens what a command works on: a running server, or the service on a data directory. */
import type { Backend, BackendOptions } from "./backend.ts";
import { Client } from "./client.ts";
import type { Context } from "./command.ts";
import type { Target } from "./flags.ts";

async function openBackend(context: Context, target: Target, options: BackendOptions): Promise<Backend> {
  if (target.kind === "server") return new Client({ ...target, namespace: options.namespace });
  // Loads the engines, which a server's client never needs.
  const { openDirect } = await import("./direct.ts");
  return openDirect(context, target.path, options);
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

/**
 * What search, answer, ingest and seed work on: a server, or the service opened on a data directory. Both take
 * what a route takes and give what it answers, so a command does not care which one it has.
 */
import type { RouteName } from "../http/gate.ts";
import { Client } from "./client.ts";
import type { Context } from "./command.ts";
import type { Target } from "./flags.ts";

export type BackendRoute = Extract<
  RouteName,
  "search" | "answer" | "ingest" | "seed" | "verify" | "putFile" | "job" | "context" | "createToken" | "tokens" | "revokeToken"
>;

export interface BackendRequest {
  body?: unknown;
  scope?: string | null;
  idempotencyKey?: string;
  /** For the `:id` of the path. */
  id?: string;
  parameters?: URLSearchParams;
  /** Path of a file that is the body. */
  file?: string;
}

export interface Backend {
  /** The body that the route answers with. Errors: Fault as the route's, StartError when it cannot be reached. */
  call(route: BackendRoute, request: BackendRequest): Promise<unknown>;
  /** Lets go of everything; what was answered is durable before. */
  close(): Promise<void>;
}

export interface BackendOptions {
  /** Null: for a server, the one that the token belongs to; for a data directory, none, which is enough to seed. */
  namespace: string | null;
  /** Principal of the namespace to act as; null: the operator. Not for a server, where the token says who. */
  as?: string | null;
  /** Makes the data directory when there is none. */
  create?: boolean;
}

/** Errors: StartError, Fault. */
export async function openBackend(context: Context, target: Target, options: BackendOptions): Promise<Backend> {
  if (target.kind === "server") return new Client({ ...target, namespace: options.namespace });
  // Loads the engines, which a server's client never needs.
  const { openDirect } = await import("./direct.ts");
  return openDirect(context, target.path, options);
}

/** Opens, works and closes, whatever the work does. */
export async function withBackend<T>(context: Context, target: Target, options: BackendOptions, work: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await openBackend(context, target, options);
  try {
    return await work(backend);
  } finally {
    await backend.close();
  }
}

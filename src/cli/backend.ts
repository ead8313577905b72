/**
 * What commands work on: a server, or the service opened on a data directory. Both take an operation by its name, and what
 * it takes, and give its result, so a command does not care which one it has.
 */
import type { Line } from "../base/lines.ts";
import type { RouteName } from "../http/routes.ts";

/** The operations that commands use. */
export type BackendOperation = Extract<
  RouteName,
  | "search"
  | "answer"
  | "ingest"
  | "seed"
  | "verify"
  | "putFile"
  | "job"
  | "reread"
  | "context"
  | "createToken"
  | "tokens"
  | "revokeToken"
  | "unit"
  | "scopes"
  | "similar"
>;

export interface BackendRequest {
  /** The operation's members. */
  input?: Record<string, unknown>;
  /** Of `ingest`, in place of `input`: Units as JSON, one a line. Each is judged alone, and the result has a status for each, as `ingestLines`. */
  lines?: readonly Line[];
  scope?: string | null;
  idempotencyKey?: string;
  file?: LocalFile;
  /** Ends the work when it aborts. */
  signal?: AbortSignal;
}

/** A file to send. */
export interface LocalFile {
  path: string;
  name: string;
  acl_groups: readonly string[];
}

export interface Backend {
  /** Its result. Errors: the Faults of the operation, StartError when it cannot be reached. */
  call(operation: BackendOperation, request: BackendRequest): Promise<unknown>;
  /** Lets go of everything; what was answered is durable before. */
  close(): Promise<void>;
}

export interface BackendOptions {
  /** Null: for a server, the one that the token belongs to; for a data directory, none, which is enough to seed. */
  namespace: string | null;
  /** Principal of the namespace to act as; null: the operator. Not for a server, where the token says who. */
  as?: string | null;
  /** Token of the data directory whose principal to act as. For a server it is part of the target. */
  token?: string;
  /** Makes the data directory when there is none. */
  create?: boolean;
  /** True for a command that only reads: a server with the demo that holds the data directory is asked as the demo's reader. */
  demoReader?: boolean;
}

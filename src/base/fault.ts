/**
 * The one error type below HTTP. `detail` is public and written for a person; `cause` is private
 * and reaches the log only. The table of statuses serves the server, the CLI and the client alike.
 */
export const FAULT_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  upgrade_required: 402,
  quota_exceeded: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type FaultKind = keyof typeof FAULT_STATUS;

/**
 * Whether repeating the same work may succeed: always, when the machine lacked something; a few times, when the input is
 * suspected; never.
 */
export type Retry = "always" | "few" | "never";

export class Fault extends Error {
  readonly kind: FaultKind;
  /** By default `always` for `unavailable` and `never` for all else. */
  readonly retry: Retry;
  /** JSON pointer of the offending field, when one is to blame. */
  readonly pointer: string | undefined;

  constructor(kind: FaultKind, detail: string, options: { pointer?: string; cause?: unknown; retry?: Retry } = {}) {
    super(options.pointer === undefined ? detail : `${options.pointer}: ${detail}`, { cause: options.cause });
    this.name = "Fault";
    this.kind = kind;
    this.retry = options.retry ?? (kind === "unavailable" ? "always" : "never");
    this.pointer = options.pointer;
  }

  get status(): number {
    return FAULT_STATUS[this.kind];
  }
}

/**
 * The files of an index are damaged: it may be deleted and built again. Any other reason why an index does not open (no
 * descriptor, memory or permission, a dead Worker) is a plain Fault `unavailable`, and the index must not be deleted.
 */
export class DamageFault extends Fault {
  constructor(detail: string, cause: unknown) {
    super("unavailable", detail, { cause });
  }
}

/** A 400 that names the field at `pointer` (RFC 6901). */
export function badField(pointer: string, detail: string): Fault {
  return new Fault("bad_request", detail, { pointer });
}

/** Throws an Error when `condition` is false, which only a bug of this program can cause. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/**
 * The program cannot start, or a command cannot work: printed as one line for the operator, exit status 1. Never sent over
 * HTTP.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}

/** A file is gone that what lies beside it needs: damage, and nothing to be made anew. */
export class LostError extends StartError {
  override readonly name = "LostError";
}

/** Another process, usually a server, has locked the data directory. */
export class HeldError extends StartError {
  override readonly name = "HeldError";
}

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
  conflict: 409,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type FaultKind = keyof typeof FAULT_STATUS;

/**
 * Whether the same work may go well another time: always, since the machine was short of something; a few times, since
 * what was worked on is suspected; never.
 */
export type Retry = "always" | "few" | "never";

export class Fault extends Error {
  readonly kind: FaultKind;
  /** `always` for `unavailable` and `never` for all else, unless it is said otherwise. */
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
 * What an index holds is not what was written: it may be deleted and built again. Whatever else keeps an index from
 * opening (no descriptor, memory or permission, a dead Worker) is another Fault, and leaves it alone.
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

/** Stops the program where only a bug of ours can lead. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/**
 * What keeps the program from starting or a command from working: one clear line for the operator,
 * exit status 1. Never sent over HTTP.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}

/** The data directory is held by another process: a server, as a rule. */
export class HeldError extends StartError {
  override readonly name = "HeldError";
}

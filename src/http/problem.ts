/** What is answered when a request fails: the one table of errors. */
import { Fault, type FaultKind } from "../base/fault.ts";
import { RETRY_AFTER_SECONDS } from "../base/limits.ts";
import { machineFault } from "../base/machine.ts";
import { TooSlow } from "./arrival.ts";

/** What is no Fault of ours shows nothing of itself; what the machine lacks may pass. */
function publicFault(error: unknown, id: string): Fault {
  if (error instanceof Fault) return error;
  const lack = machineFault(error);
  if (lack !== null) return new Fault("unavailable", `the service cannot do this now: ${lack}; try again in a moment`);
  return new Fault("internal_error", `an internal error; the log has it under request id ${id}`);
}

/** The body of a failure: exactly `error`, `detail`, `status`. */
export function problemBody(error: unknown, id: string): { error: FaultKind; detail: string; status: number } {
  const { kind, message, status } = publicFault(error, id);
  return { error: kind, detail: message, status };
}

/** The response of a failure. */
export function problem(error: unknown, id: string): Response {
  const fault = publicFault(error, id);
  const headers: Record<string, string> = {};
  if (fault.kind === "unauthorized") headers["www-authenticate"] = 'Bearer realm="strata"';
  if (fault.kind === "rate_limited" || fault.kind === "unavailable") headers["retry-after"] = String(RETRY_AFTER_SECONDS);
  if (fault.kind === "method_not_allowed") headers.allow = "POST";
  if (fault instanceof TooSlow) headers.connection = "close";
  return Response.json(problemBody(fault, id), { status: fault.status, headers });
}

/** Sends a file. XMLHttpRequest, since fetch does not say how much of a body has left. */
import { type ApiError, faultFrom, sameSession, target, unreachable, withQuery } from "../api.ts";
import type { Accepted } from "../operations.ts";

export interface Sending {
  file: File;
  /** Relative to the folder that it was taken from. */
  name: string;
  /** That may read it besides its owner. */
  groups: readonly string[];
  scope: string | null;
  /** Bytes that have left. */
  onProgress(sent: number): void;
}

/** Why a file was not taken. `retryAfterMs`: the service asks to send it again then; null: it does not. */
export interface Refusal {
  fault: ApiError;
  retryAfterMs: number | null;
}

export type Sent = { accepted: Accepted } | { refusal: Refusal } | "aborted";

/** Statuses that say "later". */
const LATER = [429, 503];
const LATER_MS = 5000;

export async function send({ file, name, groups, scope, onProgress }: Sending, signal: AbortSignal): Promise<Sent> {
  try {
    await sameSession();
  } catch (error) {
    return { refusal: { fault: error as ApiError, retryAfterMs: null } };
  }
  if (signal.aborted) return "aborted";
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const request = new XMLHttpRequest();
  const given = groups.length === 0 ? {} : { acl_groups: JSON.stringify(groups) };
  request.open("POST", withQuery("/v1/files", { name, ...given }));
  request.setRequestHeader("content-type", "application/octet-stream");
  if (scope !== null) request.setRequestHeader("x-svc-scope", scope);
  if (target.namespace !== null) request.setRequestHeader("x-svc-namespace", target.namespace);
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.onload = () => resolve(outcomeOf(request));
  request.onerror = () => resolve({ refusal: { fault: unreachable(), retryAfterMs: null } });
  request.onabort = () => resolve("aborted");
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(file);
  return promise;
}

function outcomeOf(request: XMLHttpRequest): Sent {
  const { status, responseText } = request;
  if (status >= 200 && status < 300) return { accepted: JSON.parse(responseText) as Accepted };
  const seconds = Number(request.getResponseHeader("retry-after"));
  const retryAfterMs = LATER.includes(status) ? (seconds > 0 ? seconds * 1000 : LATER_MS) : null;
  return { refusal: { fault: faultFrom(status, responseText, request.getResponseHeader("x-request-id")), retryAfterMs } };
}

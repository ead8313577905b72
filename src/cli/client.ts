/** A running server over HTTP. Its error bodies become the Faults that it answered with. */
import { FAULT_STATUS, Fault, type FaultKind, StartError } from "../base/fault.ts";
import { REQUEST_MAX_MS, RETRIES_MAX, RETRY_AFTER_MAX_MS } from "../base/limits.ts";
import { type Route, ROUTES } from "../http/routes.ts";
import type { Backend, BackendOperation, BackendRequest } from "./backend.ts";

export interface ClientOptions {
  url: string;
  token: string | null;
  namespace: string | null;
  /** Waits; tests do not. */
  sleep?: (ms: number) => Promise<void>;
}

const SECOND_MS = 1_000;

export class Client implements Backend {
  constructor(private readonly options: ClientOptions) {}

  /** As Backend.call. What the server cannot take now (429, 503) is sent again, a bounded number of times. */
  async call(operation: BackendOperation, request: BackendRequest): Promise<unknown> {
    const { sleep = Bun.sleep } = this.options;
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.send(operation, request);
      if (response.ok) return response.json();
      const busy = response.status === FAULT_STATUS.rate_limited || response.status === FAULT_STATUS.unavailable;
      const fault = await this.faultOf(response);
      if (!busy || attempt > RETRIES_MAX) throw fault;
      await sleep(pauseOf(response.headers.get("retry-after"), attempt));
    }
  }

  async close(): Promise<void> {}

  private async send(operation: BackendOperation, request: BackendRequest): Promise<Response> {
    const { scope = null, idempotencyKey, file, signal } = request;
    const { url, token, namespace } = this.options;
    const route: Route = ROUTES[operation];
    const { method } = route;
    const path = pathOf(route, request);
    const body = route.jsonMaxBytes === undefined || request.input === undefined ? undefined : JSON.stringify(request.input);
    const headers = new Headers();
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    if (namespace !== null) headers.set("x-svc-namespace", namespace);
    if (scope !== null) headers.set("x-svc-scope", scope);
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    if (body !== undefined) headers.set("content-type", "application/json");
    if (file !== undefined) headers.set("content-type", "application/octet-stream");
    try {
      // A redirect would carry the token to another host.
      const init = {
        method,
        headers,
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(REQUEST_MAX_MS), ...(signal === undefined ? [] : [signal])]),
        timeout: false,
      } as const;
      if (file !== undefined) return await fetch(url + path, { ...init, body: Bun.file(file.path) });
      return await fetch(url + path, body === undefined ? init : { ...init, body });
    } catch (error) {
      throw unreachable(url, error);
    }
  }

  private async faultOf(response: Response): Promise<Error> {
    const body = (await response.json().catch(() => null)) as {
      error?: unknown;
      detail?: unknown;
    } | null;
    const kind = body?.error;
    if (typeof kind === "string" && Object.hasOwn(FAULT_STATUS, kind) && typeof body?.detail === "string") {
      return new Fault(kind as FaultKind, body.detail);
    }
    return new StartError(`${this.options.url} answers ${response.status} without an error body of strata: is it a strata server?`);
  }
}

/** The path of a call: with the members that stand in it, and what is said of a file. */
function pathOf({ path }: Route, { input = {}, file }: BackendRequest): string {
  const named = path.replace(/:(\w+)/, (_, member: string) => encodeURIComponent(String(input[member])));
  if (file === undefined) return named;
  const parameters = new URLSearchParams({ name: file.name });
  for (const group of file.acl_groups) parameters.append("acl_groups", group);
  return `${named}?${parameters}`;
}

/** The server's own wish in whole seconds, or a pause that doubles; milliseconds. */
function pauseOf(retryAfter: string | null, attempt: number): number {
  const wished = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : 2 ** (attempt - 1) * SECOND_MS;
  return Math.min(wished, RETRY_AFTER_MAX_MS);
}

function unreachable(url: string, error: unknown): StartError {
  const { name, code, message } = error as Error & { code?: string };
  if (name === "TimeoutError") return new StartError(`${url} gives no answer within ${REQUEST_MAX_MS / 60 / SECOND_MS} minutes`, { cause: error });
  const why = code === "ECONNREFUSED" || code === "ConnectionRefused" ? "nothing listens there" : message;
  return new StartError(`cannot reach ${url}: ${why}`, { cause: error });
}

/** A running server over HTTP. Its error bodies become the Faults that it answered with. */
import { FAULT_STATUS, Fault, type FaultKind, StartError } from "../base/fault.ts";
import type { Line } from "../base/lines.ts";
import { REQUEST_MAX_MS, RETRIES_MAX, RETRY_AFTER_MAX_MS } from "../base/limits.ts";
import { ApiError, createClient, result, type StrataClient } from "../client/client.ts";
import type { LineStatus } from "../core/units/ingest-lines.ts";
import { templateOf } from "../http/openapi.ts";
import { type Route, ROUTES } from "../http/routes.ts";
import { NDJSON } from "../http/unit-lines.ts";
import type { Backend, BackendOperation, BackendRequest } from "./backend.ts";
import { ndjsonOf } from "./lines.ts";

export interface ClientOptions {
  url: string;
  token: string | null;
  namespace: string | null;
  /** Waits; tests do not. */
  sleep?: (ms: number) => Promise<void>;
}

const MINUTE_MS = 60_000;

/** The call of a path that a table names, where the types know paths that are written out. */
type CallNamed = (method: string, path: string, init: Record<string, unknown>) => ReturnType<StrataClient["request"]>;

export class Client implements Backend {
  private readonly client: StrataClient;

  constructor(private readonly options: ClientOptions) {
    const { url, token, namespace, sleep } = options;
    this.client = createClient({
      baseUrl: url,
      ...(token === null ? {} : { token }),
      ...(namespace === null ? {} : { namespace }),
      fetch: (request) => this.send(request),
      retry: { times: RETRIES_MAX, pauseMaxMs: RETRY_AFTER_MAX_MS, ...(sleep === undefined ? {} : { wait: sleep }) },
    });
  }

  /** As Backend.call. What the server cannot take now (429, 503) is sent again, a bounded number of times. */
  async call(operation: BackendOperation, request: BackendRequest): Promise<unknown> {
    const route: Route = ROUTES[operation];
    const call = this.client.request as CallNamed;
    try {
      const answer = await result(call(route.method, templateOf(route), sentWith(route, request)));
      return request.lines === undefined ? answer : { lines: statusesOf(String(answer), request.lines) };
    } catch (error) {
      throw error instanceof ApiError ? this.faultOf(error) : error;
    }
  }

  async close(): Promise<void> {}

  private async send(request: Request): Promise<Response> {
    const { url } = this.options;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_MAX_MS)]);
    try {
      return await fetch(request, { signal, timeout: false } as RequestInit);
    } catch (error) {
      throw unreachable(url, error);
    }
  }

  private faultOf({ status, body }: ApiError): Error {
    if (body !== null && Object.hasOwn(FAULT_STATUS, body.error)) return new Fault(body.error as FaultKind, body.detail);
    return new StartError(`${this.options.url} answers ${status} without an error body of strata: is it a strata server?`);
  }
}

/** What a call carries: members of the path, and the others in JSON or as parameters; headers; or a file with what is said of it. */
function sentWith(route: Route, { input, lines, scope = null, idempotencyKey, file, signal }: BackendRequest): Record<string, unknown> {
  const ending = signal === undefined ? {} : { signal };
  const headers = {
    ...(scope === null ? {} : { "x-svc-scope": scope }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
  if (lines !== undefined) {
    return {
      ...ending,
      headers: { ...headers, "content-type": NDJSON },
      body: ndjsonOf(lines),
      bodySerializer: (body: Uint8Array) => body,
      parseAs: "text",
    };
  }
  if (file === undefined) {
    const path = Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => templateOf(route).includes(`{${name}}`)));
    const query = Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => !Object.hasOwn(path, name)));
    return { ...ending, headers, ...(route.jsonMaxBytes === undefined ? { params: { path, query } } : { params: { path }, body: input }) };
  }
  return {
    ...ending,
    params: { query: { name: file.name, acl_groups: file.acl_groups } },
    headers: { ...headers, "content-type": "application/octet-stream" },
    body: Bun.file(file.path),
    bodySerializer: (body: Blob) => body,
  };
}

/** The statuses of lines that were sent, with the numbers that these have here. Errors: the Fault that ended the stream. */
function statusesOf(answer: string, lines: readonly Line[]): LineStatus[] {
  const answered = answer.split("\n").filter((line) => line !== "");
  return answered.map((text) => {
    const status = JSON.parse(text) as LineStatus | { line?: undefined; error: { error: string; detail: string } };
    if (status.line === undefined) throw new Fault(status.error.error as FaultKind, status.error.detail);
    return { ...status, line: lines[status.line - 1]?.number ?? status.line };
  });
}

function unreachable(url: string, error: unknown): StartError {
  const { name, code, message } = error as Error & { code?: string };
  if (name === "TimeoutError") return new StartError(`${url} gives no answer within ${REQUEST_MAX_MS / MINUTE_MS} minutes`, { cause: error });
  const why = code === "ECONNREFUSED" || code === "ConnectionRefused" ? "nothing listens there" : message;
  return new StartError(`cannot reach ${url}: ${why}`, { cause: error });
}

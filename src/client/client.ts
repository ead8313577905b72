/**
 * The typed client of the API, for programs, the console and the command line. `schema.d.ts` is made from the OpenAPI
 * document (`npm run client`). Runs wherever there is `fetch`, and imports nothing else of Strata.
 */
import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

export type { components, operations, paths } from "./schema.d.ts";

/** The schemas of the API by their names: `Schemas["Unit"]`. */
export type Schemas = components["schemas"];
/** What answers are typed as: one of them may be a stream of events instead. */
type Json = "application/json";
/** `GET`, `POST` and `DELETE` with a path of the API; each resolves to `{ data, response }` or `{ error, response }`. */
export type StrataClient = Client<paths, Json>;

/** Body of every refusal. */
export interface ErrorBody {
  error: string;
  detail: string;
  status: number;
}

export interface ClientOptions {
  /** Address of the service, without `/v1`: `http://127.0.0.1:4700`. Empty in a page of the service itself. */
  baseUrl: string;
  /** API token. Without one, a browser sends the session's cookie. */
  token?: string;
  /** Namespace to work in: for the super-admin alone. */
  namespace?: string;
  /** In place of the global one. */
  fetch?: (request: Request) => Promise<Response>;
  retry?: Retry;
}

/** How a request that the service cannot take now (429, 503) is sent again. */
export interface Retry {
  /** How often; 0 for never. */
  times?: number;
  /** The longest `Retry-After` that is obeyed, in milliseconds. */
  pauseMaxMs?: number;
  /** Waits; rejects when the signal aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const TIMES = 3;
const PAUSE_MAX_MS = 30_000;
const SECOND_MS = 1_000;
const BUSY: readonly number[] = [429, 503];

/** A refusal of the service, as `result` throws it. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    /** HTTP status. */
    readonly status: number,
    /** What the service said; null where the response has no such body, and so is not the service's. */
    readonly body: ErrorBody | null,
    /** Names the request in the service's log. */
    readonly requestId: string | null,
  ) {
    super(body?.detail ?? `status ${status} without an error body`);
  }

  /** Of a response, and what was read of its body. */
  static of(response: Response, body: unknown): ApiError {
    return new ApiError(response.status, isErrorBody(body) ? body : null, response.headers.get("x-request-id"));
  }
}

/** A client of one service. A request ends when its `signal` aborts, its pauses too. */
export function createClient({ baseUrl, token, namespace, fetch = globalThis.fetch, retry = {} }: ClientOptions): StrataClient {
  return createFetchClient<paths, Json>({
    baseUrl,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(namespace === undefined ? {} : { "x-svc-namespace": namespace }),
    },
    // A redirect would carry the token to another host.
    redirect: "error",
    fetch: (request) => fetchPatiently(fetch, request, retry),
  });
}

type Outcome<T> = { data?: T; error?: unknown; response: Response };

/** What a call gives: `await result(client.GET("/v1/context"))`. Errors: ApiError; what `fetch` throws when the service cannot be reached. */
export async function result<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  throw ApiError.of(response, error);
}

function isErrorBody(value: unknown): value is ErrorBody {
  const { error, detail, status } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  return typeof error === "string" && typeof detail === "string" && typeof status === "number";
}

async function fetchPatiently(fetch: NonNullable<ClientOptions["fetch"]>, request: Request, retry: Retry): Promise<Response> {
  const { times = TIMES, pauseMaxMs = PAUSE_MAX_MS, wait = pause } = retry;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt > times;
    const response = await fetch(last ? request : (request.clone() as Request));
    if (last || !BUSY.includes(response.status)) return response;
    await response.body?.cancel();
    await wait(Math.min(pauseMaxMs, pauseOf(response.headers.get("retry-after"), attempt)), request.signal);
  }
}

/** The service's own wish in whole seconds, or a pause that doubles; milliseconds. */
function pauseOf(retryAfter: string | null, attempt: number): number {
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : 2 ** (attempt - 1);
  return seconds * SECOND_MS;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** Calls to /v1 with the session's cookie, in the scope and the namespace that were chosen. */
import type { Context, ScopeEntry, SearchResult, Unit } from "./types.ts";

/** What went wrong, in words for people. `status` 0: the service could not be reached. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Of the request, as the service logs it. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

/** Where requests go; null: what the principal has by itself. */
export const target: { scope: string | null; namespace: string | null } = { scope: null, namespace: null };

/** Who is told that the session has ended. */
const expiryListeners = new Set<() => void>();

/** Calls `listener` when a request finds that the session has ended. Returns what ends that. */
export function onExpiry(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

export type Query = Record<string, string | number | boolean | undefined>;

export interface RequestOptions {
  query?: Query;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Another scope than the chosen one. */
  scope?: string;
}

/** A request that was answered well. Errors: ApiError; the signal's reason when it was aborted. */
export async function request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { json, body, signal } = options;
  const headers: Record<string, string> = { ...options.headers };
  const scope = options.scope ?? target.scope;
  if (scope !== null) headers["x-svc-scope"] = scope;
  if (target.namespace !== null) headers["x-svc-namespace"] = target.namespace;
  if (json !== undefined) headers["content-type"] = "application/json";
  const sent: RequestInit = { method, headers, credentials: "same-origin" };
  if (json !== undefined) sent.body = JSON.stringify(json);
  else if (body !== undefined) sent.body = body;
  if (signal !== undefined) sent.signal = signal;
  let response: Response;
  try {
    response = await fetch(withQuery(path, options.query), sent);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
  if (response.ok) return response;
  throw faultFrom(response.status, await response.text(), response.headers.get("x-request-id"));
}

export function unreachable(): ApiError {
  return new ApiError(0, "unreachable", "The service cannot be reached. Is it running?");
}

/** What a response that is none of success says. A session that has ended is told to who listens. */
export function faultFrom(status: number, body: string, requestId: string | null): ApiError {
  if (status === 401) for (const listener of expiryListeners) listener();
  try {
    const { error, detail } = JSON.parse(body) as { error: string; detail: string };
    return new ApiError(status, error, detail, requestId);
  } catch {
    return new ApiError(status, "unknown", `The service answered with status ${status}.`, requestId);
  }
}

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** As `request`, with the JSON of its response. */
export async function call<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  return (await (await request(method, path, options)).json()) as T;
}

const part = encodeURIComponent;
/** All that the principal may use: for things that are asked for by their id. */
const ANYWHERE = "*";

export interface SearchBody {
  q: string;
  top_k?: number;
  planes?: string[];
  modalities?: string[];
  mode?: string;
  doc_id?: string;
  group_by?: string;
  rerank?: boolean;
  explain?: boolean;
  answer?: boolean;
  filters?: Record<string, unknown>;
  facets?: string[];
}

/** The operations of /v1, by their names. Errors: as `request`. */
export const api = {
  openSession: (token: string) => call<{ principal_id: string; namespace: string }>("POST", "/v1/session", { json: { token } }),
  closeSession: () => call<{ ended: boolean }>("DELETE", "/v1/session"),
  context: (signal?: AbortSignal) => call<Context>("GET", "/v1/context", signalled(signal)),
  scopes: (signal?: AbortSignal) => call<{ scopes: ScopeEntry[] }>("GET", "/v1/scopes", signalled(signal)),
  search: (json: SearchBody, signal?: AbortSignal) => call<SearchResult>("POST", "/v1/search", { json, ...signalled(signal) }),
  similar: (json: Omit<SearchBody, "q"> & { unit_id: string }, signal?: AbortSignal) =>
    call<SearchResult>("POST", "/v1/similar", { json, ...signalled(signal) }),
  similarTo: (file: File, query: Query, signal?: AbortSignal) =>
    call<SearchResult>("POST", "/v1/similar", {
      body: file,
      query,
      headers: { "content-type": file.type || "application/octet-stream" },
      ...signalled(signal),
    }),
  unit: (id: string, signal?: AbortSignal) => call<Unit>("GET", `/v1/units/${part(id)}`, { scope: ANYWHERE, ...signalled(signal) }),
  /** The bytes of a file, or of the picture of a Unit. */
  bytes: async (path: string, query: Query, signal?: AbortSignal) =>
    (await request("GET", path, { query, scope: ANYWHERE, ...signalled(signal) })).blob(),
};

/** Absent where there is none: an option must not be `undefined`. */
export function signalled(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** The address of a file's bytes for a player, which sends the cookie and no header. */
export function contentUrl(fileId: string): string {
  return withQuery(`/v1/files/${part(fileId)}/content`, { scope: ANYWHERE });
}

/** Principals of the demo that one may sign in as with a click; none unless the service says so. */
export interface DemoPrincipal {
  name: string;
  token: string;
  note: string;
}

/** What a service with the demo offers to newcomers. */
interface Demo {
  /** Where its data is; null without the demo. */
  namespace: string | null;
  principals: DemoPrincipal[];
  /** What its data has something to say about. */
  questions: string[];
}

const demo = (signal?: AbortSignal) => call<Demo>("GET", "/console/demo.json", signalled(signal));

export async function demoPrincipals(signal?: AbortSignal): Promise<DemoPrincipal[]> {
  return (await demo(signal)).principals;
}

/** Questions to try in a namespace; none outside of the demo's. */
export async function demoQuestions(inNamespace: string, signal?: AbortSignal): Promise<string[]> {
  const { namespace, questions } = await demo(signal);
  return namespace === inNamespace ? questions : [];
}

/** Calls to /v1 through the typed client: with the session's cookie, in the scope and the namespace that were chosen. */
import { createClient, ApiError as Refusal, result, type Schemas } from "../client/client.ts";

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

/** All that the principal may use: for things that are asked for by their id. */
export const ANYWHERE = { "x-svc-scope": "*" };

/** Who is told that the session has ended. */
const expiryListeners = new Set<() => void>();

/** Calls `listener` when a request finds that the session has ended. Returns what ends that. */
export function onExpiry(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

export const client = createClient({
  baseUrl: "",
  fetch: async (request) => {
    if (writes(request)) await sameSession();
    return fetch(towards(request));
  },
});

/** Whom the page shows as signed in, as `whoIs` writes it; null: nobody. */
export const shown: { who: string | null } = { who: null };

export function whoIs({ principal }: Schemas["Context"]): string {
  return `${principal.namespace}/${principal.principal_id}`;
}

/** Who is told that the session has become another's. */
const strangerListeners = new Set<() => void>();

/** Calls `listener` when a write finds that the session is another's than the page shows. Returns what ends that. */
export function onStranger(listener: () => void): () => void {
  strangerListeners.add(listener);
  return () => strangerListeners.delete(listener);
}

/** Asked for with POST, and change nothing; a new session is nobody's yet. */
const READING = /\/v1\/(?:search|similar|answer|session)$/;

function writes({ method, url }: Request): boolean {
  return method === "DELETE" || (method !== "GET" && !READING.test(new URL(url).pathname));
}

/**
 * Holds a write back that would go out under another name than the page shows: the cookie is the browser's, and another tab
 * may have changed it. Errors: ApiError `another_session`.
 */
export async function sameSession(): Promise<void> {
  // Without an answer, or a session, the write itself says what is wrong.
  const response = await fetch(towards(new Request("/v1/context"))).catch(() => null);
  if (response === null || !response.ok || whoIs((await response.json()) as Schemas["Context"]) === shown.who) return;
  for (const listener of strangerListeners) listener();
  throw new ApiError(409, "another_session", "Somebody else has signed in in another tab, so nothing was done");
}

/** Puts the chosen scope, unless the request names one, and namespace on a request. */
function towards(request: Request): Request {
  if (target.scope !== null && !request.headers.has("x-svc-scope")) request.headers.set("x-svc-scope", target.scope);
  if (target.namespace !== null) request.headers.set("x-svc-namespace", target.namespace);
  return request;
}

/** What a call gives. Errors: ApiError; the signal's reason when it was aborted. */
export async function answered<T>(call: Parameters<typeof result<T>>[0]): Promise<T> {
  try {
    return await result(call);
  } catch (error) {
    throw explained(error);
  }
}

/** An error of the client, or of fetch itself, in words for people. */
export function explained(error: unknown): unknown {
  if (error instanceof Refusal) {
    return faultFrom(error.status, JSON.stringify(error.body), error.requestId);
  }
  return error instanceof DOMException || error instanceof ApiError ? error : unreachable();
}

export function unreachable(): ApiError {
  return new ApiError(0, "unreachable", "The service cannot be reached. Is it running?");
}

/** What a response that is none of success says. A session that has ended is told to who listens. */
export function faultFrom(status: number, body: string, requestId: string | null): ApiError {
  if (status === 401) for (const listener of expiryListeners) listener();
  try {
    const { error, detail } = JSON.parse(body) as Schemas["Error"];
    return new ApiError(status, error, detail, requestId);
  } catch {
    return new ApiError(status, "unknown", `The service answered with status ${status}.`, requestId);
  }
}

export type Query = Record<string, string | number | boolean | undefined>;

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** For options in which a signal must not be `undefined`. */
export function signalled(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

export type SearchBody = Schemas["SearchQuery"];

/** Not a name that a namespace may have. */
const NO_NAMESPACE = "?";

/** The operations that more than one screen uses. Errors: as `answered`. */
export const api = {
  openSession: (token: string) => answered(client.POST("/v1/session", { body: { token } })),
  closeSession: () => answered(client.DELETE("/v1/session")),
  context: (signal?: AbortSignal) => answered(client.GET("/v1/context", signalled(signal))),
  /** Whether the namespace of a request counts: from all but super-admins it is ignored, whatever it is. */
  async mayNameNamespace(signal: AbortSignal): Promise<boolean> {
    if (target.namespace !== null) return true;
    const response = await fetch("/v1/context", { headers: { "x-svc-namespace": NO_NAMESPACE }, signal });
    return response.status === 404;
  },
  scopes: (signal?: AbortSignal) => answered(client.GET("/v1/scopes", signalled(signal))),
  search: (body: SearchBody, signal?: AbortSignal) => answered(client.POST("/v1/search", { body, ...signalled(signal) })),
  similar: (body: Schemas["SimilarQuery"], signal?: AbortSignal) => answered(client.POST("/v1/similar", { body, ...signalled(signal) })),
  unit: (id: string, signal?: AbortSignal) =>
    answered(client.GET("/v1/units/{id}", { params: { path: { id } }, headers: ANYWHERE, ...signalled(signal) })),
  /** The picture of a Unit. */
  preview: (id: string, query: { size: number; whole?: boolean }, signal?: AbortSignal) =>
    answered<Blob>(
      client.GET("/v1/units/{id}/preview", { params: { path: { id }, query }, headers: ANYWHERE, parseAs: "blob", ...signalled(signal) }) as never,
    ),
};

/** The address of a file's bytes for a player or a link, which send the cookie and no header. */
export function contentUrl(fileId: string): string {
  return withQuery(`/v1/files/${encodeURIComponent(fileId)}/content`, { scope: "*" });
}

/** A file's bytes, not yet read. Errors: as `answered`. */
export function fileContent(fileId: string, signal: AbortSignal): Promise<Response> {
  return fetched(`/v1/files/${encodeURIComponent(fileId)}/content`, { headers: ANYWHERE, signal });
}

/** Units that look or sound like a picture or sound. Errors: as `answered`. */
export async function similarTo(example: File, query: Query, signal: AbortSignal): Promise<Schemas["SimilarResult"]> {
  const headers = { "content-type": example.type || "application/octet-stream" };
  const response = await fetched(withQuery("/v1/similar", query), { method: "POST", body: example, headers, signal });
  return (await response.json()) as Schemas["SimilarResult"];
}

/** A request whose body, or whose response, is a file. Errors: as `answered`. */
async function fetched(path: string, options: RequestInit): Promise<Response> {
  const response = await fetch(towards(new Request(path, options))).catch((error: unknown) => {
    throw explained(error);
  });
  if (!response.ok) throw faultFrom(response.status, await response.text(), response.headers.get("x-request-id"));
  return response;
}

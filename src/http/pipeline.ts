/**
 * What every request goes through. Before: its `Host` (400), and a route that matches (404). Here: a foreign `Origin` (403),
 * authentication (401), then core/perform.ts: permission (403), tier (402), validation (400), quota (402), the work.
 */
import { Fault } from "../base/fault.ts";
import type { AnyOperation, Sent } from "../core/operation.ts";
import { type Asked, perform } from "../core/perform.ts";
import type { Services } from "../core/services.ts";
import type { SentLine } from "../core/units/ingest-lines.ts";
import type { Caller } from "../domain/principal.ts";
import { authenticate, identityOf } from "./authenticate.ts";
import { checkBodyHeaders, readJson } from "./body.ts";
import { followed, type Following, wantsEvents } from "./event-stream.ts";
import { membersBesideFile, membersOf, queryParameters, rawQuery } from "./parameters.ts";
import type { Reply, Route } from "./routes.ts";
import { fromForeignOrigin, fromOwnOrigin } from "./site.ts";
import { answerLines, bringsLines } from "./unit-lines.ts";
import { readUpload } from "./upload.ts";
import type { Room } from "./room.ts";

export interface PipelineOptions {
  services: Services;
  /** True when clients reach the service over TLS: the session cookie is then `Secure`, and our own origin `https` alone. */
  secureCookies: boolean;
  room: Room;
}

/** Members of the input that stand in the path, decoded. */
export type PathMembers = Record<string, string>;

/** The namespace of requests that need no caller: they share what one namespace may have. No name of a namespace is empty. */
const NOBODY = "";

/** Answers a request of a route. Errors: the Fault that it is answered with. */
export async function answerRequest(
  options: PipelineOptions,
  route: Route,
  request: Request,
  path: PathMembers,
  following: Omit<Following, "heartbeatMs">,
): Promise<Reply> {
  const { services, secureCookies, room } = options;
  const { operation } = route;
  if (operation.access.changesState) refuseForeignOrigin(request, secureCookies);
  if (route.lines !== undefined && bringsLines(request)) return storeLines(options, route, route.lines.operation, request, following);
  const caller = await callerOf(services, operation, request);
  const namespace = caller?.namespace.namespace ?? NOBODY;
  const bringsFile = route.file === "always" || (route.file === "unless-json" && !isJson(request));
  let input: unknown;
  const follows = operation.events !== undefined && wantsEvents(request);
  const place = follows ? "streams" : bringsFile ? "uploads" : "requests";
  const asked: Asked = {
    caller,
    scope: caller === null ? null : scopeOf(request),
    target: path.id ?? path.path ?? null,
    refuse: () => refusedCookie(operation, caller, request, secureCookies),
    async read() {
      const sent = await readSent(options, route, request, { path, namespace, bringsFile, known: caller !== null });
      input = sent.input;
      return sent;
    },
    // Health is looked at when everything else is full.
    hold: operation.access.admission === "public" ? (work) => work() : (work) => room[place].hold(namespace, work),
  };
  if (follows) {
    return followed(request, operation, { ...following, heartbeatMs: room.heartbeatMs }, (emit, signal) =>
      perform(operation, services, { ...asked, caller: caller && { ...caller, signal }, emit }),
    );
  }
  const output = await perform(operation, services, asked);
  return route.reply === undefined ? { body: output } : route.reply(output, { request, input, secureCookies });
}

/** Takes in a stream of lines; the credentials are looked at again for each batch. Errors: as answerRequest, of the first batch. */
async function storeLines(
  { services, secureCookies, room }: PipelineOptions,
  { idempotent }: Route,
  operation: AnyOperation,
  request: Request,
  following: Omit<Following, "heartbeatMs">,
): Promise<Response> {
  const { namespace } = (await authenticate(services, request)).namespace;
  checkBodyHeaders(request, Number.POSITIVE_INFINITY);
  const store = async (read: () => Promise<readonly SentLine[]>) => {
    const caller = await authenticate(services, request);
    const { lines } = (await perform(operation, services, {
      caller,
      scope: scopeOf(request),
      target: null,
      refuse: () => refusedCookie(operation, caller, request, secureCookies),
      read: async () => ({
        input: { lines: await read() },
        form: "parameters",
        idempotencyKey: idempotent ? request.headers.get("idempotency-key") : null,
        file: null,
      }),
      hold: (work) => room.requests.hold(namespace, work),
    })) as { lines: readonly unknown[] };
    return lines;
  };
  room.uploads.take(namespace, 1);
  const leave = () => room.uploads.release(namespace, 1);
  const began = (sent: Promise<void>) => {
    following.began(sent);
    void sent.then(leave);
  };
  return answerLines(room.arriving(request), { store, bodyOf: following.bodyOf, began }).catch((failure: unknown) => {
    leave();
    throw failure;
  });
}

/** The scope that a request names; null: none. */
export function scopeOf(request: Request): string | null {
  return request.headers.get("x-svc-scope") ?? new URLSearchParams(rawQuery(request.url)).get("scope");
}

/** Refuses what a page of another site may not ask for through a visitor's browser, whoever that visitor is here. */
export function refuseForeignOrigin(request: Request, tls: boolean): void {
  if (fromForeignOrigin(request, tls)) {
    throw new Fault("forbidden", "the Origin header names another site, and pages of other sites may change nothing here");
  }
}

/** Null where nobody has to be known. Errors: as authenticate. */
async function callerOf(services: Services, { access: { admission } }: AnyOperation, request: Request): Promise<Caller | null> {
  if (admission === "public") return null;
  const open = admission === "token-in-input" || (admission === "first-run" && services.trustSeeded && !(await services.directory.hasTokens()));
  if (!open) return authenticate(services, request);
  // None is needed, but one that is sent must be live.
  if (request.headers.has("authorization")) await identityOf(services, request);
  return null;
}

function refusedCookie({ access }: AnyOperation, caller: Caller | null, request: Request, tls: boolean): Fault | null {
  if (!caller?.session || !access.changesState || fromOwnOrigin(request, tls)) return null;
  return new Fault("forbidden", "a request with a session cookie must carry the Origin of this service");
}

interface Incoming {
  path: PathMembers;
  namespace: string;
  bringsFile: boolean;
  /** Whether somebody is known to ask: parameters of anybody else are not looked at. */
  known: boolean;
}

async function readSent({ room }: PipelineOptions, route: Route, request: Request, { path, namespace, bringsFile, known }: Incoming): Promise<Sent> {
  const { operation, jsonMaxBytes } = route;
  const chunks = room.arriving(request);
  const idempotencyKey = route.idempotent ? request.headers.get("idempotency-key") : null;
  const parameters = known ? queryParameters(request.url) : new URLSearchParams();
  if (!bringsFile && jsonMaxBytes !== undefined) {
    return { input: await readJson(request, room.counted(namespace, chunks), jsonMaxBytes), form: "json", idempotencyKey, file: null };
  }
  if (!bringsFile) return { input: { ...membersOf(operation.input, parameters), ...path }, form: "parameters", idempotencyKey, file: null };
  const unnamed = route.file === "unless-json" ? { unnamed: "example" } : {};
  const members =
    route.file === "unless-json" && operation.input !== null
      ? membersBesideFile(operation.input, parameters)
      : membersOf(operation.input, parameters);
  return {
    input: members,
    form: "parameters",
    idempotencyKey,
    file: (store, checkGroups) => readUpload({ request, chunks, parameters, checkGroups, ...unnamed }, store),
  };
}

/** A request without a type has its body taken for JSON, and refused if it is none. */
function isJson(request: Request): boolean {
  return /^application\/json\b/i.test(request.headers.get("content-type") ?? "application/json");
}

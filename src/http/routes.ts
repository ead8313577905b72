/** One handler a route: validation, the use case, and the wire form of its result. */
import type { TSchema } from "@sinclair/typebox";
import { Fault } from "../base/fault.ts";
import { BODY_MAX_BYTES, QUERY_BODY_MAX_BYTES, SESSION_MAX_MS, SMALL_BODY_MAX_BYTES } from "../base/limits.ts";
import type { FileView } from "../core/files/files.ts";
import type { Receive } from "../core/files/file-service.ts";
import type { Health, Service } from "../core/service.ts";
import { homeOf } from "../core/tokens/tokens.ts";
import { type Job, sourceUri } from "../domain/file.ts";
import type { Hit } from "../domain/hit.ts";
import type { Caller } from "../domain/principal.ts";
import type { Unit } from "../domain/unit.ts";
import type { Directory } from "../adapter/sqlite/directory.ts";
import { type Admitted, type RouteName, SESSION_COOKIE } from "./gate.ts";
import { EXAMPLE, IDEMPOTENCY, PAGE, type Parameter, PREVIEW, RANGE, UPLOAD } from "./parameters.ts";
import { fileResponse } from "./range.ts";
import {
  flag,
  idempotencyKey,
  parseAnswerQuery,
  parseIngest,
  parsePage,
  parsePreviewSide,
  parseQuery,
  parseSimilar,
  parseSimilarParameters,
  parseToken,
  sentUnits,
  sessionBody,
} from "./requests.ts";
import * as schemas from "./schemas.ts";
import { readUpload } from "./upload.ts";

/** JSON, or a response that is something else altogether. */
export type Reply = { body: unknown; status?: number; headers?: Record<string, string> } | Response;

/** A reply that something has to be waited for, when the work is done and its place free for others. */
export interface LateReply {
  afterwards: () => Promise<Reply>;
}

/** What comes with a request. */
export interface Incoming {
  /** Its body, for a handler with `jsonMaxBytes`; undefined when it is empty. */
  json: unknown;
  /** The bytes of its body as they come, for a handler that takes a file. */
  chunks: AsyncIterable<Uint8Array>;
}

export interface Handler {
  summary: string;
  body?: TSchema;
  /** What the body is instead of JSON. */
  takes?: "multipart/form-data";
  /** Besides those that its path and its kind of caller give it. */
  parameters?: readonly Parameter[];
  /** Null: bytes. */
  response: TSchema | null;
  /** Of a reply that is not 200 and no error. */
  also?: { status: 202; response: TSchema };
  /** Most bytes of a JSON body, which is read before the work begins. Absent: no body is read. */
  jsonMaxBytes?: number;
  /** Left unchecked, for what has to be judged before its form is: see readRawJson. */
  rawJson?: true;
  /** True for a request that brings a file instead, which is received as part of the work. */
  bringsFile?: (request: Request) => boolean;
  run(admitted: Admitted, request: Request, incoming: Incoming): Promise<Reply | LateReply>;
}

export interface HandlerOptions {
  service: Service;
  directory: Directory;
  health: () => Health;
  version: string;
  /** False on a listener that others can reach. */
  trustSeeded: boolean;
  /** True when clients reach the service over TLS: the session cookie is then `Secure`. */
  secureCookies: boolean;
}

/** The caller of a route that the gate lets nobody else reach. */
function callerOf({ caller }: Admitted): Caller {
  if (caller === null) throw new Error("the gate admitted nobody to a route that needs a caller");
  return caller;
}

/** A Unit as it is shown: members without a value are left out. */
function unitBody(unit: Unit): Record<string, unknown> {
  const { uid: _uid, version: _version, classId: _classId, ...shown } = unit;
  const kept = Object.entries(shown).filter(([name, value]) => value !== null || name === "content_sha256");
  return Object.fromEntries(kept);
}

function hitBody({ unit, ...hit }: Hit): Record<string, unknown> {
  return { ...unitBody(unit), ...hit };
}

function cookieHeader(value: string, maxAgeSeconds: number, secure: boolean): string {
  return `${SESSION_COOKIE}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}${secure ? "; Secure" : ""}`;
}

export type Handlers = Record<Exclude<RouteName, "openapi">, Handler>;

/** Who am I, where, and how is the service. */
function stateHandlers({ service, health, version }: HandlerOptions) {
  return {
    health: {
      summary: "State of the service",
      response: schemas.HealthResponse,
      run: async () => {
        const { status, vectorIndex, inference } = health();
        const bindings = { catalog: "bun:sqlite", vector_index: vectorIndex, object_store: "filesystem", key_value: "bun:sqlite", inference };
        return { body: { status, service: "strata", version, time: new Date().toISOString(), bindings } };
      },
    },
    context: {
      summary: "The resolved enforcement context",
      response: schemas.ContextResponse,
      run: async (admitted) => ({ body: await service.context(callerOf(admitted), admitted.scope) }),
    },
    scopes: {
      summary: "Registered scopes that the caller may use",
      response: schemas.ScopesResponse,
      run: async (admitted) => ({ body: { scopes: await service.scopes(callerOf(admitted)) } }),
    },
    removeScope: {
      summary: "Removes an empty scope",
      response: schemas.RemovedResponse,
      run: async (admitted) => {
        await service.removeScope(callerOf(admitted), admitted.id);
        return { body: { removed: 1 } };
      },
    },
    stats: {
      summary: "Catalog stats over what the caller may read",
      response: schemas.StatsResponse,
      run: async (admitted) => ({ body: await service.stats(callerOf(admitted), admitted.scope) }),
    },
  } satisfies Partial<Handlers>;
}

/** Units in and out. */
function unitHandlers({ service }: HandlerOptions) {
  const asked =
    (action: "search" | "answer", parse: typeof parseQuery): Handler["run"] =>
    async (admitted, _request, { json }) => {
      const caller = callerOf(admitted);
      const { query, warnings } = parse(json, caller.namespace.tier);
      const { hits, ...result } = await service.search(caller, admitted.scope, query, warnings, action);
      return { body: { hits: hits.map(hitBody), ...result } };
    };
  return {
    search: {
      summary: "Hybrid search",
      body: schemas.QueryBody,
      response: schemas.SearchResponse,
      jsonMaxBytes: QUERY_BODY_MAX_BYTES,
      run: asked("search", parseQuery),
    },
    answer: {
      summary: "A grounded, cited answer",
      body: schemas.AnswerBody,
      response: schemas.AnswerResponse,
      jsonMaxBytes: QUERY_BODY_MAX_BYTES,
      run: asked("answer", parseAnswerQuery),
    },
    units: {
      summary: "Units by time",
      parameters: PAGE,
      response: schemas.UnitsResponse,
      run: async (admitted) => {
        const { limit, offset } = parsePage(admitted.parameters);
        const { units, ...page } = await service.units(callerOf(admitted), admitted.scope, limit, offset);
        return { body: { units: units.map(unitBody), ...page } };
      },
    },
    unit: {
      summary: "One Unit",
      response: schemas.UnitBody,
      run: async (admitted) => ({ body: unitBody(await service.unit(callerOf(admitted), admitted.scope, admitted.id)) }),
    },
    ingest: {
      summary: "Stores a batch of Units, whole or not at all",
      parameters: IDEMPOTENCY,
      body: schemas.IngestBody,
      response: schemas.IngestResponseBody,
      jsonMaxBytes: BODY_MAX_BYTES,
      rawJson: true,
      run: async (admitted, request, { json }) => {
        const read = () => ({ units: parseIngest(json), idempotencyKey: idempotencyKey(request) });
        return { body: await service.ingest(callerOf(admitted), { scope: admitted.scope, sent: sentUnits(json), read }) };
      },
    },
  } satisfies Partial<Handlers>;
}

function jobBody({ job_id, file_id, state, stage, progress, units, created, notes, error, created_at, updated_at }: Job) {
  const shown = error && { error: error.kind, detail: error.detail };
  return { id: job_id, file_id, state, stage, progress, counts: { units, created }, notes, error: shown, created_at, updated_at };
}

function fileBody({ file, units, job }: FileView) {
  const { metadata, ...shown } = file;
  const given = metadata === null ? {} : { metadata };
  return { ...shown, ...given, source_uri: sourceUri(file.file_id), units, job: job && jobBody(job) };
}

/** Files in and out, and what hangs on them. */
function fileHandlers({ service }: HandlerOptions) {
  return {
    putFile: {
      summary: "Takes a file in and makes Units of it; with wait=true, answers when they are searchable",
      parameters: UPLOAD,
      body: schemas.FileForm,
      takes: "multipart/form-data",
      response: schemas.FileAccepted,
      also: { status: 202, response: schemas.FileAccepted },
      bringsFile: () => true,
      run: async (admitted, request, { chunks }) => {
        const caller = callerOf(admitted);
        const { parameters } = admitted;
        const wait = flag(parameters, "wait");
        const receive: Receive = (store, checkGroups) => readUpload({ request, chunks, parameters, checkGroups }, store);
        const accepted = await service.files.put(caller, admitted.scope, receive);
        const body = (job: Job) => ({ ...accepted, job: jobBody(job) });
        if (!wait) return { body: body(accepted.job), status: 202 };
        return { afterwards: async () => ({ body: body(await service.files.finished(caller, accepted)) }) };
      },
    },
    file: {
      summary: "A file and its Units",
      response: schemas.FileResponse,
      run: async (admitted) => ({ body: fileBody(await service.files.file(callerOf(admitted), admitted.scope, admitted.id)) }),
    },
    fileContent: {
      summary: "The bytes of a file; takes a Range",
      parameters: RANGE,
      response: null,
      run: async (admitted, request) => {
        const { path, file } = await service.files.content(callerOf(admitted), admitted.scope, admitted.id);
        return fileResponse(request, { path, bytes: file.bytes, mime: file.mime, name: file.name, etag: file.sha256 });
      },
    },
    removeFile: {
      summary: "Deletes a file with its Units",
      response: schemas.RemovedResponse,
      run: async (admitted) => ({ body: await service.files.removeFile(callerOf(admitted), admitted.scope, admitted.id) }),
    },
    job: {
      summary: "How far the work on a file is",
      response: schemas.JobResponse,
      run: async (admitted) => ({ body: jobBody(await service.files.job(callerOf(admitted), admitted.scope, admitted.id)) }),
    },
    removeUnit: {
      summary: "Deletes one Unit; with the last one of a file, the file",
      response: schemas.RemovedResponse,
      run: async (admitted) => ({ body: await service.files.removeUnit(callerOf(admitted), admitted.scope, admitted.id) }),
    },
  } satisfies Partial<Handlers>;
}

/** A request without a type has its body taken for JSON, and refused if it is none. */
function isJson(request: Request): boolean {
  return /^application\/json\b/i.test(request.headers.get("content-type") ?? "application/json");
}

/** What Units look and sound like, and others like them. */
function contentHandlers({ service }: HandlerOptions) {
  return {
    preview: {
      summary: "A picture of a Unit: the page, the crop, the frame, the waveform",
      parameters: PREVIEW,
      response: null,
      run: async (admitted) => {
        const side = parsePreviewSide(admitted.parameters);
        const { mime, bytes } = await service.files.preview(callerOf(admitted), admitted.scope, admitted.id, side);
        return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": mime } });
      },
    },
    similar: {
      summary: "Units like a Unit, or like the picture or sound in the body",
      parameters: EXAMPLE,
      body: schemas.SimilarBody,
      response: schemas.SimilarResponse,
      jsonMaxBytes: QUERY_BODY_MAX_BYTES,
      bringsFile: (request) => !isJson(request),
      run: async (admitted, request, { json, chunks }) => {
        const caller = callerOf(admitted);
        const { parameters } = admitted;
        const { tier } = caller.namespace;
        const query = isJson(request) ? parseSimilar(json, tier) : parseSimilarParameters(parameters, tier);
        const receive: Receive = (store) => readUpload({ request, chunks, parameters, unnamed: "example" }, store);
        const sent = isJson(request) ? null : await service.files.describe(caller, admitted.scope, receive);
        const { hits, ...result } = await service.similar(caller, admitted.scope, query, sent);
        return { body: { hits: hits.map(hitBody), ...result } };
      },
    },
  } satisfies Partial<Handlers>;
}

function auditHandlers({ service }: HandlerOptions) {
  return {
    audit: {
      summary: "Rows of the audit chain, newest first",
      parameters: PAGE,
      response: schemas.AuditResponse,
      run: async (admitted) => {
        const caller = callerOf(admitted);
        const { limit, offset } = parsePage(admitted.parameters);
        const { rows, next_cursor } = await service.auditPage(caller, limit, offset);
        return { body: { namespace: caller.namespace.namespace, rows, count: rows.length, next_cursor } };
      },
    },
    verify: {
      summary: "Recomputes the audit chain",
      response: schemas.VerifyResponse,
      run: async (admitted) => ({ body: await service.auditVerify(callerOf(admitted)) }),
    },
  } satisfies Partial<Handlers>;
}

/** Who may call: tokens of the caller's namespace. */
function tokenHandlers({ service }: HandlerOptions) {
  return {
    createToken: {
      summary: "Makes an API token, and its principal when that is new; never with more than the caller has",
      body: schemas.TokenBody,
      response: schemas.TokenCreated,
      jsonMaxBytes: SMALL_BODY_MAX_BYTES,
      run: async (admitted, _request, { json }) => {
        const asked = parseToken(json);
        const { view, secret } = await service.createToken(callerOf(admitted), asked);
        const { seeded: _seeded, revoked_at: _revoked, ...made } = view;
        return { body: { ...made, token: secret } };
      },
    },
    tokens: {
      summary: "API tokens, live and revoked, without their secrets",
      response: schemas.TokensResponse,
      run: async (admitted) => ({ body: { tokens: await service.tokens(callerOf(admitted)) } }),
    },
    revokeToken: {
      summary: "Revokes an API token, and ends the sessions made from it",
      response: schemas.TokenEntry,
      run: async (admitted) => ({ body: await service.revokeToken(callerOf(admitted), admitted.id) }),
    },
  } satisfies Partial<Handlers>;
}

/** The demo and console sessions. */
function accountHandlers({ service, directory, trustSeeded, secureCookies }: HandlerOptions) {
  return {
    seed: {
      summary: "(Re)seeds the demo: open until a token exists, then for admins of the namespace demo",
      response: schemas.SeedResponse,
      jsonMaxBytes: SMALL_BODY_MAX_BYTES,
      run: async (admitted, _request, { json }) => {
        if (json !== undefined && (typeof json !== "object" || json === null || Array.isArray(json))) {
          throw new Fault("bad_request", "the body must be absent or an object");
        }
        return { body: await service.seed(admitted.caller) };
      },
    },
    openSession: {
      summary: "Exchanges an API token for a console session cookie",
      body: schemas.SessionBody,
      response: schemas.SessionResponse,
      jsonMaxBytes: SMALL_BODY_MAX_BYTES,
      run: async (_admitted, _request, { json }) => {
        const { token } = sessionBody(json);
        const found = directory.byToken(token);
        const namespace = found && homeOf(directory, found.principal);
        if (found === null || namespace === null || (found.seeded && !trustSeeded)) throw new Fault("unauthorized", "the token is not valid");
        const caller: Caller = { principal: found.principal, credential: "token", namespace };
        const { secret, expires_at } = await service.openSession(caller, token);
        const body = { principal_id: found.principal.principal_id, namespace: namespace.namespace, expires_at };
        return { body, headers: { "set-cookie": cookieHeader(secret, SESSION_MAX_MS / 1000, secureCookies) } };
      },
    },
    closeSession: {
      summary: "Ends the session of the cookie",
      response: schemas.SessionEndResponse,
      run: async (admitted) => {
        if (admitted.session !== null) await service.closeSession(callerOf(admitted), admitted.session);
        return { body: { ended: admitted.session !== null }, headers: { "set-cookie": cookieHeader("", 0, secureCookies) } };
      },
    },
  } satisfies Partial<Handlers>;
}

export function createHandlers(options: HandlerOptions): Handlers {
  return {
    ...stateHandlers(options),
    ...unitHandlers(options),
    ...fileHandlers(options),
    ...contentHandlers(options),
    ...auditHandlers(options),
    ...tokenHandlers(options),
    ...accountHandlers(options),
  };
}

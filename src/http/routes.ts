/** The HTTP routes: one line an operation. */
import type { TSchema } from "@sinclair/typebox";
import { BODY_MAX_BYTES, QUERY_BODY_MAX_BYTES, SESSION_MAX_MS, SMALL_BODY_MAX_BYTES } from "../base/limits.ts";
import { getContext } from "../core/access/context.ts";
import { answer } from "../core/answer/answer.ts";
import { listAudit } from "../core/audit/list.ts";
import { verifyAudit } from "../core/audit/verify.ts";
import { seedDemo } from "../core/demo/seed-demo.ts";
import { acceptFile } from "../core/files/accept.ts";
import { fileContent } from "../core/files/content.ts";
import { getFile } from "../core/files/get.ts";
import { listFiles } from "../core/files/list.ts";
import { preview } from "../core/files/preview.ts";
import { removeFile, removeUnit } from "../core/files/remove.ts";
import { reread } from "../core/files/reread.ts";
import { getJob } from "../core/jobs/get.ts";
import type { AnyOperation, Operation } from "../core/operation.ts";
import { listScopes } from "../core/scopes/list.ts";
import { removeScope } from "../core/scopes/remove.ts";
import { search } from "../core/search/search.ts";
import { similar } from "../core/search/similar.ts";
import { closeSession } from "../core/sessions/close.ts";
import { openSession } from "../core/sessions/open.ts";
import { getHealth } from "../core/stats/health.ts";
import { listModels } from "../core/stats/models.ts";
import { catalogStats } from "../core/stats/stats.ts";
import { makeToken } from "../core/tokens/create.ts";
import { tokens } from "../core/tokens/list.ts";
import { endToken } from "../core/tokens/revoke.ts";
import { getUnit } from "../core/units/get.ts";
import { ingest } from "../core/units/ingest.ts";
import { ingestLines, LineStatus } from "../core/units/ingest-lines.ts";
import { listUnits } from "../core/units/list.ts";
import { fileResponse } from "./range.ts";
import { sessionCookie } from "./authenticate.ts";

/** JSON, or a response that is something else altogether. */
export type Reply = { body: unknown; status?: number; headers?: Record<string, string> } | Response;

/** What a reply may depend on besides the result. */
export interface Replying {
  request: Request;
  input: unknown;
  secureCookies: boolean;
}

export interface Route<Output = unknown> {
  method: "GET" | "POST" | "DELETE";
  /** A member of the input is written `:id`; `*` at the end is the member `path`, slashes included. */
  path: string;
  operation: AnyOperation;
  /** Most bytes of a JSON body, which is the input. Absent: the input are the parameters of the query string. */
  jsonMaxBytes?: number;
  /** `always`: the body is a file, and the parameters are the input. `unless-json`: it may be. */
  file?: "always" | "unless-json";
  /** Members of a JSON body that do not stand beside a file. */
  jsonOnly?: readonly string[];
  /** Takes over when the body is NDJSON, a batch of lines at a time: `status` is what is answered to one. */
  lines?: { operation: AnyOperation; status: TSchema };
  /** Takes an `Idempotency-Key`. */
  idempotent?: true;
  /** Statuses of its result besides 200. */
  also?: readonly number[];
  /** Without it, the result is the body. */
  reply?(output: Output, replying: Replying): Reply;
}

type Binding<Output> = Omit<Route<Output>, "method" | "path" | "operation">;

function route(method: Route["method"]) {
  return <Input, Output, V>(path: string, operation: Operation<Input, Output, V>, binding: Binding<Output> = {}): Route => {
    return { method, path, operation, ...binding } as Route;
  };
}
const [get, post, remove] = [route("GET"), route("POST"), route("DELETE")];
const query = { jsonMaxBytes: QUERY_BODY_MAX_BYTES };
const small = { jsonMaxBytes: SMALL_BODY_MAX_BYTES };

/** By the names of their operations. */
export const ROUTES = {
  health: get("/v1/health", getHealth),
  context: get("/v1/context", getContext),
  scopes: get("/v1/scopes", listScopes),
  removeScope: remove("/v1/scopes/*", removeScope),
  search: post("/v1/search", search, query),
  answer: post("/v1/answer", answer, query),
  similar: post("/v1/similar", similar, { ...query, file: "unless-json", jsonOnly: ["unit_id"] }),
  units: get("/v1/units", listUnits),
  unit: get("/v1/units/:id", getUnit),
  removeUnit: remove("/v1/units/:id", removeUnit),
  preview: get("/v1/units/:id/preview", preview, { reply: ({ mime, bytes }) => bytesOf(mime, bytes) }),
  ingest: post("/v1/ingest", ingest, {
    jsonMaxBytes: BODY_MAX_BYTES,
    lines: { operation: ingestLines, status: LineStatus },
    idempotent: true,
  }),
  putFile: post("/v1/files", acceptFile, {
    file: "always",
    also: [202],
    reply: (body, { input }) => ({ body, status: (input as { wait?: boolean }).wait ? 200 : 202 }),
  }),
  files: get("/v1/files", listFiles),
  file: get("/v1/files/:id", getFile),
  removeFile: remove("/v1/files/:id", removeFile),
  fileContent: get("/v1/files/:id/content", fileContent, { also: [206], reply: (file, { request }) => fileResponse(request, file) }),
  job: get("/v1/jobs/:id", getJob),
  stats: get("/v1/catalog/stats", catalogStats),
  models: get("/v1/models", listModels),
  audit: get("/v1/audit", listAudit),
  verify: get("/v1/audit/verify", verifyAudit),
  seed: post("/v1/admin/seed", seedDemo, small),
  reread: post("/v1/admin/reread", reread, small),
  createToken: post("/v1/admin/tokens", makeToken, small),
  tokens: get("/v1/admin/tokens", tokens),
  revokeToken: remove("/v1/admin/tokens/:id", endToken),
  openSession: post("/v1/session", openSession, {
    ...small,
    reply: ({ secret, ...body }, { secureCookies }) => ({ body, headers: sessionCookie(secret, SESSION_MAX_MS / 1000, secureCookies) }),
  }),
  closeSession: remove("/v1/session", closeSession, {
    reply: (body, { secureCookies }) => ({ body, headers: sessionCookie("", 0, secureCookies) }),
  }),
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

function bytesOf(mime: string, bytes: Uint8Array): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": mime } });
}

/** The OpenAPI document: parameters, bodies and every error, from the tables of routes and operations. */
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { FAULT_STATUS, type FaultKind } from "../base/fault.ts";
import { FILE_NAME_MAX_CHARS, IDEMPOTENCY_KEY_MAX_CHARS, REQUEST_ID_MAX_CHARS } from "../base/limits.ts";
import { FileFields } from "../core/files/facts.ts";
import type { AnyOperation } from "../core/operation.ts";
import { ErrorBody } from "../core/schema.ts";
import type { Route } from "./routes.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: TSchema;
}

function parameter(where: Parameter["in"], name: string, schema: TSchema, description = schema.description ?? ""): Parameter {
  return { name, in: where, required: where === "path", description, schema };
}

const REQUEST_ID = parameter(
  "header",
  "X-Request-Id",
  Type.String({ maxLength: REQUEST_ID_MAX_CHARS }),
  "Names the request in the log; the response carries it.",
);
/** Of every route that has a caller. */
const CALLER = [
  parameter("header", "X-Svc-Scope", Type.String(), "Scope to work in, or * for all that the caller may use; beats the parameter `scope`."),
  parameter("query", "scope", Type.String(), "Scope to work in, where the header names none; without both, the caller's active scope."),
  parameter("header", "X-Svc-Namespace", Type.String(), "Namespace to work in: for the super-admin alone, ignored from everybody else."),
];
const IDEMPOTENCY_KEY = parameter(
  "header",
  "Idempotency-Key",
  Type.String({ minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARS }),
  "The same key with the same body is answered again and stored once, for 24 hours.",
);
const RANGE = parameter("header", "Range", Type.String(), "One range of bytes, such as bytes=0-1023.");
const FileName = Type.String({ maxLength: FILE_NAME_MAX_CHARS });
const FILE_NAME = [
  parameter("query", "name", FileName, "Name of the file when it is the whole body."),
  parameter("header", "X-File-Name", FileName, "The same, where the query string names none."),
];
const FILE_FACTS = [
  parameter(
    "query",
    "doc_id",
    FileFields.properties.doc_id,
    "Groups the Units; without it, the id of the file. For a whole body; a form has fields.",
  ),
  parameter("query", "acl_groups", Type.String(), "Groups that may read the Units: repeated, separated by commas, or a JSON array."),
  parameter("query", "metadata", Type.String(), "Metadata of all its Units, as a JSON object."),
];
const Bytes = Type.String({ format: "binary" });
const FileForm = Type.Object({ file: Bytes, ...Type.Partial(FileFields).properties });

/** The path as OpenAPI writes it. */
export function templateOf({ path }: Route): string {
  return path.replace(/:(\w+)/, "{$1}").replace("*", "{path}");
}

function parametersOf(route: Route): Parameter[] {
  const { operation, file } = route;
  const members = Object.entries((operation.input as TObject | null)?.properties ?? {});
  const inPath = members.filter(([name]) => templateOf(route).includes(`{${name}}`));
  const inQuery =
    file === "unless-json" || route.jsonMaxBytes === undefined
      ? members.filter((member) => !inPath.includes(member) && !route.jsonOnly?.includes(member[0]))
      : [];
  const known = operation.access.admission === "caller" || operation.access.admission === "first-run";
  return [
    ...inPath.map(([name, schema]) => parameter("path", name, schema)),
    ...(file === undefined ? [] : FILE_NAME),
    ...inQuery.map(([name, schema]) => parameter("query", name, schema, queryNote(schema, file))),
    ...(file === "always" ? FILE_FACTS : []),
    ...(route.also?.includes(206) ? [RANGE] : []),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(known ? CALLER : []),
    REQUEST_ID,
  ];
}

function queryNote(schema: TSchema, file: Route["file"]): string {
  const own = schema.description ?? "";
  if (file !== "unless-json") return own;
  const form = schema.type === "array" ? "separated by commas" : schema.type === "object" ? "as JSON" : "";
  return ["For a picture or sound as the body; a JSON body has it inside", form, own].filter((part) => part !== "").join("; ");
}

function bodyOf({ operation, file, jsonMaxBytes }: Route) {
  const json = jsonMaxBytes === undefined || operation.input === null ? {} : { "application/json": { schema: operation.input } };
  const bytes = file === undefined ? {} : { "multipart/form-data": { schema: FileForm }, "application/octet-stream": { schema: Bytes } };
  const content = { ...json, ...bytes };
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } };
}

/** Those that any request may meet, those of its access rule, and those of the operation itself. */
function faultsOf({ operation, jsonMaxBytes, file }: Route): FaultKind[] {
  const { access, faults = [] } = operation;
  const credentials: FaultKind[] = access.admission === "public" ? [] : ["unauthorized"];
  const denials: FaultKind[] = access.anyOf.length > 0 || access.changesState ? ["forbidden"] : [];
  const tier: FaultKind[] = access.feature === null ? [] : ["upgrade_required"];
  // The namespace that a super-admin names may be none.
  const named: FaultKind[] = access.admission === "public" || access.admission === "token-in-input" ? [] : ["not_found"];
  const body: FaultKind[] = jsonMaxBytes === undefined && file === undefined ? [] : ["payload_too_large"];
  return [
    ...new Set<FaultKind>([
      "bad_request",
      ...credentials,
      ...denials,
      ...tier,
      ...named,
      ...body,
      ...faults,
      "rate_limited",
      "internal_error",
      "unavailable",
    ]),
  ];
}

/** What `Accept: text/event-stream` gives: Server-Sent Events, each with its data as JSON in one line. */
function eventsOf({ events }: AnyOperation, final: TSchema) {
  if (events === undefined) return {};
  const kinds = Object.entries({ ...events, final, error: ErrorBody });
  const description = "One event of the stream. The last one is `final`, with the body of the JSON response, or `error`.";
  const schema = Type.Union(
    kinds.map(([event, data]) => Type.Object({ event: Type.Literal(event), data })),
    { description },
  );
  return { "text/event-stream": { schema } };
}

function responsesOf(route: Route) {
  const { operation, also = [] } = route;
  const content =
    operation.output === null
      ? { "application/octet-stream": { schema: Bytes } }
      : { "application/json": { schema: operation.output }, ...eventsOf(operation, operation.output) };
  const results = [200, ...also].map((status) => [status, { description: operation.summary, content }] as const);
  const errors = Map.groupBy(faultsOf(route), (kind) => FAULT_STATUS[kind]);
  const refusals = [...errors].map(([status, kinds]) => {
    return [status, { description: kinds.join(" or "), content: { "application/json": { schema: ErrorBody } } }] as const;
  });
  return Object.fromEntries([...results, ...refusals.sort(([a], [b]) => a - b)]);
}

/** The document alone: a page would load its script from another host, and the appliance has none. */
export function openApiDocument(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const { name, summary, access } = route.operation;
    const template = templateOf(route);
    const described = {
      operationId: name,
      summary,
      ...(access.admission === "public" ? { security: [] } : {}),
      parameters: parametersOf(route),
      ...bodyOf(route),
      responses: responsesOf(route),
    };
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: described };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Strata", description: "Multimodal retrieval with access control and an audit chain", version },
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" }, session: { type: "apiKey", in: "cookie", name: "console.session_token" } },
    },
    security: [{ token: [] }, { session: [] }],
  };
}

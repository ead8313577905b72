/** The parameters of routes as the OpenAPI document names them: in the path, in the query string, and in headers. */
import { type TSchema, Type } from "@sinclair/typebox";
import { FILE_NAME_MAX_CHARS, IDEMPOTENCY_KEY_MAX_CHARS, PAGE_DEFAULT, PAGE_MAX, PREVIEW_SIDE_PIXELS, REQUEST_ID_MAX_CHARS } from "../base/limits.ts";
import { SCOPE_RULE } from "../domain/scope.ts";
import type { RouteAccess } from "./gate.ts";
import { FileFields, SimilarBody } from "./schemas.ts";

/** An OpenAPI parameter object. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: TSchema;
}

function parameter(where: Parameter["in"], name: string, schema: TSchema, description: string): Parameter {
  return { name, in: where, required: where === "path", description, schema };
}

const query = (name: string, schema: TSchema, description: string) => parameter("query", name, schema, description);
const header = (name: string, schema: TSchema, description: string) => parameter("header", name, schema, description);

const REQUEST_ID = header("X-Request-Id", Type.String({ maxLength: REQUEST_ID_MAX_CHARS }), "Names the request in the log; the response carries it.");

/** Of every route that has a caller. */
const CALLER = [
  header("X-Svc-Scope", Type.String(), "Scope to work in, or * for all that the caller may use; beats the parameter `scope`."),
  query("scope", Type.String(), "Scope to work in, where the header names none; without both, the caller's active scope."),
  header("X-Svc-Namespace", Type.String(), "Namespace to work in: for the super-admin alone, ignored from everybody else."),
];

const ID = parameter("path", "id", Type.String(), "Id, as another route returned it.");
const PATH = parameter("path", "path", Type.String(), `Scope path: ${SCOPE_RULE}. Slashes may stand as they are.`);

export const PAGE: readonly Parameter[] = [
  query("limit", Type.Integer({ minimum: 1, default: PAGE_DEFAULT }), `Rows of a page; more than ${PAGE_MAX} counts as ${PAGE_MAX}.`),
  query("cursor", Type.Integer({ minimum: 0, default: 0 }), "`next_cursor` of the page before."),
];

export const IDEMPOTENCY: readonly Parameter[] = [
  header(
    "Idempotency-Key",
    Type.String({ minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARS }),
    "The same key with the same body is answered again and stored once, for 24 hours.",
  ),
];

export const PREVIEW: readonly Parameter[] = [
  query("size", Type.Integer({ minimum: 1, default: PREVIEW_SIDE_PIXELS }), "Longer side of the picture in pixels."),
];

export const RANGE: readonly Parameter[] = [header("Range", Type.String(), "One range of bytes, such as bytes=0-1023.")];

const FILE_NAME = [
  query("name", Type.String({ maxLength: FILE_NAME_MAX_CHARS }), "Name of the file when it is the whole body."),
  header("X-File-Name", Type.String({ maxLength: FILE_NAME_MAX_CHARS }), "The same, where the query string names none."),
];

export const UPLOAD: readonly Parameter[] = [
  query("wait", Type.Boolean({ default: false }), "Answer when the Units are searchable."),
  ...FILE_NAME,
  query("doc_id", FileFields.properties.doc_id, "Groups the Units; without it, the id of the file. For a whole body; a form has fields."),
  query("acl_groups", Type.String(), "Groups that may read the Units: repeated, separated by commas, or a JSON array."),
  query("metadata", Type.String(), "Metadata of all its Units, as a JSON object."),
];

const { top_k, planes, modalities, doc_id, min_score } = SimilarBody.properties;
export const EXAMPLE: readonly Parameter[] = [
  ...FILE_NAME,
  query("top_k", top_k, "Most hits. This and the following go with a picture or sound as the body; a JSON body has them inside."),
  query("planes", planes, "Planes to look in, separated by commas."),
  query("modalities", modalities, "Modalities to look for, separated by commas."),
  query("doc_id", doc_id, "Only Units of this document."),
  query("min_score", min_score, "Leaves out hits that score less."),
  query("filters", Type.String(), "A filter as JSON; see docs/search.md."),
];

/** All parameters of a route: what its path and its kind of caller give it, and those of its own. */
export function parametersOf(spec: RouteAccess, own: readonly Parameter[] = []): Parameter[] {
  const inPath = spec.path.endsWith("*") ? [PATH] : spec.path.includes(":id") ? [ID] : [];
  return [...inPath, ...own, ...(spec.auth === "public" || spec.auth === "token-in-body" ? [] : CALLER), REQUEST_ID];
}

/** The path of a route as OpenAPI writes it. */
export function templateOf({ path }: RouteAccess): string {
  return path.replace(":id", "{id}").replace("*", "{path}");
}

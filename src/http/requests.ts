/** From checked JSON to what the use cases take. */
import { badField, Fault } from "../base/fault.ts";
import { canonicalJson } from "../base/hash.ts";
import {
  BATCH_MAX_UNITS,
  IDEMPOTENCY_KEY_MAX_CHARS,
  METADATA_MAX_BYTES,
  PAGE_DEFAULT,
  PAGE_MAX,
  PREVIEW_MAX_SIDE_PIXELS,
  PREVIEW_SIDE_PIXELS,
  TEXT_MAX_BYTES,
  TOP_K_DEFAULT,
} from "../base/limits.ts";
import type { FileRequest } from "../core/files/files.ts";
import type { IngestUnit } from "../core/units/ingest.ts";
import type { TokenRequest } from "../core/tokens/tokens.ts";
import { type Filter, MATCH_ALL, METADATA_KEY, parseFilter } from "../domain/filter.ts";
import { PLANES } from "../domain/plane.ts";
import type { SearchQuery, SimilarQuery } from "../domain/query.ts";
import { IDENTIFIER_RULE, isIdentifier, PERMS } from "../domain/principal.ts";
import { ALL_SCOPES, isScopePath, SCOPE_RULE } from "../domain/scope.ts";
import { TIER_LIMITS, type Tier } from "../domain/tier.ts";
import { checkedJson, checkValues, validator } from "./body.ts";
import { AnswerBody, FileFields, IngestBody, LOCATORS, QueryBody, SessionBody, SimilarBody, TokenBody } from "./schemas.ts";

const KIB = 1024;

function locatorVariant(value: unknown) {
  const kind = (value as { kind?: unknown } | null)?.kind;
  return typeof kind === "string" && Object.hasOwn(LOCATORS, kind) ? LOCATORS[kind as keyof typeof LOCATORS] : null;
}

const ingestBody = validator(IngestBody, locatorVariant);
const queryBody = validator(QueryBody);
const answerBody = validator(AnswerBody);
const fileFields = validator(FileFields);
const similarBody = validator(SimilarBody);
const tokenBody = validator(TokenBody);
export const sessionBody = validator(SessionBody);

/** A token to make. Errors: `bad_request` with a pointer. */
export function parseToken(json: unknown): TokenRequest {
  const { name, principal_id, ...said } = tokenBody(json);
  const { perms, scopes, active_scope, groups } = said;
  const names = [["/name", name], ["/principal_id", principal_id], ...(groups ?? []).map((group, at) => [`/groups/${at}`, group])];
  for (const [pointer = "", text = ""] of names) if (!isIdentifier(text)) throw badField(pointer, `takes ${IDENTIFIER_RULE}`);
  const paths = [
    ...(scopes ?? []).map((scope, at) => [`/scopes/${at}`, scope]),
    ...(active_scope === undefined ? [] : [["/active_scope", active_scope]]),
  ];
  for (const [pointer = "", scope = ""] of paths) {
    if (scope !== ALL_SCOPES && !isScopePath(scope)) throw badField(pointer, `must be ${SCOPE_RULE}, or *`);
  }
  const fields = {
    ...said,
    ...(perms === undefined ? {} : { perms: PERMS.filter((perm) => perms.includes(perm)) }),
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...(groups === undefined ? {} : { groups: [...new Set(groups)].sort() }),
  };
  return { name, principal_id, fields };
}

/** The Units of an ingest body as they were sent; none where it lists none. Errors: `payload_too_large`. */
export function sentUnits(json: unknown): readonly unknown[] {
  const listed = (json as { units?: unknown } | null | undefined)?.units;
  if (!Array.isArray(listed)) return [];
  if (listed.length <= BATCH_MAX_UNITS) return listed;
  throw new Fault("payload_too_large", `a batch has at most ${BATCH_MAX_UNITS} Units; this one has ${listed.length}`, { pointer: "/units" });
}

/** The Units of an ingest body. Errors: `bad_request` or `payload_too_large` with a pointer. */
export function parseIngest(json: unknown): IngestUnit[] {
  checkValues(json);
  const { units } = ingestBody(json);
  units.forEach((unit, index) => {
    const pointer = `/units/${index}`;
    if (Buffer.byteLength(unit.text ?? "") > TEXT_MAX_BYTES) {
      throw new Fault("payload_too_large", `at most ${TEXT_MAX_BYTES / KIB} KiB of UTF-8`, { pointer: `${pointer}/text` });
    }
    checkMetadata(unit.metadata, `${pointer}/metadata`);
  });
  return units as IngestUnit[];
}

function checkMetadata(metadata: Record<string, unknown> | undefined, pointer: string): void {
  if (metadata === undefined) return;
  const badKey = Object.keys(metadata).find((key) => !METADATA_KEY.test(key));
  if (badKey !== undefined) throw badField(pointer, "keys are 1 to 64 letters, digits, dots, dashes or underscores");
  if (Buffer.byteLength(canonicalJson(metadata)) > METADATA_MAX_BYTES) {
    throw new Fault("payload_too_large", `at most ${METADATA_MAX_BYTES / KIB} KiB of JSON`, { pointer });
  }
}

/** The groups that came with a file: the field is repeated, separated by commas, or a JSON array. Errors: `bad_request` for what is no JSON. */
function groupsOf(fields: URLSearchParams): unknown[] {
  return fields.getAll("acl_groups").flatMap((text) => {
    if (text.trimStart().startsWith("[")) return checkedJson(text, "/acl_groups") as unknown[];
    return text
      .split(",")
      .map((group) => group.trim())
      .filter((group) => group !== "");
  });
}

/** The same as far as they can be read: what cannot is refused with the other fields, after the permission was judged. */
export function sentGroups(fields: URLSearchParams): readonly unknown[] {
  try {
    return groupsOf(fields);
  } catch {
    return [];
  }
}

/** What came with a file, from form fields or parameters. Errors: `bad_request`, `payload_too_large`. */
export function parseFileFields(fields: URLSearchParams): Omit<FileRequest, "name" | "scope"> {
  const metadata = jsonField(fields, "metadata");
  const acl_groups = groupsOf(fields);
  const doc_id = fields.get("doc_id") ?? undefined;
  const checked = fileFields({ acl_groups, ...(doc_id === undefined ? {} : { doc_id }), ...(metadata === undefined ? {} : { metadata }) });
  for (const [name, text] of [["doc_id", doc_id], ...acl_groups.map((group) => ["acl_groups", group])] as [string, unknown][]) {
    if (typeof text === "string" && (!text.isWellFormed() || text.includes("\0")))
      throw badField(`/${name}`, "holds a character that cannot be kept");
  }
  checkMetadata(checked.metadata, "/metadata");
  return {
    acl_groups: checked.acl_groups,
    doc_id: checked.doc_id ?? null,
    metadata: (checked.metadata as FileRequest["metadata"] | undefined) ?? null,
  };
}

function jsonField(fields: URLSearchParams, name: string): unknown {
  const text = fields.get(name);
  return text === null ? undefined : checkedJson(text, `/${name}`);
}

/** A search by a Unit. Errors: `bad_request` with a pointer. */
export function parseSimilar(json: unknown, tier: Tier): SimilarQuery {
  const query = similarOf(json, tier);
  if (query.unit_id === null)
    throw badField("/unit_id", "is required; to compare with a picture or sound, send it as the body with its own Content-Type");
  return query;
}

/** A search by what the body holds: the rest of the query are parameters, `filters` as JSON. Errors: as parseSimilar. */
export function parseSimilarParameters(parameters: URLSearchParams, tier: Tier): SimilarQuery {
  const listed = (name: string) => parameters.getAll(name).flatMap((text) => text.split(","));
  const query: Record<string, unknown> = {};
  for (const name of ["planes", "modalities"]) if (parameters.has(name)) query[name] = listed(name);
  for (const name of ["top_k", "min_score"]) if (parameters.has(name)) query[name] = Number(parameters.get(name) || Number.NaN);
  if (parameters.has("doc_id")) query.doc_id = parameters.get("doc_id");
  if (parameters.has("filters")) query.filters = jsonField(parameters, "filters");
  return similarOf(query, tier);
}

function similarOf(json: unknown, tier: Tier): SimilarQuery {
  const { unit_id, ...body } = similarBody(json);
  const { query, warnings } = resolve({ q: "-", ...body }, tier);
  const { top_k, planes, filter, min_score } = query;
  return { unit_id: unit_id ?? null, top_k, planes, filter, min_score, warnings };
}

/** A query, and what of it the tier leaves out. */
export interface ParsedQuery {
  query: SearchQuery;
  warnings: string[];
}

export function parseQuery(json: unknown, tier: Tier): ParsedQuery {
  return resolve(queryBody(json), tier);
}

export function parseAnswerQuery(json: unknown, tier: Tier): ParsedQuery {
  return resolve(answerBody(json), tier);
}

function resolve(body: ReturnType<typeof queryBody>, tier: Tier): ParsedQuery {
  const limits = TIER_LIMITS[tier];
  const asked = PLANES.filter((plane) => body.planes === undefined || body.planes.includes(plane));
  const planes = asked.filter((plane) => limits.planes.includes(plane));
  const warnings: string[] = [];
  if (body.planes !== undefined) {
    for (const plane of asked) if (!planes.includes(plane)) warnings.push(`the ${tier} tier has no ${plane} plane: left out`);
  }
  if (body.rerank && !limits.rerank) warnings.push(`the ${tier} tier has no rerank: left out`);
  if (body.answer && !limits.answers) warnings.push(`the ${tier} tier has no answers: left out`);
  const answer = body.answer === true && limits.answers;
  return {
    warnings,
    query: {
      q: body.q,
      top_k: body.top_k ?? TOP_K_DEFAULT,
      mode: body.mode ?? "hybrid",
      planes,
      filter: filterOf(body),
      group_by: body.group_by ?? null,
      min_score: body.min_score ?? null,
      explain: body.explain ?? false,
      // An answer is looked for in what was read, unless the caller wants the hits as the first stage ranks them.
      rerank: (body.rerank ?? answer) && limits.rerank,
      answer,
    },
  };
}

function filterOf(body: ReturnType<typeof queryBody>): Filter {
  const of: Filter[] = [];
  if (body.filters !== undefined) of.push(parseFilter(body.filters));
  if (body.modalities !== undefined) of.push({ op: "in", field: "modality", values: body.modalities });
  if (body.doc_id !== undefined) of.push({ op: "in", field: "doc_id", values: [body.doc_id] });
  return of.length === 0 ? MATCH_ALL : of.length === 1 && of[0] ? of[0] : { op: "and", of };
}

/** The query string of a URL, as it was sent, without its question mark. */
export function rawQuery(url: string): string {
  return url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
}

/** The parameters of a query string, decoded once. Errors: `bad_request` for what is no query string. */
export function queryParameters(url: string): URLSearchParams {
  const raw = rawQuery(url);
  try {
    decodeURIComponent(raw.replaceAll("+", " "));
  } catch {
    throw new Fault("bad_request", "the query string is not valid percent-encoded UTF-8");
  }
  return new URLSearchParams(raw);
}

/** `limit` (clamped to the maximum) and `cursor` (an offset) of a listing. */
export function parsePage(parameters: URLSearchParams): { limit: number; offset: number } {
  return {
    limit: Math.min(PAGE_MAX, wholeNumber(parameters, "limit", 1) ?? PAGE_DEFAULT),
    offset: wholeNumber(parameters, "cursor", 0) ?? 0,
  };
}

/** The longer side of a preview in pixels. */
export function parsePreviewSide(parameters: URLSearchParams): number {
  return Math.min(PREVIEW_MAX_SIDE_PIXELS, wholeNumber(parameters, "size", 1) ?? PREVIEW_SIDE_PIXELS);
}

const FLAG = new Map([
  ["true", true],
  ["1", true],
  ["", true],
  ["false", false],
  ["0", false],
]);

/** A parameter that is true or false; false when it is absent, true when it is there without a value. */
export function flag(parameters: URLSearchParams, name: string): boolean {
  const value = FLAG.get(parameters.get(name) ?? "false");
  if (value === undefined) throw new Fault("bad_request", "must be true or false", { pointer: `/${name}` });
  return value;
}

function wholeNumber(parameters: URLSearchParams, name: string, least: number): number | null {
  const text = parameters.get(name);
  if (text === null) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) throw new Fault("bad_request", `${name} must be a whole number of at least ${least}`, { pointer: `/${name}` });
  return value;
}

/** The `Idempotency-Key` header, or null. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!new RegExp(`^[\\x20-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_CHARS}}$`).test(key)) {
    throw new Fault("bad_request", `Idempotency-Key takes 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} printable characters`);
  }
  return key;
}

/**
 * The filter language of a query: Mongo-style JSON, parsed into a typed tree. Each engine compiles
 * the tree itself; no string of a caller ever becomes SQL or query syntax.
 */
import { badField } from "../base/fault.ts";
import { FILTER_LIST_MAX_ITEMS, FILTER_MAX_DEPTH, FILTER_MAX_NODES, METADATA_KEY_MAX_CHARS } from "../base/limits.ts";
import { INSTANT_FORMS, instantOf } from "./time.ts";
import type { Unit } from "./unit.ts";

/** Fields by type. Keywords compare as whole strings, each part of a `path` by itself; integers are ms or non-negative counts. */
export const KEYWORDS = ["modality", "plane", "scope", "doc_id", "path", "source_uri", "mime", "acl_owner", "locator.kind"] as const;
export const INTEGERS = ["created_at", "locator.t_start_ms", "locator.t_end_ms"] as const;
export type KeywordField = (typeof KEYWORDS)[number];
export type IntegerField = (typeof INTEGERS)[number];
export type MetadataField = `metadata.${string}`;
export type Field = KeywordField | IntegerField | MetadataField;
export type Scalar = string | number | boolean;

export interface RangeBounds {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

export type Filter =
  | { op: "and" | "or"; of: Filter[] }
  | { op: "not"; of: Filter }
  | { op: "in"; field: Field; values: Scalar[] }
  | { op: "range"; field: IntegerField | MetadataField; bounds: RangeBounds }
  | { op: "prefix"; field: KeywordField | MetadataField; prefix: string }
  | { op: "exists"; field: Field };

/** A key of `metadata`. `__proto__` is none, since assigning it changes an object's prototype. */
export const METADATA_KEY = new RegExp(`^(?!__proto__$)[A-Za-z0-9_.-]{1,${METADATA_KEY_MAX_CHARS}}$`);
export const MATCH_ALL: Filter = { op: "and", of: [] };

/** Whether a filter keeps everything because it says nothing. */
export function isEmpty(filter: Filter): boolean {
  return filter.op === "and" && filter.of.length === 0;
}

export function isKeyword(field: string): field is KeywordField {
  return (KEYWORDS as readonly string[]).includes(field);
}
export function isInteger(field: string): field is IntegerField {
  return (INTEGERS as readonly string[]).includes(field);
}
export function isMetadata(field: string): field is MetadataField {
  return field.startsWith("metadata.");
}
export function metadataKey(field: MetadataField): string {
  return field.slice("metadata.".length);
}

interface Budget {
  nodes: number;
  /** What relative times are counted from, in ms since the epoch. */
  readonly now: number;
}

function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function spend(budget: Budget, pointer: string, depth: number): void {
  budget.nodes += 1;
  if (budget.nodes > FILTER_MAX_NODES) throw badField(pointer, `a filter has at most ${FILTER_MAX_NODES} nodes`);
  if (depth > FILTER_MAX_DEPTH) throw badField(pointer, `a filter nests at most ${FILTER_MAX_DEPTH} deep`);
}

/** Parses the `filters` member of a query. `now`: what relative times are counted from. Errors: 400 that names the member. */
export function parseFilter(json: unknown, now = 0): Filter {
  return parseObject(json, "/filters", 1, { nodes: 0, now });
}

function parseObject(json: unknown, pointer: string, depth: number, budget: Budget): Filter {
  if (!isRecord(json)) throw badField(pointer, "must be an object");
  spend(budget, pointer, depth);
  const parts = Object.entries(json).map(([key, value]) => parseMember(key, value, pointerTo(pointer, key), depth, budget));
  return parts.length === 1 && parts[0] ? parts[0] : { op: "and", of: parts };
}

function parseMember(key: string, value: unknown, pointer: string, depth: number, budget: Budget): Filter {
  if (key === "$and" || key === "$or") {
    if (!Array.isArray(value) || value.length === 0) throw badField(pointer, "must be a non-empty array of filters");
    const of = value.map((item, index) => parseObject(item, pointerTo(pointer, index), depth + 1, budget));
    return { op: key === "$and" ? "and" : "or", of };
  }
  if (key === "$not") return { op: "not", of: parseObject(value, pointer, depth + 1, budget) };
  if (key.startsWith("$")) throw badField(pointer, "unknown operator; the ones between fields are $and, $or, $not");
  return parseField(fieldNamed(key, pointer), value, pointer, depth, budget);
}

function fieldNamed(name: string, pointer: string): Field {
  if (isKeyword(name) || isInteger(name) || (isMetadata(name) && METADATA_KEY.test(metadataKey(name)))) return name;
  throw badField(pointer, `unknown field; fields are ${[...KEYWORDS, ...INTEGERS].join(", ")} and metadata.<key>`);
}

function parseField(field: Field, value: unknown, pointer: string, depth: number, budget: Budget): Filter {
  spend(budget, pointer, depth);
  if (Array.isArray(value)) return { op: "in", field, values: scalars(field, value, pointer) };
  if (!isRecord(value)) return { op: "in", field, values: [scalar(field, value, pointer)] };
  return parseOperators(field, value, pointer, depth, budget);
}

const RANGE_OPERATORS = { $gt: "gt", $gte: "gte", $lt: "lt", $lte: "lte" } as const;

function parseOperators(field: Field, operators: Record<string, unknown>, pointer: string, depth: number, budget: Budget): Filter {
  if (Object.keys(operators).length === 0) throw badField(pointer, "needs a value or an operator such as $eq");
  const of: Filter[] = [];
  const bounds: RangeBounds = {};
  for (const [name, operand] of Object.entries(operators)) {
    const at = pointerTo(pointer, name);
    spend(budget, at, depth);
    if (Object.hasOwn(RANGE_OPERATORS, name)) bounds[RANGE_OPERATORS[name as keyof typeof RANGE_OPERATORS]] = bound(field, operand, at, budget.now);
    else of.push(parseOperator(field, name, operand, at, depth, budget));
  }
  if (Object.keys(bounds).length > 0) of.unshift({ op: "range", field: field as IntegerField | MetadataField, bounds });
  return of.length === 1 && of[0] ? of[0] : { op: "and", of };
}

function parseOperator(field: Field, name: string, operand: unknown, pointer: string, depth: number, budget: Budget): Filter {
  switch (name) {
    case "$eq":
      return { op: "in", field, values: [scalar(field, operand, pointer)] };
    case "$ne":
      return { op: "not", of: { op: "in", field, values: [scalar(field, operand, pointer)] } };
    case "$in":
      return { op: "in", field, values: scalars(field, operand, pointer) };
    case "$nin":
      return { op: "not", of: { op: "in", field, values: scalars(field, operand, pointer) } };
    case "$exists":
      if (typeof operand !== "boolean") throw badField(pointer, "must be true or false");
      return operand ? { op: "exists", field } : { op: "not", of: { op: "exists", field } };
    case "$prefix":
      if (isInteger(field)) throw badField(pointer, `$prefix does not apply to the integer field ${field}`);
      if (typeof operand !== "string" || operand.length === 0) throw badField(pointer, "must be a non-empty string");
      return { op: "prefix", field, prefix: operand };
    case "$not":
      return { op: "not", of: parseField(field, operand, pointer, depth + 1, budget) };
    default:
      throw badField(pointer, "unknown operator; field operators are $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists, $prefix, $not");
  }
}

function scalars(field: Field, value: unknown, pointer: string): Scalar[] {
  if (!Array.isArray(value)) throw badField(pointer, "must be an array");
  if (value.length > FILTER_LIST_MAX_ITEMS) throw badField(pointer, `has at most ${FILTER_LIST_MAX_ITEMS} values`);
  return value.map((item, index) => scalar(field, item, pointerTo(pointer, index)));
}

function scalar(field: Field, value: unknown, pointer: string): Scalar {
  if (isKeyword(field)) {
    if (typeof value !== "string") throw badField(pointer, `${field} compares with a string`);
    return value;
  }
  if (isInteger(field)) return integer(field, value, pointer);
  if (typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
  throw badField(pointer, "must be a string, a number or a boolean");
}

function integer(field: IntegerField, value: unknown, pointer: string): number {
  if (field === "created_at" && typeof value === "string")
    throw badField(pointer, "created_at compares with ms since the epoch; dates stand in ranges ($gt, $gte, $lt, $lte)");
  if (!Number.isSafeInteger(value)) throw badField(pointer, `${field} compares with an integer`);
  return value as number;
}

function bound(field: Field, value: unknown, pointer: string, now: number): number {
  if (field === "created_at" && typeof value === "string") {
    const instant = instantOf(value, now);
    if (instant === null) throw badField(pointer, `created_at compares with ms since the epoch, or ${INSTANT_FORMS}`);
    return instant;
  }
  if (isKeyword(field)) throw badField(pointer, `a range does not apply to ${field}; use $prefix or $in`);
  if (isInteger(field)) return integer(field, value, pointer);
  if (typeof value !== "number" || !Number.isFinite(value)) throw badField(pointer, "must be a number");
  return value;
}

/** What a walk over a filter makes of each kind of node. `all`, `any` and `not` get what it made of the parts. */
export interface FilterFold<T> {
  all(parts: readonly T[]): T;
  any(parts: readonly T[]): T;
  not(part: T): T;
  in(field: Field, values: readonly Scalar[]): T;
  range(field: IntegerField | MetadataField, bounds: RangeBounds): T;
  prefix(field: KeywordField | MetadataField, prefix: string): T;
  exists(field: Field): T;
}

/** The one walk over a filter, from the leaves up. */
export function foldFilter<T>(filter: Filter, fold: FilterFold<T>): T {
  if (filter.op === "in") return fold.in(filter.field, filter.values);
  if (filter.op === "range") return fold.range(filter.field, filter.bounds);
  if (filter.op === "prefix") return fold.prefix(filter.field, filter.prefix);
  if (filter.op === "exists") return fold.exists(filter.field);
  if (filter.op === "not") return fold.not(foldFilter(filter.of, fold));
  const parts = filter.of.map((part) => foldFilter(part, fold));
  return filter.op === "and" ? fold.all(parts) : fold.any(parts);
}

const every = (parts: readonly boolean[]) => parts.every((part) => part);
const NATIVE: FilterFold<boolean> = {
  all: every,
  any: every,
  not: (part) => part,
  in: () => true,
  range: (field) => !isMetadata(field),
  prefix: (field) => !isMetadata(field),
  exists: () => true,
};

/**
 * True when both engines express the filter exactly. Ranges and prefixes over metadata are the
 * exceptions: metadata is indexed as whole `key=value` tokens.
 */
export function isNative(filter: Filter): boolean {
  return foldFilter(filter, NATIVE);
}

/** Whether a filter compares a field. */
export function compares(filter: Filter, field: Field): boolean {
  const some = (parts: readonly boolean[]) => parts.includes(true);
  const named = (each: Field) => each === field;
  return foldFilter(filter, { all: some, any: some, not: (part) => part, in: named, range: named, prefix: named, exists: named });
}

/** The tokens that stand for a Unit's metadata in both engines: each key, and each key with each value. */
export function metadataTokens(metadata: Unit["metadata"]): string[] {
  return Object.entries(metadata ?? {}).flatMap(([key, value]) => [
    key,
    ...(Array.isArray(value) ? value : [value]).map((item) => metadataToken(key, item)),
  ]);
}

/** The token of one metadata value. `=` cannot stand in a key, so a token never is a bare key. */
export function metadataToken(key: string, value: Scalar): string {
  return `${key}=${typeof value === "string" ? "s" : typeof value === "number" ? "n" : "b"}:${value}`;
}

/**
 * A path as one string, in which the engines find its parts: each as JSON writes it, without the quotes, between line ends.
 * JSON escapes those inside a part, and character by character, so that the beginning of a part stays one.
 */
export function pathText(parts: readonly string[]): string {
  return parts.length === 0 ? "" : `\n${parts.map((part) => `${escaped(part)}\n`).join("")}`;
}

/** What the text of a path contains exactly when it has this part. */
export function pathPart(part: string): string {
  return `\n${escaped(part)}\n`;
}

/** What the text of a path contains exactly when a part of it begins so. */
export function pathPartBeginning(prefix: string): string {
  return `\n${escaped(prefix)}`;
}

function escaped(part: string): string {
  return JSON.stringify(part).slice(1, -1);
}

/** What a Unit holds under a field: none, one or (a path, arrays in metadata) several values. */
export function fieldValues(unit: Unit, field: Field): Scalar[] {
  if (isMetadata(field)) {
    const value = Object.hasOwn(unit.metadata ?? {}, metadataKey(field)) ? (unit.metadata?.[metadataKey(field)] ?? []) : [];
    return Array.isArray(value) ? value : [value];
  }
  const value = field.startsWith("locator.")
    ? (unit.locator as Record<string, unknown> | null)?.[field.slice("locator.".length)]
    : unit[field as Exclude<Field, MetadataField | `locator.${string}`>];
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value as Scalar];
}

/** True when the Unit passes: the meaning of a filter, which every engine's compilation must agree with. */
export function matches(filter: Filter, unit: Unit): boolean {
  return foldFilter(filter, {
    all: every,
    any: (parts) => parts.some((part) => part),
    not: (part) => !part,
    in: (field, values) => fieldValues(unit, field).some((value) => values.includes(value)),
    range: (field, bounds) => fieldValues(unit, field).some((value) => typeof value === "number" && within(value, bounds)),
    prefix: (field, prefix) => fieldValues(unit, field).some((value) => typeof value === "string" && value.startsWith(prefix)),
    exists: (field) => (isMetadata(field) ? Object.hasOwn(unit.metadata ?? {}, metadataKey(field)) : fieldValues(unit, field).length > 0),
  });
}

function within(value: number, { gt, gte, lt, lte }: RangeBounds): boolean {
  return (
    (gt === undefined || value > gt) && (gte === undefined || value >= gte) && (lt === undefined || value < lt) && (lte === undefined || value <= lte)
  );
}

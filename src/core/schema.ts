/** Schemas that several operations share, for what is accepted, what is returned and the OpenAPI document, and the checks of what a caller sent. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler, type ValueError } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { assert, badField, FAULT_STATUS, Fault, type FaultKind } from "../base/fault.ts";
import {
  ID_MAX_CHARS,
  JSON_MAX_DEPTH,
  METADATA_ARRAY_MAX_ITEMS,
  METADATA_MAX_KEYS,
  METADATA_STRING_MAX_CHARS,
  PAGE_DEFAULT,
  PAGE_MAX,
  PATH_MAX_PARTS,
  PATH_PART_MAX_CHARS,
} from "../base/limits.ts";
import { MODALITIES, PLANES } from "../domain/plane.ts";
import { PERMS } from "../domain/principal.ts";

export function oneOf<T extends string>(values: readonly T[]) {
  return Type.Union(values.map((value) => Type.Literal(value)));
}

/** As a parameter of a query string, which the OpenAPI document gives a type. */
export function choiceOf<T extends string>(values: readonly T[], description: string) {
  return Type.Union(oneOf(values).anyOf, { type: "string", description });
}

export const Plane = oneOf(PLANES);
export const Modality = oneOf(MODALITIES);
export const Count = Type.Integer({ minimum: 0 });
export const Millis = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Line = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Ratio = Type.Number({ minimum: 0, maximum: 1 });
export const Id = Type.String({ minLength: 1, maxLength: ID_MAX_CHARS });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const closed = { additionalProperties: false };
export const LOCATORS = {
  time_range: Type.Object({ kind: Type.Literal("time_range"), t_start_ms: Millis, t_end_ms: Millis }, closed),
  bbox: Type.Object({ kind: Type.Literal("bbox"), page: Type.Optional(Line), x: Ratio, y: Ratio, w: Ratio, h: Ratio }, closed),
  char_span: Type.Object({ kind: Type.Literal("char_span"), start: Offset, end: Offset }, closed),
  line_range: Type.Object({ kind: Type.Literal("line_range"), start: Line, end: Line }, closed),
};
export const Locator = Type.Union(Object.values(LOCATORS));

export const Path = Type.Array(Type.String({ minLength: 1, maxLength: PATH_PART_MAX_CHARS }), {
  maxItems: PATH_MAX_PARTS,
  description: "Where the Unit stands in its document, outermost first: title, headings, defined term, table caption.",
});
const MetadataString = Type.String({ maxLength: METADATA_STRING_MAX_CHARS });
export const Metadata = Type.Record(
  Type.String(),
  Type.Union([MetadataString, Type.Number(), Type.Boolean(), Type.Array(MetadataString, { maxItems: METADATA_ARRAY_MAX_ITEMS })]),
  { maxProperties: METADATA_MAX_KEYS, description: "A flat object of strings, numbers, booleans or arrays of strings." },
);

export const ErrorBody = Type.Object({
  error: oneOf(Object.keys(FAULT_STATUS) as FaultKind[]),
  detail: Type.String(),
  status: Type.Integer(),
});

export const UnitFields = {
  unit_id: Type.String(),
  text: Type.Optional(Type.String()),
  modality: Modality,
  plane: Plane,
  namespace: Type.String(),
  scope: Type.String(),
  source_uri: Type.Optional(Type.String()),
  mime: Type.Optional(Type.String()),
  locator: Type.Optional(Locator),
  doc_id: Type.Optional(Type.String()),
  path: Type.Optional(Path),
  acl_owner: Type.String(),
  acl_groups: Type.Array(Type.String()),
  metadata: Type.Optional(Metadata),
  content_sha256: Nullable(Type.String()),
  created_at: Millis,
  updated_at: Millis,
};
export const UnitBody = Type.Object(UnitFields);

export const Context = Type.Object({
  principal: Type.Object({
    principal_id: Type.String(),
    namespace: Type.String(),
    read_only: Type.Boolean(),
    groups: Type.Array(Type.String()),
  }),
  active_scope: Type.String(),
  requested_scope: Type.String(),
  effective_scopes: Type.Array(Type.String()),
  allowed_scopes: Type.Array(Type.String()),
  perms: Type.Array(oneOf(PERMS)),
  folders_visible: Count,
  folders_total: Count,
});

export const Removed = Type.Object({ removed: Count });

/** What names one thing. */
export const ById = Type.Object({ id: Type.String({ description: "Id, as another operation returned it." }) });
export type ById = Static<typeof ById>;

/** A page of a listing. */
export const Page = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: PAGE_DEFAULT, description: `Rows of a page; more than ${PAGE_MAX} counts as ${PAGE_MAX}.` }),
  ),
  cursor: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: "`next_cursor` of the page before." })),
});
export type Page = Static<typeof Page>;

/** How many rows are wanted, and how many are passed over. */
export function pageOf({ limit = PAGE_DEFAULT, cursor = 0 }: Page): { limit: number; offset: number } {
  return { limit: Math.min(PAGE_MAX, limit), offset: cursor };
}

// --- checks: every fault names the field at its JSON pointer ----------------------------------

/** Refuses values that cannot be stored as they are: NUL, lone surrogates, infinite numbers, deep nesting. */
export function checkValues(value: unknown, pointer = "", depth = 1): void {
  if (typeof value === "string") checkString(value, pointer);
  if (typeof value === "number" && !Number.isFinite(value)) throw badField(pointer, "is a number beyond the range of a double");
  if (typeof value !== "object" || value === null) return;
  if (depth > JSON_MAX_DEPTH) throw badField(pointer, `nests deeper than ${JSON_MAX_DEPTH}`);
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    checkString(key, pointer === "" ? "/" : pointer);
    // Assigning this name when an object is copied sets its prototype.
    if (key === "__proto__") throw badField(at, "is a name that no member may have");
    checkValues(member, at, depth + 1);
  }
}

function checkString(text: string, pointer: string): void {
  if (!text.isWellFormed()) throw badField(pointer, "holds a lone surrogate");
  if (text.includes("\0")) throw badField(pointer, "holds a NUL character");
}

const compiledShapes = new Map<TSchema, TypeCheck<TSchema>>();

/** A result as it may leave: with the members that its schema names and no others. Errors: an Error when it does not fit, which is a bug. */
export function shaped(schema: TSchema, value: unknown): unknown {
  const compiled = compiledShapes.get(schema) ?? TypeCompiler.Compile(schema);
  compiledShapes.set(schema, compiled);
  const clean = Value.Clean(schema, structuredClone(value));
  assert(compiled.Check(clean), "a result fits its schema");
  return clean;
}

/** Checks values of one shape. `variants` maps a union's pointer to the schema that a value claims to follow. */
export function validator<T extends TSchema>(schema: T, variants: (value: unknown) => TSchema | null = () => null) {
  const compiled = TypeCompiler.Compile(schema);
  return (value: unknown): Static<T> => {
    if (compiled.Check(value)) return value as Static<T>;
    const fault = compiled.Errors(value).First();
    throw fault ? explain(fault, variants) : new Fault("bad_request", "the body does not fit");
  };
}

function explain(fault: ValueError, variants: (value: unknown) => TSchema | null): Fault {
  const variant = fault.schema.anyOf ? variants(fault.value) : null;
  const inner = variant && TypeCompiler.Compile(variant).Errors(fault.value).First();
  if (inner) return badField(fault.path + inner.path, sentence(inner));
  if (fault.path === "") return new Fault("bad_request", fault.value === undefined ? "a JSON body is required" : sentence(fault));
  return badField(fault.path, sentence(fault));
}

/** What a field must be, in words made of its schema alone. */
function sentence({ schema, value }: ValueError): string {
  if (value === undefined) return "is required";
  const choices = (schema.anyOf as TSchema[] | undefined)?.map((choice) => choice.const as unknown);
  if (choices?.every((choice) => typeof choice === "string")) return `must be one of ${choices.join(", ")}`;
  if (schema.const !== undefined) return `must be ${JSON.stringify(schema.const)}`;
  if (schema.type === "string") return `must be a string of ${range(schema.minLength, schema.maxLength)} characters`;
  if (schema.type === "array") return `must be an array of ${range(schema.minItems, schema.maxItems)} items`;
  if (schema.type === "integer" || schema.type === "number") {
    const article = schema.type === "integer" ? "an integer" : "a number";
    return schema.minimum === undefined ? `must be ${article}` : `must be ${article} of ${range(schema.minimum, schema.maximum)}`;
  }
  if (schema.type === "object")
    return schema.maxProperties === undefined ? "must be an object" : `must be an object of at most ${schema.maxProperties} members`;
  if (schema.type === "boolean") return "must be true or false";
  return "has a member or a value that is not allowed here";
}

function range(least: unknown, most: unknown): string {
  if (most === undefined || most === Number.MAX_SAFE_INTEGER) return `at least ${least ?? 0}`;
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
}

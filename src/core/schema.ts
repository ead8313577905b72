/** Schemas that several operations share, for what is accepted, what is returned and the OpenAPI document, and the checks of what a caller sent. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler, type ValueError } from "@sinclair/typebox/compiler";
import { ValueErrorType } from "@sinclair/typebox/errors";
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

/** A schema, with what is said of it where it is used. */
export function describe<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description };
}

/** A text of any length, as it is returned. */
export function text(description: string) {
  return Type.String({ description });
}

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
export const NextCursor = describe(Nullable(Count), "`cursor` of the next page; null: there are no more.");

const closed = { additionalProperties: false };
export const LOCATORS = {
  time_range: Type.Object(
    { kind: Type.Literal("time_range"), t_start_ms: describe(Millis, "Start, in ms."), t_end_ms: describe(Millis, "End, in ms.") },
    closed,
  ),
  bbox: Type.Object(
    {
      kind: Type.Literal("bbox"),
      page: Type.Optional(describe(Line, "Page of a document, from 1.")),
      x: describe(Ratio, "Left edge, as a share of the width."),
      y: describe(Ratio, "Upper edge, as a share of the height."),
      w: describe(Ratio, "Width of the box, as a share of the whole."),
      h: describe(Ratio, "Height of the box, as a share of the whole."),
    },
    closed,
  ),
  char_span: Type.Object(
    {
      kind: Type.Literal("char_span"),
      start: describe(Offset, "Where it begins, in UTF-16 code units."),
      end: describe(Offset, "Where it ends, in UTF-16 code units; excluded."),
    },
    closed,
  ),
  line_range: Type.Object(
    { kind: Type.Literal("line_range"), start: describe(Line, "First line, from 1."), end: describe(Line, "Last line; included.") },
    closed,
  ),
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
  detail: text("What is wrong, in words."),
  status: describe(Type.Integer(), "The HTTP status."),
});

export const UnitFields = {
  unit_id: text("`u_` and a hash of what the Unit is: the same Unit has the same id."),
  text: Type.Optional(text("What is embedded and found by its words; absent where there is none.")),
  modality: Modality,
  plane: Plane,
  namespace: text("Namespace that it lies in."),
  scope: text("Path of the scope that it lies in."),
  source_uri: Type.Optional(text("Where its source is; `strata://files/<file_id>` of a stored file.")),
  mime: Type.Optional(text("Content type of its source.")),
  locator: Type.Optional(Locator),
  doc_id: Type.Optional(text("Groups the Units of one source.")),
  path: Type.Optional(Path),
  acl_owner: text("Principal that owns it."),
  acl_groups: describe(Type.Array(Type.String()), "Groups that may read it, beside its owner."),
  metadata: Type.Optional(Metadata),
  content_sha256: describe(Nullable(Type.String()), "SHA-256 of `text`, as hex; null without a text."),
  created_at: describe(Millis, "When it was first stored, in ms since the Unix epoch."),
  updated_at: describe(Millis, "When it was last changed, in ms since the Unix epoch."),
};
export const UnitBody = Type.Object(UnitFields);

export const Context = Type.Object({
  principal: Type.Object({
    principal_id: text("Its id."),
    namespace: text("Namespace that the request works in."),
    read_only: describe(Type.Boolean(), "True: it may only read, whatever its other permissions."),
    groups: describe(Type.Array(Type.String()), "Groups that it belongs to."),
  }),
  active_scope: text("Scope of requests that name none; `*`: all that the principal may use."),
  requested_scope: text("Scope that the request asked for, else the active one."),
  effective_scopes: describe(
    Type.Array(Type.String()),
    "Registered scopes that the request runs against; empty where it asked for one that the principal may not use.",
  ),
  allowed_scopes: describe(Type.Array(Type.String()), "Registered scopes that the principal may use."),
  perms: describe(Type.Array(oneOf(PERMS)), "What the caller may do in the requested scope."),
  folders_visible: describe(Count, "Number of registered scopes that the principal may use."),
  folders_total: describe(Count, "Number of registered scopes of the namespace."),
});

export const Removed = Type.Object({ removed: describe(Count, "Units that were removed; of a scope, 1.") });

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
  if (isVector(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    checkString(key, pointer === "" ? "/" : pointer);
    // Assigning this name when an object is copied sets its prototype.
    if (key === "__proto__") throw badField(at, "is a name that no member may have");
    checkValues(member, at, depth + 1);
  }
}

/** Finite numbers alone: a batch may bring hundreds of thousands, which need no pointers. */
function isVector(value: object): boolean {
  return Array.isArray(value) && value.every(Number.isFinite);
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
  const told = fault.schema.anyOf ? tellingApart(fault.schema.anyOf as TSchema[]) : null;
  if (told && typeof fault.value === "object" && fault.value !== null && !Array.isArray(fault.value))
    return badField(`${fault.path}/${told.name}`, `must be one of ${told.values.join(", ")}`);
  if (fault.path === "") return new Fault("bad_request", fault.value === undefined ? "a JSON body is required" : sentence(fault));
  return badField(fault.path, sentence(fault));
}

/** The member by whose value several shapes of an object are told apart, and its values; null without one. */
function tellingApart(choices: readonly TSchema[]): { name: string; values: string[] } | null {
  const [first] = choices;
  for (const name of Object.keys(first?.properties ?? {})) {
    const values = choices.map((choice) => choice.properties?.[name]?.const as unknown);
    if (values.every((value) => typeof value === "string")) return { name, values };
  }
  return null;
}

/** What a field must be, in words made of its schema alone. */
function sentence({ schema, value, type }: ValueError): string {
  if (value === undefined) return "is required";
  if (type === ValueErrorType.ObjectAdditionalProperties) return `is no member here; there are ${Object.keys(schema.properties ?? {}).join(", ")}`;
  if (type === ValueErrorType.StringPattern) return `must match ${schema.pattern}`;
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
  const each = ((schema.anyOf ?? []) as TSchema[]).map((choice) => sentence({ schema: choice, value } as ValueError));
  if (each.length > 0 && each.every((one) => one.startsWith(MUST)))
    return MUST + [...new Set(each.map((one) => one.slice(MUST.length)))].join(", or ");
  return "has a member or a value that is not allowed here";
}

const MUST = "must be ";

function range(least: unknown, most: unknown): string {
  if (most === undefined || most === Number.MAX_SAFE_INTEGER) return `at least ${least ?? 0}`;
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
}

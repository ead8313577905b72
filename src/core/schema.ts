/** Schemas that several operations share: what is accepted, what is returned, and what the OpenAPI document says. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { FAULT_STATUS, type FaultKind } from "../base/fault.ts";
import { ID_MAX_CHARS, METADATA_ARRAY_MAX_ITEMS, METADATA_MAX_KEYS, METADATA_STRING_MAX_CHARS, PAGE_DEFAULT, PAGE_MAX } from "../base/limits.ts";
import { MODALITIES, PLANES } from "../domain/plane.ts";
import { PERMS } from "../domain/principal.ts";

export function oneOf<T extends string>(values: readonly T[]) {
  return Type.Union(values.map((value) => Type.Literal(value)));
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

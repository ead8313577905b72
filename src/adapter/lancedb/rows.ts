/** One plane's table: its columns, its rows as an Arrow batch, and filters as SQL over those columns. */
import type * as Arrow from "apache-arrow";
import { assert } from "../../base/fault.ts";
import {
  type Field,
  type Filter,
  foldFilter,
  INTEGERS,
  isEmpty,
  isInteger,
  isKeyword,
  isMetadata,
  metadataKey,
  metadataToken,
  metadataTokens,
  pathPart,
  pathPartBeginning,
  pathText,
  type RangeBounds,
  type Scalar,
} from "../../domain/filter.ts";
import type { Plane } from "../../domain/plane.ts";
import type { IndexEntry, Restriction } from "../../domain/port/index.ts";
import { type AttributeRows, TEXT_FIELDS, type TextColumn } from "../../domain/port/vector-index.ts";

/** The CommonJS build, which LanceDB itself loads: LanceDB refuses tables of the ES module build. */
const arrow = require("apache-arrow") as typeof Arrow;

/** The values of absent members: no column is nullable, since in SQL a NULL passes neither a filter nor its NOT. */
const ABSENT_TEXT = "";
const ABSENT_INTEGER = -1;

const INT32 = ["uid", "version", "win", "class_id"] as const;
const INT64 = ["created_at", "t_start_ms", "t_end_ms"] as const;
const TEXT = ["modality", "scope", "doc_id", "path", "source_uri", "mime", "acl_owner", "locator_kind"] as const;

/** Columns that a scalar index makes faster, with its kind. */
export const SCALAR_INDEXES = {
  uid: "btree",
  class_id: "bitmap",
  modality: "bitmap",
  created_at: "btree",
  doc_id: "btree",
  tags: "labelList",
} as const;

export function tableSchema(dims: number): Arrow.Schema {
  const field = (name: string, type: Arrow.DataType) => new arrow.Field(name, type, false);
  return new arrow.Schema([
    ...INT32.map((name) => field(name, new arrow.Int32())),
    ...INT64.map((name) => field(name, new arrow.Int64())),
    ...TEXT.map((name) => field(name, new arrow.Utf8())),
    field("tags", new arrow.List(new arrow.Field("item", new arrow.Utf8(), true))),
    field("vector", new arrow.FixedSizeList(dims, new arrow.Field("item", new arrow.Float16(), true))),
  ]);
}

function utf8(values: readonly string[]): Arrow.Data {
  const offsets = new Int32Array(values.length + 1);
  values.forEach((value, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + Buffer.byteLength(value);
  });
  const data = Buffer.from(values.join(""));
  return arrow.makeData({ type: new arrow.Utf8(), length: values.length, nullCount: 0, valueOffsets: offsets, data });
}

interface Row {
  entry: IndexEntry;
  window: number;
}

function int32Of({ entry: { unit }, window }: Row, name: (typeof INT32)[number]): number {
  return { uid: unit.uid, version: unit.version, win: window, class_id: unit.classId }[name];
}

function int64Of({ entry: { unit } }: Row, name: (typeof INT64)[number]): bigint {
  if (name === "created_at") return BigInt(unit.created_at);
  return BigInt(unit.locator?.kind === "time_range" ? unit.locator[name] : ABSENT_INTEGER);
}

function textOf({ entry: { unit } }: Row, name: (typeof TEXT)[number]): string {
  if (name === "path") return pathText(unit.path ?? []);
  return (name === "locator_kind" ? unit.locator?.kind : unit[name]) ?? ABSENT_TEXT;
}

/** Every window of every entry as a row of one Arrow batch. */
export function tableRows(entries: readonly IndexEntry[], dims: number): Arrow.Table {
  const rows = entries.flatMap((entry): Row[] => entry.windows.map((_, window) => ({ entry, window })));
  const schema = tableSchema(dims);
  const tags = rows.map(({ entry }) => metadataTokens(entry.unit.metadata));
  const tagOffsets = new Int32Array(rows.length + 1);
  tags.forEach((list, index) => {
    tagOffsets[index + 1] = (tagOffsets[index] ?? 0) + list.length;
  });
  const halves = new Float16Array(rows.length * dims);
  rows.forEach(({ entry, window }, index) => {
    halves.set(entry.windows[window]?.vector ?? [], index * dims);
  });
  const typeOf = (name: string) => schema.fields.find((field) => field.name === name)?.type as Arrow.DataType;
  const vectors = arrow.makeData({ type: new arrow.Float16(), data: new Uint16Array(halves.buffer) });
  const lists = { type: typeOf("tags") as Arrow.List, length: rows.length, nullCount: 0, valueOffsets: tagOffsets, child: utf8(tags.flat()) };
  const fixed = { type: typeOf("vector") as Arrow.FixedSizeList, length: rows.length, nullCount: 0, child: vectors };
  const children = [
    ...INT32.map((name) => arrow.makeData({ type: new arrow.Int32(), data: Int32Array.from(rows, (row) => int32Of(row, name)) })),
    ...INT64.map((name) => arrow.makeData({ type: new arrow.Int64(), data: BigInt64Array.from(rows.map((row) => int64Of(row, name))) })),
    ...TEXT.map((name) => utf8(rows.map((row) => textOf(row, name)))),
    arrow.makeData(lists as never),
    arrow.makeData(fixed as never),
  ];
  const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length: rows.length, nullCount: 0, children: children as Arrow.Data[] });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

/** The vectors of a batch of rows, one behind the other. */
export function halvesOf(batch: Arrow.RecordBatch): Float16Array {
  const lists = batch.getChild("vector")?.data[0];
  const values = lists?.children[0]?.values;
  assert(lists !== undefined && values instanceof Uint16Array, "a batch of rows has vectors of half precision");
  const { offset, length, stride } = lists;
  return new Float16Array(values.buffer, values.byteOffset, values.length).subarray(offset * stride, (offset + length) * stride);
}

/** The columns that attributesOf needs. */
export const ATTRIBUTE_COLUMNS = ["uid", ...[...TEXT_FIELDS, ...INTEGERS].map(column), "tags"];

/** The attributes of a batch of rows. */
export function attributesOf(batch: Arrow.RecordBatch): AttributeRows {
  const data = (name: string) => batch.getChild(name)?.data[0] as Arrow.Data;
  const texts = ({ values, valueOffsets }: Arrow.Data): TextColumn => ({ bytes: values, offsets: valueOffsets });
  const byField = <F extends Field, T>(fields: readonly F[], of: (data: Arrow.Data) => T) =>
    Object.fromEntries(fields.map((field) => [field, of(data(column(field)))])) as Record<F, T>;
  const tags = data("tags");
  return {
    uids: data("uid").values,
    texts: byField(TEXT_FIELDS, texts),
    integers: byField(INTEGERS, ({ values }) => Float64Array.from(values as BigInt64Array, Number)),
    tokens: { ...texts(tags.children[0] as Arrow.Data), lists: tags.valueOffsets },
  };
}

// --- SQL ---------------------------------------------------------------------------------------

/** A string literal. Only quotes are syntax inside one; tried with backslashes, newlines and every script. */
function literal(value: Scalar): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

function column(field: Field): string {
  assert(isKeyword(field) || isInteger(field), `no column for ${field}`);
  return field === "locator.kind" ? "locator_kind" : field.replace("locator.", "");
}

/** `name` is one of the ids; the list is not empty. */
function oneOf(name: string, ids: readonly number[]): string {
  return `${name} IN (${ids.join(",")})`;
}

/** The condition of a restriction on one plane's table, or null when every row passes. */
export function restrictionSql(plane: Plane, { classes, filter, uids }: Restriction): string | null {
  const parts = [
    ...(classes === null ? [] : [classes.length === 0 ? "false" : oneOf("class_id", classes)]),
    ...(uids === null ? [] : [uids.length === 0 ? "false" : oneOf("uid", uids)]),
    ...(isEmpty(filter) ? [] : [filterSql(filter, plane)]),
  ];
  return parts.length === 0 ? null : parts.join(" AND ");
}

function filterSql(filter: Filter, plane: Plane): string {
  return foldFilter<string>(filter, {
    all: (parts) => (parts.length === 0 ? "true" : `(${parts.join(" AND ")})`),
    any: (parts) => (parts.length === 0 ? "false" : `(${parts.join(" OR ")})`),
    not: (part) => `(NOT ${part})`,
    in: (field, values) => {
      if (values.length === 0) return "false";
      // The plane is the table.
      if (field === "plane") return String(values.includes(plane));
      if (field === "path") return pathSql(values.map((value) => pathPart(String(value))));
      return isMetadata(field) ? tagsSql(values.map((value) => metadataToken(metadataKey(field), value))) : inSql(column(field), values);
    },
    range: (field, bounds) => rangeSql(column(field), bounds),
    prefix: (field, prefix) => {
      if (field === "plane") return String(plane.startsWith(prefix));
      return field === "path" ? pathSql([pathPartBeginning(prefix)]) : prefixSql(column(field), prefix);
    },
    exists: (field) => {
      if (field === "plane") return "true";
      if (isMetadata(field)) return tagsSql([metadataKey(field)]);
      return isInteger(field) ? `(${column(field)} >= 0)` : `(${column(field)} <> '')`;
    },
  });
}

/** The values that stand for absent members match nothing. */
function inSql(name: string, values: readonly Scalar[]): string {
  const real = values.filter((value) => value !== ABSENT_TEXT && !(typeof value === "number" && value < 0));
  return real.length === 0 ? "false" : `(${name} IN (${real.map(literal).join(",")}))`;
}

/** On an indexed column LanceDB evaluates `starts_with` as LIKE, in whose patterns these characters are syntax. */
const LIKE_SYNTAX = /[\\%_]/;

function prefixSql(name: string, prefix: string): string {
  if (LIKE_SYNTAX.test(prefix)) return `(left(${name}, ${[...prefix].length}) = ${literal(prefix)})`;
  return `starts_with(${name}, ${literal(prefix)})`;
}

/** The path holds one of these. */
function pathSql(pieces: readonly string[]): string {
  return `(${pieces.map((piece) => `strpos(path, ${literal(piece)}) > 0`).join(" OR ")})`;
}

function tagsSql(tokens: readonly string[]): string {
  return `array_has_any(tags, [${tokens.map(literal).join(",")}])`;
}

function rangeSql(name: string, { gt, gte, lt, lte }: RangeBounds): string {
  const bounds = [
    `${name} >= 0`,
    ...(gt === undefined ? [] : [`${name} > ${gt}`]),
    ...(gte === undefined ? [] : [`${name} >= ${gte}`]),
    ...(lt === undefined ? [] : [`${name} < ${lt}`]),
    ...(lte === undefined ? [] : [`${name} <= ${lte}`]),
  ];
  return `(${bounds.join(" AND ")})`;
}

/** Compiles a filter to SQL over the catalog's `unit` table. Values travel as parameters only. */
import { assert } from "../../base/fault.ts";
import {
  type Field,
  type Filter,
  foldFilter,
  isInteger,
  isKeyword,
  isMetadata,
  metadataKey,
  type RangeBounds,
  type Scalar,
} from "../../domain/filter.ts";

export interface Sql {
  text: string;
  params: (string | number)[];
}

/** Fields are columns of the same name, those of a locator members of its JSON. Nothing but a field of the language gets here. */
export function column(field: Field): string {
  assert(isKeyword(field) || isInteger(field), `no column for ${field}`);
  const [, member] = field.split("locator.");
  return member === undefined ? field : `locator ->> '$.${member}'`;
}

function join(parts: readonly Sql[], word: "AND" | "OR", empty: string): Sql {
  if (parts.length === 0) return { text: empty, params: [] };
  return { text: `(${parts.map((part) => part.text).join(` ${word} `)})`, params: parts.flatMap((part) => part.params) };
}

/** A condition on the values of one metadata key: `item` is a row of json_each over the value or its array. */
function metadataCondition(field: Field & `metadata.${string}`, condition: Sql): Sql {
  const text = `EXISTS (SELECT 1 FROM json_each(metadata) AS member, json_each(CASE member.type WHEN 'array' THEN member.value ELSE json_array(CASE member.type WHEN 'true' THEN json('true') WHEN 'false' THEN json('false') ELSE member.value END) END) AS item WHERE member.key = ? AND ${condition.text})`;
  return { text, params: [metadataKey(field), ...condition.params] };
}

/** A condition on the parts of a path: `part` is a row of json_each, which has a column `path` of its own. */
function pathCondition(condition: Sql): Sql {
  return { text: `EXISTS (SELECT 1 FROM json_each(unit.path) AS part WHERE ${condition.text})`, params: condition.params };
}

/** SQLite's json type names of a scalar: a number and a boolean of the same value differ. */
function scalarCondition(value: Scalar): Sql {
  if (typeof value === "string") return { text: "(item.type = 'text' AND item.value = ?)", params: [value] };
  if (typeof value === "boolean") return { text: `item.type = '${value}'`, params: [] };
  return { text: "(item.type IN ('integer','real') AND item.value = ?)", params: [value] };
}

/** `name`: a column that holds numbers. */
export function rangeCondition(name: string, bounds: RangeBounds): Sql {
  const signs = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
  const parts = (Object.keys(signs) as (keyof typeof signs)[]).flatMap((key) => {
    const bound = bounds[key];
    return bound === undefined ? [] : [{ text: `${name} ${signs[key]} ?`, params: [bound] }];
  });
  return join(parts, "AND", "1");
}

function prefixCondition(name: string, prefix: string): Sql {
  return { text: `substr(${name}, 1, length(?)) = ?`, params: [prefix, prefix] };
}

/** Absent members make a leaf false, never NULL, so that NOT is a complement. */
function present(sql: Sql): Sql {
  return { text: `coalesce(${sql.text}, 0)`, params: sql.params };
}

export function filterSql(filter: Filter): Sql {
  return foldFilter<Sql>(filter, {
    all: (parts) => join(parts, "AND", "1"),
    any: (parts) => join(parts, "OR", "0"),
    not: ({ text, params }) => ({ text: `NOT ${text}`, params }),
    in: (field, values) => {
      if (isMetadata(field)) return metadataCondition(field, join(values.map(scalarCondition), "OR", "0"));
      const params = values.filter((value) => typeof value !== "boolean");
      const among = `IN (${values.map(() => "?").join(",")})`;
      if (field === "path") return pathCondition({ text: `part.value ${among}`, params });
      return present({ text: `${column(field)} ${among}`, params });
    },
    range: (field, bounds) => {
      if (!isMetadata(field)) return present(rangeCondition(column(field), bounds));
      const { text, params } = rangeCondition("item.value", bounds);
      return metadataCondition(field, { text: `(item.type IN ('integer','real') AND ${text})`, params });
    },
    prefix: (field, prefix) => {
      if (field === "path") return pathCondition(prefixCondition("part.value", prefix));
      if (!isMetadata(field)) return present(prefixCondition(column(field), prefix));
      const { text, params } = prefixCondition("item.value", prefix);
      return metadataCondition(field, { text: `(item.type = 'text' AND ${text})`, params });
    },
    exists: (field) =>
      isMetadata(field)
        ? { text: "EXISTS (SELECT 1 FROM json_each(metadata) AS member WHERE member.key = ?)", params: [metadataKey(field)] }
        : { text: `(${column(field)}) IS NOT NULL`, params: [] },
  });
}

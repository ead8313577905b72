/** Compiles a filter to SQL over the catalog's `unit` table. Values travel as parameters only. */
import { type Field, type Filter, isInteger, isMetadata, metadataKey, type RangeBounds, type Scalar } from "../../domain/filter.ts";

export interface Sql {
  text: string;
  params: (string | number)[];
}

const COLUMNS: Record<string, string> = {
  modality: "modality",
  plane: "plane",
  scope: "scope",
  doc_id: "doc_id",
  source_uri: "source_uri",
  mime: "mime",
  acl_owner: "acl_owner",
  created_at: "created_at",
  "locator.kind": "locator ->> '$.kind'",
  "locator.t_start_ms": "locator ->> '$.t_start_ms'",
  "locator.t_end_ms": "locator ->> '$.t_end_ms'",
};

function column(field: Field): string {
  const name = COLUMNS[field];
  if (name === undefined) throw new Error(`no column for ${field}`);
  return name;
}

function join(parts: Sql[], word: "AND" | "OR", empty: string): Sql {
  if (parts.length === 0) return { text: empty, params: [] };
  return { text: `(${parts.map((part) => part.text).join(` ${word} `)})`, params: parts.flatMap((part) => part.params) };
}

/** A condition on the values of one metadata key: `item` is a row of json_each over the value or its array. */
function metadataCondition(field: Field & `metadata.${string}`, condition: Sql): Sql {
  const text = `EXISTS (SELECT 1 FROM json_each(metadata) AS member, json_each(CASE member.type WHEN 'array' THEN member.value ELSE json_array(CASE member.type WHEN 'true' THEN json('true') WHEN 'false' THEN json('false') ELSE member.value END) END) AS item WHERE member.key = ? AND ${condition.text})`;
  return { text, params: [metadataKey(field), ...condition.params] };
}

/** SQLite's json type names of a scalar: a number and a boolean of the same value differ. */
function scalarCondition(value: Scalar): Sql {
  if (typeof value === "string") return { text: "(item.type = 'text' AND item.value = ?)", params: [value] };
  if (typeof value === "boolean") return { text: `item.type = '${value}'`, params: [] };
  return { text: "(item.type IN ('integer','real') AND item.value = ?)", params: [value] };
}

function rangeCondition(name: string, bounds: RangeBounds): Sql {
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
  switch (filter.op) {
    case "and":
      return join(filter.of.map(filterSql), "AND", "1");
    case "or":
      return join(filter.of.map(filterSql), "OR", "0");
    case "not": {
      const inner = filterSql(filter.of);
      return { text: `NOT ${inner.text}`, params: inner.params };
    }
    case "exists":
      if (isMetadata(filter.field)) {
        return { text: "EXISTS (SELECT 1 FROM json_each(metadata) AS member WHERE member.key = ?)", params: [metadataKey(filter.field)] };
      }
      return { text: `(${column(filter.field)}) IS NOT NULL`, params: [] };
    case "in":
      if (isMetadata(filter.field)) return metadataCondition(filter.field, join(filter.values.map(scalarCondition), "OR", "0"));
      return present({
        text: `${column(filter.field)} IN (${filter.values.map(() => "?").join(",")})`,
        params: filter.values.filter((value) => typeof value !== "boolean"),
      });
    case "prefix":
      if (isMetadata(filter.field)) {
        const condition = prefixCondition("item.value", filter.prefix);
        return metadataCondition(filter.field, { text: `(item.type = 'text' AND ${condition.text})`, params: condition.params });
      }
      return present(prefixCondition(column(filter.field), filter.prefix));
    case "range": {
      if (isInteger(filter.field)) return present(rangeCondition(column(filter.field), filter.bounds));
      const condition = rangeCondition("item.value", filter.bounds);
      return metadataCondition(filter.field, { text: `(item.type IN ('integer','real') AND ${condition.text})`, params: condition.params });
    }
  }
}

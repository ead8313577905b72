/** The audit chain recomputed as docs/audit.md says, with nothing of the product's own code. */
import { createHash } from "node:crypto";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Row = Record<string, Json> & { seq: number; prev_hash: string; row_hash: string };

const PLACE = ["seq", "ts", "namespace", "action", "outcome", "prev_hash"];
export const CONTENT = ["principal_id", "scope", "target", "detail"];

/** RFC 8785 for what rows hold: members sorted by UTF-16 code units, no white space, ECMAScript numbers and strings. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(",")}}`;
}

/** Hash of these members of a row. */
export function hashOf(row: Row, names: readonly string[]): string {
  return createHash("sha256")
    .update(canonical(Object.fromEntries(names.map((name) => [name, row[name] ?? null]))))
    .digest("hex");
}

/** What is wrong with one row by itself; null when nothing that its reader can see. */
function faultOf(row: Row): string | null {
  const seen = row.principal_id !== null;
  if ("v" in row) {
    if (hashOf(row, [...PLACE, "v", "content_hash"]) !== row.row_hash) return "row_hash";
    return seen && hashOf(row, [...CONTENT, "salt"]) !== row.content_hash ? "content_hash" : null;
  }
  return seen && hashOf(row, [...PLACE, ...CONTENT]) !== row.row_hash ? "row_hash" : null;
}

/** The first fault of rows, oldest first, that follow `before`, as `seq: member`; null when the chain is whole. */
export function chainFault(rows: readonly Row[], before = { seq: 0, row_hash: "0".repeat(64) }): string | null {
  for (const row of rows) {
    if (row.seq !== before.seq + 1) return `${row.seq}: seq`;
    const fault = row.prev_hash === before.row_hash ? faultOf(row) : "prev_hash";
    if (fault !== null) return `${row.seq}: ${fault}`;
    before = row;
  }
  return null;
}

/** A row as somebody sees it who may not know what it is about. */
export function withoutContent({ salt: _, ...row }: Row): Row {
  return { ...row, ...Object.fromEntries(CONTENT.map((name) => [name, null])) } as Row;
}

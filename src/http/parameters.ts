/** Parameters of a request, as the members of an operation's input. */
import type { TObject, TSchema } from "@sinclair/typebox";
import { badField, Fault } from "../base/fault.ts";
import { checkedJson } from "./body.ts";

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

/** The members that a query string gives. Errors: `bad_request`, with a pointer, for what is no number or no flag. */
export function membersOf(schema: TObject | null, parameters: URLSearchParams): Record<string, unknown> {
  const given = Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
    const text = parameters.get(name);
    if (text === null) return [];
    return [[name, member.type === "array" ? listOf(parameters, name) : memberOf(member, name, text)] as const];
  });
  return Object.fromEntries(given);
}

/** Repeated, or separated by commas. */
function listOf(parameters: URLSearchParams, name: string): string[] {
  return parameters.getAll(name).flatMap((each) => each.split(","));
}

const FLAG = new Map([
  ["true", true],
  ["1", true],
  ["", true],
  ["false", false],
  ["0", false],
]);

function memberOf(schema: TSchema, name: string, text: string): unknown {
  if (schema.type === "boolean") {
    const value = FLAG.get(text);
    if (value === undefined) throw badField(`/${name}`, "must be true or false");
    return value;
  }
  if (schema.type !== "integer") return text;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= schema.minimum)) throw badField(`/${name}`, `${name} must be a whole number of at least ${schema.minimum}`);
  return value;
}

/** The members that stand beside a file, for the operation to check: lists separated by commas or repeated, objects as JSON. */
export function membersBesideFile(schema: TObject, parameters: URLSearchParams): Record<string, unknown> {
  const given = Object.entries(schema.properties).flatMap(([name, member]) => {
    const text = parameters.get(name);
    if (text === null) return [];
    if (member.type === "array") return [[name, listOf(parameters, name)] as const];
    if (member.type === "integer" || member.type === "number") return [[name, Number(text || Number.NaN)] as const];
    return [[name, member.type === "object" ? checkedJson(text, `/${name}`) : text] as const];
  });
  return Object.fromEntries(given);
}

/** Checks what a caller sent against a schema. Every fault names the field at its JSON pointer. */
import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler, type ValueError } from "@sinclair/typebox/compiler";
import { badField, Fault } from "../base/fault.ts";
import { JSON_MAX_DEPTH } from "../base/limits.ts";

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

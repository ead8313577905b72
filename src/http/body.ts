/** Reads and checks what a request carries. Every fault names the field at its JSON pointer. */
import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler, type ValueError } from "@sinclair/typebox/compiler";
import { badField, Fault } from "../base/fault.ts";
import { JSON_MAX_DEPTH } from "../base/limits.ts";

const KIB = 1024;

function tooLarge(maxBytes: number): Fault {
  return new Fault("payload_too_large", `the body may have at most ${maxBytes / KIB} KiB`);
}

/** Refuses a body by its headers, before a byte of it is read. */
export function checkBodyHeaders(request: Request, maxBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const encoding = request.headers.get("content-encoding") ?? "identity";
  // An inflated body has no bound that its length could be checked against.
  if (encoding !== "identity") throw new Fault("bad_request", "send the body without Content-Encoding");
}

async function readBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    read.push(chunk);
  }
  return Buffer.concat(read);
}

/** The JSON value of a body, whose bytes are `chunks`; undefined when it is empty. Errors: `bad_request`, `payload_too_large`, those of `chunks`. */
export async function readJson(request: Request, chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<unknown> {
  const value = await readRawJson(request, chunks, maxBytes);
  checkValues(value);
  return value;
}

/** As readJson, with values that nothing can keep left in: for what has to be judged before its form is. */
export async function readRawJson(request: Request, chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<unknown> {
  checkBodyHeaders(request, maxBytes);
  const bytes = await readBytes(chunks, maxBytes);
  if (bytes.byteLength === 0) return undefined;
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Fault("bad_request", "Content-Type must be application/json");
  return parseJson(bytes, "");
}

function parseJson(bytes: Uint8Array, pointer: string): unknown {
  const what = pointer === "" ? "the body" : "it";
  // Before parsing: a million brackets cost the parser half a second.
  if (nestsBeyond(bytes, HOPELESS_DEPTH)) throw badJson(pointer, `${what} nests deeper than ${JSON_MAX_DEPTH}`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw badJson(pointer, `${what} is no valid JSON in UTF-8`);
  }
  return value;
}

function badJson(pointer: string, detail: string): Fault {
  return pointer === "" ? new Fault("bad_request", detail) : badField(pointer, detail);
}

/** The JSON value of a field, held to what a body is held to. Errors: `bad_request` with the pointer. */
export function checkedJson(text: string, pointer: string): unknown {
  const value = parseJson(Buffer.from(text), pointer);
  checkValues(value, pointer);
  return value;
}

/** So deep that the place is of no interest; what is merely too deep is parsed and named. */
const HOPELESS_DEPTH = 8 * JSON_MAX_DEPTH;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

/** True when brackets outside strings nest deeper than `most`. */
function nestsBeyond(bytes: Uint8Array, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > most) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

/** Refuses what nothing can keep faithfully: NUL, lone surrogates, numbers that become infinite, nesting without end. */
export function checkValues(value: unknown, pointer = "", depth = 1): void {
  if (typeof value === "string") checkString(value, pointer);
  if (typeof value === "number" && !Number.isFinite(value)) throw badField(pointer, "is a number beyond the range of a double");
  if (typeof value !== "object" || value === null) return;
  if (depth > JSON_MAX_DEPTH) throw badField(pointer, `nests deeper than ${JSON_MAX_DEPTH}`);
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    checkString(key, pointer === "" ? "/" : pointer);
    // Copying an object sets its prototype by this name instead of a member.
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

/** What a field must be, from its schema: the same words whatever was wrong with it. */
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

/** Reads the body of a request. */
import { badField, Fault } from "../base/fault.ts";
import { JSON_MAX_DEPTH } from "../base/limits.ts";
import { checkValues } from "../core/schema.ts";

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
  checkBodyHeaders(request, maxBytes);
  const bytes = await readBytes(chunks, maxBytes);
  if (bytes.byteLength === 0) return undefined;
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new Fault("bad_request", "Content-Type must be application/json");
  return parseJson(bytes, "");
}

function parseJson(bytes: Uint8Array, pointer: string, what = pointer === "" ? "the body" : "it"): unknown {
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

/** The JSON value of a line. Errors: `bad_request`. */
export function parseLine(bytes: Uint8Array): unknown {
  return parseJson(bytes, "", "the line");
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

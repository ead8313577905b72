/** Reads a file from a request, as a stream: a multipart form with fields beside it, or the raw body with parameters. */
import { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { badField, Fault } from "../base/fault.ts";
import { FILE_FIELDS_MAX, FILE_FIELDS_MAX_BYTES, FILE_MAX_BYTES, FILE_NAME_MAX_CHARS } from "../base/limits.ts";
import type { FileRequest } from "../core/files.ts";
import type { Received } from "../store/objects.ts";
import { checkBodyHeaders } from "./body.ts";
import { parseFileFields } from "./requests.ts";

/** Boundaries and fields come on top of the file. */
const FORM_MAX_BYTES = FILE_MAX_BYTES + 4 * FILE_FIELDS_MAX * FILE_FIELDS_MAX_BYTES;
const FIELD_NAME_MAX_BYTES = 64;
const FORM_PARTS_MAX = FILE_FIELDS_MAX + 1;

export interface Upload {
  received: Received;
  request: Omit<FileRequest, "scope">;
}

type Store = (chunks: AsyncIterable<Uint8Array>) => Promise<Received>;

/**
 * Hands the file's bytes to `store` and reads what came with it: `doc_id`, `acl_groups`, `metadata`. `unnamed`:
 * the name of a raw body without one; null: it must have one. Errors: `bad_request`, `payload_too_large`, and those of `store`.
 */
export function readUpload(request: Request, parameters: URLSearchParams, store: Store, unnamed: string | null = null): Promise<Upload> {
  checkBodyHeaders(request, FORM_MAX_BYTES);
  const type = request.headers.get("content-type") ?? "";
  return /^multipart\/form-data\b/i.test(type) ? readForm(request, type, store) : readRaw(request, parameters, store, unnamed);
}

async function readRaw(request: Request, parameters: URLSearchParams, store: Store, unnamed: string | null): Promise<Upload> {
  const given = parameters.get("name") ?? parameters.get("file_name") ?? request.headers.get("x-file-name");
  const name = given ?? dispositionName(request) ?? unnamed;
  if (name === null) {
    throw new Fault("bad_request", "name the file: ?name=report.pdf, the header X-File-Name, or a multipart form with a part named file");
  }
  const fields = parseFileFields(parameters);
  const file = fileName(name);
  return { received: await store((request.body ?? new Blob([]).stream()) as AsyncIterable<Uint8Array>), request: { ...fields, name: file } };
}

/** `Content-Disposition: attachment; filename="report.pdf"`, or its form in UTF-8. */
function dispositionName(request: Request): string | null {
  const header = request.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded === undefined) return /filename="([^"]*)"|filename=([^;\s]+)/i.exec(header)?.slice(1).find(Boolean) ?? null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new Fault("bad_request", "the file name in Content-Disposition is not valid percent-encoded UTF-8");
  }
}

async function readForm(request: Request, type: string, store: Store): Promise<Upload> {
  const form = formReader(type);
  const fields = new URLSearchParams();
  const source = Readable.fromWeb((request.body ?? new Blob([]).stream()) as never);
  let file: { name: string; stored: Promise<Received> } | null = null;
  const done = Promise.withResolvers<void>();
  form.on("field", (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) done.reject(new Fault("payload_too_large", `field ${name.slice(0, FIELD_NAME_MAX_BYTES)} is too long`));
    fields.append(name, value);
  });
  form.on("file", (_name, stream, name) => {
    if (file === null) {
      const stored = store(stream as AsyncIterable<Uint8Array>);
      stored.catch(done.reject);
      file = { name: name ?? "", stored };
      return;
    }
    stream.resume();
    done.reject(new Fault("bad_request", "a request takes one file; send the others in requests of their own"));
  });
  for (const event of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    form.on(event, () => done.reject(new Fault("bad_request", "the form has too many parts")));
  }
  form.on("finish", done.resolve);
  for (const stream of [form, source])
    stream.on("error", (cause: unknown) => done.reject(new Fault("bad_request", "the multipart form is not whole", { cause })));
  source.pipe(form);
  try {
    await done.promise;
    return await uploadOf(file, fields);
  } catch (error) {
    source.destroy();
    form.destroy();
    throw error;
  }
}

async function uploadOf(file: { name: string; stored: Promise<Received> } | null, fields: URLSearchParams): Promise<Upload> {
  if (file === null) throw badField("/file", "is required: the form has no part with a file name");
  const received = await file.stored;
  return { received, request: { ...parseFileFields(fields), name: fileName(file.name) } };
}

function formReader(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": type } as BusboyHeaders,
      limits: { fieldNameSize: FIELD_NAME_MAX_BYTES, fieldSize: FILE_FIELDS_MAX_BYTES, fields: FILE_FIELDS_MAX, files: 2, parts: FORM_PARTS_MAX },
    });
  } catch (cause) {
    throw new Fault("bad_request", "the multipart form cannot be read: its Content-Type needs a boundary", { cause });
  }
}

/** The last part of a name that may be a path of any system. Errors: `bad_request` when nothing is left of it. */
function fileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const shown = last
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
  if (shown === "" || shown === "." || shown === "..") throw new Fault("bad_request", "the file needs a name");
  return shown.length <= FILE_NAME_MAX_CHARS ? shown : shown.slice(-FILE_NAME_MAX_CHARS).toWellFormed();
}

/** Reads a file from a request, as a stream: a multipart form with fields beside it, or the raw body with parameters. */
import { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { badField, Fault } from "../base/fault.ts";
import { FILE_FIELDS_MAX, FILE_FIELDS_MAX_BYTES, FILE_MAX_BYTES } from "../base/limits.ts";
import { checkedFacts, type FileFacts } from "../core/files/facts.ts";
import { checkedName } from "../core/files/name.ts";
import type { Received } from "../domain/port/objects.ts";
import { checkBodyHeaders, checkedJson } from "./body.ts";

/** Boundaries and fields come on top of the file. */
const FORM_MAX_BYTES = FILE_MAX_BYTES + 4 * FILE_FIELDS_MAX * FILE_FIELDS_MAX_BYTES;
const FIELD_NAME_MAX_BYTES = 64;
const FORM_PARTS_MAX = FILE_FIELDS_MAX + 1;

export interface Upload {
  received: Received;
  facts: FileFacts;
}

type Store = (chunks: AsyncIterable<Uint8Array>) => Promise<Received>;

/** A request that brings a file. */
export interface UploadRequest {
  request: Request;
  /** The bytes of its body. */
  chunks: AsyncIterable<Uint8Array>;
  parameters: URLSearchParams;
  /** Refuses groups that the caller may not give, before any other field is looked at. Default: it may give all. */
  checkGroups?: (groups: readonly unknown[]) => void;
  /** The name of a raw body without one. Default: it must have one. */
  unnamed?: string;
}

/**
 * Hands the file's bytes to `store` and reads what came with it: `doc_id`, `acl_groups`, `metadata`. Errors:
 * `bad_request`, `payload_too_large`, and those of the chunks, `store` and `checkGroups`.
 */
export function readUpload(upload: UploadRequest, store: Store): Promise<Upload> {
  checkBodyHeaders(upload.request, FORM_MAX_BYTES);
  const type = upload.request.headers.get("content-type") ?? "";
  return /^multipart\/form-data\b/i.test(type) ? readForm(upload, type, store) : readRaw(upload, store);
}

async function readRaw({ request, chunks, parameters, checkGroups, unnamed }: UploadRequest, store: Store): Promise<Upload> {
  checkGroups?.(sentGroups(parameters));
  const given = ["name", "file_name", "filename"].map((parameter) => parameters.get(parameter)).find((text) => text !== null);
  const header = request.headers.get("x-file-name") ?? request.headers.get("x-filename");
  const name = given ?? header ?? dispositionName(request) ?? unnamed;
  if (name === undefined) {
    throw new Fault("bad_request", "name the file: ?name=report.pdf, the header X-File-Name, or a multipart form with a part named file");
  }
  const fields = factsOf(parameters);
  const file = checkedName(name);
  return { received: await store(chunks), facts: { ...fields, name: file } };
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

/** A file of a form on its way to the store. */
interface Incoming {
  name: string;
  stream: Readable;
  stored: Promise<Received>;
}

async function readForm({ chunks, checkGroups }: UploadRequest, type: string, store: Store): Promise<Upload> {
  const form = formReader(type);
  const source = Readable.from(chunks, { objectMode: false });
  const done = Promise.withResolvers<void>();
  const fields = fieldsOf(form, done);
  const files: Incoming[] = [];
  form.on("file", (_name, stream, name) => {
    if (files.length > 0) {
      stream.resume();
      done.reject(new Fault("bad_request", "a request takes one file; send the others in requests of their own"));
      return;
    }
    // Before anybody reads it: an error that nobody hears ends the process, and one that is not kept leaves a reader waiting.
    stream.on("error", (cause: unknown) => {
      done.reject(notWhole(cause));
      stream.destroy(notWhole(cause));
    });
    const stored = store(stream as AsyncIterable<Uint8Array>);
    stored.catch((cause: unknown) => done.reject(notWhole(cause)));
    files.push({ name: name ?? "", stream, stored });
  });
  form.on("finish", done.resolve);
  for (const stream of [form, source]) stream.on("error", (cause: unknown) => done.reject(notWhole(cause)));
  source.pipe(form);
  try {
    await done.promise;
    checkGroups?.(sentGroups(fields));
    return await uploadOf(files[0], fields);
  } catch (error) {
    source.destroy();
    form.destroy();
    for (const { stream, stored } of files) {
      stream.destroy(notWhole(error));
      // Whoever called discards what was stored: the store has to have come to rest by then.
      await stored.catch(() => {});
    }
    throw error;
  }
}

/** Whatever cuts a form short; a fault says by itself what it is. */
function notWhole(cause: unknown): Fault {
  return cause instanceof Fault ? cause : new Fault("bad_request", "the multipart form is not whole", { cause });
}

/** Collects the fields of a form while it is read. */
function fieldsOf(form: BusboyInstance, done: PromiseWithResolvers<void>): URLSearchParams {
  const fields = new URLSearchParams();
  form.on("field", (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) done.reject(new Fault("payload_too_large", `field ${name.slice(0, FIELD_NAME_MAX_BYTES)} is too long`));
    fields.append(name, value);
  });
  for (const event of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    form.on(event, () => done.reject(new Fault("bad_request", "the form has too many parts")));
  }
  return fields;
}

async function uploadOf(file: Incoming | undefined, fields: URLSearchParams): Promise<Upload> {
  if (file === undefined) throw badField("/file", "is required: the form has no part with a file name");
  const received = await file.stored;
  return { received, facts: { ...factsOf(fields), name: checkedName(file.name) } };
}

function formReader(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": type } as BusboyHeaders,
      preservePath: true,
      limits: { fieldNameSize: FIELD_NAME_MAX_BYTES, fieldSize: FILE_FIELDS_MAX_BYTES, fields: FILE_FIELDS_MAX, files: 2, parts: FORM_PARTS_MAX },
    });
  } catch (cause) {
    throw new Fault("bad_request", "the multipart form cannot be read: its Content-Type needs a boundary", { cause });
  }
}

/** The groups that came with a file: the field is repeated, separated by commas, or a JSON array. Errors: `bad_request` for what is no JSON. */
function groupsOf(fields: URLSearchParams): unknown[] {
  return fields.getAll("acl_groups").flatMap((text) => {
    if (text.trimStart().startsWith("[")) return checkedJson(text, "/acl_groups") as unknown[];
    return text
      .split(",")
      .map((group) => group.trim())
      .filter((group) => group !== "");
  });
}

/** The same as far as they can be read: what cannot is refused with the other fields, after the permission was judged. */
function sentGroups(fields: URLSearchParams): readonly unknown[] {
  try {
    return groupsOf(fields);
  } catch {
    return [];
  }
}

/** What came with a file, from form fields or parameters. Errors: `bad_request`, `payload_too_large`. */
function factsOf(fields: URLSearchParams): Omit<FileFacts, "name"> {
  const [doc_id, metadata] = [fields.get("doc_id"), fields.get("metadata")];
  const parsed = metadata === null ? {} : { metadata: checkedJson(metadata, "/metadata") };
  return checkedFacts({ acl_groups: groupsOf(fields), ...(doc_id === null ? {} : { doc_id }), ...parsed });
}

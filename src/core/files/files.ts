/** Files in: an upload becomes a stored object, a record and a durable job; and who may look at it afterwards. */
import { Fault } from "../../base/fault.ts";
import { randomToken } from "../../base/hash.ts";
import { JOBS_WAITING_MAX, METADATA_STRING_MAX_CHARS, TEXT_MAX_BYTES } from "../../base/limits.ts";
import { aclAllows, bypassesAcl, type ScopeClamp, splitClasses } from "../../domain/access.ts";
import { fileId, isActive, type Job, sourceUri, type StoredFile } from "../../domain/file.ts";
import { FEATURE_MODELS, type ExtractedUnit, type FileFormat, type SourceFile } from "../../domain/media.ts";
import { defaultPlane } from "../../domain/plane.ts";
import type { Caller } from "../../domain/principal.ts";
import { TIER_LIMITS } from "../../domain/tier.ts";
import { type Metadata, type Unit, type UnitDraft, unitId } from "../../domain/unit.ts";
import type { Received } from "../../domain/port/objects.ts";
import { checkGroups, writableScope } from "../access/admit.ts";
import { sorted } from "../units/ingest.ts";
import type { Tenant } from "../tenant.ts";

/** What comes with a file. */
export interface FileRequest {
  name: string;
  scope: string | null;
  doc_id: string | null;
  acl_groups: string[];
  metadata: Metadata | null;
}

/** A file as its uploader or a reader sees it. */
export interface FileView {
  file: StoredFile;
  job: Job | null;
  /** Ids of its Units that the caller may read. */
  units: string[];
}

const JOB_ID_BYTES = 15;

export function newJobId(): string {
  return `j_${randomToken(JOB_ID_BYTES)}`;
}

/** The modalities that each kind of file may give. A tier that has the plane of none of them takes no such file. */
const MODALITIES = {
  picture: ["image", "ocr"],
  document: ["chunk", "doc_page", "image_region"],
  sound: ["asr", "audio_utterance"],
  video: ["video_shot", "ocr", "asr", "audio_utterance"],
  log: ["log_template"],
} as const;

/** Refuses a request for what the caller may not do, before a byte is kept. Returns the scope to write to. */
export function checkFileRequest(tenant: Tenant, caller: Caller, request: Pick<FileRequest, "scope" | "acl_groups">): string {
  const registry = tenant.catalog.registry();
  const scope = writableScope(caller, request.scope, undefined, registry, "");
  checkGroups(caller, request.acl_groups, "");
  if (tenant.files.activeCount() >= JOBS_WAITING_MAX) throw new Fault("unavailable", "too many files wait to be worked on; send it again later");
  return scope;
}

/** Refuses a kind of file of which the tier takes no Unit. */
export function checkTier(tenant: Tenant, { kind }: FileFormat): void {
  const { tier } = tenant.namespace;
  const planes = new Set(MODALITIES[kind].map(defaultPlane));
  if (TIER_LIMITS[tier].planes.some((plane) => planes.has(plane))) return;
  throw new Fault("upgrade_required", `the ${tier} tier takes no ${kind} files: it has no ${[...planes].join(" or ")} plane`);
}

/**
 * Records a received object as a file and starts its job, in one transaction with the audit row. The same file again
 * starts a job only when something about it is new or the last one failed. Errors: `conflict` when it is known under
 * another doc_id; `unavailable`.
 */
export async function acceptFile(
  tenant: Tenant,
  caller: Caller,
  received: Received,
  format: FileFormat,
  request: FileRequest,
  scope: string,
): Promise<{ file: StoredFile; job: Job }> {
  const identity = { namespace: tenant.namespace.namespace, scope, acl_owner: caller.principal.principal_id, sha256: received.sha256 };
  const file_id = fileId(identity);
  const { namespace: _, ...own } = identity;
  const draft = {
    ...own,
    file_id,
    acl_groups: [...new Set(request.acl_groups)].sort(),
    doc_id: request.doc_id ?? tenant.files.file(file_id)?.doc_id ?? file_id,
    name: request.name,
    kind: format.kind,
    mime: format.mime,
    bytes: received.bytes,
    metadata: request.metadata === null ? null : sorted(request.metadata),
  };
  await tenant.objects.keep(received);
  let used = false;
  try {
    const accepted = await tenant.writer.submit(0, () => ({ value: record(tenant, caller, draft), changed: [] }));
    used = true;
    return accepted;
  } finally {
    await tenant.objects.release(received.sha256, used || tenant.files.usesObject(received.sha256));
  }
}

/** Runs inside the writer's transaction. */
function record(tenant: Tenant, caller: Caller, draft: Omit<StoredFile, "created_at" | "updated_at">): { file: StoredFile; job: Job } {
  const { files, ledger, catalog } = tenant;
  const before = files.file(draft.file_id);
  if (before !== null && before.doc_id !== draft.doc_id) {
    throw new Fault("conflict", `this file is stored already, with doc_id ${before.doc_id}; delete it first to store it with another one`);
  }
  catalog.registerScope(draft.scope, TIER_LIMITS[tenant.namespace.tier].planes);
  const last = files.lastJob(draft.file_id);
  const file = files.putFile(draft);
  const current =
    before !== null && sameForUnits(before, draft) && last !== null && (isActive(last) || (last.state === "done" && files.hasUnits(draft.file_id)));
  const job = current ? last : files.addJob(newJobId(), draft.file_id);
  ledger.appendIn({
    principal_id: caller.principal.principal_id,
    action: "ingest",
    outcome: "ok",
    scope: draft.scope,
    target: draft.file_id,
    detail: { kind: draft.kind, job: job.job_id },
  });
  return { file, job };
}

/** True when the Units of a file would be what they are. */
function sameForUnits(a: Pick<StoredFile, "acl_groups" | "name" | "mime" | "metadata">, b: typeof a): boolean {
  const members = ({ acl_groups, name, mime, metadata }: typeof a) => JSON.stringify([acl_groups, name, mime, metadata]);
  return members(a) === members(b);
}

/** A file on disk, as extraction takes it. */
export function sourceOf(tenant: Tenant, { sha256, bytes, name, kind, mime }: StoredFile): SourceFile {
  return { path: tenant.objects.path(sha256), bytes, name, format: { kind, mime } };
}

/** What all Units of a file share. */
export function draftOf(
  namespace: string,
  file: Omit<StoredFile, "created_at" | "updated_at">,
  unit: { modality: Unit["modality"]; text: string | null; locator: Unit["locator"]; metadata: Metadata },
): UnitDraft {
  const text = unit.text === null ? null : clean(unit.text, TEXT_MAX_BYTES);
  const identity = {
    namespace,
    scope: file.scope,
    acl_owner: file.acl_owner,
    doc_id: file.doc_id,
    source_uri: sourceUri(file.file_id),
    locator: unit.locator,
    modality: unit.modality,
    plane: defaultPlane(unit.modality),
    text: text === "" ? null : text,
  };
  // What was found in the file beats what the caller says of all of it.
  const found = Object.entries(unit.metadata).map(([key, value]) => [
    key,
    typeof value === "string" ? clean(value, METADATA_STRING_MAX_CHARS) : value,
  ]);
  const metadata = sorted({ ...file.metadata, ...Object.fromEntries(found), file_name: file.name, mime: file.mime });
  return { ...identity, unit_id: unitId(identity), acl_groups: file.acl_groups, mime: file.mime, metadata };
}

/** Says of a stored Unit which file gave it and what a model made of it. Runs inside a transaction. */
export function keepWith(tenant: Tenant, file_id: string, { unit_id }: UnitDraft, { features }: ExtractedUnit): void {
  const unit = tenant.catalog.byId(unit_id);
  if (unit === null) throw new Error("a Unit that was written is there");
  tenant.files.addUnit(file_id, unit.uid);
  if (features !== null) tenant.features.put(unit.uid, FEATURE_MODELS[features.kind].model, features);
}

/** Text from a file as it can be stored: well-formed, without NUL, of at most `maxBytes`; offsets stay what they are. */
function clean(text: string, maxBytes: number): string {
  const whole = text.toWellFormed().replaceAll("\0", "\uFFFD");
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  // A character that is cut in two comes back as U+FFFD at the end.
  return Buffer.from(whole)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, "");
}

/** A file that the caller may look at: one with a Unit that it may read, or, while it has none, one that it may read by its own ACL. */
export function readableFile(tenant: Tenant, caller: Caller, clamp: ScopeClamp, file_id: string): StoredFile | null {
  const file = tenant.files.file(file_id);
  if (file === null || !clamp.effective.includes(file.scope)) return null;
  const { visible } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  if (tenant.files.hasUnits(file_id, visible)) return file;
  const empty = !tenant.files.hasUnits(file_id);
  return empty && aclAllows(caller, { owner: file.acl_owner, groups: file.acl_groups }) ? file : null;
}

/** A file with its Units, for whoever may read it. */
export function viewOf(tenant: Tenant, caller: Caller, clamp: ScopeClamp, file: StoredFile): FileView {
  const { visible } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  const units = tenant.files.unitIds(file.file_id, visible);
  const job = tenant.files.lastJob(file.file_id);
  return { file, units, job: job && asSeenBy(caller, file, job, units.length) };
}

/** The job, for whoever may read its file. */
export function readableJob(tenant: Tenant, caller: Caller, clamp: ScopeClamp, job_id: string): Job | null {
  const job = tenant.files.job(job_id);
  const file = job === null ? null : readableFile(tenant, caller, clamp, job.file_id);
  if (job === null || file === null) return null;
  return asSeenBy(caller, file, job, viewOf(tenant, caller, clamp, file).units.length);
}

/** A job counts and tells about all Units of its file: somebody from whom one may be hidden learns of the readable ones alone. */
function asSeenBy(caller: Caller, file: StoredFile, job: Job, readable: number): Job {
  const whole = bypassesAcl(caller) || file.acl_owner === caller.principal.principal_id;
  return whole ? job : { ...job, units: readable, created: readable, notes: [] };
}

/**
 * Removes a Unit, or a file with all its Units and its work; a file that is left without Units goes too, with its object.
 * The indexes have forgotten the Units when it resolves. Returns how many there were.
 */
export async function removeUnits(tenant: Tenant, caller: Caller, what: { unit: Unit } | { file: StoredFile }): Promise<number> {
  const { catalog, files, ledger, objects, writer } = tenant;
  const row =
    "file" in what
      ? { action: "file.delete" as const, scope: what.file.scope, target: what.file.file_id }
      : { action: "unit.delete" as const, scope: what.unit.scope, target: what.unit.unit_id };
  const done = await writer.submit(0, () => {
    const file = "file" in what ? what.file : files.fileOfUnit(what.unit.uid);
    const removed = catalog.remove("file" in what ? files.uids(what.file.file_id) : [what.unit.uid]);
    if (file !== null && ("file" in what || isAbandoned(tenant, file))) files.removeFile(file.file_id);
    ledger.appendIn({ principal_id: caller.principal.principal_id, outcome: "ok", ...row, detail: { removed } });
    return { value: { removed, file }, changed: [], removed: true };
  });
  if (done.file !== null && !files.usesObject(done.file.sha256)) await objects.remove(done.file.sha256);
  return done.removed;
}

/** True for a file without Units and without work to come. */
function isAbandoned({ files }: Tenant, { file_id }: StoredFile): boolean {
  const last = files.lastJob(file_id);
  return !files.hasUnits(file_id) && !(last !== null && isActive(last));
}

/** The use cases of files and of what Units look like: one method each, recorded in the audit chain like all others. */
import { stopIfGone } from "../../base/abort.ts";
import { Fault } from "../../base/fault.ts";
import { sha256Hex } from "../../base/hash.ts";
import { permsIn, bypassesAcl, type ScopeClamp, splitClasses } from "../../domain/access.ts";
import type { AuditAction } from "../../domain/audit.ts";
import { isActive, type Job, sourceUri, type StoredFile } from "../../domain/file.ts";
import type { Features } from "../../domain/media.ts";
import type { Extractor, Preview } from "../../domain/port/extractor.ts";
import type { Caller } from "../../domain/principal.ts";
import type { Unit } from "../../domain/unit.ts";
import type { Received } from "../../domain/port/objects.ts";
import { checkGroups } from "../access/admit.ts";
import {
  acceptFile,
  checkFileRequest,
  checkTier,
  type FileRequest,
  type FileView,
  readableFile,
  readableJob,
  removeUnits,
  sourceOf,
  viewOf,
} from "./files.ts";
import type { JobRunner } from "../jobs/runner.ts";
import type { Tenant } from "../tenant.ts";

export interface FileServiceOptions {
  extractor: Extractor;
  jobs: JobRunner;
  clamp(caller: Caller, scope: string | null): Promise<{ tenant: Tenant; clamp: ScopeClamp }>;
  record(caller: Caller, action: AuditAction, scope: string | null, target: string | null): Promise<void>;
}

export interface AcceptedFile {
  file_id: string;
  doc_id: string;
  source_uri: string;
  job: Job;
}

/** Hands the bytes of a request to the store that it is given, and tells what came with them, of which the groups are checked first. */
export type Receive = (
  store: (chunks: AsyncIterable<Uint8Array>) => Promise<Received>,
  checkGroups: (groups: readonly unknown[]) => void,
) => Promise<{ received: Received; request: Omit<FileRequest, "scope"> }>;

/** Receives a file for `work`; what it does not keep is discarded, whatever happens. */
async function whileReceived<T>(
  { objects }: Tenant,
  receive: Receive,
  checkGroups: (groups: readonly unknown[]) => void,
  work: (received: Received, request: Omit<FileRequest, "scope">) => Promise<T>,
): Promise<T> {
  let taken: Received | null = null;
  try {
    const { received, request } = await receive(async (chunks) => {
      taken = await objects.receive(chunks);
      return taken;
    }, checkGroups);
    return await work(received, request);
  } finally {
    if (taken !== null) await objects.discard(taken);
  }
}

export const NO_FILE = "no such file";
export const NO_JOB = "no such job";
export const NO_UNIT = "no such Unit";
export const NO_PREVIEW = "no such preview";

export class FileService {
  constructor(private readonly options: FileServiceOptions) {}

  /**
   * Takes a file in: `receive` hands its bytes to the store it is given and tells what came with them. Checks what it can
   * before a byte is read. Resolves when the file and its job are durable. Errors: `bad_request`, `forbidden`,
   * `upgrade_required`, `payload_too_large`, `conflict`, `unavailable`.
   */
  async put(caller: Caller, scope: string | null, receive: Receive): Promise<AcceptedFile> {
    const { tenant } = await this.options.clamp(caller, scope);
    checkFileRequest(tenant, caller, { scope, acl_groups: [] });
    const mayGive = (groups: readonly unknown[]) => checkGroups(caller, groups, "");
    return whileReceived(tenant, receive, mayGive, (received, request) => this.accept(tenant, caller, received, { ...request, scope }));
  }

  private async accept(tenant: Tenant, caller: Caller, received: Received, request: FileRequest): Promise<AcceptedFile> {
    const target = checkFileRequest(tenant, caller, request);
    const format = await this.options.extractor.recognise(received.path, received.bytes, request.name);
    checkTier(tenant, format);
    stopIfGone(caller.signal);
    const { file, job } = await acceptFile(tenant, caller, received, format, request, target);
    if (isActive(job)) this.options.jobs.start(tenant, job.job_id);
    const { file_id, doc_id } = file;
    return { file_id, doc_id, source_uri: sourceUri(file_id), job };
  }

  /** The job of a file that the caller has just sent, once the file's Units are searchable. Errors: what it failed with, as JobRunner.finished. */
  async finished(caller: Caller, { job }: AcceptedFile): Promise<Job> {
    const { tenant } = await this.options.clamp(caller, null);
    const finished = await this.options.jobs.finished(tenant, job.job_id, caller.signal);
    if (finished.error !== null) throw new Fault(finished.error.kind, finished.error.detail);
    return finished;
  }

  /** Errors: `not_found`, the same for an unknown job and for one of a file that is not the caller's. */
  async job(caller: Caller, scope: string | null, job_id: string): Promise<Job> {
    const { tenant, clamp } = await this.options.clamp(caller, scope);
    const job = readableJob(tenant, caller, clamp, job_id);
    await this.options.record(caller, "job.get", clamp.requested, auditId(job_id));
    if (job === null) throw new Fault("not_found", NO_JOB);
    return job;
  }

  /** Errors: `not_found`, the same for an unknown file and for one of which the caller may read nothing. */
  async file(caller: Caller, scope: string | null, file_id: string): Promise<FileView> {
    const { tenant, clamp, file } = await this.readable(caller, scope, file_id, "file.get");
    return viewOf(tenant, caller, clamp, file);
  }

  /** Where the bytes of a file lie. Errors: as `file`. */
  async content(caller: Caller, scope: string | null, file_id: string): Promise<{ path: string; file: StoredFile }> {
    const { tenant, file } = await this.readable(caller, scope, file_id, "file.content");
    // Earlier versions kept no bytes of a file that could not be read.
    if ((await tenant.objects.open(file.sha256)) === null) throw new Fault("not_found", NO_FILE);
    return { path: tenant.objects.path(file.sha256), file };
  }

  /** What a Unit looks like. Errors: `not_found`, the same for an unknown Unit, a hidden one, and one that shows nothing. */
  async preview(caller: Caller, scope: string | null, unit_id: string, maxSide: number): Promise<Preview> {
    const { tenant, clamp } = await this.options.clamp(caller, scope);
    const unit = readableUnit(tenant, caller, clamp, unit_id);
    await this.options.record(caller, "unit.preview", clamp.requested, auditId(unit_id));
    const file = unit === null ? null : tenant.files.fileOfUnit(unit.uid);
    if (unit === null || file === null) throw new Fault("not_found", NO_PREVIEW);
    const preview = await this.options.extractor.preview(sourceOf(tenant, file), { locator: unit.locator, maxSide }, caller.signal);
    if (preview === null) throw new Fault("not_found", NO_PREVIEW);
    return preview;
  }

  /** What a picture or sound in a request shows or sounds like; nothing of it is kept. Errors: as put, of what is read. */
  async describe(caller: Caller, scope: string | null, receive: Receive): Promise<Features> {
    const { tenant } = await this.options.clamp(caller, scope);
    const { extractor } = this.options;
    const mayGive = () => {};
    return whileReceived(tenant, receive, mayGive, async ({ path, bytes }, { name }) => {
      return extractor.describe({ path, bytes, name, format: await extractor.recognise(path, bytes, name) }, caller.signal);
    });
  }

  /** Errors: `not_found` as above; `forbidden` for a Unit of somebody else, unless the caller is an admin. */
  async removeUnit(caller: Caller, scope: string | null, unit_id: string): Promise<{ removed: number }> {
    const { tenant, clamp } = await this.options.clamp(caller, scope);
    const unit = readableUnit(tenant, caller, clamp, unit_id);
    if (unit === null) throw new Fault("not_found", NO_UNIT);
    checkOwner(tenant, caller, unit);
    return { removed: await removeUnits(tenant, caller, { unit }) };
  }

  /** Removes a file with all its Units, and stops what is being done with it. Errors: as removeUnit. */
  async removeFile(caller: Caller, scope: string | null, file_id: string): Promise<{ removed: number }> {
    const { tenant, file } = await this.readable(caller, scope, file_id, null);
    checkOwner(tenant, caller, file);
    return { removed: await removeUnits(tenant, caller, { file }) };
  }

  private async readable(caller: Caller, scope: string | null, file_id: string, action: AuditAction | null) {
    const { tenant, clamp } = await this.options.clamp(caller, scope);
    const file = readableFile(tenant, caller, clamp, file_id);
    if (action !== null) await this.options.record(caller, action, clamp.requested, auditId(file_id));
    if (file === null) throw new Fault("not_found", NO_FILE);
    return { tenant, clamp, file };
  }
}

/** The Unit, if the caller may read it here. */
export function readableUnit(tenant: Tenant, caller: Caller, clamp: ScopeClamp, unit_id: string): Unit | null {
  const unit = tenant.catalog.byId(unit_id);
  const { visible } = splitClasses(caller, clamp.effective, tenant.catalog.classes());
  return unit !== null && visible.includes(unit.classId) ? unit : null;
}

/** Only who owns something removes it, or an admin; and only where it may write. */
function checkOwner(tenant: Tenant, caller: Caller, { acl_owner, scope }: Pick<Unit, "acl_owner" | "scope">): void {
  const perms = permsIn(caller, scope, tenant.catalog.registry());
  if (!perms.includes("write")) throw new Fault("forbidden", "you may not write to this scope");
  if (acl_owner !== caller.principal.principal_id && !bypassesAcl(caller)) {
    throw new Fault("forbidden", "only its owner or an admin may delete this");
  }
}

/** What a caller asks for may be anything of any length; only what looks like an id is written down as it is. */
export function auditId(text: string): string {
  return /^[a-z]_[A-Za-z0-9_-]{8,64}$/.test(text) ? text : sha256Hex(text);
}

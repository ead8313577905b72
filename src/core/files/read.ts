/** Files and jobs inside a view, and as the API shows them. */
import { aclAllows, bypassesAcl } from "../../domain/access.ts";
import type { Job, StoredFile } from "../../domain/file.ts";
import type { Caller } from "../../domain/principal.ts";
import type { View } from "../access/view.ts";

export const NO_FILE = "no such file";

export interface ShownFile {
  file: StoredFile;
  job: Job | null;
  /** Ids of its Units that the caller may read. */
  units: string[];
}

/** The file, if the caller may read one of its Units or, while it has none, the file by its own ACL; else null. */
export function readableFile({ tenant, caller, effective, classes }: View, file_id: string): StoredFile | null {
  const file = tenant.files.file(file_id);
  if (file === null || !effective.includes(file.scope)) return null;
  if (tenant.files.hasUnits(file_id, classes.visible)) return file;
  const empty = !tenant.files.hasUnits(file_id);
  return empty && aclAllows(caller, { owner: file.acl_owner, groups: file.acl_groups }) ? file : null;
}

/** A file with its Units, for whoever may read it. */
export function shownTo({ tenant, caller, classes }: View, file: StoredFile): ShownFile {
  const units = tenant.files.unitIds(file.file_id, classes.visible);
  const job = tenant.files.lastJob(file.file_id);
  return { file, units, job: job && asSeenBy(caller, file, job, units.length) };
}

/** The job, for whoever may read its file. */
export function readableJob(view: View, job_id: string): Job | null {
  const job = view.tenant.files.job(job_id);
  const file = job === null ? null : readableFile(view, job.file_id);
  if (job === null || file === null) return null;
  return asSeenBy(view.caller, file, job, shownTo(view, file).units.length);
}

/** A job counts and tells about all Units of its file: somebody from whom one may be hidden learns of the readable ones alone. */
function asSeenBy(caller: Caller, file: StoredFile, job: Job, readable: number): Job {
  const whole = bypassesAcl(caller) || file.acl_owner === caller.principal.principal_id;
  return whole ? job : { ...job, units: readable, created: readable, notes: [] };
}

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
export async function readableFile({ tenant, caller, effective, classes }: View, file_id: string): Promise<StoredFile | null> {
  const { files } = tenant.reader;
  const file = await files.byId(file_id);
  if (file === null || !effective.includes(file.scope)) return null;
  if (await files.hasUnits(file_id, classes.visible)) return file;
  const empty = !(await files.hasUnits(file_id, null));
  return empty && aclAllows(caller, { owner: file.acl_owner, groups: file.acl_groups }) ? file : null;
}

/** A file with its Units, for whoever may read it. */
export async function shownTo({ tenant, caller, classes }: View, file: StoredFile): Promise<ShownFile> {
  const units = await tenant.reader.files.unitIds(file.file_id, classes.visible);
  const job = await tenant.reader.jobs.lastOf(file.file_id);
  return { file, units, job: job && asSeenBy(caller, file, job, units.length) };
}

/** The job, for whoever may read its file. */
export async function readableJob(view: View, job_id: string): Promise<Job | null> {
  const job = await view.tenant.reader.jobs.byId(job_id);
  const file = job === null ? null : await readableFile(view, job.file_id);
  if (job === null || file === null) return null;
  return asSeenBy(view.caller, file, job, (await shownTo(view, file)).units.length);
}

/** A job counts and tells about all Units of its file: somebody from whom one may be hidden learns of the readable ones alone. */
function asSeenBy(caller: Caller, file: StoredFile, job: Job, readable: number): Job {
  const whole = bypassesAcl(caller) || file.acl_owner === caller.principal.principal_id;
  return whole ? job : { ...job, units: readable, created: readable, notes: [] };
}

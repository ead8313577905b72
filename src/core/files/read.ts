/** Files and jobs inside a view, and as the API shows them. */
import { FILES_PAGE } from "../../base/limits.ts";
import { takeRoom } from "../../base/turns.ts";
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
export async function readableFile(view: View, file_id: string): Promise<StoredFile | null> {
  const file = await view.tenant.reader.files.byId(file_id);
  return file !== null && (await mayRead(view, file)) ? file : null;
}

async function mayRead({ tenant, caller, effective, classes }: View, { file_id, scope, acl_owner, acl_groups }: StoredFile): Promise<boolean> {
  const { files } = tenant.reader;
  if (!effective.includes(scope)) return false;
  if (await files.hasUnits(file_id, classes.visible)) return true;
  const empty = !(await files.hasUnits(file_id, null));
  return empty && aclAllows(caller, { owner: acl_owner, groups: acl_groups });
}

/** A file of a listing. */
export interface ListedFile {
  file: StoredFile;
  job: Job | null;
  /** How many of its Units the caller may read. */
  unitCount: number;
}

/** Whether a file may be read takes looking at one of its Units, or at all that are hidden: so a turn has room for few files. */
const FILE_ROOM_UNITS = 50;

/** The files that the view may read, newest first, without the first `offset`, at most `limit`. `state`: of their last job; null: any. */
export async function readableFiles(view: View, state: Job["state"] | null, limit: number, offset: number): Promise<ListedFile[]> {
  const { files, jobs } = view.tenant.reader;
  const listed: ListedFile[] = [];
  let passed = 0;
  for (let after: StoredFile | null = null; ; ) {
    const page: StoredFile[] = await files.newest(view.effective, after, FILES_PAGE);
    for (const file of page) {
      await takeRoom(FILE_ROOM_UNITS);
      const job = await jobs.lastOf(file.file_id);
      if ((state !== null && job?.state !== state) || !(await mayRead(view, file))) continue;
      passed += 1;
      if (passed <= offset) continue;
      const unitCount = await files.countUnits(file.file_id, view.classes.visible);
      listed.push({ file, job: job && asSeenBy(view.caller, file, job, unitCount), unitCount });
      if (listed.length === limit) return listed;
    }
    after = page.at(-1) ?? null;
    if (page.length < FILES_PAGE) return listed;
  }
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

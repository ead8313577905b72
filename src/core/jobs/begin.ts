/** Begins to read a file: a first time, or again while the Units that it gave before go on serving. */
import { EXTRACTOR_VERSIONS } from "../../domain/extractor-version.ts";
import { isActive, type Job, type StoredFile } from "../../domain/file.ts";
import type { FileFormat } from "../../domain/media.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import { Cancelled, type LeasedJob, leaseOf } from "./store-step.ts";

const MIXED_GROUPS = "its Units could be read by different groups: those that it gives now are for the groups that could read all of them";

/**
 * Takes the lease, makes the file what it is recognised as today, and its Units former ones, in one transaction. What an
 * older extractor stored for the same job is removed: its parts are not today's. Errors: Cancelled.
 */
export async function begin(leased: LeasedJob, file_id: string, format: FileFormat): Promise<{ file: StoredFile; job: Job }> {
  const work = async (tx: NamespaceTransactor) => {
    const [job, known] = [await tx.jobs.byId(leased.job_id), await tx.files.byId(file_id)];
    if (job === null || known === null || !isActive(job)) throw new Cancelled("the job is gone");
    const lease = await leaseOf(tx, leased);
    await tx.units.remove(await tx.files.beginReading(file_id));
    const kept = job.asked_by === null ? { acl_groups: known.acl_groups, notes: [] } : await keptGroups(tx, known);
    const file = await asRead(tx, known, { ...format, acl_groups: kept.acl_groups });
    const nothing = { next_part: 0, progress: 0, units: 0, created: 0 };
    const begun: Job = { ...job, ...nothing, state: "running", notes: kept.notes, extractor: EXTRACTOR_VERSIONS[format.kind] };
    await tx.jobs.advance(lease, begun);
    return { file, job: begun, lease };
  };
  const { value } = await leased.tenant.store.transact(work);
  leased.lease = value.lease;
  return value;
}

/**
 * Who may read the Units of a file that nobody sent anew: whoever may read those that are there, since an owner may have given
 * them other groups one by one. Where they differ nobody is let in who could not read all of them.
 */
async function keptGroups({ files }: NamespaceTransactor, { file_id, acl_groups }: StoredFile): Promise<{ acl_groups: string[]; notes: string[] }> {
  const [first, ...others] = await files.groupsOfUnits(file_id);
  if (first === undefined) return { acl_groups, notes: [] };
  const common = first.filter((group) => others.every((groups) => groups.includes(group)));
  return { acl_groups: common, notes: others.length === 0 ? [] : [MIXED_GROUPS] };
}

/** Writes what reading changes of a file, if anything. */
async function asRead({ files }: NamespaceTransactor, file: StoredFile, read: Pick<StoredFile, "kind" | "mime" | "acl_groups">): Promise<StoredFile> {
  const { created_at: _, updated_at: __, ...facts } = file;
  const same = file.kind === read.kind && file.mime === read.mime && file.acl_groups.join("\0") === read.acl_groups.join("\0");
  return same ? file : files.put({ ...facts, ...read });
}

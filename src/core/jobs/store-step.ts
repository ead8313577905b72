/** Writes what a job made of its file: its parts with their Units, its end, or the failure. Each is one transaction with the job's state. */
import { assert, type Fault } from "../../base/fault.ts";
import { FILE_SEARCHABLE_MS, JOB_LEASE_MS, JOB_NOTES_MAX } from "../../base/limits.ts";
import { EXTRACTOR_VERSIONS } from "../../domain/extractor-version.ts";
import { isActive, type Job, type StoredFile } from "../../domain/file.ts";
import type { ExtractedPart, ExtractedUnit } from "../../domain/media.ts";
import { defaultPlane, type Plane } from "../../domain/plane.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Lease } from "../../domain/port/files.ts";
import type { NamespaceTransactor } from "../../domain/port/store.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import { draftOf, keepWith } from "../files/drafts.ts";
import { refuseOverQuota } from "../units/drafts.ts";
import { indexesOf, storeDrafts, weightOf } from "../units/store.ts";
import { knownToOwners, windowsFor } from "../units/vectors.ts";
import { commit, type Tenant } from "../tenant.ts";

/** A job, and the lease on it; null until something of it is stored. */
export interface LeasedJob {
  tenant: Tenant;
  job_id: string;
  lease: Lease | null;
}

/** The job is gone, since its file was deleted while it was worked on, or somebody else has its lease. */
export class Cancelled extends Error {}

/**
 * Stores parts with their Units, and takes or renews the lease. The Units are searchable FILE_SEARCHABLE_MS later. Parts that are
 * stored already change nothing. Errors: Cancelled; Fault.
 */
export async function storeParts(leased: LeasedJob, encoder: Encoder, file: StoredFile, parts: readonly ExtractedPart[]): Promise<void> {
  const { tenant, job_id } = leased;
  const { namespace, tier } = tenant.namespace;
  const { units, leftOut } = withinTier(tier, parts);
  const drafts = units.map((unit) => draftOf(namespace, file, unit));
  const windows = await windowsFor([await knownToOwners(tenant.reader, drafts)], tenant.encoder ?? encoder, drafts);
  const work = async (tx: NamespaceTransactor): Promise<Lease | null> => {
    const job = await tx.jobs.byId(job_id);
    if (job !== null && areStored(job, parts)) return leased.lease;
    if (job === null || !isActive(job)) throw new Cancelled("the job is gone");
    const lease = await leaseOf(tx, leased);
    await refuseOverQuota(tx.units, tier, drafts, () => tx.files.formerUnits(file.file_id));
    const written = await storeDrafts(tx, tier, drafts, windows);
    await keepWith(tx, file.file_id, written, units, "fresh");
    const created = written.filter(({ status }) => status === "created").length;
    const after = progressed(job, parts, { units: written.length, created });
    await tx.jobs.advance(lease, { ...after, notes: withLeftOut(after.notes, tier, leftOut) });
    return lease;
  };
  const { value, revision } = await tenant.store.transact(work, weightOf(drafts, windows));
  leased.lease = value;
  // An index that fails is logged there, and holds up the end of the job.
  if (drafts.length > 0) void tenant.indexer.caughtUp(revision, indexesOf(drafts), FILE_SEARCHABLE_MS).catch(() => {});
}

/**
 * Ends a job once its Units are searchable: the indexes are written after `withinMs` at the latest. Former Units of its file that
 * it did not give again are removed. A job that has ended stays as it is. Errors: Cancelled; Fault.
 */
export async function storeEnd(leased: LeasedJob, file: StoredFile, withinMs: number): Promise<void> {
  const { store, reader, indexer } = leased.tenant;
  await indexer.caughtUp(await reader.revision(), null, withinMs);
  const work = async (tx: NamespaceTransactor): Promise<number> => {
    const job = await tx.jobs.byId(leased.job_id);
    if (job?.state === "done") return 0;
    if (job === null || !isActive(job)) throw new Cancelled("the job is gone");
    assert(job.extractor !== null, "a job that ends has begun");
    const lease = await leaseOf(tx, leased);
    const removed = await tx.units.remove(await tx.files.endReading(file.file_id, job.extractor));
    const { length: units } = await tx.files.uids(file.file_id);
    await tx.jobs.advance(lease, { ...job, state: "done", stage: "done", progress: 1, units });
    await appendRow(tx, file, job, null);
    return removed;
  };
  const { value: removed, revision } = await store.transact(work);
  if (removed > 0) await indexer.caughtUp(revision, null);
}

/** Stores a failed job. The Units of a file that an earlier job finished stay, others are removed; its bytes stay until its owner deletes it. */
export function storeFailure(tenant: Tenant, file: StoredFile, job_id: string, fault: Fault): Promise<void> {
  return commit(tenant, async (tx) => {
    const job = await tx.jobs.byId(job_id);
    if (job === null) return;
    const fresh = await tx.files.abandonReading(file.file_id);
    if (await tx.jobs.wasDone(file.file_id)) await tx.units.remove(fresh);
    else {
      await tx.units.remove(await tx.files.uids(file.file_id));
      // An older extractor has made nothing of it, so there is nothing to read again.
      await tx.files.endReading(file.file_id, job.extractor ?? EXTRACTOR_VERSIONS[file.kind]);
    }
    const failed: Job = {
      ...job,
      state: "failed",
      stage: "failed",
      error: { kind: fault.kind, detail: fault.message },
      units: 0,
      created: 0,
    };
    await tx.jobs.put(failed);
    await appendRow(tx, file, failed, fault);
  });
}

/** Errors: Cancelled when somebody else works on the job. */
export async function leaseOf({ jobs }: NamespaceTransactor, { job_id, lease }: LeasedJob): Promise<Lease> {
  const lost = new Cancelled("somebody else works on the job");
  if (lease !== null) return jobs.renew(lease, JOB_LEASE_MS).catch(() => Promise.reject(lost));
  const taken = await jobs.lease(job_id, JOB_LEASE_MS);
  if (taken === null) throw lost;
  return taken;
}

/** True when the job says that these parts are stored. */
function areStored(job: Job, parts: readonly ExtractedPart[]): boolean {
  const last = parts.at(-1);
  return last !== undefined && job.next_part > last.part;
}

/** The job after these parts were stored. */
function progressed(job: Job, parts: readonly ExtractedPart[], count: { units: number; created: number }): Job {
  const last = parts.at(-1);
  return {
    ...job,
    state: "running",
    stage: last?.stage ?? job.stage,
    progress: Math.max(job.progress, Math.min(1, last?.progress ?? 0)),
    next_part: last === undefined ? job.next_part : last.part + 1,
    units: job.units + count.units,
    created: job.created + count.created,
    notes: [...job.notes, ...parts.flatMap((part) => part.notes)].slice(0, JOB_NOTES_MAX),
  };
}

/** The row of a job that ended: in the name of the owner who sent the file, or of whoever asked for it to be read again. */
async function appendRow({ ledger }: NamespaceTransactor, file: StoredFile, job: Job, fault: Fault | null): Promise<void> {
  await ledger.append({
    principal_id: job.asked_by ?? file.acl_owner,
    action: job.asked_by === null ? "ingest" : "files.reread",
    outcome: fault === null ? "ok" : "error",
    scope: file.scope,
    target: file.file_id,
    detail: { job: job.job_id, ...(fault === null ? {} : { error: fault.kind }) },
  });
}

/** The Units of planes that the tier has, and how many of each other plane are left out. */
function withinTier(tier: Tier, parts: readonly ExtractedPart[]): { units: ExtractedUnit[]; leftOut: Map<Plane, number> } {
  const leftOut = new Map<Plane, number>();
  const units = parts
    .flatMap((part) => part.units)
    .filter(({ modality }) => {
      const plane = defaultPlane(modality);
      const has = TIER_LIMITS[tier].planes.includes(plane);
      if (!has) leftOut.set(plane, (leftOut.get(plane) ?? 0) + 1);
      return has;
    });
  return { units, leftOut };
}

/** Notes that say how many Units the tier leaves out. The counts add up over steps: the one so far is read from the note. */
function withLeftOut(notes: readonly string[], tier: Tier, leftOut: ReadonlyMap<Plane, number>): string[] {
  let told = [...notes];
  for (const [plane, count] of leftOut) {
    const why = `left out: the ${tier} tier has no ${plane} plane`;
    const before = told.find((note) => note.endsWith(why));
    const total = count + Number.parseInt(before ?? "0", 10);
    // In front, since notes beyond the limit are dropped.
    told = [`${total} ${plane} Unit${total === 1 ? "" : "s"} ${why}`, ...told.filter((note) => note !== before)];
  }
  return told.slice(0, JOB_NOTES_MAX);
}

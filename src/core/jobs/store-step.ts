/** Writes what a job made of its file: each step with its Units, or the failure. Each is one transaction with the job's state. */
import type { Fault } from "../../base/fault.ts";
import { JOB_NOTES_MAX } from "../../base/limits.ts";
import { isActive, type Job, type StoredFile } from "../../domain/file.ts";
import type { ExtractedPart, ExtractedUnit } from "../../domain/media.ts";
import { defaultPlane, type Plane } from "../../domain/plane.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import { TIER_LIMITS, type Tier } from "../../domain/tier.ts";
import type { UnitDraft } from "../../domain/unit.ts";
import { draftOf, keepWith } from "../files/files.ts";
import { knownToOwners, refuseOverQuota, storeDrafts, weightOf, windowsFor } from "../units/ingest.ts";
import type { Tenant } from "../tenant.ts";

/** Parts that are stored together. `done`: the file has no further ones. */
export interface Step {
  parts: readonly ExtractedPart[];
  done: boolean;
}

/** The job is gone: its file was deleted while it was worked on. */
export class Cancelled extends Error {}

/** Stores a step once: when it is stored already, nothing changes. Errors: Cancelled; Fault `quota_exceeded`, `unavailable`. */
export async function storeStep(tenant: Tenant, encoder: Encoder, file: StoredFile, job_id: string, step: Step): Promise<void> {
  const { parts, done } = step;
  const { units, leftOut } = withinTier(tenant.namespace.tier, parts);
  const drafts = units.map((unit) => draftOf(tenant.namespace.namespace, file, unit));
  const windows = await windowsFor([knownToOwners(tenant, drafts)], encoder, drafts);
  await tenant.writer.submit(weightOf(drafts, windows), () => {
    const job = tenant.files.job(job_id);
    // An earlier try was committed, and only the indexes did not follow.
    if (job !== null && isStored(job, step)) return { value: null, changed: [] };
    if (job === null || !isActive(job)) throw new Cancelled("the job is gone");
    refuseOverQuota(tenant, drafts);
    const { written, changed } = storeDrafts(tenant, drafts, windows, encoder.info.model);
    for (const [index, unit] of units.entries()) keepWith(tenant, file.file_id, drafts[index] as UnitDraft, unit);
    const created = written.filter(({ status }) => status === "created").length;
    const counted = progressed(job, parts, { units: written.length, created });
    const after = { ...counted, notes: withLeftOut(counted.notes, tenant.namespace.tier, leftOut) };
    tenant.files.updateJob(done ? { ...after, state: "done", stage: "done", progress: 1 } : after);
    if (done) appendRow(tenant, file, after, null);
    return { value: null, changed, removed: done && removeOutdated(tenant, file) };
  });
}

/** Stores a failed job. The Units of a file that an earlier job finished stay, others are removed; its bytes stay until its owner deletes it. */
export async function storeFailure(tenant: Tenant, file: StoredFile, job_id: string, fault: Fault): Promise<void> {
  await tenant.writer.submit(0, () => {
    const job = tenant.files.job(job_id);
    if (job === null) return { value: null, changed: [] };
    const keep = tenant.files.wasDone(file.file_id);
    const removed = keep ? 0 : tenant.catalog.remove(tenant.files.uids(file.file_id));
    const failed: Job = {
      ...job,
      state: "failed",
      stage: "failed",
      error: { kind: fault.kind, detail: fault.message },
      ...(keep ? {} : { units: 0, created: 0 }),
    };
    tenant.files.updateJob(failed);
    appendRow(tenant, file, failed, fault);
    return { value: null, changed: [], removed: removed > 0 };
  });
}

/** True when the job says that the step is stored. */
function isStored(job: Job, { parts, done }: Step): boolean {
  const last = parts.at(-1);
  return done ? job.state === "done" : last !== undefined && job.next_part > last.part;
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

/** Removes Units of an earlier upload under another name or type, which the file no longer gives. Returns whether there were some. */
function removeOutdated({ catalog, files }: Tenant, { file_id, name, mime }: StoredFile): boolean {
  const units = [...catalog.byUids(files.uids(file_id)).values()];
  const outdated = units.filter(({ metadata }) => metadata?.file_name !== name || metadata.mime !== mime);
  return catalog.remove(outdated.map(({ uid }) => uid)) > 0;
}

function appendRow({ ledger }: Tenant, file: StoredFile, job: Job, fault: Fault | null): void {
  ledger.appendIn({
    principal_id: file.acl_owner,
    action: "ingest",
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
